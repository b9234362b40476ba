# SPDX-License-Identifier: BSD-3-Clause
"""
[DKPCA] Fig. 4, 10 and 11 and Table B.5: two levels, the second kernel linear, solved in closed form.

Synth 1 is the outline of a square, Synth 3 a normal distribution in 140 dimensions. COIL-20 is in place of 3DShapes.
"""

from __future__ import annotations

from typing import Any

import gramian
import numpy as np

from bench.paper.common.outcome import Outcome, Settings, Table
from bench.paper.dkpca import data

SIZES = (2, 4, 16, 32, 64, 100)
PAPER = {  # Table B.5, hundreds: s_2, then each s_1 of SIZES
    2: (1.59, 1.60, 1.59, 1.63, 1.65, 1.66),
    4: (1.59, 1.53, 1.55, 1.62, 1.62, 1.64),
    16: (1.59, 1.53, 1.26, 1.38, 1.55, 1.59),
    32: (1.59, 1.53, 1.26, 1.08, 1.35, 1.44),
    64: (1.59, 1.53, 1.26, 1.08, 0.98, 1.19),
    100: (1.59, 1.53, 1.26, 1.08, 0.98, 0.97),
}
TRAIN = 100
TEST = 10000
SQUARE = 6  # components of the first level on Synth 1
DRAWS = 200
BOUNDED = 5  # components of the level that is not varied in Figure 4 (c) and (d)


def run(settings: Settings) -> Outcome:
    """Tables, and two pictures."""
    outcome = Outcome("dkpca_synth", facts={"paper": PAPER})
    train, test = data.normal(TRAIN, 500 if settings.quick else TEST)
    sizes = SIZES[:3] if settings.quick else SIZES
    outcome.tables += [reconstructions(train, test, sizes), by_size(train, test, sizes)]
    square = data.square(TRAIN)
    few, spans = components(square, 20 if settings.quick else DRAWS)
    outcome.tables.append(few)
    pictures = data.objects(60 if settings.quick else 480, settings, outcome)
    full = full_decomposition(*pictures)
    outcome.tables.append(full)
    sweeps = bounds(train[:20] if settings.quick else train)
    outcome.tables += sweeps.values()
    outcome.sentences.append(spread_of_solutions(square))
    outcome.pictures = [_components(settings, few, spans, full), _bounds(settings, sweeps)]
    return outcome


def levels(s1: int, s2: int, X: Any, eta: float = 1.0, first: Any = "linear") -> Any:
    """Two levels, the second kernel linear."""
    return gramian.DeepKernelPCA((s1, s2), [first, "linear"], [1.0, eta]).fit(X)


def error(model: Any, X: Any) -> float:
    """The mean squared error of an entry, down from the last level and back."""
    codes = model.transform(X, level=len(model.hidden_features_))
    return float(np.mean((model.inverse_transform(codes) - X) ** 2))


def shrunk(train: Any, test: Any, s: int) -> float:
    """
    The same if the largest eigenvalue stands for each one: component i comes back with lambda_i / lambda_1 of its size.

    That is how the published program maps new samples.
    """
    _, singular, V = np.linalg.svd(train, full_matrices=False)
    weights = (singular[:s] / singular[0]) ** 2
    return float(np.mean((test - (test @ V[:s].T * weights) @ V[:s]) ** 2))


def reconstructions(train: Any, test: Any, sizes: tuple[int, ...]) -> Table:
    """Table B.5."""
    table = Table("Synth 3: error on test samples, hundreds", ["s_2", *[f"s_1 = {s1}" for s1 in sizes]])
    for s2 in sizes:
        table.rows.append([str(s2), *[error(levels(s1, s2, train), test) / 100 for s1 in sizes]])
    return table


def by_size(train: Any, test: Any, sizes: tuple[int, ...]) -> Table:
    """Its diagonal, against PCA and against the paper."""
    columns = ["s_1 = s_2", "DKPCA", "PCA", "largest eigenvalue for all", "paper"]
    table = Table("Synth 3: the diagonal of Table B.5, hundreds", columns)
    V = np.linalg.svd(train, full_matrices=False)[2]
    for place, s in enumerate(sizes):
        plain = np.mean((test - test @ V[:s].T @ V[:s]) ** 2)
        found = (error(levels(s, s, train), test), float(plain), shrunk(train, test, s))
        table.rows.append([str(s), *[value / 100 for value in found], PAPER[s][place]])
    table.rows.append(["none", None, float(np.mean(test**2)) / 100, None, None])
    return table


def turned(X: Any, s1: int, s2: int, rng: Any) -> tuple[Any, Any, Any]:
    """
    Another solution: H_2 at random in the span of the top s_1 eigenvectors, H_1 as (13) then wants it.

    Returned with the eigenvalues of the first level.
    """
    U = np.linalg.svd(X, full_matrices=True)[0][:, :s1]
    H2 = U @ np.linalg.qr(rng.standard_normal((s1, s2)))[0]
    inside = U.T @ X @ X.T @ U + U.T @ H2 @ H2.T @ U
    values, vectors = np.linalg.eigh(inside)
    return U @ vectors[:, ::-1], H2, values[::-1]


def objective(X: Any, H1: Any, H2: Any, values: Any) -> float:
    """J of two linear levels, eta 1, relative to the size of the first one's matrix."""
    first = X @ (X.T @ H1) + H2 @ (H2.T @ H1) - H1 * values
    second = H1 @ (H1.T @ H2) - H2
    return float(0.5 * (np.sum(first**2) + np.sum(second**2)) / np.sum(values**2))


def components(X: Any, draws: int) -> tuple[Table, Any]:
    """Figure 10: eigenvalues of the first level, the error over s_2; and the errors of solutions drawn at random."""
    table = Table(
        f"Synth 1, s_1 = {SQUARE}",
        ["s_2", "eigenvalue of the first level, s_2 = 6", "its part", "error", "H_2 at random: mean", "least", "most"],
    )
    full = levels(SQUARE, SQUARE, X)
    rng = np.random.default_rng(1)
    spans = []
    for s2 in range(1, SQUARE + 1):
        errors = []
        for _ in range(draws):
            H2 = turned(X, SQUARE, s2, rng)[1]
            errors.append(float(np.mean((X - H2 @ (H2.T @ X)) ** 2)))
        spans.append(errors)
        eigenvalue, part = full.eigenvalues_[0][s2 - 1], full.explained_variance_ratio_[0][s2 - 1]
        found = error(levels(SQUARE, s2, X), X)
        row = (float(eigenvalue), float(part), found, float(np.mean(errors)), min(errors), max(errors))
        table.rows.append([str(s2), *[_clean(value) for value in row]])
    return table, spans


def _clean(value: float) -> float:
    """0 for what is 0 up to rounding."""
    return 0.0 if abs(value) < 1e-12 else value


def spread_of_solutions(X: Any) -> str:
    """That H_2 is free within the span of H_1."""
    rng = np.random.default_rng(2)
    worst = max(objective(X, *turned(X, SQUARE, 2, rng)) for _ in range(20))
    return f"J of twenty solutions with a random H_2, over the squared eigenvalues: at most {worst:.1e}."


def full_decomposition(name: str, X: Any) -> Table:
    """Figure 11."""
    table = Table(
        f"{name}, {len(X)} pictures, s_1 = s_2 = s, linear kernels: explained by the first level, error",
        ["s", "explained, percent", "error of a pixel"],
    )
    total = float(np.sum(X**2))
    for s in sorted({*[s for s in (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 300) if s < len(X)], len(X)}):
        model = levels(s, s, X)
        part = (model.eigenvalues_[0] - 1).sum() / total
        table.rows.append([str(s), _clean(100 * float(part)), _clean(error(model, X))])
    return table


def bounds(X: Any) -> dict[str, Table]:
    """Figure 4: the error of K_1 and its bounds over eta_2 of either sign, s_1 and s_2."""
    n = len(X)
    kernel = gramian.DeepKernelPCA((n,)).fit(X)
    least = float(kernel.eigenvalues_[0][-1])
    etas = np.geomspace(0.1, 100, 13)
    few = [s for s in (1, 2, 5, 10, 20, 40, 60, 80, 100) if s <= n]
    half = min(BOUNDED, n)
    return {
        "eta_2 > 0": _sweep(X, "eta_2", [(eta, n, n, eta) for eta in etas]),
        "eta_2 < 0": _sweep(X, "eta_2", [(-eta, n, n, -eta) for eta in 1.001 / least * np.geomspace(1, 100, 13)]),
        "s_1": _sweep(X, "s_1", [(s, s, min(s, half), 1.0) for s in few]),
        "s_2": _sweep(X, "s_2", [(s, min(20, n), s, 1.0) for s in few if s <= 20]),
    }


def _sweep(X: Any, name: str, points: list[tuple[float, int, int, float]]) -> Table:
    """Of what is varied, s_1, s_2 and eta_2."""
    sizes = points[0][1:3] if name == "eta_2" else f"s_2 <= {BOUNDED}" if name == "s_1" else f"s_1 = {points[0][1]}"
    table = Table(f"Synth 3, Gaussian kernel, {sizes}: error of K_1 and its bounds", [name, "lower", "error", "upper"])
    for value, s1, s2, eta in points:
        found = levels(s1, s2, X, eta, None).approximation_bounds()
        table.rows.append([f"{value:.4g}", found["lower"], found["error"], found["upper"]])
    return table


def _components(settings: Settings, few: Table, spans: Any, full: Table) -> Any:
    from bench.paper.common import draw

    figure, axes = draw.panels(1, 3, width=3.8, height=3.2)
    at = np.arange(1, SQUARE + 1)
    axes[0, 0].bar(at, [100 * float(row[2] or 0) for row in few.rows], color=draw.CLUSTERS[0])
    axes[0, 0].set(xlabel="component of the first level", ylabel="explained, percent", title="Synth 1: eigenvalues")
    inside = [np.percentile(errors, (5, 50, 95)) for errors in spans]
    low, middle, high = np.array(inside).T
    axes[0, 1].fill_between(at, low, high, color=draw.CLUSTERS[1], alpha=0.25, linewidth=0)
    axes[0, 1].plot(at, middle, color=draw.CLUSTERS[1], marker="^", label="any $H_2$ in the span of $H_1$")
    axes[0, 1].plot(at, [row[3] for row in few.rows], color=draw.CLUSTERS[0], marker="o", label="closed form")
    axes[0, 1].set(xlabel="$s_2$, with $s_1 = 6$", ylabel="mean squared error", title="Synth 1: all of them have J = 0")
    axes[0, 1].legend(frameon=False, fontsize=8)
    s = [int(str(row[0])) for row in full.rows]
    axes[0, 2].semilogx(s, [row[1] for row in full.rows], color=draw.CLUSTERS[0], marker="o")
    axes[0, 2].set(xlabel="$s_1 = s_2$", title=full.title.split(",")[0] + ": full decomposition", ylim=(0, 105))
    axes[0, 2].set_ylabel("explained, percent", color=draw.CLUSTERS[0])
    other = axes[0, 2].twinx()
    other.semilogx(s, [row[2] for row in full.rows], color=draw.CLUSTERS[1], marker="^")
    other.set_ylabel("mean squared error of a pixel", color=draw.CLUSTERS[1])
    other.set_ylim(bottom=0)
    for ax in axes[0]:
        ax.title.set_fontsize(10)
    return draw.save(figure, settings.output / "dkpca_components.png")


def _bounds(settings: Settings, sweeps: dict[str, Table]) -> Any:
    from bench.paper.common import draw

    figure, axes = draw.panels(1, 4, width=3.0, height=3.0)
    styles = {1: ("lower bound", draw.CLUSTERS[0], "--", "s"), 3: ("upper bound", draw.CLUSTERS[1], "--", "^")}
    styles[2] = ("error", "black", "-", "o")
    for ax, (name, table) in zip(axes[0], sweeps.items(), strict=True):
        x = [abs(float(str(row[0]))) for row in table.rows]
        for column, (label, colour, line, marker) in styles.items():
            y = [float(row[column] or 0) for row in table.rows]
            ax.plot(x, y, color=colour, linestyle=line, marker=marker, markersize=4, label=label)
        if name.startswith("eta"):
            ax.set_xscale("log")
        ax.set_yscale("symlog", linthresh=0.01 if "eta" in name else 1)
        names = {"eta_2 > 0": r"$\eta_2$", "eta_2 < 0": r"$-\eta_2$", "s_1": "$s_1$", "s_2": "$s_2$"}
        ax.set_xlabel(names[name])
        ax.set_ylim(bottom=0)
    axes[0, 0].set_ylabel(r"$\|K_1 - H_1 \Lambda_1 H_1^T\|_F$")
    axes[0, 0].legend(frameon=False, fontsize=8)
    return draw.save(figure, settings.output / "dkpca_bounds.png")
