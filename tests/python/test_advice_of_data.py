# SPDX-License-Identifier: BSD-3-Clause
"""Advice of errors about data, and about files, blocks and inner products that they come from: it is followed."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import operators
from gramian.kernels import Gaussian
from sklearn.base import clone
from small_models import GRAM, LABELS, NUMBERS, K, X, dependency, embedding

SPARSE = scipy.sparse.csr_matrix(np.round(X))
CROSS = gramian.InnerProducts(X @ X[:5].T, (X**2).sum(1), (X[:5] ** 2).sum(1))
SEPARABLE = operators.Separable(K, A=np.eye(2))
PAIRS = np.ones((len(X), 2))
HUGE = np.where(np.arange(len(X)) == 3, 1e200, NUMBERS)[:, None]


NAMES = LABELS.astype(str)


def same(a, b):
    return float(np.dot(a, b))


def equal(a, b):
    return float(a == b)


class Again:
    """Blocks of rows as often as they are asked for."""

    def __iter__(self):
        return iter([X[:20], X[20:]])


def summed(**options):
    model = gramian.ConditionalMeanEmbedding(landmarks=10, random_state=0, **options)
    return model.partial_fit(X[:30], NUMBERS[:30]).partial_fit(X[30:], NUMBERS[30:])


def ridge(**options):
    return gramian.KernelRidge(kernel=K, landmarks=10, random_state=0, **options)


ERRORS = [
    # what the message says, the call, and what it says to do
    (
        "takes two objects: pass X.toarray\\(\\), or a list of its rows",
        lambda: dependency(X=SPARSE, kernel=same),
        lambda: dependency(X=SPARSE.toarray(), kernel=same),
        lambda: dependency(X=list(SPARSE.toarray()), kernel=same),
    ),
    (
        "the kernel must be a function of two of them, or 'precomputed', or 'delta', which tells labels apart",
        lambda: embedding(y=NAMES),
        lambda: embedding(y=NAMES, output_kernel="delta"),
        lambda: embedding(y=list(NAMES), output_kernel=equal),
        lambda: embedding(y=np.equal.outer(LABELS, LABELS).astype(float), output_kernel="precomputed"),
    ),
    (
        "squares of it are no numbers: scale y",
        lambda: dependency(y=HUGE),
        lambda: dependency(y=HUGE * 1e-100),
    ),
    (
        "An iterator cannot be read twice: pass a list of blocks, or an object whose __iter__ begins anew",
        lambda: gramian.rows(iter([X[:20], X[20:]])),
        lambda: gramian.rows([X[:20], X[20:]]),
        lambda: gramian.rows(Again()),
    ),
    (
        "X and C must be points. Use gramian.gram for inner products",
        lambda: gramian.normal_system(K, CROSS, X[:5]),
        lambda: gramian.gram(K, CROSS),
    ),
    (
        "do not tell the width of a kernel: pass gramian.kernels.Gaussian\\(gamma=...\\) in place of a name",
        lambda: gramian.gram("rbf", CROSS),
        lambda: gramian.gram(Gaussian(gamma=0.3), CROSS),
    ),
    (
        "Give P and Q, or Kbar, but not both",
        lambda: gramian.adjoint(K, X, P=PAIRS, Q=PAIRS, Kbar=GRAM),
        lambda: gramian.adjoint(K, X, P=PAIRS, Q=PAIRS),
        lambda: gramian.adjoint(K, X, Kbar=GRAM),
    ),
    (
        "Y and G are pairs: give both, or none",
        lambda: SEPARABLE.joint(X, PAIRS, Y=X),
        lambda: SEPARABLE.joint(X, PAIRS, Y=X, G=PAIRS),
        lambda: SEPARABLE.joint(X, PAIRS),
    ),
    (
        "overflow: scale X, F or G down",
        lambda: SEPARABLE.joint(X, 1e200 * PAIRS),
        lambda: SEPARABLE.joint(X, PAIRS),
    ),
    (
        "use fit with samples in memory",
        lambda: gramian.ConditionalMeanEmbedding(landmarks=10, output_kernel="precomputed").partial_fit(X, GRAM),
        lambda: embedding(y=GRAM, output_kernel="precomputed"),
    ),
    (
        "Use fit with arrays",
        lambda: summed().quantile(X[:3], [0.5]),
        lambda: embedding().quantile(X[:3], [0.5]),
    ),
    (
        "dtype='float32' of KernelRidge is for dense samples: use dtype='float64'",
        lambda: ridge(dtype="float32").fit(SPARSE, NUMBERS),
        lambda: ridge(dtype="float64").fit(SPARSE, NUMBERS),
    ),
]


@pytest.mark.parametrize("case", ERRORS, ids=[message for message, *_ in ERRORS])
def test_what_an_error_says_to_do_works(case):
    message, call, *remedies = case
    with pytest.raises((ValueError, TypeError), match=message):
        call()
    for remedy in remedies:
        remedy()


def test_a_model_of_a_file_is_cloned_to_learn_more(tmp_path):
    for model in (ridge(), gramian.ConditionalMeanEmbedding(landmarks=10, random_state=0)):
        model.partial_fit(X, NUMBERS).save(tmp_path / "model")
        restored = gramian.load(tmp_path / "model")
        with pytest.raises(ValueError, match="use sklearn.base.clone of it, and all samples"):
            restored.partial_fit(X, NUMBERS)
        clone(restored).partial_fit(X, NUMBERS).partial_fit(X, NUMBERS)


def test_other_files_are_opened_and_their_rows_passed(tmp_path):
    np.savetxt(tmp_path / "X.csv", X)
    with pytest.raises(ValueError, match="is no .npy or .parquet file: open it, and pass an array or blocks of rows"):
        gramian.rows(tmp_path / "X.csv")
    read = np.loadtxt(tmp_path / "X.csv")
    for source in (gramian.rows(read), gramian.rows([read[:20], read[20:]])):
        assert source.shape == X.shape


def test_a_column_of_text_is_left_out_of_the_file(tmp_path):
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = arrow.table({"length": X[:, 0], "name": LABELS.astype(str)})
    parquet.write_table(table, tmp_path / "X.parquet")
    with pytest.raises(TypeError, match="The column 'name' of X.parquet has no numbers: leave it out of the file"):
        gramian.rows(tmp_path / "X.parquet")
    parquet.write_table(table.drop_columns(["name"]), tmp_path / "X.parquet")
    assert gramian.rows(tmp_path / "X.parquet").shape == (len(X), 1)


def test_dask_collections_have_what_messages_ask_for():
    da = pytest.importorskip("dask.array")
    import gramian.dask

    model = gramian.dask.DeepKernelPCA(2, landmarks=10, random_state=0)
    with pytest.raises(TypeError, match="use dask.array.from_array, or the estimators of gramian for data in memory"):
        model.fit(X)
    model.fit(da.from_array(X, chunks=(20, 4)))
    gramian.DeepKernelPCA(2, landmarks=10, random_state=0).fit(X)
    some = da.from_array(X, chunks=(20, 4))
    some = some[some[:, 0] > 5.0]
    with pytest.raises(ValueError, match="X has blocks of unknown size: call X.compute_chunk_sizes\\(\\) first"):
        model.fit(some)
    model.fit(some.compute_chunk_sizes())
    blocks = da.from_array(SPARSE, chunks=(20, 4), asarray=False)
    with pytest.raises(TypeError, match="use X.map_blocks\\(lambda block: block.toarray\\(\\), dtype=X.dtype\\)"):
        model.fit(blocks)
    model.fit(blocks.map_blocks(lambda block: block.toarray(), dtype=blocks.dtype))
    with pytest.raises(TypeError, match="DeepKernelPCA has no predict: choose another method"):
        gramian.dask.apply(model, some, "predict")
    gramian.dask.apply(model, some.compute_chunk_sizes(), "transform")
