"""Makes syzygy.txt: `python3 syzygy.py FOLDER > syzygy.txt`, with python-chess 1.11.2 and a folder
that holds the Syzygy tables with three and four men."""
import random, sys
import chess, chess.syzygy

rng = random.Random(20261116)
tables = chess.syzygy.open_tablebase(sys.argv[1])
names = sorted(tables.wdl)
HEAD = """\
# 2,000 random positions with three and four men, made by syzygy.py: FEN; result; distance; best moves.
# The result is -2 for a loss to 2 for a win, the distance in plies to the next capture or pawn move
# (negative for a loss), both as python-chess reads them from the Syzygy tables. The best moves are,
# in a won position, those with the least distance, in a drawn one those that draw; in a lost one all
# are equal, and none is listed.
"""
ZEROING = {2: 1, 1: 101, 0: 0, -1: -101, -2: -1}

def random_board(name):
    board = chess.Board(None)
    colors = [chess.WHITE, chess.BLACK] if rng.random() < 0.5 else [chess.BLACK, chess.WHITE]
    for side, color in zip(name.split("v"), colors):
        for letter in side:
            piece = chess.Piece(chess.Piece.from_symbol(letter).piece_type, color)
            square = rng.choice([s for s in chess.SQUARES if not board.piece_at(s)])
            board.set_piece_at(square, piece)
    board.turn = rng.random() < 0.5
    board.halfmove_clock = rng.choice([0, 0, 0, rng.randrange(1, 100)])
    return board if board.is_valid() else None

def random_en_passant():
    board = chess.Board(None)
    board.turn = rng.random() < 0.5
    rank, step = (4, 8) if board.turn else (3, -8)
    pawn = chess.square(rng.randrange(8), rank)
    taken = pawn + rng.choice([-1, 1])
    if not 0 <= taken < 64 or chess.square_distance(pawn, taken) != 1:
        return None
    board.set_piece_at(pawn, chess.Piece(chess.PAWN, board.turn))
    board.set_piece_at(taken, chess.Piece(chess.PAWN, not board.turn))
    for color in chess.COLORS:
        square = rng.choice([s for s in chess.SQUARES if not board.piece_at(s)])
        board.set_piece_at(square, chess.Piece(chess.KING, color))
    # The position before the double push must be legal too.
    before = board.copy()
    before.turn = not board.turn
    before.set_piece_at(taken + 2 * step, before.remove_piece_at(taken))
    board.ep_square = taken + step
    valid = before.is_valid() and board.is_valid() and board.has_legal_en_passant()
    return board if valid else None

def plies(board, move):
    """Plies to the next capture or pawn move, from before this one."""
    zeroing = board.is_zeroing(move)
    board.push(move)
    if board.is_checkmate():
        value = 1
    elif zeroing:
        value = ZEROING[-tables.probe_wdl(board)]
    else:
        value = -tables.probe_dtz(board)
        value += (value > 0) - (value < 0)
    board.pop()
    return value

def best_moves(board, wdl):
    moves = {move: plies(board, move) for move in board.legal_moves}
    if wdl < 0 or not moves:
        return []
    if wdl == 0:
        return [move for move, value in moves.items() if value == 0]
    least = min(value for value in moves.values() if value > 0)
    return [move for move, value in moves.items() if value == least]

print(HEAD, end="")
seen = set()
while len(seen) < 2000:
    board = random_en_passant() if len(seen) % 16 == 0 else random_board(rng.choice(names))
    if board is None or board.fen() in seen:
        continue
    seen.add(board.fen())
    wdl, dtz = tables.probe_wdl(board), tables.probe_dtz(board)
    moves = sorted(move.uci() for move in best_moves(board, wdl))
    print(f"{board.fen()};{wdl};{dtz};{' '.join(moves)}")
