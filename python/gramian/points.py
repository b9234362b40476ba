# SPDX-License-Identifier: BSD-3-Clause
"""What kernels are evaluated on: dense points, sparse points, and points that are known by their inner products."""

import os
from collections.abc import Iterator
from typing import Any, Protocol, TypeAlias, cast, runtime_checkable

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._sparse import check_sparse
from gramian._validation import (
    FLOAT64,
    FloatArray,
    Matrix,
    as_array,
    check_entries,
    check_matrix,
    check_not_empty,
    check_vector,
    is_sparse,
)

__all__ = ["InnerProducts", "RowSource"]


def __dir__() -> list[str]:
    return list(__all__)


Crossing: TypeAlias = npt.NDArray[Any] | tuple[Any, ...]
"""What the binding takes."""

_ROWS_AT_A_TIME = 256
_NUMBERS_OF_BLOCK = 2**21
"""16 MiB of float64: blocks are small beside what an operation needs, and worth a call each."""
_LARGE = 2**22
"""Numbers of an array from which on its conversion to float64 is worth blocks."""


class PointSet(Protocol):
    """What the functional layer asks of points."""

    @property
    def rows(self) -> int:
        """Return the number of points."""

    @property
    def dimension(self) -> int | None:
        """Return the number of features, if there are any."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the type of the numbers."""

    @property
    def kind(self) -> str:
        """Return what they are called in an error."""

    def crossing(self, dtype: np.dtype[Any]) -> Crossing:
        """Return what the binding takes."""


class InnerProducts:
    r"""
    Points that are known by their inner products alone, as a kernel on top of a precomputed Gram matrix needs them.

    It stands wherever a function of gramian takes ``X``, without a ``Y``. Kernels that need coordinates refuse it:
    those that are products over features, and those with a width for each feature.

    Parameters
    ----------
    K : array-like of shape (n, n) or (n, m)
        ``K[i, j]`` is :math:`\langle x_i, x_j \rangle` of one set, or :math:`\langle x_i, y_j \rangle` of two.
    x_squares : array-like of shape (n,), optional
        :math:`\|x_i\|^2`, for two sets.
    y_squares : array-like of shape (m,), optional
        :math:`\|y_j\|^2`, for two sets.

    Raises
    ------
    ValueError
        If K of one set is not square, not symmetric to a relative 1e-8 (1e-5 in float32), or if these are the inner
        products of no points: a squared norm is negative, or an entry is larger than its two norms allow. The
        message has the defect that was measured.

    Examples
    --------
    >>> import gramian
    >>> gramian.gram(gramian.kernels.Polynomial(degree=2), gramian.InnerProducts([[1.0, 0.0], [0.0, 1.0]]))
    array([[4., 1.],
           [1., 4.]])
    """

    kind = "inner products"
    dimension = None

    def __init__(
        self, K: npt.ArrayLike, x_squares: npt.ArrayLike | None = None, y_squares: npt.ArrayLike | None = None
    ) -> None:
        if (x_squares is None) != (y_squares is None):
            raise ValueError("x_squares and y_squares must be given together: for two sets of points, or not at all.")
        self.K = check_matrix(K, "K")
        self.x_squares: Matrix | None = None
        self.y_squares: Matrix | None = None
        if x_squares is None:
            _check_symmetric(self.K)
            diagonal = np.diagonal(self.K)
            _check_norms(self.K, cast(Matrix, diagonal), cast(Matrix, diagonal), "K[{0}, {0}]", "K[{0}, {0}]")
        else:
            n, m = self.K.shape
            self.x_squares = check_vector(x_squares, "x_squares", n, "the rows of K")
            self.y_squares = check_vector(y_squares, "y_squares", m, "the columns of K")
            _check_norms(self.K, self.x_squares, self.y_squares, "x_squares[{0}]", "y_squares[{0}]")

    def __repr__(self) -> str:
        sets = "one set" if self.one_set else "two sets"
        return f"<InnerProducts of {sets}: {self.K.shape[0]} x {self.K.shape[1]}, {self.dtype}>"

    @property
    def one_set(self) -> bool:
        """Whether K is that of one set of points."""
        return self.x_squares is None

    @property
    def rows(self) -> int:
        """The number of points of the first set."""
        return len(self.K)

    @property
    def columns(self) -> int:
        """The number of points of the second set."""
        return int(self.K.shape[1])

    @property
    def dtype(self) -> np.dtype[Any]:
        """float32 if all of it is, float64 otherwise."""
        parts = [self.K, self.x_squares, self.y_squares]
        return np.result_type(*[part.dtype for part in parts if part is not None])

    def crossing(self, dtype: np.dtype[Any]) -> Crossing:
        """Return what the binding takes."""
        K = self.K.astype(dtype, copy=False)
        if self.x_squares is None or self.y_squares is None:
            return "inner", K, None, None
        columns = [squares.astype(dtype, copy=False)[:, None] for squares in (self.x_squares, self.y_squares)]
        return "inner", K, *columns


class DensePoints:
    """A matrix with a point in each row."""

    kind = "dense points"

    def __init__(self, value: Any, name: str) -> None:
        self.matrix = check_matrix(value, name)
        self.rows, self.dimension = self.matrix.shape
        self.dtype = self.matrix.dtype

    def crossing(self, dtype: np.dtype[Any]) -> Crossing:
        """Return what the binding takes."""
        return self.matrix.astype(dtype, copy=False)


class SparsePoints:
    """A sparse matrix with a point in each row, in compressed rows."""

    kind = "sparse points"

    def __init__(self, value: Any, name: str) -> None:
        if len(value.shape) != 2:
            raise ValueError(f"Expected 2D array {name}, got a sparse array of shape {value.shape} instead.")
        check_not_empty(value.shape, name)
        check_sparse(value, name)
        compressed = value.tocsr()
        self.values = np.ascontiguousarray(check_entries(compressed.data, name))
        # Own copies: the engine checks them once and trusts them from then on.
        self.row_start = np.array(compressed.indptr, dtype=np.int64)
        self.columns = np.array(compressed.indices, dtype=np.int64)
        self.rows, self.dimension = value.shape
        self.dtype = self.values.dtype

    def crossing(self, dtype: np.dtype[Any]) -> Crossing:
        """Return what the binding takes."""
        return "sparse", self.row_start, self.columns, self.values.astype(dtype, copy=False), int(self.dimension)


@runtime_checkable
class RowSource(Protocol):
    """
    Rows that are read a block at a time, in ascending order and each one once for a pass over all rows.

    Any object with these three is one. `gramian.rows` makes one of a file, a memory map or blocks.
    """

    @property
    def shape(self) -> tuple[int, int]:
        """Return the number of rows and of columns."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """Return the type of the numbers; float32 stays float32, and every other one becomes float64."""

    def read(self, first: int, count: int) -> npt.NDArray[Any]:
        """Return the rows ``first`` .. ``first + count - 1`` as a matrix."""


def is_row_source(value: Any) -> bool:
    """Tell whether a function should read an argument a block at a time."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        return False
    if isinstance(value, np.ndarray):
        if value.ndim != 2 or value.dtype.kind not in "fiub" or isinstance(value, np.ma.MaskedArray | np.matrix):
            return False
        native = value.dtype in (np.float64, np.float32)
        return isinstance(value, np.memmap) or (not native and value.size > _LARGE)
    return isinstance(value, os.PathLike) or (hasattr(value, "read") and isinstance(value, RowSource))


class SourcePoints:
    """Points in rows that are read a block at a time; what needs all of them at once gets an array."""

    kind = "dense points"

    def __init__(self, value: Any, name: str) -> None:
        from gramian.row_source import rows  # files and what reads them are seldom needed

        self.source = rows(value)
        self._name = name
        self.rows, self.dimension = self.source.shape
        narrow = self.source.dtype == np.float32
        self.dtype: np.dtype[Any] = np.dtype(np.float32) if narrow else FLOAT64

    def block(self, first: int, count: int, dtype: np.dtype[Any]) -> Matrix:
        """Return some rows as finite numbers of a type."""
        array = as_array(self.source.read(first, count), self._name)
        if array.shape != (count, self.dimension):
            expected = (count, self.dimension)
            raise ValueError(f"read({first}, {count}) of {self._name} must return shape {expected}, got {array.shape}.")
        return np.ascontiguousarray(check_entries(array, self._name), dtype=dtype)

    def blocks(self, dtype: np.dtype[Any]) -> Iterator[tuple[slice, Matrix]]:
        """Return all blocks in order, each with its rows."""
        step = max(1, _NUMBERS_OF_BLOCK // max(1, self.dimension))
        for first in range(0, self.rows, step):
            last = min(self.rows, first + step)
            yield slice(first, last), self.block(first, last - first, dtype)

    def read(self, first: int, count: int) -> FloatArray:
        """Return some rows for the engine."""
        return cast(FloatArray, self.block(first, count, FLOAT64))

    def crossing(self, dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        """Return all rows as one array."""
        _core.base.require_memory(self.rows * self.dimension * dtype.itemsize, self._name, "pass fewer rows at a time")
        out = np.empty((self.rows, self.dimension), dtype)
        for part, block in self.blocks(dtype):
            out[part] = block
        return out


class SparseLike(Protocol):
    """A sparse matrix or array of SciPy."""

    def tocsr(self) -> Any:
        """Return it in compressed rows."""


PointsLike: TypeAlias = npt.ArrayLike | SparseLike | InnerProducts | RowSource | os.PathLike[str]


def is_point_set(value: Any) -> bool:
    """Tell whether `value` is a set of points that is no array."""
    return isinstance(value, InnerProducts) or is_sparse(value)


def check_points(value: Any, name: str) -> PointSet:
    """Return `value` as a set of points; the errors call it `name`."""
    if isinstance(value, InnerProducts):
        return value
    if is_sparse(value):
        return SparsePoints(value, name)
    return SourcePoints(value, name) if is_row_source(value) else DensePoints(value, name)


def check_alike(x: PointSet, y: PointSet, second: str = "Y") -> None:
    """Refuse two sets of points that no kernel can take together; the errors call the other one `second`."""
    if isinstance(x, InnerProducts) or isinstance(y, InnerProducts):
        raise TypeError(
            "InnerProducts take the place of X and Y together: Y must be None. "
            "For two sets use InnerProducts(K, x_squares, y_squares) as X."
        )
    if x.kind != y.kind:
        raise TypeError(f"X has {x.kind} and {second} {y.kind}: they must be alike. Use .toarray() on the sparse one.")
    if x.dimension != y.dimension:
        raise ValueError(
            f"Incompatible dimension for X and {second} matrices: X.shape[1] == {x.dimension} "
            f"while {second}.shape[1] == {y.dimension}"
        )


def _check_symmetric(K: Matrix) -> None:
    n, m = K.shape
    if n != m:
        raise ValueError(
            f"K must be square, got shape {(n, m)}. For the inner products of two sets give x_squares and y_squares."
        )
    largest = defect = 0.0
    for start in range(0, n, _ROWS_AT_A_TIME):  # K may fill half the memory
        rows = K[start : start + _ROWS_AT_A_TIME]
        largest = max(largest, float(np.abs(rows).max()))
        defect = max(defect, float(np.abs(rows - K[:, start : start + _ROWS_AT_A_TIME].T).max()))
    allowed = _core.linalg.symmetry_tolerance(K.dtype == np.float32)
    if defect > allowed * largest:
        raise ValueError(
            f"K must be symmetric to a relative {allowed:g}: |K - K.T| reaches {defect:.3g}, |K| {largest:.3g}."
        )


def _check_norms(K: Matrix, x_squares: Matrix, y_squares: Matrix, x_name: str, y_name: str) -> None:
    for squares, name in ((x_squares, x_name), (y_squares, y_name)):
        worst = int(np.argmin(squares))
        if squares[worst] < 0:
            raise ValueError(
                f"{name.format(worst)} is a squared norm and must be at least 0. Got {squares[worst]:.3g}."
            )
    allowed = _core.linalg.symmetry_tolerance(K.dtype == np.float32)
    x_norms, y_norms = np.sqrt(x_squares), np.sqrt(y_squares)
    slack = allowed * float(x_norms.max()) * float(y_norms.max())
    for start in range(0, len(K), _ROWS_AT_A_TIME):
        excess = np.abs(K[start : start + _ROWS_AT_A_TIME]) - x_norms[start : start + _ROWS_AT_A_TIME, None] * y_norms
        i, j = np.unravel_index(np.argmax(excess), excess.shape)
        if excess[i, j] > slack:
            raise ValueError(
                f"K is not positive semidefinite: |K[{start + i}, {j}]| is {excess[i, j]:.3g} above the product of "
                f"the two norms."
            )
