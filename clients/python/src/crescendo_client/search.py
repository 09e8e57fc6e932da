"""A search under way: what it tells, how it is ended, what it chooses."""

from __future__ import annotations

import operator
import time
from collections import deque
from collections.abc import Iterable, Iterator
from typing import SupportsIndex, TypedDict, Union, cast

from .answers import Info, Play
from .closing import Closing
from .connection import Job
from .errors import EngineError

#: Moves in long algebraic form, flat: a text, or one by one. `/` may stand between series.
Moves = Union[str, Iterable[str]]

#: Remarks that are kept.
_REMARKS = 100


def join(moves: Moves) -> str:
    """Moves as one text."""
    return moves if isinstance(moves, str) else " ".join(moves)


class Limits(TypedDict, total=False):
    """What ends a search; times are in milliseconds."""

    depth: int
    movetime: int
    nodes: int
    #: The clocks; an increment is for a whole series.
    wtime: int
    btime: int
    winc: int
    binc: int
    movestogo: int
    #: Find a win in so many own turns, 1 being this one.
    mate: int
    #: The series has to begin with one of these moves.
    searchmoves: Moves


def go_command(limits: Limits, *words: str) -> str:
    """The `go` with these limits. Raises `TypeError` for what is no limit or no whole number."""
    unknown = sorted(limits.keys() - Limits.__annotations__.keys())
    if unknown:
        raise TypeError(f"there is no limit '{unknown[0]}'")
    parts = ["go", *words]
    for name, value in limits.items():
        if name != "searchmoves":
            parts += [name, str(operator.index(cast(SupportsIndex, value)))]
    if "searchmoves" in limits:
        parts += ["searchmoves", join(limits["searchmoves"])]
    return " ".join(parts)


def longest(limits: Limits) -> float | None:
    """Within how many seconds the engine has to end by itself, where the limits say so."""
    if "movetime" in limits:
        return limits["movetime"] / 1000
    if "wtime" in limits and "btime" in limits:
        clock = max(limits["wtime"], limits["btime"])
        return (clock + max(limits.get("winc", 0), limits.get("binc", 0))) / 1000
    ends = {"depth", "nodes", "mate", "wtime", "btime"}
    return None if ends & limits.keys() else 1.0


class Search(Closing):
    """A search under way. Iterating gives its `Info`s until it ends; leaving the `with` block
    stops it, and the engine is free again."""

    def __init__(self, job: Job, seconds_after_hit: float | None = None) -> None:
        self._job = job
        self._seconds_after_hit = seconds_after_hit
        self._best: Info | None = None
        self._remarks: deque[str] = deque(maxlen=_REMARKS)
        self._play: Play | None = None

    @property
    def finished(self) -> bool:
        """Whether the search has ended, or the engine is gone."""
        return self._job.over

    def next_info(self, seconds: float | None = None) -> Info | None:
        """The next line of the search; `None` if it has ended, or none has come in this time."""
        until = None if seconds is None else time.monotonic() + seconds
        while not self._job.finished:
            line = self._job.line(until)
            if line is None:
                return None
            if self._job.finished:
                self._play = Play.parse(line, self._best, tuple(self._remarks))
                return None
            info = Info.parse(line)
            if info is None:
                continue
            if info.score is not None or info.depth is not None:
                if info.pv and info.multipv in (None, 1):
                    self._best = info
                return info
            if info.string is not None:
                self._remarks.append(info.string)
        return None

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        info = self.next_info()
        if info is None:
            raise StopIteration
        return info

    def stop(self) -> None:
        """Tells the engine to end the search, and returns at once. Any thread may do so."""
        self._job.stop()

    def ponder_hit(self) -> None:
        """The position pondered on has come about: the clocks run from now on."""
        if self._seconds_after_hit is not None:
            self._job.stop_after(self._seconds_after_hit)
        self._job.tell("ponderhit")

    def result(self) -> Play:
        """Waits for the end, and tells what was chosen. An open search has to be stopped first,
        or this waits as long as it thinks."""
        for _ in self:
            pass
        if self._play is None:
            raise EngineError("the search was left without a result")
        return self._play

    def close(self) -> None:
        """Stops the search, if it has not ended, and waits for its end."""
        self.stop()
        while not self.finished:
            self.next_info()
