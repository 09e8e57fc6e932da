"""Drives Crescendo, an engine for progressive chess.

    from crescendo_client import Engine

    with Engine() as engine:
        engine.position("e2e4 / e7e5 g8f6")
        print(engine.go(movetime=500).moves)
"""

from .answers import Info, Option, Outcome, Perft, Play, PositionText, Score, Series, Solved, Status
from .engine import Engine, find_engine
from .errors import (
    EngineBusy,
    EngineClosed,
    EngineConfused,
    EngineDied,
    EngineError,
    EngineRefused,
    EngineStartError,
    EngineTimeout,
)
from .search import Limits, Moves, Search

__all__ = [
    "Engine",
    "EngineBusy",
    "EngineClosed",
    "EngineConfused",
    "EngineDied",
    "EngineError",
    "EngineRefused",
    "EngineStartError",
    "EngineTimeout",
    "Info",
    "Limits",
    "Moves",
    "Option",
    "Outcome",
    "Perft",
    "Play",
    "PositionText",
    "Score",
    "Search",
    "Series",
    "Solved",
    "Status",
    "find_engine",
]
