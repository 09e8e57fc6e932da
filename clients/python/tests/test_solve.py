"""Winning series, and exact counts."""

from __future__ import annotations

from typing import Any

import pytest

from crescendo_client import Engine, EngineRefused, EngineTimeout, Outcome

ITALIAN = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 6"


def test_found_none_or_unknown(engine: Engine) -> None:
    engine.position("e2e4 e7e5 g8f6")
    solved = engine.solve()
    assert (solved.outcome, solved.count, solved.complete) == (Outcome.FOUND, 1, True)
    assert sorted(solved.series[0]) == ["d1h5", "f1c4", "h5f7"]
    engine.position()
    solved = engine.solve()
    assert (solved.outcome, solved.count, solved.series) == (Outcome.NONE, 0, ())
    engine.position(series=12, variant="italian")
    solved = engine.solve(nodes=100)
    assert (solved.outcome, solved.complete) == (Outcome.UNKNOWN, False)


def test_all_solutions(engine: Engine) -> None:
    engine.position("e2e4 e7e5 g8f6")
    solved = engine.solve("all")
    assert solved.complete
    assert set(solved.series) == {("f1c4", "d1h5", "h5f7"), ("d1h5", "f1c4", "h5f7")}
    assert solved.count == 2
    some = engine.solve("all", most=1)
    assert (some.count, some.complete, some.outcome) == (1, False, Outcome.FOUND)


def test_counting_solutions(engine: Engine) -> None:
    engine.position(fen=ITALIAN, variant="italian")
    solved = engine.solve("count")
    assert (solved.count, solved.series, solved.complete) == (1111516, (), True)


def test_solving_ends_in_time(engine: Engine) -> None:
    engine.position(series=16, variant="italian")
    assert not engine.solve("count", movetime=50).complete
    assert not engine.solve("count", timeout=0.05).complete
    # Long enough for the engine to tell how far it has come.
    assert not engine.solve("count", movetime=1200).complete


def test_wrong_orders_are_refused(engine: Engine) -> None:
    with pytest.raises(EngineRefused, match="exclude"):
        engine.solve("count", most=3)
    with pytest.raises(EngineRefused, match="max"):
        engine.solve("all", most=0)
    with pytest.raises(ValueError, match="some"):
        engine.solve("some")  # type: ignore[arg-type]
    with pytest.raises(EngineRefused):
        engine.position("e2e5")
    with pytest.raises(EngineRefused, match="no position"):
        engine.solve()
    with pytest.raises(EngineRefused, match="no position"):
        engine.perft(1)
    engine.position()
    assert engine.solve().outcome is Outcome.NONE


def test_counts(engine: Engine) -> None:
    counts = engine.perft(2)
    assert (counts.count, counts.distinct, counts.checks) == (8902, 5362, 12)
    assert (counts.mates, counts.italian_mates, counts.stalemates) == (0, 0, 0)
    counts = engine.perft(moves=2, distinct=False)
    assert (counts.count, counts.distinct) == (400, None)
    counts = engine.perft(2, divide=True)
    assert len(counts.divided) == 20
    assert sum(counts.divided.values()) == counts.count


def test_a_count_can_be_stopped(engine: Engine) -> None:
    with pytest.raises(EngineTimeout, match="stopped"):
        engine.perft(9, timeout=0.1)
    assert engine.perft(1).count == 20


def test_a_count_is_of_turns_or_of_moves(engine: Engine) -> None:
    wrong: Any
    for wrong in ({}, {"turns": 1, "moves": 1}, {"turns": 1.0}, {"moves": "1"}):
        with pytest.raises(TypeError):
            engine.perft(**wrong)
    with pytest.raises(EngineRefused, match="perft"):
        engine.perft(0)
    assert engine.perft(1).count == 20
