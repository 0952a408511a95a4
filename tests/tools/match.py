#!/usr/bin/env python3
"""Play UCI engines against each other and report Elo, error bars and SPRT.

Needs python-chess (`pip install chess`).  Every opening is played twice with colours
reversed, so the unit of the statistics is the game pair.

    match.py -e new=target/release/damero -e old=../damero-old --nodes 8000 --pairs 400 --sprt 0 8
    match.py -e new=target/release/damero -e eth=ethereal-chess --tc 2+0.02 --pairs 100
    match.py -e new=target/release/damero -e "sf=stockfish;Use NNUE=false;@nodes=4000" --nodes 8000

The first engine is under test; each further engine is an opponent.  After the command come UCI
options, and limits of this engine alone (`@nodes`, `@depth`, `@movetime`, `@tc`).  Debian's games
directory is searched as well as the PATH.

Faults are a crash, a stall (no answer at all), a loss on time, an illegal move, an illegal move in
the last PV, and a bestmove that is not the first move of the last PV.  The first four lose the
game.  Each fault is listed with the commands that led to it.

The exit status is 0 if the match finished without a fault of the engine under test, 1 if it had
faults, 2 if it could not be played, 130 after Ctrl-C (results so far are shown).
"""
import argparse
import json
import math
import multiprocessing as mp
import os
import queue
import random
import shlex
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
import zlib
from dataclasses import dataclass, field

try:
    import chess
    import chess.pgn
except ImportError:
    sys.exit("match.py needs python-chess: pip install chess")

BOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "openings.epd")
LOSING_FAULTS = ("crash", "stall", "time", "illegal")


# ---------------------------------------------------------------------------------------------
# Engines


class EngineDied(Exception):
    """The engine closed its output, could not be started, or did not answer."""

    def __init__(self, kind, text):
        super().__init__(text)
        self.kind = kind


@dataclass
class Limit:
    """What one engine may spend on a move: a fixed amount, or a clock."""

    kind: str
    value: float
    increment: float = 0.0

    @staticmethod
    def parse(kind, text):
        if kind != "tc":
            return Limit(kind, int(text))
        base, _, increment = text.partition("+")
        return Limit("tc", float(base), float(increment or 0))

    def timeout(self, clock):
        """Seconds after which a silent engine counts as stalled."""
        return {"tc": clock + 10, "movetime": self.value / 1000 + 10}.get(self.kind, 600)


@dataclass
class Spec:
    """An engine of the command line."""

    name: str
    command: str
    options: dict
    limit: Limit

    @staticmethod
    def parse(text, default_limit):
        name, _, rest = text.partition("=")
        command, *pairs = rest.split(";")
        if not name or not command:
            raise ValueError(f"engine {text!r}: expected NAME=COMMAND[;OPTION=VALUE...]")
        options, limit = {}, default_limit
        for pair in filter(None, pairs):
            key, equals, value = pair.partition("=")
            if not equals:
                raise ValueError(f"engine {name}: expected OPTION=VALUE, not {pair!r}")
            if key.startswith("@"):
                if key[1:] not in ("nodes", "depth", "movetime", "tc"):
                    raise ValueError(f"engine {name}: unknown limit {key!r}")
                limit = Limit.parse(key[1:], value)
            else:
                options[key] = value
        if limit is None:
            raise ValueError(f"engine {name}: no limit; give --nodes, --depth, --movetime or --tc")
        return Spec(name, command, options, limit)

    def program(self):
        """Returns the words of the command, with the program's path, or as it was given."""
        program, *arguments = shlex.split(self.command)
        path = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
        return [shutil.which(program, path=path) or program, *arguments]

    def fingerprint(self):
        """Returns a checksum of the program, which a rebuild changes."""
        try:
            with open(self.program()[0], "rb") as program:
                return f"{zlib.crc32(program.read()):08x}"
        except OSError:
            return None


@dataclass
class Answer:
    """What an engine said about one position."""

    move: str
    spent: float
    score: int | None = None  # centipawns for the mover; mates beyond 29,000
    depth: int | None = None
    pv: list = field(default_factory=list)


class Engine:
    """One engine process, spoken to over its pipes."""

    def __init__(self, spec, default_options):
        self.spec = spec
        try:
            self.process = subprocess.Popen(
                spec.program(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, bufsize=1, errors="replace")
        except OSError as error:
            raise EngineDied("crash", f"{spec.name}: {error}") from error
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self._pump, daemon=True).start()
        self.nodes, self.search_time = 0, 0.0
        self.send("uci")
        known = {line[len("option name "):].split(" type ")[0]
                 for line in self.until("uciok", 10) if line.startswith("option name ")}
        for key, value in default_options.items():
            if key in known and key not in spec.options:
                self.send(f"setoption name {key} value {value}")
        for key, value in spec.options.items():
            if key not in known:
                self.close()
                raise EngineDied("option", f"{spec.name} has no option {key!r}")
            self.send(f"setoption name {key} value {value}")
        for line in self.ready():
            # A file that cannot be used must not be taken for one that makes no difference.
            if line.startswith("info string error"):
                self.close()
                raise EngineDied("option", f"{spec.name}: {line.strip()}")

    def _pump(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def send(self, text):
        try:
            self.process.stdin.write(text + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise EngineDied("crash", f"{self.spec.name} closed its input") from error

    def until(self, word, timeout):
        """Returns the lines up to the first that begins with `word`."""
        end, seen = time.monotonic() + timeout, []
        while True:
            try:
                line = self.lines.get(timeout=max(0.001, end - time.monotonic()))
            except queue.Empty:
                raise EngineDied("stall", f"{self.spec.name}: no {word} in {timeout:.0f} s") from None
            if line is None:
                raise EngineDied("crash", f"{self.spec.name} closed its output")
            seen.append(line)
            if line.startswith(word) and line.split(None, 1)[0] == word:
                return seen

    def ready(self):
        self.send("isready")
        return self.until("readyok", 30)

    def new_game(self):
        self.send("ucinewgame")
        self.ready()

    def go(self, position, limit, timeout):
        """Searches; `position` and `limit` are the two commands to send."""
        self.send(position)
        start = time.monotonic()
        self.send(limit)
        lines = self.until("bestmove", timeout)
        spent = time.monotonic() - start
        words = lines[-1].split()
        answer = Answer(words[1] if len(words) > 1 else "(none)", spent)
        nodes = None
        for line in reversed(lines):
            words = line.split()
            if words[:1] != ["info"] or "string" in words[:2]:
                continue
            if nodes is None and "nodes" in words[:-1]:
                nodes = number_after(words, "nodes")
            exact = "lowerbound" not in words and "upperbound" not in words
            if not answer.pv and "pv" in words and number_after(words, "multipv") in (None, 1):
                answer.pv = words[words.index("pv") + 1:]
            if exact and "score" in words[:-2] and number_after(words, "multipv") in (None, 1):
                kind, value = words[words.index("score") + 1:][:2]
                value = to_int(value)
                if value is not None:
                    mate = (30_000 - abs(value)) * (1 if value > 0 else -1)
                    answer.score = mate if kind == "mate" else value
                    answer.depth = number_after(words, "depth")
                    break
        self.nodes += nodes or 0
        self.search_time += spent
        return answer

    def close(self):
        try:
            self.send("quit")
            self.process.wait(timeout=2)
        except (EngineDied, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()


def to_int(text):
    try:
        return int(text)
    except ValueError:
        return None


def number_after(words, key):
    """Returns the integer after `key`, if both are there."""
    try:
        return int(words[words.index(key) + 1])
    except (ValueError, IndexError):
        return None


# ---------------------------------------------------------------------------------------------
# Games


@dataclass
class GameRecord:
    """A finished game, as the workers report it."""

    white: str
    black: str
    points: float  # White's
    ending: str
    faults: list = field(default_factory=list)  # (engine, kind, commands to reproduce)
    pgn: str | None = None


class GamePlayer:
    """Plays one game between two engines."""

    def __init__(self, white, black, fen, args):
        self.players = {chess.WHITE: white, chess.BLACK: black}
        self.board = chess.Board(fen) if fen else chess.Board()
        self.position = f"position fen {self.board.fen()}" if fen else "position startpos"
        self.args = args
        self.moves, self.comments, self.faults = [], [], []
        self.clocks = {side: engine.spec.limit.value for side, engine in self.players.items()}

    def play(self):
        for engine in self.players.values():
            try:
                engine.new_game()
            except EngineDied as death:
                return self.lost_by(engine, death.kind, "ucinewgame")
        resign = draw = 0
        while True:
            over = self.over_by_rule()
            if over:
                return self.record(*over)
            side, engine = self.board.turn, self.players[self.board.turn]
            limit = engine.spec.limit
            commands = self.position_command(), self.go_command(limit)
            try:
                answer = engine.go(*commands, limit.timeout(self.clocks[side]))
            except EngineDied as death:
                return self.lost_by(engine, death.kind, commands)
            if limit.kind == "tc":
                self.clocks[side] -= answer.spent
                if self.clocks[side] < -self.args.margin:
                    return self.lost_by(engine, "time", commands)
                self.clocks[side] = max(self.clocks[side], 0.0) + limit.increment
            move = legal_move(self.board, answer.move)
            if move is None:
                return self.lost_by(engine, "illegal", commands, answer.move)
            self.check_pv(engine, answer, move, commands)
            self.board.push(move)
            self.moves.append(answer.move)
            self.comments.append(comment(answer))
            if answer.score is None:
                resign = draw = 0
                continue
            resign = resign + 1 if abs(answer.score) >= self.args.resign else 0
            late = self.board.fullmove_number > 34
            draw = draw + 1 if abs(answer.score) <= 8 and late else 0
            if resign >= 6:
                return self.record(1.0 if (answer.score > 0) == side else 0.0, "adjudicated")
            if draw >= 12:
                return self.record(0.5, "adjudicated")

    def over_by_rule(self):
        outcome = self.board.outcome(claim_draw=False)
        if outcome:
            points = {"1-0": 1.0, "0-1": 0.0}.get(outcome.result(), 0.5)
            return points, outcome.termination.name.lower()
        if self.board.halfmove_clock >= 100 or self.board.is_repetition(3):
            return 0.5, "rule draw"
        return None

    def position_command(self):
        return self.position + (" moves " + " ".join(self.moves) if self.moves else "")

    def go_command(self, limit):
        if limit.kind != "tc":
            return f"go {limit.kind} {int(limit.value)}"
        parts = ["go"]
        for side, letter in ((chess.WHITE, "w"), (chess.BLACK, "b")):
            of = self.players[side].spec.limit
            # An opponent without a clock has as much time as the engine itself.
            shown = side if of.kind == "tc" else not side
            increment = self.players[shown].spec.limit.increment
            parts += [f"{letter}time", str(max(1, int(self.clocks[shown] * 1000))),
                      f"{letter}inc", str(int(increment * 1000))]
        return " ".join(parts)

    def check_pv(self, engine, answer, move, commands):
        """Notes an illegal PV and a bestmove that differs from it."""
        if not answer.pv:
            return
        if answer.pv[0] != answer.move:
            self.fault(engine, "pv-mismatch", commands, f"bestmove {answer.move}, pv {answer.pv[0]}")
            return
        # Checking every line of a search of milliseconds would cost a tenth of the speed.
        if answer.spent < 0.02 and len(self.moves) // 2 % 4:
            return
        board = self.board.copy(stack=False)
        board.push(move)
        for text in answer.pv[1:]:
            move = legal_move(board, text)
            if move is None:
                self.fault(engine, "illegal-pv", commands, f"{text} in pv {' '.join(answer.pv)}")
                return
            board.push(move)

    def fault(self, engine, kind, commands, detail=""):
        text = commands if isinstance(commands, str) else "\n".join(commands)
        self.faults.append((engine.spec.name, kind, text + (f"\n({detail})" if detail else "")))

    def lost_by(self, engine, kind, commands, detail=""):
        self.fault(engine, kind, commands, detail)
        return self.record(0.0 if engine is self.players[chess.WHITE] else 1.0, kind)

    def record(self, points, ending):
        white, black = (self.players[side].spec.name for side in (chess.WHITE, chess.BLACK))
        record = GameRecord(white, black, points, ending, self.faults)
        if self.args.pgn:
            game = chess.pgn.Game.from_board(self.board)
            game.headers.update(
                Event="match.py", White=white, Black=black, Termination=ending,
                Date=time.strftime("%Y.%m.%d"),
                Result={1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}[points])
            for node, text in zip(game.mainline(), self.comments):
                node.comment = text
            record.pgn = str(game)
        return record


def legal_move(board, text):
    try:
        move = chess.Move.from_uci(text)
    except ValueError:
        return None
    return move if move and board.is_legal(move) else None


def comment(answer):
    """Returns "score/depth time", as fastchess and cutechess write it."""
    if answer.score is None:
        return f"{answer.spent:.3f}s"
    mate = 30_000 - abs(answer.score)
    sign = "+" if answer.score >= 0 else "-"
    score = f"{sign}M{2 * mate - (sign == '+')}" if mate < 1000 else f"{answer.score / 100:+.2f}"
    return f"{score}/{answer.depth or 0} {answer.spent:.3f}s"


# ---------------------------------------------------------------------------------------------
# Workers


def worker(jobs, results, specs, defaults, args):
    """Plays pairs until there are no more jobs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    engines = {}

    def get(index):
        if index not in engines:
            engines[index] = Engine(specs[index], defaults)
        return engines[index]

    try:
        while (job := jobs.get()) is not None:
            pair, opponent, fen = job
            records = []
            for flipped in (False, True):
                try:
                    first, second = get(0), get(opponent)
                except EngineDied as death:
                    results.put(("fatal", str(death)))
                    return
                white, black = (second, first) if flipped else (first, second)
                record = GamePlayer(white, black, fen, args).play()
                records.append(record)
                for name, kind, _ in record.faults:
                    if kind in LOSING_FAULTS:
                        for index in [i for i, e in engines.items() if e.spec.name == name]:
                            engines.pop(index).close()
            results.put(("pair", pair, opponent, records))
        results.put(("speeds", {e.spec.name: (e.nodes, e.search_time) for e in engines.values()}))
    finally:
        for engine in engines.values():
            engine.close()


# ---------------------------------------------------------------------------------------------
# Statistics


def elo(score):
    score = min(max(score, 1e-6), 1 - 1e-6)
    return -400 * math.log10(1 / score - 1)


class Tally:
    """Counts of pair scores 0, 1/2, 1, 3/2, 2 and what follows from them."""

    def __init__(self):
        self.pairs = [0] * 5
        self.wdl = [0, 0, 0]

    def add(self, points):
        for point in points:
            self.wdl[{1.0: 0, 0.5: 1, 0.0: 2}[point]] += 1
        self.pairs[int(2 * sum(points))] += 1

    def moments(self):
        """Number of pairs, mean score of a game, and variance of a pair's mean score."""
        n = sum(self.pairs)
        if not n:
            return 0, 0.5, 0.0
        mean = sum(c * i / 4 for i, c in enumerate(self.pairs)) / n
        return n, mean, sum(c * (i / 4 - mean) ** 2 for i, c in enumerate(self.pairs)) / n

    def llr(self, elo0, elo1):
        """Log-likelihood ratio of two hypotheses (normal approximation of the pair score)."""
        n, mean, variance = self.moments()
        if n < 16 or variance == 0:
            return 0.0
        s0, s1 = (1 / (1 + 10 ** (-e / 400)) for e in (elo0, elo1))
        return n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)

    def normalised_elo(self):
        """Elo in units of the score's own spread: comparable between books and time controls."""
        _, mean, variance = self.moments()
        deviation = math.sqrt(2 * variance)
        return (mean - 0.5) / deviation * 800 / math.log(10) if deviation else 0.0

    def los(self):
        """Likelihood of superiority."""
        n, mean, variance = self.moments()
        if not n or not variance:
            return 0.5 if mean == 0.5 else float(mean > 0.5)
        return statistics.NormalDist().cdf((mean - 0.5) / math.sqrt(variance / n))

    def line(self):
        n, mean, variance = self.moments()
        wins, draws, losses = self.wdl
        score = f"{wins}-{losses}-{draws} (W-L-D)  score {100 * mean:.1f}%"
        if n < 2 or not variance:
            return f"{score}  Elo not known yet  pairs {self.pairs}"
        error = 1.96 * math.sqrt(variance / n)
        low, high = elo(mean - error), elo(mean + error)
        return (f"{score}  Elo {elo(mean):+.1f} [{low:+.0f}, {high:+.0f}]  nElo {self.normalised_elo():+.1f}  "
                f"LOS {100 * self.los():.1f}%  pairs {self.pairs}")


# ---------------------------------------------------------------------------------------------
# The match


class Match:
    """Collects the results of the workers."""

    def __init__(self, specs, args):
        self.specs, self.args = specs, args
        self.tallies = {index: Tally() for index in range(1, len(specs))}
        self.done, self.faults, self.speeds = set(), [], {}
        self.verdict = None

    def add(self, pair, opponent, points, faults):
        self.done.add((pair, opponent))
        self.tallies[opponent].add(points)
        for fault in faults:
            self.faults.append(tuple(fault))

    def resume(self):
        """Reads the results of an interrupted match back."""
        with open(self.args.log, encoding="utf-8") as lines:
            header = json.loads(next(lines, "null"))
            if header != self.header():
                sys.exit(f"{self.args.log} is of another match: {header}")
            for line in lines:
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue  # the last line of an interrupted run may be cut off
                self.add(entry["pair"], entry["opponent"], entry["points"], entry["faults"])

    def header(self):
        """What must not change between the runs of a match."""
        engines = [[s.name, s.command, s.fingerprint(), sorted(s.options.items()), repr(s.limit)]
                   for s in self.specs]
        return json.loads(json.dumps({"engines": engines, "seed": self.args.seed}))

    def decide(self, opponent):
        """Ends the match once the SPRT has crossed a bound."""
        if not self.args.sprt or len(self.specs) != 2 or self.verdict:
            return
        llr = self.tallies[opponent].llr(*self.args.sprt)
        if abs(llr) >= self.bound():
            self.verdict = "accepted: stronger" if llr > 0 else "rejected: not stronger"

    def bound(self):
        return math.log((1 - 0.05) / 0.05)

    def print_lines(self, prefix=""):
        for index, tally in self.tallies.items():
            sprt = ""
            if self.args.sprt:
                sprt = f"  LLR {tally.llr(*self.args.sprt):+.2f} of {self.bound():.2f}"
            names = f"{self.specs[0].name} v {self.specs[index].name}"
            print(f"{prefix}{names}: {tally.line()}{sprt}", flush=True)

    def print_summary(self):
        print()
        if self.done:
            self.print_lines()
        for name, (nodes, seconds) in sorted(self.speeds.items()):
            if seconds:
                print(f"{name}: {nodes / seconds / 1000:.0f} knps over {seconds:.0f} s of search")
        counts = {}
        for name, kind, _ in self.faults:
            counts[name, kind] = counts.get((name, kind), 0) + 1
        shown = ", ".join(f"{n} {k} x{c}" for (n, k), c in sorted(counts.items()))
        print("faults:", shown or "none")
        for number, (name, kind, commands) in enumerate(self.faults, 1):
            if number > self.args.show_faults:
                print(f"  ... and {len(self.faults) - self.args.show_faults} more")
                break
            print(f"  {number}. {name}: {kind}")
            print("\n".join(f"     {line}" for line in commands.splitlines()))
        if self.args.sprt:
            undecided = f"undecided after {len(self.done)} pairs; more --pairs would go on"
            print("SPRT:", self.verdict or undecided)

    def run(self):
        """Plays what is left to play; returns the exit status."""
        args, specs = self.args, self.specs
        fens = read_book(args.book, args.seed)
        opponents = range(1, len(specs))
        todo = [(pair, opponent, fens[pair % len(fens)])
                for pair in range(args.pairs) for opponent in opponents
                if (pair, opponent) not in self.done]
        total = args.pairs * len(opponents)
        if args.pairs > len(fens):
            print(f"note: only {len(fens)} openings for {args.pairs} pairs; some are played twice")
        jobs, results = mp.Queue(), mp.Queue()
        jobs.cancel_join_thread()  # what is left after Ctrl-C must not keep this process alive
        for job in todo:
            jobs.put(job)
        for _ in range(args.concurrency):
            jobs.put(None)
        defaults = {"Hash": args.hash, "Threads": args.threads}
        processes = [mp.Process(target=worker, args=(jobs, results, specs, defaults, args))
                     for _ in range(args.concurrency)]
        for process in processes:
            process.start()
        log = self.open_log()
        pgn = open(args.pgn, "a", encoding="utf-8") if args.pgn else None
        finished, last, status = 0, time.monotonic(), None
        try:
            while finished < args.concurrency:
                kind, *message = results.get()
                if kind == "fatal":
                    print("cannot play:", message[0])
                    status = 2
                    break
                if kind == "speeds":
                    finished += 1
                    for name, (nodes, seconds) in message[0].items():
                        n, s = self.speeds.get(name, (0, 0.0))
                        self.speeds[name] = n + nodes, s + seconds
                    continue
                pair, opponent, records = message
                points = [1 - record.points if record.white != specs[0].name else record.points
                          for record in records]
                faults = [fault for record in records for fault in record.faults]
                self.add(pair, opponent, points, faults)
                for name, fault, _ in faults:
                    print(f"fault: {name}: {fault}", flush=True)
                if log:
                    entry = {"pair": pair, "opponent": opponent, "points": points, "faults": faults}
                    log.write(json.dumps(entry) + "\n")
                    log.flush()
                if pgn:
                    pgn.write("".join(record.pgn + "\n\n" for record in records))
                    pgn.flush()
                if time.monotonic() - last > 20:
                    last = time.monotonic()
                    self.print_lines(f"[{len(self.done)}/{total}] ")
                was_open = self.verdict is None
                self.decide(opponent)
                if was_open and self.verdict:
                    drain(jobs)
                    for _ in range(args.concurrency):
                        jobs.put(None)
        except KeyboardInterrupt:
            print("\ninterrupted", flush=True)
            status = 130
        if status is not None:
            for process in processes:
                process.terminate()
        for process in processes:
            process.join()
        self.print_summary()
        if status is not None:
            return status
        return 1 if any(name == specs[0].name for name, *_ in self.faults) else 0

    def open_log(self):
        if not self.args.log:
            return None
        log = open(self.args.log, "a" if self.args.resume else "w", encoding="utf-8")
        if not self.args.resume:
            log.write(json.dumps(self.header()) + "\n")
            log.flush()
        return log


def drain(jobs):
    try:
        while True:
            jobs.get_nowait()
    except queue.Empty:
        pass


def read_book(path, seed):
    """Returns the positions of an EPD file in an order that depends on `seed` alone."""
    with open(path, encoding="utf-8") as lines:
        fens = [" ".join(line.split()[:4]) + " 0 1" for line in lines if line.strip()]
    if not fens:
        sys.exit(f"{path} holds no positions")
    random.Random(seed).shuffle(fens)
    return fens


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-e", "--engine", action="append", required=True, metavar="SPEC",
                        help="name=command[;Option=value...][;@limit=value]")
    parser.add_argument("--nodes", type=int, help="nodes for each move")
    parser.add_argument("--depth", type=int, help="depth of each search")
    parser.add_argument("--movetime", type=int, help="milliseconds for each move")
    parser.add_argument("--tc", help="base+increment in seconds, e.g. 2+0.02")
    parser.add_argument("--margin", type=float, default=0.05, metavar="S",
                        help="seconds a clock may overrun before the game is lost (%(default)s)")
    parser.add_argument("--pairs", type=int, default=100,
                        help="game pairs against each opponent (%(default)s)")
    parser.add_argument("--concurrency", type=int, default=2, help="games at once (%(default)s)")
    parser.add_argument("--book", default=BOOK, help="EPD file of openings")
    parser.add_argument("--seed", type=int, default=1, help="order of the openings (%(default)s)")
    parser.add_argument("--hash", type=int, default=16, help="MiB for each engine (%(default)s)")
    parser.add_argument("--threads", type=int, default=1, help="for each engine (%(default)s)")
    parser.add_argument("--resign", type=int, default=700, metavar="CP",
                        help="score that decides a game after six plies (%(default)s)")
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"),
                        help="stop when one of the hypotheses is accepted at 5 %% error")
    parser.add_argument("--pgn", help="append the games, with score, depth and time of each move")
    parser.add_argument("--log", help="write each result to this file as soon as it is known")
    parser.add_argument("--resume", action="store_true", help="continue the match of --log")
    parser.add_argument("--show-faults", type=int, default=20, metavar="N",
                        help="faults listed at the end (%(default)s)")
    args = parser.parse_args()
    given = [(kind, value) for kind in ("nodes", "depth", "movetime", "tc")
             if (value := getattr(args, kind)) is not None]
    if len(given) > 1:
        parser.error("give one of --nodes, --depth, --movetime, --tc")
    try:
        default = Limit.parse(*given[0]) if given else None
        specs = [Spec.parse(text, default) for text in args.engine]
    except ValueError as error:
        parser.error(str(error))
    if len(specs) < 2:
        parser.error("give at least two engines")
    if len({spec.name for spec in specs}) < len(specs):
        parser.error("engines need different names")
    if args.resume and not args.log:
        parser.error("--resume needs --log")
    if args.log and not args.resume and os.path.exists(args.log):
        parser.error(f"{args.log} exists; --resume continues it")
    if args.sprt and args.sprt[0] >= args.sprt[1]:
        parser.error("--sprt: ELO0 must be less than ELO1")
    return args, specs


def main():
    args, specs = parse_arguments()
    match = Match(specs, args)
    if args.resume and os.path.exists(args.log):
        match.resume()
    elif args.resume:
        args.resume = False
    sys.exit(match.run())


if __name__ == "__main__":
    main()
