# SPDX-License-Identifier: BSD-3-Clause
"""How fast is a stored Gram matrix?"""

from __future__ import annotations

from bench.data import default_gamma, gram_error, points
from bench.measure import optional
from bench.peers import gram
from bench.registry import OURS, Contest, geometric, row

SIZES = [{"n": n, "d": 8} for n in geometric(500, 8000)] + [{"n": 8000, "d": d} for d in (64, 784)]


@row("gram-gaussian", SIZES)
def gram_gaussian(n: int, d: int) -> Contest:
    """The Gaussian Gram in float64."""
    X, gamma = points(n, d), default_gamma(d)
    contestants = {
        OURS: gram.gramian_gram(X, gamma),
        "scikit-learn": optional(gram.sklearn_gram, X, gamma),
        "numpy": gram.numpy_gram(X, gamma),
        "torch": optional(gram.torch_gram, X, gamma),
    }
    return Contest(contestants, gram_error(X, gamma), tolerance=1e-12)
