# SPDX-License-Identifier: BSD-3-Clause
"""Kernel ridge regressions in the span of landmarks, from normal systems that were summed up elsewhere."""

import operator
from typing import Any, NamedTuple

from gramian import _core
from gramian._validation import FloatArray
from gramian.kernels import Kernel
from gramian.models._shared.landmarks import IndexArray
from gramian.models.kernel_ridge.data import check_alpha, is_searched
from gramian.models.kernel_ridge.estimator import KernelRidge
from gramian.models.kernel_ridge.fit import solve_system
from gramian.models.kernel_ridge.kernel import check_kernel, kernel_of
from gramian.normal import NormalSum


class Landmarks(NamedTuple):
    """What a regression is a sum over."""

    kernel: Kernel
    samples: FloatArray
    rows: IndexArray


class Sums(NamedTuple):
    """The normal system of some rows."""

    square: FloatArray
    right: FloatArray
    y_square: FloatArray
    weight: float
    """The sum of the weights."""

    @classmethod
    def of(cls, total: NormalSum, weight: float) -> "Sums":
        """Return the arrays of a sum."""
        system = total._system()
        return cls(system.square, system.right, system.y_square, weight)

    def system(self) -> _core.gram.NormalSystem:
        """Return them for the engine."""
        return _core.gram.NormalSystem(self.square, self.right, self.y_square.tolist())

    def plus(self, other: "Sums") -> "Sums":
        """Return the sums of all these rows."""
        return Sums(*map(operator.add, self, other))


def positive_alphas(model: KernelRidge, targets: int) -> list[float]:
    """Return one alpha, or one for each target."""
    alphas = check_alpha(model.alpha, targets, "KernelRidge")
    if min(alphas) == 0:
        raise ValueError("The 'alpha' parameter of KernelRidge must be above 0 with landmarks.")
    return alphas


def kernel_of_vectors(model: KernelRidge, samples: FloatArray) -> Kernel:
    """Return the kernel of a regression on vectors, with what is left open chosen by these."""
    check_kernel(model, "KernelRidge")
    if is_searched(model):
        raise ValueError("gamma='auto' of KernelRidge needs samples in memory: choose the width on a part of the rows.")
    kernel = kernel_of(model, samples, None)
    if not isinstance(kernel, Kernel):
        raise ValueError(
            f"The 'kernel' parameter of KernelRidge must be one of gramian.kernels, or its name, with landmarks. Got "
            f"{model.kernel!r} instead."
        )
    return kernel


def fitted(model: KernelRidge, features: dict[str, Any], landmarks: Landmarks, sums: Sums, vector: bool) -> KernelRidge:
    """Return the model, fitted; features: the names and the number of them, vector: whether targets are one column."""
    alphas = positive_alphas(model, sums.right.shape[1])
    learned = solve_system(landmarks.kernel, (landmarks.samples, landmarks.rows), sums.system(), alphas, vector)
    model.__dict__.update(features, **learned, _sum=None)
    return model
