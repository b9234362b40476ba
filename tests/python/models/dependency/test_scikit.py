# SPDX-License-Identifier: BSD-3-Clause
"""DependencyRegressor and OperatorKernelRidge in scikit-learn: its checks, none of them expected to fail."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
from gramian import DependencyRegressor, OperatorKernelRidge
from gramian.kernels import Gaussian, Kernel
from gramian.operators import DiagonalRegularization, OperatorKernel, Separable
from scikit_checks import checks, failing_checks
from sklearn.base import clone, is_regressor
from sklearn.datasets import load_linnerud
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

MODELS = {
    "conditional": DependencyRegressor(),
    "rank": DependencyRegressor(output_kernel=Gaussian(), operator="covariance", rank=5),
    "components": DependencyRegressor(operator="identity", n_output_components=1, alphas=[1e-2, 1.0]),
    "linear": DependencyRegressor(preimage="linear"),
    "ridge": OperatorKernelRidge(),
    "gradients": OperatorKernelRidge(solver="cg"),
}


@pytest.mark.parametrize(("estimator", "check"), list(checks(MODELS)))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_none_of_its_checks_is_left_out(run_python):
    assert failing_checks(run_python, "gramian.DependencyRegressor()") == set()


# Estimators with a decision function are no regressors there, so those for regressors are asked for by name.
@pytest.mark.parametrize("check", [estimator_checks.check_regressor_multioutput, estimator_checks.check_regressors_int])
@pytest.mark.parametrize("name", list(MODELS))
def test_checks_of_regressors_with_many_outputs(name, check):
    check(type(MODELS[name]).__name__, clone(MODELS[name]))


@pytest.mark.parametrize("name", list(MODELS))
def test_data_need_not_be_arrays(name):
    model = MODELS[name]
    X, y = estimator_checks._regression_dataset()
    estimator_checks.check_estimators_data_not_an_array(type(model).__name__, model, X, y, "NotAnArray")


def test_the_kind_of_estimator():
    assert is_regressor(OperatorKernelRidge()) and not is_regressor(DependencyRegressor())


@pytest.fixture(scope="module")
def data():
    X, Y = load_linnerud(return_X_y=True)
    return StandardScaler().fit_transform(X), StandardScaler().fit_transform(Y)


@pytest.fixture(params=list(MODELS))
def model(request):
    return clone(MODELS[request.param])


def test_copies_pickles_and_files_give_the_same_bits(model, data, tmp_path):
    fitted = model.fit(*data)
    before = fitted.predict(data[0]).tobytes()
    joblib.dump(fitted, tmp_path / "model.joblib")
    twins = [pickle.loads(pickle.dumps(fitted, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for twin in [*twins, copy.deepcopy(fitted), joblib.load(tmp_path / "model.joblib"), clone(fitted).fit(*data)]:
        assert twin.predict(data[0]).tobytes() == before
        assert twin.score(*data) == fitted.score(*data)


def test_one_fitted_estimator_serves_many_threads(model, data):
    fitted = model.fit(*data)
    alone = fitted.predict(data[0]).tobytes()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: fitted.predict(data[0]).tobytes(), range(16))) == {alone}


def test_state_is_arrays_numbers_strings_and_kernels(model, data):
    def plain(value):
        if isinstance(value, list | tuple):
            return all(plain(item) for item in value)
        kinds = np.ndarray | np.generic | int | float | str | Kernel | OperatorKernel
        return value is None or isinstance(value, kinds)

    assert all(plain(value) for value in vars(model.fit(*data)).values())


def test_training_data_are_copied(model, data):
    X, Y = data[0].copy(), data[1].copy()
    fitted = model.fit(X, Y)
    before = fitted.predict(data[0])
    X += 1.0
    Y += 1.0
    np.testing.assert_array_equal(fitted.predict(data[0]), before)


def test_a_failed_fit_leaves_the_estimator_as_it_was(model, data):
    fitted = model.fit(*data)
    before = fitted.predict(data[0])
    with pytest.raises(ValueError, match="alpha"):
        fitted.set_params(alpha=-1.0).fit(data[0][:, :2], data[1])
    np.testing.assert_array_equal(fitted.predict(data[0]), before)


def test_another_fit_forgets_the_last_one(data):
    model = DependencyRegressor(rank=5, output_kernel=Gaussian()).fit(*data)
    model.set_params(rank=None).fit(*data)
    assert model.input_supports_ is None and model.input_factor_ is None
    fresh = DependencyRegressor(output_kernel=Gaussian()).fit(*data)
    np.testing.assert_array_equal(model.decision_function(data[0]), fresh.decision_function(data[0]))


def test_searches_reach_parameters_of_kernels(data):
    grid = {"kernel__gamma": [1e-3, 0.3], "output_kernel__gamma": [0.5], "alpha": [1e-2, 1.0]}
    search = GridSearchCV(DependencyRegressor(Gaussian(gamma=1.0), Gaussian(gamma=1.0)), grid, cv=3).fit(*data)
    assert search.best_estimator_.kernel_.gamma == search.best_params_["kernel__gamma"]
    operator = DiagonalRegularization(Gaussian(gamma=1.0))
    grid = {"operator__weight": [0.0, 0.2], "operator__kernel__gamma": [0.1, 0.3]}
    for estimator in (OperatorKernelRidge(operator), DependencyRegressor(operator=operator, preimage="linear")):
        search = GridSearchCV(estimator, grid, cv=3).fit(*data)
        assert np.isfinite(search.cv_results_["mean_test_score"]).all()
        assert search.best_estimator_.operator_.kernel.gamma == search.best_params_["operator__kernel__gamma"]
    assert operator.get_params()["kernel"] == Gaussian(gamma=1.0)


def test_they_stand_in_pipelines(data):
    X, Y = load_linnerud(return_X_y=True)
    for model in (DependencyRegressor(preimage="linear"), OperatorKernelRidge(Separable(Gaussian()))):
        pipe = make_pipeline(StandardScaler(), model).fit(X, Y)
        assert pipe.predict(X).shape == Y.shape
        assert np.isfinite(pipe.score(X, Y))
