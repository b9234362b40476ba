# SPDX-License-Identifier: BSD-3-Clause
"""Tables are read and written in each of the formats, and broken ones are refused."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from gramian.cli import tables

TABLE = {"a": np.array([1.5, -2.0, 1e-300]), "b c": np.array([3.0, 4.0, 5.0])}


@pytest.mark.parametrize("kind", [".csv", ".npz", ".parquet"])
def test_what_is_written_is_read(kind, tmp_path):
    path = str(tmp_path / f"table{kind}")
    tables.write({**TABLE, "name": np.array(["x", "y, z", 'q"'])}, path)
    found = tables.read(path)
    assert list(found) == ["a", "b c", "name"]
    for name, column in TABLE.items():
        np.testing.assert_array_equal(found[name], column)
    assert found["name"].tolist() == ["x", "y, z", 'q"']


def test_a_matrix_has_numbers_for_names(tmp_path):
    path = str(tmp_path / "matrix.npy")
    tables.write(TABLE, path)
    assert list(tables.read(path)) == ["0", "1"]


def test_matrices_among_arrays_have_a_column_each(tmp_path):
    path = tmp_path / "arrays.npz"
    np.savez(path, X=np.zeros((3, 2)), y=np.ones(3))
    assert list(tables.read(str(path))) == ["X_0", "X_1", "y"]
    np.savez(path, X=np.zeros((3, 2)), y=np.ones(4))
    with pytest.raises(ValueError, match=r"must have the same number of rows. They have \[3, 4\]"):
        tables.read(str(path))


def test_nothing_between_commas_is_no_number(tmp_path):
    path = tmp_path / "gap.csv"
    path.write_text("a,b\n1,2\n,4\n")
    assert np.isnan(tables.read(str(path))["a"][1])


@pytest.mark.parametrize(
    "text, message",
    [
        ("", "must have a line of names and a line of values at least"),
        ("a,b\n", "must have a line of names and a line of values at least"),
        ("1,2\n3,4\n", "must have the names of the columns, and it has numbers"),
        ("a,b,a\n1,2,3\n", "has several columns with the name 'a'"),
        ("a,b\n1,2\n1\n", r"Line 3 of .* has 1 entries, and there are 2 columns"),
    ],
)
def test_broken_tables_are_refused(text, message, tmp_path):
    path = tmp_path / "broken.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        tables.read(str(path))


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"x.txt is no .csv, .npy, .npz or .parquet file"):
        tables.read("x.txt")
    with pytest.raises(ValueError, match=r"x.txt is no .csv, .npy, .npz or .parquet file"):
        tables.write(TABLE, "x.txt")
    np.save(tmp_path / "cube.npy", np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match=r"must hold a matrix with a sample in each row. It has shape \(2, 2, 2\)"):
        tables.read(str(tmp_path / "cube.npy"))


def test_parquet_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'gramian\[parquet\]'"):
        tables.read("x.parquet")
