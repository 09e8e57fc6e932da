"""Fits weights to the rows of `features.py`, and says how well they foretell results.

    python fit.py DATA.npz... [--use NAME,NAME,...] [--last M] [--try] [--rust]

The chance of the side to move is logistic(weights . features), with one set of weights for each
number of moves to come. Penalties hold neighbouring sets together and all of them near the weights
of `prior.json`. Losses are mean cross entropies of openings left out of the fit, ten parts in turn.
"""

import argparse
import json
from pathlib import Path

import numpy as np

CENTIPAWNS = 500  # that stand for one unit of log-odds
PARTS = 10
UNITS = ["pawn", "knight", "bishop", "rook", "queen"]
MATERIAL = [f"{side} {unit}" for side in ("own", "waiting") for unit in UNITS]
USED = MATERIAL + ["attacked", "own reach", "flights", "king on the rim", "own advanced", "waiting advanced"]


def losses(target, logit):
    """The cross entropy of each sample."""
    return np.logaddexp(0, logit) - target * logit


class Model:
    """A logistic regression for each row of a table. The last feature is the constant."""

    def __init__(self, rows, stiff, ridge, prior=0.0):
        self.rows, self.stiff, self.ridge, self.prior = rows, stiff, ridge, prior

    def penalty(self, width):
        """The quadratic form of the penalties; the constants are nearly free."""
        shrink, tie = np.full(width, float(self.ridge)), np.full(width, float(self.stiff))
        shrink[-1], tie[-1] = 1e-3, 0.01 * self.stiff
        chain = np.zeros((self.rows, self.rows))
        for at in range(self.rows - 1):
            chain[at : at + 2, at : at + 2] += [[1, -1], [-1, 1]]
        return np.kron(np.eye(self.rows), np.diag(shrink)) + np.kron(chain, np.diag(tie))

    def fit(self, row, features, target):
        """Newton's method; `row` is the row of each sample, from 0."""
        width = features.shape[1]
        scale = features.std(axis=0)
        scale[scale < 1e-6] = 1
        x, penalty = features / scale, self.penalty(width)
        prior = (self.prior * scale + np.zeros((self.rows, width))).ravel()
        weights = np.zeros(self.rows * width)
        for _ in range(25):
            p = 1 / (1 + np.exp(-np.einsum("ij,ij->i", x, weights.reshape(self.rows, width)[row])))
            gradient, hessian = penalty @ (weights - prior), penalty.copy()
            for at in range(self.rows):
                own, mine = slice(at * width, (at + 1) * width), row == at
                gradient[own] += x[mine].T @ (p - target)[mine]
                hessian[own, own] += (x[mine] * (p * (1 - p))[mine, None]).T @ x[mine]
            step = np.linalg.solve(hessian, gradient)
            weights -= step
            if np.abs(step).max() < 1e-6:
                break
        self.table = weights.reshape(self.rows, width) / scale
        return self

    def logit(self, row, features):
        return np.einsum("ij,ij->i", features, self.table[row])


class Data:
    """The samples, and fits to them."""

    def __init__(self, ask):
        loaded = [np.load(name) for name in ask.data]
        self.names, heads, shift = list(loaded[0]["names"]), [], 0
        for one in loaded:
            heads.append(one["head"].astype(float))
            heads[-1][:, 0] += shift
            shift = heads[-1][:, 0].max() + 1
        head = np.concatenate(heads)
        every = np.concatenate([one["features"] for one in loaded]).astype(float)
        keep = (head[:, 1] <= ask.until) & ((head[:, 3] == 0) | (not ask.without_wins))
        self.every, head = every[keep], head[keep]
        self.opening, self.target, self.told = head[:, 0].astype(int), head[:, 2], head[:, 4] / CENTIPAWNS
        self.row = np.clip(head[:, 1], ask.first, ask.last).astype(int) - ask.first
        self.rows, self.ask = ask.last - ask.first + 1, ask
        # Weak play blurs differences: what a point of the engine is worth here.
        one = Model(self.rows, 0.01, 0.01).fit(self.row, self.columns(self.told), self.target)
        self.blur = max(0.1, float(np.mean(one.table[self.row, 0])))

    def columns(self, *columns):
        return np.column_stack([*columns, np.ones(len(self.target))])

    def model(self, chosen):
        prior = 0.0
        if not self.ask.free:
            known = json.loads(Path(__file__).with_name("prior.json").read_text())
            table = [known[str(min(10, self.ask.first + at))] for at in range(self.rows)]
            prior = np.array([[line.get(name, 0) for name in [*chosen, "constant"]] for line in table])
            prior = prior / CENTIPAWNS * self.blur
        return Model(self.rows, self.ask.stiff, self.ask.ridge, prior)

    def chosen(self, names):
        return self.columns(*(self.every[:, self.names.index(name)] for name in names))

    def held_out(self, model, features, row=None):
        """The cross entropy of each sample under fits that have not seen its opening."""
        row = self.row if row is None else row
        logit = np.zeros(len(self.target))
        for part in range(PARTS):
            out = self.opening % PARTS == part
            model.fit(row[~out], features[~out], self.target[~out])
            logit[out] = model.logit(row[out], features[out])
        return losses(self.target, logit)

    def fitted(self, names):
        return self.held_out(self.model(names), self.chosen(names))


def baselines(data):
    """What is to be beaten. All but the last get a scale and a constant for each row."""
    material = sum(
        value * (data.every[:, data.names.index(f"own {unit}")] - data.every[:, data.names.index(f"waiting {unit}")])
        for unit, value in zip(UNITS, [1, 3, 3, 5, 9])
    )
    loose = Model(data.rows, 0.01, 0.01)
    print(f"{data.held_out(Model(1, 0, 0.01), data.columns(), 0 * data.row).mean():.4f}  constant")
    print(f"{data.held_out(loose, data.columns()).mean():.4f}  constant of each row")
    print(f"{data.held_out(loose, data.columns(material)).mean():.4f}  plain material")
    engine = data.held_out(loose, data.columns(data.told))
    print(f"{engine.mean():.4f}  engine, a point of which is worth {data.blur:.2f} here")
    print(f"{losses(data.target, data.told).mean():.4f}  engine as it stands")
    return engine


def rust(names, table):
    """The rows of `Weights` in eval.rs."""
    for line in table:
        value = dict(zip([*names, "constant"], (round(float(weight)) for weight in line)))
        get = lambda name: value.get(name, 0)
        both = get("reach")
        print(
            f"    Weights {{ to_move: {[get('own ' + unit) for unit in UNITS]},"
            f" waiting: {[-get('waiting ' + unit) for unit in UNITS]}, usual: {-get('constant')},"
            f" attacked: {get('attacked')}, reach: {both + get('own reach')}, waiting_reach: {both},"
            f" flight: {get('flights')}, rim: {get('king on the rim')},"
            f" advanced: {get('own advanced')}, waiting_advanced: {-get('waiting advanced')} }},"
        )


def main():
    ask = argparse.ArgumentParser()
    ask.add_argument("data", nargs="+")
    ask.add_argument("--use", help="the features, separated by commas; behind + those besides the units")
    ask.add_argument("--first", type=int, default=3, help="moves to come in the first row")
    ask.add_argument("--last", type=int, default=13, help="and in the last, which longer series use")
    ask.add_argument("--until", type=int, default=14, help="longer series are left out: endings drag on")
    ask.add_argument("--stiff", type=float, default=10, help="how strongly neighbouring rows are tied")
    ask.add_argument("--ridge", type=float, default=10, help="how strongly all are tied to prior.json")
    ask.add_argument("--free", action="store_true", help="tied to zero instead")
    ask.add_argument("--without-wins", action="store_true", help="leave out turns that win at once")
    ask.add_argument("--try", dest="tries", action="store_true", help="what each feature adds or takes")
    ask.add_argument("--rust", action="store_true", help="print rows for eval.rs")
    ask = ask.parse_args()
    data, used = Data(ask), USED
    if ask.use:
        used = [*MATERIAL, *ask.use[1:].split(",")] if ask.use.startswith("+") else ask.use.split(",")

    print(f"{len(set(data.opening))} openings, {len(data.target)} rows")
    engine = baselines(data)
    print(f"{data.fitted(MATERIAL).mean():.4f}  fitted units")
    fitted = data.fitted(used)
    print(f"{fitted.mean():.4f}  fitted {', '.join(used)}")
    for at in range(data.rows):
        mine = data.row == at
        print(f"  {ask.first + at:2} moves, {mine.sum():5} rows: {engine[mine].mean():.4f} -> {fitted[mine].mean():.4f}")
    if ask.tries:
        for name in data.names:
            if name not in used:
                gain = fitted - data.fitted([*used, name])
                print(f"{gain.mean():+.4f} (s.e. {gain.std() / len(gain) ** 0.5:.4f})  with {name}")
        for name in used:
            loss = data.fitted([kept for kept in used if kept != name]) - fitted
            print(f"{loss.mean():+.4f} (s.e. {loss.std() / len(loss) ** 0.5:.4f})  lost without {name}")
    table = data.model(used).fit(data.row, data.chosen(used), data.target).table * CENTIPAWNS / data.blur
    if ask.rust:
        rust(used, table)
    else:
        for at, line in enumerate(table):
            print(ask.first + at, dict(zip([*used, "constant"], np.round(line).astype(int).tolist())))


if __name__ == "__main__":
    main()
