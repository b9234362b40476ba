# SPDX-License-Identifier: BSD-3-Clause
"""How the factorizations of gramian and its peers are called: matrices in the order each likes best, arguments kept."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.measure import Call


def gramian_cholesky(A: Any) -> Call:
    """The engine."""
    import gramian

    return lambda: gramian.linalg.cholesky(A).L


def scipy_potrf(A: Any) -> Call:
    """LAPACK's routine; what is above the diagonal is left as it is, which saves a pass."""
    from scipy.linalg import lapack

    F = np.asfortranarray(A)
    return lambda: lapack.dpotrf(F, lower=1, clean=0)[0]


def numpy_cholesky(A: Any) -> Call:
    """numpy.linalg.cholesky."""
    return lambda: np.linalg.cholesky(A)


def gramian_triangular(L: Any, B: Any) -> Call:
    """The engine."""
    import gramian

    return lambda: gramian.linalg.solve_triangular(L, B)


def scipy_trtrs(L: Any, B: Any) -> Call:
    """LAPACK's routine."""
    from scipy.linalg import lapack

    F, G = np.asfortranarray(L), np.asfortranarray(B)
    return lambda: lapack.dtrtrs(F, G, lower=1)[0]


def gramian_batch(A: Any, B: Any) -> Call:
    """The engine."""
    import gramian

    return lambda: gramian.linalg.cholesky_solve_batch(A, B).X


def numpy_solves(A: Any, B: Any) -> Call:
    """numpy.linalg.solve on the whole stack, which loops in C."""
    return lambda: np.linalg.solve(A, B)


def scipy_cholesky_solves(A: Any, B: Any) -> Call:
    """cho_factor and cho_solve in a loop."""
    from scipy.linalg import cho_factor, cho_solve

    def solves() -> Any:
        return [cho_solve(cho_factor(a, lower=True), b) for a, b in zip(A, B, strict=True)]

    return solves


def scipy_posv(A: Any, B: Any) -> Call:
    """LAPACK's routine for both steps in a loop, without scipy's checks."""
    from scipy.linalg import lapack

    matrices = [np.asfortranarray(a) for a in A]
    return lambda: [lapack.dposv(a, b, lower=1)[1] for a, b in zip(matrices, B, strict=True)]
