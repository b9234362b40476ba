# SPDX-License-Identifier: BSD-3-Clause
"""Two codes for each sample of five data sets: kernel autoencoders with their defaults beside principal components.

    python examples/python/autoencoder_table.py

R² is that of reconstructions of samples that were held out. A model that has collapsed has codes without variance.
"""

from __future__ import annotations

import time

import gramian
import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

SETS = {
    "iris": load_iris,
    "wine": load_wine,
    "digits": load_digits,
    "breast_cancer": load_breast_cancer,
    "diabetes": load_diabetes,
}
MOST = 1000  # samples


def r2(model, X):
    """The part of the variance that is left in reconstructions."""
    missed = ((X - model.inverse_transform(model.transform(X))) ** 2).sum()
    return 1.0 - missed / ((X - X.mean(axis=0)) ** 2).sum()


def rows(names):
    """One row for each data set: name, sizes, R² and what else there is to know."""
    for name in names:
        data = SETS[name]().data[:MOST]
        train, test = train_test_split(data, test_size=0.3, random_state=0)
        scale = StandardScaler().fit(train)
        train, test = scale.transform(train), scale.transform(test)
        start = time.perf_counter()
        principal = gramian.KernelAutoencoder().fit(train)
        seconds = time.perf_counter() - start
        random = gramian.KernelAutoencoder(init="random", random_state=0).fit(train)
        yield {
            "data": name,
            "n": len(train),
            "features": train.shape[1],
            "PCA": r2(PCA(2).fit(train), test),
            "KAE": r2(principal, test),
            "KAE, random start": r2(random, test),
            "variances of codes": principal.embedding_.var(axis=0),
            "iterations": principal.n_iter_,
            "seconds": seconds,
        }


def main():
    print("| data | n x features | PCA | KAE | KAE, random start | variances of codes | iterations |")
    print("|---|---|---|---|---|---|---|")
    for row in rows(SETS):
        variances = ", ".join(f"{value:.2f}" for value in np.sort(row["variances of codes"])[::-1])
        scores = " | ".join(f"{row[name]:.3f}" for name in ("PCA", "KAE", "KAE, random start"))
        print(
            f"| {row['data']} | {row['n']} x {row['features']} | {scores} | {variances} | {row['iterations']} |"
            f"  {row['seconds']:.2f} s"
        )


if __name__ == "__main__":
    main()
