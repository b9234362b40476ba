# SPDX-License-Identifier: BSD-3-Clause
"""DeepKernelPCA as an estimator of scikit-learn."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from gramian import DeepKernelPCA, ParametricDeepKernelPCA
from gramian.kernels import Gaussian, Kernel
from scikit_checks import checks, failing_checks
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")  # their data are noise, and often few
@pytest.mark.parametrize(("estimator", "check"), list(checks({"pca": DeepKernelPCA()})))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_none_of_its_checks_is_left_out(run_python):
    assert failing_checks(run_python, "gramian.DeepKernelPCA()") == set()


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_iris().data[::3])


@pytest.fixture
def estimator():
    return DeepKernelPCA((3, 2), [Gaussian(gamma=0.3), Gaussian(gamma=0.8)])


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_gives_the_same_bits(estimator, X, protocol):
    fitted = estimator.fit(X)
    restored = pickle.loads(pickle.dumps(fitted, protocol))
    assert restored.transform(X).tobytes() == fitted.transform(X).tobytes()


def test_clones_and_copies(estimator, X):
    fitted = estimator.fit(X)
    assert copy.deepcopy(fitted).transform(X).tobytes() == fitted.transform(X).tobytes()
    twin = clone(fitted)
    assert not hasattr(twin, "hidden_features_")
    assert twin.fit(X).transform(X).tobytes() == fitted.transform(X).tobytes()


def test_state_is_arrays_numbers_strings_and_kernels(estimator, X):
    def plain(value):
        if isinstance(value, list | tuple):
            return all(plain(item) for item in value)
        if isinstance(value, dict):
            return all(plain(item) for item in value.values())
        return value is None or isinstance(value, np.ndarray | np.generic | int | float | str | Kernel)

    assert all(plain(value) for value in vars(estimator.fit(X)).values())


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_the_same_bits_for_any_number_of_threads(run_python, threads):
    code = """
import hashlib
import numpy as np
import gramian
X = np.random.default_rng(0).normal(size=(90, 3))
model = gramian.DeepKernelPCA((3, 2), [gramian.kernels.Gaussian(gamma=0.1), gramian.kernels.Gaussian(gamma=1.0)],
                              callback=lambda it: it.number >= 20).fit(X)
bits = np.hstack(model.hidden_features_).tobytes() + model.transform(X[:5] + 0.1).tobytes()
print(hashlib.sha256(bits).hexdigest())
"""
    alone, many = (run_python(code, OMP_NUM_THREADS=str(n)) for n in (1, threads))
    assert alone.stdout == many.stdout and len(alone.stdout) == 65, many.stderr


def test_it_stands_in_a_pipeline_and_a_search(estimator):
    X, y = load_iris(return_X_y=True)
    model = make_pipeline(StandardScaler(), DeepKernelPCA((3, 2), Gaussian(gamma=0.3)), LogisticRegression(C=1e3))
    grid = {"deepkernelpca__kernels__gamma": [0.05, 0.3], "deepkernelpca__eta": [1.0, [1.0, 2.0]]}
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.85
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_names_of_features(estimator, X):
    model = estimator.fit(X)
    assert list(model.get_feature_names_out()) == [f"deepkernelpca{i}" for i in range(5)]
    assert list(model.get_feature_names_out(level=1)) == [f"deepkernelpca{i}" for i in range(3)]
    assert list(model.get_feature_names_out(level=2)) == ["deepkernelpca3", "deepkernelpca4"]
    assert model.transform(X, level=2).shape[1] == len(model.get_feature_names_out(level=2))
    with pytest.raises(ValueError, match="level"):
        model.get_feature_names_out(level=3)


@pytest.mark.parametrize("parametric", [False, True])
def test_a_data_frame_has_all_levels_and_one_is_refused(estimator, X, parametric):
    pca = DeepKernelPCA((3, 2), "linear")
    model = ParametricDeepKernelPCA(pca=pca, n_rounds=1).fit(X) if parametric else estimator.fit(X)
    model.set_output(transform="pandas")
    with pytest.raises(ValueError, match=r"pandas output for all levels alone.*get_feature_names_out\(level=2\)"):
        model.transform(X, level=2)
    assert model.set_output(transform="default").transform(X, level=2).shape == (len(X), 2)


def test_a_failed_fit_leaves_the_estimator_as_it_was(estimator, X):
    fitted = estimator.fit(X)
    before = fitted.transform(X)
    with pytest.raises(ValueError, match="eta"):
        fitted.set_params(eta=0.0).fit(X[:, :2])
    assert fitted.transform(X).tobytes() == before.tobytes()


def test_a_fitted_model_is_what_it_was_fitted_as(estimator, X):
    """Parameters that are changed later on count for the next fit alone."""
    fitted = estimator.fit(X)
    before = fitted.transform(X)
    fitted.set_params(center=True, n_components=(2, 2), eta=-1.0, kernels="precomputed")
    assert fitted.transform(X).tobytes() == before.tobytes()


def test_one_row_is_as_good_as_many(X):
    for kernels in ("linear", [Gaussian(gamma=0.3), "linear"], [Gaussian(gamma=0.3), Gaussian(gamma=0.8)]):
        model = DeepKernelPCA((3, 2), kernels if isinstance(kernels, list) else [kernels, kernels]).fit(X)
        fresh = X[:6] + 0.1
        alone = np.vstack([model.transform(row[None]) for row in fresh])
        np.testing.assert_allclose(alone, model.transform(fresh), atol=1e-8)
