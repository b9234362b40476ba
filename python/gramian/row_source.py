# SPDX-License-Identifier: BSD-3-Clause
"""Rows that need not be in memory: functions read them a block at a time."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from gramian._sparse import check_sparse
from gramian._validation import FLOAT64, as_array, check_not_empty, is_sparse
from gramian.points import RowSource

__all__ = ["rows"]

_NUMBERS_OF_BATCH = 2**21
"""16 MiB of float64."""


def __dir__() -> list[str]:
    return list(__all__)


RowsLike: TypeAlias = "npt.NDArray[Any] | RowSource | str | os.PathLike[str] | Iterable[npt.ArrayLike] | Any"


def rows(source: RowsLike, *, shape: tuple[int, int] | None = None) -> RowSource:
    """
    Return a source of rows for data that need not fit into memory.

    `gramian.product` with two sets of points, `gramian.diagonal`, `gramian.normal_product`, `gramian.normal_system`,
    and ``predict`` and ``transform`` of the estimators take it as X, and convert and read a block at a time. They take
    memory maps, paths and any object with ``shape``, ``dtype`` and ``read`` directly.

    Parameters
    ----------
    source : path, array, sparse matrix, or iterable of blocks
        A path to a ``.npy`` file, which is mapped, or to a ``.parquet`` file, which needs pyarrow and whose columns are
        numbers; an array with slices of rows, such as a memory map; a sparse matrix, whose rows become dense; or an
        iterable that begins anew each time, as a list does and a generator does not, of matrices with rows.
    shape : tuple of int, optional
        The number of rows and columns of an iterable of blocks; they are counted in one pass if it is None.

    Returns
    -------
    RowSource

    Raises
    ------
    TypeError, ValueError
        If the source is of no such kind, or has no rows or columns.
    ImportError
        For a ``.parquet`` file without pyarrow.

    Examples
    --------
    >>> import gramian
    >>> source = gramian.rows([[[0.0], [1.0]], [[2.0]]])
    >>> source.shape, source.read(1, 2).ravel()
    ((3, 1), array([1., 2.]))
    """
    found = _rows_of(source, shape)
    if len(found.shape) != 2:
        raise ValueError(f"Expected rows with two dimensions, got shape {found.shape}.")
    check_not_empty(found.shape, "of rows")
    return found


def _rows_of(source: Any, shape: tuple[int, int] | None) -> RowSource:
    if isinstance(source, str | os.PathLike):
        return _file(Path(source))
    if is_sparse(source):
        return _SparseRows(source)
    if isinstance(source, RowSource):
        return source
    if hasattr(source, "shape") and hasattr(source, "dtype") and hasattr(source, "__getitem__"):
        return _ArrayRows(source)
    if isinstance(source, Iterable):
        return _blocks(source, shape)
    raise TypeError(
        f"rows must be a path, an array, a sparse matrix, an iterable of blocks, or have shape, dtype and read. "
        f"Got {type(source).__name__} instead."
    )


def _file(path: Path) -> RowSource:
    if path.suffix == ".npy":
        return _ArrayRows(np.load(path, mmap_mode="r", allow_pickle=False))
    if path.suffix in (".parquet", ".pq"):
        return _parquet(path)
    raise ValueError(f"{path.name} is no .npy or .parquet file: open it, and pass an array or blocks of rows.")


class _ArrayRows:
    """What has rows in slices."""

    def __init__(self, array: Any) -> None:
        self._array = array
        self.shape: tuple[int, int] = tuple(array.shape)
        self.dtype = np.dtype(array.dtype)

    def read(self, first: int, count: int) -> npt.NDArray[Any]:
        """Return some rows."""
        return np.asarray(self._array[first : first + count])


class _SparseRows:
    """A sparse matrix, whose rows become dense."""

    def __init__(self, matrix: Any) -> None:
        check_sparse(matrix, "X")
        self._matrix = matrix.tocsr()
        self.shape: tuple[int, int] = tuple(matrix.shape)
        self.dtype = np.dtype(matrix.dtype)

    def read(self, first: int, count: int) -> npt.NDArray[Any]:
        """Return some rows."""
        return cast(npt.NDArray[Any], self._matrix[first : first + count].toarray())


class _StreamedRows:
    """Blocks that follow each other; what comes before the last ones read begins anew."""

    def __init__(
        self, begin: Callable[[], Iterator[npt.NDArray[Any]]], shape: tuple[int, int], dtype: npt.DTypeLike
    ) -> None:
        self._begin = begin
        self.shape = shape
        self.dtype = np.dtype(dtype)
        self._restart()

    def _restart(self) -> None:
        self._blocks = self._begin()
        self._block: npt.NDArray[Any] = np.empty((0, self.shape[1]), self.dtype)
        self._first = 0

    def read(self, first: int, count: int) -> npt.NDArray[Any]:
        """Return some rows, of as many blocks as they are in."""
        if first < self._first:
            self._restart()
        out = np.empty((count, self.shape[1]), self.dtype)
        done = 0
        while done < count:
            start = first + done - self._first
            part = self._block[start : start + count - done]
            out[done : done + len(part)] = part
            done += len(part)
            if done < count:
                self._next(first + done)
        return out

    def _next(self, wanted: int) -> None:
        self._first += len(self._block)
        block = next(self._blocks, None)
        if block is None:
            raise ValueError(f"The blocks have {self._first} rows, and row {wanted} was to be read of {self.shape[0]}.")
        self._block = _checked_block(block, self.shape[1])


def _checked_block(block: Any, columns: int | None) -> npt.NDArray[Any]:
    array = as_array(block, "a block of rows")
    if array.ndim != 2 or (columns is not None and array.shape[1] != columns):
        expected = "two dimensions" if columns is None else f"{columns} columns"
        raise ValueError(f"A block of rows must have {expected}, got shape {array.shape}.")
    return array


def _blocks(blocks: Iterable[Any], shape: tuple[int, int] | None) -> RowSource:
    if isinstance(blocks, Iterator):
        raise TypeError(
            "An iterator cannot be read twice: pass a list of blocks, or an object whose __iter__ begins anew."
        )
    dtypes, count, columns = [], 0, None if shape is None else shape[1]
    for block in blocks:
        array = _checked_block(block, columns)
        dtypes.append(array.dtype)
        count, columns = count + len(array), array.shape[1]
        if shape is not None:
            break
    found = (count, columns or 0) if shape is None else shape
    dtype = np.result_type(*dtypes) if dtypes else FLOAT64
    return _StreamedRows(lambda: iter(blocks), found, FLOAT64 if shape is not None and dtype.kind != "f" else dtype)


def _parquet(path: Path) -> RowSource:
    try:
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("Reading .parquet files needs pyarrow: pip install 'gramian[parquet]'.") from error
    file = parquet.ParquetFile(path)
    names = file.schema_arrow.names
    kinds = [np.dtype(kind.to_pandas_dtype()) for kind in file.schema_arrow.types]
    wrong = [name for name, kind in zip(names, kinds, strict=True) if kind.kind not in "fiub"]
    if wrong:
        raise TypeError(f"The column {wrong[0]!r} of {path.name} has no numbers: leave it out of the file.")
    dtype = np.result_type(*kinds) if kinds else FLOAT64
    size = max(1, _NUMBERS_OF_BATCH // max(1, len(names)))

    def begin() -> Iterator[npt.NDArray[Any]]:
        for batch in file.iter_batches(batch_size=size):
            yield np.column_stack([np.asarray(column, dtype) for column in batch.columns])

    return _StreamedRows(begin, (file.metadata.num_rows, len(names)), dtype)
