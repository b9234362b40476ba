# SPDX-License-Identifier: BSD-3-Clause
"""Error against processor seconds: one panel a set, one line a way, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.large.process import CHOICE, Record

COLOURS = {
    "landmarks": "#1f78b4",
    "exact": "#08306b",
    "nystroem": "#d95f02",
    "sklearn_exact": "#fdae61",
    "trees": "#1b9e77",
    "falkon": "#7570b3",
}
LABELS = {
    "landmarks": "gramian, landmarks",
    "exact": "gramian, all rows by cg",
    "nystroem": "scikit-learn, Nystroem + Ridge",
    "sklearn_exact": "scikit-learn, KernelRidge",
    "trees": "scikit-learn, HistGradientBoosting",
    "falkon": "Falkon in torch",
}


def write_picture(path: Path, records: Sequence[Record]) -> bool:
    """Draw the sets that have at least three fits; False if there are none or matplotlib is not installed."""
    fitted = [one for one in records if one["way"] != CHOICE and "error" in one]
    counts = {name: sum(one["set"] == name for one in fitted) for name in dict.fromkeys(one["set"] for one in fitted)}
    names = [name for name, count in counts.items() if count >= 3]
    try:
        import matplotlib
    except ModuleNotFoundError:
        return False
    if not names:
        return False
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    columns = min(3, len(names))
    rows = -(-len(names) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(5.2 * columns, 4 * rows), squeeze=False, layout="constrained")
    for ax in axes.flat[len(names) :]:
        ax.set_visible(False)
    for ax, name in zip(axes.flat, names, strict=False):
        for way, colour in COLOURS.items():
            chosen = sorted((o["cpu_seconds"], o["error"]) for o in fitted if o["set"] == name and o["way"] == way)
            if chosen:
                ax.plot(*zip(*chosen, strict=True), color=colour, marker="o", markersize=5, label=LABELS[way])
        ax.set(
            title=name, xlabel="processor seconds of the fit", ylabel="error on test rows", xscale="log", yscale="log"
        )
        ax.grid(color="#dddddd", linewidth=0.6, which="both")
    axes[0][0].legend(frameon=False, fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
    return True
