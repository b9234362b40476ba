# SPDX-License-Identifier: BSD-3-Clause
"""Four models at work, one picture each: codes, class probabilities, a conditional distribution, a kink.

    python examples/python/models_at_work.py [--output models.png]

Needs matplotlib. The picture of README.md.
"""

from __future__ import annotations

import argparse
import warnings
from typing import Any

import gramian
import matplotlib
import numpy as np
from gramian.kernels import Gaussian
from sklearn.datasets import load_digits, load_iris
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import GridSearchCV

COLOURS = ("#2166ac", "#d6604d", "#4d9221")


def codes(axes: Any) -> None:
    """Pictures of digits become two numbers each."""
    X, y = load_digits(n_class=6, return_X_y=True)
    X, y = X[:500] / 16, y[:500]
    model = gramian.KernelAutoencoder(hidden=(2,), max_iter=300, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the codes are settled long before the last digits of the objective
        found = model.fit_transform(X)
    for digit in range(6):
        axes.scatter(*found[y == digit].T, s=8, color=f"C{digit}", label=str(digit))
    axes.set(title="KernelAutoencoder", xlabel="first code of a picture", ylabel="second code")
    axes.legend(loc="best", fontsize=7, ncols=2, handletextpad=0)


def probabilities(axes: Any) -> None:
    """Probabilities of one of three classes over the plane."""
    X, y = load_iris(return_X_y=True)
    X = X[:, 2:]
    model = gramian.EmbeddingClassifier(random_state=0).fit(X, y)
    low, high = X.min(axis=0) - 0.5, X.max(axis=0) + 0.5
    first, second = np.meshgrid(*(np.linspace(*ends, 120) for ends in zip(low, high, strict=True)))
    grid = model.predict_proba(np.c_[first.ravel(), second.ravel()])[:, 1].reshape(first.shape)
    shown = axes.contourf(first, second, grid, levels=np.linspace(0, 1, 11), cmap="PuOr_r")
    axes.scatter(*X.T, c=np.array(COLOURS)[y], s=8, edgecolors="white", linewidths=0.3)
    axes.figure.colorbar(shown, ax=axes, ticks=[0, 0.5, 1])
    axes.set(title="EmbeddingClassifier", xlabel="length of petals", ylabel="width of petals")


def distribution(axes: Any) -> None:
    """Outputs on two branches: the mean is on neither, samples of the conditional distribution are on both."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 3, size=400)
    y = np.where(rng.random(400) < x / 3, 1 + x, -1.0) + 0.15 * rng.normal(size=400)
    model = gramian.ConditionalMeanEmbedding(output_kernel=Gaussian(length_scale=0.3), learn="cv", random_state=0)
    model.fit(x[:, None], y)
    line, at = np.linspace(0, 3, 100)[:, None], np.linspace(0.3, 2.7, 9)[:, None]
    axes.scatter(x, y, s=4, color="0.75", label="data")
    axes.plot(line, model.predict(line), color=COLOURS[0], label="mean")
    axes.scatter(np.repeat(at, 20), model.sample(at, 20), color=COLOURS[1], s=12, marker="_", label="samples")
    axes.set(title="ConditionalMeanEmbedding", xlabel="x", ylabel="y")
    axes.legend(loc="upper left", fontsize=7)


def kink(axes: Any) -> None:
    """A function with a kink along a diagonal, on a line across it."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(100, 2))
    y = 1 / (0.1 + abs(X[:, 0] - X[:, 1])) + 0.01 * rng.normal(size=100)
    deep = gramian.DeepKernelRegressor(random_state=0).fit(X, y)
    grid = {"gamma": np.logspace(-1, 2, 7), "alpha": np.logspace(-6, 0, 7)}
    shallow = GridSearchCV(KernelRidge(kernel="rbf"), grid).fit(X, y)
    t = np.linspace(-0.9, 0.9, 400)
    line = np.c_[t, -t]
    axes.plot(2 * t, 1 / (0.1 + abs(2 * t)), color="black", linewidth=1, label="function")
    axes.plot(2 * t, shallow.predict(line), color=COLOURS[0], label="KernelRidge, by search")
    axes.plot(2 * t, deep.predict(line), color=COLOURS[1], label="DeepKernelRegressor()")
    axes.set(title="DeepKernelRegressor", xlabel="distance from the diagonal", ylim=(0, 13))
    axes.legend(loc="upper left", fontsize=7)


def main() -> None:
    """Draw all four."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", default="models.png", help="default: %(default)s")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 4, figsize=(13, 3.2), layout="constrained")
    for draw, one in zip((codes, probabilities, distribution, kink), axes, strict=True):
        draw(one)
    figure.savefig(parser.parse_args().output, dpi=110)


if __name__ == "__main__":
    main()
