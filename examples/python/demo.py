# SPDX-License-Identifier: BSD-3-Clause
"""A tour of a minute at most: what was built, how fast it is here, and two autoencoders that learn.

Run from a checkout: `make demo`, or `python examples/python/demo.py [--output demo_output]`. Needs matplotlib.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from bench import CLEANING, machine, picture, report, rows, runner  # noqa: E402  (cleans the environment before numpy)

# isort: split
import gramian  # noqa: E402
import numpy as np  # noqa: E402
from sklearn.decomposition import KernelPCA  # noqa: E402
from sklearn.neighbors import KNeighborsRegressor  # noqa: E402

from bench import peers  # noqa: E402
from bench.data import default_gamma, gram_error, points, product_error  # noqa: E402
from bench.paper import data, grams, molecules, toys  # noqa: E402
from bench.paper.models import autoencoder, few_iterations  # noqa: E402

SIZES = (2, 5, 10)


class Compared(NamedTuple):
    """Codes of one kind, and how good they are on samples that were held out."""

    codes: np.ndarray
    error: float
    """What the reconstruction misses, on average."""
    seconds: float
    r2: float = float("nan")
    """Of the property that is predicted from the codes alone, by the ten nearest neighbours."""


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
            rows.Row("Gaussian Gram", gram_contest, [{"n": n, "d": 8} for n in rows.geometric(500, 4000)]),
            rows.Row("product K V", product_contest, [{"n": n, "d": 8, "m": 10} for n in rows.geometric(1000, 8000)]),
        ]
    )


def circles(toy: toys.Toy) -> tuple[Any, Any, float]:
    """Three noisy circles through a code of one number: the autoencoder, the best that kernel PCA does, and seconds."""
    start = time.perf_counter()
    model = autoencoder(toy.X, 1, (3.0, 1.0), 1e-3, 500, n_restarts=5, random_state=0)
    seconds = time.perf_counter() - start
    linear = [
        KernelPCA(1, kernel="rbf", gamma=gamma, fit_inverse_transform=True, alpha=alpha).fit(toy.X)
        for gamma in (0.03, 0.1, 0.3, 1.0, 3.0)
        for alpha in (1e-2, 1e-1, 1.0)
    ]
    return model, min(linear, key=lambda one: circle_error(one, toy)), seconds


def circle_error(model: Any, toy: toys.Toy) -> float:
    """The mean of |x - reconstruction|^2."""
    return float(((toy.X - model.inverse_transform(model.transform(toy.X))) ** 2).sum(axis=1).mean())


def load_molecules() -> tuple[str, np.ndarray, np.ndarray]:
    """Tanimoto Gram matrix and solubility of real molecules where they are found, else of made-up fingerprints."""
    try:
        found = molecules.load("esol_delaney")
    except data.DataError:
        X, y = molecules.made_up_fingerprints(1000)
        return "1000 made-up fingerprints (set GRAMIAN_DATA for real molecules)", grams.tanimoto(X), y
    return f"{len(found.y)} molecules and their solubility (ESOL)", found.K, found.y


def compare(K: np.ndarray, y: np.ndarray, size: int) -> dict[str, Compared]:
    """Codes of both kinds, learned without the property."""
    train, test = np.split(np.random.default_rng(0).permutation(len(y)), [int(0.8 * len(y))])
    K_train, K_test = K[np.ix_(train, train)], K[np.ix_(test, train)]

    def r2(codes: np.ndarray, new_codes: np.ndarray) -> float:
        return float(KNeighborsRegressor(10).fit(codes, y[train]).score(new_codes, y[test]))

    start = time.perf_counter()
    with few_iterations():
        ours = gramian.K2Autoencoder(hidden=(size,), input_kernel="precomputed", alpha=1e-4, max_iter=100).fit(K_train)
    seconds = time.perf_counter() - start
    ones = np.ones(len(test))
    new = ours.transform(K_test, diag=ones)
    found = {"gramian": Compared(new, -ours.score(K_test, diag=ones), seconds, r2(ours.embedding_, new))}
    start = time.perf_counter()
    theirs = KernelPCA(size, kernel="precomputed").fit(K_train)
    seconds = time.perf_counter() - start
    new = theirs.transform(K_test)
    centred = 1 - 2 * K_test.mean(axis=1) + K_train.mean()
    missed = float((centred - (new**2).sum(axis=1)).mean())
    found["KernelPCA"] = Compared(new, missed, seconds, r2(theirs.transform(K_train), new))
    return found | {"property": Compared(y[test], 0.0, 0.0)}


def draw(path: Path, toy: toys.Toy, line: Any, linear: Any, chemistry: dict[str, Compared]) -> None:
    """The circles and what is left of them, and the molecules' codes of two numbers."""
    from bench.paper import draw

    figure, axes = draw.panels(2, 2, width=4.6, height=4.0)
    for ax, name, model in ((axes[0, 0], "KernelPCA", linear), (axes[0, 1], "KernelAutoencoder", line)):
        ax.scatter(*toy.X.T, s=8, c=draw.GREY)
        draw.clusters(ax, model.inverse_transform(model.transform(toy.X)), toy.cluster)
        draw.plain(ax, f"Circles, {name}: error {circle_error(model, toy):.2f}")
    for ax, name, title in ((axes[1, 0], "KernelPCA", "KernelPCA"), (axes[1, 1], "gramian", "K2Autoencoder")):
        shades = ax.scatter(*chemistry[name].codes.T, c=chemistry["property"].codes, s=16, cmap="viridis")
        ax.set_title(f"Unseen molecules, {title}: $R^2$ {chemistry[name].r2:.2f}", fontsize=10)
    figure.colorbar(shades, ax=axes[1], shrink=0.8, label="property")
    draw.save(figure, path)


def tell_circles(toy: toys.Toy, line: Any, linear: Any, seconds: float) -> None:
    """One sentence."""
    print(
        f"\n{len(toy.X)} points of three noisy circles through a code of one number: kernel autoencoder error "
        f"{circle_error(line, toy):.3f} (of five starts, {seconds:.1f} s), the best of 15 kernel PCAs "
        f"{circle_error(linear, toy):.3f}, the mean {toy.X.var(axis=0).sum():.3f}.",
        flush=True,
    )


def tell_molecules(name: str, compared: dict[int, dict[str, Compared]]) -> None:
    """A table."""
    print(f"\n{name}: codes learned from the Tanimoto Gram matrix of 80 %, judged on the rest.")
    print("error: what the reconstruction misses in the feature space, of 1. R2: the property from the codes alone.\n")
    print("code size   K2Autoencoder: error     R2      s   KernelPCA: error     R2      s")
    for size, found in compared.items():
        ours, theirs = found["gramian"], found["KernelPCA"]
        left = f"{size:9d}   {ours.error:20.3f}  {ours.r2:5.3f}  {ours.seconds:5.2f}"
        print(f"{left}   {theirs.error:16.3f}  {theirs.r2:5.3f}  {theirs.seconds:5.2f}")


def main() -> int:
    """Everything in order; 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "demo_output")
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)

    gramian.show_versions()
    print("\nThe engine against scikit-learn, some seconds on an idle machine:", flush=True)
    where = machine.describe()
    print(machine.headline(where), flush=True)
    results = benchmark()
    print(CLEANING.sentence(), report.RULES.format(repetitions=5), "", report.table(results), sep="\n", flush=True)

    toy = toys.circles(300)
    line, linear, seconds = circles(toy)
    tell_circles(toy, line, linear, seconds)
    name, K, y = load_molecules()
    compared = {size: compare(K, y, size) for size in SIZES}
    tell_molecules(name, compared)

    written = [output / "results.json", output / "benchmark.png", output / "autoencoders.png"]
    report.write_json(written[0], where, CLEANING.sentence(), results)
    picture.write_picture(written[1], results, f"{where['cpu']}, {where['cores']} cores, float64")
    draw(written[2], toy, line, linear, compared[2])
    print("\nWritten:", *written, sep="\n  ")
    return 0 if runner.all_correct(results) else 1


if __name__ == "__main__":
    sys.exit(main())
