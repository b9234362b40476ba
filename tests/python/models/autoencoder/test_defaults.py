# SPDX-License-Identifier: BSD-3-Clause
"""Kernels and penalties of autoencoders that nobody has chosen."""

import warnings

import gramian
import numpy as np
import pytest
from gramian import K2Autoencoder, KernelAutoencoder
from gramian.kernels import Gaussian
from gramian.models.autoencoder import defaults
from sklearn.datasets import load_iris, load_wine
from sklearn.decomposition import PCA, KernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_wine().data)


def held_out_error(model, X, rows, penalty):
    """Of a fit of its own to the other rows, with few iterations."""
    others = np.setdiff1d(np.arange(len(X)), rows)
    model = type(model)(**{**model.get_params(deep=False), "penalty": penalty, "max_iter": defaults.STEPS})
    return model.fit(X[others]).reconstruction_error(X[rows]).mean()


@pytest.mark.parametrize("landmarks", [None, 30])
def test_the_first_loss_of_a_search_is_that_of_a_fit_without_the_held_out_rows(X, landmarks):
    kernels = [Gaussian(gamma=0.05), Gaussian(gamma=0.2)]
    model = KernelAutoencoder((3,), kernels, landmarks=landmarks, random_state=0).fit(X)
    supports = model.landmarks_
    for first in range(3):  # of 178 rows three fifths are held out, one after the other
        rows = np.arange(len(X))[first::5]
        if landmarks is not None:
            others = np.setdiff1d(np.arange(len(X)), rows)
            model.landmarks = np.searchsorted(others, np.setdiff1d(supports, rows))
        found = -model.cv_results_[f"split{first}_test_score"][0]
        np.testing.assert_allclose(found, held_out_error(model, X, rows, 0.1), rtol=1e-6)
    assert "split3_test_score" not in model.cv_results_


def test_the_penalty_has_the_best_score_and_the_search_ends_where_it_falls(X):
    model = KernelAutoencoder((5,)).fit(X)
    scores, tried = model.cv_results_["mean_test_score"], model.cv_results_["param_penalty"]
    np.testing.assert_allclose(tried, defaults.PENALTIES[: len(tried)])
    assert scores[-1] < scores.max() and (np.diff(scores[:-1]) >= 0).all()
    assert set(model.penalties_) == {tried[int(np.argmax(scores))]}
    assert model.get_params()["penalty"] == "auto"


@pytest.mark.parametrize("size", [2, 5])
@pytest.mark.parametrize("load", [load_wine, load_iris], ids=["wine", "iris"])
def test_codes_lose_less_than_principal_components(load, size):
    samples = StandardScaler().fit_transform(load().data)
    if size >= samples.shape[1]:
        samples = np.hstack([samples, np.random.default_rng(1).normal(size=(len(samples), size))])
    order = np.random.default_rng(0).permutation(len(samples))
    learn, new = samples[order[: len(order) * 2 // 3]], samples[order[len(order) * 2 // 3 :]]
    model, pca = KernelAutoencoder((size,)).fit(learn), PCA(size).fit(learn)
    theirs = ((new - pca.inverse_transform(pca.transform(new))) ** 2).sum(axis=1).mean()
    assert -model.score(new) < 1.02 * theirs


def test_codes_of_a_feature_space_lose_less_than_kernel_pca_and_do_not_collapse(X):
    kernel = Gaussian(gamma=0.05)
    learn, new = X[::2], X[1::2]
    K, cross = kernel(learn), kernel(new, learn)
    for size in (5, 25, 50):
        pca = KernelPCA(size, kernel="precomputed").fit(K)
        model = K2Autoencoder((size,), kernel).fit(learn)
        # |phi(x)|^2 is 1: what the components keep of the centred images, and the mean.
        centred = 1.0 - 2.0 * cross.mean(axis=1) + K.mean()
        theirs = (centred - (pca.transform(cross) ** 2).sum(axis=1)).mean()
        assert -model.score(new) < 1.02 * theirs
        assert model.embedding_.var(axis=0).sum() > 0.01


def test_units_do_not_matter(X):
    small, large = KernelAutoencoder((3,)).fit(X), KernelAutoencoder((3,)).fit(1024.0 * X)
    assert set(large.penalties_ / small.penalties_) <= {1.0, 0.1, 0.01, 10.0}
    for name in ("k1__gamma", "k2__factor"):
        assert large.kernels_[0].get_params()[name] == small.kernels_[0].get_params()[name] / 2.0**20


def test_few_samples_bounds_and_warm_starts_are_not_searched_for(X):
    few = KernelAutoencoder(max_iter=3).fit(X[:9])
    assert few.cv_results_ is None and set(few.penalties_) == {1e-2}
    bounded = KernelAutoencoder(max_norm=2.0, solver="gd", max_iter=3).fit(X[:40])
    assert bounded.cv_results_ is None and set(bounded.penalties_) == {0.0}
    model = KernelAutoencoder(max_iter=3, warm_start=True).fit(X)
    penalties, kernels = model.penalties_, model.kernels_
    again = model.fit(X)
    assert again.cv_results_ is None
    np.testing.assert_array_equal(again.penalties_, penalties)
    assert again.kernels_ == kernels
    given = KernelAutoencoder(penalty=1e-3, max_iter=3).fit(X)
    assert given.cv_results_ is None


def test_the_loss_of_the_fit_is_that_of_the_search(X):
    options = {"last_layer": "joint", "max_iter": 3, "random_state": 0}
    squared = KernelAutoencoder(loss=gramian.losses.Squared(), **options).fit(X).cv_results_["mean_test_score"]
    np.testing.assert_allclose(squared, KernelAutoencoder(**options).fit(X).cv_results_["mean_test_score"], rtol=1e-10)
    huber = KernelAutoencoder(loss=gramian.losses.Huber(0.1), **options).fit(X).cv_results_["mean_test_score"]
    assert huber[0] > squared[0]  # of less than r^2


def test_weights_are_copies(X):
    counts = np.random.default_rng(0).integers(1, 4, size=60)
    weighted = KernelAutoencoder().fit(X[:60], sample_weight=counts)
    repeated = KernelAutoencoder().fit(np.repeat(X[:60], counts, axis=0))
    np.testing.assert_array_equal(weighted.cv_results_["mean_test_score"], repeated.cv_results_["mean_test_score"])


def test_the_clock_ends_a_search(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model = KernelAutoencoder((2,), max_time=1e-9).fit(X)
    assert len(model.cv_results_["params"]) == 1 and model.stop_reason_ == "max_time"


def test_a_large_set_is_searched_on_some_rows(monkeypatch, X):
    monkeypatch.setattr(defaults, "MOST_ROWS", 50)
    rows = np.linspace(0, len(X) - 1, 50).astype(int)
    few = KernelAutoencoder((2,), "rbf", max_iter=2).fit(X[rows])
    many = KernelAutoencoder((2,), few.kernels_, max_iter=2).fit(X)
    few = KernelAutoencoder((2,), few.kernels_, max_iter=2).fit(X[rows])
    np.testing.assert_array_equal(many.cv_results_["mean_test_score"], few.cv_results_["mean_test_score"])


@pytest.mark.parametrize("penalty", ["automatic", "1e-3", [1e-2, "auto"]])
def test_what_is_no_penalty_is_refused(X, penalty):
    for model in (KernelAutoencoder(penalty=penalty), K2Autoencoder(penalty=penalty)):
        with pytest.raises((TypeError, ValueError), match="penalty"):
            model.fit(X)


@pytest.mark.parametrize("make", [KernelAutoencoder, K2Autoencoder])
def test_codes_that_collapse_are_noticed_and_what_is_advised_helps(make, X):
    model = make((5,), kernels="rbf", penalty=1.0)
    with pytest.warns(ConvergenceWarning, match="collapsed.*Lower penalty, or leave it at 'auto'"):
        model.fit(X)
    values = X if make is KernelAutoencoder else model.factor_
    assert model.distortion_ > 0.99 * values.var(axis=0).sum()
    for penalty in (1e-3, "auto"):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            model.set_params(penalty=penalty).fit(X)
        assert not [one for one in said if "collapsed" in str(one.message)]
