# SPDX-License-Identifier: BSD-3-Clause
"""Samples that are held out of the iterations of a kernel ridge regression, and end them."""

from typing import Any

import numpy as np

from gramian.kernels import Kernel
from gramian.models._shared.samples import source
from gramian.models.kernel_ridge.data import Problem


def refuse_early_stopping(model: Any, problem: Problem, alphas: list[float]) -> None:
    """Raise an error if a fit is to stop early that has no iterations, or none that can be scored."""
    asked, _, _ = (model._checked(name) for name in ("early_stopping", "validation_fraction", "n_iter_no_change"))
    if not asked:
        return
    owner, otherwise = model._owner, "or early_stopping=False"
    if model.solver != "cg":
        raise ValueError(f"early_stopping of {owner} is for solver='cg': set solver='cg', {otherwise}.")
    if not isinstance(problem.kernel, Kernel):
        raise ValueError(
            f"early_stopping of {owner} needs samples that are vectors, and a kernel of gramian.kernels: use one, "
            f"{otherwise}."
        )
    if len(alphas) > 1:
        raise ValueError(f"early_stopping of {owner} needs one alpha for all targets: use one, {otherwise}.")
    for name, off in (("checkpoint", None), ("warm_start", False)):
        if getattr(model, name) not in (None, False):
            raise ValueError(f"A fit of {owner} that stops early can't be continued: set {name}={off}, {otherwise}.")


def hold_out(model: Any, problem: Problem) -> tuple[Problem, Any]:
    """Return what is trained on, and the other samples as the engine takes them; both parts are drawn."""
    n, fraction = len(problem.y), model._checked("validation_fraction")
    count = int(np.ceil(fraction * n))
    if count >= n:
        raise ValueError(
            f"With n_samples={n} and validation_fraction={fraction:g} no sample is left to train on: add samples or "
            f"lower validation_fraction."
        )
    order = np.random.default_rng(model._seed()).permutation(n)
    held, kept = np.sort(order[:count]), np.sort(order[count:])
    other = problem.some(held)
    _, points = source(other.kernel, other.X)
    return problem.some(kept), (
        points,
        other.columns,
        other.engine_weights(),
        model._checked("n_iter_no_change"),
    )
