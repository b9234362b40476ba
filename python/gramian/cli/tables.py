# SPDX-License-Identifier: BSD-3-Clause
"""Tables in files: columns with names, of numbers or of text."""

import csv
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TextIO, TypeAlias

import numpy as np
import numpy.typing as npt

Column: TypeAlias = npt.NDArray[Any]
Table: TypeAlias = dict[str, Column]

KINDS = ".csv, .npy, .npz or .parquet"
STANDARD_STREAM = "-"


def read(path: str) -> Table:
    """Return the columns of a file by their names; of standard input, in CSV, for "-"."""
    if path == STANDARD_STREAM:
        return _read_csv(sys.stdin, "standard input")
    kind = Path(path).suffix.lower()
    if kind == ".csv":
        with open(path, newline="", encoding="utf-8-sig") as file:
            return _read_csv(file, path)
    if kind == ".npy":
        return _numbered(np.load(path, allow_pickle=False), path)
    if kind == ".npz":
        return _read_npz(path)
    if kind in (".parquet", ".pq"):
        return _read_parquet(path)
    raise ValueError(f"{path} is no {KINDS} file.")


def write(table: Table, path: str | None) -> None:
    """Write columns to a file of the kind that its name says, or as CSV to standard output."""
    kind = ".csv" if path in (None, STANDARD_STREAM) else Path(str(path)).suffix.lower()
    if kind == ".csv":
        standard = path in (None, STANDARD_STREAM)
        with nullcontext(sys.stdout) if standard else open(str(path), "w", newline="", encoding="utf-8") as file:
            _write_csv(table, file)
    elif kind == ".npy":
        np.save(str(path), np.column_stack(list(table.values())))
    elif kind == ".npz":
        np.savez(str(path), **table)  # type: ignore[arg-type]
    elif kind in (".parquet", ".pq"):
        parquet, arrow = _parquet()
        parquet.write_table(arrow.table(table), path)
    else:
        raise ValueError(f"{path} is no {KINDS} file.")


def _read_csv(file: Iterable[str], name: str) -> Table:
    rows = [row for row in csv.reader(file) if row]
    if len(rows) < 2:
        raise ValueError(f"{name} must have a line of names and a line of values at least.")
    names = [entry.strip() for entry in rows[0]]
    twice = sorted({entry for entry in names if names.count(entry) > 1})
    if twice:
        raise ValueError(f"{name} has several columns with the name {twice[0]!r}.")
    if all(_is_number(entry) for entry in names):
        raise ValueError(f"The first line of {name} must have the names of the columns, and it has numbers.")
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(names):
            raise ValueError(f"Line {number} of {name} has {len(row)} entries, and there are {len(names)} columns.")
    return {column: _column([row[i] for row in rows[1:]]) for i, column in enumerate(names)}


def _column(texts: list[str]) -> Column:
    """Return numbers, NaN where there is nothing, or else texts."""
    try:
        return np.array([float(text) if text.strip() else np.nan for text in texts])
    except ValueError:
        return np.array([text.strip() for text in texts])


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _write_csv(table: Table, file: TextIO) -> None:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(table)
    writer.writerows(zip(*(column.tolist() for column in table.values()), strict=True))


def _numbered(array: npt.NDArray[Any], path: str) -> Table:
    if array.ndim != 2:
        raise ValueError(f"{path} must hold a matrix with a sample in each row. It has shape {array.shape}.")
    return {str(i): array[:, i] for i in range(array.shape[1])}


def _read_npz(path: str) -> Table:
    """Return vectors as columns, and the columns of matrices with the name of the matrix and a number."""
    table: Table = {}
    with np.load(path, allow_pickle=False) as arrays:
        for name, array in arrays.items():
            if array.ndim == 1:
                table[name] = array
            else:
                table.update((f"{name}_{i}", column) for i, column in _numbered(array, f"{name} of {path}").items())
    lengths = {len(column) for column in table.values()}
    if len(lengths) != 1:
        raise ValueError(f"The arrays of {path} must have the same number of rows. They have {sorted(lengths)}.")
    return table


def _read_parquet(path: str) -> Table:
    found = _parquet()[0].read_table(path)
    return {name: found.column(name).to_numpy() for name in found.column_names}


def _parquet() -> tuple[Any, Any]:
    try:
        import pyarrow as arrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError("Parquet files need pyarrow: pip install 'gramian[parquet]'.") from error
    return parquet, arrow


def matrix_of(table: Table, names: list[str], path: str) -> npt.NDArray[np.float64]:
    """Return columns of numbers as a matrix."""
    for name in names:
        if table[name].dtype.kind not in "fiub":
            raise ValueError(
                f"Column {name!r} of {path} holds text, which is no feature: leave it out with --drop {name}"
            )
    return np.column_stack([table[name].astype(np.float64) for name in names])
