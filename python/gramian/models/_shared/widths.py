# SPDX-License-Identifier: BSD-3-Clause
"""Kernels whose widths are multiples of another kernel's."""

from typing import Any

import numpy as np

from gramian.kernels import Gaussian, Kernel, Polynomial

_SQUARED = (Gaussian, Polynomial)  # gamma goes with the square of the points there


def stretched(kernel: Kernel, factor: float) -> Kernel:
    """
    Return the kernel k(x / factor, y / factor), in which parts without a width stay as they are.

    Parameters
    ----------
    kernel : Kernel
        Any kernel, made of parts or not.
    factor : float
        Above 0.
    """
    own = kernel.get_params(deep=False)
    changed = {name: _stretch(kernel, name, value, factor) for name, value in own.items()}
    if isinstance(kernel, Gaussian) and kernel.gamma is None and kernel.length_scale is None:
        changed["length_scale"] = factor
    return type(kernel)(**changed)


def has_widths(kernel: Any) -> bool:
    """Tell whether a kernel has a part with a width."""
    return isinstance(kernel, Kernel) and stretched(kernel, 2.0) != kernel


def _stretch(kernel: Kernel, name: str, value: Any, factor: float) -> Any:
    if isinstance(value, Kernel):
        return stretched(value, factor)
    if value is None or name not in ("gamma", "length_scale"):
        return value
    powers = 1 if name == "length_scale" else -2 if isinstance(kernel, _SQUARED) else -1
    scaled = np.asarray(value, dtype=np.float64) * factor**powers
    return float(scaled) if scaled.ndim == 0 else scaled
