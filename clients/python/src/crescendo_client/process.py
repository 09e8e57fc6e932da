"""The engine as a process: lines go in and come out, and nothing of it stays behind.

Three threads look after the pipes, so that no full pipe can ever hold up the client: one writes,
one reads lines, one keeps the last lines of the standard error. Each owns its pipe and closes it.
"""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import IO, Callable

from .errors import EngineStartError

#: Lines that wait to be read before the engine has to wait.
_WAITING_LINES = 4096
#: The longest line that is kept, in bytes; longer ones are dropped.
_LONGEST_LINE = 1 << 20
#: What is kept of the standard error: so many lines, each of so many characters.
_STDERR_LINES, _STDERR_WIDTH = 20, 500
#: Seconds for a process to be gone after it was killed, and for its threads to notice.
_BURIAL = 5.0


class Mailbox:
    """A queue of lines with an end: who fills it waits while it is full, who empties it waits
    while it is empty, and closing it wakes up both."""

    def __init__(self, size: int) -> None:
        self._lines: deque[str] = deque()
        self._size = size
        self._changed = threading.Condition()
        self._ended = False
        self._closed = False

    def put(self, line: str) -> None:
        """Waits for room and adds a line; drops it if nobody will read any more."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._lines) < self._size or self._closed)
            if not self._closed:
                self._lines.append(line)
                self._changed.notify_all()

    def end(self) -> None:
        """No more lines will come."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def close(self) -> None:
        """Nobody will read any more."""
        with self._changed:
            self._ended = self._closed = True
            self._changed.notify_all()

    def get(self, seconds: float) -> str | None:
        """The next line, or `None` if none has come in this time.

        Raises `EOFError` behind the last line.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._lines or self._ended, max(seconds, 0.0))
            if self._lines:
                self._changed.notify_all()
                return self._lines.popleft()
            if self._ended:
                raise EOFError
            return None


class Process:
    """A running engine."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str] | None) -> None:
        """Starts it. Raises `EngineStartError` if the system does not."""
        try:
            self._child = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=None if env is None else {**os.environ, **env},
                # A session of its own, where there are sessions: it can be killed with all that
                # it has started, and ctrl-C in the terminal is for the client alone.
                start_new_session=os.name == "posix",
                # No window of its own, where there are windows.
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except (OSError, ValueError) as error:
            raise EngineStartError(f"cannot start '{command[0]}': {error}") from error
        self.pid: int = self._child.pid
        self._outbox: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._inbox = Mailbox(_WAITING_LINES)
        self._stderr: deque[str] = deque(maxlen=_STDERR_LINES)
        self._buried = False
        # A fork of this process may forget the engine, but has no right to kill it.
        self._owner = os.getpid()
        self._threads: list[threading.Thread] = []
        try:
            self._watch(self._write, self._child.stdin)
            self._watch(self._read, self._child.stdout)
            self._watch(self._listen, self._child.stderr)
        except BaseException:
            self.bury()
            raise

    def _watch(self, work: Callable[[IO[bytes]], None], pipe: IO[bytes] | None) -> None:
        assert pipe is not None  # All three were asked for.
        name = f"engine {self.pid} {work.__name__.strip('_')}"
        thread = threading.Thread(target=work, args=(pipe,), name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _write(self, pipe: IO[bytes]) -> None:
        # A pipe without a reader fails, in the end also when it is closed; the reader of lines
        # is the one who tells that the engine is gone.
        with suppress(OSError), pipe:
            for data in iter(self._outbox.get, None):
                pipe.write(data)
                pipe.flush()

    def _read(self, pipe: IO[bytes]) -> None:
        try:
            with suppress(OSError), pipe:
                for line in _lines(pipe):
                    self._inbox.put(line)
        finally:
            self._inbox.end()

    def _listen(self, pipe: IO[bytes]) -> None:
        with suppress(OSError), pipe:
            for part in iter(lambda: pipe.readline(_STDERR_WIDTH), b""):
                self._stderr.append(part.decode(errors="replace").rstrip())

    def send(self, line: str) -> None:
        """Sends a line; never waits."""
        self._outbox.put(line.encode() + b"\n")

    def receive(self, seconds: float) -> str | None:
        """The next line, or `None` if none has come in this time; `EOFError` behind the last."""
        return self._inbox.get(seconds)

    @property
    def exit_code(self) -> int | None:
        """How the process has ended, if it has."""
        return self._child.poll()

    def wait(self, seconds: float) -> int | None:
        """Closes the input, and waits so long for the process to end; its exit code if it has."""
        self._outbox.put(None)
        self._inbox.close()
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(seconds)
        return self._child.returncode

    def bury(self) -> None:
        """Kills what still runs, reaps it, and ends the threads. Once is enough."""
        if self._buried or os.getpid() != self._owner:
            return
        self._buried = True
        _kill(self._child)
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(_BURIAL)
        self._inbox.close()
        self._outbox.put(None)
        deadline = time.monotonic() + _BURIAL
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(max(deadline - time.monotonic(), 0.0))

    def last_words(self) -> tuple[str, ...]:
        """The last lines of the standard error; all of them once the process is buried."""
        return tuple(self._stderr)


def _lines(pipe: IO[bytes]) -> Iterator[str]:
    """The lines of a pipe, whatever bytes they are made of. Left out are those that are too long,
    and one that has no end: it may be half of a line."""
    whole = True
    for part in iter(lambda: pipe.readline(_LONGEST_LINE), b""):
        ended = part.endswith(b"\n")
        if whole and ended:
            yield part.decode(errors="replace").rstrip()
        whole = ended


def _kill(child: subprocess.Popen[bytes]) -> None:
    """Kills a process, and what it has started where the system can tell."""
    if sys.platform != "win32":
        # What the engine has started would keep its pipes open.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
