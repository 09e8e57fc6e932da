"""Lines of the protocol, and lines that only look like it."""

from __future__ import annotations

import pytest

from crescendo_client import EngineConfused, Info, Option, Perft, Play, Score, Solved, Status
from crescendo_client.answers import PositionText
from crescendo_client.search import Limits, longest


def test_a_search_line() -> None:
    line = (
        "info depth 2 seldepth 5 multipv 1 score mate -3 nodes 340282366920938463463 nps 7 "
        "hashfull 12 time 2500 pv e2e4 a7a8k e1g1"
    )
    assert Info.parse(line) == Info(
        depth=2,
        seldepth=5,
        multipv=1,
        score=Score(mate=-3),
        nodes=340282366920938463463,
        nps=7,
        hashfull=12,
        time=2500,
        pv=("e2e4", "a7a8k", "e1g1"),
    )
    progress = Info.parse("info depth 1 seldepth 9 nodes 5 nps 3 time 7 string 4 of 31 first moves")
    assert progress is not None
    assert (progress.seldepth, progress.string) == (9, "4 of 31 first moves")


@pytest.mark.parametrize(
    ("line", "info"),
    [
        ("info", Info()),
        ("info string", Info(string="")),
        ("info string pv e2e4  depth 3", Info(string="pv e2e4  depth 3")),
        ("info depth", Info()),
        ("info depth many nodes 3", Info(nodes=3)),
        ("info pv e2e4 depth 3", Info(pv=("e2e4",), depth=3)),
        ("info score cp 30 lowerbound nodes 1", Info(score=Score(cp=30), nodes=1)),
        ("info depth " + "9" * 5000, Info()),
        ("information depth 3", None),
        ("bestmove e2e4", None),
        ("", None),
    ],
)
def test_odd_search_lines(line: str, info: Info | None) -> None:
    assert Info.parse(line) == info


def test_scores_for_people() -> None:
    assert [str(Score(cp=cp)) for cp in (123, -5, 0)] == ["+1.23", "-0.05", "+0.00"]


def test_choices() -> None:
    assert Play.parse("bestmove e7e5 g8f6 ponder f1c4", None, ()).ponder == ("f1c4",)
    assert Play.parse("bestmove (none)", None, ()).moves == ()
    for wrong in (
        "bestmove",
        "bestmove ponder e2e4",
        "bestmove e2e9",
        "bestmove e2e4 ponder (none)",
    ):
        with pytest.raises(EngineConfused):
            Play.parse(wrong, None, ())


def test_options() -> None:
    assert Option.parse("option name Clear Hash type button") == Option("Clear Hash", "button")
    assert Option.parse("option name Book type string default") == Option("Book", "string", "")
    line = "option name Style type combo default very solid var very solid var wild"
    assert Option.parse(line) == Option(
        "Style", "combo", "very solid", choices=("very solid", "wild")
    )
    for wrong in ("option", "option name X", "id name type x"):
        assert Option.parse(wrong) is None


def test_what_is_no_answer_is_not_taken_for_one() -> None:
    for wrong in (
        "solved many nodes 1 time 1",
        "unsolved 1",
        f"solved {'9' * 5000} nodes 1 time 1",
    ):
        with pytest.raises(EngineConfused):
            Solved.parse([wrong])
    with pytest.raises(EngineConfused):
        Solved.parse(["solution e2e4 what", "solved 1 nodes 1 time 1"])
    for wrong in ("perft", "perft x", "perft 20 mates 1"):
        with pytest.raises(EngineConfused):
            Perft.parse([wrong])
    with pytest.raises(EngineConfused):
        Status.parse("status turn 1 side red allowance 1 played 0 check no result none")
    with pytest.raises(EngineConfused):
        PositionText.parse("fen 8/8")


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        ({}, 1.0),
        ({"searchmoves": "e2e4"}, 1.0),
        ({"movetime": 500, "depth": 9}, 0.5),
        ({"wtime": 3000, "btime": 1000, "binc": 500}, 3.5),
        ({"wtime": 3000}, None),
        ({"depth": 3}, None),
    ],
)
def test_how_long_a_search_may_take(limits: Limits, seconds: float | None) -> None:
    assert longest(limits) == seconds
