# SPDX-License-Identifier: BSD-3-Clause
"""Eigenvalues and eigenvectors of symmetric matrices: all of them, or the largest ones."""

from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._operands import Operands
from gramian._random import seed_of
from gramian._validation import FloatArray, as_array, check_integer, check_matrix, check_tolerance
from gramian._warning import warn
from gramian.kernels import Kernel
from gramian.linalg._cholesky import square_matrix

_DEFAULTS = _core.linalg.EigenTopOptions()


class Eigenpairs(NamedTuple):
    """What `eigh` returns."""

    values: FloatArray
    """The eigenvalues, ascending, of shape (n,)."""
    vectors: FloatArray
    """The eigenvectors in columns, of shape (n, n)."""


class TopEigenpairs(NamedTuple):
    """What `top_eigenpairs` returns."""

    values: FloatArray
    """The largest eigenvalues, largest first, of shape (k,)."""
    vectors: FloatArray
    """The eigenvectors in columns, of shape (n, k)."""
    residuals: FloatArray
    """``|A v - value v|`` of each pair, computed from A; of shape (k,)."""
    products: int
    """How many blocks of vectors A was multiplied with; 0 if all of A was decomposed."""
    stop_reason: Literal["converged", "max_products"]
    """Why it ended."""


def eigh(A: npt.ArrayLike) -> Eigenpairs:
    """
    Compute all eigenvalues and eigenvectors of a symmetric matrix: ``A = V diag(values) V^T``.

    A blocked reduction to a tridiagonal matrix, divide and conquer, and the way back: O(n^3) time, and room for six
    matrices like A.

    Parameters
    ----------
    A : array-like of shape (n, n)
        A symmetric matrix. It is not changed.

    Returns
    -------
    Eigenpairs
        A tuple of the ``values``, ascending, and the ``vectors`` in columns, each with its entry of largest magnitude
        positive.

    Raises
    ------
    TypeError, ValueError
        If A is of the wrong kind, not square, not symmetric or not finite.
    gramian.NumericalError
        If the iteration does not converge.
    MemoryError
        If the result and the workspace would not fit; raised before any work.

    Examples
    --------
    >>> import gramian
    >>> values, vectors = gramian.linalg.eigh([[2.0, 1.0], [1.0, 2.0]])
    >>> values
    array([1., 3.])
    """
    values, vectors = _core.linalg.eigen_symmetric(_symmetric(A))
    return Eigenpairs(values[:, 0], vectors)


def top_eigenpairs(
    A: npt.ArrayLike | Kernel,
    k: int,
    *,
    X: npt.ArrayLike | None = None,
    centered: bool = False,
    tol: float = _DEFAULTS.tolerance,
    max_products: int = _DEFAULTS.max_products,
    random_state: Any = None,
) -> TopEigenpairs:
    """
    Compute the k largest eigenvalues of a symmetric matrix with their eigenvectors, by block Lanczos with restarts.

    An eigenvalue is found as often as it occurs: a block has more than k vectors. A few dozen products with a block are
    enough when the eigenvalues fall fast. Any number of threads gives the same bits.

    Parameters
    ----------
    A : array-like of shape (n, n), or gramian.kernels.Kernel
        A symmetric matrix; or a kernel for K(X, X), which is then never stored: slower, in O(n k) memory.
    k : int
        How many, in [1, n].
    X : array-like of shape (n, d), optional
        The points, if A is a kernel.
    centered : bool, default=False
        Whether rows and columns are centred first, as in kernel PCA; the centred matrix is never formed.
    tol : float, default=1e-10
        A pair is found when ``|A v - value v| <= tol |A|``; below 2e-14, when rounding allows no better.
    max_products : int, default=1000
        Products with a block of vectors, at most.
    random_state : int, numpy Generator, RandomState or None, default=None
        The random start; results depend on it within the tolerance. None draws a new one each time.

    Returns
    -------
    TopEigenpairs
        The ``values``, largest first, the ``vectors``, each with its entry of largest magnitude positive, the
        ``residuals``, the number of ``products`` and the ``stop_reason``. If that is "max_products", there is a
        ConvergenceWarning, and the best pairs so far are returned.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range, or not finite; the message names it.
    MemoryError
        If the workspace would not fit; raised before any work.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.top_eigenpairs([[2.0, 1.0], [1.0, 2.0]], 1).values
    array([3.])
    """
    if isinstance(A, Kernel) != (X is not None):
        raise TypeError("X must be given if A is a kernel, and only then.")
    products = check_integer(max_products, "max_products", 2, 2**31 - 1)
    options = _core.linalg.EigenTopOptions(
        tolerance=check_tolerance(tol, "tol"), max_products=products, seed=seed_of(random_state), centred=bool(centered)
    )
    return _top(A, X, k, options)


def _top(A: Any, X: Any, k: Any, options: _core.linalg.EigenTopOptions) -> TopEigenpairs:
    if isinstance(A, Kernel):
        points = check_matrix(X, "X").astype(np.float64, copy=False)
        spec = Operands(A, points, None).spec
        found = _core.linalg.eigen_top_of_kernel(spec, points, check_integer(k, "k", 1, len(points)), options)
    else:
        matrix = _symmetric(A)
        found = _core.linalg.eigen_top(matrix, check_integer(k, "k", 1, len(matrix)), options)
    if not found.converged:
        warn(f"Some of {k} eigenpairs are not within tol after {found.products} products: raise one of the two.")
    reason: Literal["converged", "max_products"] = "converged" if found.converged else "max_products"
    return TopEigenpairs(found.values[:, 0], found.vectors, found.residuals, found.products, reason)


def _symmetric(A: Any) -> FloatArray:
    matrix = check_matrix(square_matrix(as_array(A, "A"), "A"), "A").astype(np.float64, copy=False)
    _core.linalg.check_symmetric(matrix)
    return matrix
