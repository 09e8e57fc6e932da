"""An engine that shakes hands as it should, or not even that, and then misbehaves in the way its
argument says."""

import os
import subprocess
import sys
import time
from typing import NoReturn

HABIT = sys.argv[1]


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def hang() -> NoReturn:
    while True:
        time.sleep(60)


def die(*words: str) -> NoReturn:
    for word in words:
        sys.stderr.write(word + "\n")
    sys.stderr.flush()
    os._exit(3)


def misbehave() -> None:
    """Answers `go` in its way."""
    if HABIT == "dies":
        die("square out of range", "that was all")
    if HABIT == "dies in a line":
        sys.stdout.write("bestmove e2")
        sys.stdout.flush()
        die()
    if HABIT == "hangs":
        hang()
    if HABIT == "closes its output":
        os.close(1)
        hang()
    if HABIT == "leaves a child":
        subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        die("the child has the pipes now")
    if HABIT == "floods":
        while True:
            say("info string nothing to say")
    if HABIT == "floods the standard error":
        sys.stderr.write("nothing to say\n" * 500_000)
        say("bestmove e2e4")
    if HABIT == "has no newline":
        for _ in range(40):
            sys.stdout.write("x" * 1_000_000)
        say("bestmove h2h4")
        say("bestmove e2e4")
    if HABIT == "talks nonsense":
        sys.stdout.buffer.write(
            b"\xff\xfe\x00\r\ninfo depth \xc3 score cp nodes\n\ninfo\ninfo pv\n"
        )
        sys.stdout.buffer.flush()
        say("bestmove %% \x1b[2J")
    if HABIT == "plays nothing":
        say("bestmove")
    if HABIT == "is late":
        time.sleep(0.5)
        say("bestmove e2e4")


def main() -> None:
    if HABIT == "dies at the start":
        die("no licence")
    searching = False
    for line in sys.stdin:
        word = line.split()[0]
        if HABIT == "is mute" or (HABIT == "is stubborn" and word == "quit"):
            continue
        if word == "uci":
            if HABIT == "dies in the handshake":
                say("id name stub")
                die()
            if HABIT != "is no engine":
                say("id name stub")
                say("option name Style type combo default very solid var very solid var wild")
                say("uciok")
        elif word == "isready":
            say("readyok")
        elif word == "quit":
            return
        elif word == "stop" and searching and HABIT == "waits for a word":
            searching = False
            say("bestmove e2e4")
        elif word == "position" and HABIT == "stops reading":
            hang()
        elif word == "status":
            say("status turn many")
        elif word == "solve":
            say("solved it")
        elif word == "perft":
            say("perft 20 mates few")
        elif word == "go":
            searching = True
            misbehave()
    if HABIT == "is stubborn":
        hang()


main()
