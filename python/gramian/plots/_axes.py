# SPDX-License-Identifier: BSD-3-Clause
"""Axes of matplotlib, which is imported once there is something to draw."""

from typing import Any, TypeVar

import numpy as np

from gramian._validation import FloatArray

Display = TypeVar("Display", bound=Any)

COLORS = (
    (0.0, 0.447, 0.698),
    (0.902, 0.624, 0.0),
    (0.0, 0.62, 0.451),
    (0.8, 0.475, 0.655),
    (0.337, 0.706, 0.914),
    (0.835, 0.369, 0.0),
    (0.941, 0.894, 0.259),
)
"""That the colour-blind can tell apart: Okabe and Ito."""

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


def check_image_shape(shape: tuple[int, int] | None, size: int) -> None:
    """Refuse the shape of an image that samples with this number of entries do not have."""
    if shape is not None and int(np.prod(shape)) != size:
        raise ValueError(f"shape {shape} has not the {size} entries of a sample.")


def draw_sample(
    ax: Any, sample: FloatArray, shape: tuple[int, int] | None, cmap: str, limits: tuple[float, float]
) -> None:
    """Draw a sample as an image of a shape, or as a curve, in the limits of all samples."""
    if shape is None:
        ax.plot(sample)
        ax.set_ylim(*limits)
    else:
        ax.imshow(sample.reshape(shape), cmap=cmap, vmin=limits[0], vmax=limits[1])
    ax.set(xticks=[], yticks=[])


def drawn(display: Display, ax: Any) -> Display:
    """Return a display that knows where it was plotted."""
    display.ax_, display.figure_ = ax, ax.figure
    return display
