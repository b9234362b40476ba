# SPDX-License-Identifier: BSD-3-Clause
"""EmbeddingClassifier as an estimator of scikit-learn: its checks, none of them expected to fail."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ThreadPoolExecutor

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import EmbeddingClassifier
from gramian.features import Network
from gramian.kernels import Gaussian, Kernel, Polynomial
from scikit_checks import checks, failing_checks, tags_of
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimators_data_not_an_array

MODELS = {learn: EmbeddingClassifier(learn=learn) for learn in ("validation", "rademacher")}
MODELS["cv"] = EmbeddingClassifier(learn="cv", cv=2)


def needs_folds_of_its_own(model, check):
    """Tell whether a check sets cv to splits, which are for those that have folds of their own."""
    return model == "cv" and check.startswith("check_sample_weight_equivalence")


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(("estimator", "check"), list(checks(MODELS, needs_folds_of_its_own)))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_none_of_its_checks_is_left_out(run_python):
    assert failing_checks(run_python, "gramian.EmbeddingClassifier()") == set()


def test_what_is_like_an_array_is_one():
    X, y = load_iris(return_X_y=True)
    check_estimators_data_not_an_array("embedding", EmbeddingClassifier(), X[::3], y[::3], "NotAnArray")


def test_the_kind_of_estimator():
    assert is_classifier(EmbeddingClassifier()) and gramian.EmbeddingClassifier is EmbeddingClassifier
    assert tags_of(EmbeddingClassifier()).sparse
    assert not tags_of(EmbeddingClassifier(features=Network([(3, "tanh")]))).sparse
    assert tags_of(EmbeddingClassifier("precomputed")).pairwise


@pytest.fixture(scope="module")
def data():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X[::2]), np.array(["a", "b", "c"])[y[::2]]


@pytest.fixture(params=["default", "features", "given"])
def model(request):
    options = {"features": {"features": Network([(6, "tanh")])}, "given": {"kernel": Gaussian(gamma=0.3)}}
    return EmbeddingClassifier(max_iter=30, random_state=0, **options.get(request.param, {}))


def test_copies_and_pickles_give_the_same_bits(model, data):
    fitted = model.fit(*data)
    before = fitted.predict_proba(data[0]).tobytes()
    twins = [pickle.loads(pickle.dumps(fitted, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for twin in (*twins, copy.deepcopy(fitted)):
        assert twin.predict_proba(data[0]).tobytes() == before


def test_one_fitted_estimator_serves_many_threads(model, data):
    fitted = model.fit(*data)
    alone = fitted.embedding(data[0]).tobytes()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: fitted.embedding(data[0]).tobytes(), range(24))) == {alone}


def test_state_is_arrays_numbers_strings_and_values(model, data):
    def plain(value):
        if isinstance(value, dict | list):
            return all(plain(item) for item in (value.values() if isinstance(value, dict) else value))
        return value is None or isinstance(value, np.ndarray | np.generic | int | float | str | Kernel | Network)

    assert all(plain(value) for value in vars(model.fit(*data)).values())


def test_a_clone_is_not_fitted_and_fits_the_same(model, data):
    fitted = model.fit(*data)
    twin = clone(fitted)
    with pytest.raises(NotFittedError):
        twin.predict(data[0])
    assert twin.fit(*data).dual_coef_.tobytes() == fitted.dual_coef_.tobytes()


def test_a_failed_fit_leaves_the_estimator_as_it_was(model, data):
    before = model.fit(*data).embedding(data[0])
    with pytest.raises(ValueError, match="penalty"):
        model.set_params(penalty=-1.0).fit(data[0][:, :2], data[1])
    assert model.embedding(data[0]).tobytes() == before.tobytes()
    with pytest.raises(ValueError, match="penalty"):
        fresh = EmbeddingClassifier(penalty=-1.0)
        fresh.fit(*data)
    assert not any(name.endswith("_") for name in vars(fresh))


def test_data_and_kernels_that_change_later_do_not_matter(data):
    X, y = data[0].copy(), data[1].copy()
    kernel = Gaussian(gamma=0.5)
    model = EmbeddingClassifier(kernel, learn=None).fit(X, y)
    before = model.embedding(data[0])
    X[:], y[:] = 0.0, "a"
    kernel.set_params(gamma=9.0)
    assert model.embedding(data[0]).tobytes() == before.tobytes()


@pytest.mark.filterwarnings("ignore:.*constant classifier:sklearn.exceptions.ConvergenceWarning")  # of penalty=100
def test_it_stands_in_pipelines_searches_and_calibration(data):
    X, y = load_iris(return_X_y=True)
    pipeline = make_pipeline(StandardScaler(), EmbeddingClassifier(random_state=0, max_iter=60))
    assert cross_val_score(pipeline, X, y, cv=3).mean() > 0.9
    grid = {"penalty": [1e-3, 1e2], "kernel__gamma": [0.3, 1e-4]}
    search = GridSearchCV(EmbeddingClassifier(Gaussian(gamma=0.3), learn=None), grid, cv=3).fit(X, y)
    assert search.best_params_ == {"penalty": 1e-3, "kernel__gamma": 0.3}
    calibrated = CalibratedClassifierCV(EmbeddingClassifier(learn=None), cv=3).fit(*data)
    assert calibrated.score(*data) > 0.9


def test_sparse_and_dense(data):
    X = np.where(np.abs(data[0]) > 0.5, data[0], 0.0)
    sparse = scipy.sparse.csr_matrix(X)
    kernel = Gaussian(gamma=0.2)
    ours = EmbeddingClassifier(kernel, learn="rademacher", max_iter=40, tol=0.1).fit(sparse, data[1])
    theirs = EmbeddingClassifier(kernel, learn="rademacher", max_iter=40, tol=0.1).fit(X, data[1])
    assert ours.objective_ == pytest.approx(theirs.objective_, rel=1e-8)
    np.testing.assert_allclose(ours.embedding(X), ours.embedding(sparse), atol=1e-12)
    np.testing.assert_allclose(ours.embedding(sparse), theirs.embedding(sparse), atol=1e-7)
    assert EmbeddingClassifier(random_state=0).fit(sparse, data[1]).score(sparse, data[1]) > 0.9


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"kernel": "rfb"}, ValueError, "kernel"),
        ({"features": 3}, TypeError, "features"),
        ({"learn": "bound"}, ValueError, "learn"),
        ({"penalty": 0.0}, ValueError, "penalty"),
        ({"penalty": "1"}, TypeError, "penalty"),
        ({"tau": -1.0}, ValueError, "tau"),
        ({"risk": "max"}, ValueError, "risk"),
        ({"clip": 1.0}, ValueError, "clip"),
        ({"sensitivity": 0.0}, ValueError, "sensitivity"),
        ({"batch_size": "all"}, ValueError, "batch_size"),
        ({"batch_size": 0}, ValueError, "batch_size"),
        ({"validation_fraction": 1.0}, ValueError, "validation_fraction"),
        ({"solver": "sgd"}, ValueError, "solver"),
        ({"solver": "lbfgs", "batch_size": 10}, ValueError, "batch_size"),
        ({"learning_rate": 0.0}, ValueError, "learning_rate"),
        ({"max_iter": 0}, ValueError, "max_iter"),
        ({"tol": -1.0}, ValueError, "tol"),
        ({"patience": 0}, ValueError, "patience"),
        ({"class_weight": "fair"}, ValueError, "class_weight"),
        ({"class_weight": {"a": -1.0}}, ValueError, "class_weight.*at least 0"),
        ({"class_weight": {"a": np.nan}}, ValueError, "class_weight.*finite"),
        ({"class_weight": {"a": np.inf}}, ValueError, "class_weight.*finite"),
        ({"class_weight": {"a": "much"}}, ValueError, "class_weight.*much"),
        ({"class_weight": {"a": 0.0, "b": 0.0, "c": 0.0}}, ValueError, "class_weight.*leaves no sample"),
        ({"landmarks": [400]}, ValueError, "landmarks"),
        ({"landmarks": ["a"]}, TypeError, "landmarks"),
        ({"landmarks": 5, "features": Network([(3, "tanh")])}, ValueError, "landmarks"),
        ({"learn": "cv", "cv": 1}, ValueError, "'cv' parameter"),
        ({"learn": "cv", "penalties": 0.1}, TypeError, "'penalties' parameter.*list"),
        ({"learn": "cv", "length_scale_factors": "1"}, TypeError, "'length_scale_factors' parameter.*list"),
        ({"learn": "cv", "penalties": [-1.0]}, ValueError, "penalties"),
        ({"learn": "cv", "length_scale_factors": [0.0]}, ValueError, "length_scale_factors"),
        ({"learn": "cv", "features": Network([(3, "tanh")])}, ValueError, "learn='cv'.*features"),
        ({"learn": "median", "features": Network([(3, "tanh")])}, ValueError, "learn='median'.*length scales"),
        ({"learn": "median", "kernel": "linear", "features": Network([(3, "tanh")])}, ValueError, "learn='median'"),
        ({"callback": 3}, TypeError, "callback"),
        ({"verbose": -1}, ValueError, "verbose"),
        ({"random_state": -1}, ValueError, "random_state"),
        ({"memory_budget": 1000}, MemoryError, "landmarks"),
        ({"memory_budget": 1000, "landmarks": 3}, MemoryError, "batch_size"),
        ({"kernel": Gaussian(gamma=[1.0, 2.0])}, ValueError, "gamma"),
    ],
    ids=repr,
)
def test_bad_parameters_are_named(data, options, error, message):
    with pytest.raises(error, match=message):
        EmbeddingClassifier(**options).fit(*data)


def test_bad_data_are_named(data):
    X, y = data
    with pytest.raises(ValueError, match="sample_weight"):
        EmbeddingClassifier().fit(X, y, sample_weight=-np.ones(len(y)))
    with pytest.raises(ValueError, match="non-zero"):
        EmbeddingClassifier().fit(X, y, sample_weight=np.zeros(len(y)))
    with pytest.raises(ValueError, match="landmarks.*rows whose sample_weight is 0"):
        weights = np.ones(len(y))
        weights[3] = 0.0
        EmbeddingClassifier(landmarks=[3]).fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="inconsistent"):
        EmbeddingClassifier().fit(X, y[:-1])
    with pytest.raises(TypeError, match="y must have labels of one kind.*int, str"):
        EmbeddingClassifier().fit(X, np.array([1, "b"] * len(y), dtype=object)[: len(y)])
    with pytest.raises(ValueError, match="squares overflow"):
        EmbeddingClassifier().fit(1e160 * X, y)
    with pytest.raises(TypeError, match="dense"):
        EmbeddingClassifier(features=Network([(3, "tanh")])).fit(scipy.sparse.csr_matrix(X), y)
    with pytest.raises(ValueError, match="square"):
        EmbeddingClassifier("precomputed").fit(X, y)
    K = Gaussian()(X)
    with pytest.raises(ValueError, match="symmetric"):
        EmbeddingClassifier("precomputed").fit(K + np.triu(K, 1), y)
    with pytest.raises(ValueError, match="negative|at least 0"):
        EmbeddingClassifier("precomputed").fit(-K, y)
    with pytest.raises(ValueError, match="all inner products are 0"):
        EmbeddingClassifier("precomputed").fit(0 * K, y)
    with pytest.raises(gramian.NumericalError, match="raise penalty"):
        EmbeddingClassifier(Polynomial(degree=9), penalty=1e-300, learn="erm").fit(X[:, :1], y)
    with pytest.raises(ValueError, match="landmarks"):
        EmbeddingClassifier("precomputed", landmarks=3).fit(X @ X.T, y)
    fitted = EmbeddingClassifier(learn=None).fit(X, y)
    with pytest.raises(ValueError, match="features"):
        fitted.predict(X[:, :2])
    with pytest.raises(ValueError, match="method"):
        fitted.entropy(X, method="plain")
    for delta in (0.0, 1.0):
        with pytest.raises(ValueError, match="delta"):
            fitted.risk_bound(delta)
