# SPDX-License-Identifier: BSD-3-Clause
"""Conditional mean embeddings and kernel PCA of dask arrays, within this process."""

from __future__ import annotations

import pickle

import dask
import dask.array as da
import dask.dataframe as dd
import gramian
import gramian.dask
import numpy as np
import pandas as pd
import pytest
from gramian.kernels import Delta, Gaussian, Laplacian
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

N, CHUNKS = 203, (40, 63, 1, 99)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]]) + 0.1 * RNG.normal(size=(N, 2))
WEIGHTS = RNG.random(N) + 0.1
NEW = RNG.normal(size=(9, 3))


@pytest.fixture(autouse=True)
def in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows_of(array, chunks=CHUNKS):
    return da.from_array(array, chunks=((chunks,) if isinstance(chunks, tuple) else (chunks,)) + array.shape[1:])


def embedding(**options):
    given = {"kernel": Gaussian(gamma=0.3), "output_kernel": Laplacian(gamma=0.5), "landmarks": 25, "random_state": 0}
    return gramian.dask.ConditionalMeanEmbedding(**{**given, **options})


def pca(**options):
    return gramian.dask.DeepKernelPCA(
        **{"n_components": 3, "kernels": Gaussian(gamma=0.3), "landmarks": 40, "random_state": 0, **options}
    )


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
@pytest.mark.parametrize("outputs", [Y, Y[:, 0]], ids=["two outputs", "one output"])
@pytest.mark.parametrize(
    "options", [{}, {"landmarks": [5, 3, 200, 3]}, {"kernel": None, "output_kernel": "rbf"}], ids=str
)
def test_the_embedding_is_that_of_parts(options, outputs, weights):
    model = embedding(**options).fit(rows_of(X), rows_of(outputs), None if weights is None else rows_of(weights))
    fitted = model.to_estimator()
    memory = gramian.ConditionalMeanEmbedding(
        **{**clone(model).get_params(deep=False), "kernel": model.kernel_, "output_kernel": model.output_kernel_}
    ).partial_fit(X, outputs, weights)
    np.testing.assert_array_equal(model.landmarks_, memory.landmarks_)
    np.testing.assert_allclose(model.predict(rows_of(NEW, 4)).compute(), memory.predict(NEW), atol=1e-8)
    np.testing.assert_allclose(fitted.evaluate(NEW, outputs[:5]), memory.evaluate(NEW, outputs[:5]), atol=1e-7)
    assert fitted.sample(NEW, 3).shape == (9, 3, *outputs.shape[1:])


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
@pytest.mark.parametrize("center", [False, True])
def test_the_pca_is_that_of_samples_in_memory(center, weights):
    model = pca(center=center).fit(rows_of(X), sample_weight=None if weights is None else rows_of(weights))
    memory = gramian.DeepKernelPCA(3, model.kernels_, center=center, landmarks=model.landmarks_)
    memory.fit(X, sample_weight=weights)
    np.testing.assert_allclose(model.transform(rows_of(NEW, 4)).compute(), memory.transform(NEW), atol=1e-6)
    np.testing.assert_allclose(model.captured_trace_, memory.captured_trace_, rtol=1e-6)
    np.testing.assert_allclose(model.eigenvalues_[0], memory.eigenvalues_[0], rtol=1e-6)


def test_automatic_landmarks_and_widths():
    model = embedding(landmarks="auto", kernel=None, output_kernel=None).fit(rows_of(X), rows_of(Y))
    assert len(model.landmarks_) <= 143 and model.kernel_ == Gaussian(gamma=model.kernel_.gamma)
    levels = pca(landmarks="auto", kernels=None).fit(rows_of(X))
    assert len(levels.landmarks_) == 143  # 10 sqrt(203)
    assert pca(landmarks=N).fit(rows_of(X)).landmarks_.tolist() == list(range(N))


def test_dataframes_files_and_pickles(tmp_path):
    frame, outputs = pd.DataFrame(X, columns=["a", "b", "c"]), pd.DataFrame(Y)
    frames = dd.from_pandas(frame, npartitions=3), dd.from_pandas(outputs, npartitions=2)
    model, levels = embedding().fit(*frames), pca().fit(frames[0])
    assert model.feature_names_in_.tolist() == levels.feature_names_in_.tolist() == ["a", "b", "c"]
    for fitted, method in ((model, "predict"), (levels, "transform")):
        expected = getattr(fitted, method)(frames[0]).compute()
        fitted.save(tmp_path / "model")
        np.testing.assert_array_equal(getattr(gramian.load(tmp_path / "model"), method)(frame), expected)
        np.testing.assert_array_equal(getattr(pickle.loads(pickle.dumps(fitted)), method)(frame), expected)


@pytest.mark.parametrize("make", [lambda: embedding().fit(rows_of(X), rows_of(Y)), lambda: pca().fit(rows_of(X))])
def test_schedulers_give_the_same_bits(make):
    bits = []
    for scheduler in ("synchronous", "threads"):
        with dask.config.set(scheduler=scheduler):
            fitted = make().to_estimator()
        bits.append(fitted.predict(NEW) if hasattr(fitted, "predict") else fitted.transform(NEW))
    np.testing.assert_array_equal(*bits)


def test_what_is_refused():
    broken = X.copy()
    broken[50, 1] = np.nan
    with pytest.raises(ValueError, match="Partition 1: "):
        embedding(landmarks=[0, 1]).fit(rows_of(broken), rows_of(Y))
    with pytest.raises(ValueError, match="Partition 1: "):
        pca(n_components=2, landmarks=[0, 1]).fit(rows_of(broken))
    with pytest.raises(ValueError, match="landmarks"):
        embedding(landmarks=None).fit(rows_of(X), rows_of(Y))
    for options in ({"landmarks": None}, {"kernels": "precomputed"}, {"n_components": (2, 2)}):
        with pytest.raises(ValueError, match="one level"):
            pca(**options).fit(rows_of(X))
    with pytest.raises(ValueError, match="use fit with samples in memory"):
        embedding(kernel="precomputed").fit(rows_of(X), rows_of(Y))
    with pytest.raises(ValueError, match="non-zero"):
        embedding().fit(rows_of(X), rows_of(Y), rows_of(np.zeros(N)))
    with pytest.raises(ValueError, match="non-zero"):
        pca().fit(rows_of(X), sample_weight=rows_of(np.zeros(N)))
    with pytest.raises(ValueError, match="'penalty' parameter"):
        embedding(penalty=0.0).fit(rows_of(X), rows_of(Y))
    with pytest.raises(NotFittedError):
        pca().transform(rows_of(X))
    with pytest.raises(TypeError, match="must be a dask array"):
        pca().fit(X)
    counted = embedding(output_kernel=Delta()).fit(rows_of(X), rows_of(np.sign(Y[:, 0])))
    assert counted.to_estimator().evaluate(NEW, [-1.0, 1.0]).shape == (9, 2)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
@pytest.mark.parametrize("outputs", [Y, Y[:, 0]], ids=["two outputs", "one output"])
def test_scores_are_those_of_samples_in_memory(outputs, weights):
    given = None if weights is None else rows_of(weights)
    model, levels = embedding().fit(rows_of(X), rows_of(outputs)), pca().fit(rows_of(X))
    expected = model.to_estimator().score(X, outputs, weights)
    assert model.score(rows_of(X), rows_of(outputs), given) == pytest.approx(expected, rel=1e-10)
    assert model.score(X, outputs, weights) == expected
    expected = levels.to_estimator().score(X, sample_weight=weights)
    assert levels.score(rows_of(X), sample_weight=given) == pytest.approx(expected, rel=1e-10)
    assert levels.score(X, sample_weight=weights) == expected
