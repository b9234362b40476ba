# SPDX-License-Identifier: BSD-3-Clause
"""Ratios over n: one panel a row, one line a peer, both axes logarithmic."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.registry import OURS
from bench.runner import Result

COLOURS = {"scikit-learn": "#d95f02", "numpy": "#1b9e77", "torch": "#7570b3", "pykeops": "#e7298a"}
MARKERS = {"scikit-learn": "o", "numpy": "s", "torch": "^", "pykeops": "D"}

Series = dict[str, list[tuple[float, float]]]


def series(results: Sequence[Result]) -> dict[str, Series]:
    """{panel title: {peer: [(n, ratio), ...]}} for groups of results that differ in n alone, three sizes at least."""
    panels: dict[str, Series] = {}
    sizes: dict[str, set[int]] = {}
    for result in results:
        if result["status"] != "ok" or "n" not in result["size"]:
            continue
        others = ", ".join(f"{key} = {value}" for key, value in result["size"].items() if key != "n")
        title = result["row"] + (f" ({others})" if others else "")
        for name, entry in result["entries"].items():
            if name != OURS and "ratio" in entry:
                panels.setdefault(title, {}).setdefault(name, []).append((result["size"]["n"], entry["ratio"]))
                sizes.setdefault(title, set()).add(result["size"]["n"])
    return {title: panel for title, panel in panels.items() if len(sizes[title]) >= 3}


def write_picture(path: Path, results: Sequence[Result], caption: str = "") -> bool:
    """Draw the ratios; False if nothing was measured at three sizes or matplotlib is not installed."""
    panels = series(results)
    try:
        import matplotlib
    except ModuleNotFoundError:
        return False
    if not panels:
        return False
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(
        1, len(panels), figsize=(5.2 * len(panels), 4.4), squeeze=False, sharey=True, layout="constrained"
    )
    for ax, (title, panel) in zip(axes[0], panels.items(), strict=True):
        draw_panel(ax, title, panel)
    ratios = [ratio for panel in panels.values() for values in panel.values() for _, ratio in values]
    axes[0][0].set_ylim(min(0.8 * min(ratios), 0.8), max(2.5 * max(ratios), 12))  # room for the legends
    axes[0][0].set_ylabel("time of the peer / time of gramian")
    if caption:
        figure.supxlabel(caption, fontsize=8, color="#555555")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=130)
    plt.close(figure)
    return True


def draw_panel(ax: Any, title: str, panel: Series) -> None:
    """One row's lines, with plain numbers on both axes."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

    for name, values in panel.items():
        n, ratio = zip(*sorted(values), strict=True)
        ax.plot(n, ratio, color=COLOURS.get(name), marker=MARKERS.get(name, "o"), markersize=5, label=name)
    ticks = sorted({n for values in panel.values() for n, _ in values})
    ax.set(title=title, xlabel="number of points n", xscale="log", yscale="log")
    ax.xaxis.set_major_locator(FixedLocator(ticks))
    ax.xaxis.set_minor_locator(NullLocator())
    ax.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))
    ax.axhline(1, color="#555555", linewidth=1, linestyle="--")
    ax.annotate("gramian", (0.99, 1), xycoords=("axes fraction", "data"), ha="right", va="bottom", color="#555555")
    ax.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    ax.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}x"))
    ax.yaxis.set_minor_formatter(NullFormatter())
    ax.grid(color="#dddddd", linewidth=0.6)
    ax.legend(frameon=False)
