# SPDX-License-Identifier: BSD-3-Clause
"""Dense factorizations on the engine: checked, parallel, and the same bits for any number of threads."""

from gramian.linalg._cholesky import (
    BatchSolution,
    CholeskyFactor,
    cholesky,
    cholesky_solve_batch,
    solve_triangular,
)
from gramian.linalg._iterative import ConjugateGradients, LowRankInverse, conjugate_gradients
from gramian.linalg._spectral import Eigenpairs, TopEigenpairs, eigh, top_eigenpairs
from gramian.linalg._structured import (
    solve_kronecker,
    stiefel_project,
    stiefel_retract,
    stiefel_tangent,
)
from gramian.linalg._woodbury import Woodbury, woodbury_log_determinant, woodbury_solve

__all__ = [
    "BatchSolution",
    "CholeskyFactor",
    "ConjugateGradients",
    "Eigenpairs",
    "LowRankInverse",
    "TopEigenpairs",
    "Woodbury",
    "cholesky",
    "cholesky_solve_batch",
    "conjugate_gradients",
    "eigh",
    "solve_kronecker",
    "solve_triangular",
    "stiefel_project",
    "stiefel_retract",
    "stiefel_tangent",
    "top_eigenpairs",
    "woodbury_log_determinant",
    "woodbury_solve",
]


def __dir__() -> list[str]:
    return list(__all__)
