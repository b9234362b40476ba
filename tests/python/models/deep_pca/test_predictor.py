# SPDX-License-Identifier: BSD-3-Clause
"""Attributes of a fitted deep kernel PCA that do not fit together are errors, never reads out of bounds."""

import numpy as np
import pytest
from gramian import DeepKernelPCA, ParametricDeepKernelPCA
from sklearn.datasets import load_iris

X = load_iris().data[:60]


@pytest.fixture
def fitted():
    return DeepKernelPCA((3, 2)).fit(X)


SPOILED = {
    "fewer rows of features": ("hidden_features_", lambda m: [m.hidden_features_[0][:20], m.hidden_features_[1]]),
    "fewer rows everywhere": ("hidden_features_", lambda m: [H[:20] for H in m.hidden_features_]),
    "a level without features": ("hidden_features_", lambda m: m.hidden_features_[:1]),
    "features of another type": ("hidden_features_", lambda m: [H.astype(np.float32) for H in m.hidden_features_]),
    "features that are not finite": ("hidden_features_", lambda m: [H * np.nan for H in m.hidden_features_]),
    "fewer samples": ("X_fit_", lambda m: m.X_fit_[:10]),
    "samples of fewer features": ("X_fit_", lambda m: np.ascontiguousarray(m.X_fit_[:, :2])),
    "fewer inputs": ("_inputs", lambda m: m._inputs[:10]),
    "no inputs": ("_inputs", lambda m: np.empty((0, 0))),
    "fewer eigenvalues": ("eigenvalues_", lambda m: [values[:1] for values in m.eigenvalues_]),
    "eigenvalues that are not finite": ("eigenvalues_", lambda m: [values * np.inf for values in m.eigenvalues_]),
    "fewer means": ("_means", lambda m: m._means[:1]),
    "eta of 0": ("eta_", lambda m: 0 * m.eta_),
    "fewer kernels": ("kernels_", lambda m: m.kernels_[:1]),
}


@pytest.mark.parametrize("how", SPOILED)
def test_attributes_that_do_not_fit_are_refused(fitted, how):
    name, spoil = SPOILED[how]
    codes = fitted.transform(X)
    setattr(fitted, name, spoil(fitted))
    with pytest.raises((ValueError, TypeError)):
        fitted.transform(X)
    with pytest.raises((ValueError, TypeError)):
        fitted.inverse_transform(codes)


def test_a_parameter_that_is_set_later_counts(fitted):
    assert np.abs(fitted.transform(X) - fitted.set_params(extension="smoother").transform(X)).max() > 1e-6


def test_maps_with_other_parameters_are_refused():
    model = ParametricDeepKernelPCA(n_rounds=1, max_iter=2).fit(X)
    model.theta_ = model.theta_[:-1]
    with pytest.raises(ValueError, match="parameters"):
        model.transform(X)
