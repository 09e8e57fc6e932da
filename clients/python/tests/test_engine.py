"""Shaking hands, options, positions, and questions about them."""

from __future__ import annotations

import pickle

import pytest

from crescendo_client import (
    Engine,
    EngineClosed,
    EngineDied,
    EngineRefused,
    EngineStartError,
    find_engine,
)

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


def test_the_handshake_tells_name_and_options(engine: Engine) -> None:
    assert engine.name.startswith("Crescendo ")
    assert engine.author
    assert engine.alive
    hash_size = engine.options["Hash"]
    assert (hash_size.type, hash_size.default, hash_size.min) == ("spin", "128", 1)
    assert (hash_size.max or 0) > 1000
    assert engine.options["Ponder"].type == "check"
    assert engine.options["BestMove"].choices == ("series", "single")
    assert "italian-circe" in engine.options["UCI_Variant"].choices


def test_options_are_set_at_the_start_or_later() -> None:
    with Engine(
        options={"UCI_Variant": "italian", "Ponder": True, "Hash": 16}, timeout=60
    ) as engine:
        assert "variant italian" in engine.board()
        engine.set_option("SeriesLength", 8)
        assert engine.status().allowance == 8


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("Hash", 10**9, "Hash"),
        ("Contempt", 5, "there is no option 'Contempt'"),
        ("UCI_Variant", "bughouse", "there is no variant 'bughouse'"),
    ],
)
def test_a_wrong_option_is_refused(engine: Engine, name: str, value: object, said: str) -> None:
    with pytest.raises(EngineRefused, match=said):
        engine.set_option(name, value)
    assert engine.status().turn == 1


def test_a_wrong_option_at_the_start_leaves_no_engine() -> None:
    with pytest.raises(EngineRefused):
        Engine(options={"Hash": "much"}, timeout=60)


def test_positions_are_set_in_every_way(engine: Engine) -> None:
    engine.position()
    assert engine.fen().pfen == START
    engine.position("e2e4 / e7e5 g8f6 / d2d4")
    assert engine.fen().moves == ("d2d4",)
    engine.position(["e2e4", "e7e5"], variant="italian")
    status = engine.status()
    assert (status.turn, status.side, status.allowance, status.played) == (2, "black", 2, 1)
    assert "variant italian" in engine.board()
    engine.position(fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 40", series=2)
    assert engine.status().turn == 2
    engine.position(iter(["a1a8"]), fen="6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 40", series=2)
    assert engine.status().result == "white-checkmate"
    engine.new_game()
    assert engine.fen().pfen == START


def test_a_wrong_position_is_refused_and_leaves_none(engine: Engine) -> None:
    for wrong in ("e2e5", "e2e4 e7e5 / g8f6", "e2e4 what", "e2e4 moves"):
        with pytest.raises(EngineRefused, match="move|series"):
            engine.position(wrong)
        for question in (engine.status, engine.legal, engine.fen, engine.board, engine.evaluate):
            with pytest.raises(EngineRefused, match="no position"):
                question()
    with pytest.raises(EngineRefused, match="kings"):
        engine.position(fen="4k3/8/8/8/8/8/8/8 w - - 0 1")
    engine.position()
    assert len(engine.legal()) == 20


def test_a_command_is_one_line(engine: Engine) -> None:
    for send in (
        lambda: engine.position("e2e4\nquit"),
        lambda: engine.set_option("Hash\r", 1),
        lambda: engine.ask("status\0"),
    ):
        with pytest.raises(ValueError, match="one line"):
            send()
    with pytest.raises(TypeError):
        engine.position(series=1.5)  # type: ignore[arg-type]
    assert engine.status().turn == 1


def test_status_tells_how_a_game_ended(engine: Engine) -> None:
    assert engine.status().result is None
    assert engine.status().winner is None
    engine.position("f2f3 e7e5 d7d6 g2g4 a2a3 a3a4 d8h4")
    status = engine.status()
    assert (status.result, status.winner) == ("black-checkmate", "black")
    assert status.in_check
    assert engine.legal() == ()
    engine.position(fen="k7/2Q5/8/8/8/8/8/7K b - - 0 4")
    status = engine.status()
    assert (status.result, status.winner) == ("draw-stalemate", None)


def test_evaluation_and_board(engine: Engine) -> None:
    terms = engine.evaluate()
    assert terms.pop("total") == sum(terms.values())
    assert engine.board().startswith("8  r n b q k b n r\n")


@pytest.mark.parametrize(
    ("variant", "moves", "series"),
    [
        ("scottish", "e2e4 e7e5 g8f6 f1c4 d1h5 h5f7", (1, 2, 3)),
        ("scottish", "e2e4 d7d5 g8f6 f1b5 c7c6 c6b5 h7h6 h6h5", (1, 2, 1, 4)),
        ("scottish", "e2e4 e7e5", (1, 1)),
        ("marseillais", "e2e4 e7e5 g8f6 d2d4 d4e5 f6e4", (1, 2, 2, 1)),
        ("scottish", "", ()),
    ],
)
def test_a_replay_tells_the_series(
    engine: Engine, variant: str, moves: str, series: tuple[int, ...]
) -> None:
    replayed = engine.replay(moves, variant=variant)
    assert tuple(map(len, replayed)) == series
    assert [move for part in replayed for move in part] == moves.split()
    after = engine.fen()
    assert engine.replay(" / ".join(map(" ".join, replayed)), variant=variant) == replayed
    assert engine.fen() == after


def test_a_replay_refuses_what_position_refuses(engine: Engine) -> None:
    with pytest.raises(EngineRefused, match="move 2: e7e4"):
        engine.replay("e2e4 e7e4")
    with pytest.raises(EngineRefused, match="'/' after move 2"):
        engine.replay("e2e4 e7e5 / g8f6")


def test_a_closed_engine_says_so() -> None:
    with Engine(timeout=60) as engine:
        pass
    assert not engine.alive
    engine.close()
    for use in (engine.status, engine.go, engine.analyse, engine.solve):
        with pytest.raises(EngineClosed, match="has been closed"):
            use()


def test_an_engine_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: pytest.TempPathFactory
) -> None:
    with pytest.raises(EngineStartError, match="nowhere"):
        Engine("/nowhere/crescendo")
    with pytest.raises(EngineStartError):
        Engine(str(tmp_path))
    with pytest.raises(EngineStartError):
        Engine("bad\0name")
    monkeypatch.delenv("CRESCENDO")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngineStartError, match="CRESCENDO"):
        Engine()


def test_the_environment_names_the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRESCENDO", "/some/where")
    assert find_engine() == "/some/where"


def test_a_timeout_is_a_number_of_seconds() -> None:
    for wrong in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="timeout"):
            Engine(timeout=wrong)


def test_exceptions_survive_a_trip_between_processes() -> None:
    died = pickle.loads(pickle.dumps(EngineDied(3, ["one", "two"])))
    assert (died.exit_code, died.stderr) == (3, ("one", "two"))
    assert str(died) == "the engine has ended with exit code 3; it said last: two"
