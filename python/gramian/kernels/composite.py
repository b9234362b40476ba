# SPDX-License-Identifier: BSD-3-Clause
"""Kernels made of kernels. Parameters of the parts are named as in scikit-learn's: ``k1__gamma``."""

from functools import reduce
from typing import Any, ClassVar

from gramian._validation import check_whole
from gramian._value import plain
from gramian.kernels.base import Kernel
from gramian.kernels.lowering import Lowered, prefixed, real_slot

_LARGEST_EXPONENT = 64


class _Composite(Kernel):
    _precedence: ClassVar[int]

    def _part(self, name: str, dimension: int | None) -> Lowered:
        kernel = vars(self)[name]
        if not isinstance(kernel, Kernel):
            raise TypeError(
                f"The {name!r} parameter of {type(self).__name__} must be a kernel. Got {kernel!r} instead."
            )
        spec, slots = kernel._lower(dimension)
        return Lowered(spec, prefixed(slots, name))

    def _operand(self, part: Any, least: int) -> str:
        """Return the part as it stands in an expression: in brackets if it would bind less than `least` does."""
        text = repr(plain(part))
        return f"({text})" if isinstance(part, _Composite) and part._precedence < least else text


class _Pair(_Composite):
    """Two kernels and what joins them; the right one is in brackets if it binds no tighter."""

    _node: ClassVar[str]
    _symbol: ClassVar[str]

    k1: Kernel
    k2: Kernel

    def __init__(self, k1: Kernel, k2: Kernel) -> None:
        self._store(k1=k1, k2=k2)

    def _lower(self, dimension: int | None) -> Lowered:
        first, second = self._part("k1", dimension), self._part("k2", dimension)
        return Lowered((self._node, first.spec, second.spec), first.slots + second.slots)

    def __repr__(self) -> str:
        left, right = self._operand(self.k1, self._precedence), self._operand(self.k2, self._precedence + 1)
        return f"{left} {self._symbol} {right}"


class Sum(_Pair):
    """
    The sum of two kernels: ``k1 + k2``.

    Parameters
    ----------
    k1 : Kernel
        The first one.
    k2 : Kernel
        The second one.
    """

    _precedence = 1
    _node = "sum"
    _symbol = "+"


class Product(_Pair):
    """
    The product of two kernels: ``k1 * k2``.

    Parameters
    ----------
    k1 : Kernel
        The first one.
    k2 : Kernel
        The second one.
    """

    _precedence = 2
    _node = "product"
    _symbol = "*"


class Scaled(_Composite):
    """
    A multiple of a kernel: ``factor * kernel``. The factor is what is called a variance of a stationary kernel.

    Parameters
    ----------
    factor : float
        Above 0.
    kernel : Kernel
        The kernel.
    """

    _precedence = 2

    factor: float
    kernel: Kernel

    def __init__(self, factor: float, kernel: Kernel) -> None:
        self._store(factor=factor, kernel=kernel)

    def _lower(self, dimension: int | None) -> Lowered:
        factor = real_slot(self.factor, "factor", "Scaled")
        inner = self._part("kernel", dimension)
        return Lowered(("multiple", factor.engine, inner.spec), (factor, *inner.slots))

    def __repr__(self) -> str:
        return f"{self._operand(self.factor, 3)} * {self._operand(self.kernel, 3)}"


class Power(_Composite):
    """
    The product of a kernel with itself: ``kernel ** exponent``.

    It costs as much as `exponent` kernels: for a power of the linear kernel take `Polynomial`.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    exponent : int
        From 1 to 64.
    """

    _precedence = 3

    kernel: Kernel
    exponent: int

    def __init__(self, kernel: Kernel, exponent: int) -> None:
        self._store(kernel=kernel, exponent=exponent)

    def _lower(self, dimension: int | None) -> Lowered:
        exponent = check_whole(self.exponent, "exponent", "Power", _LARGEST_EXPONENT)
        spec, slots = self._part("kernel", dimension)
        return Lowered(reduce(lambda power, factor: ("product", power, factor), [spec] * exponent), slots * exponent)

    def __repr__(self) -> str:
        return f"{self._operand(self.kernel, 4)} ** {self._operand(self.exponent, 4)}"
