#!/usr/bin/env python3
"""Make the book of openings for matches: varied, sound, and balanced.

    openings.py --engine target/release/damero --count 5000 --seed 1 --out tests/tools/openings.epd

Each opening is a game of 8 to 16 plies from the starting position.  A move is chosen at random among
those that MultiPV puts within 50 centipawns of the best at 2,000 nodes.  The last position is kept
if it is new, nobody is in check, and the score at 50,000 nodes is within 60 centipawns.  Equal seeds
and engines give equal files, on any number of processes.
"""
import argparse
import multiprocessing as mp
import os
import random

import match
from match import chess

PLIES = range(8, 17)
CHOICE_NODES, CHOICE_LINES, CHOICE_MARGIN = 2_000, 8, 50
FINAL_NODES, FINAL_LIMIT = 50_000, 60


def start(command):
    make.engine = match.Engine(
        match.Spec("engine", command, {}, match.Limit("nodes", CHOICE_NODES)),
        {"Hash": 16, "Threads": 1})


def candidates(engine, board):
    """Returns the moves close to the best, with the best first."""
    engine.send(f"position fen {board.fen()}")
    engine.send(f"go nodes {CHOICE_NODES}")
    lines = {}
    for line in engine.until("bestmove", 60):
        words = line.split()
        if "multipv" in words and "score" in words and "pv" in words:
            if words[words.index("score") + 1] == "cp":
                score = int(words[words.index("score") + 2])
                lines[match.number_after(words, "multipv")] = words[words.index("pv") + 1], score
    if 1 not in lines:
        return []
    best = lines[1][1]
    return [move for _, (move, score) in sorted(lines.items()) if score >= best - CHOICE_MARGIN]


def make(seed):
    """Returns the opening of a seed, or None if it ends unbalanced."""
    engine, rng, board = make.engine, random.Random(seed), chess.Board()
    engine.new_game()
    engine.send(f"setoption name MultiPV value {CHOICE_LINES}")
    for _ in range(rng.choice(PLIES)):
        moves = candidates(engine, board)
        if not moves:
            return None
        board.push_uci(rng.choice(moves))
    if board.is_check() or board.is_game_over():
        return None
    engine.send("setoption name MultiPV value 1")
    engine.new_game()
    answer = engine.go(f"position fen {board.fen()}", f"go nodes {FINAL_NODES}", 60)
    return board.epd() if abs(answer.score or 0) <= FINAL_LIMIT else None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    parser.add_argument("--concurrency", type=int, default=os.cpu_count())
    args = parser.parse_args()
    found = {}
    with mp.Pool(args.concurrency, start, (args.engine,)) as pool:
        seeds = (args.seed * 1_000_000_007 + index for index in range(100 * args.count))
        for epd in pool.imap(make, seeds, chunksize=1):
            if epd:
                found.setdefault(epd)
            if len(found) == args.count:
                break
        pool.terminate()
    beside = args.out + ".new"
    with open(beside, "w", encoding="utf-8") as out:
        out.writelines(f"{epd}\n" for epd in found)
    os.replace(beside, args.out)
    print(f"{len(found)} openings")


if __name__ == "__main__":
    main()
