"""Lets the engine play a game against itself, and prints it series by series.

python game.py [--variant italian] [--movetime 200]
"""

from __future__ import annotations

import argparse

from crescendo_client import Engine


def main() -> None:
    parser = argparse.ArgumentParser(description="A game of the engine against itself.")
    parser.add_argument("--variant", default="scottish")
    parser.add_argument("--movetime", type=int, default=200, help="milliseconds for each series")
    options = parser.parse_args()

    with Engine(options={"UCI_Variant": options.variant}) as engine:
        moves: list[str] = []
        while True:
            engine.position(moves)
            status = engine.status()
            if status.result is not None:
                break
            play = engine.go(movetime=options.movetime)
            score = play.info.score if play.info else None
            print(f"{status.turn}.{' '.join(play.moves)}  ({score})", flush=True)
            moves += play.moves
        print(status.result)


if __name__ == "__main__":
    main()
