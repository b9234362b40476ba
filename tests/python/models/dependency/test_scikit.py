# SPDX-License-Identifier: BSD-3-Clause
"""DependencyRegressor and OperatorKernelRidge in scikit-learn: its checks, none of them expected to fail."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import joblib
import numpy as np
import pytest
import scipy.sparse
from gramian import DependencyRegressor, OperatorKernelRidge
from gramian.kernels import Delta, Gaussian, Kernel, Tanimoto
from gramian.operators import DiagonalRegularization, OperatorKernel, Separable
from scikit_checks import checks, failing_checks
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.datasets import load_linnerud
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

MODELS = {
    "conditional": DependencyRegressor(),
    "rank": DependencyRegressor(output_kernel=Gaussian(), operator="covariance", rank=0.1, random_state=0),
    "components": DependencyRegressor(operator="identity", n_output_components=1, penalties=[1e-2, 1.0]),
    "linear": DependencyRegressor(preimage="linear"),
    "ridge": OperatorKernelRidge(),
    "gradients": OperatorKernelRidge(solver="cg"),
}


def needs_exact_factors(model, check):
    """Repeated samples have other pivots than weighted ones, and so another factor of low rank."""
    return model == "rank" and check.startswith("check_sample_weight_equivalence")


@pytest.mark.parametrize(("estimator", "check"), list(checks(MODELS, needs_exact_factors)))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_none_of_its_checks_is_left_out(run_python):
    assert failing_checks(run_python, "gramian.DependencyRegressor()") == set()
    assert failing_checks(run_python, "gramian.OperatorKernelRidge()") == set()


@pytest.mark.parametrize("name", list(MODELS))
def test_data_need_not_be_arrays(name):
    model = MODELS[name]
    X, y = estimator_checks._regression_dataset()
    estimator_checks.check_estimators_data_not_an_array(type(model).__name__, model, X, y, "NotAnArray")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"output_kernel": "linear", "preimage": "linear"},
        {"output_kernel": Delta() + Gaussian()},
        {"output_kernel": Gaussian(gamma=-1.0)},
        {"output_kernel": "no kernel"},
        {"output_kernel": Gaussian(), "preimage": "gaussian"},
        {"operator": Separable(Gaussian())},
        {"preimage": "candidates", "candidates": [1.0]},
    ],
)
def test_it_is_a_regressor_where_outputs_are_numbers(options):
    assert is_regressor(DependencyRegressor(**options)) and is_regressor(OperatorKernelRidge())


@pytest.mark.parametrize(
    "options",
    [
        {"output_kernel": Delta()},
        {"output_kernel": Tanimoto()},
        {"output_kernel": "delta"},
        {"output_kernel": "tanimoto"},
        {"output_kernel": 2.0 * Delta() * Delta() + Tanimoto()},
        {"output_kernel": "precomputed"},
        {"output_kernel": lambda a, b: float(a == b)},
        {"preimage": "sequence"},
        {"preimage": lambda weights, outputs: outputs},
    ],
)
def test_it_is_none_where_outputs_are_structured(options):
    model = DependencyRegressor(**options)
    assert not is_regressor(model) and not is_classifier(model)
    assert not hasattr(model, "decision_function")


def test_the_score_of_numbers_is_that_of_regressors(data):
    X, Y = data
    for options in ({}, {"preimage": "linear"}, {"output_kernel": Gaussian(), "preimage": "gaussian"}):
        model = DependencyRegressor(**options)
        weights = np.linspace(0.5, 1.5, len(X))
        for y in (Y, Y[:, 0]):
            expected = r2_score(y, model.fit(X, y).predict(X))
            assert model.score(X, y) == pytest.approx(expected, abs=1e-12)
            expected = r2_score(y, model.predict(X), sample_weight=weights)
            assert model.score(X, y, sample_weight=weights) == pytest.approx(expected, abs=1e-12)
    sparse = DependencyRegressor().fit(X, scipy.sparse.csr_matrix(Y))
    dense = DependencyRegressor().fit(X, Y)
    assert sparse.score(X, scipy.sparse.csr_matrix(Y)) == pytest.approx(dense.score(X, Y), abs=1e-9)


def test_the_score_of_other_outputs_is_minus_their_loss(data):
    kinds = (data[1][:, 0] > 0).astype(float)
    model = DependencyRegressor(output_kernel=Delta()).fit(data[0], kinds)
    wrong = np.mean(model.predict(data[0]) != kinds)
    assert model.loss(data[0], kinds) == pytest.approx(2.0 * wrong) == -model.score(data[0], kinds)


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
        if isinstance(value, list | tuple | dict):
            return all(plain(item) for item in (value.values() if isinstance(value, dict) else value))
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
    with pytest.raises(ValueError, match="penalty"):
        fitted.set_params(penalty=-1.0).fit(data[0][:, :2], data[1])
    np.testing.assert_array_equal(fitted.predict(data[0]), before)


def test_another_fit_forgets_the_last_one(data):
    model = DependencyRegressor(rank=5, output_kernel=Gaussian()).fit(*data)
    model.set_params(rank=None).fit(*data)
    assert model.input_supports_ is None and model.input_factor_ is None
    fresh = DependencyRegressor(output_kernel=Gaussian()).fit(*data)
    np.testing.assert_array_equal(model.scores(data[0]), fresh.scores(data[0]))


def test_searches_reach_parameters_of_kernels(data):
    grid = {"kernel__gamma": [1e-3, 0.3], "output_kernel__gamma": [0.5], "penalty": [1e-2, 1.0]}
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
