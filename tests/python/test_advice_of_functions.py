# SPDX-License-Identifier: BSD-3-Clause
"""Advice on memory of functions: refused below a limit, and under that limit what the message says to do works."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
from advice import follow, names_of_cpp
from gramian import features, linalg, optim
from gramian.kernels import Gaussian

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
K = Gaussian(gamma=0.3)
FEW = slice(0, 40)
WIDE = [(200, "relu"), (100, "relu")]
GRAM, PARAMETERS, MANY = K(X), np.ones(20000), np.ones((300, 400))
FITTED = gramian.EmbeddingClassifier(K, learn=None).fit(X, (X[:, 0] > 0).astype(int))
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    DEEP = gramian.DeepKernelRegressor(max_iter=2, alpha=0.1, inner_alpha=0.1).fit(X, np.sin(X[:, 0])).deep_kernel_


def square(x):
    return float(x @ x), 2 * x


def half(matrix):
    return matrix[: len(matrix) // 2]


ADVICE = {
    # name: bytes, what the message says, the call, and what it says to do
    "gram": (
        5e5,
        r"use gramian.product, which never stores it$",
        lambda: gramian.gram(K, X),
        [lambda: gramian.product(K, X, X)],
    ),
    "normal_system": (
        7e5,
        r"use fewer centres C, or gramian.normal_product$",
        lambda: gramian.normal_system(K, X, X),
        [lambda: gramian.normal_system(K, X, X[FEW]), lambda: gramian.normal_product(K, X, X, X)],
    ),
    "right sides of normal_system": (
        1e5,
        r"pass fewer columns of Y at a time$",
        lambda: gramian.normal_system(K, X, X[FEW], MANY),
        [lambda: gramian.normal_system(K, X, X[FEW], MANY[:, :200])],
    ),
    "normal_product": (
        1e5,
        r"pass fewer columns of V at a time$",
        lambda: gramian.normal_product(K, X, X[FEW], MANY[FEW]),
        [lambda: gramian.normal_product(K, X, X[FEW], MANY[FEW, :200])],
    ),
    "product of a source": (
        2000,
        r"pass fewer rows or columns at a time$",
        lambda: gramian.product(K, gramian.rows([X]), X[:5, :2], X[:5]),
        [
            lambda: gramian.product(K, gramian.rows([X[FEW]]), X[:5, :2], X[:5]),
            lambda: gramian.product(K, gramian.rows([X[:200]]), X[:5, :1], X[:5]),
        ],
    ),
    "gram of a source": (
        5000,
        r"pass fewer rows at a time$",
        lambda: gramian.gram(K, gramian.rows([X])),
        [lambda: gramian.gram(K, gramian.rows([X[:20]]))],
    ),
    "predictions for a source": (
        4000,
        r"pass fewer samples at a time$",
        lambda: FITTED.predict_proba(gramian.rows([X])),
        [lambda: FITTED.predict_proba(gramian.rows([X[FEW]]))],
    ),
    "product": (
        5e3,
        r"pass fewer columns of V at a time$",
        lambda: gramian.product(K, X, X),
        [lambda: gramian.product(K, X, X[:, :1])],
    ),
    "adjoint": (
        5e3,
        r"pass fewer points at a time$",
        lambda: gramian.adjoint(K, X, P=X, Q=X),
        [lambda: gramian.adjoint(K, half(X), P=half(X), Q=half(X))],
    ),
    "images": (
        2e4,
        r"use fewer points at a time$",
        lambda: gramian.adjoint(DEEP, X, P=X, Q=X),
        [lambda: gramian.adjoint(DEEP, X[:10], P=X[:10], Q=X[:10])],
    ),
    "incomplete_cholesky": (
        5e5,
        r"ask for a lower rank$",
        lambda: gramian.incomplete_cholesky(K, X),
        [lambda: gramian.incomplete_cholesky(K, X, 20)],
    ),
    "cholesky": (
        5e5,
        r"use fewer points or a low-rank model$",
        lambda: linalg.cholesky(GRAM + np.eye(300)),
        [lambda: linalg.cholesky(GRAM[FEW, FEW] + np.eye(40)), lambda: gramian.incomplete_cholesky(K, X, 20)],
    ),
    "eigh": (
        2e6,
        r"ask for the largest eigenvalues only$",
        lambda: linalg.eigh(GRAM),
        [lambda: linalg.top_eigenpairs(GRAM, 5)],
    ),
    "top_eigenpairs": (
        6e5,
        r"ask for fewer of them$",
        lambda: linalg.top_eigenpairs(GRAM, 20),
        [lambda: linalg.top_eigenpairs(GRAM, 2)],
    ),
    "Network": (
        5e5,
        r"pass fewer rows at a time$",
        lambda: features.Network(WIDE).transform(X),
        [lambda: features.Network(WIDE).transform(X[FEW])],
    ),
    "minimize": (
        2e6,
        r"lower memory, the number of pairs that are kept$",
        lambda: optim.minimize(square, PARAMETERS),
        [lambda: optim.minimize(square, PARAMETERS, memory=1)],
    ),
    "minimize by bfgs": (
        5e5,
        r"use lbfgs, which keeps a few vectors instead of a matrix$",
        lambda: optim.minimize(square, np.ones(300), "bfgs"),
        [lambda: optim.minimize(square, np.ones(300), "lbfgs")],
    ),
}


@pytest.mark.parametrize("name", ADVICE)
def test_what_is_advised_against_too_little_memory_helps(name):
    follow(ADVICE[name])


def test_no_message_names_what_only_cpp_has():
    assert names_of_cpp(list(ADVICE.values())) == []
