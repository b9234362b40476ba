# SPDX-License-Identifier: BSD-3-Clause
"""Two autoencoders that learn, in half a minute: points on circles through one number, molecules through a few.

    python examples/python/demo.py [--output demo_output]

Beside each is what kernel PCA makes of the same codes. Needs matplotlib. `make demo` races the engine too.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import gramian
import matplotlib
import numpy as np
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.neighbors import KNeighborsRegressor

SIZES = (2, 5, 10)
COLOURS = np.array(["#2166ac", "#d6604d", "#4d9221"])


class Circles(NamedTuple):
    """Points in the plane, and the circle that each belongs to."""

    X: np.ndarray
    circle: np.ndarray


class Compared(NamedTuple):
    """Codes of one kind, and how good they are on samples that were held out."""

    codes: np.ndarray
    error: float
    """What the reconstruction misses, on average."""
    seconds: float
    r2: float = float("nan")
    """Of the property that is predicted from the codes alone, by the ten nearest neighbours."""


def three_circles(n: int, noise: float = 0.1) -> Circles:
    """Concentric circles of radius 1, 2 and 3."""
    rng = np.random.default_rng(0)
    circle, angle = np.arange(n) % 3, rng.uniform(0, 2 * np.pi, n)
    exact = (1 + circle)[:, None] * np.c_[np.cos(angle), np.sin(angle)]
    return Circles(exact + noise * rng.standard_normal((n, 2)), circle)


def learn_circles(data: Circles) -> tuple[Any, Any, float]:
    """Both models with a code of one number: the autoencoder, the best that kernel PCA does, and seconds."""
    kernels = [gramian.kernels.Gaussian(gamma=gamma) for gamma in (3.0, 1.0)]
    model = gramian.KernelAutoencoder(hidden=(1,), kernels=kernels, penalty=1e-3, n_init=5, random_state=0)
    start = time.perf_counter()
    model.fit(data.X)
    seconds = time.perf_counter() - start
    linear = [
        KernelPCA(1, kernel="rbf", gamma=gamma, fit_inverse_transform=True, alpha=alpha).fit(data.X)
        for gamma in (0.03, 0.1, 0.3, 1.0, 3.0)
        for alpha in (1e-2, 1e-1, 1.0)
    ]
    return model, min(linear, key=lambda one: circle_error(one, data)), seconds


def circle_error(model: Any, data: Circles) -> float:
    """The mean of |x - reconstruction|^2."""
    return float(((data.X - model.inverse_transform(model.transform(data.X))) ** 2).sum(axis=1).mean())


def load_molecules() -> tuple[str, np.ndarray, np.ndarray]:
    """Tanimoto Gram matrix and solubility of real molecules where they are found, else of made-up fingerprints."""
    path = Path(os.environ.get("GRAMIAN_DATA", ".")) / "esol_delaney.npz"
    if path.is_file():
        found = np.load(path)
        X, y = np.unpackbits(found["morgan2_packed"], axis=1).astype(float), found["y"]
        name = f"{len(y)} molecules and their solubility (ESOL)"
    else:
        X, y = made_up_fingerprints(1000)
        name = "1000 made-up fingerprints (set GRAMIAN_DATA to a folder with esol_delaney.npz for real molecules)"
    return name, gramian.gram(gramian.kernels.Tanimoto(), X), y


def made_up_fingerprints(n: int, bits: int = 256) -> tuple[np.ndarray, np.ndarray]:
    """Most bits of two of twelve scaffolds, some at random, and a property that adds up from them."""
    rng = np.random.default_rng(0)
    scaffolds = rng.random((12, bits)) < 0.12
    first, second = rng.integers(0, len(scaffolds), (2, n))
    kept = (scaffolds[first] | scaffolds[second]) & (rng.random((n, bits)) < 0.85)
    X = (kept | (rng.random((n, bits)) < 0.02)).astype(float)
    return X, X @ rng.standard_normal(bits)


def compare(K: np.ndarray, y: np.ndarray, size: int) -> dict[str, Compared]:
    """Codes of both kinds, learned without the property."""
    train, test = np.split(np.random.default_rng(0).permutation(len(y)), [int(0.8 * len(y))])
    K_train, K_test = K[np.ix_(train, train)], K[np.ix_(test, train)]

    def r2(codes: np.ndarray, new_codes: np.ndarray) -> float:
        return float(KNeighborsRegressor(10).fit(codes, y[train]).score(new_codes, y[test]))

    start = time.perf_counter()
    ours = gramian.K2Autoencoder(hidden=(size,), input_kernel="precomputed", penalty=1e-4, max_iter=100).fit(K_train)
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


def draw(path: Path, data: Circles, line: Any, linear: Any, chemistry: dict[str, Compared]) -> None:
    """The circles and what is left of them, and the molecules' codes of two numbers."""
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 2, figsize=(9.2, 8.0), layout="constrained")
    for ax, name, model in ((axes[0, 0], "KernelPCA", linear), (axes[0, 1], "KernelAutoencoder", line)):
        ax.scatter(*data.X.T, s=8, c="#bbbbbb")
        ax.scatter(*model.inverse_transform(model.transform(data.X)).T, s=14, c=COLOURS[data.circle])
        ax.set_title(f"Circles, {name}: error {circle_error(model, data):.2f}", fontsize=10)
        ax.set_aspect("equal", adjustable="datalim")
    for ax, name, title in ((axes[1, 0], "KernelPCA", "KernelPCA"), (axes[1, 1], "gramian", "K2Autoencoder")):
        shades = ax.scatter(*chemistry[name].codes.T, c=chemistry["property"].codes, s=16, cmap="viridis")
        ax.set_title(f"Unseen molecules, {title}: $R^2$ {chemistry[name].r2:.2f}", fontsize=10)
    figure.colorbar(shades, ax=axes[1], shrink=0.8, label="property")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def tell_circles(data: Circles, line: Any, linear: Any, seconds: float) -> None:
    """One sentence."""
    print(
        f"\n{len(data.X)} points of three noisy circles through a code of one number: kernel autoencoder error "
        f"{circle_error(line, data):.3f} (of five starts, {seconds:.1f} s), the best of 15 kernel PCAs "
        f"{circle_error(linear, data):.3f}, the mean {data.X.var(axis=0).sum():.3f}.",
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


def main() -> None:
    """Everything in order."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=Path("demo_output"))
    output = parser.parse_args().output
    output.mkdir(parents=True, exist_ok=True)
    warnings.simplefilter("ignore", ConvergenceWarning)  # a demo takes fewer iterations than the optimum needs

    gramian.show_versions()
    data = three_circles(300)
    line, linear, seconds = learn_circles(data)
    tell_circles(data, line, linear, seconds)
    name, K, y = load_molecules()
    compared = {size: compare(K, y, size) for size in SIZES}
    tell_molecules(name, compared)
    path = output / "autoencoders.png"
    draw(path, data, line, linear, compared[2])
    print("\nWritten:", path)


if __name__ == "__main__":
    main()
