#!/usr/bin/env python3
"""Measure how true an engine's scores and moves are, against a stronger engine.

Needs python-chess.  First collect positions from games and label them, then compare engines:

    match.py ... --nodes 8000 --pairs 250 --pgn games.pgn
    accuracy.py label --pgn games.pgn --positions 2000 --reference stockfish --nodes 500000 \\
                      --out labels.json
    accuracy.py compare --labels labels.json --limit nodes=64000 \\
                        -e new=target/release/damero -e old=../damero-old \\
                        -e "sf=stockfish;Use NNUE=false"

Scores are compared as winning chances, 1 / (1 + exp(-score / scale)); the scale of each engine is
the one that fits the labels best.  `rmse` is the error of the scores, `regret` the winning chances
that the engine's moves lose by the reference's judgement (`--regret NODES`, which costs most of the
time), `agree` the share of equal moves.  z compares each engine with the first, position by
position: beyond 2 in either direction is a difference.

This needs far fewer positions than a match needs games, but an engine's scores can be truer without
its moves being better: a match decides.
"""
import argparse
import json
import math
import multiprocessing as mp
import random
import sys

import match
from match import chess

LARGEST_LABEL = 600  # centipawns; beyond this a game is decided
REFERENCE_SCALE = 130


def ask(job):
    """Runs one search in this worker's engine."""
    fen, limit, moves = job
    ask.engine.new_game()
    go = f"go {limit}" + (f" searchmoves {moves}" if moves else "")
    answer = ask.engine.go(f"position fen {fen}", go, 600)
    return answer.score, answer.move, answer.depth


def start(spec, hash_size):
    ask.engine = match.Engine(spec, {"Hash": hash_size, "Threads": 1})


def search_all(spec, jobs, args):
    with mp.Pool(args.concurrency, start, (spec, args.hash)) as pool:
        return pool.map(ask, jobs, chunksize=4)


def sample(path, wanted, seed):
    """Takes positions out of check from all parts of the games."""
    rng = random.Random(seed)
    positions = []
    with open(path, encoding="utf-8") as games:
        while (game := chess.pgn.read_game(games)) is not None:
            boards = [node.board() for node in game.mainline()]
            boards = [board for board in boards[2:-2] if not board.is_check()]
            positions += [board.fen() for board in rng.sample(boards, min(8, len(boards)))]
    rng.shuffle(positions)
    return positions[:wanted]


def label(args):
    spec = match.Spec.parse(f"reference={args.reference}", match.Limit("nodes", args.nodes))
    positions = sample(args.pgn, args.positions, args.seed)
    found = search_all(spec, [(fen, f"nodes {args.nodes}", "") for fen in positions], args)
    labels = [(fen, score, move) for fen, (score, move, _) in zip(positions, found)
              if score is not None and abs(score) <= LARGEST_LABEL]
    with open(args.out, "w", encoding="utf-8") as out:
        json.dump({"reference": args.reference, "nodes": args.nodes, "labels": labels}, out)
    print(f"{len(labels)} of {len(positions)} positions labelled")


def chance(score, scale):
    return 1 / (1 + math.exp(-max(-30, min(30, score / scale))))


def rms(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


def z(first, second):
    """The mean of the differences in units of its standard error."""
    differences = [b - a for a, b in zip(first, second)]
    mean = sum(differences) / len(differences)
    variance = sum((d - mean) ** 2 for d in differences) / len(differences) ** 2
    return mean / math.sqrt(variance) if variance else 0.0


def compare(args):
    with open(args.labels, encoding="utf-8") as text:
        data = json.load(text)
    labels = data["labels"][:args.positions]
    chances = [chance(score, REFERENCE_SCALE) for _, score, _ in labels]
    kind, _, amount = args.limit.partition("=")
    limit = match.Limit.parse(kind, amount)
    reference = match.Spec.parse(f"reference={data['reference']}", limit)
    known, base = {}, None
    for text in args.engine:
        spec = match.Spec.parse(text, limit)
        found = search_all(spec, [(fen, f"{kind} {amount}", "") for fen, *_ in labels], args)
        scale = min(range(40, 300, 4), key=lambda k: rms(
            [chance(found[i][0], k) - c for i, c in enumerate(chances)]))
        errors = [chance(score, scale) - c for (score, _, _), c in zip(found, chances)]
        same = [move == best for (_, move, _), (_, _, best) in zip(found, labels)]
        line = (f"{spec.name:16} {args.limit}  rmse {rms(errors):.4f}  agree "
                f"{sum(same) / len(same):.3f}  depth {sum(d or 0 for *_, d in found) / len(found):.1f}"
                f"  scale {scale}")
        squares = [error * error for error in errors]
        regrets = None
        if args.regret:
            regrets = regret(args, reference, labels, found, known)
            line += f"  regret {sum(regrets) / len(regrets):.4f}"
        if base:
            line += f"  z(error) {z(base[0], squares):+.1f}"
            line += f"  z(regret) {z(base[1], regrets):+.1f}" if regrets else ""
        else:
            base = squares, regrets
        print(line, flush=True)


def regret(args, reference, labels, found, known):
    """Returns the winning chances that each move loses."""
    wanted = {(fen, move) for (fen, _, best), (_, move, _) in zip(labels, found) if move != best}
    jobs = sorted(wanted - known.keys())
    scores = search_all(reference, [(fen, f"nodes {args.regret}", move) for fen, move in jobs], args)
    known.update(zip(jobs, (score for score, *_ in scores)))
    return [0.0 if move == best
            else max(0.0, chance(score, REFERENCE_SCALE) - chance(known[fen, move], REFERENCE_SCALE))
            for (fen, score, best), (_, move, _) in zip(labels, found)]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("label", help="collect positions and label them")
    one.add_argument("--pgn", required=True)
    one.add_argument("--positions", type=int, default=2000)
    one.add_argument("--reference", default="stockfish", help="command[;Option=value...]")
    one.add_argument("--nodes", type=int, default=500_000)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--out", required=True)
    one.set_defaults(run=label)
    two = commands.add_parser("compare", help="compare engines with the labels")
    two.add_argument("--labels", required=True)
    two.add_argument("--limit", required=True, help="nodes=N, depth=N or movetime=MS")
    two.add_argument("-e", "--engine", action="append", required=True, metavar="SPEC")
    two.add_argument("--positions", type=int, help="use the first N only")
    two.add_argument("--regret", type=int, default=0, metavar="NODES",
                     help="have the reference judge the moves with this many nodes each")
    two.set_defaults(run=compare)
    for command in (one, two):
        command.add_argument("--concurrency", type=int, default=2)
        command.add_argument("--hash", type=int, default=64)
    args = parser.parse_args()
    try:
        args.run(args)
    except (OSError, ValueError) as error:
        sys.exit(f"accuracy.py: {error}")


if __name__ == "__main__":
    main()
