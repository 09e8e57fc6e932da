"""Talking to an engine in step: every question waits for its answer, but not for ever."""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress

from .answers import refusal
from .errors import EngineClosed, EngineDied, EngineError, EngineRefused, EngineTimeout
from .process import Process

_log = logging.getLogger("crescendo_client")

#: Seconds for an engine that has closed its output to end by itself.
_LAST_BREATH = 1.0
#: Seconds for an engine to end that was told to; a count may go on for one second.
_FAREWELL = 3.0
#: More lines than can wait to be read.
_BACKLOG = 1_000_000


class Connection:
    """Lines to and from an engine, until it is closed, dies or has to be killed."""

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str] | None, timeout: float
    ) -> None:
        self.process = Process(command, env)
        #: Seconds for anything that the engine should do at once.
        self.timeout = timeout
        #: Why the engine cannot be used any more, if so.
        self.fault: str | None = None
        self._pings = 0
        self._pongs = 0

    def send(self, line: str) -> None:
        """Sends a line. Raises `ValueError` if it is more than one."""
        if any(letter in line for letter in "\n\r\0"):
            raise ValueError(f"a command is one line: {line[:200]!r}")
        if self.fault is not None:
            raise EngineClosed(self.fault)
        _log.debug("> %s", line)
        self.process.send(line)

    def receive(self, seconds: float) -> str | None:
        """The next line, or `None` if none has come in this time. Raises `EngineDied`."""
        if self.fault is not None:
            raise EngineClosed(self.fault)
        try:
            line = self.process.receive(seconds)
        except EOFError:
            raise self._end() from None
        if line is not None:
            _log.debug("< %s", line)
            self._pongs += line == "readyok"
        return line

    def _end(self) -> EngineError:
        """Why no more lines come."""
        if self.fault is not None:  # Somebody has closed the engine meanwhile.
            return EngineClosed(self.fault)
        exit_code = self.process.wait(_LAST_BREATH)
        self.process.bury()
        return self.fail(EngineDied(exit_code, self.process.last_words()))

    def fail(self, error: EngineError) -> EngineError:
        """Kills the engine, and gives back the reason, to be raised."""
        exit_code = self.process.exit_code
        if isinstance(error, EngineTimeout) and exit_code is not None:
            # It is silent because it is dead; something that it has started holds its output.
            error = EngineDied(exit_code, self.process.last_words())
        self.fault = f"the engine is gone: {error}"
        self.process.bury()
        return error

    def ping(self) -> None:
        """Asks for a sign of life, which comes even while a job runs."""
        self.send("isready")
        self._pings += 1

    def sync(self, lines: list[str]) -> None:
        """Waits until the engine has done all that it can do at once, and adds what it says
        meanwhile to `lines`."""
        self.ping()
        deadline = time.monotonic() + self.timeout
        while self._pongs < self._pings:
            left = deadline - time.monotonic()
            line = self.receive(left) if left > 0 else None
            if line is None:
                raise self.fail(EngineTimeout(f"no 'readyok' within {self.timeout:g} s"))
            if line != "readyok":
                lines.append(line)

    def ask(self, *commands: str) -> list[str]:
        """Sends commands that start no job, and gives what the engine answers.

        Raises `EngineRefused` with the first thing that it says to be wrong.
        """
        for command in commands:
            self.send(command)
        lines: list[str] = []
        self.sync(lines)
        for error in filter(None, map(refusal, lines)):
            raise error
        return lines

    def close(self) -> None:
        """Tells the engine to quit, and kills it if it does not."""
        if self.fault is None:
            self.fault = "the engine has been closed"
            try:
                self.process.send("quit")
                self.process.wait(min(self.timeout, _FAREWELL))
            finally:
                self.process.bury()


class Job:
    """A job of the engine, from its command to its last line."""

    def __init__(
        self,
        connection: Connection,
        command: str,
        last: tuple[str, ...],
        seconds: float | None = None,
    ) -> None:
        """`last`: how its last line begins. `seconds`: after how long it is stopped."""
        self._connection = connection
        self._command = command
        self._last = last
        self._early: deque[str] = deque()
        self._refused: EngineRefused | None = None
        self._deadline: float | None = None
        self._stopped = False
        self._overdue = 0
        self._lock = threading.Lock()
        #: Seconds spent waiting since the last line, and whether `isready` was sent since.
        self._silent, self._pinged = 0.0, False
        self.finished = False
        self.stop_after(seconds)

    def start(self) -> None:
        """Sends the command. Raises `EngineRefused` if the engine finds anything wrong in it."""
        early: list[str] = []
        try:
            self._connection.send(self._command)
            self._connection.sync(early)
        except BaseException:
            self._early.extend(early)
            with suppress(EngineError):
                self.end()
            raise
        self._early.extend(early)
        for error in filter(None, map(refusal, early)):
            # A wrong `go` is answered all the same, another wrong command starts no job.
            if self._command.startswith("go "):
                self.end()
            self._finish()
            raise error

    def stop_after(self, seconds: float | None) -> None:
        """When the job has to end: so many seconds from now, or never. If it has not ended then
        it is stopped, and after that it has the time that any answer has."""
        self._deadline = None if seconds is None else time.monotonic() + seconds

    def stop(self) -> None:
        """Tells the job to end, which it does with its last line. Any thread may do so."""
        with self._lock:
            if not self.over and not self._stopped:
                self._stopped = True
                self.stop_after(self._connection.timeout)
                self._connection.send("stop")

    def tell(self, line: str) -> None:
        """Sends a line that is meant for this job, if it has not ended."""
        with self._lock:
            if not self.over:
                self._connection.send(line)

    @property
    def over(self) -> bool:
        """Whether nothing more will come: the job has ended, or the engine is gone."""
        return self.finished or self._connection.fault is not None

    def _finish(self) -> None:
        with self._lock:
            self.finished = True

    def line(self, until: float | None = None) -> str | None:
        """The next line, the last one too; `None` if none has come by then (`time.monotonic`).

        Raises `EngineTimeout` if the engine shows no life, or does not stop when it is told to,
        and with the last line `EngineRefused` if the job has failed.
        """
        while True:
            line = self._early.popleft() if self._early else self._wait(until)
            if line is not None and line.startswith(self._last):
                self._finish()
                if self._refused is not None:
                    raise self._refused
                return line
            if line is not None and refusal(line):
                self._refused = refusal(line)
            elif line is not None and line != "readyok":
                return line
            if until is not None and time.monotonic() >= until:
                return None

    def _wait(self, until: float | None) -> str | None:
        """Waits for a line until something else has to be done."""
        patience, start = self._connection.timeout, time.monotonic()
        if self._deadline is not None and start >= self._deadline:
            if self._stopped:
                return self._overdue_line()
            self.stop()
        wakes = [patience - self._silent]
        wakes += [moment - start for moment in (until, self._deadline) if moment is not None]
        line = self._connection.receive(min(wakes))
        if line is not None:
            self._silent, self._pinged = 0.0, False
            return line
        self._silent += time.monotonic() - start
        if self._silent >= patience:
            if self._pinged:
                text = f"no sign of life within {patience:g} s"
                raise self._connection.fail(EngineTimeout(text))
            self._connection.ping()
            self._silent, self._pinged = 0.0, True
        return None

    def _overdue_line(self) -> str:
        """A line after the job should have ended: it may have come in time, and nobody read it."""
        line = self._connection.receive(0.0)
        self._overdue += 1
        if line is None or self._overdue > _BACKLOG:
            text = f"no end within {self._connection.timeout:g} s after 'stop'"
            raise self._connection.fail(EngineTimeout(text))
        return line

    def end(self) -> None:
        """Stops the job and waits for its last line."""
        self.stop()
        while not self.over:
            with suppress(EngineRefused):
                self.line()
