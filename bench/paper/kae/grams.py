# SPDX-License-Identifier: BSD-3-Clause
"""Gram matrices of molecules: Tanimoto of fingerprints, and Weisfeiler-Lehman of graphs with labelled nodes."""

from __future__ import annotations

from typing import Any

import gramian
import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def tanimoto(fingerprints: NDArray[Any]) -> NDArray[np.float64]:
    """<x, y> / (|x|^2 + |y|^2 - <x, y>): shared features over all features of two sets."""
    return gramian.gram(gramian.kernels.Tanimoto(), fingerprints)


def weisfeiler_lehman(
    edges: NDArray[Any], graph_of_node: NDArray[Any], labels: NDArray[Any], steps: int = 3
) -> NDArray[np.float64]:
    """
    The normalised subtree kernel: inner products of the counts of node labels, before and after each of `steps` steps.

    In each step the label of a node becomes one for itself and the labels of its neighbours. `edges` is (2, E), each
    edge in both directions.
    """
    labels = np.unique(labels, return_inverse=True)[1]
    counts = [_counts(graph_of_node, labels)]
    neighbours = _neighbours(edges, len(labels))
    for _ in range(steps):
        labels = _refined(labels, neighbours)
        counts.append(_counts(graph_of_node, labels))
    features = sparse.hstack(counts).tocsr()
    K = np.asarray((features @ features.T).todense(), dtype=np.float64)
    norms = np.sqrt(np.diagonal(K))
    return K / norms[:, None] / norms


def _neighbours(edges: NDArray[Any], nodes: int) -> list[NDArray[Any]]:
    order = np.argsort(edges[0], kind="stable")
    ends = np.cumsum(np.bincount(edges[0], minlength=nodes))
    return np.split(edges[1][order], ends[:-1])


def _refined(labels: NDArray[Any], neighbours: list[NDArray[Any]]) -> NDArray[Any]:
    numbers: dict[tuple[int, bytes], int] = {}
    refined = np.empty_like(labels)
    for node, others in enumerate(neighbours):
        key = (int(labels[node]), np.sort(labels[others]).tobytes())
        refined[node] = numbers.setdefault(key, len(numbers))
    return refined


def _counts(graph_of_node: NDArray[Any], labels: NDArray[Any]) -> sparse.csr_matrix:
    shape = int(graph_of_node.max()) + 1, int(labels.max()) + 1
    return sparse.csr_matrix((np.ones(len(labels)), (graph_of_node, labels)), shape=shape)
