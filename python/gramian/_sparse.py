# SPDX-License-Identifier: BSD-3-Clause
"""
Sparse matrices whose parts do not fit together.

SciPy lets anybody write to the parts of a sparse matrix, and its compiled code trusts them: it reads and writes outside
of its arrays where they do not fit. So they are compared first.
"""

from collections.abc import Callable
from typing import Any

import numpy as np


class _Broken(Exception):
    """Says what is wrong, without the name of the argument."""


def check_sparse(value: Any, name: str) -> None:
    """
    Refuse a sparse matrix of SciPy that its own compiled code could not read.

    Parameters
    ----------
    value : sparse matrix or array
        In any format of SciPy. Its entries are not looked at.
    name : str
        What the error calls it.

    Raises
    ------
    ValueError
        If its parts have other lengths than its shape says, or if an index is out of range.
    """
    check = _CHECKS.get(value.format)
    try:
        if check is not None:
            check(value)
    except _Broken as error:
        raise ValueError(
            f"{name} is no valid {value.format.upper()} matrix of shape {value.shape}: {error}. Build it anew from its "
            f"entries."
        ) from None


def _compressed(value: Any) -> None:
    """Check CSR, CSC and BSR."""
    shape = value.shape if len(value.shape) == 2 else (1, *value.shape)
    block: tuple[int, ...] = (1, 1)
    data = np.asarray(value.data)
    if value.format == "bsr":
        if data.ndim != 3:
            raise _Broken(f"data must have three dimensions, got shape {data.shape}")
        block = data.shape[1:]
        if 0 in block or shape[0] % block[0] or shape[1] % block[1]:
            raise _Broken(f"blocks of shape {block} do not divide its shape")
    elif data.ndim != 1:
        raise _Broken(f"data must have one dimension, got shape {data.shape}")
    major, minor = (shape[0] // block[0], shape[1] // block[1])[:: -1 if value.format == "csc" else 1]
    indptr, indices = _integers(value.indptr, "indptr"), _integers(value.indices, "indices")
    if len(indptr) != major + 1:
        raise _Broken(f"indptr must have {major + 1} entries, got {len(indptr)}")
    if indptr[0] != 0:
        raise _Broken(f"indptr must begin with 0, got {indptr[0]}")
    falls = indptr[1:] < indptr[:-1]
    if falls.any():
        row = int(np.argmax(falls))
        raise _Broken(f"indptr must not decrease, and indptr[{row + 1}] = {indptr[row + 1]} follows {indptr[row]}")
    held = min(len(indices), len(data))
    if indptr[-1] > held:
        raise _Broken(
            f"indptr ends with {indptr[-1]}, and there are {len(indices)} entries of indices and {len(data)} of data"
        )
    _in_range(indices[: int(indptr[-1])], minor, "indices")


def _coordinates(value: Any) -> None:
    parts = getattr(value, "coords", None) or (value.row, value.col)  # coords came with SciPy 1.13
    data = np.asarray(value.data)
    if len(parts) != len(value.shape):
        raise _Broken(f"it has coordinates of {len(parts)} axes")
    for axis, (part, size) in enumerate(zip(parts, value.shape, strict=True)):
        what = f"coords[{axis}]"
        positions = _integers(part, what)
        if len(positions) != len(data) or data.ndim != 1:
            raise _Broken(f"{what} has {len(positions)} entries, and data has shape {data.shape}")
        _in_range(positions, size, what)


def _diagonals(value: Any) -> None:
    offsets, data = _integers(value.offsets, "offsets"), np.asarray(value.data)
    if data.ndim != 2 or len(offsets) != len(data):
        raise _Broken(f"offsets has {len(offsets)} entries, and data has shape {data.shape}")
    if len(np.unique(offsets)) != len(offsets):
        raise _Broken("offsets must be different from each other")


def _lists(value: Any) -> None:
    rows, data = value.rows, value.data
    if len(rows) != value.shape[0] or len(data) != value.shape[0]:
        raise _Broken(f"it has {len(rows)} lists of columns and {len(data)} of entries")
    for row, (columns, entries) in enumerate(zip(rows, data, strict=True)):
        if len(columns) != len(entries):
            raise _Broken(f"row {row} has {len(columns)} columns and {len(entries)} entries")
        if columns:
            _in_range(_integers(columns, f"rows[{row}]"), value.shape[1], f"rows[{row}]")


def _keys(value: Any) -> None:
    for axis, size in enumerate(value.shape):
        positions = [key[axis] if isinstance(key, tuple) else key for key in value.keys()]  # noqa: SIM118
        if positions:
            _in_range(_integers(positions, "keys"), size, "keys")


def _integers(values: Any, what: str) -> Any:
    array = np.asarray(values)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise _Broken(f"{what} must be a vector of integers, got dtype {array.dtype} and shape {array.shape}")
    return array


def _in_range(positions: Any, size: int, what: str) -> None:
    if len(positions) and (positions.min() < 0 or positions.max() >= size):
        worst = positions.min() if positions.min() < 0 else positions.max()
        raise _Broken(f"{what} must be in [0, {size - 1}], got {worst}")


_CHECKS: dict[str, Callable[[Any], None]] = {
    "csr": _compressed,
    "csc": _compressed,
    "bsr": _compressed,
    "coo": _coordinates,
    "dia": _diagonals,
    "lil": _lists,
    "dok": _keys,
}
