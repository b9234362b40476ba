# SPDX-License-Identifier: BSD-3-Clause
"""Iris with labels that are names: every other sample to fit, the others to predict."""

from __future__ import annotations

import numpy as np
from sklearn.datasets import load_iris
from sklearn.preprocessing import StandardScaler


def halves():
    """Return (X, y) twice."""
    X, y = load_iris(return_X_y=True)
    X, names = StandardScaler().fit_transform(X), np.array(["setosa", "versicolor", "virginica"])[y]
    return (X[::2], names[::2]), (X[1::2], names[1::2])
