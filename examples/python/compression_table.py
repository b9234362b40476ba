# SPDX-License-Identifier: BSD-3-Clause
"""How small a learned classifier may be: accuracy on new digits against size, by herding and by random features.

    python examples/python/compression_table.py

Seconds are those of the best of five predictions.
"""

from __future__ import annotations

import time

import gramian
import numpy as np
from gramian.kernels import Delta
from gramian.models import compress
from sklearn.datasets import load_digits

TRAINING = 1000
SIZES = (10, 20, 50, 100, 200, 500)


def seconds(f):
    """Of one call, the best of five."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        f()
        best = min(best, time.perf_counter() - start)
    return best


def learn():
    """An embedding of the labels, penalty and width by cross-validation; and new digits."""
    X, y = load_digits(return_X_y=True)
    model = gramian.ConditionalMeanEmbedding(output_kernel=Delta(), learn="cv", random_state=0).fit(
        X[:TRAINING], y[:TRAINING]
    )
    return model, X[TRAINING:], y[TRAINING:]


def rows(model, X, y, sizes=SIZES):
    """For each size: accuracies, errors of the embedding, and times, by both methods."""
    exact = model.evaluate(X, np.arange(10))
    for size in sizes:
        found = {"size": size}
        for method in ("herding", "random_features"):
            small = compress(model, size, method, random_state=0)
            miss = np.sqrt(np.mean((small.embedding(X) - exact) ** 2))
            found[method] = small.score(X, y), miss, seconds(lambda small=small: small.embedding(X))
        yield found


def main():
    model, X, y = learn()
    exact = compress(model, TRAINING)
    print(f"all {TRAINING} samples: accuracy {exact.score(X, y):.3f}, {seconds(lambda: exact.embedding(X)):.2g} s")
    print("size   herding: accuracy  RMS error  seconds   random features: accuracy  RMS error  seconds")
    for row in rows(model, X, y):
        (a, b, c), (d, e, f) = row["herding"], row["random_features"]
        print(f"{row['size']:4d} {a:19.3f} {b:10.4f} {c:8.1g} {d:27.3f} {e:10.4f} {f:8.1g}")


if __name__ == "__main__":
    main()
