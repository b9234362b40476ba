# SPDX-License-Identifier: BSD-3-Clause
"""Small data that are no vectors, with a kernel for them: graphs, strings, fingerprints."""

from __future__ import annotations

from collections import Counter

import numpy as np


def random_graphs(count, rng):
    """Graphs as lists of neighbours, from rings and from trees: (graphs, kinds)."""
    graphs, kinds = [], []
    for index in range(count):
        size, ring = int(rng.integers(6, 12)), index % 2 == 0
        neighbours = [set() for _ in range(size)]
        for node in range(1, size):
            other = node - 1 if ring else int(rng.integers(node))
            neighbours[node].add(other)
            neighbours[other].add(node)
        if ring:
            neighbours[0].add(size - 1)
            neighbours[size - 1].add(0)
        graphs.append([sorted(one) for one in neighbours])
        kinds.append(ring)
    return graphs, np.array(kinds)


def weisfeiler_lehman(graph, rounds=3):
    """How often each refined label occurs in a graph."""
    labels = ["node"] * len(graph)
    counts = Counter(labels)
    for _ in range(rounds):
        labels = [f"({labels[v]}:{','.join(sorted(labels[u] for u in graph[v]))})" for v in range(len(graph))]
        counts.update(labels)
    return counts


def graph_gram(graphs, others):
    """The normalised Weisfeiler-Lehman kernel."""
    left, right = [weisfeiler_lehman(g) for g in graphs], [weisfeiler_lehman(g) for g in others]

    def dot(a, b):
        return float(sum(count * b[label] for label, count in a.items()))

    K = np.array([[dot(a, b) for b in right] for a in left])
    norms = [np.sqrt([dot(a, a) for a in side]) for side in (left, right)]
    return K / np.outer(*norms)


def random_words(count, rng):
    """Words of two languages: of few vowels, and of many."""
    alphabets = ["bcdfgklmnprst", "aeioubklm"]
    return ["".join(rng.choice(list(alphabets[i % 2]), size=rng.integers(4, 9))) for i in range(count)]


def fingerprints(count, rng, bits=40):
    """Binary vectors around four patterns: (X, pattern of each)."""
    patterns = rng.random((4, bits)) < 0.3
    kinds = np.arange(count) % 4
    return (patterns[kinds] ^ (rng.random((count, bits)) < 0.05)).astype(float), kinds
