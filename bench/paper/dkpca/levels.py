# SPDX-License-Identifier: BSD-3-Clause
"""
[DKPCA] Fig. 9 and App. B.2: what components explain, of levels trained together and of levels one after another.

An eigenvalue can be compared with the sum of those that were learned, with the trace of the matrix that it belongs to,
or with the trace of K_1: what its direction holds of the data. No directions hold more of it than those of kernel PCA.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gramian
import numpy as np
from gramian.kernels import Gaussian
from numpy.typing import NDArray

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.dkpca import data
from bench.paper.dkpca.methods import LEVELWISE, SHALLOW, fitted, shares, spectrum

COMPONENTS = 30
STEPS = 3000
DEPTH = 4
DIGIT_COMPONENTS = 10
SHOWN = (1, 5, 10, 20, 50, 99)
OPTIONS: dict[str, dict[str, Any]] = {
    LEVELWISE: {"solver": "levelwise"},
    "DKPCA": {},
    "DKPCA, random start": {"init": "random"},
    "DKPCA, random start, Adam": {"init": "random", "solver": "riemannian_adam", "eigenvalues": "joint"},
}


class Points(NamedTuple):
    """A set, sigma^2 of all levels, and the components of each."""

    name: str
    X: NDArray[np.float64]
    width: float
    sizes: tuple[int, ...]


def run(settings: Settings) -> Outcome:
    """Three tables, one picture."""
    outcome = Outcome("dkpca_levels")
    few = settings.quick
    steps = 60 if few else STEPS
    points = sets(settings, outcome)
    models = {one.name: trained(one, steps) for one in points[: 2 if few else None]}
    outcome.tables.append(explained(points, models))
    lemma, curves = shifted(points[1].X[: 30 if few else None])
    outcome.tables.append(lemma)
    digits = points[2]
    deep = deep_models(digits, 30 if few else STEPS)
    outcome.tables.append(by_level(digits.name, deep))
    outcome.facts = {one.name: {"sigma^2": one.width, "samples": len(one.X)} for one in points}
    outcome.pictures.append(_picture(settings, points[0], models[points[0].name], curves, deep))
    return outcome


def sets(settings: Settings, outcome: Outcome) -> list[Points]:
    """Synth 2 with sigma^2 = 1, others with the median squared distance; equally many components on both levels."""
    n = 40 if settings.quick else 100
    s = n // 4 if settings.quick else COMPONENTS
    scene = data.scene(n)[0]
    name, digits = data.digits(n, settings, outcome)
    other, objects = data.objects(n // 2, settings, outcome)
    found = [("Synth 2", scene), ("Synth 3", data.normal(n, 0)[0]), (name, digits), (other, objects)]
    return [Points(name, X, 1.0 if name == "Synth 2" else median(X), (min(s, len(X) // 2),) * 2) for name, X in found]


def median(X: Any) -> float:
    """Of the squared distances between samples."""
    from scipy.spatial.distance import pdist

    return float(np.median(pdist(X, "sqeuclidean")))


def gram(one: Points) -> Any:
    """Of the first level."""
    from scipy.spatial.distance import pdist, squareform

    return np.exp(-squareform(pdist(one.X, "sqeuclidean")) / (2 * one.width))


def trained(one: Points, steps: int) -> dict[str, Any]:
    """A model for each of OPTIONS, the same sigma^2 on all levels."""
    kernel = Gaussian(gamma=1 / (2 * one.width))
    return {
        name: fitted(gramian.DeepKernelPCA(one.sizes, kernel, max_iter=steps, **options), one.X)
        for name, options in OPTIONS.items()
    }


def explained(points: list[Points], models: dict[str, dict[str, Any]]) -> Table:
    """Figures 9 (a) and B.2 (a) to (c)."""
    table = Table(
        "First level; parts in percent",
        [
            "set",
            "method",
            "J",
            "first of learned eigenvalues",
            "ten",
            "first of tr K_1",
            "ten",
            "all",
            "second level: all",
        ],
    )
    for one in points:
        if one.name not in models:
            continue
        K = gram(one)
        most = spectrum(K)[: one.sizes[0]]
        table.rows.append(
            [one.name, SHALLOW, None, *_percent(most / most.sum()), *_percent(most), 100 * most.sum(), None]
        )
        for method, model in models[one.name].items():
            learned = np.maximum(model.eigenvalues_[0], 0)
            held = shares(K, model.hidden_features_[0])
            parts = [*_percent(learned / learned.sum()), *_percent(held), *(100 * model.captured_trace_)]
            table.rows.append([one.name, method, float(model.objective_), *map(float, parts)])
    return table


def _percent(parts: Any) -> tuple[float, float]:
    """The first one, and the sum of ten."""
    return 100 * float(parts[0]), 100 * float(parts[:10].sum())


def shifted(X: Any) -> tuple[Table, tuple[Any, Any]]:
    """Figure 9 (b): Lemma 4.2 with the largest eta_2 that it allows, and the angles between the components."""
    n = len(X)
    shallow = gramian.DeepKernelPCA((n,)).fit(X)
    eta = -1.001 / float(shallow.eigenvalues_[0][-1])
    deep = gramian.DeepKernelPCA((n, n), [None, "linear"], [1.0, eta]).fit(X)
    one, two = (np.cumsum(model.explained_variance_ratio_[0]) for model in (shallow, deep))
    table = Table(
        f"Synth 3, Gaussian and linear, eta_2 = {eta:.3g}: explained by the first level, percent",
        ["n", SHALLOW, "DKPCA", "sine of the largest angle between the components"],
    )
    for count in [count for count in SHOWN if count < n]:
        a, b = (model.hidden_features_[0][:, :count] for model in (shallow, deep))
        table.rows.append([str(count), 100 * float(one[count - 1]), 100 * float(two[count - 1]), _angle(a, b)])
    return table, (100 * one, 100 * two)


def _angle(A: Any, B: Any) -> float:
    """The sine of the largest angle between two spans."""
    return float(np.linalg.norm(B - A @ (A.T @ B), 2))


def deep_models(one: Points, steps: int) -> dict[str, Any]:
    """Figures 9 (c) and B.2 (d): four levels."""
    s = (min(DIGIT_COMPONENTS, len(one.X) // 4),) * DEPTH
    kernel = Gaussian(gamma=1 / (2 * one.width))
    kinds: dict[str, tuple[Any, dict[str, Any]]] = {
        "DKPCA, sigma^2 shared": (kernel, {}),
        "DKPCA, own widths": ([kernel, None, None, None], {}),
        "DKPCA, own widths, centred": ([kernel, None, None, None], {"center": True}),
        f"{LEVELWISE}, own widths": ([kernel, None, None, None], {"solver": "levelwise"}),
        "DKPCA, own widths, random start": ([kernel, None, None, None], {"init": "random"}),
    }
    return {
        name: fitted(gramian.DeepKernelPCA(s, kernels, max_iter=steps, **options), one.X)
        for name, (kernels, options) in kinds.items()
    }


def by_level(name: str, models: dict[str, Any]) -> Table:
    """Cumulative parts of each level's own matrix, and of tr K_j."""
    table = Table(
        f"{name}, {DEPTH} levels: explained by one, two and all components, percent; in brackets part of tr K_j",
        ["levels", "J", *[f"level {level}" for level in range(1, DEPTH + 1)]],
    )
    for label, model in models.items():
        cells = []
        for parts, held in zip(model.explained_variance_ratio_, model.captured_trace_, strict=True):
            sums = 100 * np.cumsum(parts)[[0, 1, -1]]
            cells.append(", ".join(f"{value:.3g}" for value in sums) + f" ({100 * held:.3g})")
        table.rows.append([label, float(model.objective_), *cells])
    return table


def _picture(settings: Settings, first: Points, models: dict[str, Any], curves: Any, deep: dict[str, Any]) -> Any:
    from bench.paper.common import draw

    figure, axes = draw.panels(2, 2, width=4.4, height=3.3)
    K, s = gram(first), first.sizes[0]
    learned = {name: np.maximum(model.eigenvalues_[0], 0) for name, model in models.items()} | {
        SHALLOW: spectrum(K)[:s]
    }
    held = {name: shares(K, model.hidden_features_[0]) for name, model in models.items()} | {SHALLOW: spectrum(K)[:s]}
    _curves(axes[0, 0], {name: values / values.sum() for name, values in learned.items()})
    _curves(axes[0, 1], held)
    axes[0, 0].set(xlabel="components of the first level", ylabel="percent of the sum of these")
    axes[0, 0].set_title(f"{first.name}: eigenvalues among themselves")
    axes[0, 1].set(xlabel="components of the first level", ylabel="percent of tr $K_1$")
    axes[0, 1].set_title(f"{first.name}: what they hold of the data")
    n = np.arange(1, len(curves[0]) + 1)
    axes[1, 0].plot(n, curves[0], color="black", label="KPCA")
    axes[1, 0].plot(n, curves[1], color=draw.CLUSTERS[0], label=r"DKPCA, $\eta_2 < 0$", linestyle="--")
    axes[1, 0].set(xlabel="components", ylabel="percent of the own trace", title="Synth 3: the same components")
    _levels(axes[1, 1], deep)
    for ax in axes.flat:
        ax.set_ylim(0, 105)
        ax.title.set_fontsize(10)
        ax.legend(frameon=False, fontsize=8)
        ax.tick_params(labelsize=8)
    return draw.save(figure, settings.output / "dkpca_levels.png")


def _curves(ax: Any, parts: dict[str, Any]) -> None:
    """Cumulative parts of four methods."""
    from bench.paper.common import draw

    looks = {
        SHALLOW: {"color": "black", "marker": "o", "markersize": 9, "markerfacecolor": "none"},
        LEVELWISE: {"color": draw.CLUSTERS[3], "marker": "s", "markersize": 6},
        "DKPCA": {"color": draw.CLUSTERS[0], "marker": "D", "markersize": 3},
        "DKPCA, random start": {"color": draw.CLUSTERS[1], "marker": "^", "markersize": 5},
    }
    for name, look in looks.items():
        at = np.arange(1, len(parts[name]) + 1)
        ax.plot(at, 100 * np.cumsum(parts[name]), label=name, linewidth=1, markevery=3, **look)


def _levels(ax: Any, deep: dict[str, Any]) -> None:
    """Four levels with one width, and with widths of their own on centred kernels."""
    from bench.paper.common import draw

    for line, name in {"-": "DKPCA, sigma^2 shared", "--": "DKPCA, own widths, centred"}.items():
        for level, parts in enumerate(deep[name].explained_variance_ratio_):
            look = {"color": draw.CLUSTERS[level], "marker": draw.MARKERS[level], "markersize": 8 - 1.6 * level}
            at = np.arange(1, len(parts) + 1)
            shown = f"level {level + 1}" if line == "-" else None
            ax.plot(at, 100 * np.cumsum(parts), linestyle=line, linewidth=1, label=shown, **look)
    ax.text(1, 90, r"solid: the same $\sigma^2$ on all levels", fontsize=8)
    ax.text(1, 43, "dashed: own widths,\ncentred", fontsize=8)
    ax.set(xlabel="components", ylabel="percent of the own trace", title="Digits: four levels")
