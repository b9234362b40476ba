# SPDX-License-Identifier: BSD-3-Clause
"""A weight of 2 is a sample that is there twice, in whichever order samples come, and one of 0 is not there."""

from __future__ import annotations

from typing import Any

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import K2Autoencoder, KernelAutoencoder
from gramian.kernels import Gaussian, Linear
from sklearn.base import clone

N = 24
GENERATOR = np.random.default_rng(0)
X, FRESH = GENERATOR.normal(size=(N, 3)), GENERATOR.normal(size=(6, 3))
COUNTS = GENERATOR.integers(0, 4, size=N)
ORDER = GENERATOR.permutation(COUNTS.sum())
COPIES = np.arange(N).repeat(COUNTS)[ORDER]
JOINT: dict[str, Any] = {"last_layer": "joint"}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")

MODELS = {
    "default": KernelAutoencoder(),
    "three layers": KernelAutoencoder((4, 2), penalty=1e-3),
    "joint": KernelAutoencoder(**JOINT),
    "huber": KernelAutoencoder(loss=gramian.losses.Huber(0.5), **JOINT),
    "gd": KernelAutoencoder(solver="gd", max_iter=50),
    "adam": KernelAutoencoder(solver="adam", max_iter=50),
    "batches": KernelAutoencoder(solver="adam", max_iter=50, batch_size=7, random_state=0, **JOINT),
    "sgd": KernelAutoencoder(solver="sgd", max_iter=50, learning_rate=1e-3, random_state=0, **JOINT),
    "alternating": KernelAutoencoder(solver="alternating", max_iter=50),
    "bounds": KernelAutoencoder(penalty=0.0, max_norm=1.0, solver="gd", max_iter=50),
    "starts": KernelAutoencoder(n_init=3, random_state=0),
    "landmarks": KernelAutoencoder(landmarks=9, random_state=0),
    "feature space": K2Autoencoder(),
    "feature space, linear": K2Autoencoder(input_kernel=Linear()),
    "feature space, landmarks": K2Autoencoder(landmarks=9, random_state=0),
    "feature space, alternating": K2Autoencoder(solver="alternating", max_iter=50),
}


@pytest.fixture(params=list(MODELS))
def model(request: pytest.FixtureRequest) -> Any:
    """Each of them, not fitted."""
    return clone(MODELS[request.param])


def results(model: Any, **kinds: Any) -> dict[str, Any]:
    codes = model.transform(FRESH)
    return {
        "codes": codes,
        "back": model.inverse_transform(codes),
        "errors": model.reconstruction_error(FRESH),
        "objective": model.objective_,
        "norms": model.squared_norms_,
        "iterations": model.n_iter_,
    }


def test_weights_are_repetitions(model):
    weighted = results(clone(model).fit(X, sample_weight=COUNTS))
    repeated = results(clone(model).fit(X[COPIES]))
    for name, value in weighted.items():
        np.testing.assert_allclose(value, repeated[name], rtol=1e-8, atol=1e-10, err_msg=name)


def test_weights_of_one_change_no_bit(model):
    weighted, plain = (results(clone(model).fit(X, **more)) for more in ({"sample_weight": np.ones(N)}, {}))
    for name, value in weighted.items():
        np.testing.assert_array_equal(value, plain[name], err_msg=name)


def test_weights_matter(model):
    light, heavy = (np.where(np.arange(N) < 8, weight, 1.0) for weight in (0.05, 20.0))
    errors = [clone(model).fit(X, sample_weight=w).reconstruction_error(X)[:8].mean() for w in (light, heavy)]
    assert errors[1] < errors[0]


@pytest.mark.parametrize("estimator", [KernelAutoencoder, K2Autoencoder])
@pytest.mark.parametrize("landmarks", [None, 9])
def test_codes_and_scores_are_of_all_samples(estimator, landmarks):
    model = estimator(kernels="rbf", penalty=1e-3, landmarks=landmarks)
    codes = model.fit_transform(X, sample_weight=COUNTS)
    np.testing.assert_allclose(codes, model.transform(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(model.score(X, sample_weight=COUNTS), -model.distortion_, rtol=1e-9)
    distinct = np.flatnonzero(COUNTS) if landmarks is None else model.landmarks_
    assert [len(part) for part in model.coefficients_] == [len(distinct)] * 2
    if landmarks is not None and estimator is K2Autoencoder:
        return
    rows = model.supports_[0] if estimator is KernelAutoencoder else model.X_fit_
    np.testing.assert_array_equal(rows, X[distinct])  # in the order of X
    np.testing.assert_allclose(model.supports_[1], codes[distinct], atol=1e-12)


@pytest.mark.parametrize("estimator", [KernelAutoencoder, K2Autoencoder])
@pytest.mark.parametrize("landmarks", [None, 9])
def test_weights_of_distinct_samples_leave_them_where_they_are(estimator, landmarks):
    weights = np.random.default_rng(3).uniform(0.1, 3.0, size=N)
    model = estimator(landmarks=landmarks, random_state=0).fit(X, sample_weight=weights)
    np.testing.assert_allclose(model.embedding_, model.transform(X), atol=1e-12)
    np.testing.assert_allclose(model.score(X, sample_weight=weights), -model.distortion_, rtol=1e-9)


def test_a_sum_of_weights_is_the_number_of_samples_of_the_bound():
    weighted = KernelAutoencoder().fit(X, sample_weight=COUNTS).generalization_terms()
    repeated = KernelAutoencoder().fit(X[COPIES]).generalization_terms()
    assert weighted["n"] == repeated["n"] == COUNTS.sum()


def test_landmarks_are_rows_of_x():
    rows = np.flatnonzero(COUNTS)[[1, 4, 5, 9]]
    model = KernelAutoencoder(landmarks=rows).fit(X, sample_weight=COUNTS)
    np.testing.assert_array_equal(model.landmarks_, rows)
    np.testing.assert_array_equal(model.supports_[0], X[rows])
    absent = np.flatnonzero(COUNTS == 0)[:1]
    with pytest.raises(ValueError, match="has rows whose sample_weight is 0"):
        KernelAutoencoder(landmarks=absent).fit(X, sample_weight=COUNTS)


@pytest.mark.parametrize("landmarks", [None, 9])
def test_a_warm_start_goes_on_with_weights(landmarks):
    for estimator in (KernelAutoencoder, K2Autoencoder):
        model = estimator(max_iter=5, landmarks=landmarks, warm_start=True, random_state=0)
        before = model.fit(X, sample_weight=COUNTS).objective_
        assert model.fit(X, sample_weight=COUNTS).history_["value"][0] == pytest.approx(before, rel=1e-10)


@pytest.mark.parametrize("kind", ["precomputed", "function", "sparse"])
@pytest.mark.parametrize("landmarks", [None, 9])
def test_what_has_inner_products_is_weighted(kind, landmarks):
    kernel = Gaussian(gamma=0.3)
    K, cross = gramian.gram(kernel, X), gramian.gram(kernel, FRESH, X)
    given: dict[str, Any] = {
        "precomputed": ("precomputed", K, K[np.ix_(COPIES, COPIES)], cross, cross[:, COPIES]),
        "function": (lambda a, b: float(kernel([a], [b])[0, 0]), list(X), list(X[COPIES]), list(FRESH), list(FRESH)),
        "sparse": (kernel, *(scipy.sparse.csr_matrix(A) for A in (X, X[COPIES], FRESH, FRESH))),
    }
    asked, once, often, new, new_often = given[kind]
    model = K2Autoencoder(input_kernel=asked, landmarks=landmarks, random_state=0)
    weighted, repeated = clone(model).fit(once, sample_weight=COUNTS), clone(model).fit(often)
    codes = weighted.transform(new)
    np.testing.assert_allclose(codes, repeated.transform(new_often), rtol=1e-8, atol=1e-10)
    errors = repeated.reconstruction_error(new_often)
    np.testing.assert_allclose(weighted.reconstruction_error(new), errors, rtol=1e-8)
    # Of copies that share a weight, the sum is that of the sample itself.
    shares = repeated.reconstruction_weights(codes)
    summed = np.stack([shares[:, row == COPIES].sum(axis=1) for row in range(N)], axis=1)
    np.testing.assert_allclose(weighted.reconstruction_weights(codes), summed, rtol=1e-7, atol=1e-10)
    assert weighted.nearest(codes).tolist() == COPIES[repeated.nearest(codes)].tolist()
    assert (COUNTS[weighted.nearest(codes)] > 0).all()
    absent = np.flatnonzero(COUNTS == 0)
    left_out = K[absent] if kind == "precomputed" else [once[i] for i in absent] if kind == "function" else once[absent]
    np.testing.assert_allclose(weighted.embedding_[absent], weighted.transform(left_out), atol=1e-12)


def test_samples_that_are_all_equal_are_one():
    for estimator in (KernelAutoencoder, K2Autoencoder):
        model = estimator().fit(np.ones((5, 2)))
        assert np.isfinite(model.transform(np.ones((3, 2)))).all() and model.embedding_.shape == (5, 2)


@pytest.mark.parametrize("wrong", [-np.ones(N), np.zeros(N), np.ones(N - 1), np.full(N, np.nan)])
def test_weights_are_checked(wrong):
    for estimator in (KernelAutoencoder, K2Autoencoder):
        with pytest.raises(ValueError, match=r"(?i)weight"):
            estimator().fit(X, sample_weight=wrong)


def test_a_gram_matrix_must_be_square():
    with pytest.raises(ValueError, match="X must be the square Gram matrix"):
        K2Autoencoder(input_kernel="precomputed").fit(np.ones((3, 4)))
