# SPDX-License-Identifier: BSD-3-Clause
"""A kink across the coordinates: one layer, two layers, and a support vector machine with the learned kernel.

python examples/python/deep_regression.py
"""

from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import Polynomial, TensorMatern
from sklearn.svm import SVR


def kink(X: np.ndarray) -> np.ndarray:
    """The function h_1 of [DKL] Sec. 4.2."""
    return 1 / (0.1 + np.abs(X[:, 0] - X[:, 1]))


def main() -> dict[str, float]:
    """Return root mean squared errors on a grid."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(100, 2))
    y = kink(X) + 0.01 * rng.normal(size=100)
    side = np.linspace(-1, 1, 51)
    grid = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)

    outer = TensorMatern(s=1)
    options = {"alpha": 1e-3, "random_state": 0}
    one = gramian.DeepKernelRegressor([outer], **options).fit(X, y)
    two = gramian.DeepKernelRegressor([Polynomial(degree=1), outer], inner_alpha=1e-3, n_init=16, **options).fit(X, y)
    machine = SVR(kernel=two.deep_kernel_, C=1e3, epsilon=0.01).fit(X, y)
    models = {"one layer": one, "two layers": two, "SVR with the deep kernel": machine}
    return {name: float(np.sqrt(np.mean((model.predict(grid) - kink(grid)) ** 2))) for name, model in models.items()}


if __name__ == "__main__":
    for name, error in main().items():
        print(f"{name}: {error:.3f}")
