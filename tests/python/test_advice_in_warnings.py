# SPDX-License-Identifier: BSD-3-Clause
"""Advice in warnings: the message says what to do, and then there is no such warning."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
from gramian import linalg
from gramian.kernels import Gaussian, Linear, Matern
from sklearn.exceptions import ConvergenceWarning
from small_models import (
    K,
    X,
    autoencoder,
    classifier,
    deep_pca,
    embedding,
    regressor,
    ridge,
)

NEARLY = np.repeat(X[:6], 5, axis=0) + 1e-12 * np.random.default_rng(0).normal(size=(30, X.shape[1]))
SEMIDEFINITE = np.ones((40, 40))
SEMIDEFINITE[0, 0] -= 1e-14
SPECTRUM = np.diag(np.linspace(0.9, 1.0, 1000))
UPPER = [K, Gaussian(gamma=0.1)]
FLAT = {"kernel": Gaussian(gamma=1e-6), "learn": None, "penalty": 10.0}
RARE = np.where(np.arange(50) % 25 == 0, "rare", "common")


def kpca_of(**options):
    model = gramian.DeepKernelPCA((6, 4), UPPER, **options).fit(X)
    return model.inverse_transform([[0.0] * 6], level=1)


WARNINGS = [
    (
        r"raise max_iter or tol",
        lambda: autoencoder(max_iter=2, tol=1e-12),
        lambda: autoencoder(max_iter=20000),
        lambda: autoencoder(max_iter=2, tol=100.0),
    ),
    (
        r"raise max_time or tol",
        lambda: autoencoder(max_time=1e-9),
        lambda: autoencoder(max_time=1000.0),
        lambda: autoencoder(max_time=1e-9, tol=100.0),
    ),
    (
        r"where the objective is not finite: lower learning_rate",
        lambda: autoencoder(solver="adam", learning_rate=1e300, max_iter=5),
        lambda: autoencoder(solver="adam", learning_rate=1e-2, max_iter=5),
    ),
    (
        r"raise the last layer's penalty",
        lambda: autoencoder(NEARLY, penalty=[1e-3, 1e-18]),
        lambda: autoencoder(NEARLY, penalty=[1e-3, 1e-3]),
    ),
    (
        r"Raise penalty",
        lambda: embedding(NEARLY, NEARLY, kernel=K, penalty=1e-300),
        lambda: embedding(NEARLY, NEARLY, kernel=K, penalty=1e-3),
    ),
    (
        r"Lower penalty or tau, or start from another kernel",
        lambda: classifier(y=RARE, **FLAT),
        lambda: classifier(y=RARE, **{**FLAT, "kernel": Gaussian(gamma=100.0), "penalty": 1e-6}),
    ),
    (
        r"without a value: lower learning_rate",
        lambda: classifier(learning_rate=1e6, patience=5),
        lambda: classifier(learning_rate=0.1),
    ),
    (
        r"Set standardize=True, or centre and scale X",
        lambda: regressor(X + 1e8, kernels=[Linear(), Matern()]),
        lambda: regressor(X + 1e8, kernels=[Linear(), Matern()], standardize=True),
        lambda: regressor((X - X.mean(axis=0)) / X.std(axis=0), kernels=[Linear(), Matern()]),
    ),
    (
        r"raise alpha, tol or max_iter, or use solver='cholesky'",
        lambda: ridge(alpha=1e-5, solver="cg", max_iter=2),
        lambda: ridge(alpha=1e3, solver="cg", max_iter=2),
        lambda: ridge(alpha=1e-5, solver="cg", max_iter=2, tol=0.9),
        lambda: ridge(alpha=1e-5, solver="cg"),
        lambda: ridge(alpha=1e-5, solver="cholesky"),
    ),
    (
        r"where rounding keeps it: raise alpha or tol, or use solver='cholesky'",
        lambda: ridge(alpha=1e-9, solver="cg"),
        lambda: ridge(alpha=1e-3, solver="cg"),
        lambda: ridge(alpha=1e-9, solver="cg", tol=1e-5),
        lambda: ridge(alpha=1e-9, solver="cholesky"),
    ),
    (
        r"Raise max_iter or tol",
        lambda: deep_pca(kernels=UPPER, max_iter=3),
        lambda: deep_pca(kernels=UPPER),
        lambda: deep_pca(kernels=UPPER, max_iter=3, tol=10.0),
    ),
    (
        r"Scale X",
        lambda: deep_pca(1e150 * X, "linear"),
        lambda: deep_pca(X, "linear"),
    ),
    (
        r"stay with init='kpca' and n_init=1",
        lambda: deep_pca(kernels=UPPER, init="random", max_iter=3000, random_state=0),
        lambda: deep_pca(kernels=UPPER, init="kpca", n_init=1),
    ),
    (r"inverse='ridge' has no such case", lambda: kpca_of(), lambda: kpca_of(inverse="ridge")),
    (
        r"raise one of the two",
        lambda: linalg.top_eigenpairs(SPECTRUM, 3, max_products=5),
        lambda: linalg.top_eigenpairs(SPECTRUM, 3, max_products=5000),
        lambda: linalg.top_eigenpairs(SPECTRUM, 3, max_products=5, tol=0.5),
    ),
    (
        r"Raise the regularisation",
        lambda: linalg.cholesky(SEMIDEFINITE),
        lambda: linalg.cholesky(SEMIDEFINITE + 1e-3 * np.eye(40)),
    ),
]


@pytest.mark.parametrize("case", WARNINGS, ids=[message for message, *_ in WARNINGS])
def test_what_a_warning_says_to_do_ends_it(case):
    message, call, *remedies = case
    with warnings.catch_warnings(), pytest.warns(ConvergenceWarning, match=message):
        warnings.filterwarnings("ignore", message="(?!.*" + message + ")")
        call()
    for remedy in remedies:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            warnings.filterwarnings("error", message=".*" + message)
            remedy()
