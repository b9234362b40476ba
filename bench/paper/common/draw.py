# SPDX-License-Identifier: BSD-3-Clause
"""What the pictures of all experiments have in common."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

CLUSTERS = ("#2166ac", "#d6604d", "#4d9221", "#8073ac")
MARKERS = ("o", "^", "s", "D")
GREY = "#bbbbbb"
SCATTER = 12345  # a seed that no data set has


def panels(rows: int, columns: int, width: float = 3.6, height: float = 3.4) -> tuple[Any, Any]:
    """A figure and its axes as an array of rows and columns."""
    return plt.subplots(rows, columns, figsize=(width * columns, height * rows), layout="constrained", squeeze=False)


def save(figure: Any, path: Path, **options: Any) -> Path:
    """Write and close it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, **options)
    plt.close(figure)
    return path


def clusters(ax: Any, X: NDArray[Any], cluster: NDArray[Any], size: float = 14) -> None:
    """Points in the plane, a colour and a marker for each cluster."""
    for one in np.unique(cluster):
        chosen = X[cluster == one]
        ax.scatter(*chosen.T, s=size, c=CLUSTERS[one], marker=MARKERS[one], edgecolors="white", linewidths=0.3)


def strip(ax: Any, codes: NDArray[Any], cluster: NDArray[Any]) -> None:
    """One-dimensional codes, a row for each cluster, with some scatter across so that points can be told apart."""
    across = np.random.default_rng(SCATTER).uniform(-0.3, 0.3, len(codes))
    clusters(ax, np.c_[codes.ravel(), cluster + across], cluster)
    ax.set_yticks(np.unique(cluster), [f"cluster {one + 1}" for one in np.unique(cluster)])
    ax.set_xlabel("code")


def column(ax: Any, place: int, codes: NDArray[Any], cluster: NDArray[Any]) -> None:
    """One-dimensional codes above a place of the x axis, the clusters side by side."""
    across = np.random.default_rng(SCATTER).uniform(-0.1, 0.1, len(codes))
    beside = place + 0.25 * (cluster - np.mean(np.unique(cluster)))
    clusters(ax, np.c_[beside + across, codes.ravel()], cluster, size=6)


def evolution(ax: Any, x: NDArray[Any], curves: Sequence[NDArray[Any]], labels: Sequence[str]) -> None:
    """Curves from light to dark, the last one black."""
    for i, (curve, label) in enumerate(zip(curves, labels, strict=True)):
        last = i == len(curves) - 1
        colour = "black" if last else plt.get_cmap("YlOrRd")(0.25 + 0.65 * i / max(1, len(curves) - 2))
        ax.plot(x, curve, color=colour, linewidth=2.2 if last else 1.4, label=label)


def strip_of_pictures(ax: Any, name: str, pictures: NDArray[Any], blank: float, **options: Any) -> None:
    """Pictures side by side, the name on the left."""
    ax.imshow(np.hstack(list(np.pad(pictures, ((0, 0), (0, 0), (0, 1)), constant_values=blank))), **options)
    ax.set_yticks([pictures.shape[1] / 2 - 0.5], [name], fontsize=8)
    ax.set_xticks([])
    ax.spines[:].set_visible(False)


def plain(ax: Any, title: str) -> None:
    """A title, and equal scales without numbers, for points in the plane."""
    ax.set_title(title, fontsize=10)
    ax.set_aspect("equal", adjustable="datalim")
    ax.tick_params(labelsize=8)
