"""Things that a `with` block closes at its end."""

from __future__ import annotations

from contextlib import suppress
from types import TracebackType
from typing import TypeVar

from .errors import EngineError

_Self = TypeVar("_Self", bound="Closing")


class Closing:
    """Something that has to be closed, as the end of a `with` block does."""

    def close(self) -> None:
        """Closes it. Closing it again does nothing."""
        raise NotImplementedError

    def __enter__(self: _Self) -> _Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if kind is None:
            self.close()
        else:
            with suppress(EngineError):  # The first error is the one to tell.
                self.close()
