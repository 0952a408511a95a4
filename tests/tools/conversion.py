#!/usr/bin/env python3
"""Count how many won endgames an engine wins without tablebases.

    conversion.py --syzygy ../syzygy -e net=target/release/damero \\
        -e "cla=target/release/damero;Evaluation=classical" --nodes 10000

Positions are drawn at random, the same for every engine, and are wins according to the WDL tables
(3 and 4 men).  Rook and pawn against rook, for which 5-men tables are needed, is taken if a search
of the defender sees a win of 6 pawns.  The defender is Stockfish unless --defender names another
engine.  A game is converted if the attacker mates before a draw by the fifty-move rule or by
repetition.

Needs python-chess (`pip install chess`).
"""
import argparse
import os
import random
import shutil
import sys

try:
    import chess
    import chess.engine
    import chess.syzygy
except ImportError:
    sys.exit("conversion.py needs python-chess: pip install chess")

# The attacker's men first.
CLASSES = ("KBN-K", "KBB-K", "KR-K", "KQ-KR", "KQ-KP", "KR-KP", "KP-K", "KPP-K", "KP-KP", "KRP-KR")
LONGEST = 250  # plies


def random_position(rng, white, black):
    """Returns a random legal position with White's and Black's men and White to move."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(range(64), len(white) + len(black))
        for letter, square in zip(white + black.lower(), squares):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
        board.turn = chess.WHITE
        pawns = board.pieces_mask(chess.PAWN, True) | board.pieces_mask(chess.PAWN, False)
        if not pawns & (chess.BB_RANK_1 | chess.BB_RANK_8) and board.is_valid():
            return board


def is_won(board, tables, judge):
    if len(board.piece_map()) <= 4:
        return tables.probe_wdl(board) == 2
    score = judge.analyse(board, chess.engine.Limit(nodes=300_000))["score"].white()
    return score.score(mate_score=100_000) >= 600


def open_engine(command):
    path = os.environ.get("PATH", "") + os.pathsep + "/usr/games"
    program, *options = command.split(";")
    engine = chess.engine.SimpleEngine.popen_uci(shutil.which(program, path=path) or program)
    engine.configure({"Hash": 16})
    for option in options:
        key, _, value = option.partition("=")
        engine.configure({key: value})
    return engine


def converts(attacker, defender, board, nodes):
    """Plays the position out; returns whether White mates."""
    board, game = board.copy(), object()
    while len(board.move_stack) < LONGEST:
        if board.is_game_over() or board.is_repetition(3) or board.halfmove_clock >= 100:
            break
        engine = attacker if board.turn else defender
        board.push(engine.play(board, chess.engine.Limit(nodes=nodes), game=game).move)
    return board.is_checkmate() and not board.turn


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-e", "--engine", action="append", required=True, metavar="NAME=COMMAND",
                        help="engine, followed by ;OPTION=VALUE")
    parser.add_argument("--defender", default="stockfish", metavar="COMMAND")
    parser.add_argument("--syzygy", required=True, metavar="DIR", help="tables of 3 and 4 men")
    parser.add_argument("--each", type=int, default=20, help="positions of a class (%(default)s)")
    parser.add_argument("--nodes", type=int, default=10_000, help="nodes a move (%(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    tables = chess.syzygy.open_tablebase(args.syzygy)
    defender = open_engine(args.defender)
    specs = [text.partition("=")[::2] for text in args.engine]
    engines = {name: open_engine(command) for name, command in specs}
    rng, totals = random.Random(args.seed), dict.fromkeys(engines, 0)
    for name in CLASSES:
        white, black = name.split("-")
        counts = dict.fromkeys(engines, 0)
        for _ in range(args.each):
            board = random_position(rng, white, black)
            while not is_won(board, tables, defender):
                board = random_position(rng, white, black)
            for key, engine in engines.items():
                counts[key] += converts(engine, defender, board, args.nodes)
        for key, count in counts.items():
            totals[key] += count
        print(f"{name:7}", ", ".join(f"{key} {count}" for key, count in counts.items()),
              f"of {args.each}", flush=True)
    print("all    ", ", ".join(f"{key} {count}" for key, count in totals.items()),
          f"of {args.each * len(CLASSES)}")
    for engine in [defender, *engines.values()]:
        engine.quit()


if __name__ == "__main__":
    main()
