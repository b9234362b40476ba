# SPDX-License-Identifier: BSD-3-Clause
"""Codes of the columns of a table: what is lost of new rows, untouched defaults beside peers of the same size."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gramian
import numpy as np
from numpy.typing import NDArray
from sklearn.decomposition import PCA, KernelPCA
from sklearn.neural_network import MLPRegressor

from bench.machine import headline
from bench.quality import sets
from bench.quality.report import means, row
from bench.quality.scores import ratio

SIZES = (2, 5, 10)
MOST_ROWS = 900
REFERENCE = "pca"
Rows = NDArray[np.float64]


@dataclass(frozen=True)
class Parts:
    """Rows to learn from and rows to test on, of variance 1 in the former."""

    learn: Rows
    new: Rows


def load(name: str, number: int, quick: bool) -> Parts:
    """Draw a third of the rows for the test; constant columns are left out, and outliers are cut at ten deviations."""
    X, _ = sets.load(name, quick)
    X = X[np.random.default_rng(3000 + number).permutation(len(X))[:MOST_ROWS]]
    count = 2 * len(X) // 3
    X = X[:, X[:count].std(axis=0) > 1e-9]
    X = np.clip((X - X[:count].mean(axis=0)) / X[:count].std(axis=0), -10.0, 10.0)
    return Parts(X[:count], X[count:])


class _Network:
    """A multilayer perceptron with a narrow layer, trained to return its input."""

    def __init__(self, size: int, seed: int, quick: bool) -> None:
        self.model = MLPRegressor(
            hidden_layer_sizes=(64, size, 64), activation="tanh", max_iter=5 if quick else 500, random_state=seed
        )

    def fit(self, X: Rows) -> _Network:
        self.model.fit(X, X)
        return self

    def rebuild(self, X: Rows) -> Rows:
        return np.asarray(self.model.predict(X)).reshape(X.shape)


class _Codes:
    """What has transform and inverse_transform."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def fit(self, X: Rows) -> _Codes:
        self.model.fit(X)
        return self

    def rebuild(self, X: Rows) -> Rows:
        return np.asarray(self.model.inverse_transform(self.model.transform(X)))


def _autoencoder(size: int, seed: int, quick: bool) -> _Codes:
    return _Codes(gramian.KernelAutoencoder((size,), random_state=seed, **({"max_iter": 5} if quick else {})))


def _pca(size: int, seed: int, quick: bool) -> _Codes:
    return _Codes(PCA(size))


def _kernel_pca(size: int, seed: int, quick: bool) -> _Codes:
    return _Codes(KernelPCA(size, kernel="rbf", fit_inverse_transform=True, alpha=1e-2))


WAYS: dict[str, tuple[str, Callable[[int, int, bool], Any]]] = {
    "autoencoder": ("**KernelAutoencoder**", _autoencoder),
    REFERENCE: ("PCA", _pca),
    "kernel_pca": ("KernelPCA, Gaussian", _kernel_pca),
    "network": ("MLP 64-p-64", _Network),
}


def run_set(name: str, names: Sequence[str], splits: int, quick: bool, tell: Callable[[Any], None]) -> list[Any]:
    """Return a record for each way, split and number of codes."""
    records = []
    for number in range(splits):
        parts = load(name, number, quick)
        for size in (size for size in SIZES if size < parts.learn.shape[1]):
            for way in names:
                common = {"set": f"{name} {size}", "way": way, "split": number, "samples": len(parts.learn)}
                records.append({**common, "tested": len(parts.new), **run_way(way, size, parts, number, quick)})
                tell(records[-1])
    return records


def run_way(way: str, size: int, parts: Parts, seed: int, quick: bool) -> dict[str, float]:
    """Return the part of the variance of new rows that reconstructions lose, and the processor's seconds of the fit."""
    model = WAYS[way][1](size, seed, quick)
    start = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # networks that have not converged
        model.fit(parts.learn)
    seconds = time.process_time() - start
    lost = ((parts.new - model.rebuild(parts.new)) ** 2).mean() / (parts.new**2).mean()
    return {"error": float(lost), "seconds": seconds}


def markdown(found: dict[str, list[Any]], machine: dict[str, Any]) -> str:
    """Return a summary and a table of sets for each list."""
    parts = []
    for title, names in sets.LISTS.items():
        own: dict[str, list[Any]] = {}
        for record in (record for name in names for record in found.get(name, [])):
            own.setdefault(record["set"], []).append(record)
        if own:
            parts += [f"### Codes, sets of the {title} list", _summary(own), _of_sets(own)]
    said = headline(machine).replace(f"gramian {machine['gramian']}, ", "gramian, ")
    return "\n\n".join([*parts, "Machine: " + " ".join(said.split("\n"))])


def _summary(found: dict[str, list[Any]]) -> str:
    lines = [row(("Codes", "sets x sizes", "error / PCA's", "worst", "CPU s")), row(["---"] * 5)]
    theirs = [means(records, REFERENCE, "error")[0] for records in found.values()]
    for way, (title, _) in WAYS.items():
        ours = [means(records, way, "error")[0] for records in found.values()]
        if np.isfinite([*ours, *theirs]).all():
            against = ratio(ours, theirs)
            seconds = np.mean([means(records, way, "seconds")[0] for records in found.values()])
            numbers = (f"{against['mean']:.2f}", f"{against['worst']:.2f}", f"{seconds:.2f}")
            lines.append(row((title, str(len(ours)), *numbers)))
    return "\n".join(lines)


def _of_sets(found: dict[str, list[Any]]) -> str:
    lines = [row(("Set, codes", *(title for title, _ in WAYS.values()))), row(["---"] * (1 + len(WAYS)))]
    for name, records in found.items():
        cells = ["{:.3f} ± {:.3f}".format(*means(records, way, "error")) for way in WAYS]
        lines.append(row((name, *("" if "nan" in cell else cell for cell in cells))))
    return "\n".join(lines)
