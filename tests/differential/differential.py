#!/usr/bin/env python3
"""Compares the engine with an independent implementation of the rules, a slow one in Python, move by move.

    differential.py ENGINE [--games 1000] [--seed 1]      random games of all variants
    differential.py ENGINE --replay games.jsonl           games on record, as 'crescendo match' writes them

At every move of every game both are asked for all legal moves, and at every turn for the position text and the result. The
other implementation is the module `oracle` in the folder that --oracle or ORACLE in the environment names; where that cannot be
loaded, nothing is compared, and this is said. The exit code is 1 if the two differ, and the first difference of each game is
printed with everything needed to see it again.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from pathlib import Path

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
# Random games that go on for longer are given up: later series are long, and slow for the other side.
LAST_TURN = {"marseillais": 60, "marseillais-classic": 60}
USUAL_LAST_TURN = 16
ADJUDICATED = {"draw-quiet", "draw-dead", "draw-repetition", "draw-fifty"}


class Differ(Exception):
    """The two disagree."""


class Engine:
    """The engine, over its protocol."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *lines):
        """The answers to commands with one line of answer each, or none."""
        self.process.stdin.write("\n".join((*lines, "isready", "")))
        self.process.stdin.flush()
        answers = []
        for line in self.process.stdout:
            if line.strip() == "readyok":
                return answers
            answers.append(line.rstrip("\n"))
        raise Differ(f"the engine has ended after {lines}")

    def state(self, variant, fen, moves):
        """Legal moves, position text and status after moves."""
        position = f"position fen {fen} variant {variant}" + (" moves " + " ".join(moves) if moves else "")
        answers = self.ask(position, "legal", "fen", "status")
        if len(answers) != 3:
            raise Differ(f"{position}: {answers}")
        legal, text, status = answers
        words = status.split()
        return sorted(legal.split()[1:]), text.removeprefix("fen "), dict(zip(words[1::2], words[2::2]))


def bare(board):
    """Whether K v K, K+N v K or K+B v K is left."""
    men = sorted(man.lower() for man in board if man.isalpha())
    return men in (["k", "k"], ["k", "k", "n"], ["b", "k", "k"])


class Judge:
    """Follows a game with the other implementation and compares."""

    def __init__(self, oracle, engine):
        self.oracle, self.engine, self.positions = oracle, engine, 0

    def result(self, state):
        """The result in the words of the protocol."""
        word = self.oracle.result(state)
        winner = "black" if state.side else "white"
        words = {
            None: "none",
            "checkmate": f"{winner}-checkmate",
            "progressive-mate": f"{winner}-progressive-checkmate",
            "win": f"{winner}-takeall",
        }
        return words.get(word, "draw-stalemate")

    def compare(self, state, variant, fen, moves, keys):
        """Compares everything; the legal moves if the game goes on, and the result."""
        legal, text, status = self.engine.state(variant, fen, moves)
        self.positions += 1
        expected = sorted(move.uci() for move in self.oracle.legal_series_moves(state))
        here = f"{variant} | {fen} | {' '.join(moves)}"
        if legal != expected:
            raise Differ(f"{here}: legal {sorted(set(legal) ^ set(expected))} only for one")
        if state.k == 0 and text != state.fen():
            raise Differ(f"{here}: {text} or {state.fen()}")
        for word, value in (("played", state.k), ("turn", state.n)):
            if int(status[word]) != value:
                raise Differ(f"{here}: {word} {status[word]} or {value}")
        told, true = status["result"], self.result(state)
        if told != true and not (true == "none" and told in ADJUDICATED and self.drawn(told, state, keys)):
            raise Differ(f"{here}: {told} or {true}")
        return expected, told

    def drawn(self, told, state, keys):
        """Whether a draw of which the other implementation knows nothing is one."""
        return {
            "draw-quiet": state.q >= 10,
            "draw-fifty": state.q >= 100,
            "draw-dead": bare(state.board.board_fen()),
            "draw-repetition": keys[self.identity(state)] >= 3,
        }[told]

    def random_game(self, variant, dice):
        """Plays random moves until the game is over or too long."""
        state, moves, keys = self.oracle.parse(variant, START), [], Counter()
        # Captures now and then, or always, so that games come to an end.
        thirst = dice.random()
        while state.n <= LAST_TURN.get(variant, USUAL_LAST_TURN):
            if state.k == 0:
                keys[self.identity(state)] += 1
            legal, result = self.compare(state, variant, START, moves, keys)
            if result != "none":
                return result
            taking = [move for move in legal if state.board.piece_at(self.target(move))]
            moves.append(dice.choice(taking if taking and dice.random() < thirst else legal))
            state, _ = self.oracle.play(state, moves[-1])
        return "none"

    @staticmethod
    def target(move):
        """The number of the square where a move ends."""
        return "abcdefgh".index(move[2]) + 8 * (int(move[3]) - 1)

    def identity(self, state):
        """What makes two starts of a turn the same: targets that nobody can take do not count."""
        return state.board_key() + (state.side, self.oracle.capturable_ep(state))

    def recorded_game(self, game):
        """Replays a game; every move has to be legal, and the result the one on record."""
        variant, fen, moves = game["variant"], game.get("fen", START), game["moves"].split()
        state, keys, result = self.oracle.parse(variant, fen), Counter(), "none"
        for played in range(len(moves) + 1):
            if state.k == 0:
                keys[self.identity(state)] += 1
            legal, result = self.compare(state, variant, fen, moves[:played], keys)
            if played < len(moves):
                if moves[played] not in legal:
                    raise Differ(f"{variant} | {fen} | {' '.join(moves[:played])}: {moves[played]} is illegal")
                state, _ = self.oracle.play(state, moves[played])
        reason = game.get("reason", result)
        if reason != result and not (reason in ADJUDICATED or reason == "draw-turn-limit"):
            raise Differ(f"{variant} | {fen} | {game['moves']}: on record {reason}, by the rules {result}")
        return result


def tasks(arguments, oracle, judge):
    """The games to come: a name and what plays it."""
    if arguments.replay:
        for number, line in enumerate(Path(arguments.replay).read_text(encoding="utf-8").splitlines(), 1):
            yield f"line {number}", lambda line=line: judge.recorded_game(json.loads(line))
        return
    names = sorted(oracle.VARIANTS)
    for number in range(arguments.games):
        seed, variant = f"{arguments.seed}.{number}", names[number % len(names)]
        yield f"game {seed}", lambda seed=seed, variant=variant: judge.random_game(variant, random.Random(seed))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("engine")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replay", metavar="FILE")
    default = Path(__file__).resolve().parents[3] / "shared" / "oracle"
    parser.add_argument("--oracle", default=os.environ.get("ORACLE", default))
    arguments = parser.parse_args()
    sys.path.insert(0, str(arguments.oracle))
    try:
        import oracle
    except ImportError as error:
        print(f"skipped: no other implementation in {arguments.oracle} ({error})")
        return 0
    judge, results, differences = Judge(oracle, Engine(arguments.engine)), Counter(), 0
    for name, play in tasks(arguments, oracle, judge):
        try:
            results[play()] += 1
        except Differ as difference:
            differences += 1
            print(f"{name}: {difference}", flush=True)
    print(f"{sum(results.values()) + differences} games, {judge.positions} positions, {differences} differences")
    print(", ".join(f"{result} {count}" for result, count in sorted(results.items())))
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
