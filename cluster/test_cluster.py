"""A run on a cluster equals a run on one machine, whatever happens to the workers."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import crescendo_cluster
import pytest
from crescendo_cluster import Unsound, answer_shard, main, run
from distributed import Client, LocalCluster

ROOT = Path(__file__).resolve().parent.parent
ENGINE = os.environ.get("CRESCENDO") or next(
    (
        str(path)
        for build in ("release", "debug")
        if (path := ROOT / "target" / build / "crescendo").exists()
    ),
    "crescendo",
)


def question(number: int) -> str:
    """Every kind of question in turn, some of them wrong."""
    fen = "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
    kinds: list[dict[str, object]] = [
        {"op": "search", "series": 5, "limits": {"nodes": 2000}},
        {"op": "solve", "fen": fen, "limits": {"all": True}},
        {"op": "perft", "variant": "italian", "limits": {"depth": 2}},
        {"op": "status", "moves": ["e2e5"]},
        {"op": "search", "moves": "e2e4 e7e5", "limits": {"nodes": 1000}},
    ]
    if number % 7 == 6:
        return "no question at all"
    return json.dumps({"id": number, **kinds[number % 5]})


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(question(number) + "\n\n" for number in range(90)))
    return path


@pytest.fixture
def alone(questions: Path) -> bytes:
    """The answers of a single machine."""
    return subprocess.run([ENGINE, "batch", questions], capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with (
        LocalCluster(2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):
        yield client


def test_a_worker_may_be_killed(client: Client, questions: Path, alone: bytes) -> None:
    killed: list[int] = []

    def kill_one(count: int) -> None:
        """Kills a worker in the middle of the work."""
        if count >= 20 and not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    target = questions.with_name("answers.jsonl")
    assert run(client, questions, target, [ENGINE], shard=4, on_merged=kill_one) == 90
    assert target.read_bytes() == alone
    assert len(killed) == 1
    client.wait_for_workers(2, timeout=60)
    assert killed[0] not in client.run(os.getpid).values()


def test_a_run_that_was_broken_off_goes_on(client: Client, questions: Path, alone: bytes) -> None:
    target = questions.with_name("answers.jsonl")

    def give_up(count: int) -> None:
        if count >= 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(client, questions, target, [ENGINE], shard=10, on_merged=give_up)
    part = target.with_name("answers.jsonl.part")
    assert not target.exists() and part.read_bytes() == b"".join(alone.splitlines(True)[:30])
    part.write_bytes(part.read_bytes() + b'{"id":30,"op":"se')
    counts: list[int] = []
    run(client, questions, target, [ENGINE], shard=10, on_merged=counts.append)
    assert counts == [40, 50, 60, 70, 80, 90]
    assert target.read_bytes() == alone and not part.exists()


def test_answers_of_other_questions_are_not_taken_up(client: Client, questions: Path) -> None:
    target = questions.with_name("answers.jsonl")
    part = target.with_name("answers.jsonl.part")
    part.write_bytes(b'{"id":"other","op":"status"}\n')
    with pytest.raises(Unsound, match=r"question 0 is answered by .*other"):
        run(client, questions, target, [ENGINE])
    assert part.read_bytes() == b'{"id":"other","op":"status"}\n'


def test_ids_are_asked_once(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text('{"id":"a","op":"status"}\n{"op":"status"}\n{"op":"status"}\n{"id":"a"}\n')
    with pytest.raises(Unsound, match='two questions have the id "a"'):
        run(client, path, tmp_path / "answers.jsonl", [ENGINE])


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("head -n 1", "2 questions have 1 answers"),
        ("cat; echo '{}'", "2 questions have 3 answers"),
        ("head -n 1; echo '{\"id\":1}'", "question 2 is answered by"),
        ("cat; printf '{\"id\":2}' | tail -c 3 >&2; exit 3", "2}"),
    ],
)
def test_an_engine_that_errs_is_found_out(tmp_path: Path, script: str, reason: str) -> None:
    engine = tmp_path / "engine"
    engine.write_text(f"#!/bin/sh\n{script}\n")
    engine.chmod(0o755)
    with pytest.raises((Unsound, RuntimeError), match=reason):
        answer_shard([str(engine)], [b'{"id":1}\n', b'{"id":2}\n'])


def test_the_command_line(
    questions: Path,
    alone: bytes,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    target = questions.with_name("answers.jsonl")
    arguments = [str(questions), str(target), "--workers", "1", "--shard", "50"]
    assert main([*arguments, "--engine", ENGINE]) == 0
    assert capsys.readouterr().out == "90 questions, 90 answers\n"
    assert target.read_bytes() == alone
    assert main([*arguments, "--engine", ENGINE]) == 2
    assert "answers.jsonl is there already" in capsys.readouterr().err
    monkeypatch.setattr(crescendo_cluster, "RETRIES", 0)
    target.unlink()
    assert main([*arguments, "--engine", "no-such-engine"]) == 2
    assert "no-such-engine" in capsys.readouterr().err
