# SPDX-License-Identifier: BSD-3-Clause
"""Rows that are read a block at a time give the bits of rows in memory, and take memory for blocks only."""

import sys
from pathlib import Path

import gramian
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse
from gramian import points
from gramian.kernels import Gaussian

KERNEL = Gaussian(length_scale=2.0)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(900, 3))
CENTRES, V, Y = X[:20].copy(), RNG.normal(size=(20, 2)), RNG.normal(size=(900, 2))
WHOLE = Gaussian(length_scale=0.7)


class Blocks:
    """Blocks of rows that begin anew."""

    def __init__(self, size):
        self.size = size

    def __iter__(self):
        return (X[first : first + self.size] for first in range(0, len(X), self.size))


class Counted:
    """A source of the user's own, which may fail."""

    def __init__(self, array, fails_at=None):
        self.array, self.fails_at = array, fails_at
        self.shape, self.dtype = array.shape, array.dtype

    def read(self, first, count):
        if self.fails_at is not None and first + count > self.fails_at:
            raise OSError("the disk is gone")
        return self.array[first : first + count]


@pytest.fixture(params=[1, 7, 1000, 10**9], ids="{}_numbers".format)
def block_numbers(request, monkeypatch):
    """The numbers of a block."""
    monkeypatch.setattr(points, "_NUMBERS_OF_BLOCK", request.param * 3)
    return request.param


def sources(folder):
    np.save(folder / "x.npy", X)
    table = pyarrow.table({f"x{k}": X[:, k] for k in range(3)})
    pyarrow.parquet.write_table(table, folder / "x.parquet", row_group_size=250)
    mapped = np.memmap(folder / "x.dat", dtype=np.float64, mode="w+", shape=X.shape)
    mapped[:] = X
    yield from (mapped, folder / "x.npy", folder / "x.parquet", Counted(X))
    yield from (gramian.rows(str(folder / "x.npy")), gramian.rows(scipy.sparse.csr_matrix(X)), gramian.rows(X[:, :]))
    yield from (gramian.rows(Blocks(size)) for size in (1, 7, 1000))
    yield gramian.rows(Blocks(7), shape=X.shape)


def test_every_source_gives_the_bits_of_an_array(tmp_path, block_numbers):
    expected = (
        gramian.product(KERNEL, X, V, CENTRES),
        gramian.diagonal(KERNEL, X),
        gramian.normal_product(KERNEL, X, CENTRES, V, Y=Y),
        *gramian.normal_system(KERNEL, X, CENTRES, Y),
        gramian.incomplete_cholesky(WHOLE, X, 40, random_state=0).factor,
    )
    for source in sources(tmp_path):
        found = (
            gramian.product(KERNEL, source, V, CENTRES),
            gramian.diagonal(KERNEL, source),
            gramian.normal_product(KERNEL, source, CENTRES, V, Y=Y),
            *gramian.normal_system(KERNEL, source, CENTRES, Y),
            gramian.incomplete_cholesky(WHOLE, source, 40, random_state=0).factor,
        )
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("dtype", [np.float32, np.int16, np.uint8, np.bool_, ">f8"])
def test_any_type_of_numbers_is_read(tmp_path, dtype, monkeypatch):
    monkeypatch.setattr(points, "_NUMBERS_OF_BLOCK", 300)
    numbers = (np.abs(X) * 3).astype(dtype)
    mapped = np.memmap(tmp_path / "x.dat", dtype=dtype, mode="w+", shape=X.shape)
    mapped[:] = numbers
    centres = np.array(numbers[:20])
    for call in (
        lambda rows: gramian.product(KERNEL, rows, V.astype(np.float32), centres),
        lambda rows: gramian.diagonal(KERNEL, rows),
        lambda rows: gramian.normal_product(KERNEL, rows, centres, V),
        lambda rows: gramian.normal_system(KERNEL, rows, centres)[0],
    ):
        found, expected = call(mapped), call(numbers)
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


def test_what_needs_all_rows_gets_them(tmp_path):
    np.save(tmp_path / "x.npy", X)
    path = tmp_path / "x.npy"
    np.testing.assert_array_equal(gramian.gram(WHOLE, path, CENTRES), gramian.gram(WHOLE, X, CENTRES))
    np.testing.assert_array_equal(gramian.product(WHOLE, path, Y), gramian.product(WHOLE, X, Y))
    np.testing.assert_array_equal(gramian.diagonal("polynomial", path), gramian.diagonal("polynomial", X))
    np.testing.assert_array_equal(gramian.adjoint(WHOLE, path, Y, Y).X, gramian.adjoint(WHOLE, X, Y, Y).X)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_estimators_read_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(points, "_NUMBERS_OF_BLOCK", 300)
    some, target = X[:60], X[:60, 0]
    np.save(tmp_path / "x.npy", X)
    mapped = np.load(tmp_path / "x.npy", mmap_mode="r")
    ridge = gramian.OperatorKernelRidge().fit(some, target)
    classifier = gramian.EmbeddingClassifier(max_iter=3).fit(some, target > 0)
    pca = gramian.DeepKernelPCA(max_iter=3, random_state=0).fit(some)
    coder = gramian.KernelAutoencoder(max_iter=3, random_state=0).fit(some)
    for method in (
        ridge.predict,
        classifier.predict,
        classifier.predict_proba,
        classifier.decision_function,
        pca.transform,
        coder.transform,
    ):
        for source in (mapped, tmp_path / "x.npy", gramian.rows(Blocks(7))):
            np.testing.assert_array_equal(method(source), method(X))


def test_rows_may_be_read_again_and_from_the_middle():
    source = gramian.rows(Blocks(100))
    assert source.shape == X.shape
    for first, count in ((0, 900), (850, 50), (10, 5), (99, 2), (0, 1)):
        np.testing.assert_array_equal(source.read(first, count), X[first : first + count])


def test_not_a_number_in_a_late_block_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(points, "_NUMBERS_OF_BLOCK", 300)
    late = X.copy()
    late[-1, 2] = np.nan
    for call in (
        lambda: gramian.product(KERNEL, Counted(late), V, CENTRES),
        lambda: gramian.diagonal(KERNEL, Counted(late)),
        lambda: gramian.normal_product(KERNEL, Counted(late), CENTRES, V),
        lambda: gramian.normal_system(KERNEL, Counted(late), CENTRES),
    ):
        with pytest.raises(ValueError, match="Input X contains NaN"):
            call()


def test_what_a_source_raises_reaches_the_caller():
    for call in (gramian.normal_product, lambda *args: gramian.product(args[0], args[1], args[3], args[2])):
        with pytest.raises(OSError, match="the disk is gone"):
            call(KERNEL, Counted(X, fails_at=500), CENTRES, V)


def test_sources_that_are_none_say_what_to_do(tmp_path):
    (tmp_path / "x.csv").write_text("1,2")
    table = pyarrow.table({"name": ["a", "b"], "x": [1.0, 2.0]})
    pyarrow.parquet.write_table(table, tmp_path / "names.parquet")
    narrow = Counted(X)
    narrow.shape = (900, 4)
    for call, error, text in [
        (lambda: gramian.rows(tmp_path / "x.csv"), ValueError, r"x.csv is no .npy or .parquet file"),
        (
            lambda: gramian.rows(tmp_path / "names.parquet"),
            TypeError,
            "The column 'name' of names.parquet has no numbers",
        ),
        (lambda: gramian.rows(iter([X])), TypeError, "An iterator cannot be read twice"),
        (lambda: gramian.rows([X, X[:, :2]]), ValueError, "must have 3 columns"),
        (lambda: gramian.rows([X[:, 0]]), ValueError, "must have two dimensions"),
        (lambda: gramian.rows(3), TypeError, "Got int"),
        (lambda: gramian.rows(X[:, 0]), ValueError, "two dimensions"),
        (lambda: gramian.rows(X[:0]), ValueError, r"0 sample\(s\)"),
        (lambda: gramian.rows([]), ValueError, r"0 sample\(s\)"),
        (lambda: gramian.rows(Blocks(7), shape=(901, 3)).read(0, 901), ValueError, "The blocks have 900 rows"),
        (lambda: gramian.diagonal(KERNEL, narrow), ValueError, r"read\(0, 900\) of X must return shape \(900, 4\)"),
        (lambda: gramian.product(KERNEL, Counted(X), V, CENTRES[:, :2]), ValueError, "Incompatible dimension"),
    ]:
        with pytest.raises(error, match=text):
            call()


def test_what_errors_say_to_do_works():
    inner = gramian.InnerProducts(np.eye(3))
    for text, call, *remedies in [
        (
            "Use gramian.gram for inner products",
            lambda: gramian.normal_product(KERNEL, inner, CENTRES, V),
            lambda: gramian.gram(KERNEL, inner),
        ),
        ("pass a list of blocks", lambda: gramian.rows(iter([X])), lambda: gramian.rows([X])),
        (
            "open it, and pass an array or blocks of rows",
            lambda: gramian.rows("x.csv"),
            lambda: gramian.rows(X),
            lambda: gramian.rows([X]),
        ),
    ]:
        with pytest.raises((TypeError, ValueError), match=text):
            call()
        for remedy in remedies:
            remedy()


def test_without_pyarrow_an_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"pip install 'gramian\[parquet\]'"):
        gramian.rows(tmp_path / "x.parquet")


MEASURE = Path(__file__).with_name("memory_of_rows.py").read_text()


def test_memory_is_that_of_blocks(run_python):
    """A million rows of 16 numbers are 128 MB of float64, and their packed copy as much again."""
    result = run_python(MEASURE + "\nmeasure(1_000_000, 100)\n")
    assert result.returncode == 0, result.stderr
