"""The engine, as a program that uses it sees it."""

from __future__ import annotations

import math
import operator
import os
import shutil
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from .answers import (
    Option,
    Perft,
    Play,
    PositionText,
    Series,
    Solved,
    Status,
    confused,
    parse_eval,
)
from .closing import Closing
from .connection import Connection, Job
from .errors import EngineBusy, EngineStartError, EngineTimeout
from .search import Limits, Moves, Search, go_command, join, longest

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PERFT_STOPPED = "info string perft stopped"


def find_engine() -> str:
    """The engine to start if none is named: the one in the environment variable `CRESCENDO`, or
    else `crescendo` on the path. Raises `EngineStartError` if there is neither."""
    found = os.environ.get("CRESCENDO") or shutil.which("crescendo")
    if not found:
        raise EngineStartError("no engine: name one, set CRESCENDO, or put crescendo on the PATH")
    return found


class Engine(Closing):
    """An engine, running.

    It does one thing at a time, and one thread at a time may use it; only `close`, and
    `Search.stop`, may come from another one.
    """

    #: What the engine says of itself.
    name: str
    author: str
    #: The options that it offers, by name.
    options: dict[str, Option]

    def __init__(
        self,
        path: str | os.PathLike[str] | None = None,
        args: Sequence[str] = (),
        *,
        options: Mapping[str, object] | None = None,
        timeout: float = 10.0,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """Starts an engine and shakes hands.

        `path`: the program; see `find_engine` for what happens without. `options`: set at once.
        `timeout`: seconds for every answer that the engine owes at once; while it thinks, it is
        asked for a sign of life at these intervals. `env`: added to the environment.
        """
        if not (timeout > 0 and math.isfinite(timeout)):
            raise ValueError(f"a timeout is a number of seconds, not {timeout}")
        command = [find_engine() if path is None else os.fspath(path), *args]
        self._connection = Connection(command, env, timeout)
        self._job: Job | None = None
        # Nothing stays behind if the engine is forgotten, or the program ends.
        self._last_resort = weakref.finalize(self, self._connection.process.bury)
        try:
            self._shake_hands()
            for name, value in (options or {}).items():
                self.set_option(name, value)
        except BaseException:
            self._last_resort()
            raise

    def _shake_hands(self) -> None:
        lines = self.ask("uci")
        if "uciok" not in lines:
            raise confused("'uciok'", "\n".join(lines))
        parsed = [option for option in map(Option.parse, lines) if option is not None]
        self.options = {option.name: option for option in parsed}
        self.name, self.author = (
            next((line[len(key) :] for line in lines if line.startswith(key)), "")
            for key in ("id name ", "id author ")
        )

    # The process.

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._connection.process.pid

    @property
    def alive(self) -> bool:
        """Whether the engine can be used: it was not closed, has not died, was not killed."""
        return self._connection.fault is None and self._connection.process.exit_code is None

    def close(self) -> None:
        """Ends the engine, by force if it does not listen. Closing it again does nothing."""
        self._connection.close()
        self._last_resort.detach()

    # Questions and settings.

    def ask(self, *lines: str) -> list[str]:
        """Sends lines that start no job, and gives what the engine answers, line by line.

        Raises `EngineRefused` if it calls anything wrong.
        """
        self._check_free()
        return self._connection.ask(*lines)

    def set_option(self, name: str, value: object) -> None:
        """Sets an option. Raises `EngineRefused` if there is none, or not with this value."""
        text = str(value).lower() if isinstance(value, bool) else str(value)
        self.ask(f"setoption name {name} value {text}")

    def new_game(self) -> None:
        """Forgets earlier searches, and goes back to the normal array."""
        self.ask("ucinewgame")

    def position(
        self,
        moves: Moves = (),
        *,
        fen: str | None = None,
        variant: str | None = None,
        series: int | None = None,
    ) -> None:
        """Sets the current position: the normal array or `fen`, and the moves made since.

        `variant`: in place of that of the option `UCI_Variant`. `series`: the number of the turn
        of the first position, which an ordinary FEN does not know. Raises `EngineRefused` if
        anything is illegal; there is no position then.
        """
        self.ask(_position(moves, fen, variant, series))

    def replay(
        self,
        moves: Moves,
        *,
        fen: str | None = None,
        variant: str | None = None,
        series: int | None = None,
    ) -> tuple[Series, ...]:
        """Sets the position as `position` does, and tells which moves belong to which series;
        the last may be incomplete."""
        flat = join(moves).replace("/", " ").replace("|", " ").split()
        lines: list[str] = []
        for count in range(1, len(flat) + 1):
            lines += [_position(flat[:count], fen, variant, series), "status"]
        answers = self.ask(*lines, _position(moves, fen, variant, series))
        states = [Status.parse(line) for line in answers if line.startswith("status ")]
        if len(states) != len(flat):
            raise confused("as many answers as moves", answers[-1] if answers else "")
        found: list[Series] = []
        begun: list[str] = []
        for move, state in zip(flat, states):
            begun.append(move)
            if state.played == 0:
                found.append(tuple(begun))
                begun = []
        return (*found, tuple(begun)) if begun else tuple(found)

    def status(self) -> Status:
        """Whose turn it is, how far it has gone, and how the game has ended."""
        return Status.parse(self._answer("status"))

    def legal(self) -> tuple[str, ...]:
        """Every legal single move now, in alphabetical order; none if the game is over."""
        return tuple(self._answer("legal").split()[1:])

    def fen(self) -> PositionText:
        """The position as text."""
        return PositionText.parse(self._answer("fen"))

    def board(self) -> str:
        """The position as a picture for people."""
        return "\n".join(self.ask("d"))

    def evaluate(self) -> dict[str, int]:
        """What the evaluation consists of, `total` at the end, in hundredths of a pawn for the
        side to move."""
        return parse_eval(self.ask("eval"))

    def _answer(self, question: str) -> str:
        """The line of answer, which begins as the question does."""
        lines = self.ask(question)
        for line in lines:
            if line.split(" ", 1)[0] == question:
                return line
        raise confused(f"'{question} ...'", "\n".join(lines))

    # Jobs.

    def go(self, *, timeout: float | None = None, **limits: Unpack[Limits]) -> Play:
        """Searches, and waits for the choice. Without limits the engine thinks for a second.

        `timeout`: seconds after which the search is stopped; without it, what the limits say
        and the engine's `timeout` on top, or no end if they do not limit the time.
        """
        with self._search("", timeout, limits) as search:
            return search.result()

    def analyse(self, *, timeout: float | None = None, **limits: Unpack[Limits]) -> Search:
        """Begins a search, for a `with` block, and to be iterated over.

        Without limits it goes on until it is stopped, or until `timeout` seconds have passed. An
        engine that has seen all there is to see then says nothing more: a loop that waits for a
        certain depth needs a `timeout`, or `Search.next_info` with one.
        """
        return self._search("" if limits else "infinite", timeout, limits)

    def ponder(self, **limits: Unpack[Limits]) -> Search:
        """Begins to think on the opponent's time about the current position, which holds the
        expected reply. It goes on until `Search.ponder_hit`, when the limits begin to count, or
        until it is stopped."""
        return self._search("ponder", None, limits)

    def solve(
        self,
        what: Literal["one", "all", "count"] = "one",
        *,
        most: int | None = None,
        movetime: int | None = None,
        nodes: int | None = None,
        timeout: float | None = None,
    ) -> Solved:
        """Looks for the series with which the side to move wins in this very turn.

        `one`: is there any? `all`: each of them, at `most` so many. `count`: their number alone,
        which may be astronomic. The limits are milliseconds and nodes; `timeout`: seconds after
        which it is stopped. `Solved.outcome` says what was found out.
        """
        if what not in ("one", "all", "count"):
            raise ValueError(f"solve looks for one, all or count, not {what!r}")
        words = ["solve"] if what == "one" else ["solve", what]
        for name, value in (("max", most), ("movetime", movetime), ("nodes", nodes)):
            if value is not None:
                words += [name, str(operator.index(value))]
        if timeout is None and movetime is not None:
            timeout = movetime / 1000 + self._connection.timeout
        job = self._begin(" ".join(words), ("solved ", "unsolved "), timeout)
        return Solved.parse(_rest(job))

    def perft(
        self,
        turns: int | None = None,
        *,
        moves: int | None = None,
        divide: bool = False,
        distinct: bool = True,
        timeout: float | None = None,
    ) -> Perft:
        """Counts the sequences of exactly so many whole turns, or so many single moves.

        `divide`: for each first move as well. `distinct`: also the different positions reached,
        which costs memory. `timeout`: seconds after which it is stopped, and `EngineTimeout`
        raised.
        """
        words = ["perft"]
        if moves is not None and turns is None:
            words += ["moves", str(operator.index(moves))]
        elif turns is not None and moves is None:
            words += [str(operator.index(turns))]
        else:
            raise TypeError("perft counts either turns or moves")
        words += ["divide"] * divide + ["nodistinct"] * (not distinct)
        lines = _rest(self._begin(" ".join(words), ("perft ", _PERFT_STOPPED), timeout))
        if lines[-1] == _PERFT_STOPPED:
            raise EngineTimeout("the count was stopped before its end")
        return Perft.parse(lines)

    def _search(self, word: str, timeout: float | None, limits: Limits) -> Search:
        command = go_command(limits, *word.split())
        seconds = longest(limits)
        bound = None if seconds is None else seconds + self._connection.timeout
        if timeout is None and not word:
            timeout = bound
        return Search(self._begin(command, ("bestmove",), timeout), bound)

    def _begin(self, command: str, last: tuple[str, ...], seconds: float | None) -> Job:
        self._check_free()
        self._job = Job(self._connection, command, last, seconds)
        self._job.start()
        return self._job

    def _check_free(self) -> None:
        if self._job is not None and not self._job.over:
            raise EngineBusy("a search runs: leave it, or wait for its result, first")


def _position(moves: Moves, fen: str | None, variant: str | None, series: int | None) -> str:
    words = ["position", "startpos" if fen is None else f"fen {fen}"]
    words += [] if variant is None else ["variant", variant]
    words += [] if series is None else ["series", str(operator.index(series))]
    text = join(moves)
    return " ".join([*words, "moves", text] if text.strip() else words)


def _rest(job: Job) -> list[str]:
    """The lines of a job up to its last one."""
    lines: list[str] = []
    try:
        while not job.finished:
            line = job.line()
            if line is not None:
                lines.append(line)
    finally:
        job.end()
    return lines
