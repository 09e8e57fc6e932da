"""Spreads a file of questions for `crescendo batch` over the workers of a Dask cluster.

    python crescendo_cluster.py questions.jsonl answers.jsonl --scheduler tcp://head:8786

The questions are cut into shards. Each shard is piped through `crescendo batch` by some worker; if
that worker is lost, by another. The answers are merged in the order of the questions and checked:
one answer for each question, under its id.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import cloudpickle  # type: ignore[import-untyped]
from distributed import Client, Future, LocalCluster, TimeoutError

RETRIES = 3
"""How often a shard is tried again whose engine has failed."""

AHEAD = 4
"""How many shards for each thread of the cluster are asked for before the first one is merged."""

PATIENCE = 60.0
"""For how many seconds the cluster may be without any worker."""

BLANKS = b" \t\r\n\f"
"""What a line may have that is no question."""


class Unsound(Exception):
    """Questions and answers do not belong together."""


def id_of(line: bytes) -> Any:
    """The id of a question or answer; None if it has none, or none that can be read."""
    try:
        return json.loads(line)["id"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None


def check(question: bytes, answer: bytes) -> None:
    """Raises `Unsound` unless `answer` has the id of `question`.

    A question whose id the engine cannot read is answered by an error without one.
    """
    wanted, given = id_of(question), id_of(answer)
    nameless = given is None and b'"error":' in answer
    if not answer.endswith(b"\n") or (given != wanted and not nameless):
        raise Unsound(f"question {wanted!r} is answered by {answer[:80]!r}")


def questions_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file that are questions: all but the blank ones."""
    for line in file:
        if line.strip(BLANKS):
            yield line.rstrip(b"\r\n") + b"\n"


def check_ids(file: BinaryIO) -> None:
    """Raises `Unsound` if two questions have the same id."""
    known: set[str] = set()
    for question in questions_of(file):
        name = json.dumps(id_of(question))
        if name in known and name != "null":
            raise Unsound(f"two questions have the id {name}")
        known.add(name)


def answer_shard(engine: Sequence[str], questions: list[bytes]) -> list[bytes]:
    """Answers some questions; this is what a worker does."""
    run = subprocess.run([*engine, "batch"], input=b"".join(questions), capture_output=True)
    if run.returncode != 0:
        raise RuntimeError(
            run.stderr.decode(errors="replace").strip() or f"exit code {run.returncode}"
        )
    answers = run.stdout.splitlines(keepends=True)
    if len(answers) != len(questions):
        raise Unsound(f"{len(questions)} questions have {len(answers)} answers")
    for question, answer in zip(questions, answers, strict=True):
        check(question, answer)
    return answers


def take_up(questions: Iterator[bytes], part: BinaryIO) -> int:
    """Passes over the questions answered in `part`; half a line at its end is cut off."""
    count = whole = 0
    for answer in part:
        if not answer.endswith(b"\n"):
            break
        check(next(questions, b"no question"), answer)
        count += 1
        whole += len(answer)
    part.seek(whole)
    part.truncate()
    return count


def result_of(client: Client, future: Future[Any]) -> list[bytes]:
    """Waits for a shard as long as there are workers, or might soon be."""
    while True:
        try:
            answers: list[bytes] = future.result(timeout=PATIENCE)
            return answers
        except TimeoutError:
            if not client.nthreads():
                raise RuntimeError("the cluster has no workers any more") from None


def run(
    client: Client,
    source: Path,
    target: Path,
    engine: Sequence[str] = ("crescendo",),
    shard: int = 1000,
    on_merged: Callable[[int], None] = lambda count: None,
) -> int:
    """Answers the questions in `source` by lines in `target`; returns how many there are.

    Until all is done the answers are in `target` + ".part", behind which a later run goes on.
    `on_merged` is told the number of answers whenever a shard has been merged.

    Raises `FileExistsError` if `target` is there, `Unsound` if ids or numbers of questions and
    answers do not fit, and whatever a worker raises when `RETRIES` have not helped.
    """
    if target.exists():
        raise FileExistsError(f"{target} is there already")
    part = target.with_name(target.name + ".part")
    part.touch()
    client.wait_for_workers(1, timeout=PATIENCE)
    ahead = AHEAD * sum(client.nthreads().values())
    with source.open("rb") as file:
        check_ids(file)
        file.seek(0)
        questions = questions_of(file)
        with part.open("r+b") as merged:
            count = take_up(questions, merged)
            shards = iter(lambda: list(islice(questions, shard)), [])
            pending: deque[Future[Any]] = deque()
            while True:
                for lines in islice(shards, ahead - len(pending)):
                    task = client.submit(answer_shard, engine, lines, retries=RETRIES, pure=False)
                    pending.append(task)
                if not pending:
                    break
                answers = result_of(client, pending.popleft())
                merged.writelines(answers)
                merged.flush()
                count += len(answers)
                on_merged(count)
    part.replace(target)
    return count


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("questions", type=Path)
    parser.add_argument(
        "answers", type=Path, help="made when all is answered; goes on behind ANSWERS.part"
    )
    parser.add_argument(
        "--scheduler", help="address of the cluster; without it there is one on this machine"
    )
    parser.add_argument("--workers", type=int, default=2, help="processes on this machine (2)")
    parser.add_argument(
        "--engine", default="crescendo", help="the program, where the workers find it"
    )
    parser.add_argument("--shard", type=int, default=1000, help="questions for one task (1000)")
    options = parser.parse_args(arguments)
    if options.shard < 1 or options.workers < 1:
        parser.error("--shard and --workers are at least 1")
    # Workers elsewhere need not have this file.
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    try:
        local: Any = nullcontext(options.scheduler)
        if options.scheduler is None:
            local = LocalCluster(options.workers, threads_per_worker=1, dashboard_address=":0")
        with local as cluster, Client(cluster) as client:
            count = run(client, options.questions, options.answers, [options.engine], options.shard)
    except KeyboardInterrupt:
        print("crescendo_cluster: interrupted; the same command goes on", file=sys.stderr)
        return 2
    except Exception as error:
        print(f"crescendo_cluster: {error}", file=sys.stderr)
        return 2
    print(f"{count} questions, {count} answers")
    return 0


if __name__ == "__main__":
    sys.exit(main())
