# SPDX-License-Identifier: BSD-3-Clause
"""Advice of errors about packages that are missing: the extra brings the package, and with it the call succeeds."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian.cli import tables
from gramian.features import TorchFeatures
from gramian.plots import RelevanceDisplay

X = np.random.default_rng(0).normal(size=(20, 3))
PROJECT = (Path(__file__).parents[2] / "pyproject.toml").read_text()


def draw(folder):
    return RelevanceDisplay(np.ones(3)).plot()


def compute_in_blocks(folder):
    apply = importlib.import_module("gramian.dask").apply
    blocks = importlib.import_module("dask.array").from_array(X, chunks=(5, 3))
    return apply(gramian.KernelRidge().fit(X, X[:, 0]), blocks).compute()


def read_rows(folder):
    return gramian.KernelRidge(landmarks=5).fit(gramian.rows(folder / "x.parquet"), X[:, 2])


def read_table(folder):
    return tables.read(str(folder / "x.parquet"))


def load_sparse(folder):
    return gramian.load(folder / "sparse.gramian")


# The package, the extra that brings it, and what needs it.
CASES = {
    "plots": ("matplotlib", "plots", draw),
    "blocks": ("dask", "dask", compute_in_blocks),
    "rows": ("pyarrow", "parquet", read_rows),
    "tables": ("pyarrow", "parquet", read_table),
    "sparse": ("scipy", None, load_sparse),
}


@pytest.fixture
def folder(tmp_path):
    table = importlib.import_module("pyarrow").table({"a": X[:, 0], "b": X[:, 1]})
    importlib.import_module("pyarrow.parquet").write_table(table, tmp_path / "x.parquet")
    model = gramian.KernelRidge().fit(scipy.sparse.csr_matrix(X), X[:, 0])
    model.save(tmp_path / "sparse.gramian")
    return tmp_path


def hide(monkeypatch, package):
    """Let imports of a package fail, of its modules too, and let those of gramian that have imported it begin anew."""
    for name in [*sys.modules]:
        if name.split(".")[0] == package or name.startswith(f"gramian.{package}"):
            monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)


def brought_by(extra):
    """The packages of an extra, as pyproject.toml has them."""
    listed = re.search(rf"^{extra} = \[(.*)\]$", PROJECT, re.MULTILINE).group(1)
    return {re.match(r"[\w-]+", one).group() for one in re.findall(r'"([^"]+)"', listed)}


@pytest.mark.parametrize("case", CASES)
def test_with_what_an_error_says_to_install_the_call_succeeds(case, folder, monkeypatch):
    package, extra, call = CASES[case]
    advice = rf"pip install 'gramian\[{extra}\]'" if extra else "install SciPy"
    with monkeypatch.context() as hidden:
        hide(hidden, package)
        with pytest.raises(ImportError, match=advice):
            call(folder)
    assert extra is None or package in brought_by(extra)
    assert call(folder) is not None


def test_the_extra_for_torch_brings_it(monkeypatch):
    # tests/torch, where it is installed, has what succeeds then.
    hide(monkeypatch, "torch")
    with pytest.raises(ImportError, match=r"pip install gramian\[torch\]"):
        TorchFeatures(module=object()).sizes(4)
    assert "torch" in brought_by("torch")
