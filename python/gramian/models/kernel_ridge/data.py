# SPDX-License-Identifier: BSD-3-Clause
"""The data of a kernel ridge regression, checked, and its fitted value."""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, check_real, check_reals, is_sparse
from gramian.models._shared.compatibility import check_array
from gramian.models._shared.landmarks import is_automatic
from gramian.models._shared.parts import training_side
from gramian.models._shared.samples import SideKernel, count_of
from gramian.models._shared.sums import some_rows
from gramian.points import SourcePoints, is_row_source


class Problem(NamedTuple):
    """What is solved."""

    kernel: SideKernel
    X: Any
    y: FloatArray
    weights: FloatArray | None
    """None for 1 each."""

    @property
    def columns(self) -> FloatArray:
        """The targets as a matrix."""
        return self.y.reshape(len(self.y), -1)

    def shaped(self, columns: FloatArray) -> FloatArray:
        """Return a matrix with a column for each target in the shape of the targets."""
        return columns[:, 0].copy() if self.y.ndim == 1 else columns

    def some(self, rows: npt.NDArray[np.intp]) -> "Problem":
        """Return the problem of some samples, which are read if they are in no memory."""
        weights = None if self.weights is None else self.weights[rows]
        return self._replace(X=some_rows(self.X, rows.astype(np.int64)), y=self.y[rows], weights=weights)

    def engine_weights(self) -> list[float]:
        """Return the weights as the engine takes them."""
        return [] if self.weights is None else self.weights.tolist()


def check_training(learner: Any, X: Any, y: Any) -> tuple[Any, FloatArray]:
    """Return samples, which may be read by blocks later, and targets; the learner learns the features."""
    if is_sparse(y):
        raise TypeError("y must be dense: use y.toarray().")
    if is_row_source(X) and not (learner._has_function or learner._precomputed):
        source = SourcePoints(X, "X")
        learner.n_features_in_ = source.dimension
        return source, _check_targets(y, source.rows)
    if not learner._has_function:
        samples, targets = learner._training_samples_of(learner, X, y=y, multi_output=True, y_numeric=True)
        return samples, np.asarray(targets, dtype=np.float64)
    samples = learner._training_samples_of(learner, X)
    return samples, _check_targets(y, count_of(samples))


def _check_targets(y: Any, rows: int) -> FloatArray:
    targets: FloatArray = check_array(y, "y", ensure_2d=False, dtype=np.float64)
    if len(targets) != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {rows}, y has {len(targets)}."
        )
    return targets


def check_alphas(model: Any, targets: int, owner: str) -> list[float]:
    """Return what is solved for: one alpha, one for each target, or, above 0, all that are to be tried."""
    if model.alphas is not None:
        return check_reals(model.alphas, "alphas", owner)
    return check_alpha(model.alpha, targets, owner)


def check_alpha(alpha: Any, targets: int, owner: str) -> list[float]:
    """Return one alpha, or one for each target."""
    if np.ndim(alpha) == 0:
        return [check_real(alpha, "alpha", owner, True)]
    alphas = check_reals(alpha, "alpha", owner, inclusive=True)
    if len(alphas) not in (1, targets):
        raise ValueError(
            f"The 'alpha' parameter of {owner} must be a number, or have one for each of the {targets} targets. Got "
            f"{len(alphas)} instead."
        )
    return alphas


def is_searched(model: Any) -> bool:
    """Tell whether a fit begins with a search for the width."""
    return is_automatic(model.gamma)


def tries_path(model: Any) -> bool:
    """Tell whether alphas are compared by leaving each sample out."""
    return model.alphas is not None and not is_searched(model)


def compiled(kernel: SideKernel, supports: Any, coefficients: FloatArray) -> _core.kernel_ridge.Predictor:
    """Return the value of a regression with a column of coefficients for each target."""
    spec, points = training_side(kernel, supports, len(coefficients))
    return _core.kernel_ridge.Predictor(spec, points, coefficients)
