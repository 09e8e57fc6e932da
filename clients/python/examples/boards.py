"""Draws the board after each series of a game, with python-chess:

    pip install 'crescendo-client[boards]'
    python boards.py [--svg FOLDER] [e2e4 e7e5 g8f6 ...]

The engine knows the rules, so that the boards are right in every variant; python-chess draws.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from crescendo_client import Engine

try:
    import chess
    import chess.svg
except ImportError:
    raise SystemExit("this needs python-chess: pip install 'crescendo-client[boards]'") from None

GAME = "e2e4 e7e5 g8f6 f1c4 d1h5 h5f7"


def main() -> None:
    parser = argparse.ArgumentParser(description="The board after each series of a game.")
    parser.add_argument("moves", nargs="*", default=GAME.split())
    parser.add_argument("--variant", default="scottish")
    parser.add_argument("--svg", type=Path, help="write pictures into this folder")
    options = parser.parse_args()

    with Engine() as engine:
        played: list[str] = []
        for number, series in enumerate(engine.replay(options.moves, variant=options.variant), 1):
            played += series
            engine.position(played, variant=options.variant)
            # The board alone: the other fields may hold what orthodox chess does not know.
            board = chess.BaseBoard(engine.fen().pfen.split()[0])
            print(f"{number}.{' '.join(series)}")
            if options.svg is None:
                print(board.unicode(empty_square="·"), end="\n\n")
                continue
            arrows = [
                (chess.parse_square(move[:2]), chess.parse_square(move[2:4])) for move in series
            ]
            picture = options.svg / f"{number:03}.svg"
            picture.write_text(chess.svg.board(board, arrows=arrows), encoding="utf-8")


if __name__ == "__main__":
    main()
