# SPDX-License-Identifier: BSD-3-Clause
"""What tools read of the package is what is there."""

from __future__ import annotations

import typing

import gramian
import numpy as np
import pytest
import small_models
from gramian.kernels.base import KernelName
from gramian.kernels.choice import kernel_classes


def test_names_of_kernels_in_types_are_those_that_are_taken():
    assert set(typing.get_args(KernelName)) == set(kernel_classes())


@pytest.mark.parametrize(
    ("X", "precision"),
    [
        (np.eye(3, dtype=np.float32), np.float32),
        (np.eye(3), np.float64),
        (np.eye(3, dtype=np.int32), np.float64),
        (np.eye(3, dtype=bool), np.float64),
        ([[0.0], [1.0], [2.0]], np.float64),
    ],
)
def test_results_have_the_precision_that_the_types_say(X, precision):
    kernel = small_models.K
    wide = np.ones((3, np.shape(X)[1]))
    assert gramian.gram(kernel, X).dtype == kernel(X).dtype == precision
    assert gramian.diagonal(kernel, X).dtype == kernel.diag(X).dtype == precision
    assert gramian.product(kernel, X, np.ones(3, precision)).dtype == precision
    assert gramian.gram(kernel, X, wide).dtype == gramian.product(kernel, X, np.ones(3), wide).dtype == np.float64
