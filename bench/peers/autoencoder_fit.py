# SPDX-License-Identifier: BSD-3-Clause
"""Whole fits of a kernel autoencoder from one start: gramian's estimator against torch's L-BFGS."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from bench.peers.autoencoder import Array, Call, Problem, Torch, reference_eliminated
from bench.registry import OURS

MOST_ITERATIONS = 300
SLACK = 1e-6  # relative: both stop as soon as they are this close to what both reach


class Race:
    """One problem and one start; the target is what the worse one ends with."""

    def __init__(self, problem: Problem, penalty: float) -> None:
        self.problem = replace(problem, penalty=penalty)
        self.start = started(self.problem)
        ends = [self.value(ours(self.start, self.problem, MOST_ITERATIONS))]
        with suppress(ModuleNotFoundError):
            ends.append(self.value(theirs(self.start, self.problem, MOST_ITERATIONS)))
        self.target = max(ends) * (1 + SLACK)

    def gramian(self) -> Call:
        """Fit until the target is reached."""
        return lambda: ours(self.start, self.problem, MOST_ITERATIONS, lambda value: value <= self.target)

    def torch(self) -> Call:
        """The same."""
        import torch  # noqa: F401

        return lambda: theirs(self.start, self.problem, MOST_ITERATIONS, lambda value: value <= self.target)

    def value(self, coefficients: Array) -> float:
        """The objective by the reference."""
        return reference_value(self.problem, coefficients)

    def excess(self, coefficients: Array) -> float:
        """How far coefficients are above the target, relatively."""
        return max(0.0, self.value(coefficients) / self.target - 1)


def after_iterations(problem: Problem, penalty: float, iterations: int) -> dict[str, float | str]:
    """The objective that each ends with."""
    problem = replace(problem, penalty=penalty)
    start = started(problem)
    found: dict[str, float | str] = {OURS: reference_value(problem, ours(start, problem, iterations))}
    try:
        found["torch"] = reference_value(problem, theirs(start, problem, iterations))
    except ModuleNotFoundError:
        found["torch"] = "not installed"
    return found


def started(problem: Problem) -> Any:
    """The estimator after one iteration: it leaves the coefficients that everybody goes on from."""
    import gramian

    kernels = [gramian.kernels.Gaussian(gamma=gamma) for gamma in problem.gammas]
    model = gramian.KernelAutoencoder(hidden=problem.sizes[:-1], kernels=kernels, penalty=problem.penalty, max_iter=1)
    with no_warning():
        return model.fit(problem.X)


def ours(start: Any, problem: Problem, iterations: int, enough: Callable[[float], bool] | None = None) -> Array:
    """The first layer's coefficients after going on with gramian."""
    model = copy.copy(start)
    callback = None if enough is None else (lambda iteration: enough(iteration.value))
    model.set_params(warm_start=True, max_iter=iterations, tol=1e-12, callback=callback)
    with no_warning():
        return model.fit(problem.X).coefficients_[0]


def theirs(start: Any, problem: Problem, iterations: int, enough: Callable[[float], bool] | None = None) -> Array:
    """The same with torch: strong Wolfe line search, the gradient in K_L by hand."""
    import torch

    peer = Torch(problem)
    part = torch.from_numpy(start.coefficients_[0].copy()).requires_grad_()
    search = torch.optim.LBFGS(
        [part],
        max_iter=iterations,
        max_eval=10 * iterations,
        history_size=20,
        line_search_fn="strong_wolfe",
        tolerance_grad=0,
        tolerance_change=0,
    )

    def closure() -> Any:
        search.zero_grad()
        value = peer.explicit([part])
        value.backward()
        if enough is not None and enough(float(value.detach())):
            raise StopIteration  # torch has no other way to stop at a value
        return value

    with suppress(StopIteration):
        search.step(closure)
    return part.detach().numpy()


def reference_value(problem: Problem, coefficients: Array) -> float:
    """The objective at these coefficients of the first layer."""
    at = replace(problem)
    at.__dict__["coefficients"] = [coefficients]
    return reference_eliminated(at)[0]


@contextmanager
def no_warning() -> Iterator[None]:
    """Stopping early is what is wanted here."""
    import warnings

    from sklearn.exceptions import ConvergenceWarning

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        yield
