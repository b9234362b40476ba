# SPDX-License-Identifier: BSD-3-Clause
"""Axes of matplotlib, which is imported once there is something to draw."""

from typing import Any, TypeVar

Display = TypeVar("Display", bound=Any)

LARGEST = 10_000
"""What a picture may have of anything."""


def axes(ax: Any) -> Any:
    """Return the axes that are given, or new ones."""
    return pyplot().subplots()[1] if ax is None else ax


def pyplot() -> Any:
    """Return ``matplotlib.pyplot``."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("Plots need matplotlib, which is not installed: pip install 'gramian[plots]'.") from error
    return plt


def drawn(display: Display, ax: Any) -> Display:
    """Return a display that knows where it was plotted."""
    display.ax_, display.figure_ = ax, ax.figure
    return display
