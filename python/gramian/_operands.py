# SPDX-License-Identifier: BSD-3-Clause
"""A kernel and points that have been checked against each other."""

from typing import Any, cast

import numpy as np

from gramian import _core
from gramian._validation import FLOAT64, Matrix, check_columns, check_matrix, check_rows, check_shape
from gramian.kernels import Kernel
from gramian.kernels.lowering import Spec
from gramian.points import Crossing, InnerProducts, SourcePoints, check_alike, check_points


class Operands:
    """
    What every operation is given.

    Raises
    ------
    TypeError
        If `kernel` is neither a kernel nor the name of one, or needs coordinates where there are none.
    ValueError
        If the parameters are out of range, or X and Y do not fit together.
    """

    def __init__(self, kernel: Kernel | str, X: Any, Y: Any, second: str = "Y") -> None:
        self.x = check_points(X, "X")
        self.y = None if Y is None else check_points(Y, second)
        if self.y is not None:
            check_alike(self.x, self.y, second)
        self.kernel = kernel if isinstance(kernel, Kernel) else self._named(kernel, X if Y is None else Y)
        self.dimension = self.x.dimension or 0
        self.spec: Spec = self.kernel._lower(self.x.dimension).spec
        if self.x.kind != "dense points" and _core.kernels.needs_coordinates(self.spec):
            raise TypeError(
                f"{self.kernel!r} needs the coordinates of dense points, and X has {self.x.kind}: it is a product over "
                f"features, has a width for each of them, or is on images of points."
            )

    def _named(self, kernel: str, X: Any) -> Kernel:
        last = self.x if self.y is None else self.y
        return _named(kernel, last.crossing(FLOAT64) if isinstance(last, SourcePoints) else X)

    @property
    def rows(self) -> int:
        """The number of rows of the Gram matrix."""
        return self.x.rows

    @property
    def columns(self) -> int:
        """The number of columns of the Gram matrix."""
        if isinstance(self.x, InnerProducts):
            return self.x.columns
        return self.x.rows if self.y is None else self.y.rows

    @property
    def columns_owner(self) -> str:
        """The argument that the columns are of."""
        return "X" if self.y is None else "Y"

    @property
    def sparse(self) -> bool:
        """Whether the points are sparse."""
        return self.x.kind == "sparse points"

    def dtype(self, *others: Matrix | None) -> np.dtype[Any]:
        """Return float32 if the points and all the others are that are there, and float64 otherwise."""
        sets = [self.x] if self.y is None else [self.x, self.y]
        return np.result_type(
            *[points.dtype for points in sets], *[array.dtype for array in others if array is not None]
        )

    def points(self, dtype: np.dtype[Any]) -> tuple[Crossing, Crossing | None]:
        """Return what the binding takes for X and Y."""
        return self.x.crossing(dtype), None if self.y is None else self.y.crossing(dtype)


def _named(kernel: Any, X: Any) -> Kernel:
    """Return the kernel of this name, its width by X: of two sets that of the training points, which come second."""
    from gramian.kernels.choice import choose_kernel, decided_kernel  # of no use where kernels are objects

    return cast(Kernel, decided_kernel(choose_kernel(kernel, "kernel", "this function"), X))


def check_gradient(operands: Operands, P: Any, Q: Any, Kbar: Any) -> tuple[Matrix, Matrix | None]:
    """Return P and Q, or Kbar and None, after checking that one of the two was given and that it fits."""
    if Kbar is not None:
        if P is not None or Q is not None:
            raise TypeError("Give P and Q, or Kbar, but not both.")
        dense = check_matrix(Kbar, "Kbar")
        check_shape(dense, "Kbar", (operands.rows, operands.columns))
        return dense, None
    if P is None or Q is None:
        raise TypeError("Give P and Q, or Kbar.")
    left, right = check_columns(P, "P")[0], check_columns(Q, "Q")[0]
    check_rows(left, "P", operands.rows, "X")
    check_rows(right, "Q", operands.columns, operands.columns_owner)
    if left.shape[1] != right.shape[1]:
        raise ValueError(f"P has {left.shape[1]} columns and Q has {right.shape[1]}: they must have as many.")
    return left, right
