# SPDX-License-Identifier: BSD-3-Clause
"""Warnings name the line that asked, however deep in the package they arise."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
from gramian._warning import warn
from sklearn.exceptions import ConvergenceWarning

X = np.random.default_rng(0).normal(size=(30, 3))


def first_fit():
    return gramian.KernelAutoencoder(max_iter=1).fit(X)


def fit_transform():
    return gramian.DeepKernelPCA((2, 2), [None, gramian.kernels.Gaussian()], max_iter=1).fit_transform(X)


def to_a_frame():
    model = gramian.DeepKernelRegressor(hidden=2, alpha=0.1, inner_alpha=0.1, n_init=1, max_iter=1)
    return model.set_output(transform="default").fit_transform(X, X[:, 0])


def labels():
    return gramian.EmbeddingClassifier(solver="lbfgs", learn="rademacher", max_iter=1).fit(X, X[:, 0] > 0)


@pytest.mark.parametrize("ask", [first_fit, fit_transform, to_a_frame, labels, lambda: warn("said")])
def test_the_line_is_outside_of_the_package(ask):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ask()
    assert caught
    assert {(one.category, one.filename) for one in caught} == {(ConvergenceWarning, __file__)}
