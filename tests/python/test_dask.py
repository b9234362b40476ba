# SPDX-License-Identifier: BSD-3-Clause
"""gramian.dask within this process: what it computes, what it reads and keeps, what it refuses."""

from __future__ import annotations

import doctest
import importlib
import math
import pickle
import sys

import dask
import dask.array as da
import dask.dataframe as dd
import gramian
import gramian.dask
import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from dask.callbacks import Callback
from gramian.kernels import Gaussian, Matern
from numpy.testing import assert_allclose
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import r2_score

N, CHUNKS = 203, (40, 63, 1, 99)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
WEIGHTS = np.where(np.arange(N) % 7 == 0, 0.0, RNG.random(N) + 0.1)
K = Gaussian(gamma=0.3)
FRAME = pd.DataFrame(X, columns=["a", "b", "c"])


@pytest.fixture(autouse=True)
def in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows_of(array, chunks=(CHUNKS,)):
    return da.from_array(array, chunks=(*chunks, *array.shape[1:]))


DX, DY, DW = rows_of(X), rows_of(Y), rows_of(WEIGHTS)


def ridge(**options):
    return gramian.dask.KernelRidge(**{"kernel": K, "alpha": 0.2, "landmarks": 25, "random_state": 0, **options})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"alpha": [0.1, 3.0]},
        {"kernel": "rbf", "gamma": 0.2},
        {"kernel": "rbf"},
        {"kernel": "poly", "gamma": 0.1, "degree": 2, "coef0": 0.5},
        {"kernel": Matern(nu=1.5) + 0.5 * K},
        {"landmarks": [5, 3, 200, 3]},
        {"landmarks": None, "kernel": Matern(nu=0.5)},
        {"landmarks": "auto", "kernel": Matern(nu=0.5), "random_state": 3},
    ],
    ids=str,
)
@pytest.mark.parametrize("targets", [Y, Y[:, 0]], ids=["two targets", "one target"])
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
def test_the_fit_is_that_of_the_estimator_in_memory(options, targets, weights):
    if targets.ndim == 1 and isinstance(options.get("alpha"), list):
        options = {"alpha": 3.0}
    model = ridge(**options).fit(DX, rows_of(targets), None if weights is None else DW)
    expected = gramian.KernelRidge(solver="landmarks", **ridge(**options).get_params(deep=False))
    expected.fit(X, targets, weights)
    assert np.array_equal(model.landmarks_, expected.landmarks_) and np.array_equal(model.X_fit_, expected.X_fit_)
    assert model.kernel_ == expected.kernel_ and np.array_equal(model.alpha_, expected.alpha_)
    assert model.objective_ == pytest.approx(expected.objective_, rel=1e-8)
    assert model.dual_coef_.shape == expected.dual_coef_.shape and model.residual_ < 1e-7
    assert_allclose(model.predict(DX).compute(), expected.predict(X), rtol=0, atol=1e-8)
    assert set(vars(model.to_estimator())) == set(vars(expected))


def test_the_blocks_of_targets_and_weights_and_of_columns_do_not_matter():
    model = ridge().fit(DX, DY, DW)
    others = ridge().fit(DX.rechunk({1: 2}), DY.rechunk((50, 1)), DW.rechunk(11))
    assert model.dual_coef_.tobytes() == others.dual_coef_.tobytes()


def test_one_block_has_the_bits_of_partial_fit():
    model = ridge().fit(DX.rechunk((N, 3)), DY, DW)
    expected = gramian.KernelRidge(**ridge().get_params(deep=False)).partial_fit(X, Y, WEIGHTS)
    assert model.dual_coef_.tobytes() == expected.dual_coef_.tobytes()
    assert model.objective_ == expected.objective_


def test_predictions_are_lazy_and_have_the_blocks_of_the_samples():
    model = ridge().fit(DX, DY)
    found = model.predict(DX)
    assert (found.chunks, found.dtype, type(found._meta)) == ((CHUNKS, (2,)), np.float64, np.ndarray)
    assert found.compute().tobytes() == model.to_estimator().predict(X).tobytes()
    assert isinstance(model.predict(X), np.ndarray)
    one = ridge().fit(DX, DY[:, 0])
    assert one.predict(DX).chunks == (CHUNKS,) and one.predict(DX.rechunk((70, 2))).compute().shape == (N,)


def test_a_fitted_estimator_is_saved_pickled_and_used_without_dask(tmp_path):
    model = ridge().fit(DX, DY)
    expected = model.predict(X).tobytes()
    model.save(tmp_path / "model")
    loaded = gramian.load(tmp_path / "model")
    assert type(loaded) is gramian.KernelRidge and loaded.predict(X).tobytes() == expected
    assert pickle.loads(pickle.dumps(model)).predict(X).tobytes() == expected
    assert model.to_estimator().predict(X).tobytes() == expected
    assert not hasattr(clone(model), "dual_coef_") and clone(model).get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        ridge().predict(DX)


def test_dataframes_count_their_rows_and_have_names():
    frame = dd.from_pandas(FRAME, npartitions=4)
    empty = dd.concat([frame[frame.a > 100], frame])  # its first partitions have no rows
    targets = dd.from_pandas(pd.DataFrame(Y), npartitions=3)
    model = ridge().fit(frame, targets, dd.from_pandas(pd.Series(WEIGHTS), npartitions=2))
    expected = gramian.KernelRidge(**ridge().get_params(deep=False)).fit(FRAME, Y, WEIGHTS)
    assert list(model.feature_names_in_) == ["a", "b", "c"]
    found = model.predict(frame)
    assert all(map(math.isnan, found.chunks[0])) and found.dtype == np.float64
    assert_allclose(found.compute(), expected.predict(FRAME), rtol=0, atol=1e-8)
    assert_allclose(ridge().fit(empty, DY, DW).predict(empty).compute(), found.compute(), rtol=0, atol=1e-8)
    assert model.score(frame, targets) == pytest.approx(expected.score(FRAME, Y))
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"a": "z"}))
    assert not hasattr(model.fit(DX, DY), "feature_names_in_")
    series = ridge().fit(frame, dd.from_pandas(pd.Series(Y[:, 0]), npartitions=4))
    assert series.dual_coef_.shape == (25,)


def test_the_score_is_that_of_scikit_learn():
    model = ridge().fit(DX, DY)
    for weights, blocks in ((None, None), (WEIGHTS, DW)):
        expected = r2_score(Y, model.predict(X), sample_weight=weights)
        assert model.score(DX, DY, blocks) == pytest.approx(expected, rel=1e-12)
        assert model.score(X, Y, weights) == pytest.approx(expected, rel=1e-12)
    constant = 0 * DY
    assert model.score(DX, constant) == r2_score(0 * Y, model.predict(X)) == 0.0
    assert ridge().fit(DX, constant).score(DX, constant) == 1.0


class LiveSums(Callback):
    """Counts the partial sums that a scheduler keeps at once, and the blocks that it has summed up."""

    def __init__(self):
        super().__init__()
        self.most = self.blocks = 0

    def _posttask(self, key, result, dsk, state, worker):
        self.blocks += str(key).startswith("_of_block")
        live = sum(str(key).startswith(("_of_block", "plus")) for key in state["cache"])
        self.most = max(self.most, live)


def test_few_partial_sums_are_kept_at_once():
    with LiveSums() as sums:
        ridge().fit(DX.rechunk((3, 3)), DY)
    assert sums.blocks == 68 and 0 < sums.most <= math.log2(68) + 2


def test_the_model_is_sent_once():
    model = ridge(landmarks=150).fit(DX, DY)
    sizes = [len(pickle.dumps(dict(model.predict(DX.rechunk((rows, 3))).dask))) for rows in (N, 2)]
    samples = [len(pickle.dumps(dict(DX.rechunk((rows, 3)).dask))) for rows in (N, 2)]
    assert sizes[1] - samples[1] < sizes[0] - samples[0] + 101 * 500 < 150 * 5 * 8 * 101


def test_a_result_is_that_of_the_model_when_it_was_asked_for():
    model = ridge().fit(DX, DY)
    expected, lazy = model.predict(X), model.predict(DX)
    model.to_estimator().fit(X, 2 * Y)
    assert lazy.compute().tobytes() == expected.tobytes()


LABELS = np.array(["few", "many"])[(X[:, 0] > 0).astype(int)]
FITTED = {
    "classifier": lambda: gramian.EmbeddingClassifier(learn="median").fit(X, LABELS),
    "components": lambda: gramian.DeepKernelPCA((3, 2), K, max_iter=3).fit(X[:40]),
    "autoencoder": lambda: gramian.KernelAutoencoder((2,), max_iter=3, random_state=0).fit(X[:40]),
    "regression": lambda: gramian.ConditionalMeanEmbedding(K).fit(X, Y),
}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("name", "methods"),
    [
        ("classifier", ["predict", "predict_proba", "predict_log_proba", "decision_function"]),
        ("components", ["transform"]),
        ("autoencoder", ["transform"]),
        ("regression", ["predict"]),
    ],
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_methods_of_any_estimator_have_the_same_bits(name, methods, dtype):
    model, samples = FITTED[name](), np.rint(X).astype(dtype)
    for method in methods:
        expected = np.asarray(getattr(model, method)(samples))
        found = gramian.dask.apply(model, rows_of(samples), method)
        assert (found.shape, found.dtype, found.chunks[0]) == (expected.shape, expected.dtype, CHUNKS)
        computed = found.compute()
        assert computed.dtype == expected.dtype and computed.tobytes() == expected.tobytes()


def test_blocks_of_unknown_size_and_empty_ones():
    model = ridge().fit(DX, DY)
    some = DX[DX[:, 0] > 5.0 - 10.0 * (da.arange(N, chunks=(CHUNKS,)) > 100)]
    found = gramian.dask.apply(model, some)
    assert math.isnan(found.shape[0]) and found.shape[1] == 2
    assert found.compute().tobytes() == model.predict(some.compute()).tobytes()


def with_nan(array, row):
    return rows_of(np.where(np.arange(N) == row, np.nan, array.T).T)


NEGATIVE = rows_of(np.where(np.arange(N) == 3, -1.0, WEIGHTS))


@pytest.mark.parametrize(
    ("fit", "number", "name"),
    [
        (lambda: ridge(landmarks=[0, 202]).fit(with_nan(X, 102), DY), 1, "X"),
        (lambda: ridge(landmarks=[0, 202]).fit(with_nan(X, 202), DY), 3, "X"),
        (lambda: ridge(landmarks=[0]).fit(DX, with_nan(Y, 103)), 2, "y"),
        (lambda: ridge(landmarks=[0]).fit(DX, DY, with_nan(WEIGHTS, 41)), 1, "sample_weight"),
        (lambda: ridge(landmarks=[0]).fit(DX, DY, NEGATIVE), 0, "sample_weight"),
    ],
)
def test_errors_name_the_block_of_rows(fit, number, name):
    with pytest.raises(ValueError, match=f"^Partition {number}: .*{name}"):
        fit()


SPARSE = DX.map_blocks(scipy.sparse.csr_matrix, meta=scipy.sparse.csr_matrix((0, 0)))
UNKNOWN = DX[da.ones(N, chunks=(CHUNKS,), dtype=bool)]
ADVICE = [
    (
        r"X must be a dask array or a dask dataframe, got ndarray: use dask.array.from_array, or the estimators of gr",
        lambda: ridge().fit(X, DY),
        lambda: ridge().fit(da.from_array(X), DY),
        lambda: gramian.KernelRidge().fit(X, Y),
    ),
    (r"y must be a dask array or a dask dataframe, got ndarray", lambda: ridge().fit(DX, Y)),
    (r"y must be a dask array or a dask dataframe, got NoneType", lambda: ridge().fit(DX, None)),
    (r"X must be a dask array or a dask datafr", lambda: gramian.dask.apply(ridge().fit(DX, DY), dask.delayed(X))),
    (
        r"X has blocks of unknown size: call X.compute_chunk_sizes\(\) first",
        lambda: ridge().fit(UNKNOWN, DY),
        lambda: ridge().fit(UNKNOWN.copy().compute_chunk_sizes(), DY),
    ),
    (
        r"X must have dense blocks: use X.map_blocks\(lambda block: block.toarray\(\), dtype=X.dtype\)",
        lambda: ridge().fit(SPARSE, DY),
        lambda: ridge().fit(SPARSE.map_blocks(lambda block: block.toarray(), dtype=SPARSE.dtype), DY),
    ),
    (r"X must have two dimensions, samples in rows. Got shape \(203,\)", lambda: ridge().fit(DX[:, 0], DY)),
    (r"y must have 1 or 2 dimensions, got shape \(203, 2, 1\)", lambda: ridge().fit(DX, DY[:, :, None])),
    (r"sample_weight must have 1 dimensions", lambda: ridge().fit(DX, DY, DY)),
    (r"inconsistent numbers of samples: X has 203, y has 202", lambda: ridge().fit(DX, DY[1:])),
    (r"X has no rows", lambda: ridge().fit(DX[:0], DY[:0])),
    (
        r"must contain at least one non-zero number",
        lambda: ridge().fit(DX, DY, 0 * DW),
        lambda: ridge().fit(DX, DY, DW),
    ),
    (
        r"must be above 0 with landmarks",
        lambda: ridge(alpha=0.0).fit(DX, DY),
        lambda: ridge(alpha=1e-3).fit(DX, DY),
    ),
    (
        r"must be a number, or have one for each of the 2 targets",
        lambda: ridge(alpha=[1.0, 2.0, 3.0]).fit(DX, DY),
        lambda: ridge(alpha=[1.0, 2.0]).fit(DX, DY),
    ),
    (
        r"must be one of gramian.kernels, or its name, with landmarks. Got 'chi2' instead",
        lambda: ridge(kernel="chi2").fit(abs(DX), DY),
        lambda: ridge(kernel="laplacian").fit(DX, DY),
        lambda: ridge(kernel=K).fit(DX, DY),
    ),
    (r"must be one of gramian.kernels", lambda: ridge(kernel="precomputed").fit(DX, DY)),
    (
        r"gamma='auto' of KernelRidge needs samples in memory: choose the width on a part of the rows",
        lambda: ridge(gamma="auto").fit(DX, DY),
        lambda: ridge(kernel=gramian.KernelRidge(kernel=K, gamma="auto").fit(X[:99], Y[:99]).kernel_).fit(DX, DY),
    ),
    (r"landmarks", lambda: ridge(landmarks=N + 1).fit(DX, DY), lambda: ridge(landmarks=N).fit(DX, DY)),
    (
        r"method must be one of 'predict', .* Got 'fit' instead",
        lambda: gramian.dask.apply(ridge().fit(DX, DY), DX, "fit"),
        lambda: gramian.dask.apply(ridge().fit(DX, DY), DX, "predict"),
    ),
    (
        r"KernelRidge has no transform: choose another method",
        lambda: gramian.dask.apply(ridge().fit(DX, DY), DX, "transform"),
    ),
    (r"X has 2 features, but KernelRidge is expecting 3", lambda: ridge().fit(DX, DY).predict(DX[:, :2])),
]


@pytest.mark.parametrize("case", ADVICE, ids=lambda case: case[0][:40])
def test_refusals_and_their_advice(case):
    message, refused, *advised = case
    with pytest.raises((TypeError, ValueError), match=message):
        refused()
    for follow in advised:
        follow()


def test_a_system_that_does_not_fit_is_refused_before_it_is_summed_up():
    gramian.set_memory_limit(10 * 8 * 25**2 - 1)
    with LiveSums() as sums, pytest.raises(MemoryError, match="the normal system.*use fewer landmarks"):
        ridge().fit(DX, DY)
    assert sums.blocks == 0
    gramian.set_memory_limit(None)
    ridge(landmarks=10).fit(DX, DY)


@pytest.mark.parametrize("name", ["blocks", "classifier", "dependency", "embedding", "pca", "ridge"])
def test_examples_of_the_reference(name):
    result = doctest.testmod(importlib.import_module(f"gramian.dask.{name}"))
    assert result.attempted >= 5 and result.failed == 0


def test_without_dask_an_error_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("gramian.dask")]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("dask", "dask.array"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"gramian.dask needs dask: pip install 'gramian\[dask\]'"):
        importlib.import_module("gramian.dask")


@pytest.mark.parametrize("name", ["dask", "distributed"])
def test_gramian_does_not_import_dask(run_python, name):
    result = run_python(f"import sys, gramian.models; dir(gramian); print({name!r} in sys.modules)")
    assert result.stdout == "False\n", result.stderr
