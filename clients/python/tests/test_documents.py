"""The examples run, and the README files show what really happens."""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


def run(name: str, *arguments: str) -> str:
    """What an example prints."""
    done = subprocess.run(
        [sys.executable, str(PACKAGE / "examples" / name), *arguments],
        env={**os.environ, "PYTHONPATH": str(PACKAGE / "src"), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        encoding="utf-8",
        timeout=300,
        check=True,
    )
    return done.stdout


def test_a_game() -> None:
    lines = run("game.py", "--variant", "italian", "--movetime", "30").splitlines()
    for turn, line in enumerate(lines[:-1], 1):
        assert re.fullmatch(rf"{turn}\.([a-h][1-8]){{2}}.*  \(.+\)", line), line
    assert re.fullmatch(r"(white|black|draw)-[a-z-]+", lines[-1])


def test_the_mates_of_a_problem() -> None:
    assert run("mates.py").splitlines()[-1] == "1 in all; that is proved"
    start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    assert run("mates.py", start).splitlines()[-1] == "0 in all; that is proved"


def test_boards(tmp_path: Path) -> None:
    pytest.importorskip("chess")
    shown = run("boards.py")
    assert shown.startswith("1.e2e4\n♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜\n")
    assert "3.f1c4 d1h5 h5f7\n" in shown
    run("boards.py", "--svg", str(tmp_path), "--variant", "scottish-circe")
    assert len(list(tmp_path.glob("*.svg"))) == 3


@pytest.mark.parametrize("document", [PACKAGE / "README.md", PACKAGE.parents[1] / "README.md"])
def test_the_code_shown_prints_what_is_shown(document: Path) -> None:
    """A comment behind a line that prints is what it prints."""
    blocks = re.findall(
        r"^```python\n(.*?)^```$", document.read_text("utf-8"), re.MULTILINE | re.DOTALL
    )
    assert blocks
    for block in blocks:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            exec(compile(block, str(document), "exec"), {})
        assert output.getvalue().splitlines() == re.findall(r"print\(.*\)  # (.*)", block)
