# SPDX-License-Identifier: BSD-3-Clause
"""Axes of matplotlib, which is imported once there is something to draw."""

from typing import Any


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
