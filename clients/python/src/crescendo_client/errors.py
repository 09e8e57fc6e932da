"""What can go wrong, as exceptions. All of them are an `EngineError`."""

from __future__ import annotations

from collections.abc import Sequence


class EngineError(Exception):
    """Anything that goes wrong between client and engine."""


class EngineStartError(EngineError):
    """The engine was not found, or the system does not start it."""


class EngineRefused(EngineError):
    """The engine says that it was asked for something wrong; the text is what it says.

    The engine can still be used. After a refused position it has none, until it accepts another.
    """


class EngineBusy(EngineError):
    """Another search has not ended: leave it, or wait for its result, first."""


class EngineTimeout(EngineError):
    """An answer has not come in time.

    An engine that does not even answer `stop` or `isready` has been killed (see `Engine.alive`);
    one whose count was stopped can still be used.
    """


class EngineDied(EngineError):
    """The process has ended, or closed its output, without having been asked to."""

    #: The exit code; negative if a signal ended it (POSIX); `None` if it had not ended by itself.
    exit_code: int | None
    #: The last lines that it wrote to its standard error.
    stderr: tuple[str, ...]

    def __init__(self, exit_code: int | None, stderr: Sequence[str]) -> None:
        super().__init__(exit_code, tuple(stderr))
        self.exit_code = exit_code
        self.stderr = tuple(stderr)

    def __str__(self) -> str:
        code = self.exit_code
        how = "closed its output" if code is None else f"ended with exit code {code}"
        said = f"; it said last: {self.stderr[-1]}" if self.stderr else ""
        return f"the engine has {how}{said}"


class EngineClosed(EngineError):
    """The engine was used after it had been closed, or had to be killed."""


class EngineConfused(EngineError):
    """An answer is not what the protocol says."""
