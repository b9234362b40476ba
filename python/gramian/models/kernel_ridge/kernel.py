# SPDX-License-Identifier: BSD-3-Clause
"""The kernel that the parameters of scikit-learn's KernelRidge mean."""

from collections.abc import Callable
from functools import partial
from typing import Any, cast

import numpy as np
from sklearn.metrics.pairwise import PAIRWISE_KERNEL_FUNCTIONS, pairwise_kernels

from gramian._validation import FloatArray, is_sparse, refused
from gramian._value import FrozenValue
from gramian.kernels import Kernel, Laplacian, Polynomial
from gramian.kernels.choice import OpenKernel, choose_kernel, is_function, kernel_classes
from gramian.kernels.gaussian import Gaussian
from gramian.models._shared.counted import weighted_width
from gramian.models._shared.landmarks import is_automatic
from gramian.models._shared.samples import SideKernel

_OF_GAMMA: dict[str, Callable[[float], Kernel]] = {
    "rbf": lambda gamma: Gaussian(gamma=gamma),
    "laplacian": lambda gamma: Laplacian(gamma=gamma),
}
_POLYNOMIALS = ("poly", "polynomial")


class ScikitKernel(FrozenValue):
    """A kernel of scikit-learn that the engine does not have, as a function of two sets of samples."""

    name: str
    gamma: float | None
    degree: float
    coef0: float

    def __init__(self, name: str, gamma: float | None = None, degree: float = 3, coef0: float = 1) -> None:
        self._store(name=name, gamma=gamma, degree=degree, coef0=coef0)

    def __call__(self, X: Any, Y: Any) -> Any:
        """Return the kernel values."""
        given = {"degree": self.degree, "coef0": self.coef0}
        if self.gamma is not None:  # chi2 has a default of its own
            given["gamma"] = self.gamma
        return pairwise_kernels(_small(X), _small(Y), metric=self.name, filter_params=True, **given)


def _small(X: Any) -> Any:
    """Return sparse samples with the indices that scikit-learn's kernels take."""
    if not is_sparse(X) or X.indices.dtype == np.int32 or max(X.nnz, *X.shape) > np.iinfo(np.int32).max:
        return X
    parts = (X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32))
    return type(X)(parts, shape=X.shape)


def is_of_scikit_learn(kernel: Any) -> bool:
    """Tell whether only scikit-learn has the kernel of this name."""
    return isinstance(kernel, str) and kernel in _only_of_scikit_learn()


def _only_of_scikit_learn() -> set[str]:
    return set(PAIRWISE_KERNEL_FUNCTIONS) - set(kernel_classes())


def check_kernel(model: Any, owner: str) -> None:
    """Raise an error for a kernel that is none, or parameters of kernels that are out of range."""
    if not is_of_scikit_learn(model.kernel):
        theirs = f"Of scikit-learn there are {', '.join(map(repr, sorted(_only_of_scikit_learn())))}."
        try:
            choose_kernel(model.kernel, "kernel", owner, precomputed=True, functions=True)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{error} {theirs}") from None
    if model.kernel_params is not None and not isinstance(model.kernel_params, dict):
        raise refused("kernel_params", owner, "a dict or None", model.kernel_params, TypeError)


def kernel_of(model: Any, X: Any, weights: FloatArray | None) -> SideKernel:
    """Return the kernel for these samples, with its width by the median rule for weighted ones where that is open."""
    kernel, gamma = model.kernel, None if is_automatic(model.gamma) else model.gamma
    if is_function(kernel):
        return partial(kernel, **model.kernel_params) if model.kernel_params else cast(SideKernel, kernel)
    if not isinstance(kernel, str) or kernel == "precomputed":
        return cast(SideKernel, kernel)
    if is_of_scikit_learn(kernel):
        return ScikitKernel(kernel, gamma, model.degree, model.coef0)
    usual = 1.0 / max(1, X.shape[1]) if gamma is None else gamma
    if kernel in _POLYNOMIALS:
        whole = float(model.degree).is_integer() and model.degree >= 1
        if not (whole and model.coef0 >= 0 and usual > 0):
            return ScikitKernel(kernel, gamma, model.degree, model.coef0)
        return Polynomial(degree=int(model.degree), gamma=usual, coef0=model.coef0)
    if kernel in _OF_GAMMA:
        # The engine's Laplacian of the sum of distances is a product over features, which sparse samples have not.
        known = usual > 0 and not (kernel == "laplacian" and is_sparse(X))
        return _OF_GAMMA[kernel](usual) if known else ScikitKernel(kernel, gamma)
    chosen = choose_kernel(kernel, "kernel", type(model).__name__)
    if isinstance(chosen, OpenKernel) and gamma is not None:
        return chosen.with_gamma(gamma, X.shape[1])
    return cast(SideKernel, weighted_width(chosen, X, weights))
