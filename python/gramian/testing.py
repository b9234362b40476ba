# SPDX-License-Identifier: BSD-3-Clause
"""
What every kernel has to keep, as one call: for kernels that are put together from others.

    from gramian.testing import check_kernel
    check_kernel(2.0 * Gaussian(gamma=0.5) + Linear(), X)
"""

import copy
import pickle
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from gramian import functional, kernels
from gramian._validation import check_matrix
from gramian.kernels import Kernel

__all__ = ["check_kernel"]


def __dir__() -> list[str]:
    return list(__all__)


Array: TypeAlias = npt.NDArray[Any]

_EPS = float(np.finfo(np.float64).eps)
_POINTS = 12  # for derivatives
_STEPS = tuple(10.0 ** -(k / 2) for k in range(3, 13))  # of the spread of the points
_DERIVATIVE = 1e-6
_BELOW_ROUNDING = 1e-11  # of the sum of all terms: what differences cannot see


def check_kernel(kernel: Kernel, X: npt.ArrayLike, Y: npt.ArrayLike | None = None) -> None:
    """
    Check that a kernel keeps what every kernel has to keep.

    On the points as they are: the Gram matrix is symmetric and positive semidefinite, its diagonal is that of
    `diagonal`, that of X with itself is that of X, products are products, and float32 is close to float64. On a few of
    them, moved apart so that no two share a coordinate: `adjoint` agrees with differences of the kernel in the points
    and in each parameter, and `hessian_vector` with differences of `adjoint`. And the kernel is a value: it can be
    pickled, copied, cloned, and rebuilt from its representation.

    Parameters
    ----------
    kernel : gramian.kernels.Kernel
        The kernel.
    X : array-like of shape (n, d)
        Points that the kernel is meant for. Takes O(n^3) time: some hundreds are enough.
    Y : array-like of shape (m, d), optional
        More of them; the first half of X if None.

    Raises
    ------
    AssertionError
        If something does not hold; the message says what, and by how much.

    Examples
    --------
    >>> import numpy as np
    >>> from gramian.kernels import Gaussian, Linear
    >>> from gramian.testing import check_kernel
    >>> check_kernel(2.0 * Gaussian(gamma=0.5) + Linear(), np.random.default_rng(0).normal(size=(40, 3)))
    """
    points = check_matrix(X, "X").astype(np.float64, copy=False)
    others = points[: (len(points) + 1) // 2] if Y is None else check_matrix(Y, "Y").astype(np.float64, copy=False)
    _check_value(kernel)
    _check_gram(kernel, points, others)
    _check_product(kernel, points, others)
    _check_float32(kernel, points, others)
    x, y = _moved_apart(points, others)
    _check_points_gradient(kernel, x, y)
    _check_parameters_gradient(kernel, x, y)
    _check_hessian_vector(kernel, x, y)


def _check_value(kernel: Kernel) -> None:
    from sklearn.base import clone  # slow to import, and only needed here

    names = {**vars(kernels), type(kernel).__name__: type(kernel)}
    twins = {
        "copy": copy.copy(kernel),
        "deepcopy": copy.deepcopy(kernel),
        "sklearn.base.clone": clone(kernel),
        "repr, evaluated,": eval(repr(kernel), names),
        "set_params of get_params": copy.copy(kernel).set_params(**kernel.get_params()),
    }
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        twins[f"pickle at protocol {protocol}"] = pickle.loads(pickle.dumps(kernel, protocol))
    for name, twin in twins.items():
        _require(twin == kernel and hash(twin) == hash(kernel), f"{name} gives {twin!r} in place of {kernel!r}")
    unknown = set(kernel.parameters) - set(kernel.get_params())
    _require(not unknown, f"set_params does not know {sorted(unknown)}, which gradients are taken in")


def _check_gram(kernel: Kernel, X: Array, Y: Array) -> None:
    K, cross = functional.gram(kernel, X), functional.gram(kernel, X, Y)
    _require(np.isfinite(K).all() and np.isfinite(cross).all(), "the Gram matrix has an entry that is not finite")
    _require(np.array_equal(K, K.T), "the Gram matrix is not symmetric")
    rounding = _sensitivity(kernel, X, _EPS)
    smallest = float(np.linalg.eigvalsh(K)[0])
    allowed = len(K) * (10 * _EPS * float(np.trace(K)) + rounding)
    _require(
        smallest >= -allowed, f"the Gram matrix is not positive semidefinite: it has the eigenvalue {smallest:.3g}"
    )
    _require_close(functional.diagonal(kernel, X), np.diagonal(K), 4 * _EPS, "diagonal is not that of the Gram matrix")
    _require_close(
        functional.gram(kernel, X, X.copy()),
        K,
        64 * _EPS + rounding / _largest(K),
        "of X and its copy differs from X alone",
    )
    transposed = functional.gram(kernel, Y, X).T
    allowed = 64 * _EPS + (rounding + _sensitivity(kernel, Y, _EPS)) / _largest(cross)
    _require_close(transposed, cross, allowed, "of (Y, X) is not the transpose of that of (X, Y)")


def _check_product(kernel: Kernel, X: Array, Y: Array) -> None:
    rng = np.random.default_rng(0)
    for others in (None, Y):
        K = functional.gram(kernel, X, others)
        V = rng.normal(size=(K.shape[1], 3))
        error = np.abs(functional.product(kernel, X, V, others) - K @ V)
        allowed = 1e-12 * (np.abs(K) @ np.abs(V)) + np.finfo(float).tiny
        _require((error <= allowed).all(), f"product differs from the Gram matrix times V by {error.max():.3g}")


def _check_float32(kernel: Kernel, X: Array, Y: Array) -> None:
    narrow = X.astype(np.float32), Y.astype(np.float32)
    wide = [points.astype(np.float64) for points in narrow]
    eps = float(np.finfo(np.float32).eps)
    nearly_equal = eps**0.5  # the angle or the distance of points that are nearly equal has half of the digits
    for both in (False, True):
        K = functional.gram(kernel, narrow[0], narrow[1] if both else None)
        _require(K.dtype == np.float32, f"float32 points give {K.dtype}")
        expected = functional.gram(kernel, wide[0], wide[1] if both else None)
        rounding = max(_sensitivity(kernel, points, eps) for points in wide)
        _require_close(
            K, expected, nearly_equal + rounding / _largest(expected), "in float32 is far from that in float64"
        )


def _check_points_gradient(kernel: Kernel, X: Array, Y: Array) -> None:
    rng = np.random.default_rng(0)
    for others in (None, Y):
        K = functional.gram(kernel, X, others)
        P, Q = rng.normal(size=(len(X), 2)), rng.normal(size=(K.shape[1], 2))
        for dense in (False, True):
            given: dict[str, Any] = {"Kbar": P @ Q.T} if dense else {"P": P, "Q": Q}
            result = functional.adjoint(kernel, X, Y=others, **given)
            form = "Kbar" if dense else "P and Q"
            for name, gradient, at in (("X", result.X, X), ("Y", result.Y, others)):
                if at is None:
                    continue
                direction = rng.normal(size=at.shape)

                def moved(t: float, name: str = name, direction: Array = direction, others: Any = others) -> Array:
                    x = X + t * direction if name == "X" else X
                    y = others + t * direction if name == "Y" else others
                    return functional.gram(kernel, x, y)

                what = f"adjoint's gradient in {name} from {form}"
                _require_derivative(moved, P @ Q.T, gradient, direction, _scale(X), what)


def _check_parameters_gradient(kernel: Kernel, X: Array, Y: Array) -> None:
    rng = np.random.default_rng(0)
    P, Q = rng.normal(size=(len(X), 2)), rng.normal(size=(len(Y), 2))
    result = functional.adjoint(kernel, X, P, Q, Y)
    _require(set(result.parameters) == set(kernel.parameters), "adjoint's gradients have other names than parameters")
    for name, value in kernel.parameters.items():
        gradient, at = np.atleast_1d(result.parameters[name]), np.atleast_1d(value)
        # Away from zero, which may be the end of the domain: relative steps of a number above it.
        start = np.where(at > 0, at, 0.5)
        shifted = copy.copy(kernel).set_params(**{name: _like(value, start)})
        if not np.array_equal(start, at):
            gradient = np.atleast_1d(functional.adjoint(shifted, X, P, Q, Y).parameters[name])
        direction = start * rng.uniform(0.5, 1.0, size=start.shape)

        def moved(t: float, name: str = name, value: Any = value, start: Any = start, d: Any = direction) -> Array:
            changed = copy.copy(kernel).set_params(**{name: _like(value, start + t * d)})
            return functional.gram(changed, X, Y)

        _require_derivative(moved, P @ Q.T, gradient, direction, 1.0, f"adjoint's gradient in {name}")


def _check_hessian_vector(kernel: Kernel, X: Array, Y: Array) -> None:
    rng = np.random.default_rng(0)
    for others in (None, Y):
        columns = len(X) if others is None else len(others)
        at: dict[str, Any] = {"X": X, "P": rng.normal(size=(len(X), 2)), "Q": rng.normal(size=(columns, 2))}
        if others is not None:
            at["Y"] = others
        along = {f"{name}dot": rng.normal(size=value.shape) for name, value in at.items()}

        def gradients(t: float, at: dict[str, Any] = at, along: dict[str, Any] = along) -> Array:
            result = functional.adjoint(kernel, **{name: at[name] + t * along[f"{name}dot"] for name in at})
            return np.concatenate([part for part in (result.X, result.Y) if part is not None])

        derivative = functional.hessian_vector(kernel, **at, **along)
        joined = derivative if others is None else np.concatenate(derivative)
        sets = "X" if others is None else "X and Y"
        _require_difference(gradients, joined, _scale(X), np.abs(gradients(0.0)).max(), f"hessian_vector in {sets}")


def _require_derivative(
    value: Callable[[float], Array], Kbar: Array, gradient: Any, direction: Array, scale: float, what: str
) -> None:
    """Compare <gradient, direction> with differences of <Kbar, value(t)> at t = 0."""
    _require(gradient is not None and np.isfinite(gradient).all(), f"{what} is not finite")
    derivative = np.array([float(np.sum(gradient * direction))])
    size = float(np.sum(np.abs(gradient * direction)))
    terms = float(np.sum(np.abs(Kbar) * np.abs(value(0.0))))
    _require_difference(lambda t: np.array([np.sum(Kbar * value(t))]), derivative, scale, terms, what, size)


def _require_difference(
    value: Callable[[float], Array], derivative: Array, scale: float, terms: float, what: str, size: float = 0.0
) -> None:
    """Compare with differences of fourth order. The best step is not known; for a wrong derivative there is none."""
    _require(np.isfinite(derivative).all(), f"{what} is not finite")
    allowed = _DERIVATIVE * max(size, float(np.abs(derivative).max())) + _BELOW_ROUNDING * terms / scale
    errors = []
    for step in _STEPS:
        h = step * scale
        difference = (8 * (value(h) - value(-h)) - (value(2 * h) - value(-2 * h))) / (12 * h)
        errors.append(float(np.abs(difference - derivative).max()))
        if errors[-1] <= allowed:
            return
    raise AssertionError(f"{what} differs from differences of fourth order by {min(errors):.3g}, allowed {allowed:.3g}")


def _moved_apart(X: Array, Y: Array) -> tuple[Array, Array]:
    """
    Take a few points and pull their coordinates apart: there are kinks where coordinates or points coincide.

    In each feature the order is kept, and neighbours are at least a twentieth of the spread of most points apart.
    """
    x, y = X[:_POINTS], Y[:_POINTS]
    both = np.concatenate([x, y])
    spread = _spread(both)
    spread[spread == 0] = float(spread.max()) or 1.0
    # Equal coordinates go into an order by chance: equal points must not move along one line.
    chance = np.random.default_rng(0).random(both.shape)
    ranks = np.argsort(np.lexsort((chance, both), axis=0), axis=0)
    apart = both + 0.05 * spread * (1 + ranks)  # not even a row of zeros, where angles have a kink, stays in place
    return apart[: len(x)], apart[len(x) :]


def _spread(X: Array) -> Array:
    """Return the range of each feature over the middle half of the points: one far away must not set the scale."""
    lower, upper = np.quantile(X, [0.25, 0.75], axis=0)
    return np.asarray(upper - lower)


def _scale(X: Array) -> float:
    return float(_spread(X).max()) or 1.0


def _sensitivity(kernel: Kernel, X: Array, eps: float) -> float:
    """Return how much the entries of the Gram matrix change if the points do, by some roundings of the largest."""
    signs = np.random.default_rng(0).choice([-1.0, 1.0], size=X.shape)
    moved = X + 4 * eps * float(np.abs(X).max()) * signs
    return 32 * float(np.abs(functional.gram(kernel, moved) - functional.gram(kernel, X)).max())


def _like(value: Any, numbers: Array) -> Any:
    return numbers if isinstance(value, np.ndarray) else float(numbers[0])


def _largest(K: Array) -> float:
    return float(np.abs(K).max()) or 1.0


def _require_close(value: Array, expected: Array, relative: float, what: str) -> None:
    error = float(np.abs(value.astype(np.float64) - expected).max())
    allowed = relative * _largest(expected)
    _require(error <= allowed, f"the Gram matrix {what}: by {error:.3g}, allowed {allowed:.3g}")


def _require(holds: Any, what: str) -> None:
    if not holds:
        raise AssertionError(what)
