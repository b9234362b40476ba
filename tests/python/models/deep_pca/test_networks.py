# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel PCA of learned features: what is minimised, its gradient, and the way back."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from gramian import DeepKernelPCA, ParametricDeepKernelPCA
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Gaussian
from gramian.models.deep_pca.maps import MapObjective, check_maps
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


def task_of(X, center, gamma=0.7, upper=None):
    maps = check_maps(FORWARD, BACK, 3, "test")
    theta = maps.start(3)
    kernels = ["linear", "linear" if upper is None else upper]
    # Stopped early, so that no residual is 0.
    pca = DeepKernelPCA((3, 2), kernels, eta=[0.8, 1.3], center=center, init="random")
    pca.set_params(callback=lambda it: it.number < 5).fit(maps.features(theta, X))
    assert pca.objective_ > 1e-6 and pca.stop_reason_ == "observer"
    return MapObjective(maps, X, pca, gamma), theta, pca


def naive_value(task, theta, pca, X):
    """J by its definition, level by level, with the features and eigenvalues of pca; two linear levels."""
    Z = FORWARD.transform(X, theta[: task.maps.count])
    back = BACK.transform(Z, theta[task.maps.count :])
    H1, H2 = pca.hidden_features_
    L1, L2 = pca.eigenvalues_
    C = np.eye(len(X)) - 1.0 / len(X) if task.center else np.eye(len(X))
    R1 = C @ Z @ Z.T @ C @ H1 / 0.8 + C @ H2 @ (C @ H2).T @ H1 / 1.3 - H1 * L1
    R2 = C @ H1 @ H1.T @ C @ H2 / 1.3 - H2 * L2
    return 0.5 * (R1**2).sum() + 0.5 * (R2**2).sum() + task.gamma * ((X - back) ** 2).sum()


@pytest.mark.parametrize("center", [False, True])
def test_the_objective_is_the_papers(X, center):
    task, theta, pca = task_of(X, center)
    away = theta + 0.1 * np.random.default_rng(1).normal(size=len(theta))
    for at in (theta, away):
        assert task(at)[0] == pytest.approx(naive_value(task, at, pca, X), rel=1e-9)
    assert task(theta)[0] == pytest.approx(pca.objective_ + 0.7 * task.squared_error(theta), rel=1e-9)


def slope(f, x, direction, h=1e-3):
    """A fourth-order central difference."""
    values = [f(x + step * h * direction) for step in (-2, -1, 1, 2)]
    return (values[0] - 8.0 * values[1] + 8.0 * values[2] - values[3]) / (12.0 * h)


@pytest.mark.parametrize("center", [False, True])
@pytest.mark.parametrize("upper", [None, Gaussian(gamma=1.0)])
def test_the_gradient_is_that_of_the_value(X, center, upper):
    task, theta, _ = task_of(X, center, upper=upper)
    rng = np.random.default_rng(2)
    at = theta + 0.1 * rng.normal(size=len(theta))
    gradient = task(at)[1]
    for _ in range(4):
        direction = rng.normal(size=len(theta))
        direction /= np.linalg.norm(direction)
        found = slope(lambda x: task(x)[0], at, direction)
        assert gradient @ direction == pytest.approx(found, rel=1e-6, abs=1e-6 * np.abs(gradient).max())
        assert 1.01 * gradient @ direction != pytest.approx(found, rel=1e-6, abs=1e-6 * np.abs(gradient).max())


def test_turns_lower_the_error_of_reconstructions(X):
    model = ParametricDeepKernelPCA(FORWARD, BACK, DeepKernelPCA((4, 3), "linear"), n_rounds=8, max_iter=100).fit(X)
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
    model = ParametricDeepKernelPCA(FORWARD, BACK, n_rounds=2, max_iter=10).fit(X)
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
        ({"pca": DeepKernelPCA(2, "linear", subset=5)}, ValueError, "must have subset=None"),
        ({"pca": DeepKernelPCA(2, "linear", solver="levelwise")}, ValueError, "another solver than 'levelwise'"),
        ({"gamma": -1.0}, ValueError, "'gamma' parameter"),
        ({"n_rounds": 0}, ValueError, "'n_rounds' parameter"),
        ({"learning_rate": 0.0}, ValueError, "'learning_rate' parameter"),
    ],
)
def test_errors_name_the_parameter(X, parameters, error, message):
    with pytest.raises(error, match=message):
        ParametricDeepKernelPCA(**parameters).fit(X)
