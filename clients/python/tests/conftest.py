"""What the tests share: the binary, stub engines, and the proof that nothing stays behind."""

from __future__ import annotations

import gc
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Callable

import pytest

from crescendo_client import Engine

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

#: Opens a stub engine with a habit.
Stub = Callable[..., Engine]


def binary() -> str:
    """The engine to test."""
    named = os.environ.get("CRESCENDO")
    if named:
        return named
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    for profile in ("release", "debug"):
        for name in ("crescendo", "crescendo.exe"):
            path = target / profile / name
            if path.exists():
                return str(path)
    raise pytest.UsageError("no engine: set CRESCENDO, or build it with 'cargo build --release'")


def open_files() -> set[str] | None:
    """The pipes that are open, where the system tells."""
    folder = Path("/proc/self/fd")
    if not folder.exists():
        return None
    links = []
    for entry in folder.iterdir():
        with suppress(OSError):  # One is for reading the folder, and gone.
            links.append(os.readlink(entry))
    return {link for link in links if link.startswith("pipe:")}


@pytest.fixture(autouse=True)
def nothing_stays_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No test leaves a process, dead or alive, a thread, or an open pipe."""
    monkeypatch.setenv("CRESCENDO", binary())
    threads, files = set(threading.enumerate()), open_files()
    yield
    gc.collect()
    assert set(threading.enumerate()) == threads
    assert open_files() == files
    if sys.platform != "win32":
        with pytest.raises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)


@pytest.fixture
def engine() -> Iterator[Engine]:
    """The real engine, with patience for a busy machine."""
    with Engine(timeout=60) as engine:
        yield engine


@pytest.fixture
def stub() -> Stub:
    """Starts a stub engine with the given habit. The timeout counts once it has started."""

    def start(habit: str, timeout: float = 60.0) -> Engine:
        engine = Engine(sys.executable, [str(HERE / "stub_engine.py"), habit], timeout=60)
        engine._connection.timeout = timeout
        return engine

    return start
