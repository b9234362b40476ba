# SPDX-License-Identifier: BSD-3-Clause
"""A tour of two minutes at most: what was built, how fast it is here, and what a kernel sees in data.

Run from a checkout: `make demo`, or `python examples/python/demo.py [--output demo_output]`. Needs matplotlib.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench import CLEANING, machine, picture, report, rows, runner  # noqa: E402  (cleans the environment before numpy)

# isort: split
import gramian  # noqa: E402
import numpy as np  # noqa: E402
from sklearn.datasets import load_digits, make_moons  # noqa: E402

from bench import peers  # noqa: E402
from bench.data import default_gamma, gram_error, points, product_error  # noqa: E402

BLUE, ORANGE = "#2166ac", "#d6604d"


def gram_contest(n: int, d: int) -> rows.Contest:
    """A stored Gaussian Gram matrix against scikit-learn's rbf_kernel."""
    X, gamma = points(n, d), default_gamma(d)
    contestants = {rows.OURS: peers.gramian_gram(X, gamma), "scikit-learn": peers.sklearn_gram(X, gamma)}
    return rows.Contest(contestants, gram_error(X, gamma), tolerance=1e-12)


def product_contest(n: int, d: int, m: int) -> rows.Contest:
    """K V without K, against rbf_kernel in chunks (the fastest of four chunk sizes)."""
    X, V, gamma = points(n, d), points(n, m, seed=1), default_gamma(d)
    contestants = {rows.OURS: peers.gramian_product(X, V, gamma), "scikit-learn": peers.sklearn_product(X, V, gamma)}
    return rows.Contest(contestants, product_error(X, V, gamma), tolerance=1e-11)


def benchmark() -> list[dict[str, Any]]:
    """Both questions over a geometric grid of n."""
    return runner.run_rows(
        [
            rows.Row("Gaussian Gram", gram_contest, [{"n": n, "d": 8} for n in rows.geometric(500, 8000)]),
            rows.Row("product K V", product_contest, [{"n": n, "d": 8, "m": 10} for n in rows.geometric(1000, 16000)]),
        ]
    )


def ridge_weights(kernel: Any, X: np.ndarray, Y: np.ndarray, alpha: float) -> np.ndarray:
    """Kernel ridge regression: the weights W of f(x) = sum_i k(x, x_i) W_i."""
    K = gramian.gram(kernel, X)
    K[np.diag_indices_from(K)] += alpha
    return np.linalg.solve(K, Y)


def digits(kernel: Any) -> dict[str, Any]:
    """Recognise handwritten digits; the Gram of all of them, sorted by class."""
    images, labels = load_digits(return_X_y=True)
    images = images / 16.0
    shuffled = np.random.default_rng(0).permutation(len(labels))
    train, test = shuffled[:1200], shuffled[1200:]
    start = time.perf_counter()
    weights = ridge_weights(kernel, images[train], np.eye(10)[labels[train]], alpha=1e-2)
    scores = gramian.product(kernel, images[test], weights, images[train])
    seconds = time.perf_counter() - start
    order = np.argsort(labels, kind="stable")
    return {
        "gram": gramian.gram(kernel, images[order]),
        "labels": labels[order],
        "accuracy": float(np.mean(scores.argmax(axis=1) == labels[test])),
        "train": len(train),
        "test": len(test),
        "seconds": seconds,
    }


def moons(kernel: Any) -> dict[str, Any]:
    """A curved boundary between two classes, and the score of the classifier on a grid."""
    X, y = make_moons(300, noise=0.22, random_state=0)
    weights = ridge_weights(kernel, X, 2.0 * y[:, None] - 1.0, alpha=1.0)
    x1, x2 = np.linspace(-1.9, 2.9, 300), np.linspace(-1.5, 2.0, 240)
    grid = np.stack(np.meshgrid(x1, x2), axis=-1)
    scores = gramian.product(kernel, grid.reshape(-1, 2), weights, X).reshape(grid.shape[:2])
    return {"X": X, "y": y, "x1": x1, "x2": x2, "scores": scores}


def draw_moons(ax: Any, fit: dict[str, Any]) -> None:
    """Points over the score, with the decision boundary."""
    levels = np.linspace(-1.5, 1.5, 13)
    shades = ax.contourf(fit["x1"], fit["x2"], fit["scores"], levels, cmap="RdBu", extend="both", alpha=0.75)
    ax.contour(fit["x1"], fit["x2"], fit["scores"], [0.0], colors="black", linewidths=1.5)
    for label, colour, marker in ((0, ORANGE, "o"), (1, BLUE, "^")):
        chosen = fit["X"][fit["y"] == label]
        ax.scatter(*chosen.T, s=22, c=colour, marker=marker, edgecolors="white", linewidths=0.5, label=f"class {label}")
    ax.set(title="Kernel ridge classifier on two moons", xlabel="first coordinate", ylabel="second coordinate")
    ax.legend(loc="upper right")
    ax.figure.colorbar(shades, ax=ax, shrink=0.8, ticks=[-1, 0, 1], label="score (black line: 0)")


def draw_digits(ax: Any, fit: dict[str, Any]) -> None:
    """The Gram as an image: bright blocks are digits of one class that look alike."""
    shown = ax.imshow(fit["gram"], cmap="magma", vmin=0, vmax=1, interpolation="antialiased")
    edges = np.flatnonzero(np.diff(fit["labels"])) + 0.5
    centres = [np.flatnonzero(fit["labels"] == digit).mean() for digit in range(10)]
    for edge in edges:
        ax.axhline(edge, color="white", linewidth=0.4)
        ax.axvline(edge, color="white", linewidth=0.4)
    ax.set_xticks(centres, range(10))
    ax.set_yticks(centres, range(10))
    ax.tick_params(length=0)
    ax.set(title=f"Gaussian Gram of {len(fit['labels'])} handwritten digits", xlabel="digit", ylabel="digit")
    ax.figure.colorbar(shown, ax=ax, shrink=0.8, label="similarity k(x, y)")


def write_kernel_picture(path: Path, moons_fit: dict[str, Any], digits_fit: dict[str, Any]) -> None:
    """Both pictures side by side."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(12.5, 5.2), layout="constrained")
    draw_moons(left, moons_fit)
    draw_digits(right, digits_fit)
    figure.savefig(path, dpi=130)
    plt.close(figure)


def main() -> int:
    """Everything in order; 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "demo_output")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)

    gramian.show_versions()
    print("\nThe engine against scikit-learn, half a minute at most on an idle machine:", flush=True)
    where = machine.describe()
    print(machine.headline(where), flush=True)
    results = benchmark()
    print(CLEANING.sentence(), report.RULES.format(repetitions=5), "", report.table(results), sep="\n", flush=True)

    digits_fit = digits(gramian.kernels.Gaussian(gamma=0.1))
    print(
        f"\nKernel ridge on handwritten digits: {digits_fit['accuracy']:.1%} of {digits_fit['test']} unseen images "
        f"right, learned from {digits_fit['train']} in {digits_fit['seconds']:.2f} s."
    )
    caption = f"{where['cpu']}, {where['cores']} cores, float64"
    written = [output / "results.json", output / "benchmark.png", output / "kernels.png"]
    report.write_json(written[0], where, CLEANING.sentence(), results)
    picture.write_picture(written[1], results, caption)
    write_kernel_picture(written[2], moons(gramian.kernels.Gaussian(gamma=2.0)), digits_fit)
    print("\nWritten:", *written, sep="\n  ")
    return 0 if runner.all_correct(results) else 1


if __name__ == "__main__":
    sys.exit(main())
