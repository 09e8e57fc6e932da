"""Turns finished games into rows of features: one row for each start of a turn.

    python features.py ENGINE OUT.npz GAMES.jsonl...

GAMES are the files that `crescendo match --jsonl` writes, all of one variant or of variants that
share their weights. ENGINE replays them, so that this script needs no rules of its own; its `eval`
is recorded beside each row, as the opinion to beat.

Every feature is seen from the side to move ("own") and the side that waits ("waiting").
"""

import json
import subprocess
import sys

import chess
import numpy as np

UNITS = ["pawn", "knight", "bishop", "rook", "queen", "king"]
NAMES = (
    [f"own {unit}" for unit in UNITS]
    + [f"waiting {unit}" for unit in UNITS]
    + [
        "attacked",  # waiting pieces, without pawns and king, that own units strike
        "loose",  # those of them that nothing defends
        "own attacked",
        "attacked pawns",
        "near promotions",  # own pawns that promote within half of the moves to come
        "promotions",  # own pawns that promote within the moves to come
        "waiting promotions",  # waiting pawns that promote within one more
        "own advance",  # steps all own pawns have made
        "waiting advance",
        "reach",  # squares own units strike, less those waiting units strike
        "own total",  # the same, squares counted once for each unit
        "waiting total",
        "struck",  # waiting units struck, pawns and king too
        "spare",  # moves to come less waiting units, from -8 to 8
        "king pressed",  # squares around the waiting king that own units strike
        "own king pressed",
        "flights",  # squares around the waiting king, empty or of the enemy, that nobody strikes
        "own flights",
        "king on the rim",
        "own king on the rim",
        "in check",
        "own reach",  # squares own units strike
        "own far pawns",  # pawns in the enemy half
        "waiting far pawns",
        "own fourth",  # pawns at least four steps from home... within four steps of promotion
        "waiting fourth",
        "king among own",  # squares around the waiting king taken by its own men
        "own king among own",
        "king lines",  # squares a queen would strike from where the waiting king stands
        "own king lines",
        "king from centre",  # 0 to 3
        "own king from centre",
        "king on back rank",
        "own king on back rank",
        "king walks",  # squares the waiting king could reach in two steps
        "king distance",
        "own strikers",  # own units that strike a square around the waiting king
        "pawns before king",
    ]
)


def pawns_within(pawns, color, moves):
    """How many pawns stand at most so many single steps from promotion."""
    need = (lambda s: 7 - s // 8) if color else (lambda s: s // 8)
    return sum(need(square) <= min(moves, 6) for square in chess.scan_forward(pawns))


def lines(board, king):
    for s in chess.scan_forward(king):
        return (chess.BB_RANK_ATTACKS[s][chess.BB_RANK_MASKS[s] & board.occupied] | chess.BB_FILE_ATTACKS[s][chess.BB_FILE_MASKS[s] & board.occupied] | chess.BB_DIAG_ATTACKS[s][chess.BB_DIAG_MASKS[s] & board.occupied]).bit_count()
    return 0


def far(king):
    for s in chess.scan_forward(king):
        return min(max(abs(2 * (s % 8) - 7), abs(2 * (s // 8) - 7)) // 2, 3)
    return 0


def walks(flights, barred):
    reached = flights
    for s in chess.scan_forward(flights):
        reached |= chess.BB_KING_ATTACKS[s] & ~barred
    return reached.bit_count()


def row(placement, side, moves):
    """The features of a board for the side to move, which has so many moves."""
    board = chess.BaseBoard(placement)
    units = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
    sides = (side, not side)
    men = [board.occupied_co[color] for color in sides]
    count = [[(men[i] & kind).bit_count() for kind in units] for i in (0, 1)]
    reach, total, ring, king = [0, 0], [0, 0], [0, 0], [0, 0]
    for i in (0, 1):
        for square in chess.scan_forward(men[i]):
            struck = board.attacks_mask(square)
            reach[i] |= struck
            total[i] += struck.bit_count()
        king[i] = men[i] & board.kings
        for square in chess.scan_forward(king[i]):
            ring[i] |= chess.BB_KING_ATTACKS[square]
    pieces = [men[i] & ~board.pawns & ~board.kings for i in (0, 1)]
    pawns = [men[i] & board.pawns for i in (0, 1)]
    rim = chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H
    steps = [
        sum((s // 8 - 1) if sides[i] else (6 - s // 8) for s in chess.scan_forward(pawns[i]))
        for i in (0, 1)
    ]
    bits = lambda squares: squares.bit_count()
    return count[0] + count[1] + [
        bits(reach[0] & pieces[1]),
        bits(reach[0] & pieces[1] & ~reach[1]),
        bits(reach[1] & pieces[0]),
        bits(reach[0] & pawns[1]),
        pawns_within(pawns[0], side, min(moves // 2, 6)),
        pawns_within(pawns[0], side, moves),
        pawns_within(pawns[1], not side, moves + 1),
        steps[0],
        steps[1],
        bits(reach[0]) - bits(reach[1]),
        total[0],
        total[1],
        bits(reach[0] & men[1]),
        max(-8, min(8, moves - bits(men[1]))),
        bits(ring[1] & reach[0]),
        bits(ring[0] & reach[1]),
        bits(ring[1] & ~men[1] & ~reach[0]),
        bits(ring[0] & ~men[0] & ~reach[1]),
        bits(king[1] & rim),
        bits(king[0] & rim),
        bits(king[0] & reach[1]),
        bits(reach[0]),
        pawns_within(pawns[0], side, 3),
        pawns_within(pawns[1], not side, 3),
        pawns_within(pawns[0], side, 4),
        pawns_within(pawns[1], not side, 4),
        bits(ring[1] & men[1]),
        bits(ring[0] & men[0]),
        lines(board, king[1]),
        lines(board, king[0]),
        far(king[1]),
        far(king[0]),
        bits(king[1] & (chess.BB_RANK_1 | chess.BB_RANK_8)),
        bits(king[0] & (chess.BB_RANK_1 | chess.BB_RANK_8)),
        walks(ring[1] & ~men[1] & ~reach[0], men[1] | reach[0]),
        chess.square_distance(king[0].bit_length() - 1, king[1].bit_length() - 1) if king[0] and king[1] else 0,
        sum(1 for s in chess.scan_forward(men[0]) if board.attacks_mask(s) & ring[1]),
        bits(ring[1] & pawns[1]),
    ]


def replay(engine, games):
    """The starts of turns of each game: (PFEN, white to move, turn, value told by `eval`)."""
    lines = []
    for game in games:
        opening, moves = game["opening"].split(), game["moves"].split()
        for end in range(len(moves)):
            played = " ".join(opening + moves[:end])
            if opening or game["fen"].endswith(" 1"):
                lines.append(f"position startpos variant {game['variant']} moves {played}")
            else:
                lines.append(
                    f"position fen {game['fen']} variant {game['variant']}"
                    + (f" moves {played}" if played else "")
                )
            lines += ["fen", "eval"]
    told = subprocess.run(
        [engine], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True
    ).stdout
    starts, index = [[] for _ in games], 0
    fen = None
    ends = iter([i for i, game in enumerate(games) for _ in game["moves"].split()])
    for line in told.splitlines():
        if line.startswith("fen "):
            fen = line[4:]
        elif line.startswith("eval total: "):
            index = next(ends)
            if " moves " not in fen:
                _, side, _, _, _, turn = fen.split()
                starts[index].append((fen, side == "w", int(turn), int(line.split()[-1])))
    return starts


def moves_to_come(variant, turn):
    """How many moves the series of this turn has."""
    return min(turn, 2) if variant.startswith("marseillais") else turn


def main():
    engine, out, *files = sys.argv[1:]
    rows, seen, openings = [], set(), {}
    for file in files:
        games = [json.loads(line) for line in open(file)]
        games = [game for game in games if not game["reason"].startswith("forfeit")]
        for game, starts in zip(games, replay(engine, games)):
            if (key := (game["variant"], game["opening"], game["moves"])) in seen:
                continue
            seen.add(key)
            opening = openings.setdefault(game["fen"], len(openings))
            result = {"1-0": 1.0, "0-1": 0.0}.get(game["result"], 0.5)
            for at, (fen, side, turn, told) in enumerate(starts):
                moves = moves_to_come(game["variant"], turn)
                won = at == len(starts) - 1 and result == (1.0 if side else 0.0)
                rows.append(
                    [opening, moves, result if side else 1 - result, won, told]
                    + row(fen.split()[0], side, moves)
                )
    data = np.array(rows, dtype=np.float32)
    np.savez_compressed(out, head=data[:, :5], features=data[:, 5:], names=NAMES)
    print(f"{len(seen)} games, {len(rows)} starts of turns")


if __name__ == "__main__":
    main()
