# SPDX-License-Identifier: BSD-3-Clause
"""The Falkon in PyTorch that large runs are compared with solves the same system, where PyTorch is: `make torch`."""

from __future__ import annotations

import numpy as np
import pytest
import torch  # noqa: F401

from bench.large import sets, ways

LENGTH, PENALTY = 0.5, 1e-4


@pytest.fixture
def task():
    return sets.task_of("synthetic", sets.synthetic(400, features=3))


def test_falkon_agrees_with_our_landmarks(task):
    ours = ways.exact(task, LENGTH, PENALTY, dtype="float64").predict(task.X_test)
    theirs = ways.falkon(task, LENGTH, PENALTY, len(task.y))
    np.testing.assert_allclose(theirs.predict(task.X_test), ours, atol=1e-2 * np.abs(ours).max())
    assert theirs.facts["residual"] < 1e-4
