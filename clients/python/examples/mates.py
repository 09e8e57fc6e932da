"""Finds every series that mates in this turn.

python mates.py [--variant italian] [--most 100] [FEN]
"""

from __future__ import annotations

import argparse

from crescendo_client import Engine, Outcome

#: White has four moves. Only one series of them mates.
PROBLEM = "7k/2P1pP2/K3P3/8/8/2p5/8/8 w - - 0 4"


def main() -> None:
    parser = argparse.ArgumentParser(description="Every series that mates in this turn.")
    parser.add_argument("fen", nargs="?", default=PROBLEM, help="its last field is the turn")
    parser.add_argument("--variant", default="scottish")
    parser.add_argument("--most", type=int, default=100, help="how many to show")
    parser.add_argument("--movetime", type=int, default=60_000, help="milliseconds to look")
    options = parser.parse_args()

    with Engine() as engine:
        engine.position(fen=options.fen, variant=options.variant)
        print(engine.board())
        solved = engine.solve("all", most=options.most, movetime=options.movetime)

    for series in solved.series:
        print(*series)
    if solved.outcome is Outcome.UNKNOWN:
        print("nothing found in this time")
    elif solved.complete:
        print(f"{solved.count} in all; that is proved")
    else:
        print(f"{solved.count} found, and there may be more")


if __name__ == "__main__":
    main()
