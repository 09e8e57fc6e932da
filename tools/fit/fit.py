"""Fits weights to the rows of `features.py`, and says how well they foretell results.

    python fit.py DATA.npz [--use NAME,NAME...] [--first M] [--last M] [--stiff S] [--ridge R]

The chance of the side to move is modelled as logistic(weights . features), one set of weights for
each number of moves to come, neighbouring sets tied together. Losses are mean cross entropies of
openings left out of the fit (ten parts in turn). Weights are printed in centipawns.
"""

import argparse
import json
from pathlib import Path

import numpy as np

CENTIPAWNS = 500  # that stand for one unit of log-odds
PARTS = 10


def chance(logit):
    return 1 / (1 + np.exp(-logit))


def loss(target, logit):
    """Mean cross entropy."""
    return np.mean(np.logaddexp(0, logit) - target * logit)


class Rows:
    """A logistic regression for each row of a table, neighbouring rows tied together."""

    def __init__(self, rows, stiff, ridge, prior=0):
        self.rows, self.stiff, self.ridge, self.prior = rows, stiff, ridge, prior

    def fit(self, row, features, target):
        """`row` is the row of each sample, from 0. The last feature is the constant."""
        width = features.shape[1]
        scale = features.std(axis=0)
        scale[scale < 1e-6] = 1
        x = features / scale
        size = self.rows * width
        penalty = np.zeros((size, size))
        for at in range(self.rows):
            own = slice(at * width, (at + 1) * width)
            shrink = np.full(width, self.ridge)
            shrink[-1] = 1e-3
            penalty[own, own] += np.diag(shrink)
            if at + 1 < self.rows:
                tie = np.full(width, self.stiff)
                tie[-1] = 0.01 * self.stiff
                after = slice((at + 1) * width, (at + 2) * width)
                penalty[own, own] += np.diag(tie)
                penalty[after, after] += np.diag(tie)
                penalty[own, after] -= np.diag(tie)
                penalty[after, own] -= np.diag(tie)
        # Both penalties are on the distance from the weights known before.
        prior = (self.prior * scale + np.zeros((self.rows, width))).ravel()
        weights = np.zeros(size)
        for _ in range(25):
            table = weights.reshape(self.rows, width)
            p = chance(np.einsum("ij,ij->i", x, table[row]))
            gradient, hessian = penalty @ (weights - prior), penalty.copy()
            for at in range(self.rows):
                own, mine = slice(at * width, (at + 1) * width), row == at
                part = x[mine]
                gradient[own] += part.T @ (p - target)[mine]
                hessian[own, own] += (part * (p * (1 - p))[mine, None]).T @ part
            step = np.linalg.solve(hessian, gradient)
            weights -= step
            if np.abs(step).max() < 1e-6:
                break
        self.table = weights.reshape(self.rows, width) / scale
        return self

    def logit(self, row, features):
        return np.einsum("ij,ij->i", features, self.table[row])


def held_out(model, opening, row, features, target):
    """The log-odds foretold for each sample by fits that have not seen its opening."""
    logit = np.zeros(len(target))
    for part in range(PARTS):
        out = opening % PARTS == part
        fitted = model().fit(row[~out], features[~out], target[~out])
        logit[out] = fitted.logit(row[out], features[out])
    return logit


UNITS = ["pawn", "knight", "bishop", "rook", "queen"]
PLAIN = np.array([1, 3, 3, 5, 9, 0])
MATERIAL = [f"{side} {unit}" for side in ("own", "waiting") for unit in
            ("pawn", "knight", "bishop", "rook", "queen")]


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("data", nargs="+")
    ask.add_argument("--use", default=None, help="features, separated by commas; + adds to the units")
    ask.add_argument("--first", type=int, default=3)
    ask.add_argument("--last", type=int, default=10)
    ask.add_argument("--stiff", type=float, default=30)
    ask.add_argument("--ridge", type=float, default=3)
    ask.add_argument("--free", action="store_true", help="fit from nothing, not from the weights known before")
    ask.add_argument("--won", action="store_true", help="keep rows where the side to move wins at once")
    ask.add_argument("--try", dest="tries", action="store_true", help="the gain by each further feature")
    ask.add_argument("--until", type=int, default=14, help="longer series are left out: endings drag on")
    ask.add_argument("--out")
    ask.add_argument("--quiet", action="store_true")
    ask = ask.parse_args()

    loaded = [np.load(name) for name in ask.data]
    names = list(loaded[0]["names"])
    shift, parts = 0, []
    for one in loaded:
        head = one["head"].astype(float)
        head[:, 0] += shift
        shift = head[:, 0].max() + 1
        parts.append(head)
    head = np.concatenate(parts)
    every = np.concatenate([one["features"] for one in loaded]).astype(float)
    keep = (head[:, 3] == 0) | ask.won
    keep &= head[:, 1] <= ask.until
    head, every = head[keep], every[keep]
    opening, moves, target, told = head[:, 0].astype(int), head[:, 1], head[:, 2], head[:, 4]
    row = np.clip(moves, ask.first, ask.last).astype(int) - ask.first
    rows = ask.last - ask.first + 1

    def columns(chosen):
        return np.column_stack([every[:, names.index(name)] for name in chosen] + [np.ones(len(every))])

    known = json.load(open(Path(__file__).with_name("prior.json")))

    def prior(chosen):
        """The weights from which the fit starts, as log-odds."""
        if ask.free:
            return 0
        table = [known[str(max(2, min(10, ask.first + at)))] for at in range(rows)]
        return np.array([[line.get(name, 0) for name in chosen + ["constant"]] for line in table]) / CENTIPAWNS * blur

    def measure(features, stiff=ask.stiff, ridge=ask.ridge, rows=rows, row=row, prior=0):
        logit = held_out(lambda: Rows(rows, stiff, ridge, prior), opening, row, features, target)
        return loss(target, logit), logit

    one = np.zeros(len(row), int)
    constant = columns([])
    print(f"{len(set(opening))} openings, {len(target)} rows")
    print("rows by moves to come:", {ask.first + at: int(np.sum(row == at)) for at in range(rows)})
    plain = (every[:, :6] @ PLAIN - every[:, 6:12] @ PLAIN)[:, None] / 3
    tellings = {
        "constant": (constant, one, 1),
        "constant of each row": (constant, row, rows),
        "plain material, one scale": (np.hstack([plain, constant]), one, 1),
        "plain material, scale and constant of each row": (np.hstack([plain, constant]), row, rows),
        "engine, one scale": (np.column_stack([told / CENTIPAWNS, constant]), one, 1),
        "engine, scale and constant of each row": (np.column_stack([told / CENTIPAWNS, constant]), row, rows),
    }
    for name, (features, which, count) in tellings.items():
        value, logit = measure(features, ridge=0.01, stiff=0.01 if count > 1 else 0, rows=count, row=which)
        print(f"{value:.4f}  {name}")
    tellings_logit = logit
    # Weak play blurs every difference: how much the known weights shrink to foretell it.
    fitted = Rows(rows, 0.01, 0.01).fit(row, features, target).table
    blur = float(np.sum(fitted[:, 0] * np.bincount(row, minlength=rows)) / len(row))
    blur = max(0.1, blur)
    print(f"one point of the engine is worth {blur:.2f} of its own here")
    print(f"{loss(target, told / CENTIPAWNS):.4f}  engine as it stands")

    base = MATERIAL + ["attacked", "near promotions", "reach"]
    if ask.use:
        base = (MATERIAL + ask.use[1:].split(",")) if ask.use.startswith("+") else ask.use.split(",")
        base = [name for name in base if name]
    value, logit = measure(columns(MATERIAL), prior=prior(MATERIAL))
    print(f"{value:.4f}  fitted units alone")
    value, logit = measure(columns(base), prior=prior(base))
    print(f"{value:.4f}  fitted: {', '.join(base)}")
    for at in range(rows):
        mine = row == at
        print(f"   {ask.first + at:2} moves: {loss(target[mine], logit[mine]):.4f}"
              f"  engine {loss(target[mine], tellings_logit[mine]):.4f}")
    if ask.tries:
        for name in names:
            if name not in base:
                more, other = measure(columns(base + [name]), prior=prior(base + [name]))
                point = (np.logaddexp(0, logit) - target * logit) - (np.logaddexp(0, other) - target * other)
                error = point.std() / np.sqrt(len(point))
                print(f"{value - more:+.4f} (s.e. {error:.4f})  with {name}")
        for name in base:
            less, _ = measure(columns(fewer := [kept for kept in base if kept != name]), prior=prior(fewer))
            print(f"{less - value:+.4f}  lost without {name}")
    if ask.out:
        table = Rows(rows, ask.stiff, ask.ridge, prior(base)).fit(row, columns(base), target).table * CENTIPAWNS / blur
        get = lambda at, name, sign=1: round(sign * table[at][(base + ["constant"]).index(name)]) if name in base + ["constant"] else 0
        with open(ask.out, "w") as file:
            for moves in range(2, ask.last + 1):
                at = max(moves - ask.first, 0)
                line = [get(at, "own " + u) for u in UNITS] + [get(at, "waiting " + u, -1) for u in UNITS]
                line += [get(at, "constant", -1), get(at, "attacked"), get(at, "near promotions"), get(at, "reach"), get(at, "own reach")]
                line += [get(at, "flights"), get(at, "king on the rim"), get(at, "own fourth"), get(at, "waiting fourth")]
                print(*line, file=file)
    if not ask.quiet:
        table = Rows(rows, ask.stiff, ask.ridge, prior(base)).fit(row, columns(base), target).table * CENTIPAWNS / blur
        for at in range(rows):
            print(ask.first + at, dict(zip(base + ["constant"], np.round(table[at]).astype(int).tolist())))


if __name__ == "__main__":
    main()
