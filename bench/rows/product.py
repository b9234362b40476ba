# SPDX-License-Identifier: BSD-3-Clause
"""How fast, and in how little memory, is K V without storing K?"""

from __future__ import annotations

from bench.data import default_gamma, points, product_error
from bench.measure import Contestant, optional
from bench.memory import extra_bytes
from bench.peers import gram
from bench.registry import OURS, Contest, figure, geometric, row

GRID = [{"n": n, "d": 8, "m": 10} for n in [*geometric(500, 8000), 20000]]
LARGE = [{"n": 20000, "d": 8, "m": 10}]


@row("product-gaussian", GRID)
def product_gaussian(n: int, d: int, m: int) -> Contest:
    """K V in float64."""
    return _product(n, d, m, "float64", tolerance=1e-11)


@row("product-gaussian-float32", LARGE)
def product_gaussian_float32(n: int, d: int, m: int) -> Contest:
    """K V in float32."""
    return _product(n, d, m, "float32", tolerance=2e-5)


@figure("product-gaussian-memory", "MB", LARGE)
def product_gaussian_memory(n: int, d: int, m: int) -> dict[str, float | str]:
    """Peak memory of one call above what the process held before it, each contestant in a process of its own."""
    return {name: _megabytes(extra_bytes(_memory_of, name, n, d, m)) for name in (OURS, "scikit-learn", "torch")}


def _product(n: int, d: int, m: int, dtype: str, tolerance: float) -> Contest:
    X, V, gamma = points(n, d, dtype), points(n, m, dtype, seed=1), default_gamma(d)
    contestants = {
        OURS: gram.gramian_product(X, V, gamma),
        "scikit-learn": optional(gram.sklearn_product, X, V, gamma),
        "torch": optional(gram.torch_product, X, V, gamma),
        "torch, plain": optional(gram.torch_product_plain, X, V, gamma),
        "pykeops": optional(gram.pykeops_product, X, V, gamma),
    }
    return Contest(contestants, product_error(X, V, gamma), tolerance)


def _memory_of(name: str, n: int, d: int, m: int) -> Contestant:
    X, V, gamma = points(n, d), points(n, m, seed=1), default_gamma(d)
    if name == OURS:
        return optional(gram.gramian_product, X, V, gamma)
    build = {"scikit-learn": gram.sklearn_product_chunked, "torch": gram.torch_product_chunked}[name]
    return optional(build, X, V, gamma, 128)


def _megabytes(value: float | str) -> float | str:
    return value if isinstance(value, str) else value / 1e6
