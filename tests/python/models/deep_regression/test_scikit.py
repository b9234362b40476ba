# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated regression, interpolation and classification as estimators of scikit-learn: none of its checks fails."""

from __future__ import annotations

import copy
import os
import pickle

import gramian
import numpy as np
import pytest
from gramian import DeepKernelClassifier, DeepKernelInterpolator, DeepKernelRegressor
from gramian.kernels import Gaussian, Linear
from scikit_checks import checks, failing_checks
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import (
    _NotAnArray,
    check_estimators_data_not_an_array,
)

ESTIMATORS = [DeepKernelRegressor, DeepKernelInterpolator, DeepKernelClassifier]


def small_searches():
    for cls in ESTIMATORS:
        grids = {} if cls is DeepKernelInterpolator else {"alphas": [0.1, 1.0], "inner_alphas": [0.1, 1.0], "cv": 2}
        yield cls.__name__, cls(n_init=2, **grids)


@pytest.mark.parametrize(("estimator", "check"), list(checks(dict(small_searches()))))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", [cls.__name__ for cls in ESTIMATORS])
def test_none_of_its_checks_is_left_out(run_python, name):
    assert failing_checks(run_python, f"gramian.{name}(n_init=1)") == set()


@pytest.mark.parametrize("cls", ESTIMATORS)
def test_what_is_like_an_array_is_one(cls):
    X = np.random.default_rng(0).normal(size=(20, 3))
    y = (X[:, 0] > 0).astype(int) if cls is DeepKernelClassifier else X[:, 0]
    model = cls(n_init=1, random_state=0)
    check_estimators_data_not_an_array(cls.__name__, model, X, y, "NotAnArray")
    if cls is not DeepKernelInterpolator:
        weights = np.arange(1.0, 21.0)
        expected = model.fit(X, y, sample_weight=weights).predict(X)
        np.testing.assert_array_equal(model.fit(X, y, sample_weight=_NotAnArray(weights)).predict(X), expected)


def small(cls):
    options = {} if cls is DeepKernelInterpolator else {"alpha": 0.1}
    return cls([Linear(), Gaussian(gamma=0.3)], inner_alpha=0.1, n_init=2, random_state=0, **options)


@pytest.fixture(params=ESTIMATORS, ids=lambda cls: cls.__name__)
def estimator(request):
    return small(request.param)


@pytest.fixture(scope="module")
def data():
    X, y = load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X[::4]), y[::4]


@pytest.fixture
def xy(estimator, data):
    X, y = data
    if isinstance(estimator, DeepKernelClassifier):
        return X, y
    _, distinct = np.unique(X[:, :3], axis=0, return_index=True)
    return X[distinct, :3], X[distinct, 3]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickle_gives_the_same_bits(estimator, xy, protocol):
    X, _ = xy
    fitted = estimator.fit(*xy)
    for twin in (pickle.loads(pickle.dumps(fitted, protocol)), copy.deepcopy(fitted)):
        assert twin.predict(X).tobytes() == fitted.predict(X).tobytes()
        assert twin.transform(X).tobytes() == fitted.transform(X).tobytes()
        assert twin.deep_kernel_(X).tobytes() == fitted.deep_kernel_(X).tobytes()


def test_a_clone_is_not_fitted_and_fits_the_same(estimator, xy):
    fitted = estimator.fit(*xy)
    twin = clone(fitted)
    assert not hasattr(twin, "coefficients_") and not hasattr(twin, "deep_kernel_")
    assert twin.fit(*xy).predict(xy[0]).tobytes() == fitted.predict(xy[0]).tobytes()


def test_state_is_arrays_numbers_strings_and_kernels(estimator, xy):
    def plain(value):
        if isinstance(value, list | tuple):
            return all(plain(item) for item in value)
        if isinstance(value, dict):
            return all(plain(item) for item in value.values())
        kinds = np.ndarray | np.generic | int | float | str | gramian.kernels.Kernel
        return value is None or isinstance(value, kinds)

    assert all(plain(value) for value in vars(estimator.fit(*xy)).values())


def test_a_failed_fit_leaves_the_estimator_as_it_was(estimator, xy):
    X, y = xy
    with pytest.raises(ValueError, match="inner_alpha"):
        estimator.set_params(inner_alpha=-1.0).fit(X, y)
    assert not any(name.endswith("_") for name in vars(estimator))
    fitted = estimator.set_params(inner_alpha=0.1).fit(X, y)
    before = fitted.predict(X)
    with pytest.raises(ValueError, match="inner_alpha"):
        fitted.set_params(inner_alpha=-1.0).fit(X[:, :2], y)
    assert fitted.predict(X).tobytes() == before.tobytes()


def test_data_that_change_later_do_not_matter(estimator, xy):
    X, y = xy[0].copy(), xy[1].copy()
    model = estimator.fit(X, y)
    kernel, before = model.deep_kernel_, (model.predict(xy[0]), model.deep_kernel_(xy[0]))
    X[:] = 0.0
    np.testing.assert_array_equal(model.predict(xy[0]), before[0])
    np.testing.assert_array_equal(kernel(xy[0]), before[1])


def test_names_of_features(estimator, xy):
    X, y = xy
    model = estimator.set_params(hidden=2).fit(X, y)
    prefix = type(model).__name__.lower()
    assert list(model.get_feature_names_out()) == [f"{prefix}0", f"{prefix}1"]
    assert model.transform(X).shape == (len(X), 2)


def test_searches_reach_kernels_that_are_shared(data):
    X, y = data
    search = GridSearchCV(
        DeepKernelRegressor(Gaussian(gamma=0.3), alpha=0.1, inner_alpha=0.1, n_init=1, hidden=2, random_state=0),
        {"alpha": [1e-2, 1e4], "kernels__gamma": [0.1, 0.3]},
        cv=KFold(3, shuffle=True, random_state=0),
    ).fit(X[:, :3], X[:, 3])
    assert search.best_params_["alpha"] == 1e-2
    assert search.best_estimator_.kernels_[0].gamma == search.best_params_["kernels__gamma"]


def test_it_stands_in_a_pipeline():
    X, y = load_iris(return_X_y=True)
    folds = KFold(3, shuffle=True, random_state=0)
    model = make_pipeline(StandardScaler(), small(DeepKernelClassifier))
    assert cross_val_score(model, X, y, cv=folds).mean() > 0.9
    model = make_pipeline(StandardScaler(), small(DeepKernelRegressor))
    assert cross_val_score(model, X[:, :3], X[:, 3], cv=folds).mean() > 0.9


CTRL_C = """
import signal, threading, time
import numpy as np
import gramian

signal.signal(signal.SIGINT, signal.default_int_handler)
gramian.set_num_threads(2)
rng = np.random.default_rng(0)
X, y = rng.normal(size=(900, 4)), rng.normal(size=900)
model = gramian.{model}
before = vars(model).copy()
sent = []

def press():
    time.sleep(1.0)
    sent.append(time.time())
    signal.raise_signal(signal.SIGINT)

threading.Thread(target=press, daemon=True).start()
try:
    model.fit(X, y > 0 if "Classifier" in type(model).__name__ else y)
except KeyboardInterrupt:
    late = time.time() - sent[0]
    assert vars(model) == before
    few = gramian.DeepKernelRegressor(alpha=1.0, inner_alpha=1.0, n_init=1).fit(X[:50], y[:50])
    print("right", late < 5, np.isfinite(few.predict(X[:5])).all())
"""


@pytest.mark.parametrize(
    "model",
    [
        "DeepKernelRegressor(random_state=0, tol=0.0)",  # in the choice of penalties
        "DeepKernelRegressor(alpha=1e-3, inner_alpha=1e-3, n_init=64, tol=0.0)",
        "DeepKernelInterpolator(n_init=64, tol=0.0)",
        "DeepKernelClassifier(alpha=1e-3, inner_alpha=1e-3, n_init=64, tol=0.0)",
    ],
)
def test_ctrl_c_ends_a_fit_and_leaves_the_model_as_it_was(run_python, model):
    result = run_python(CTRL_C.format(model=model))
    assert result.stdout == "right True True\n", result.stderr


AFTER_FORK = """
import os, sys
import numpy as np
import gramian

gramian.set_num_threads(2)
rng = np.random.default_rng(0)
X, y = rng.normal(size=(300, 3)), rng.normal(size=300)

def fitted():
    model = gramian.DeepKernelRegressor(alphas=[0.1, 1.0], inner_alpha=0.1, n_init=4, tol=1e-2, random_state=0)
    return model.fit(X, y).predict(X).tobytes()

expected = fitted()
child = os.fork()
if child == 0:
    os._exit(0 if fitted() == expected else 1)
_, status = os.waitpid(child, 0)
assert fitted() == expected
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_forked_child_fits_the_same(run_python):
    if not hasattr(os, "fork"):
        return  # nothing can be forked here
    result = run_python(AFTER_FORK)
    assert result.returncode == 0, result.stderr
