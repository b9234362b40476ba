# SPDX-License-Identifier: BSD-3-Clause
"""Large systems by products only: conjugate gradients, and preconditioners that are factored once."""

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FloatArray, as_array, check_integer, check_matrix, check_real, check_tolerance, is_true
from gramian._warning import warn
from gramian.linalg._cholesky import right_hand_sides, square_matrix
from gramian.optim import Iteration

_DEFAULTS = _core.linalg.ConjugateGradientsOptions()
_REASONS = {"tolerance": "tol", "max_iterations": "max_iter", "observer": "callback"}
_MOST = 2**53

StopReason = Literal["tol", "max_iter", "stagnation", "callback"]


class HasMatmat(Protocol):
    """An object with products, as `scipy.sparse.linalg.LinearOperator`."""

    def matmat(self, X: Any, /) -> Any:
        """Return the product with the columns of X."""


Product: TypeAlias = Callable[[FloatArray], npt.ArrayLike] | HasMatmat


class ConjugateGradients(NamedTuple):
    """What `conjugate_gradients` returns."""

    solution: FloatArray
    """X, of the shape of B."""
    residuals: FloatArray
    """``|b - A x| / |b|`` of each column, computed from the solution; of shape (r,)."""
    stop_reason: StopReason
    """``"tol"``: all columns have converged. ``"stagnation"``: rounding keeps a residual above `tol`.
    ``"callback"``: the callback returned True."""
    n_iter: int
    """Iterations; in each of them A is multiplied once."""
    history: list[Iteration]
    """The start and each iteration: ``value`` is the energy ``x^T A x / 2 - b^T x``, summed over columns, and
    ``gradient_norm`` the largest magnitude of an entry of the residuals."""

    @property
    def converged(self) -> bool:
        """Whether all columns have converged."""
        return self.stop_reason == "tol"


class LowRankInverse:
    """
    The inverse of a low-rank matrix with a diagonal, ``(F F^T + diag(shift))^-1``, factored once.

    To make it takes O(n m^2) time, to apply it to r columns O(n m r). It stays positive definite however small the
    shift is, so that it is a preconditioner for a Gram matrix ``K + shift I`` where ``K ≈ F F^T``. `woodbury_solve`
    also refines its solution.

    Parameters
    ----------
    F : array-like of shape (n, m)
        A factor with few columns, as of `gramian.incomplete_cholesky`.
    shift : float or array-like of shape (n,)
        The diagonal, greater than 0; a number stands for n equal ones.

    Examples
    --------
    >>> import gramian
    >>> gramian.linalg.LowRankInverse([[1.0], [0.0]], 1.0).apply([4.0, 4.0])
    array([2., 4.])
    """

    def __init__(self, F: npt.ArrayLike, shift: float | npt.ArrayLike) -> None:
        factor = check_matrix(F, "F").astype(np.float64, copy=False)
        diagonal = as_array(shift, "shift")
        if diagonal.ndim == 0:
            diagonal = np.full(len(factor), check_real(shift, "shift", "LowRankInverse"))
        elif diagonal.shape != (len(factor),):
            raise ValueError(f"shift must be a number or have shape ({len(factor)},), got {diagonal.shape}.")
        column = check_matrix(diagonal[:, None], "shift").astype(np.float64, copy=False)
        self._engine = _core.linalg.LowRankInverse(factor, column)

    def __repr__(self) -> str:
        return f"LowRankInverse(n={self._engine.size}, rank={self._engine.rank})"

    def apply(self, R: npt.ArrayLike) -> FloatArray:
        """
        Compute ``(F F^T + diag(shift))^-1 R``.

        Parameters
        ----------
        R : array-like of shape (n, r) or (n,)
            Columns.

        Returns
        -------
        ndarray of the shape of R
            In float64.
        """
        array = as_array(R, "R")
        columns = check_matrix(array[:, None] if array.ndim == 1 else array, "R").astype(np.float64, copy=False)
        found = self._engine.apply(columns)
        return found[:, 0] if array.ndim == 1 else found


def conjugate_gradients(
    A: npt.ArrayLike | Product,
    B: npt.ArrayLike,
    *,
    preconditioner: LowRankInverse | Product | None = None,
    x0: npt.ArrayLike | None = None,
    tol: float = _DEFAULTS.tolerance,
    max_iter: int = _DEFAULTS.max_iterations,
    callback: Callable[[Iteration, FloatArray], object] | None = None,
) -> ConjugateGradients:
    """
    Solve ``A X = B`` for a symmetric positive definite A by preconditioned conjugate gradients.

    Each column has its own step lengths and is no longer multiplied when it is done. Before it is done, its residual is
    computed from the solution; where rounding has led the recursion away from it, the column starts again from there.

    Parameters
    ----------
    A : array-like of shape (n, n), callable, or object with a method ``matmat``
        A symmetric matrix, or its product: ``A(V)`` returns the product with V of shape (n, r). An object with
        ``matmat`` may be a `scipy.sparse.linalg.LinearOperator`.
    B : array-like of shape (n, r) or (n,)
        Right-hand sides.
    preconditioner : LowRankInverse, callable, or object with a method ``matmat``, optional
        An approximate inverse of A, symmetric and positive definite.
    x0 : array-like of the shape of B, optional
        Where to begin; zero if None.
    tol : float, default=1e-10
        A column is done when ``|b - A x| <= tol |b|``. A residual below 1e-8 that only rounding of A x keeps above
        `tol` counts as done.
    max_iter : int, default=1000
        Iterations at most.
    callback : callable, optional
        ``callback(iteration, X)`` after each iteration, X of shape (n, r); if it returns True, X is the solution.

    Returns
    -------
    ConjugateGradients

    Warns
    -----
    sklearn.exceptions.ConvergenceWarning
        If a column has not converged, unless the callback stopped.

    Raises
    ------
    TypeError, ValueError
        If an argument is of the wrong kind, shape or range, or not finite; the message names it.
    gramian.NumericalError
        If A or the preconditioner is not positive definite.

    Examples
    --------
    >>> import gramian
    >>> found = gramian.linalg.conjugate_gradients([[2.0, 1.0], [1.0, 2.0]], [3.0, 3.0])
    >>> found.solution.round(9), found.stop_reason
    (array([1., 1.]), 'tol')
    """
    system = _product(A)
    if system is None:
        system = check_matrix(square_matrix(as_array(A, "A"), "A"), "A").astype(np.float64, copy=False)
        _core.linalg.check_symmetric(system)
    rows = len(system) if isinstance(system, np.ndarray) else len(np.atleast_1d(as_array(B, "B")))
    columns, is_vector = right_hand_sides(B, rows)
    options = _core.linalg.ConjugateGradientsOptions(
        tolerance=check_tolerance(tol, "tol"), max_iterations=check_integer(max_iter, "max_iter", 0, _MOST)
    )
    if callback is not None and not callable(callback):
        raise TypeError(f"callback must be callable, got {callback!r}.")
    inverse = preconditioner._engine if isinstance(preconditioner, LowRankInverse) else _inverse(preconditioner)
    start = None if x0 is None else _start(x0, columns, is_vector)
    watch = None if callback is None else _watching(callback, columns.shape)
    found = _core.linalg.conjugate_gradients(system, columns, options, inverse, start, watch)
    reason = cast(StopReason, _REASONS.get(found.stop_reason, found.stop_reason))
    _tell(reason, found)
    solution = found.solution[:, 0] if is_vector else found.solution
    return ConjugateGradients(solution, found.residuals, reason, found.iterations, [_point(p) for p in found.history])


def _product(A: Any) -> Any:
    """Return the function that multiplies, or None for what should be a matrix."""
    product = getattr(A, "matmat", None)
    return product if callable(product) else A if callable(A) else None


def _inverse(preconditioner: Any) -> Any:
    if preconditioner is None:
        return None
    product = _product(preconditioner)
    if product is None:
        raise TypeError(
            "preconditioner must be a LowRankInverse, a function of columns or an object with a method matmat, got "
            f"{preconditioner!r}."
        )
    return product


def _start(x0: Any, columns: FloatArray, is_vector: bool) -> FloatArray:
    start = as_array(x0, "x0")
    wanted = columns.shape[:1] if is_vector else columns.shape
    if start.shape != wanted:
        raise ValueError(f"x0 must have the shape of B, {wanted}, got {start.shape}.")
    return check_matrix(start.reshape(columns.shape), "x0").astype(np.float64, copy=False)


def _point(point: Any) -> Iteration:
    return Iteration(point.number, point.value, point.gradient_norm, point.step, point.evaluations)


def _watching(callback: Callable[[Iteration, FloatArray], object], shape: tuple[int, ...]) -> Callable[..., bool]:
    # The engine asks whether to go on.
    return lambda point, X: not is_true(callback(_point(point), X.reshape(shape)))


def _tell(reason: StopReason, found: Any) -> None:
    where = f"Conjugate gradients ended at a relative residual of {max(found.residuals, default=0.0):.2g}"
    if reason == "max_iter":
        warn(f"{where} after {found.iterations} iterations: raise max_iter or tol, or pass a better preconditioner.")
    elif reason == "stagnation":
        warn(f"{where}, which rounding does not let fall further: raise tol, or add more to the diagonal of A.")
