"""Turns finished games into rows of features: one for each start of a turn.

    python features.py ENGINE OUT.npz GAMES.jsonl...

GAMES are files of `crescendo match --jsonl`, all of one variant or of variants that share weights.
ENGINE replays them, so that this script needs no rules of its own; its `eval` is recorded beside
each row, as the opinion to beat. Features are seen from the side to move ("own") and the side that
waits ("waiting").
"""

import json
import subprocess
import sys

import chess
import numpy as np

UNITS = ["pawn", "knight", "bishop", "rook", "queen", "king"]
PIECES = UNITS[1:5]
SIDES = ["own", "waiting"]
NAMES = [f"{side} {unit}" for side in SIDES for unit in UNITS]
NAMES += [f"struck {unit}" for unit in UNITS[:5]]  # waiting units that own units strike
NAMES += [
    "struck",  # all of them together, and the king
    "near promotions",  # own pawns that promote within half of the moves to come
    "reach",  # squares own units strike, less those waiting units strike
    "total reach",  # the same, squares counted once for each unit that strikes them
]
NAMES += [f"{side} advanced" for side in SIDES]  # pawns within four steps of promotion
NAMES += [f"{side} {unit} reach" for side in SIDES for unit in PIECES]
# Squares beside the king: to which he could step, that the other side strikes, with own men.
NAMES += [f"{side} {kind}" for side in SIDES for kind in ("flights", "besieged", "shelter")]


def pawns_within(pawns, white, steps):
    """How many of these pawns stand at most so many steps from promotion."""
    left = (lambda square: 7 - square // 8) if white else (lambda square: square // 8)
    return sum(left(square) <= steps for square in chess.scan_forward(pawns))


class Strikes:
    """What one side strikes: all squares, and their number by kind of unit, counted once for each
    unit that strikes them; through the king of the other side or not."""

    def __init__(self, board, color, through_king):
        if through_king:
            board = board.copy()
            board.remove_piece_at(board.king(not color))
        self.squares, self.numbers = 0, [0] * 6
        for square in chess.scan_forward(board.occupied_co[color]):
            squares = board.attacks_mask(square)
            self.squares |= squares
            self.numbers[board.piece_type_at(square) - 1] += squares.bit_count()


def surroundings(board, color, struck):
    """Flights, besieged squares and shelter of a king."""
    king = board.king(color)
    ring, own = (chess.BB_KING_ATTACKS[king] if king is not None else 0), board.occupied_co[color]
    return [squares.bit_count() for squares in (ring & ~own & ~struck, ring & struck, ring & own)]


def features(placement, white, moves, royal):
    """The features of a board for the side to move, which has so many moves; lines go through kings
    that are royal."""
    board = chess.BaseBoard(placement)
    kinds = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
    colors = (white, not white)
    men = [board.occupied_co[color] for color in colors]
    own, waiting = (Strikes(board, color, royal) for color in colors)
    pawns = [units & board.pawns for units in men]
    row = [(units & kind).bit_count() for units in men for kind in kinds]
    row += [(own.squares & men[1] & kind).bit_count() for kind in kinds[:5]]
    row += [
        (own.squares & men[1]).bit_count(),
        pawns_within(pawns[0], white, min(moves // 2, 6)),
        own.squares.bit_count() - waiting.squares.bit_count(),
        sum(own.numbers) - sum(waiting.numbers),
        pawns_within(pawns[0], white, 4),
        pawns_within(pawns[1], not white, 4),
    ]
    row += own.numbers[1:5] + waiting.numbers[1:5]
    for color, struck in ((white, waiting.squares), (not white, own.squares)):
        row += surroundings(board, color, struck)
    return row


def replay(engine, games):
    """The starts of turns of each game: (position text, value that `eval` tells)."""
    lines, owners = [], []
    for number, game in enumerate(games):
        moves = game["moves"].split()
        for end in range(len(moves)):
            position = f"position fen {game['fen']} variant {game['variant']}"
            lines += [position + (" moves " + " ".join(moves[:end]) if end else ""), "fen", "eval"]
            owners.append(number)
    told = subprocess.run(
        [engine], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    ).stdout
    starts, owners, fen = [[] for _ in games], iter(owners), ""
    for line in told.splitlines():
        if line.startswith("fen "):
            fen = line.removeprefix("fen ")
        elif line.startswith("eval total: "):
            owner = next(owners)
            if " moves " not in fen:
                starts[owner].append((fen, int(line.split()[-1])))
    return starts


def rows(engine, files):
    """A row for each start of a turn: opening, moves to come, result, whether the turn wins, `eval`,
    and the features. Games that repeat one another count once."""
    seen, openings = set(), {}
    for file in files:
        games = [json.loads(line) for line in open(file)]
        for game, starts in zip(games, replay(engine, games)):
            if game["reason"].startswith("forfeit") or (game["fen"], game["moves"]) in seen:
                continue
            seen.add((game["fen"], game["moves"]))
            opening = openings.setdefault(game["fen"], len(openings))
            white_scores = {"1-0": 1.0, "0-1": 0.0}.get(game["result"], 0.5)
            for at, (fen, value) in enumerate(starts):
                placement, side, *_, turn = fen.split()
                moves = min(int(turn), 2) if game["variant"].startswith("marseillais") else int(turn)
                result = white_scores if side == "w" else 1 - white_scores
                wins = at == len(starts) - 1 and result == 1
                head = [opening, moves, result, wins, value]
                royal = not game["variant"].startswith("takeall")
                yield head + features(placement, side == "w", moves, royal)


def main():
    engine, out, *files = sys.argv[1:]
    data = np.array(list(rows(engine, files)), dtype=np.float32)
    np.savez_compressed(out, head=data[:, :5], features=data[:, 5:], names=NAMES)
    print(f"{len(data)} starts of turns")


if __name__ == "__main__":
    main()
