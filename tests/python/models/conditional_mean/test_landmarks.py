# SPDX-License-Identifier: BSD-3-Clause
"""Embeddings in the span of landmarks: against NumPy, against all samples, in parts, from files, and in searches."""

from __future__ import annotations

import pickle

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import ConditionalMeanEmbedding
from gramian.kernels import Delta, Gaussian, Laplacian
from gramian.models._shared.landmarks import Switch
from sklearn.base import clone

N, PENALTY = 150, 1e-3
KERNELS = {"kernel": Gaussian(gamma=0.3), "output_kernel": Laplacian(gamma=0.5), "penalty": PENALTY, "random_state": 0}


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N, 3))
    return X, np.c_[np.sin(X[:, 0]), X[:, 1] * X[:, 2]] + 0.1 * rng.normal(size=(N, 2))


@pytest.fixture(scope="module")
def new():
    return np.random.default_rng(1).normal(size=(9, 3))


def model(landmarks, **options):
    return ConditionalMeanEmbedding(**{**KERNELS, "landmarks": landmarks, **options})


def naive_weights(X, rows, new, weights=None):
    w = np.ones(len(X)) if weights is None else weights / weights.mean()
    kernel = KERNELS["kernel"]
    K, K_mm = kernel(X, X[rows]), kernel(X[rows], X[rows])
    system = K.T @ (w[:, None] * K) + len(X) * PENALTY * K_mm
    return np.linalg.solve(system, kernel(X[rows], new)).T @ (w[:, None] * K).T


@pytest.mark.parametrize("weighted", [False, True])
def test_weights_are_those_of_the_formula(data, new, weighted):
    X, y = data
    w = np.random.default_rng(2).integers(1, 4, N).astype(float) if weighted else None
    fitted = model(30).fit(X, y, sample_weight=w)
    beta = naive_weights(X, fitted.landmarks_, new, w)
    assert len(fitted.landmarks_) == 30
    np.testing.assert_array_equal(fitted.X_fit_, X[fitted.landmarks_])
    np.testing.assert_allclose(fitted.weights(new), beta, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(fitted.predict(new), beta @ y, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(fitted.expectation(np.abs, new), beta @ np.abs(y), rtol=1e-6, atol=1e-8)
    L = KERNELS["output_kernel"](y, y)
    np.testing.assert_allclose(fitted.evaluate(new, y[:4]), beta @ L[:, :4], rtol=1e-6, atol=1e-8)
    difference = beta[:4] - beta[4:8]
    expected = np.einsum("qi,ij,qj->q", difference, L, difference)
    np.testing.assert_allclose(fitted.distance(new[:4], new[4:8]), expected, rtol=1e-6)


def test_all_rows_for_landmarks_are_the_exact_embedding(data, new):
    X, y = data
    options = {"kernel": Gaussian(gamma=1.0)}
    exact, spanned = model(None, **options).fit(X, y), model(np.arange(N), **options).fit(X, y)
    assert exact.landmarks_ is None
    np.testing.assert_allclose(spanned.weights(new), exact.weights(new), atol=1e-8)
    np.testing.assert_allclose(spanned.predict(new), exact.predict(new), atol=1e-8)
    np.testing.assert_allclose(spanned.loss(new, y[:9]), exact.loss(new, y[:9]), rtol=1e-8)
    np.testing.assert_array_equal(
        spanned.sample(new, 3, return_indices=True), exact.sample(new, 3, return_indices=True)
    )


def test_a_weight_of_two_is_a_sample_twice_and_of_zero_none(data, new):
    X, y = data
    counts = np.random.default_rng(3).integers(0, 3, N)
    rows = np.flatnonzero(counts)[::4]
    weighted = model(rows).fit(X, y, sample_weight=counts)
    repeated = model(np.cumsum(counts)[rows] - 1).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts, axis=0))
    np.testing.assert_allclose(weighted.predict(new), repeated.predict(new), rtol=1e-7, atol=1e-9)
    assert weighted.weights(new).shape == (9, np.count_nonzero(counts))
    np.testing.assert_array_equal(X[weighted.landmarks_], weighted.X_fit_)
    with pytest.raises(ValueError, match="sample_weight is 0"):
        model(np.flatnonzero(counts == 0)[:2]).fit(X, y, sample_weight=counts)


def test_sparse_inputs(data, new):
    X, y = data
    X = np.where(X > 0, X, 0.0)
    dense, sparse = model(25).fit(X, y), model(25).fit(scipy.sparse.csr_array(X), y)
    assert scipy.sparse.issparse(sparse.X_fit_)
    np.testing.assert_allclose(sparse.predict(new), dense.predict(new), atol=1e-8)
    np.testing.assert_allclose(sparse.weights(new), dense.weights(new), atol=1e-7)


def test_labels(data, new):
    X, y = data
    labels = np.where(y[:, 0] > 0, "up", "down")
    exact = model(None, output_kernel=Delta()).fit(X, labels)
    spanned = model(np.arange(0, N, 2), output_kernel=Delta()).fit(X, labels)
    shares = spanned.evaluate(new, ["down", "up"])
    np.testing.assert_allclose(shares, exact.evaluate(new, ["down", "up"]), atol=0.1)
    small = gramian.models.compress(spanned, len(spanned.landmarks_))
    assert (small.predict(new) == np.array(["down", "up"])[shares.argmax(axis=1)]).mean() > 0.8


def in_parts(X, y, weights=None, cuts=(60, 100), **options):
    summed = model(30, **options)
    for part in np.split(np.arange(len(X)), cuts):
        summed.partial_fit(X[part], y[part], sample_weight=None if weights is None else weights[part])
    return summed


@pytest.mark.parametrize("weighted", [False, True])
def test_parts_are_the_whole(data, new, weighted):
    X, y = data
    w = np.random.default_rng(4).uniform(0.5, 2.0, N) if weighted else None
    summed = in_parts(X, y, w)
    whole = model(summed.landmarks_).fit(X, y, sample_weight=w)
    np.testing.assert_allclose(summed.predict(new), whole.predict(new), atol=1e-7)
    # The projection on the span of outputs has the same values there.
    np.testing.assert_allclose(
        summed.evaluate(new, summed.Y_fit_), whole.evaluate(new, summed.Y_fit_), rtol=1e-6, atol=1e-7
    )
    L, cross = KERNELS["output_kernel"](summed.Y_fit_, summed.Y_fit_), KERNELS["output_kernel"](summed.Y_fit_, y)
    expected = np.linalg.solve(L, cross @ whole.weights(new).T).T
    np.testing.assert_allclose(summed.weights(new), expected, atol=1e-6)
    np.testing.assert_allclose(summed.expectation(np.abs, new), expected @ np.abs(summed.Y_fit_), atol=1e-6)
    assert summed.sample(new, 4).shape == (9, 4, 2)
    assert summed.loss(new, y[:9]) == pytest.approx(whole.loss(new, y[:9]), abs=0.05)
    between = summed.distance(new[:4], new[5:], other=in_parts(X, y, w))
    np.testing.assert_allclose(between, summed.distance(new[:4], new[5:]), atol=1e-9)


def test_a_call_after_a_fit_begins_anew_and_a_failure_changes_nothing(data, new):
    X, y = data
    summed = model(30).fit(X, y).partial_fit(X[:60], y[:60])
    before = summed.predict(new)
    for wrong in ((X[60:, :2], y[60:]), (X[60:], y[60:, 0]), (np.where(X[60:] > 2.4, np.nan, X[60:]), y[60:])):
        with pytest.raises(ValueError):
            summed.partial_fit(*wrong)
    np.testing.assert_array_equal(summed.predict(new), before)
    again = pickle.loads(pickle.dumps(summed)).partial_fit(X[60:], y[60:])
    np.testing.assert_array_equal(again.predict(new), summed.partial_fit(X[60:], y[60:]).predict(new))
    np.testing.assert_array_equal(again.predict(new), in_parts(X, y, cuts=(60,)).predict(new))


def test_rows_that_are_read(data, new, tmp_path):
    X, y = data
    np.save(tmp_path / "X.npy", X)
    read = model(30).fit(np.load(tmp_path / "X.npy", mmap_mode="r"), y)
    summed = model(read.landmarks_).partial_fit(X, y)
    np.testing.assert_array_equal(read.predict(new), summed.predict(new))
    np.testing.assert_array_equal(read.weights(new), summed.weights(new))
    assert len(read.Y_fit_) <= 30
    assert read.fit(X, y).weights(new).shape == (9, N)
    whole = model("auto").fit(gramian.rows(tmp_path / "X.npy"), y)  # few rows: all of them, in memory
    np.testing.assert_array_equal(whole.predict(new), model(None).fit(X, y).predict(new))


@pytest.mark.parametrize("make", [lambda X, y: model(30).fit(X, y), in_parts], ids=["kept", "summed"])
def test_files_have_the_same_bits(data, new, make, tmp_path):
    fitted = make(*data)
    fitted.save(tmp_path / "model.gramian")
    loaded = gramian.load(tmp_path / "model.gramian")
    for answer in (loaded.predict, loaded.weights):
        np.testing.assert_array_equal(answer(new), getattr(fitted, answer.__name__)(new))
    np.testing.assert_array_equal(loaded.sample(new, 3), fitted.sample(new, 3))
    if fitted._sum is not None:
        with pytest.raises(ValueError, match="comes from a file"):
            loaded.partial_fit(*data)
        clone(loaded).partial_fit(*data)


def test_cross_validation_on_all_rows_is_the_exact_one(data):
    X, y = data
    w = np.random.default_rng(5).integers(0, 3, N).astype(float)
    for weights in (None, w):
        options = {"learn": "cv", "kernel": Gaussian(gamma=0.8), "penalties": [1e-4, 1e-2, 1.0], "regularised": True}
        rows = np.arange(N) if weights is None else np.flatnonzero(weights)
        exact, spanned = model(None, **options).fit(X, y, weights), model(rows, **options).fit(X, y, weights)
        np.testing.assert_allclose(
            spanned.cv_results_["mean_test_score"], exact.cv_results_["mean_test_score"], rtol=1e-6
        )
        assert (spanned.penalty_, spanned.kernel_) == (exact.penalty_, exact.kernel_)


def test_cross_validation_on_some_landmarks_chooses_the_best(data):
    found = model(60, learn="cv").fit(*data)
    scores = found.cv_results_["mean_test_score"]
    best = found.cv_results_["params"][int(np.argmax(scores))]
    assert (found.penalty_, found.kernel_) == (best["penalty"], best["kernel"])
    assert scores.max() > 0.9 * scores.min()  # they are minus a loss
    assert len(found.landmarks_) == 60


def test_auto_is_all_rows_up_to_the_switch(data, new, monkeypatch):
    X, y = data
    assert model("auto").fit(X, y).landmarks_ is None
    monkeypatch.setattr(ConditionalMeanEmbedding, "_switch", Switch(most_exact=100, per_root=10))
    fitted = model("auto").fit(X, y)
    assert len(fitted.landmarks_) == 123  # 10 sqrt(150)
    function = ConditionalMeanEmbedding(lambda a, b: float(a @ b), "linear").fit(list(X), y)
    assert function.landmarks_ is None


def test_auto_takes_landmarks_where_memory_ends(data, monkeypatch):
    X, y = data
    monkeypatch.setattr(gramian._core.base, "memory_report", lambda: type("Report", (), {"limit": 1000}))
    assert model("auto").fit(X, y).landmarks_ is not None


def test_what_landmarks_cannot_do(data):
    X, y = data
    K = KERNELS["kernel"](X, X)
    with pytest.raises(ValueError, match="set landmarks=None"):
        model(10, kernel="precomputed").fit(K, y)
    model(None, kernel="precomputed").fit(K, y)
    with pytest.raises(ValueError, match="set landmarks=None"):
        model(10, output_kernel="precomputed").fit(X, y @ y.T)
    model(None, output_kernel="precomputed").fit(X, y @ y.T)
    with pytest.raises(ValueError, match="use fit with samples in memory"):
        model(10, output_kernel=Delta()).partial_fit(X, np.where(y[:, 0] > 0, "a", "b"))
    model(10, output_kernel=Delta()).fit(X, np.where(y[:, 0] > 0, "a", "b"))
    for wrong in ("most", 0, N + 1, 1.5, [0, N]):
        with pytest.raises((TypeError, ValueError), match="landmarks"):
            model(wrong).fit(X, y)
    for options in ({"landmarks": None}, {"learn": "cv"}, {"kernel": "precomputed"}):
        assert not hasattr(ConditionalMeanEmbedding(**options), "partial_fit")


def test_g_has_the_rows_of_the_outputs_that_are_kept(data, new):
    X, y = data
    summed = in_parts(X, y)
    with pytest.raises(ValueError, match="Y_fit_"):
        summed.expectation(y, new)
    summed.expectation(summed.Y_fit_, new)
    kept = model(30).fit(X, y)
    np.testing.assert_allclose(kept.expectation(y, new), kept.predict(new), atol=1e-9)


def test_advice_against_too_little_memory_helps(data):
    X, y = data
    K = KERNELS["kernel"](X, X)
    gramian.set_memory_limit(200_000)
    try:
        with pytest.raises(MemoryError, match="use fewer landmarks, or fewer samples$"):
            model(100).fit(X, y)
        model(20).fit(X, y)
        model(20).fit(X[:50], y[:50])
        with pytest.raises(MemoryError, match="use landmarks, or fewer samples$"):
            model(None, learn="cv", cv=2).fit(X, y)
        model(10, learn="cv", cv=2).fit(X, y)
        model(None, learn="cv", cv=2).fit(X[:40], y[:40])
        with pytest.raises(MemoryError, match="use fewer samples$"):
            model("auto", kernel="precomputed").fit(K, y)
        model("auto", kernel="precomputed").fit(K[:50, :50], y[:50])
    finally:
        gramian.set_memory_limit(None)
