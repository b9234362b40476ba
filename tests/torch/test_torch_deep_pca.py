# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel PCA with PyTorch modules for the maps: the same numbers as with the engine's networks. `make torch`."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import torch
from gramian.features import Network, TorchFeatures
from gramian.models.deep_pca.maps import MapObjective, check_maps
from torch import nn


def modules(theta):
    """The networks below as modules, with these parameters."""
    forward = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 5))
    back = nn.Sequential(nn.Linear(5, 4), nn.Sigmoid(), nn.Linear(4, 3))
    at = 0
    with torch.no_grad():
        for parameter in [*forward.parameters(), *back.parameters()]:
            count = parameter.numel()
            parameter.copy_(torch.from_numpy(theta[at : at + count]).reshape(parameter.shape))
            at += count
    return TorchFeatures(forward), TorchFeatures(back)


@pytest.fixture
def X():
    return np.random.default_rng(0).normal(size=(40, 3))


def test_modules_and_networks_agree(X):
    maps = check_maps(Network([(6, "tanh"), (5, "identity")]), Network([(4, "sigmoid"), (3, "identity")]), 3, "test")
    theta = maps.start(0).astype(np.float32).astype(np.float64)
    theirs = check_maps(*modules(theta), 3, "test")
    np.testing.assert_allclose(theirs.start(0), theta)
    pca = gramian.DeepKernelPCA((3, 2), "linear").fit(maps.features(theta, X))
    away = theta + 0.1
    values = [MapObjective(own, X, pca, 0.5)(away) for own in (maps, theirs)]
    assert values[0][0] == pytest.approx(values[1][0], rel=1e-10)
    np.testing.assert_allclose(values[0][1], values[1][1], rtol=1e-8, atol=1e-10)


def test_modules_are_trained(X):
    model = gramian.ParametricDeepKernelPCA(*modules(0.3 * np.random.default_rng(1).normal(size=98)), n_rounds=3).fit(X)
    assert model.reconstruction_errors_[-1] < 0.7 * model.reconstruction_errors_[0]
    assert model.inverse_transform(model.transform(X)).shape == X.shape
