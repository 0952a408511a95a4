"""Makes san.txt: for each game its number of plies and a checksum of its SAN by python-chess.

    cargo test --release --test notation -- --ignored print_games --nocapture | python3 tests/data/san.py
"""
import pathlib
import sys

import chess


def checksum(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


lines = [f"# plies and FNV-1a of the SAN of each game by python-chess {chess.__version__}; made by san.py"]
for line in sys.stdin:
    if not line.startswith("game "):
        continue
    fen, *moves = line[5:].strip().split(";")
    board = chess.Board(fen, chess960=True)
    sans = []
    for uci in moves:
        move = chess.Move.from_uci(uci)
        sans.append(board.san(move))
        board.push(move)
    lines.append(f"{len(sans)} {checksum(' '.join(sans)):016x}")
pathlib.Path(__file__).with_name("san.txt").write_text("\n".join(lines) + "\n")
