# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch modules as features, where PyTorch is: `make torch`."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
import sklearn.base
import torch
from gramian import EmbeddingClassifier
from gramian.features import Network, TorchFeatures
from gramian.kernels import Gaussian
from torch import nn


class Convolution(nn.Module):
    """Images through shared weights, some of which are fixed, and one that nothing depends on."""

    def __init__(self):
        super().__init__()
        self.shape = nn.Unflatten(1, (1, 4, 4))
        self.filter = nn.Conv2d(1, 3, 2)
        self.fixed = nn.Linear(27, 5)
        self.fixed.requires_grad_(False)
        self.last = nn.Linear(5, 2)
        self.unused = nn.Parameter(torch.ones(2))

    def forward(self, x):
        return self.last(torch.tanh(self.fixed(self.filter(self.shape(x)).flatten(1))))


def network(activation: type[nn.Module] = nn.Sigmoid) -> nn.Sequential:
    """The one that the engine has too; with a kink, differences could step over it."""
    return nn.Sequential(nn.Linear(16, 7), activation(), nn.Linear(7, 4), nn.Tanh())


MODULES = {
    "network": network,
    "convolution": Convolution,
    "dropout": lambda: nn.Sequential(nn.Linear(16, 8), nn.Tanh(), nn.Dropout(0.4), nn.Linear(8, 3)),
    "normalised": lambda: nn.Sequential(nn.Linear(16, 6), nn.LayerNorm(6), nn.Tanh()),
    "without parameters": lambda: nn.Sequential(nn.Tanh()),
}


@pytest.fixture(params=MODULES)
def module(request):
    torch.manual_seed(1)
    return MODULES[request.param]()


@pytest.fixture
def rng():
    return np.random.default_rng(2)


def test_features_are_those_of_the_module(module, rng):
    X = rng.normal(size=(9, 16))
    features = TorchFeatures(module)
    learned = [p for p in module.parameters() if p.requires_grad]
    with torch.no_grad():
        wanted = copy.deepcopy(module).double().eval()(torch.from_numpy(X)).numpy()
    assert features.sizes(16) == (wanted.shape[1], sum(p.numel() for p in learned))
    theta = features.initial_parameters(16)
    np.testing.assert_array_equal(theta, np.concatenate([np.zeros(0), *(p.detach().numpy().ravel() for p in learned)]))
    np.testing.assert_allclose(features.transform(X), wanted, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("training", [False, True])
def test_gradients_are_those_of_differences(module, rng, training):
    X, features, h = rng.normal(size=(9, 16)), TorchFeatures(module), 1e-3
    theta = features.initial_parameters(16)
    Zbar = rng.normal(size=(9, features.sizes(16).outputs))
    gradient = features.adjoint(X, Zbar, theta, training=training, seed=3, step=4)
    assert gradient.shape == theta.shape
    scale = np.abs(gradient).max(initial=0.0)

    def at(t, along):
        return (features.transform(X, theta + t * along, training=training, seed=3, step=4) * Zbar).sum()

    def slope(along, h):
        return (8 * (at(h, along) - at(-h, along)) - (at(2 * h, along) - at(-2 * h, along))) / (12 * h)

    for along in (*np.eye(len(theta))[:: max(1, len(theta) // 6)], rng.normal(size=len(theta))):
        fine, size = slope(along, h), np.abs(along).sum()
        allowed = abs(fine - slope(along, 2 * h)) / 4 + 1e-14 * np.abs(Zbar).sum() / h
        assert abs(fine - gradient @ along) <= allowed < 1e-5 * max(scale, 1.0) * max(size, 1.0)
        assert abs(fine - gradient @ along - 1e-3 * max(scale, 1.0) * max(size, 1.0)) > allowed


@pytest.mark.parametrize(
    ("activation", "name"),
    [(nn.ReLU, "relu"), (nn.Sigmoid, "sigmoid"), (nn.Tanh, "tanh"), (nn.Identity, "identity")],
)
def test_the_engine_has_the_same_network(activation, name, rng):
    X, Zbar = rng.normal(size=(200, 16)), rng.normal(size=(200, 4))
    theirs, ours = TorchFeatures(network(activation)), Network([(7, name), (4, "tanh")])
    theta = ours.initial_parameters(16, seed=5)
    np.testing.assert_allclose(ours.transform(X, theta), theirs.transform(X, theta), rtol=1e-12, atol=1e-14)
    gradient = theirs.adjoint(X, Zbar, theta)
    np.testing.assert_allclose(ours.adjoint(X, Zbar, theta), gradient, rtol=1e-11, atol=1e-12 * np.abs(gradient).max())


def test_dropout_is_that_of_seed_and_step_and_nobody_else_notices(rng):
    X = rng.normal(size=(20, 16))
    features = TorchFeatures(MODULES["dropout"]())
    torch.manual_seed(9)
    expected = torch.rand(3)
    torch.manual_seed(9)
    first = features.transform(X, training=True, seed=1, step=2)
    assert (torch.rand(3) == expected).all()
    assert (features.transform(X, training=True, seed=1, step=2) == first).all()
    assert (features.transform(X, training=True, seed=1, step=3) != first).any()
    assert (features.transform(X, training=True, seed=2, step=2) != first).any()
    assert (features.transform(X) == features.transform(X, seed=5, step=6)).all()


def test_the_module_is_left_as_it_was(rng):
    module = network()
    before = copy.deepcopy(module.state_dict())
    features = TorchFeatures(module)
    theta = 2 * features.initial_parameters(16)
    features.adjoint(rng.normal(size=(3, 16)), rng.normal(size=(3, 4)), theta, training=True)
    after = module.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)
    assert module.training and all(p.grad is None and p.dtype == torch.float32 for p in module.parameters())


def test_single_precision_is_close(rng):
    X, Zbar, module = rng.normal(size=(30, 16)), rng.normal(size=(30, 4)), network()
    double, single = TorchFeatures(module), TorchFeatures(module, dtype="float32")
    Z = single.transform(X)
    assert Z.dtype == np.float64
    assert 0 < np.abs(Z - double.transform(X)).max() < 1e-5
    np.testing.assert_allclose(single.adjoint(X, Zbar), double.adjoint(X, Zbar), rtol=1e-3, atol=1e-4)


def test_a_value_can_be_copied_pickled_compared(module):
    features = TorchFeatures(module, dtype="float32")
    for other in (copy.deepcopy(features), pickle.loads(pickle.dumps(features)), sklearn.base.clone(features)):
        assert other == features and hash(other) == hash(features) and repr(other) == repr(features)
    assert TorchFeatures(module) != features
    moved = copy.deepcopy(features)
    with torch.no_grad():
        for parameter in moved.module.parameters():
            parameter.add_(1)
    assert (moved == features) == (not list(module.parameters()))


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (TorchFeatures(nn.Linear(3, 2)), ValueError, "cannot take samples of 16 features"),
        (TorchFeatures(nn.Unflatten(1, (4, 4))), ValueError, r"must return a tensor of shape \(2, outputs\)"),
        (TorchFeatures(nn.LSTM(16, 2)), ValueError, "must return a tensor of shape"),
        (TorchFeatures(nn.Sequential(nn.Linear(16, 2), nn.BatchNorm1d(2))), ValueError, "BatchNorm1d as '1'"),
        (TorchFeatures("relu"), TypeError, "must be a torch.nn.Module"),
        (TorchFeatures(nn.Linear(16, 2), dtype="float16"), ValueError, "'dtype' parameter"),
    ],
)
def test_bad_parameters_are_named_when_used(wrong, error, message):
    with pytest.raises(error, match=message):
        wrong.transform(np.ones((2, 16)))


@pytest.mark.parametrize("norm", [nn.BatchNorm1d(2, track_running_stats=False), nn.LayerNorm(2), nn.GroupNorm(1, 2)])
def test_normalisations_that_an_error_advises_are_taken(norm):
    learned = TorchFeatures(nn.Sequential(nn.Linear(16, 2), nn.BatchNorm1d(2)))
    with pytest.raises(ValueError, match="set track_running_stats=False, or use LayerNorm or GroupNorm"):
        learned.transform(np.ones((2, 16)))
    assert TorchFeatures(nn.Sequential(nn.Linear(16, 2), norm)).transform(np.ones((2, 16))).shape == (2, 2)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize(
    ("learn", "kernel"), [("rademacher", None), ("validation", None), ("erm", Gaussian(gamma=0.3))]
)
def test_a_classifier_learns_a_module_as_it_learns_the_engines_network(learn, kernel, rng):
    X = rng.normal(size=(90, 16))
    y = (np.abs(X[:, :3]).sum(axis=1) > 2.2).astype(int) + (X[:, 0] > 1)
    own = Network([(7, "sigmoid"), (4, "tanh")], weight_deviation=0.5)
    # Features that may grow without bound would have 1, and those of tanh their own.
    options = {"kernel": kernel, "learn": learn, "sensitivity": 1.0, "tol": 0.0, "random_state": 0}
    start = EmbeddingClassifier(features=own, **{**options, "learn": None}).fit(X, y)
    module = network().double()
    with torch.no_grad():
        at = 0
        for parameter in module.parameters():
            parameter.copy_(torch.from_numpy(start.theta_[at : at + parameter.numel()]).reshape(parameter.shape))
            at += parameter.numel()
    ours = EmbeddingClassifier(features=own, max_iter=25, **options).fit(X, y)
    theirs = EmbeddingClassifier(features=TorchFeatures(module), max_iter=25, **options).fit(X, y)
    assert np.abs(theirs.theta_ - start.theta_).max() > 0.5
    np.testing.assert_allclose(theirs.theta_, ours.theta_, atol=1e-6)
    np.testing.assert_allclose(theirs.history_["value"], ours.history_["value"], rtol=1e-8)
    np.testing.assert_allclose(theirs.embedding(X), ours.embedding(X), atol=1e-6)
    assert theirs.history_["value"][-1] < theirs.history_["value"][0]
