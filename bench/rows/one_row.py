# SPDX-License-Identifier: BSD-3-Clause
"""How long does one row take a program that predicts row by row?"""

from __future__ import annotations

import numpy as np

from bench.measure import WrongAnswer
from bench.peers import one_row as peers
from bench.registry import OURS, figure

TOLERANCE = 1e-11
SIZES = [
    {"n": 1000, "widths": "8-1"},
    {"n": 1000, "widths": "8-10"},
    {"n": 1000, "widths": "8-5-8"},
    {"n": 1000, "widths": "8-5-8-1"},
]


@figure("one-row", "us", SIZES)
def one_row(n: int, widths: str) -> dict[str, float | str]:
    """Median of one prediction, sample after sample: Gaussian layers of these widths on n supports each, one thread."""
    layers = peers.Layers(n, [int(width) for width in widths.split("-")])
    reference = layers.predict(peers.by_differences)
    contestants = {
        OURS: peers.gramian_cpp,
        "gramian.product": peers.gramian_product,
        "numpy": peers.numpy_lines,
        "scikit-learn": peers.sklearn_lines,
    }
    found: dict[str, float | str] = {}
    for name, run in contestants.items():
        try:
            found[name], answer = run(layers)
        except (ImportError, FileNotFoundError) as missing:  # the peer, or a compiler
            found[name] = f"not installed: {missing}"
            continue
        if not np.allclose(answer, reference, rtol=TOLERANCE, atol=TOLERANCE):
            raise WrongAnswer(f"{name}: {answer} where {reference} is expected")
    return found
