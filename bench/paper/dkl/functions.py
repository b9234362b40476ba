# SPDX-License-Identifier: BSD-3-Clause
"""
[DKL] Sec. 4.1, Sec. 4.2: the two test functions, samples of them, the printed kernels, and errors on the printed grid.

An error is a part of the largest value of the function on the grid, as the colour scale of Figures 3 to 5 is.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from gramian.kernels import Gaussian, Polynomial, TensorMatern
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning

from bench.paper.common.outcome import Settings, Table, spread

SAMPLES = 100
NOISE = 0.01
RESTARTS = 64
SHOWN = 0.1  # the error that the printed colour scale ends at
MATERN = TensorMatern(s=1, normalized=False)
"""As printed, with the factor pi/2 in two dimensions."""
NARROW = Gaussian(length_scale=0.1)

Array = NDArray[np.float64]


def h1(X: Array) -> Array:
    """A kink along the diagonal."""
    return 1 / (0.1 + np.abs(X[:, 0] - X[:, 1]))


def h2(X: Array) -> Array:
    """A jump along a hyperbola."""
    return (X[:, 0] * X[:, 1] > 3 / 20).astype(np.float64)


FUNCTIONS: dict[str, Callable[[Array], Array]] = {"h1": h1, "h2": h2}


class Errors(NamedTuple):
    """Parts of the largest value: root mean square, largest, and the part of the area where it is above a tenth."""

    rmse: float
    largest: float
    area: float


class Fit(NamedTuple):
    """What one fit has come to."""

    errors: Errors
    objective: float
    model: Any


def sample(name: str, seed: int, n: int = SAMPLES) -> tuple[Array, Array]:
    """One draw of points and noisy values."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, size=(n, 2))
    return X, FUNCTIONS[name](X) + NOISE * rng.standard_normal(n)


def grid(side: int = 101) -> Array:
    """The corners of a uniform mesh, 1/50 wide as printed."""
    ticks = np.linspace(-1, 1, side)
    return np.stack(np.meshgrid(ticks, ticks), axis=-1).reshape(-1, 2)


def relative(truth: Array, values: Array) -> Array:
    """Pointwise errors as parts of the largest value."""
    return np.abs(values - truth) / np.abs(truth).max()


def errors(truth: Array, values: Array) -> Errors:
    """Sum up the pointwise ones."""
    found = relative(truth, values)
    return Errors(float(np.sqrt(np.mean(found**2))), float(found.max()), float(np.mean(found > SHOWN)))


def fitted(model: Any, name: str, X: Array, y: Array) -> Fit:
    """Learn, and look at the grid."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)
    points = grid()
    return Fit(errors(FUNCTIONS[name](points), model.predict(points)), float(model.objective_), model)


def inner(degree: int) -> Polynomial:
    """The printed inner kernel of this degree."""
    return Polynomial(degree=degree)


def restarts(settings: Settings) -> int:
    """64, as printed."""
    return 4 if settings.quick else RESTARTS


def table_of(title: str, fits: dict[str, Sequence[Fit]], first: str) -> Table:
    """A row for each method: errors over the draws, in how many it beats the first one, and the first draw."""
    columns = ["method", "rmse", "largest", "area above 10 %", f"beats {first}", "rmse, draw 0", "objective, draw 0"]
    table = Table(title, columns)
    for method, own in fits.items():
        cells = [_over_draws([fit.errors[i] for fit in own]) for i in range(3)]
        ahead = sum(fit.errors.rmse < other.errors.rmse for fit, other in zip(own, fits[first], strict=False))
        share = None if method == first else f"{ahead} of {len(own)}"
        table.rows.append([method, *cells, share, own[0].errors.rmse, own[0].objective])
    return table


def _over_draws(values: Sequence[float]) -> str:
    return spread(values) if len(values) > 1 else f"{values[0]:.4g}"
