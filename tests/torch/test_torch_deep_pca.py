# SPDX-License-Identifier: BSD-3-Clause
"""Deep kernel PCA with PyTorch modules for the maps: the same numbers as with the engine's networks. `make torch`."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import torch
from gramian import _core
from gramian.features import Network, TorchFeatures
from gramian.kernels import Linear
from gramian.models.deep_pca.fit import Level, crossing
from gramian.models.deep_pca.maps import check_maps
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
    options = _core.deep_pca.MapOptions(gamma=0.5, rounds=1, maps=_core.optim.AdamOptions(max_iterations=3))
    levels = crossing([Level(Linear(), 3, 1.0), Level(Linear(), 2, 1.0)], maps.outputs)
    fits = [
        _core.deep_pca.fit_maps(own.forward, own.whole, X, theta, levels, options, None, None) for own in (maps, theirs)
    ]
    assert not np.allclose(fits[0].theta, theta)
    np.testing.assert_allclose(fits[0].theta, fits[1].theta, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(fits[0].objectives, fits[1].objectives, rtol=1e-8)


def test_modules_are_trained(X):
    model = gramian.ParametricDeepKernelPCA(*modules(0.3 * np.random.default_rng(1).normal(size=98)), n_rounds=3).fit(X)
    assert model.reconstruction_errors_[-1] < 0.7 * model.reconstruction_errors_[0]
    assert model.inverse_transform(model.transform(X)).shape == X.shape
