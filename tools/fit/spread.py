"""Makes openings that an engine would not choose, so that the units left differ.

    python spread.py ENGINE OUT.txt COUNT GAMES.jsonl...

From starts of turns of finished games the engine lists many ends of the series, and one of those it
does not know to lose is taken at random. Games from them tell what the units are worth: in the games
an engine plays by itself nearly every end has what it likes, and hardly anything can be learnt.
"""

import json
import random
import subprocess
import sys

from features import moves_to_come, replay

NODES, LINES, REFUTED = 20_000, 64, -9_000


class Engine:
    def __init__(self, command):
        self.process = subprocess.Popen(
            [command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.ask(f"setoption name MultiPV value {LINES}")

    def ask(self, command, last=None):
        """Sends a command; the lines up to one that begins with `last`, if it has an answer."""
        self.process.stdin.write(command + "\n")
        lines = []
        while last is not None:
            lines.append(self.process.stdout.readline().rstrip())
            if lines[-1].startswith(last):
                return lines

    def ends(self, start):
        """The ends of the turn in the last list, as moves, without those known to lose or win."""
        self.ask(start)
        lines = self.ask(f"go nodes {NODES}", last="bestmove")
        listed = {}
        for line in lines:
            if " multipv " in line and " pv " in line:
                words = line.split()
                score = words[words.index("score") + 1 :][:2]
                listed[words[words.index("multipv") + 1]] = (score, words[words.index("pv") + 1 :])
        return [pv for (kind, value), pv in listed.values() if kind == "cp" and int(value) > REFUTED]

    def after_turn(self, start, pv):
        """The boundary after the first turn of `pv`; None if the game ends before."""
        join = " " if " moves " in start else " moves "
        for length in range(1, len(pv) + 1):
            self.ask(start + join + " ".join(pv[:length]))
            fen = self.ask("fen", last="fen")[-1]
            if " moves " not in fen:
                status = self.ask("status", last="status")[-1]
                quiet = int(fen.split()[5])  # ten may end the game
                return fen[4:] if status.endswith("result none") and quiet < 10 else None
        return None


def main():
    command, out, count, *files = sys.argv[1:]
    random.seed(1)
    games = [json.loads(line) for file in files for line in open(file)]
    starts = {}
    for game, boundaries in zip(games, replay(command, games)):
        for fen, _, turn, _ in boundaries[:-1]:
            starts.setdefault(moves_to_come(game["variant"], turn), set()).add((fen, game["variant"]))
    engine, found = Engine(command), set()
    pools = {moves: random.sample(sorted(some), len(some)) for moves, some in starts.items()}
    while len(found) < int(count) and any(pools.values()):
        for pool in pools.values():
            if pool:
                fen, variant = pool.pop()
                start = f"position fen {fen} variant {variant}"
                if ends := engine.ends(start):
                    if end := engine.after_turn(start, random.choice(ends)):
                        found.add(end)
    with open(out, "w") as file:
        order = random.sample(sorted(found), len(found))
        file.write("".join(fen + "\n" for fen in order))
    print(f"{len(found)} openings")


if __name__ == "__main__":
    main()
