# SPDX-License-Identifier: BSD-3-Clause
"""The space that an input kernel maps to, known by inner products alone."""

import sys
import warnings
from typing import Any, cast

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from gramian import _core
from gramian.functional import diagonal, gram
from gramian.kernels import Gaussian, Kernel, Linear
from gramian.models._shared.layers import FloatArray
from gramian.points import check_points

_TOLERANCE = 1e-12  # of the trace: what the factor of the Gram matrix may miss
_INDEFINITE = 1e-6  # of the largest entry: far above what a factorization misses, far below a mistake
_CONSTANT = 1e-12
_ROWS_AT_A_TIME = 256
_FLOAT64 = np.dtype(np.float64)


def check_input_kernel(input_kernel: Any, owner: str) -> Kernel | str | None:
    """Return a kernel, "precomputed", or None for a Gaussian by the median rule."""
    if input_kernel is None or input_kernel == "precomputed":
        return cast(str | None, input_kernel)
    if isinstance(input_kernel, str) and input_kernel == "linear":
        return Linear()
    if isinstance(input_kernel, Kernel):
        return input_kernel
    raise TypeError(
        f"The 'input_kernel' parameter of {owner} must be None, 'linear', 'precomputed' or one of gramian.kernels. "
        f"Got {input_kernel!r} instead."
    )


def learned_kernel(kernel: Kernel | str | None, X: Any) -> Kernel | str:
    """Return the kernel with the width that the median rule gives, if there is no other."""
    return (
        Gaussian(gamma=_core.autoencoder.median_gamma(check_points(X, "X").crossing(_FLOAT64)))
        if kernel is None
        else kernel
    )


def input_gram(kernel: Kernel | str, X: Any, Y: Any = None) -> FloatArray:
    """Return inner products in float64: X itself, if these are what it holds."""
    if isinstance(kernel, str):
        return cast(FloatArray, X)
    return cast(FloatArray, gram(kernel, X, None if Y is None else alike(X, Y)))


def alike(X: Any, Y: Any) -> Any:
    """Return Y as sparse or dense as X is."""
    if _is_sparse(X) == _is_sparse(Y):
        return Y
    return sys.modules["scipy.sparse"].csr_matrix(Y) if _is_sparse(X) else Y.toarray()


def factorize(K: FloatArray) -> FloatArray:
    """Return C with C C^T = K, of as many columns as K has rank; refuse a K that is not positive semidefinite."""
    C = _core.autoencoder.gram_factor(K, _TOLERANCE)
    largest = float(np.abs(np.diagonal(K)).max())
    if not C.shape[1]:
        raise ValueError("X is zero in the feature space: all inner products are 0, and no two samples differ.")
    for start in range(0, len(K), _ROWS_AT_A_TIME):
        rows = slice(start, start + _ROWS_AT_A_TIME)
        defect = float(np.abs(K[rows] - C[rows] @ C.T).max())
        if defect > _INDEFINITE * largest:
            raise ValueError(
                f"K is not positive semidefinite: {defect:.3g} of an entry is left when its largest diagonal entry is "
                f"{largest:.3g}. Add to the diagonal, or use another kernel."
            )
    return C


def squared_norms(kernel: Kernel | str, X: Any, diag: Any, before: FloatArray) -> FloatArray:
    """Return <phi(x), phi(x)> of new samples; before: of those that the Gram matrix was given for."""
    if not isinstance(kernel, str):
        if diag is not None:
            raise ValueError("diag is for input_kernel='precomputed' alone.")
        return cast(FloatArray, diagonal(kernel, X).astype(np.float64, copy=False))
    return known_squares(diag, len(X), before, "input_kernel", "X")


def known_squares(diag: Any, rows: int, before: FloatArray, kernel: str, name: str) -> FloatArray:
    """Return the squared norms of rows of inner products: those that are given, or what all were before."""
    if diag is None:
        if np.ptp(before) > _CONSTANT * np.abs(before).max():
            raise ValueError(
                f"diag is needed: with {kernel}='precomputed' the inner products of new samples with themselves are "
                f"unknown. Those of the training samples differ from each other, so they say nothing of new ones. Pass "
                f"the kernel of each row of {name} with itself."
            )
        return np.full(rows, before[0])
    squares = np.asarray(diag, dtype=np.float64)
    if squares.shape != (rows,):
        raise ValueError(f"diag must have shape {(rows,)}, an entry for each row of {name}. Got {squares.shape}.")
    if not (np.isfinite(squares).all() and (squares >= 0).all()):
        raise ValueError("diag must hold finite numbers of at least 0: they are squared norms.")
    return squares


def gaussian_preimages(kernel: Gaussian, X: FloatArray, weights: FloatArray, meaning: str) -> FloatArray:
    """Return points whose images are as near as may be to weighted sums of the images of X; meaning: of one astray."""
    _, (gamma,), scales = kernel._lower(X.shape[1]).spec
    widths = np.array(scales) if scales else 1.0
    points, astray = _core.gram.gaussian_preimages(gamma, X / widths, weights)
    if astray:
        warnings.warn(
            f"{astray} of {len(points)} pre-images did not converge: {meaning}.",
            ConvergenceWarning,
            stacklevel=3,
        )
    return cast(FloatArray, points * widths)


def _is_sparse(X: Any) -> bool:
    return hasattr(X, "tocsr")
