"""Playing, analysing, pondering."""

from __future__ import annotations

import signal
import sys
import threading
import time
from typing import Callable

import pytest

from crescendo_client import Engine, EngineBusy, EngineRefused

FORCED = "7k/8/8/8/8/8/5r2/7K w - - 0 1"


def test_a_whole_series_in_every_variant(engine: Engine) -> None:
    for variant in engine.options["UCI_Variant"].choices:
        moves: list[str] = []
        for _ in range(4):
            engine.position(moves, variant=variant)
            before = engine.status()
            play = engine.go(movetime=40)
            assert play.info is not None
            assert play.info.score is not None
            moves += play.moves
            engine.position(moves, variant=variant)
            after = engine.status()
            assert play.moves
            assert (after.side != before.side and after.played == 0) or after.result, variant


def test_the_choice_comes_with_score_and_line(engine: Engine) -> None:
    engine.position("e2e4 e7e5 g8f6")
    play = engine.go(movetime=100)
    assert play.moves == ("f1c4", "d1h5", "h5f7")
    assert play.info is not None
    assert play.info.pv == play.moves
    assert play.info.score is not None
    assert (play.info.score.mate, str(play.info.score)) == (1, "mate 1")
    assert play.ponder == ()


@pytest.mark.parametrize(
    "limits",
    [
        {"depth": 1},
        {"nodes": 500},
        {"wtime": 300, "btime": 300, "winc": 10, "binc": 10, "movestogo": 3},
        {"wtime": 300},
        {"mate": 2, "movetime": 50},
        {"movetime": 50, "searchmoves": "a2a3"},
        {"movetime": 50, "searchmoves": ["a2a3", "a2a4"]},
        {},
    ],
)
def test_every_limit_ends_a_search(engine: Engine, limits: dict[str, int]) -> None:
    play = engine.go(**limits)  # type: ignore[arg-type]
    assert len(play.moves) == 1
    if "searchmoves" in limits:
        assert play.moves[0] in ("a2a3", "a2a4")


def test_a_mate_that_is_not_there_is_told(engine: Engine) -> None:
    play = engine.go(mate=1)
    assert play.remarks[0] == "mate 1: proved that there is none"
    assert play.safe is True
    assert len(play.moves) == 1


def test_no_legal_move_is_no_move(engine: Engine) -> None:
    engine.position("f2f3 e7e5 d7d6 g2g4 a2a3 a3a4 d8h4")
    assert engine.go(movetime=50).moves == ()
    with engine.analyse() as search:
        assert search.next_info(0.05) is None
        search.stop()
        assert search.result().moves == ()


def test_single_moves_for_those_who_ask(engine: Engine) -> None:
    engine.set_option("BestMove", "single")
    engine.position("e2e4")
    assert len(engine.go(depth=1).moves) == 1


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"depth": -3}, "depth: '-3'"),
        ({"depth": 1, "searchmoves": "e2e5"}, "e2e5 is illegal"),
        ({"movetime": 10**12}, "movetime"),
        ({"searchmoves": ""}, "searchmoves needs moves"),
    ],
)
def test_a_wrong_limit_is_refused(engine: Engine, limits: dict[str, int], said: str) -> None:
    for search in (engine.go, engine.analyse, engine.ponder):
        with pytest.raises(EngineRefused, match=said):
            search(**limits)  # type: ignore[arg-type]
    assert engine.go(depth=1).moves


def test_what_is_no_limit_is_not_sent(engine: Engine) -> None:
    with pytest.raises(TypeError, match="'speed'"):
        engine.go(speed=3)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        engine.go(movetime=0.5)  # type: ignore[arg-type]
    assert engine.go(depth=1).moves


def test_a_refused_position_cannot_be_searched(engine: Engine) -> None:
    with pytest.raises(EngineRefused):
        engine.position("e2e5")
    with pytest.raises(EngineRefused, match="no position"):
        engine.go(movetime=50)


def test_analysis_is_iterated_until_it_is_left(engine: Engine) -> None:
    with engine.analyse() as search:
        infos = []
        for info in search:
            infos.append(info)
            if len(infos) == 2:
                break
        assert not search.finished
    assert search.finished
    depths = [info.depth or 0 for info in infos]
    assert depths == sorted(depths)
    for info in infos:
        assert info.pv
        assert None not in (info.seldepth, info.nodes, info.nps, info.hashfull, info.time)
    assert len(search.result().moves) == 1
    assert engine.status().turn == 1


def test_analysis_ends_by_its_limit(engine: Engine) -> None:
    with engine.analyse(depth=2) as search:
        infos = list(search)
    assert infos[-1].depth == 2
    assert search.result().info == infos[-1]
    assert list(search) == []


def test_several_lines(engine: Engine) -> None:
    engine.set_option("MultiPV", 3)
    with engine.analyse(depth=1) as search:
        infos = list(search)
    assert {info.multipv for info in infos} == {1, 2, 3}
    best = search.result().info
    assert best is not None
    assert best.multipv == 1


def test_an_open_analysis_may_end_by_its_timeout(engine: Engine) -> None:
    engine.position(fen=FORCED)
    with engine.analyse(timeout=0.1) as search:
        for _ in search:
            pass
    assert search.result().moves == ("h1g1",)


def test_analysis_can_be_polled(engine: Engine) -> None:
    engine.position(fen=FORCED)
    with engine.analyse() as search:
        while search.next_info(0.1) is not None:
            pass
        assert not search.finished
        search.stop()
        search.stop()
        assert search.result().moves == ("h1g1",)


def test_analysis_can_be_stopped_by_another_thread(engine: Engine) -> None:
    with engine.analyse() as search:
        timer = threading.Timer(0.1, search.stop)
        timer.start()
        assert search.result().moves
        timer.join()
    search.stop()
    assert engine.status().turn == 1


def test_who_reads_slowly_loses_nothing() -> None:
    with Engine(timeout=1.5) as engine:
        with engine.analyse(movetime=50) as search:
            assert search.next_info() is not None
            time.sleep(2.0)
            assert search.result().moves
        with engine.analyse() as search:
            search.stop()
            time.sleep(2.0)
            assert search.result().moves
        assert engine.alive


def test_one_thing_at_a_time(engine: Engine) -> None:
    with engine.analyse() as search:
        for other in (engine.go, engine.status, engine.solve, engine.position, engine.analyse):
            with pytest.raises(EngineBusy):
                other()
        search.stop()
        assert search.result().moves
        assert engine.status().turn == 1


def test_an_exception_inside_leaves_the_engine_usable(engine: Engine) -> None:
    with pytest.raises(ZeroDivisionError), engine.analyse():
        _ = 1 / 0
    assert engine.go(depth=1).moves


def test_an_engine_may_be_closed_while_it_searches() -> None:
    engine = Engine(timeout=60)
    search = engine.analyse()
    engine.close()
    with search:
        pass
    assert search.finished


def test_pondering(engine: Engine) -> None:
    play = engine.go(depth=3)
    assert play.ponder
    engine.position([*play.moves, *play.ponder])
    with engine.ponder(wtime=300, btime=300) as search:
        assert search.next_info() is not None
        search.ponder_hit()
        assert search.result().moves
        search.ponder_hit()
    with engine.ponder(depth=1) as search:
        time.sleep(0.1)
        assert search.next_info() is not None
        assert not search.finished
    assert search.result().moves


@pytest.mark.skipif(sys.platform == "win32", reason="needs an alarm")
@pytest.mark.parametrize("job", ["search", "solve", "perft"])
def test_an_interrupt_leaves_the_engine_usable(engine: Engine, job: str) -> None:
    def interrupt(_number: int, _frame: object) -> None:
        raise KeyboardInterrupt

    def search() -> None:
        with engine.analyse() as search:
            search.result()

    long_jobs: dict[str, Callable[[], object]] = {
        "search": search,
        "solve": lambda: engine.solve("count"),
        "perft": lambda: engine.perft(9, distinct=False),
    }
    if job == "solve":
        engine.position(series=16, variant="italian")
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            long_jobs[job]()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert engine.alive
    assert engine.legal()
