# SPDX-License-Identifier: BSD-3-Clause
"""Several labels for each sample: sets of labels as structured outputs, beside a classifier for each label.

    python examples/python/structured_labels.py

Data are generated: few of all possible sets occur, as it is with topics of texts or objects in a picture. What the
structured models predict are sets that occurred; a model for each label knows nothing of the others.
"""

from __future__ import annotations

import gramian
import numpy as np
from gramian.kernels import Gaussian, Tanimoto
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics import hamming_loss
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

ALPHAS = np.logspace(-6, 1, 15)
GAMMA = 0.02


def draw(samples, rng, sets=16, labels=8, features=12):
    """Noisy measurements of sets of labels."""
    occurring = (rng.random((sets, labels)) < 0.4).astype(int)
    Y = occurring[rng.integers(sets, size=samples)]
    return np.tanh(Y @ rng.normal(size=(labels, features))) + rng.normal(size=(samples, features)), Y


def models():
    """Each with what makes labels of its predictions."""
    for operator in ("identity", "covariance", "conditional"):
        structured = gramian.DependencyRegressor(Gaussian(gamma=GAMMA), Tanimoto(), operator=operator, penalties=ALPHAS)
        yield f"{operator}, Tanimoto kernel on sets", structured, lambda found: found
    ridge = GridSearchCV(KernelRidge(kernel="rbf", gamma=GAMMA), {"alpha": ALPHAS})
    yield "kernel ridge regression for each label", ridge, lambda found: (found > 0.5).astype(int)
    machines = GridSearchCV(OneVsRestClassifier(SVC(gamma=GAMMA)), {"estimator__C": [0.1, 1, 10]})
    yield "a support vector machine for each label", machines, lambda found: found


def rows(samples=600):
    """One row for each model: its name, Hamming loss, and part of samples with all labels right."""
    X, X_new, Y, Y_new = train_test_split(*draw(samples, np.random.default_rng(0)), test_size=0.5, random_state=0)
    for name, model, labels in models():
        found = labels(make_pipeline(StandardScaler(), model).fit(X, Y).predict(X_new))
        right = float((found == Y_new).all(axis=1).mean())
        yield {"model": name, "hamming": hamming_loss(Y_new, found), "all right": right}


def main():
    print("| model | Hamming loss | all labels right |")
    print("|---|---|---|")
    for row in rows():
        print(f"| {row['model']} | {row['hamming']:.4f} | {row['all right']:.1%} |")


if __name__ == "__main__":
    main()
