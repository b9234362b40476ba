# SPDX-License-Identifier: BSD-3-Clause
"""What scikit-learn asks of every estimator: its own checks, none of them expected to fail."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
from gramian import K2Autoencoder, KernelAutoencoder
from gramian.kernels import Gaussian
from scikit_checks import checks, failing_checks
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import FeatureUnion, make_pipeline
from sklearn.preprocessing import StandardScaler

ESTIMATORS = [KernelAutoencoder, K2Autoencoder]


@pytest.mark.parametrize(("estimator", "check"), list(checks({cls.__name__: cls() for cls in ESTIMATORS})))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", [estimator.__name__ for estimator in ESTIMATORS])
def test_none_of_its_checks_is_left_out(run_python, name):
    assert failing_checks(run_python, f"gramian.{name}()") == set()


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_iris().data[::4])


@pytest.fixture(params=ESTIMATORS, ids=lambda cls: cls.__name__)
def estimator(request):
    return request.param(kernels=Gaussian(gamma=0.3), penalty=1e-3, tol=0.1)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_gives_the_same_bits(estimator, X, protocol):
    fitted = estimator.fit(X)
    restored = pickle.loads(pickle.dumps(fitted, protocol))
    assert restored.transform(X).tobytes() == fitted.transform(X).tobytes()
    assert restored.score(X) == fitted.score(X)


def test_copies_and_files_give_the_same_bits(estimator, X, tmp_path):
    fitted = estimator.fit(X)
    joblib.dump(fitted, tmp_path / "model.joblib")
    for twin in (copy.deepcopy(fitted), joblib.load(tmp_path / "model.joblib")):
        assert twin.transform(X).tobytes() == fitted.transform(X).tobytes()


def test_one_fitted_estimator_serves_many_threads(estimator, X):
    fitted = estimator.fit(X)
    alone = fitted.transform(X).tobytes()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: fitted.transform(X).tobytes(), range(24))) == {alone}


def test_state_is_arrays_numbers_strings_and_kernels(estimator, X):
    def plain(value):
        if isinstance(value, list | tuple):
            return all(plain(item) for item in value)
        if isinstance(value, dict):
            return all(plain(item) for item in value.values())
        return value is None or isinstance(value, np.ndarray | np.generic | int | float | str | Gaussian)

    assert all(plain(value) for value in vars(estimator.fit(X)).values())


def test_a_clone_is_not_fitted_and_fits_the_same(estimator, X):
    fitted = estimator.fit(X)
    twin = clone(fitted)
    assert not hasattr(twin, "coefficients_")
    assert twin.fit(X).transform(X).tobytes() == fitted.transform(X).tobytes()


@pytest.mark.filterwarnings("ignore:The codes of .* have collapsed")  # with the largest penalty
def test_searches_reach_alpha_and_gamma(estimator, X):
    grid = {"penalty": [1e-4, 1e2], "kernels__gamma": [0.1, 0.3]}
    search = GridSearchCV(estimator, grid, cv=3).fit(X)
    assert search.best_params_["penalty"] == 1e-4
    assert search.best_estimator_.kernels_[0].gamma == search.best_params_["kernels__gamma"]
    assert estimator.kernels == Gaussian(gamma=0.3)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_it_stands_in_a_pipeline(estimator):
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), estimator, LogisticRegression())
    ours = cross_val_score(model, X, y, cv=3).mean()
    assert ours > 0.8


def test_names_of_features(estimator, X):
    model = estimator.fit(X)
    prefix = type(model).__name__.lower()
    assert list(model.get_feature_names_out()) == [f"{prefix}0", f"{prefix}1"]
    union = FeatureUnion([("codes", estimator), ("components", PCA(1))]).fit(X)
    assert list(union.get_feature_names_out())[:2] == [f"codes__{prefix}0", f"codes__{prefix}1"]
    assert model.set_output(transform="default").transform(X).shape == (len(X), 2)


def test_a_failed_fit_leaves_the_estimator_as_it_was(estimator, X):
    with pytest.raises(ValueError, match="penalty"):
        estimator.set_params(penalty=-1.0).fit(X)
    assert not any(name.endswith("_") for name in vars(estimator))
    fitted = estimator.set_params(penalty=1e-3).fit(X)
    before = fitted.transform(X)
    with pytest.raises(ValueError, match="penalty"):
        fitted.set_params(penalty=-1.0).fit(X[:, :2])
    assert fitted.transform(X).tobytes() == before.tobytes()
