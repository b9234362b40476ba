# SPDX-License-Identifier: BSD-3-Clause
"""`gramian bench`."""

import argparse
import os
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

HELP = "time kernels on this machine, beside scikit-learn"
DESCRIPTION = """\
Time Gram matrices and products with them on this machine, beside scikit-learn and NumPy; each answer is compared first.

  gramian bench
  gramian bench --samples 8000 --features 64
"""
_AGREEMENT = 1e-9
_BUSY = 0.5
"""Load for each processor from which figures mean nothing."""


class _Row(NamedTuple):
    name: str
    ours: Callable[[], Any]
    theirs: Callable[[], Any]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--samples", type=int, default=2000, help="default: %(default)s")
    parser.add_argument("--features", type=int, default=8, help="default: %(default)s")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each timing; default: %(default)s")


def run(options: argparse.Namespace) -> None:
    """Print a table."""
    if min(options.samples, options.features) < 1:
        raise ValueError("--samples and --features must be at least 1.")
    busy = _is_busy()
    if busy:
        print("The processors are busy with other work: no ratios are shown.")
    print(f"{'':24}{'gramian':>12}{'scikit-learn':>14}" + ("" if busy else f"{'ratio':>8}"))
    for row in _rows(options.samples, options.features):
        if not np.allclose(row.ours(), row.theirs(), rtol=_AGREEMENT, atol=_AGREEMENT):
            raise RuntimeError(f"{row.name}: the answers differ.")
        ours, theirs = (_shortest(f, options.seconds) for f in (row.ours, row.theirs))
        ratio = "" if busy else f"{theirs / ours:8.1f}"
        print(f"{row.name:24}{1e3 * ours:9.2f} ms{1e3 * theirs:11.2f} ms{ratio}", flush=True)


def _rows(n: int, d: int) -> list[_Row]:
    from sklearn.metrics import pairwise

    import gramian
    from gramian.kernels import Gaussian, Laplacian, Polynomial

    rng = np.random.default_rng(0)
    X, V = rng.normal(size=(n, d)), rng.normal(size=(n, 4))
    gamma = 1 / d
    gaussian, laplacian, polynomial = Gaussian(gamma=gamma), Laplacian(gamma=gamma), Polynomial(degree=3, gamma=gamma)
    return [
        _Row("Gram matrix, Gaussian", lambda: gramian.gram(gaussian, X), lambda: pairwise.rbf_kernel(X, gamma=gamma)),
        _Row(
            "Gram matrix, Laplacian",
            lambda: gramian.gram(laplacian, X),
            lambda: pairwise.laplacian_kernel(X, gamma=gamma),
        ),
        _Row(
            "Gram matrix, polynomial",
            lambda: gramian.gram(polynomial, X),
            lambda: pairwise.polynomial_kernel(X, degree=3, gamma=gamma),
        ),
        _Row(
            "product, Gaussian",
            lambda: gramian.product(gaussian, X, V),
            lambda: pairwise.rbf_kernel(X, gamma=gamma) @ V,
        ),
    ]


def _shortest(f: Callable[[], Any], seconds: float) -> float:
    """Return the shortest of the runs that fit in a time, one at least."""
    end, shortest = time.perf_counter() + seconds, float("inf")
    while True:
        began = time.perf_counter()
        f()
        now = time.perf_counter()
        shortest = min(shortest, now - began)
        if now >= end:
            return shortest


def _is_busy() -> bool:
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > _BUSY * (os.cpu_count() or 1)
