# SPDX-License-Identifier: BSD-3-Clause
"""What deep kernel PCA minimises, for those who put their own training together."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._blocks import check_blocks, split_blocks
from gramian._memory import advising
from gramian._validation import LARGEST, FloatArray, check_choice, check_columns, check_whole
from gramian.kernels.choice import is_function
from gramian.models._shared.compatibility import check_array
from gramian.models._shared.samples import check_objects, source
from gramian.models.deep_pca.fit import (
    COMPONENTS,
    LEVELS,
    check_levels,
    check_training_gram,
    crossing,
    training_points,
    with_kernels,
)

_DEFAULTS = _core.deep_pca.ObjectiveOptions()


class DeepPCAState(NamedTuple):
    """What `DeepPCAObjective.state` returns."""

    objective: float
    """J."""
    residuals: FloatArray
    """For each level, half the squared norm of its residual; J is their sum."""
    eigenvalues: list[FloatArray]
    """Diagonals of Lambda_j."""
    energy: float
    r"""The sum of :math:`\operatorname{tr}(H_j^T K_j H_j) / 2 \eta_j`."""
    primal: float
    """[DKPCA] (5), with the weights that belong to the features."""
    captured_trace: FloatArray
    """For each level the part of the trace of its Gram matrix that its features hold."""


def _checked_samples(kernel: Any, X: Any) -> Any:
    """Return samples in rows, or their Gram matrix for a kernel that is known by its values only."""
    if is_function(kernel):
        samples = source(kernel, check_objects(X, "X"))
    else:
        sparse = False if isinstance(kernel, str) else "csr"
        samples = check_array(X, "X", accept_sparse=sparse, dtype=np.float64, order="C")
    if is_function(kernel) or isinstance(kernel, str):
        check_training_gram(samples)
    return samples


class DeepPCAObjective:
    r"""
    The residual objective J of deep kernel PCA on samples, [DKPCA] (9), with its exact gradient.

    :math:`J = \frac 1 2 \sum_j |A_j - H_j \Lambda_j|^2` where :math:`A_j` is the gradient in :math:`H_j` of the energy
    :math:`\sum_j \operatorname{tr}(H_j^T K_j(H_{j-1}) H_j) / 2 \eta_j`, and :math:`H_0 = X`. It is defined for all
    :math:`H_j`, orthonormal or not. A value takes one sweep over the Gram matrices, a gradient one more: O(n^2 s) time
    for s components in all. Gram matrices are stored within `memory_budget` alone, half of each.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n, d), or Gram matrix of shape (n, n)
        Samples in rows; a Gram matrix if the first kernel is ``"precomputed"``.
    n_components, kernels, eta, center
        As `DeepKernelPCA` has them.
    eigenvalues : {"eliminated", "joint"}, default="eliminated"
        Whether :math:`\Lambda_j` are what is best for given features, or variables behind them.
    memory_budget : int, default=2**30
        Bytes that stored Gram matrices may take; what does not fit is computed again.

    Attributes
    ----------
    kernels : list
        One for each level.
    shapes : list of (int, int)
        Those of :math:`H_1, H_2, \ldots`, as `gramian.optim.minimize_stiefel` takes them.
    size : int
        How many variables there are.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range; the message names it.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.models import DeepPCAObjective
    >>> from gramian.optim import minimize_stiefel
    >>> X = np.random.default_rng(0).normal(size=(20, 3))
    >>> objective = DeepPCAObjective(X, (2, 1))
    >>> start = np.random.default_rng(1).normal(size=objective.size)
    >>> minimum = minimize_stiefel(objective.value_and_gradient, start, objective.shapes)
    >>> [H.shape for H in objective.split(minimum.x)[0]]
    [(20, 2), (20, 1)]
    """

    def __init__(
        self,
        X: Any,
        n_components: Any = COMPONENTS,
        kernels: Any = None,
        eta: Any = LEVELS.eta,
        *,
        center: bool = _DEFAULTS.centred,
        eigenvalues: str = _DEFAULTS.eigenvalues.name,
        memory_budget: int = _DEFAULTS.memory_budget,
    ) -> None:
        owner = type(self).__name__
        self.n_components, self.kernels, self.eta = n_components, kernels, eta
        levels = check_levels(self)
        choices = _core.deep_pca.Eigenvalues
        options = _core.deep_pca.ObjectiveOptions(
            eigenvalues=choices[check_choice(eigenvalues, "eigenvalues", owner, tuple(choices.__members__))],
            centred=check_choice(center, "center", owner, (True, False)),
            memory_budget=check_whole(memory_budget, "memory_budget", owner, LARGEST),
        )
        joint = options.eigenvalues is choices.joint
        samples = _checked_samples(levels[0].kernel, X)
        levels = with_kernels(levels, samples, None, samples.shape[0])
        self.kernels = [level.kernel for level in levels]
        self.shapes = [(int(samples.shape[0]), level.components) for level in levels]
        self._numbers = sum(level.components for level in levels) if joint else 0
        self.size = sum(rows * columns for rows, columns in self.shapes) + self._numbers
        points = training_points(cast(Any, levels[0].kernel), samples)
        with advising("use a smaller memory_budget, or fewer samples"):
            self._engine = _core.deep_pca.Objective(points, crossing(levels, samples.shape[1]), options)

    def split(self, x: npt.ArrayLike) -> tuple[list[FloatArray], list[FloatArray] | None]:
        """Return the features in x, or a gradient in them, and the eigenvalues; None if these are no variables."""
        flat = self._flat(x)
        features = split_blocks(flat, self.shapes)
        if not self._numbers:
            return features, None
        numbers = flat[len(flat) - self._numbers :]
        return features, np.split(numbers, np.cumsum([columns for _, columns in self.shapes])[:-1])

    def join(self, features: Sequence[npt.ArrayLike], eigenvalues: Sequence[npt.ArrayLike] | None = None) -> FloatArray:
        """Return features, and eigenvalues if these are variables, as x."""
        parts = check_blocks(features, "features", self.shapes, "levels")
        if (eigenvalues is None) == bool(self._numbers):
            raise ValueError("eigenvalues must be given if they are variables, with eigenvalues='joint', and else not.")
        numbers = [check_columns(part, f"eigenvalues[{i}]")[0] for i, part in enumerate(eigenvalues or ())]
        expected = [columns for _, columns in self.shapes] if self._numbers else []
        if [part.size for part in numbers] != expected:
            raise ValueError(f"eigenvalues must have {expected}, one for each component of a level.")
        return self._flat(np.concatenate([part.ravel() for part in [*parts, *numbers]]))

    def value(self, x: npt.ArrayLike) -> float:
        """Return J alone."""
        return float(self._engine.value(self._flat(x)))

    def value_and_gradient(self, x: npt.ArrayLike) -> tuple[float, FloatArray]:
        """
        Return J and its ordinary gradient, as `gramian.optim.minimize_stiefel` asks for them.

        Parameters
        ----------
        x : array-like of shape (size,)
            Features of all levels one behind the other, each row by row, then eigenvalues; `join` makes it.

        Returns
        -------
        tuple of float and ndarray of shape (size,)
        """
        return self._engine.value_and_gradient(self._flat(x))

    def energy_gradient(self, x: npt.ArrayLike) -> list[FloatArray]:
        """Return :math:`A_j` for each level, the gradient of the energy."""
        return split_blocks(self._engine.energy_gradient(self._flat(x)), self.shapes)

    def state(self, x: npt.ArrayLike) -> DeepPCAState:
        """Return what is known of a point."""
        found = self._engine.state(self._flat(x))
        residuals = np.array(found.residuals)
        return DeepPCAState(
            float(residuals.sum()),
            residuals,
            [np.array(values) for values in found.eigenvalues],
            found.energy,
            found.primal,
            np.array(found.captured) / np.array(found.kernel_traces),
        )

    def _flat(self, x: npt.ArrayLike) -> FloatArray:
        flat = np.ascontiguousarray(check_columns(x, "x")[0], dtype=np.float64).ravel()
        if len(flat) != self.size:
            raise ValueError(f"x must have {self.size} numbers, got {len(flat)}.")
        return flat
