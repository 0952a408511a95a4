# Makes blunders.pgn: games of Stockfish against itself into which blunders are planted. Run as
#   python3 blunders.py > blunders.pgn        (python-chess and Stockfish are needed)
# Made with python-chess 1.11.2 and Stockfish 15.1. The tag PlantedPlies lists the planted moves as
# plies, counted from 1. With Stockfish at depth 18, each of them loses more than 300 centipawns and
# more than 0.4 of Lichess's winning chances (on the scale from -1 to 1), and no other move of the
# game loses more than 0.06 of them.
import math
import random
import sys

import chess
import chess.engine
import chess.pgn

GAMES, SEED = 6, 2026
PLAY = chess.engine.Limit(nodes=150_000)
CHECK = chess.engine.Limit(depth=18)


def chances(cp):
    cp = max(-1000, min(1000, cp))
    return 2 / (1 + math.exp(-0.00368208 * cp)) - 1


def score(engine, board, limit=CHECK):
    """Centipawns for the side to move."""
    if board.is_checkmate():
        return -1000
    if board.is_game_over(claim_draw=True):
        return 0
    info = engine.analyse(board, limit)
    return max(-1000, min(1000, info["score"].relative.score(mate_score=100_000)))


def opening_move(engine, board, rng):
    """One of the good moves, so that no two games are alike."""
    lines = engine.analyse(board, PLAY, multipv=4)
    best = lines[0]["score"].relative.score(mate_score=100_000)
    good = [line["pv"][0] for line in lines
            if line["score"].relative.score(mate_score=100_000) > best - 25]
    return rng.choice(good)


def blunder(engine, board, rng):
    """A move that loses much, or None."""
    before = score(engine, board)
    moves = list(board.legal_moves)
    rng.shuffle(moves)
    for move in moves:
        board.push(move)
        after = -score(engine, board, chess.engine.Limit(depth=10))
        if not board.is_checkmate() and before - after > 300 and after > -900:
            after = -score(engine, board)
            if before - after > 320 and chances(before) - chances(after) > 0.42:
                board.pop()
                return move
        board.pop()
    return None


def play(engine, rng):
    board, planted = chess.Board(), []
    first = rng.randrange(16, 30)
    wanted = [first, first + 2 * rng.randrange(5, 8) + 1][:rng.choice([1, 1, 2])]
    while len(board.move_stack) < wanted[-1] + 10:
        if board.is_game_over(claim_draw=True):
            return None
        ply = len(board.move_stack)
        if ply in wanted:
            move = blunder(engine, board, rng)
            if move is None:
                return None
            planted.append(ply + 1)
        elif ply < 10:
            move = opening_move(engine, board, rng)
        else:
            move = engine.play(board, PLAY).move
        board.push(move)
    return board, planted


def is_clean(engine, board, planted):
    """Are the planted moves the only bad ones?"""
    replay = chess.Board()
    before = score(engine, replay)
    for ply, move in enumerate(board.move_stack, 1):
        replay.push(move)
        after = -score(engine, replay)
        lost = chances(before) - chances(after)
        if ply in planted and (lost < 0.4 or before - after < 300):
            return False
        if ply not in planted and lost > 0.06:
            return False
        before = -after
    return True


def main():
    rng = random.Random(SEED)
    with chess.engine.SimpleEngine.popen_uci("stockfish") as engine:
        engine.configure({"Threads": 1, "Hash": 64})
        made = 0
        while made < GAMES:
            found = play(engine, rng)
            if found is None or not is_clean(engine, *found):
                print("again", file=sys.stderr)
                continue
            board, planted = found
            made += 1
            game = chess.pgn.Game.from_board(board)
            last = score(engine, board) * (1 if board.turn else -1)
            result = "1-0" if last > 200 else "0-1" if last < -200 else "1/2-1/2"
            game.headers["Event"] = "Planted blunders"
            game.headers["Site"] = "?"
            game.headers["Date"] = "2026.11.16"
            game.headers["Round"] = str(made)
            game.headers["White"] = game.headers["Black"] = "Stockfish 15.1"
            game.headers["Result"] = result
            game.headers["PlantedPlies"] = " ".join(map(str, planted))
            print(game, end="\n\n", flush=True)


main()
