# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel PCA of learned features, and the way back."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from gramian import DeepKernelPCA, ParametricDeepKernelPCA
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Gaussian
from scikit_checks import checks, failing_checks
from sklearn.base import clone

FORWARD = Network([(6, "tanh"), (5, "identity")], weight_deviation=0.0)
BACK = Network([(6, "sigmoid"), (3, "identity")], weight_deviation=0.0)


MODEL = ParametricDeepKernelPCA(n_rounds=1, max_iter=5)


@pytest.mark.parametrize(("estimator", "check"), list(checks({"networks": MODEL})))
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_none_of_its_checks_is_left_out(run_python):
    assert failing_checks(run_python, "gramian.ParametricDeepKernelPCA(n_rounds=1, max_iter=5)") == set()


@pytest.fixture(scope="module")
def X():
    t = np.random.default_rng(0).uniform(-1.0, 1.0, size=(60, 2))
    return np.column_stack([t, t[:, 0] ** 2 - t[:, 1]])


def test_turns_lower_the_error_of_reconstructions(X):
    model = ParametricDeepKernelPCA(
        FORWARD, BACK, DeepKernelPCA((4, 3), "linear"), n_rounds=8, max_iter=100, random_state=0
    ).fit(X)
    assert model.objectives_.shape == model.reconstruction_errors_.shape == (9,)
    assert model.reconstruction_errors_[-1] < 0.05 * model.reconstruction_errors_[0]
    assert model.objectives_[-1] < 0.05 * model.objectives_[0]
    codes = model.transform(X)
    np.testing.assert_allclose(codes, np.hstack(model.pca_.hidden_features_), atol=1e-6)
    found = model.inverse_transform(codes, level=1)
    assert ((found - X) ** 2).mean() < 0.2 * X.var()
    assert model.sample(4, random_state=0).shape == (4, 3)
    assert model.traverse(1, 0).shape == (7, 3)
    assert model.transform(X, level=2).shape == (60, 3)


def test_it_is_pickled_and_cloned(X):
    model = ParametricDeepKernelPCA(FORWARD, BACK, n_rounds=2, max_iter=10, random_state=0).fit(X)
    assert pickle.loads(pickle.dumps(model)).transform(X).tobytes() == model.transform(X).tobytes()
    assert clone(model).fit(X).theta_.tobytes() == model.theta_.tobytes()
    assert list(model.get_feature_names_out()) == [f"parametricdeepkernelpca{i}" for i in range(4)]


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"feature_map": RandomFourierFeatures(Gaussian())}, TypeError, "must be two Network or two TorchFeatures"),
        ({"preimage_map": Network([(2, "tanh")])}, ValueError, "must return 3 numbers, .* It returns 2"),
        ({"pca": 3}, TypeError, "'pca' parameter of ParametricDeepKernelPCA must be a DeepKernelPCA"),
        ({"pca": DeepKernelPCA(2, Gaussian())}, ValueError, "must have a linear kernel, or None, on its first level"),
        ({"pca": DeepKernelPCA(2, "linear", landmarks=5)}, ValueError, "must have landmarks=None"),
        ({"pca": DeepKernelPCA(2, "linear", solver="levelwise")}, ValueError, "another solver than 'levelwise'"),
        ({"gamma": -1.0}, ValueError, "'gamma' parameter"),
        ({"n_rounds": 0}, ValueError, "'n_rounds' parameter"),
        ({"learning_rate": 0.0}, ValueError, "'learning_rate' parameter"),
    ],
)
def test_errors_name_the_parameter(X, parameters, error, message):
    with pytest.raises(error, match=message):
        ParametricDeepKernelPCA(**parameters).fit(X)
