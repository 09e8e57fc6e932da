"""Fits the weights of `src/search/eval.rs` to rows of `features.py`.

    python fit.py mate|taking DATA.npz...

The chance of the side to move is modelled as logistic(weights . features), one row of weights for
each number of moves to come, neighbouring rows tied together, all pulled towards zero. Turns that
win at once are left out: proofs know them. Prints the mean cross entropy on openings left out of the
fit (ten parts in turn), for a constant, for the engine's `eval` and for the fit, then the weights in
centipawns.
"""

import sys

import numpy as np

CENTIPAWNS = 500  # that stand for one unit of log-odds
PARTS = 10
TIE, PULL = 30, 3
UNITS = ["pawn", "knight", "bishop", "rook", "queen"]
SIDES = ["own", "waiting"]
PIECES = [f"struck {unit}" for unit in UNITS] + ["near promotions", "reach"]
PIECES += [f"{side} advanced" for side in SIDES]
PIECES += [f"{side} {unit} reach" for side in SIDES for unit in UNITS[1:]]
PIECES += [f"{side} {kind}" for side in SIDES for kind in ("flights", "besieged", "shelter")]
# The first and the last row, the longest series used, and the features beside the units.
KINDS = {
    "mate": (3, 12, 14, UNITS, PIECES),
    "taking": (3, 11, 12, UNITS + ["king"], ["struck", "total reach"]),
}


def loss(target, logit):
    """Mean cross entropy."""
    return np.mean(np.logaddexp(0, logit) - target * logit)


def fit(row, rows, features, target, tie=TIE, pull=PULL):
    """The weights of each row, by Newton's method. The last feature is the constant."""
    width = features.shape[1]
    scale = features.std(axis=0)
    scale[scale < 1e-6] = 1
    x = features / scale
    shrink, tied = np.full(width, float(pull)), np.full(width, float(tie))
    shrink[-1], tied[-1] = 1e-3, tie / 100
    ties = np.diag([2.0] * rows) - np.eye(rows, k=1) - np.eye(rows, k=-1)
    ties[0, 0] = ties[-1, -1] = 1
    penalty = np.kron(np.eye(rows), np.diag(shrink)) + np.kron(ties, np.diag(tied))
    weights = np.zeros(rows * width)
    for _ in range(25):
        table = weights.reshape(rows, width)
        chance = 1 / (1 + np.exp(-np.einsum("ij,ij->i", x, table[row])))
        gradient, hessian = penalty @ weights, penalty.copy()
        for at in range(rows):
            own, mine = slice(at * width, (at + 1) * width), row == at
            gradient[own] += x[mine].T @ (chance - target)[mine]
            hessian[own, own] += (x[mine].T * (chance * (1 - chance))[mine]) @ x[mine]
        step = np.linalg.solve(hessian, gradient)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights.reshape(rows, width) / scale


def held_out(opening, row, rows, features, target, **ties):
    """The mean cross entropy on openings that the fit has not seen."""
    logit = np.zeros(len(target))
    for part in range(PARTS):
        out = opening % PARTS == part
        table = fit(row[~out], rows, features[~out], target[~out], **ties)
        logit[out] = np.einsum("ij,ij->i", features[out], table[row[out]])
    return loss(target, logit)


def load(files):
    """All rows of the files; openings of different files are kept apart."""
    heads, features, openings = [], [], 0
    for file in files:
        data = np.load(file)
        head = data["head"].astype(float)
        head[:, 0] += openings
        openings = head[:, 0].max() + 1
        heads.append(head)
        features.append(data["features"].astype(float))
        names = list(data["names"])
    return np.concatenate(heads), np.concatenate(features), names


def main():
    kind, *files = sys.argv[1:]
    first, last, longest, units, others = KINDS[kind]
    head, features, names = load(files)
    keep = (head[:, 3] == 0) & (head[:, 1] <= longest)
    head, features = head[keep], features[keep]
    opening, moves, target, told = head[:, 0].astype(int), head[:, 1], head[:, 2], head[:, 4]
    row, rows = np.clip(moves, first, last).astype(int) - first, last - first + 1
    constant = np.ones((len(target), 1))
    chosen = [f"{side} {unit}" for side in ("own", "waiting") for unit in units] + others
    columns = np.hstack([features[:, [names.index(name) for name in chosen]], constant])
    engine = np.column_stack([told / CENTIPAWNS, constant])
    print(f"{len(set(opening))} openings, {len(target)} rows")
    print(f"{held_out(opening, row, rows, constant, target):.4f} constant")
    print(f"{held_out(opening, row, rows, engine, target, tie=0.01, pull=0.01):.4f} eval")
    print(f"{held_out(opening, row, rows, columns, target):.4f} fitted")
    table = np.round(fit(row, rows, columns, target) * CENTIPAWNS).astype(int)
    for at, line in enumerate(table, first):
        own, waiting = line[: len(units)].tolist(), (-line[len(units) : 2 * len(units)]).tolist()
        rest = zip(others, line[2 * len(units) :].tolist())
        # What the waiting side has is taken off.
        rest = {name: -weight if name.startswith("waiting") else weight for name, weight in rest}
        print(f"{at}: to_move {own} waiting {waiting} usual {-line[-1]} {rest}")


if __name__ == "__main__":
    main()
