"""From the lines of the protocol to values. `protocol.md` says what the lines look like."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum

from .errors import EngineConfused, EngineRefused

#: Moves of one turn, in long algebraic form.
Series = tuple[str, ...]

_MOVE = re.compile(r"[a-h][1-8][a-h][1-8][qrbnk]?")
# Longer numbers than the protocol has would be nonsense.
_NUMBER = "[0-9]{1,40}"
_STATUS = re.compile(
    f"status turn ({_NUMBER}) side (white|black) allowance ({_NUMBER}) played ({_NUMBER}) "
    "check (yes|no) result ([a-z-]+)"
)
_SOLVED = re.compile(f"(solved|unsolved) ({_NUMBER}) nodes ({_NUMBER}) time ({_NUMBER})")
_DIVIDED = re.compile(f"({_MOVE.pattern}): ({_NUMBER})")
_EVAL = re.compile(f"eval (.+): (-?{_NUMBER})")
_OPTION_WORDS = ("default", "min", "max", "var")


def refusal(line: str) -> EngineRefused | None:
    """The exception for a line that says that something was wrong; `None` for another line."""
    mark = "info string error:"
    return EngineRefused(line[len(mark) :].strip()) if line.startswith(mark) else None


def confused(expected: str, line: str) -> EngineConfused:
    """The exception for a line that should have been `expected`."""
    return EngineConfused(f"in place of {expected} the engine says {line[:200]!r}")


def _moves(words: Sequence[str], line: str) -> Series:
    if not all(_MOVE.fullmatch(word) for word in words):
        raise confused("moves", line)
    return tuple(words)


@dataclass(frozen=True)
class Option:
    """An option that the engine offers."""

    name: str
    #: `check`, `spin`, `combo`, `string` or `button`.
    type: str
    default: str | None = None
    min: int | None = None
    max: int | None = None
    #: The words that a `combo` takes.
    choices: tuple[str, ...] = ()

    @classmethod
    def parse(cls, line: str) -> Option | None:
        """Reads `option name ... type ...`; `None` if it is something else."""
        head, separator, tail = line.partition(" type ")
        if not separator or not head.startswith("option name "):
            return None
        kind, *words = tail.split() or [""]
        values: dict[str, list[str]] = {word: [] for word in _OPTION_WORDS}
        key = ""
        for word in words:
            if word in values:
                key = word
                if word == "var":
                    values["var"].append("")
            elif key == "var":
                values["var"][-1] = f"{values['var'][-1]} {word}".strip()
            elif key:
                values[key].append(word)
        default = " ".join(values["default"]) if "default" in words else None
        low, high = _number(" ".join(values["min"])), _number(" ".join(values["max"]))
        name = head[len("option name ") :]
        return cls(name, kind, default, low, high, tuple(values["var"]))


@dataclass(frozen=True)
class Score:
    """How good a position is for the side to move: one of the two is given."""

    #: In hundredths of a pawn.
    cp: int | None = None
    #: Proved: wins in so many own turns (1: in this one); negative: loses in the opponent's.
    mate: int | None = None

    def __str__(self) -> str:
        return f"mate {self.mate}" if self.mate is not None else f"{(self.cp or 0) / 100:+.2f}"


@dataclass(frozen=True)
class Info:
    """A line that a search tells while it runs. What the line leaves out is `None`."""

    depth: int | None = None
    seldepth: int | None = None
    multipv: int | None = None
    score: Score | None = None
    nodes: int | None = None
    nps: int | None = None
    #: How full the table is, in thousandths.
    hashfull: int | None = None
    #: Milliseconds since the search began.
    time: int | None = None
    #: The best line, flat: the series of this turn, and then on through the turns.
    pv: Series = ()
    #: Words for people.
    string: str | None = None

    @classmethod
    def parse(cls, line: str) -> Info | None:
        """Reads `info ...`; what is not understood is left out. `None` if it is something else."""
        words = line.split()
        if words[:1] != ["info"]:
            return None
        numbers: dict[str, int | None] = {}
        score: Score | None = None
        pv: Series = ()
        string: str | None = None
        at = 1
        while at < len(words):
            word = words[at]
            at += 1
            if word == "string":
                string = line.split(None, at)[at] if at < len(words) else ""
                break
            if word == "pv":
                end = at
                while end < len(words) and _MOVE.fullmatch(words[end]):
                    end += 1
                pv, at = tuple(words[at:end]), end
            elif word in ("cp", "mate") and at < len(words):
                score = Score(**{word: _number(words[at])})
                at += 1
            elif word in _INFO_NUMBERS and at < len(words):
                numbers[word] = _number(words[at])
                at += 1
        return cls(score=score, pv=pv, string=string, **numbers)


_INFO_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "time")


def _number(text: str) -> int | None:
    return int(text) if re.fullmatch(f"-?{_NUMBER}", text) else None


@dataclass(frozen=True)
class Play:
    """What a search has chosen."""

    #: The complete rest of the series; empty if there is no legal move.
    moves: Series
    #: The series that the engine expects in reply, if it tells one.
    ponder: Series = ()
    #: The last line about the best series that came before, if one came.
    info: Info | None = None
    #: What else it remarked, such as the outcome of `mate=1`.
    remarks: tuple[str, ...] = ()

    @property
    def safe(self) -> bool | None:
        """Whether the opponent has no win in his next turn; `None` if that is not known."""
        told = [remark for remark in self.remarks if remark.startswith("safe: ")]
        return {"safe: proved": True, "safe: no": False}.get(told[-1]) if told else None

    @classmethod
    def parse(cls, line: str, info: Info | None, remarks: Sequence[str]) -> Play:
        """Reads `bestmove ...`. Raises `EngineConfused` if it holds anything but moves."""
        _, *words = line.split()
        if words == ["(none)"]:
            return cls((), (), info, tuple(remarks))
        at = words.index("ponder") if "ponder" in words else len(words)
        if at == 0:
            raise confused("moves", line)
        series, ponder = _moves(words[:at], line), _moves(words[at + 1 :], line)
        return cls(series, ponder, info, tuple(remarks))


class Outcome(Enum):
    """What has come out of looking for winning series."""

    #: There is at least one.
    FOUND = "found"
    #: It is proved that there is none.
    NONE = "none"
    #: A limit came before anything was found or proved.
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Solved:
    """The series that win in this turn."""

    #: How many were found; with `complete`, how many there are, or 1 if one was enough.
    count: int
    #: Whether the question is settled.
    complete: bool
    #: The series, where they were asked for.
    series: tuple[Series, ...]
    nodes: int
    #: Milliseconds.
    time: int

    @property
    def outcome(self) -> Outcome:
        """Found, proved that there is none, or unknown."""
        if self.count:
            return Outcome.FOUND
        return Outcome.NONE if self.complete else Outcome.UNKNOWN

    @classmethod
    def parse(cls, lines: Sequence[str]) -> Solved:
        """Reads `solution ...` lines and the last, `solved ...` or `unsolved ...`."""
        last = lines[-1]
        match = _SOLVED.fullmatch(last)
        if match is None:
            raise confused("solved or unsolved", last)
        series = [_moves(line.split()[1:], line) for line in lines if line.startswith("solution ")]
        count, nodes, time = (int(match[group]) for group in (2, 3, 4))
        return cls(count, match[1] == "solved", tuple(series), nodes, time)


@dataclass(frozen=True)
class Perft:
    """Exact counts of sequences of moves; protocol.md says what each is."""

    count: int
    #: Different boundary positions; `None` if not asked for, or too many to hold.
    distinct: int | None
    mates: int
    italian_mates: int
    stalemates: int
    checks: int
    #: Milliseconds.
    time: int
    nps: int
    #: The count of each first move, where it was asked for.
    divided: dict[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, lines: Sequence[str]) -> Perft:
        """Reads `<move>: <count>` lines and the last, `perft ...`."""
        last = lines[-1]
        words = last.split()
        names, numbers = ["count", *words[2::2]], words[1::2]
        values = {name: _number(number) for name, number in zip(names, numbers)}

        def value(name: str) -> int:
            found = values.get(name)
            if found is None:
                raise confused("counts", last)
            return found

        divided = [match for match in map(_DIVIDED.fullmatch, lines) if match]
        return cls(
            count=value("count"),
            distinct=values.get("distinct"),
            mates=value("mates"),
            italian_mates=value("italianmates"),
            stalemates=value("stalemates"),
            checks=value("checks"),
            time=value("time"),
            nps=value("nps"),
            divided={match[1]: int(match[2]) for match in divided},
        )


@dataclass(frozen=True)
class Status:
    """Whose turn it is, and how far it has gone."""

    turn: int
    #: `white` or `black`.
    side: str
    #: How many moves the series has.
    allowance: int
    #: How many of them are made.
    played: int
    in_check: bool
    #: How the game has ended, in the words of the protocol; `None` while it goes on.
    result: str | None

    @property
    def winner(self) -> str | None:
        """`white` or `black`, if one has won."""
        first = (self.result or "").partition("-")[0]
        return first if first in ("white", "black") else None

    @classmethod
    def parse(cls, line: str) -> Status:
        """Reads `status ...`."""
        match = _STATUS.fullmatch(line)
        if match is None:
            raise confused("a status", line)
        turn, allowance, played = (int(match[group]) for group in (1, 3, 4))
        result = None if match[6] == "none" else match[6]
        return cls(turn, match[2], allowance, played, match[5] == "yes", result)


@dataclass(frozen=True)
class PositionText:
    """A position as text."""

    #: The position at the start of the turn.
    pfen: str
    #: The moves made since.
    moves: Series = ()

    @classmethod
    def parse(cls, line: str) -> PositionText:
        """Reads `fen <PFEN> [moves ...]`."""
        pfen, _, moves = line[len("fen ") :].partition(" moves ")
        if len(pfen.split()) != 6:
            raise confused("a position", line)
        return cls(pfen, _moves(moves.split(), line))


def parse_eval(lines: Sequence[str]) -> dict[str, int]:
    """Reads `eval <name>: <value>` lines, the last of which is the total."""
    return {match[1]: int(match[2]) for match in map(_EVAL.fullmatch, lines) if match}
