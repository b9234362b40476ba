# SPDX-License-Identifier: BSD-3-Clause
"""Sets of molecules by their Gram matrix and what is to be predicted; made-up ones where there is no data folder."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.paper.common import data
from bench.paper.kae import grams

NAMES = ("esol_delaney", "freesolv", "mutag", "nci1")
MOST = 1000  # of nci1: a factorization a step for each of 10 splits and 5 sizes


class Molecules(NamedTuple):
    """A precomputed Gram matrix with ones on its diagonal, and a number or a class for each molecule."""

    name: str
    K: NDArray[np.float64]
    y: NDArray[np.float64]
    classes: bool
    """Whether y are classes."""


def load(name: str) -> Molecules:
    """One of NAMES, or `made-up`. Raises bench.paper.common.data.DataError."""
    if name == "made-up":
        X, y = made_up_fingerprints()
        return Molecules(name, grams.tanimoto(X), y, False)
    found = data.load(name)
    if name in ("mutag", "nci1"):
        chosen = np.arange(len(found.y))
        if len(chosen) > MOST:
            chosen = np.sort(np.random.default_rng(0).permutation(len(chosen))[:MOST])
        K = grams.weisfeiler_lehman(found.edges, found.graph_of_node, found.node_labels)
        return Molecules(name, np.ascontiguousarray(K[np.ix_(chosen, chosen)]), found.y[chosen], True)
    return Molecules(name, grams.tanimoto(data.unpack_bits(found.morgan2_packed)), found.y, False)


def made_up_fingerprints(
    n: int = 400, bits: int = 256, seed: int = 0
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """
    Sets of fragments, and a property that adds up from them.

    Each sample takes most of the bits of two of twelve families, and some at random: as molecules share scaffolds.
    """
    rng = np.random.default_rng(seed)
    families = rng.random((12, bits)) < 0.12
    chosen = rng.integers(0, len(families), (n, 2))
    taken = (families[chosen[:, 0]] | families[chosen[:, 1]]) & (rng.random((n, bits)) < 0.85)
    X = (taken | (rng.random((n, bits)) < 0.02)).astype(np.float64)
    weights = rng.standard_normal(bits)
    y = X @ weights + 0.5 * np.sin(X @ rng.standard_normal(bits))
    return X, (y - y.mean()) / y.std()
