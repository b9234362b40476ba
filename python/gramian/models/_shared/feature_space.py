# SPDX-License-Identifier: BSD-3-Clause
"""The space that an input kernel maps to, known by inner products alone."""

from typing import Any, cast

import numpy as np

from gramian import _core
from gramian._validation import FloatArray
from gramian._warning import warn
from gramian.functional import gram
from gramian.kernels import Kernel
from gramian.models._shared.samples import SideKernel, alike, function_values, squared_norms

_CONSTANT = 1e-12


def input_gram(kernel: SideKernel, X: Any, Y: Any = None) -> FloatArray:
    """Return inner products in float64: X itself, if these are what it holds."""
    if isinstance(kernel, str):
        return cast(FloatArray, X)
    if not isinstance(kernel, Kernel):
        return function_values(kernel, X, Y)
    return cast(FloatArray, gram(kernel, X, None if Y is None else alike(X, Y)))


def factorize(K: FloatArray) -> FloatArray:
    """Return C with C C^T = K, of as many columns as K has rank; refuse a K that is not positive semidefinite."""
    C = _core.gram.gram_factor(K)
    if not C.shape[1]:
        raise ValueError("X is zero in the feature space: all inner products are 0, and no two samples differ.")
    return C


def new_squared_norms(kernel: SideKernel, X: Any, diag: Any, before: FloatArray) -> FloatArray:
    """Return <phi(x), phi(x)> of new samples; before: of those that the Gram matrix was given for."""
    if not isinstance(kernel, str):
        if diag is not None:
            raise ValueError("diag is for input_kernel='precomputed' alone.")
        return squared_norms(kernel, X)
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


def tell_of_astray(astray: int, count: int, meaning: str) -> None:
    """Warn of pre-images that were not found; meaning: of one of them."""
    if astray:
        warn(f"{astray} of {count} pre-images did not converge: {meaning}.")
