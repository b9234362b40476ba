# SPDX-License-Identifier: BSD-3-Clause
"""What all kernels have in common."""

import copy
import numbers
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import DoubleLike, Float32Array, FloatArray, Matrix, as_array, check_vector
from gramian._value import FrozenValue
from gramian.kernels.lowering import Lowered, Values, by_name

if TYPE_CHECKING:
    from gramian.kernels.composite import Power, Product, Scaled, Sum
    from gramian.points import PointsLike

KernelT = TypeVar("KernelT", bound="Kernel")


class Kernel(FrozenValue, ABC):
    """
    What all kernels have in common.

    A kernel does not change, except through `set_params`, which scikit-learn's searches need. Its hash is that of its
    parameters: do not call `set_params` on a kernel that is a key of a dict.
    """

    __array_ufunc__ = None  # a NumPy number times a kernel is a kernel, and no array

    @abstractmethod
    def _lower(self, dimension: int | None) -> Lowered:
        """Return what the engine takes for points of `dimension` features, after checking the parameters.

        Without a dimension the slots are right, and the rest may not be.
        """

    @overload
    def __call__(self, X: Float32Array, Y: None = None) -> Float32Array: ...  # type: ignore[overload-overlap]
    @overload
    def __call__(self, X: DoubleLike, Y: None = None) -> FloatArray: ...
    @overload
    def __call__(self, X: "PointsLike", Y: None = None) -> Matrix: ...
    @overload
    def __call__(self, X: Sequence[float], Y: Sequence[float]) -> float: ...
    @overload
    def __call__(self, X: "PointsLike", Y: "PointsLike") -> Any: ...
    def __call__(self, X: "PointsLike", Y: "PointsLike | None" = None) -> Any:
        """
        Evaluate the kernel.

        Parameters
        ----------
        X : array-like of shape (n, d) or (d,), sparse matrix, or gramian.InnerProducts
            Points in rows, or one point.
        Y : array-like of shape (m, d) or (d,), or sparse matrix, optional
            Points in rows, or one point if X is one; X if None.

        Returns
        -------
        ndarray of shape (n, m) or float
            The Gram matrix; for two points, the number. scikit-learn's ``pairwise_kernels`` asks for one number at a
            time: where speed matters, pass it a Gram matrix with ``kernel="precomputed"``.
        """
        from gramian.functional import gram  # functional imports this module
        from gramian.points import is_point_set

        if Y is None or is_point_set(X) or is_point_set(Y):
            return gram(self, X, Y)
        x, y = as_array(X, "X"), as_array(Y, "Y")
        if x.ndim == 1 and y.ndim == 1:
            return float(gram(self, x[None], y[None])[0, 0])
        return gram(self, x, y)

    @overload
    def diag(self, X: Float32Array) -> Float32Array: ...  # type: ignore[overload-overlap]
    @overload
    def diag(self, X: DoubleLike) -> FloatArray: ...
    @overload
    def diag(self, X: "PointsLike") -> Matrix: ...
    def diag(self, X: "PointsLike") -> Matrix:
        """
        Evaluate the kernel at pairs of equal points, in O(n d) time.

        Parameters
        ----------
        X : array-like of shape (n, d), sparse matrix, or gramian.InnerProducts
            Points in rows.

        Returns
        -------
        ndarray of shape (n,)
            The diagonal of the Gram matrix.
        """
        from gramian.functional import diagonal  # functional imports this module

        return diagonal(self, X)

    @property
    def parameters(self) -> dict[str, Values]:
        """
        The parameters that a gradient is taken in, by the names that `set_params` knows.

        They are in the order of the engine's gradient vector, which has more entries: it also counts what is fixed,
        such as the degree of a polynomial kernel.
        """
        slots = self._lower(None).slots
        return by_name(slots, [slot.value for slot in slots], add=False)

    def named_gradient(self, vector: npt.ArrayLike) -> dict[str, Values]:
        """
        Turn the engine's gradient vector into gradients in the parameters as they were given.

        Parameters
        ----------
        vector : array-like of shape (p,)
            As in ``gramian.adjoint(...).parameter_vector``.

        Returns
        -------
        dict
            A number, or an array for a parameter that is one, for each name in `parameters`.
        """
        slots = self._lower(None).slots
        entries = check_vector(vector, "vector", len(slots), "the kernel")
        return by_name(slots, [slot.chain * float(x) for slot, x in zip(slots, entries, strict=True)], add=True)

    def _with_numbers(self: KernelT, numbers: Sequence[float], dimension: int | None = None) -> KernelT:
        """Return the kernel whose parameters in the engine are these."""
        slots = self._lower(dimension).slots
        values = [slot.given(number) for slot, number in zip(slots, numbers, strict=True)]
        return copy.deepcopy(self).set_params(**by_name(slots, values, add=False))

    @property
    def _traits(self) -> _core.kernels.Traits:
        """What the engine knows of the kernel."""
        return _core.kernels.traits(self._lower(None).spec)

    def _stretched(self, factor: float) -> "Kernel":
        """Return the kernel k(x / factor, y / factor), in which parts without a width stay as they are."""
        own = self.get_params(deep=False).items()
        return type(self)(**{name: v._stretched(factor) if isinstance(v, Kernel) else v for name, v in own})

    @property
    def _has_width(self) -> bool:
        """Whether a part has a width."""
        return self._stretched(2.0) != self

    def __deepcopy__(self: KernelT, memo: dict[int, Any]) -> KernelT:
        # As by __reduce__, in a third of the time.
        return type(self)(**{name: copy.deepcopy(value, memo) for name, value in self.get_params(deep=False).items()})

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.get_params(deep=False))

    def __add__(self, other: object) -> "Sum":
        from gramian.kernels.composite import Sum

        return Sum(self, other) if isinstance(other, Kernel) else NotImplemented

    def __mul__(self, other: object) -> "Product | Scaled":
        from gramian.kernels.composite import Product, Scaled

        if isinstance(other, Kernel):
            return Product(self, other)
        return Scaled(cast(float, other), self) if is_number(other) else NotImplemented

    def __rmul__(self, other: object) -> "Scaled":
        from gramian.kernels.composite import Scaled

        return Scaled(cast(float, other), self) if is_number(other) else NotImplemented

    def __pow__(self, exponent: object) -> "Power":
        from gramian.kernels.composite import Power

        return Power(self, cast(int, exponent)) if is_number(exponent) else NotImplemented


def _rebuild(cls: type[Kernel], params: dict[str, Any]) -> Kernel:
    return cls(**params)


def is_number(value: object) -> bool:
    """Tell whether `value` may stand beside a kernel in a product or a power; its range is checked at use."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
