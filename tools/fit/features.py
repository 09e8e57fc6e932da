"""Turns finished games into rows of features: one row for each start of a turn.

    python features.py ENGINE OUT.npz GAMES.jsonl...

GAMES are the files that `crescendo match --jsonl` writes, of variants that share their weights.
ENGINE replays them, so that this script needs no rules of its own; what its `eval` says is kept
beside each row, as the opinion to beat. The random first turns give no rows.

Everything is seen from the side to move ("own") and the side that waits ("waiting").
"""

import json
import subprocess
import sys

import chess
import numpy as np

UNITS = ["pawn", "knight", "bishop", "rook", "queen", "king"]
RIM = chess.BB_RANK_1 | chess.BB_RANK_8 | chess.BB_FILE_A | chess.BB_FILE_H
ADVANCED = 4  # steps from promotion, as in eval.rs


def pawns_within(pawns, color, moves):
    """How many pawns stand at most so many single steps from promotion."""
    steps = [7 - square // 8 if color else square // 8 for square in chess.scan_forward(pawns)]
    return sum(step <= min(moves, 6) for step in steps)


def from_centre(king):
    """Rings between a king and the four squares of the centre."""
    return max([max(abs(2 * (s % 8) - 7), abs(2 * (s // 8) - 7)) // 2 for s in chess.scan_forward(king)], default=0)


def queen_lines(board, king):
    """How many squares a queen would strike from the king's square."""
    struck = 0
    for s in chess.scan_forward(king):
        struck = (
            chess.BB_RANK_ATTACKS[s][chess.BB_RANK_MASKS[s] & board.occupied]
            | chess.BB_FILE_ATTACKS[s][chess.BB_FILE_MASKS[s] & board.occupied]
            | chess.BB_DIAG_ATTACKS[s][chess.BB_DIAG_MASKS[s] & board.occupied]
        )
    return struck.bit_count()


class Side:
    """What one side has on a board."""

    def __init__(self, board, color):
        self.men = board.occupied_co[color]
        kinds = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
        self.counts = [(self.men & kind).bit_count() for kind in kinds]
        self.pawns, self.king = self.men & board.pawns, self.men & board.kings
        self.pieces = self.men & ~board.pawns & ~board.kings
        self.reach, self.total, self.ring = 0, 0, 0
        for square in chess.scan_forward(self.men):
            struck = board.attacks_mask(square)
            self.reach |= struck
            self.total += struck.bit_count()
        for square in chess.scan_forward(self.king):
            self.ring |= chess.BB_KING_ATTACKS[square]
        steps = [square // 8 - 1 if color else 6 - square // 8 for square in chess.scan_forward(self.pawns)]
        self.advance = sum(steps)


def features(placement, color, moves):
    """Name -> value for the side to move, which has so many moves."""
    board = chess.BaseBoard(placement)
    own, waiting = Side(board, color), Side(board, not color)
    found = {f"own {unit}": count for unit, count in zip(UNITS, own.counts)}
    found |= {f"waiting {unit}": count for unit, count in zip(UNITS, waiting.counts)}
    found |= {
        # In use, or formerly.
        "attacked": own.reach & waiting.pieces,
        "reach": own.reach.bit_count() - waiting.reach.bit_count(),
        "own reach": own.reach,
        "flights": waiting.ring & ~waiting.men & ~own.reach,
        "king on the rim": waiting.king & RIM,
        "own advanced": pawns_within(own.pawns, color, ADVANCED),
        "waiting advanced": pawns_within(waiting.pawns, not color, ADVANCED),
        "near promotions": pawns_within(own.pawns, color, min(moves // 2, 6)),
        # Where everything is to be taken.
        "own total": own.total,
        "waiting total": waiting.total,
        "struck": own.reach & waiting.men,
        "spare": max(-8, min(8, moves - waiting.men.bit_count())),
        # Tried.
        "loose": own.reach & waiting.pieces & ~waiting.reach,
        "own attacked": waiting.reach & own.pieces,
        "attacked pawns": own.reach & waiting.pawns,
        "promotions": pawns_within(own.pawns, color, moves),
        "waiting promotions": pawns_within(waiting.pawns, not color, moves + 1),
        "own advance": own.advance,
        "waiting advance": waiting.advance,
        "king pressed": waiting.ring & own.reach,
        "own king pressed": own.ring & waiting.reach,
        "own flights": own.ring & ~own.men & ~waiting.reach,
        "own king on the rim": own.king & RIM,
        "in check": own.king & waiting.reach,
        "king from centre": from_centre(waiting.king),
        "own king from centre": from_centre(own.king),
        "king lines": queen_lines(board, waiting.king),
        "own king lines": queen_lines(board, own.king),
        "king on back rank": waiting.king & (chess.BB_RANK_1 | chess.BB_RANK_8),
        "king among own": waiting.ring & waiting.men,
        "pawns before king": waiting.ring & waiting.pawns,
        "strikers": sum((board.attacks_mask(s) & waiting.ring) != 0 for s in chess.scan_forward(own.men)),
    }
    counted = {"spare", "reach"} | {name for name in found if name.split()[-1] in SMALL}
    return {name: value if name in counted else value.bit_count() for name, value in found.items()}


# Names that end so hold numbers, the others sets of squares.
SMALL = set(UNITS) | {"advanced", "promotions", "total", "advance", "centre", "lines", "strikers"}
NAMES = list(features(chess.STARTING_BOARD_FEN, True, 1))


def replay(engine, games):
    """The starts of turns of each game: (PFEN, white to move, turn, value told by `eval`)."""
    lines, owner = [], []
    for index, game in enumerate(games):
        opening, moves = game["opening"].split(), game["moves"].split()
        setup = "startpos" if opening else f"fen {game['fen']}"
        for end in range(len(moves)):
            played = " ".join(opening + moves[:end])
            lines.append(f"position {setup} variant {game['variant']}" + (f" moves {played}" if played else ""))
            lines += ["fen", "eval"]
            owner.append(index)
    told = subprocess.run([engine], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    starts, owners, fen = [[] for _ in games], iter(owner), ""
    for line in told.stdout.splitlines():
        if line.startswith("fen "):
            fen = line[4:]
        elif line.startswith("eval total: "):
            index = next(owners)
            if " moves " not in fen:
                side, turn = fen.split()[1], int(fen.split()[5])
                starts[index].append((fen, side == "w", turn, int(line.split()[-1])))
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
            if (key := (game["variant"], game["fen"], game["moves"])) in seen:
                continue
            seen.add(key)
            opening = openings.setdefault(game["fen"], len(openings))
            white = {"1-0": 1.0, "0-1": 0.0}.get(game["result"], 0.5)
            for at, (fen, is_white, turn, told) in enumerate(starts):
                moves = moves_to_come(game["variant"], turn)
                result = white if is_white else 1 - white
                wins_now = at == len(starts) - 1 and result == 1
                values = features(fen.split()[0], is_white, moves)
                rows.append([opening, moves, result, wins_now, told] + [values[name] for name in NAMES])
    data = np.array(rows, dtype=np.float32)
    np.savez_compressed(out, head=data[:, :5], features=data[:, 5:], names=NAMES)
    print(f"{len(seen)} games, {len(rows)} starts of turns")


if __name__ == "__main__":
    main()
