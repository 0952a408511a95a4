#!/usr/bin/env python3
"""Show whether an engine's score walks away during a long search.

    drift.py -e new=target/release/damero -e old=../damero-old --nodes 60000000 --threads 1 \\
        --reference stockfish --seconds 8

Ten quiet opening and middle-game positions are searched, each in a fresh process.  For every
engine: the score at depth 18, the last score and depth, and the largest distance of any score from
depth 18 on from the one at depth 18; beside it the score of a reference engine.  Scores are in
centipawns for the side to move.
"""
import argparse
import os
import shutil
import subprocess
import sys

POSITIONS = {
    "French, 2.a3": "startpos moves e2e4 e7e6 a2a3 d7d5 e4d5",
    "Caro-Kann exchange": "startpos moves e2e4 c7c6 d2d4 d7d5 e4d5 c6d5 f1d3 b8c6 c2c3",
    "Najdorf": "startpos moves e2e4 c7c5 g1f3 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 a7a6",
    "QGD": "startpos moves d2d4 d7d5 c2c4 e7e6 b1c3 g8f6 c1g5 f8e7 e2e3 e8g8",
    "Ruy Lopez": "startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7",
    "Slav": "startpos moves d2d4 d7d5 c2c4 c7c6 g1f3 g8f6 b1c3 d5c4 a2a4 c8f5",
    "English": "startpos moves c2c4 e7e5 b1c3 g8f6 g1f3 b8c6 g2g3 d7d5 c4d5 f6d5",
    "Petroff": "startpos moves e2e4 e7e5 g1f3 g8f6 f3e5 d7d6 e5f3 f6e4 d2d4 d6d5",
    "Nimzo-Indian": "fen r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8",
    "Italian": "fen r1bq1rk1/bpp2ppp/p1np1n2/4p3/4P3/1BPP1N1P/PP3PP1/RNBQR1K1 w - - 1 10",
}


def scores(command, position, go, options):
    """Returns the exact scores of one search by depth."""
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
    program, *own = command.split(";")
    lines = ["uci", *(f"setoption name {key} value {value}" for key, value in options),
             *("setoption name {} value {}".format(*option.split("=", 1)) for option in own),
             "isready", f"position {position}", f"go {go}"]
    process = subprocess.Popen([shutil.which(program, path=path) or program], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process.stdin.write("\n".join(lines) + "\n")
    process.stdin.flush()
    found = {}
    for line in process.stdout:
        words = line.split()
        if words[:1] == ["bestmove"]:
            break
        if "cp" in words and "pv" in words and not {"lowerbound", "upperbound"} & set(words):
            depth = int(words[words.index("depth") + 1])
            found[depth] = int(words[words.index("cp") + 1])
    process.stdin.write("quit\n")
    process.stdin.close()
    process.wait()
    return found


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-e", "--engine", action="append", required=True, metavar="NAME=COMMAND",
                        help="engine, followed by ;OPTION=VALUE")
    parser.add_argument("--nodes", type=int, default=60_000_000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--hash", type=int, default=256)
    parser.add_argument("--reference", metavar="COMMAND")
    parser.add_argument("--seconds", type=float, default=8.0, help="of the reference (%(default)s)")
    args = parser.parse_args()
    options = [("Hash", args.hash), ("Threads", args.threads)]
    engines = [text.partition("=")[::2] for text in args.engine]
    worst = dict.fromkeys((name for name, _ in engines), 0)
    distance = dict.fromkeys(worst, 0)
    for title, position in POSITIONS.items():
        cells, reference = [], None
        if args.reference:
            found = scores(args.reference, position, f"movetime {int(args.seconds * 1000)}", options)
            reference = found[max(found)]
            cells.append(f"reference {reference:+4d}")
        for name, command in engines:
            found = scores(command, position, f"nodes {args.nodes}", options)
            first, last = found.get(18, 0), found[max(found)]
            walk = max((abs(score - first) for depth, score in found.items() if depth >= 18), default=0)
            worst[name] = max(worst[name], walk)
            distance[name] += abs(last - (reference or 0))
            cells.append(f"{name}: d18 {first:+4d}, d{max(found)} {last:+4d}, walk {walk:3d}")
        print(f"{title:20}", " | ".join(cells), flush=True)
    for name in worst:
        mean = f", mean distance from the reference {distance[name] / len(POSITIONS):.1f}"
        print(f"{name}: largest walk {worst[name]}{mean if args.reference else ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
