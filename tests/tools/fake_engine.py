#!/usr/bin/env python3
"""A UCI engine that misbehaves on demand, to test match.py.

    fake_engine.py MODE [PLY]

It plays the first legal move until game ply PLY (default 6), and then does what MODE says.
"""
import sys
import time

import chess

MODES = ("honest", "illegal", "null", "hang", "die", "pv-mismatch", "illegal-pv", "slow", "strong")


def best(board, mode):
    """Mate, then captures of the most valuable piece, for a mode that wins; or the first move."""
    moves = sorted(board.legal_moves, key=lambda move: move.uci())
    if mode != "strong":
        return moves[0]

    def value(move):
        board.push(move)
        mate = board.is_checkmate()
        board.pop()
        taken = board.piece_type_at(move.to_square) or 0
        return mate, taken, move.promotion or 0

    return max(moves, key=value)


def main():
    mode, start = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 6
    assert mode in MODES, mode
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            print("id name fake\noption name Hash type spin default 1 min 1 max 1024\nuciok")
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            moves = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:moves]))
            for text in words[moves + 1:]:
                board.push_uci(text)
        elif words[0] == "go":
            answer(board, mode if board.ply() >= start or mode == "strong" else "honest")
        elif words[0] == "quit":
            return
        sys.stdout.flush()


def answer(board, mode):
    move = best(board, mode).uci()
    pv = [move]
    if mode == "die":
        sys.exit(3)
    if mode == "hang":
        time.sleep(3600)
    if mode == "slow":
        time.sleep(0.5)
    if mode == "pv-mismatch":
        pv = ["a1a1"]
    if mode == "illegal-pv":
        pv = [move, move]
    score = 500 if mode == "strong" else 0
    print(f"info depth 1 score cp {score} nodes 20 pv {' '.join(pv)}")
    print("bestmove", {"illegal": "e1e5", "null": "0000"}.get(mode, move))


if __name__ == "__main__":
    main()
