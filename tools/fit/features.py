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
NAMES = [f"own {unit}" for unit in UNITS] + [f"waiting {unit}" for unit in UNITS] + [
    "attacked",  # waiting pieces, neither pawns nor king, that own units strike
    "struck",  # waiting units that own units strike
    "near promotions",  # own pawns that promote within half of the moves to come
    "reach",  # squares own units strike, less those waiting units strike
    "total reach",  # the same, squares counted once for each unit that strikes them
    "own advanced",  # pawns within four steps of promotion
    "waiting advanced",
]


def pawns_within(pawns, white, steps):
    """How many of these pawns stand at most so many steps from promotion."""
    left = (lambda square: 7 - square // 8) if white else (lambda square: square // 8)
    return sum(left(square) <= steps for square in chess.scan_forward(pawns))


def features(placement, white, moves):
    """The features of a board for the side to move, which has so many moves."""
    board = chess.BaseBoard(placement)
    kinds = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
    colors = (white, not white)
    men = [board.occupied_co[color] for color in colors]
    struck, total = [0, 0], [0, 0]
    for side in (0, 1):
        for square in chess.scan_forward(men[side]):
            squares = board.attacks_mask(square)
            struck[side] |= squares
            total[side] += squares.bit_count()
    pawns = [men[side] & board.pawns for side in (0, 1)]
    pieces = men[1] & ~board.pawns & ~board.kings
    return [(men[side] & kind).bit_count() for side in (0, 1) for kind in kinds] + [
        (struck[0] & pieces).bit_count(),
        (struck[0] & men[1]).bit_count(),
        pawns_within(pawns[0], white, min(moves // 2, 6)),
        struck[0].bit_count() - struck[1].bit_count(),
        total[0] - total[1],
        pawns_within(pawns[0], white, 4),
        pawns_within(pawns[1], not white, 4),
    ]


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
                yield head + features(placement, side == "w", moves)


def main():
    engine, out, *files = sys.argv[1:]
    data = np.array(list(rows(engine, files)), dtype=np.float32)
    np.savez_compressed(out, head=data[:, :5], features=data[:, 5:], names=NAMES)
    print(f"{len(data)} starts of turns")


if __name__ == "__main__":
    main()
