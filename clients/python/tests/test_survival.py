"""Engines that die, hang, flood or talk nonsense: a clear exception, and nothing stays behind
(which `conftest.py` asserts after every test)."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Callable

import pytest
from conftest import Stub

from crescendo_client import (
    Engine,
    EngineClosed,
    EngineConfused,
    EngineDied,
    EngineError,
    EngineTimeout,
)

#: Seconds until stubs are given up.
SOON = 1.0


@pytest.mark.parametrize("habit", ["dies at the start", "dies in the handshake"])
def test_death_in_the_handshake(stub: Stub, habit: str) -> None:
    with pytest.raises(EngineDied, match="exit code 3") as caught:
        stub(habit)
    assert caught.value.exit_code == 3
    if habit == "dies at the start":
        assert caught.value.stderr == ("no licence",)


def test_a_mute_engine() -> None:
    with pytest.raises(EngineTimeout, match="readyok"):
        Engine(
            sys.executable, [str(Path(__file__).parent / "stub_engine.py"), "is mute"], timeout=1
        )


def test_a_program_that_is_no_engine(stub: Stub) -> None:
    with pytest.raises(EngineConfused, match="uciok"):
        stub("is no engine")


def test_options_of_several_words(stub: Stub) -> None:
    with stub("is late") as engine:
        style = engine.options["Style"]
        assert (style.default, style.choices) == ("very solid", ("very solid", "wild"))


def test_death_while_it_thinks(stub: Stub) -> None:
    with stub("dies") as engine:
        with pytest.raises(EngineDied) as caught:
            engine.go(movetime=100)
        assert caught.value.exit_code == 3
        assert caught.value.stderr == ("square out of range", "that was all")
        assert "that was all" in str(caught.value)
        assert not engine.alive
        with pytest.raises(EngineClosed, match="exit code 3"):
            engine.go(movetime=100)


def test_half_a_line_is_no_answer(stub: Stub) -> None:
    with stub("dies in a line") as engine, pytest.raises(EngineDied):
        engine.go(movetime=100)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_an_engine_that_is_killed(engine: Engine) -> None:
    with engine.analyse() as search:
        os.kill(engine.pid, signal.SIGKILL)
        with pytest.raises(EngineDied) as caught:
            search.result()
        assert caught.value.exit_code == -signal.SIGKILL
    with pytest.raises(EngineClosed):
        engine.status()


def test_death_while_nobody_looks(stub: Stub) -> None:
    with stub("dies") as engine:
        engine._connection.send("go")  # Without waiting for anything.
        engine._connection.process._child.wait(60)
        assert not engine.alive
        with pytest.raises(EngineDied):
            engine.ask("status")


@pytest.mark.parametrize("use", ["go", "analyse", "ponder"])
def test_hanging(stub: Stub, use: str) -> None:
    with stub("hangs", timeout=SOON) as engine:
        with pytest.raises(EngineTimeout):
            getattr(engine, use)(movetime=10)
        assert not engine.alive


def test_hanging_later(engine: Engine) -> None:
    if sys.platform == "win32":
        pytest.skip("needs signals")
    with engine.analyse() as search:
        engine._connection.timeout = 0.5
        os.kill(engine.pid, signal.SIGSTOP)
        with pytest.raises(EngineTimeout, match="no sign of life"):
            search.result()
    assert not engine.alive


def work(engine: Engine) -> None:
    """Uses an engine in every way, again and again."""
    while True:
        engine.position("e2e4")
        engine.status()
        engine.go(movetime=5)
        engine.solve("all", nodes=1000)
        engine.perft(1)
        with engine.analyse() as search:
            search.next_info()


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("fate", ["SIGKILL", "SIGSTOP"])
def test_death_or_hanging_at_any_moment(fate: str) -> None:
    for moment in range(16):
        with Engine(timeout=60) as engine:
            engine._connection.timeout = 0.5
            number = getattr(signal, fate)
            timer = threading.Timer(moment * 0.004, os.kill, (engine.pid, number))
            timer.start()
            with pytest.raises(EngineDied if fate == "SIGKILL" else EngineTimeout):
                work(engine)
            timer.join()
            assert not engine.alive


def test_it_answers_but_does_not_end(stub: Stub) -> None:
    with stub("never ends", timeout=SOON) as engine:
        with pytest.raises(EngineTimeout, match="after 'stop'"):
            engine.go(depth=3, timeout=0.1)
        assert not engine.alive
    with stub("never ends", timeout=SOON) as engine, engine.analyse() as search:
        assert search.next_info(0.1) is None
        with pytest.raises(EngineTimeout, match="after 'stop'"):
            search.close()


def test_who_is_late_is_stopped(stub: Stub) -> None:
    with stub("waits for a word") as engine:
        assert engine.go(depth=3, timeout=0.1).moves == ("e2e4",)
        assert engine.alive


def test_silence_is_no_death(stub: Stub) -> None:
    with stub("waits for a word", timeout=SOON) as engine, engine.analyse() as search:
        assert search.next_info(2.5 * SOON) is None
        assert engine.alive
    with stub("is late") as engine:
        assert engine.go(movetime=10).moves == ("e2e4",)


@pytest.mark.parametrize("limits", [{"movetime": 10}, {"timeout": 0.1}])
def test_flooding(stub: Stub, limits: dict[str, int]) -> None:
    with stub("floods", timeout=SOON) as engine:
        with pytest.raises(EngineTimeout):
            engine.go(**limits)  # type: ignore[arg-type]
        assert not engine.alive


def test_a_full_standard_error_holds_nobody_up(stub: Stub) -> None:
    with stub("floods the standard error") as engine:
        assert engine.go(movetime=10).moves == ("e2e4",)
        assert engine._connection.process.last_words()[-1] == "nothing to say"
        assert len(engine._connection.process.last_words()) <= 20


def test_a_line_without_end_is_left_out(stub: Stub) -> None:
    with stub("has no newline") as engine:
        assert engine.go(movetime=10).moves == ("e2e4",)


def test_an_output_that_is_closed(stub: Stub) -> None:
    with stub("closes its output") as engine:
        with pytest.raises(EngineDied, match="closed its output") as caught:
            engine.go(movetime=10)
        assert caught.value.exit_code is None


@pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")
def test_a_child_that_keeps_the_pipes_open(stub: Stub) -> None:
    with stub("leaves a child", timeout=5) as engine, pytest.raises(EngineDied) as caught:
        engine.go(movetime=10)
    assert caught.value.exit_code == 3
    assert caught.value.stderr == ("the child has the pipes now",)


@pytest.mark.parametrize("habit", ["talks nonsense", "plays nothing"])
def test_nonsense(stub: Stub, habit: str) -> None:
    with stub(habit) as engine:
        with pytest.raises(EngineConfused, match="in place of moves"):
            engine.go(movetime=10)
        ask: Callable[[], object]
        for ask in (engine.status, engine.fen, engine.legal, engine.solve, lambda: engine.perft(1)):
            with pytest.raises(EngineConfused, match="in place of"):
                ask()
        assert engine.alive


def test_who_does_not_read_is_given_up(stub: Stub) -> None:
    with stub("stops reading", timeout=SOON) as engine:
        with pytest.raises(EngineTimeout):
            # More than any pipe holds.
            engine.position("e2e4 " * 1_000_000)
        assert not engine.alive


def test_who_does_not_quit_is_killed(stub: Stub) -> None:
    engine = stub("is stubborn")
    engine.close()
    assert not engine.alive


def test_another_thread_may_close(stub: Stub) -> None:
    engine = stub("never ends")
    timer = threading.Timer(0.2, engine.close)
    timer.start()
    with pytest.raises(EngineClosed):
        engine.go(depth=1)
    timer.join()


def test_a_forgotten_engine() -> None:
    engine = Engine(timeout=60)
    search = engine.analyse()
    del engine, search
    gc.collect()


def test_a_program_that_ends_without_closing() -> None:
    source = Path(__file__).parents[1] / "src"
    program = (
        "from crescendo_client import Engine\n"
        "engine = Engine(timeout=60)\n"
        "search = engine.analyse()\n"
        "print(engine.pid)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(source)},
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    if sys.platform != "win32":
        with pytest.raises(ProcessLookupError):
            os.kill(int(done.stdout), 0)


def test_many_engines_leave_nothing(stub: Stub) -> None:
    for _ in range(10):
        with Engine(timeout=60) as engine, Engine(timeout=60) as other:
            assert engine.go(depth=1).moves == other.go(depth=1).moves


def test_every_exception_is_an_engine_error() -> None:
    for kind in (EngineClosed, EngineConfused, EngineDied, EngineTimeout):
        assert issubclass(kind, EngineError)
