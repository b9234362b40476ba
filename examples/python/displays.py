# SPDX-License-Identifier: BSD-3-Clause
"""Every display once.

    python examples/python/displays.py [--output folder]

Needs matplotlib. The pictures of docs/displays.md.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import gramian
import matplotlib
import numpy as np
from gramian.kernels import Gaussian
from sklearn.datasets import load_digits, load_iris, load_wine


def flowers(axes) -> None:
    """Class probabilities, relevances, a training curve and a Gram matrix of iris."""
    X, y = load_iris(return_X_y=True, as_frame=True)
    model = gramian.EmbeddingClassifier(random_state=0).fit(X, y)
    two = gramian.EmbeddingClassifier(random_state=0).fit(X.values[:, 2:], y)
    gramian.DecisionProbabilityDisplay.from_estimator(two, X.values[:, 2:], y=y, ax=axes[0])
    gramian.RelevanceDisplay.from_estimator(model, ax=axes[1])
    gramian.TrainingCurveDisplay.from_estimator(model, ax=axes[2])
    gramian.GramDisplay.from_samples(Gaussian(gamma=0.3), X.values, y, ax=axes[3])


def distributions(axes) -> None:
    """A conditional density, its calibration, codes and a spectrum."""
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 3, size=600)
    y = np.where(rng.random(600) < x / 3, 1 + x, -1.0) + 0.15 * rng.normal(size=600)
    model = gramian.ConditionalMeanEmbedding(output_kernel=Gaussian(length_scale=0.3), learn="cv", random_state=0)
    model.fit(x[:400, None], y[:400])
    gramian.ConditionalDensityDisplay.from_estimator(model, x[:, None], bandwidth=0.2, ax=axes[0])
    gramian.PITDisplay.from_estimator(model, x[400:, None], y[400:], ax=axes[1])
    X, digits = load_digits(n_class=5, return_X_y=True)
    codes = gramian.KernelAutoencoder(hidden=(2,), max_iter=200, random_state=0).fit(X[:400] / 16)
    gramian.CodesDisplay.from_estimator(codes, X[:400] / 16, digits[:400], ax=axes[2])
    gramian.SpectrumDisplay.from_samples(Gaussian(gamma=0.1), X[:400] / 16, ax=axes[3])


def levels(axes) -> None:
    """Explained variance and levels of a deep kernel PCA."""
    X = load_wine().data
    model = gramian.DeepKernelPCA((4, 2)).fit((X - X.mean(axis=0)) / X.std(axis=0))
    gramian.ExplainedVarianceDisplay.from_estimator(model, ax=axes[0])
    gramian.LevelTopologyDisplay.from_estimator(model, ax=axes[1])


def main() -> None:
    """Write all pictures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path(), help="a folder; default: this one")
    folder = parser.parse_args().output
    matplotlib.use("Agg")
    from matplotlib import pyplot

    warnings.simplefilter("ignore")  # pictures need no last digits
    for name, draw, columns in (("models", flowers, 4), ("data", distributions, 4), ("levels", levels, 2)):
        figure, axes = pyplot.subplots(1, columns, figsize=(3.6 * columns, 3.2), layout="constrained")
        draw(axes)
        figure.savefig(folder / f"displays_{name}.png", dpi=90)
    X = load_digits().data[:300] / 16
    model = gramian.DeepKernelPCA((16,), "linear").fit(X)
    reconstructions = gramian.ReconstructionDisplay.from_estimator(model, X, shape=(8, 8))
    reconstructions.figure_.savefig(folder / "displays_reconstructions.png", dpi=90)
    traversals = gramian.TraversalDisplay.from_estimator(model, components=[(1, 0), (1, 1)], shape=(8, 8), steps=10)
    traversals.figure_.savefig(folder / "displays_traversals.png", dpi=90)


if __name__ == "__main__":
    main()
