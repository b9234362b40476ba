# SPDX-License-Identifier: BSD-3-Clause
"""The bottom halves of handwritten digits from their top halves, by four kinds of dependency estimation.

    python examples/python/structured_images.py [--picture halves.png]

The loss is that of [KDE] Sec. 6.1, 2 - 2 l(y, y'), of digits that were held out; penalty is chosen by leave-one-out. A
picture needs matplotlib.
"""

from __future__ import annotations

import argparse
import time

import gramian
import numpy as np
from gramian.kernels import Gaussian
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

ALPHAS = np.logspace(-6, 1, 15)
KERNELS = {"kernel": Gaussian(length_scale=1.0), "output_kernel": Gaussian(length_scale=1.5)}
METHODS = {
    "identity (Cortes et al.)": {"operator": "identity"},
    "20 components (Weston et al.)": {"operator": "identity", "n_output_components": 20},
    "covariance": {"operator": "covariance"},
    "conditional covariance": {"operator": "conditional", "epsilon": 1e-2},
}


def halves(training):
    """Top and bottom halves: those to learn from, and all others."""
    images = load_digits().data / 16.0
    train, test = train_test_split(images, train_size=training, random_state=0)
    return train[:, :32], train[:, 32:], test[:, :32], test[:, 32:]


def rows(training=200):
    """One row for each method: its name, penalty, loss, seconds of the fit, and predictions."""
    X, Y, X_new, Y_new = halves(training)
    for name, options in METHODS.items():
        start = time.perf_counter()
        model = gramian.DependencyRegressor(**KERNELS, **options, penalties=ALPHAS).fit(X, Y)
        seconds = time.perf_counter() - start
        yield {
            "method": name,
            "penalty": model.penalty_,
            "loss": model.loss(X_new, Y_new),
            "seconds": seconds,
            "predicted": model.predict(X_new[:10]),
        }


def picture(path, found):
    """Write whole digits, and what each method makes of their top halves."""
    from matplotlib import pyplot

    _, _, tops, bottoms = halves(200)
    lines = [("digit", bottoms[:10]), *[(row["method"], row["predicted"]) for row in found]]
    figure, axes = pyplot.subplots(len(lines), 10, figsize=(10, 1.2 * len(lines)))
    for line, (name, lower) in zip(axes, lines, strict=True):
        for axis, top, bottom in zip(line, tops[:10], lower, strict=True):
            axis.imshow(np.vstack([top.reshape(4, 8), bottom.reshape(4, 8)]), cmap="gray_r")
            axis.set_axis_off()
        line[0].set_title(name, loc="left", fontsize=9)
    figure.tight_layout()
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--picture", help="where to write a picture")
    arguments = parser.parse_args()
    found = list(rows())
    print("| C | penalty | RBF loss | seconds |")
    print("|---|---|---|---|")
    for row in found:
        print(f"| {row['method']} | {row['penalty']:.2g} | {row['loss']:.4f} | {row['seconds']:.3f} |")
    if arguments.picture:
        picture(arguments.picture, found)


if __name__ == "__main__":
    main()
