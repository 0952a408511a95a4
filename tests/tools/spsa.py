#!/usr/bin/env python3
"""Tune search parameters by simultaneous perturbation (SPSA, Spall 1992).

Needs python-chess, and a build whose parameters are UCI options:

    cargo build --release --features tuning
    target/release/damero params | grep -E '^(reduction|singular)' > params.txt
    spsa.py --engine target/release/damero --params params.txt --nodes 16000 --iterations 2000

Each line of the input is `name, int, value, min, max, C_end, R_end`, as `damero params` prints it
and OpenBench reads it.  Every iteration perturbs all parameters at once by +-c, plays pairs of
games between the two sides, and moves each parameter towards the better one.  The gains follow the
usual schedule: a = a_0 / (A + k)^0.602, c = c_0 / k^0.101, with A a tenth of the iterations; they
end at C_end, and R_end = a / c^2.

The state is saved after every iteration and `--resume` continues from it.  At the end, and on
Ctrl-C, the values are printed in the format of the input, with a table of how far each has moved;
`--plot` draws the drift of all parameters as an SVG file.
"""
import argparse
import dataclasses
import json
import multiprocessing as mp
import os
import random
import signal
import sys

import match

ALPHA, GAMMA = 0.602, 0.101


@dataclasses.dataclass
class Parameter:
    """A parameter with its schedule."""

    name: str
    kind: str
    start: float
    low: float
    high: float
    c_end: float
    r_end: float
    value: float

    @staticmethod
    def parse(line):
        fields = [field.strip() for field in line.split(",")]
        if len(fields) != 7 or fields[1] not in ("int", "float"):
            raise ValueError(f"expected `name, int, value, min, max, C_end, R_end`, not {line!r}")
        start, low, high, c_end, r_end = map(float, fields[2:])
        if not low <= start <= high or c_end <= 0 or r_end <= 0:
            raise ValueError(f"{fields[0]}: value outside its range, or C_end or R_end not positive")
        return Parameter(fields[0], fields[1], start, low, high, c_end, r_end, start)

    def perturbation(self, k, iterations):
        return self.c_end * (iterations / k) ** GAMMA

    def gain(self, k, iterations):
        """a_k, so that a / c^2 ends at R_end."""
        stability = iterations / 10
        end = self.r_end * self.c_end**2
        return end * ((stability + iterations) / (stability + k)) ** ALPHA

    def clamp(self, value):
        return min(max(value, self.low), self.high)

    def option(self, value, rng):
        """Returns the value to send: integers are rounded at random, so small steps still count."""
        value = self.clamp(value)
        if self.kind == "float":
            return str(value)
        low = int(value // 1)
        return str(int(self.clamp(low + (rng.random() < value - low))))

    def line(self):
        shown = round(self.value) if self.kind == "int" else self.value
        numbers = (f"{number:g}" for number in (self.low, self.high, self.c_end, self.r_end))
        return ", ".join([self.name, self.kind, f"{shown:g}", *numbers])


class State:
    """Everything that a resumed run needs."""

    def __init__(self, parameters, iterations, seed):
        self.parameters, self.iterations, self.seed = parameters, iterations, seed
        self.done = 0
        self.history = [[parameter.value for parameter in parameters]]
        self.wdl = [0, 0, 0]

    def save(self, path):
        beside = path + ".new"
        with open(beside, "w", encoding="utf-8") as out:
            json.dump({
                "parameters": [dataclasses.asdict(p) for p in self.parameters],
                "iterations": self.iterations, "seed": self.seed, "done": self.done,
                "history": self.history, "wdl": self.wdl}, out)
        os.replace(beside, path)

    @staticmethod
    def load(path):
        with open(path, encoding="utf-8") as text:
            data = json.load(text)
        parameters = [Parameter(**fields) for fields in data["parameters"]]
        state = State(parameters, data["iterations"], data["seed"])
        state.done, state.history, state.wdl = data["done"], data["history"], data["wdl"]
        return state

    def sides(self):
        """Returns the signs of the next iteration and the options of its two sides."""
        k = self.done + 1
        rng = random.Random(self.seed * 1_000_003 + k)
        signs = [rng.choice((-1, 1)) for _ in self.parameters]
        options = [{}, {}]
        for parameter, sign in zip(self.parameters, signs):
            c = parameter.perturbation(k, self.iterations)
            for side, direction in enumerate((sign, -sign)):
                options[side][parameter.name] = parameter.option(parameter.value + direction * c, rng)
        return signs, options

    def update(self, signs, result):
        """Moves all parameters after an iteration; `result` is wins less losses of side 0."""
        k = self.done + 1
        for parameter, sign in zip(self.parameters, signs):
            c = parameter.perturbation(k, self.iterations)
            step = parameter.gain(k, self.iterations) / c * result * sign
            parameter.value = parameter.clamp(parameter.value + step)
        self.done = k
        self.history.append([parameter.value for parameter in self.parameters])


def worker(jobs, results, engine, limit, args):
    """Plays pairs between two settings of the same program."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    players = []
    try:
        for name in ("plus", "minus"):
            players.append(match.Engine(match.Spec(name, engine, {}, limit),
                                        {"Hash": args.hash, "Threads": 1}))
        while (job := jobs.get()) is not None:
            options, fen = job
            for player, values in zip(players, options):
                for name, value in values.items():
                    player.send(f"setoption name {name} value {value}")
            points, faults = [], []
            for flipped in (False, True):
                white, black = reversed(players) if flipped else players
                record = match.GamePlayer(white, black, fen, args).play()
                points.append(1 - record.points if flipped else record.points)
                faults += [kind for _, kind, _ in record.faults]
            results.put((points, faults))
    except match.EngineDied as death:
        results.put(str(death))
    finally:
        for player in players:
            player.close()


def table(state):
    width = max(len(p.name) for p in state.parameters)
    lines = [f"{'parameter':{width}}  start    value    moved  in C_end"]
    for p in state.parameters:
        moved = p.value - p.start
        lines.append(f"{p.name:{width}}  {p.start:<7g}  {p.value:<7.1f}  {moved:+6.1f}  "
                     f"{moved / p.c_end:+.1f}")
    return "\n".join(lines)


def plot(state):
    """Draws how far each parameter has moved, in units of its C_end, as SVG."""
    width, height, left = 800, 400, 60
    count = max(1, len(state.history) - 1)
    moves = [[(row[i] - p.start) / p.c_end for row in state.history]
             for i, p in enumerate(state.parameters)]
    reach = max(1.0, max(abs(move) for line in moves for move in line))
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width + 260}" height="{height + 40}" '
             'font-family="sans-serif" font-size="12">',
             f'<line x1="{left}" y1="{height / 2}" x2="{width}" y2="{height / 2}" stroke="#999"/>',
             f'<text x="4" y="16">+{reach:.1f} C_end</text>',
             f'<text x="4" y="{height - 4}">-{reach:.1f} C_end</text>',
             f'<text x="{width - 90}" y="{height + 20}">iteration {count}</text>']
    for index, (p, line) in enumerate(zip(state.parameters, moves)):
        hue = f"hsl({360 * index // len(moves)} 70% 40%)"
        points = " ".join(
            f"{left + (width - left) * k / count:.1f},{height / 2 - move / reach * height / 2:.1f}"
            for k, move in enumerate(line))
        parts.append(f'<polyline points="{points}" fill="none" stroke="{hue}" stroke-width="1.5"/>')
        parts.append(f'<text x="{width + 10}" y="{16 + 15 * index}" fill="{hue}">'
                     f'{p.name} {line[-1]:+.1f}</text>')
    return "\n".join(parts + ["</svg>\n"])


def run(state, args):
    """Plays the iterations that are left; returns the exit status."""
    jobs, results = mp.Queue(), mp.Queue()
    jobs.cancel_join_thread()
    limit = match.Limit.parse("tc", args.tc) if args.tc else match.Limit("nodes", args.nodes)
    processes = [mp.Process(target=worker, args=(jobs, results, args.engine, limit, args))
                 for _ in range(args.concurrency)]
    for process in processes:
        process.start()
    fens = match.read_book(args.book, state.seed)
    status = 0
    try:
        while state.done < state.iterations:
            signs, options = state.sides()
            first = state.done * args.pairs
            for pair in range(args.pairs):
                jobs.put((options, fens[(first + pair) % len(fens)]))
            result = 0.0
            for _ in range(args.pairs):
                message = results.get()
                if isinstance(message, str):
                    print("cannot play:", message)
                    status = 2
                    return status
                points, faults = message
                for kind in faults:
                    print(f"fault: {kind}", flush=True)
                result += sum(2 * point - 1 for point in points)
                for point in points:
                    state.wdl[{1.0: 0, 0.5: 1, 0.0: 2}[point]] += 1
            state.update(signs, result)
            state.save(args.state)
            if state.done % args.report == 0:
                shown = ", ".join(f"{p.name} {p.value:.1f}" for p in state.parameters)
                print(f"[{state.done}/{state.iterations}] {shown}", flush=True)
    except KeyboardInterrupt:
        print("\ninterrupted; continue with --resume")
        status = 130
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()
    return status


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True, help="command of a build with `tuning`")
    parser.add_argument("--params", help="file of parameters, or - for standard input")
    parser.add_argument("--iterations", type=int, default=1000)
    parser.add_argument("--pairs", type=int, default=2, help="pairs per iteration (%(default)s)")
    parser.add_argument("--nodes", type=int, default=16_000, help="nodes a move (%(default)s)")
    parser.add_argument("--tc", help="base+increment in seconds, in place of --nodes")
    parser.add_argument("--margin", type=float, default=0.05, help=argparse.SUPPRESS)
    parser.add_argument("--resign", type=int, default=700, help=argparse.SUPPRESS)
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--book", default=match.BOOK)
    parser.add_argument("--hash", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--state", default="spsa.json", help="checkpoint (%(default)s)")
    parser.add_argument("--resume", action="store_true", help="continue from the checkpoint")
    parser.add_argument("--report", type=int, default=20, help="iterations between two lines")
    parser.add_argument("--plot", help="SVG file for the drift of the parameters")
    args = parser.parse_args()
    args.pgn = None
    if args.resume:
        state = State.load(args.state)
    else:
        if not args.params:
            parser.error("give --params, or --resume")
        text = sys.stdin if args.params == "-" else open(args.params, encoding="utf-8")
        with text:
            try:
                parameters = [Parameter.parse(line) for line in text if line.strip()]
            except ValueError as error:
                parser.error(str(error))
        if not parameters:
            parser.error("no parameters")
        state = State(parameters, args.iterations, args.seed)
    status = run(state, args)
    wins, draws, losses = state.wdl
    print(f"\n{state.done} iterations, {sum(state.wdl)} games, {wins}-{losses}-{draws}\n")
    print(table(state), end="\n\n")
    print("\n".join(parameter.line() for parameter in state.parameters))
    if args.plot:
        with open(args.plot, "w", encoding="utf-8") as out:
            out.write(plot(state))
    sys.exit(status)


if __name__ == "__main__":
    main()
