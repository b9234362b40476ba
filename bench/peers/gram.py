# SPDX-License-Identifier: BSD-3-Clause
"""Gram matrices and products with them. Each function imports its library, prepares, and returns what is timed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from bench.measure import Call, Contestant, fastest_variant

CHUNKS = (64, 128, 256, 512)  # beyond 32 MB a chunk is mapped afresh by the allocator each time: the choice matters


def gramian_gram(X: Any, gamma: float) -> Call:
    """The engine."""
    import gramian

    kernel = gramian.kernels.Gaussian(gamma=gamma)
    return lambda: gramian.gram(kernel, X)


def sklearn_gram(X: Any, gamma: float) -> Call:
    """sklearn.metrics.pairwise.rbf_kernel."""
    from sklearn.metrics.pairwise import rbf_kernel

    return lambda: rbf_kernel(X, gamma=gamma)


def numpy_gram(X: Any, gamma: float) -> Call:
    """The product form by hand, with one temporary: several times less memory traffic than the formula in one line."""

    def gram() -> Any:
        squares = gamma * (X * X).sum(axis=1)
        K = (2 * gamma * X) @ X.T
        K -= squares[:, None]
        K -= squares
        return np.exp(K, out=K)

    return gram


def torch_gram(X: Any, gamma: float) -> Call:
    """The product form with in-place operations and no pass for the scale."""
    import torch

    T = torch.from_numpy(X)

    def gram() -> Any:
        squares = -gamma * (T * T).sum(1)
        return (squares[:, None] + squares).addmm_(T, T.T, alpha=2 * gamma).exp_().numpy()

    return gram


def gramian_product(X: Any, V: Any, gamma: float) -> Call:
    """The engine: the Gram is never stored."""
    import gramian

    kernel = gramian.kernels.Gaussian(gamma=gamma)
    return lambda: gramian.product(kernel, X, V)


def sklearn_product(X: Any, V: Any, gamma: float) -> Contestant:
    """Rows of rbf_kernel times V, chunk by chunk, with the fastest chunk size."""
    return _best_chunk(lambda chunk: sklearn_product_chunked(X, V, gamma, chunk))


def torch_product(X: Any, V: Any, gamma: float) -> Contestant:
    """The same in torch, in one buffer, with the fastest chunk size."""
    return _best_chunk(lambda chunk: torch_product_chunked(X, V, gamma, chunk))


def torch_product_plain(X: Any, V: Any, gamma: float) -> Contestant:
    """The same as one writes it, new arrays for every chunk, with the fastest chunk size."""
    return _best_chunk(lambda chunk: torch_product_plain_chunked(X, V, gamma, chunk))


def sklearn_product_chunked(X: Any, V: Any, gamma: float, chunk: int) -> Call:
    """rbf_kernel(X[i : i + chunk], X) @ V."""
    from sklearn.metrics.pairwise import rbf_kernel

    def product() -> Any:
        out = np.empty_like(V)
        for i in range(0, len(X), chunk):
            np.matmul(rbf_kernel(X[i : i + chunk], X, gamma=gamma), V, out=out[i : i + chunk])
        return out

    return product


def torch_product_chunked(X: Any, V: Any, gamma: float, chunk: int) -> Call:
    """torch_gram for a few rows at a time, times V; one buffer for all chunks."""
    import torch

    T, W = torch.from_numpy(X), torch.from_numpy(V)

    def product() -> Any:
        squares = -gamma * (T * T).sum(1)
        buffer, out = T.new_empty(chunk, len(T)), torch.empty_like(W)
        for i in range(0, len(T), chunk):
            rows = T[i : i + chunk]
            K = torch.add(squares[i : i + chunk, None], squares, out=buffer[: len(rows)])
            torch.mm(K.addmm_(rows, T.T, alpha=2 * gamma).exp_(), W, out=out[i : i + chunk])
        return out.numpy()

    return product


def torch_product_plain_chunked(X: Any, V: Any, gamma: float, chunk: int) -> Call:
    """Squared distances, then the kernel on them, then the product of some rows; the results are joined."""
    import torch

    T, W = torch.from_numpy(X), torch.from_numpy(V)

    def product() -> Any:
        squares = (T * T).sum(1)
        parts = []
        for i in range(0, len(T), chunk):
            K = torch.addmm(squares[i : i + chunk, None] + squares, T[i : i + chunk], T.T, alpha=-2)
            parts.append(K.mul_(-gamma).exp_() @ W)
        return torch.cat(parts).numpy()

    return product


def pykeops_product(X: Any, V: Any, gamma: float) -> Call:
    """A symbolic matrix, reduced by compiled code."""
    import pykeops
    from pykeops.numpy import LazyTensor

    pykeops.set_verbose(False)
    rows, columns = LazyTensor(X[:, None]), LazyTensor(X[None])
    return lambda: (-gamma * ((rows - columns) ** 2).sum(-1)).exp() @ V


def _best_chunk(build: Callable[[int], Call]) -> Contestant:
    return fastest_variant({f"chunks of {chunk} rows": build(chunk) for chunk in CHUNKS})
