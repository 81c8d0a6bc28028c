"""`python -m edgewright.tools.calibration.fit.tune CLASS…`: choose how far each level may stray.

Widths are part of the method, so they are chosen seldom, and on shared rows alone; `make calibrate` takes
them as they stand. They are the most likely ones given the measurements (type II maximum likelihood:
Rasmussen, Williams, Gaussian Processes for Machine Learning, 2006, equations 5.8 and 5.9), at the shares of
time of the last fit, with a prior of a factor of e around those before. Choosing them by the errors of what
was left out did worse on boards that had not taken part: 3 % more loss on the other half of mcu, 4 % of npu.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from ....hardware_db.measurements import shared_rows
from ...cost_model.hierarchy import class_of_path
from ..records import read_records
from .left_out import inverse
from .pooled import HUBER, Model, Solved, solve
from .priors import models, write_widths
from .table import Floats, Width, records_table, stacked

ROUNDS = 2
"""Of choosing widths at the shares of a fit, and fitting with them."""
STEPS = 20
NOISE = ("", "noise")
Choice = tuple[str, str]
"""A level and one of its widths, or the noise."""


@dataclass(frozen=True, eq=False)
class Evidence:
    """How likely the measurements are, as a function of the logarithms of the widths."""

    solved: Solved
    choices: Sequence[Choice]
    before: Floats

    def loss(self, logs: Floats) -> tuple[float, Floats]:
        """Negative logarithm of the likelihood and of the prior, and its slope."""
        table, state = self.solved.table, self.solved.state
        model = with_widths(self.solved.model, self.choices, logs)
        alike = state.shares @ state.shares.T
        scale, shape = (stacked(table, model.widths, which) for which in ("scale", "shape"))
        covariance = (scale @ scale.T).toarray() + (shape @ shape.T).toarray() * alike
        noise = model.noise**2 / (table.weight * _bent(state.residual))
        np.fill_diagonal(covariance, covariance.diagonal() + noise)
        factor = cho_factor(covariance, lower=True, overwrite_a=True, check_finite=False)
        target = state.residual + (state.shares * state.deviation).sum(axis=1)
        pull = cho_solve(factor, target, check_finite=False)
        likely = 0.5 * float(target @ pull) + float(np.log(np.diag(factor[0])).sum())
        pressure = 0.5 * (inverse(factor) - np.outer(pull, pull))
        slopes = [self._slope(choice, model, pressure, pressure * alike, noise) for choice in self.choices]
        strayed = logs - self.before
        return likely + 0.5 * float(strayed @ strayed), np.array(slopes) + strayed

    def _slope(self, choice: Choice, model: Model, plain: Floats, shaped: Floats, noise: Floats) -> float:
        name, field = choice
        if choice == NOISE:
            return 2 * float((np.diag(plain) * noise).sum())
        root = self.solved.table.levels[name].root
        pressed = (plain if field == "scale" else shaped) @ root
        width: float = getattr(model.widths[name], field)
        return 2 * width**2 * float(root.multiply(pressed).sum())


def _bent(residual: Floats) -> Floats:
    bent: Floats = np.minimum(1.0, HUBER / np.maximum(np.abs(residual), 1e-9))
    return bent


def tuned(solved: Solved) -> Model:
    """The model with the most likely widths."""
    choices = [NOISE, *((name, field) for name in solved.table.levels for field in ("scale", "shape"))]
    before = np.log([_width(solved.model, choice) for choice in choices])
    evidence = Evidence(solved, choices, before)
    found = minimize(evidence.loss, before, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
    print(f"  {found.fun:.1f} after {found.nfev} evaluations", flush=True)
    return with_widths(solved.model, choices, found.x)


def _width(model: Model, choice: Choice) -> float:
    name, field = choice
    width: float = model.noise if choice == NOISE else getattr(model.widths[name], field)
    return width


def with_widths(model: Model, choices: Sequence[Choice], logs: Floats) -> Model:
    """The model with other widths, by their logarithms."""
    chosen = dict(zip(choices, np.exp(logs).tolist(), strict=True))
    widths: Mapping[str, Width] = {
        name: Width(chosen.get((name, "shape"), old.shape), chosen.get((name, "scale"), old.scale))
        for name, old in model.widths.items()
    }
    return Model(model.prior, widths, chosen[NOISE], model.kind)


def main(classes: Sequence[str]) -> None:
    records = read_records(shared_rows())
    chosen = models()
    for name in classes:
        members = [record for record in records if class_of_path(record.path) == name]
        table = records_table(members)
        print(f"{name}: {len(members)} measurements", flush=True)
        for _ in range(ROUNDS):
            chosen[name] = tuned(solve(table, chosen[name]))
        write_widths(chosen)


if __name__ == "__main__":
    main(sys.argv[1:])
