# SPDX-License-Identifier: BSD-3-Clause
"""How long a kernel ridge regression may take, said before it begins if that is long."""

from typing import Any

from gramian import _core
from gramian.kernels import Kernel
from gramian.models._shared.duration import OF_EIGENVECTORS, tell_of_duration
from gramian.models.kernel_ridge.data import Problem, tries_path
from gramian.points import SourcePoints

_DEFAULTS = _core.kernel_ridge.Options()
_OF_A_VALUE = 20
"""Operations of a kernel value, beside one for each feature and target of the two samples."""
_ITERATIONS = 100
"""Of conjugate gradients, as a rule."""
_ITERATIONS_ON_LANDMARKS = 30
"""Of those for the system of landmarks, as a rule."""
_MOST_FORMED = 3000
"""Landmarks whose normal system is formed; with more of them there are iterations."""


def tell_of_exact(model: Any, problem: Problem) -> None:
    """Warn of a long regression on all samples."""
    n, vectors = float(len(problem.y)), isinstance(problem.kernel, Kernel)
    if tries_path(model):
        return tell_of_duration(model, int(n), OF_EIGENVECTORS * n**3, "use fewer samples, or one alpha", False)
    factored = model.solver == "cholesky" or (model.solver == "auto" and n <= _DEFAULTS.largest_cholesky)
    if factored or not vectors:
        instead = "use solver='cg' or solver='landmarks'" if vectors else "use fewer samples"
        return tell_of_duration(model, int(n), n**3 / 3, instead, False)
    work = min(model._checked("max_iter"), _ITERATIONS) * n**2 * _of_a_pair(problem) / 2
    return tell_of_duration(model, int(n), work, "use solver='landmarks'")


def tell_of_landmarks(model: Any, problem: Problem, m: int) -> None:
    """Warn of a long regression in the span of m landmarks."""
    n = len(problem.y)
    if m <= _MOST_FORMED:
        return tell_of_duration(model, n, float(n) * m * (_of_a_pair(problem) + m), "use fewer landmarks", False)
    steps = min(model._checked("max_iter"), _ITERATIONS_ON_LANDMARKS)
    work = steps * float(n) * m * _of_a_pair(problem) + 4 * float(m) ** 3
    return tell_of_duration(model, n, work, "use fewer landmarks")


def _of_a_pair(problem: Problem) -> float:
    """Return the operations of a kernel value and its part in a product."""
    features = problem.X.dimension if isinstance(problem.X, SourcePoints) else problem.X.shape[1]
    return float(_OF_A_VALUE + features + problem.columns.shape[1])
