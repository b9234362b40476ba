# SPDX-License-Identifier: BSD-3-Clause
"""Advice in errors other than those of memory: the message says what to do, and that works."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import features, linalg, models, operators, optim
from gramian.kernels import Delta, Gaussian, Laplacian, Linear, Matern, Polynomial, TensorMatern
from small_models import (
    GRAM,
    LABELS,
    NUMBERS,
    RIDGES,
    K,
    X,
    autoencoder,
    classifier,
    deep_classifier,
    deep_pca,
    dependency,
    embedding,
    in_feature_space,
    interpolator,
    regressor,
    ridge,
)

SPARSE = scipy.sparse.csr_matrix(np.round(X))
NETWORK = features.Network([(4, "tanh")])


def square(x):
    return float(x @ x), 2 * x


def estimate(x, seed):
    return square(x)


PRECOMPUTED_PCA = deep_pca(GRAM, "precomputed")
PRECOMPUTED_K2 = in_feature_space(GRAM, input_kernel="precomputed", tol=10.0)
LABELLED = embedding(y=LABELS.astype(str), output_kernel=Delta())
OF_GRAM = embedding(kernel=K, y=GRAM, output_kernel="precomputed")
LINEAR = dependency(preimage="linear")
SCALES = np.linspace(1.0, 2.0, 50)
UNLIKE = GRAM * np.outer(SCALES, SCALES)  # squared norms that differ
DIFFERENT = in_feature_space(UNLIKE, input_kernel="precomputed", tol=10.0)
DEEP = regressor(max_iter=500, tol=1.0).deep_kernel_
EXPLICIT = classifier(features=NETWORK, learn=None)
TRAINED = gramian.KernelAutoencoder(warm_start=True, tol=1.0).fit(X)
CALLED = dependency(output_kernel="precomputed", y=GRAM, preimage=lambda weights, rows: rows[weights.argmax(axis=1)])


def continued(**options):
    TRAINED.set_params(warm_start=True, **options)
    return TRAINED.fit(X[:30])


def linear_ridge(alpha):
    twice = np.vstack([X, X])
    return gramian.OperatorKernelRidge(operators.Separable(Linear()), alpha=alpha).fit(twice, twice)


def called_by(preimage):
    return CALLED.set_params(preimage=preimage).score(X, GRAM)


ERRORS = [
    # what the message says, the call, and what it says to do
    (r"Use 'V.toarray\(\)'", lambda: gramian.product(K, X, SPARSE), lambda: gramian.product(K, X, SPARSE.toarray())),
    (
        r"Use 'X.filled\(value\)' first",
        lambda: embedding(np.ma.masked_array(X, mask=X > 5)),
        lambda: embedding(np.ma.masked_array(X, mask=X > 5).filled(5.0)),
    ),
    (r"use 'X.astype\(float\)'", lambda: embedding(X.astype(str)), lambda: embedding(X.astype(str).astype(float))),
    (r"X.reshape\(-1, 1\)", lambda: gramian.gram(K, NUMBERS), lambda: gramian.gram(K, NUMBERS.reshape(-1, 1))),
    (
        r"Use .toarray\(\) on the sparse one",
        lambda: gramian.gram(K, SPARSE, X),
        lambda: gramian.gram(K, SPARSE.toarray(), X),
    ),
    (
        r"For two sets use InnerProducts\(K, x_squares, y_squares\) as X",
        lambda: gramian.gram(K, gramian.InnerProducts(GRAM), X),
        lambda: gramian.gram(K, gramian.InnerProducts(X @ X[:5].T, (X**2).sum(1), (X[:5] ** 2).sum(1))),
    ),
    (
        r"Use normalized=True",
        lambda: TensorMatern(s=3, normalized=False)(np.zeros((2, 4000))),
        lambda: TensorMatern(s=3, normalized=True)(np.zeros((2, 4000))),
    ),
    (
        r"pass outputs=",
        lambda: operators.Separable(K).matrix(X),
        lambda: operators.Separable(K).matrix(X, outputs=2),
    ),
    (
        r"needs sample",
        lambda: optim.minimize(square, [1.0], "sgd"),
        lambda: optim.minimize(square, [1.0], "sgd", sample=estimate),
    ),
    (
        r"use 'sgd' or 'adam'",
        lambda: optim.minimize(square, [1.0], sample=estimate),
        lambda: optim.minimize(square, [1.0], "sgd", sample=estimate),
        lambda: optim.minimize(square, [1.0], "adam", sample=estimate),
    ),
    (
        r"use 'gd'",
        lambda: optim.minimize(square, [1.0], project=np.abs),
        lambda: optim.minimize(square, [1.0], "gd", project=np.abs),
    ),
    (
        r"max_jitter",
        lambda: linalg.cholesky(np.diag([1.0, -1e-6])),
        lambda: linalg.cholesky(np.diag([1.0, -1e-6]), max_jitter=1e-5),
        lambda: linalg.cholesky(np.diag([1.0, -1e-6]) + 1e-5 * np.eye(2)),
    ),
    (
        r"use weights\(codes\)",
        lambda: PRECOMPUTED_PCA.inverse_transform(np.ones((1, 2))),
        lambda: PRECOMPUTED_PCA.weights(np.ones((1, 5))),
    ),
    (
        r"use nearest\(codes\)",
        lambda: PRECOMPUTED_K2.inverse_transform(np.ones((1, 2))),
        lambda: PRECOMPUTED_K2.nearest(np.ones((1, 2))),
    ),
    (r"pass it as X", lambda: closed(GRAM).approximation_bounds(), lambda: closed(GRAM).approximation_bounds(GRAM)),
    (
        r"choose ridge",
        lambda: generated(inverse="fixed_point"),
        lambda: generated(inverse="ridge"),
    ),
    (
        r"set_output\(transform='default'\)",
        lambda: deep_pca().set_output(transform="pandas").transform(X, level=2),
        lambda: deep_pca().set_output(transform="default").transform(X, level=2),
    ),
    (
        r"must have another solver than 'levelwise'",
        lambda: gramian.ParametricDeepKernelPCA(pca=gramian.DeepKernelPCA(2, "linear", solver="levelwise")).fit(X),
        lambda: gramian.ParametricDeepKernelPCA(pca=gramian.DeepKernelPCA(2, "linear"), n_rounds=1).fit(X),
    ),
    (
        r"needs solver='gd'",
        lambda: autoencoder(max_norm=1.0),
        lambda: autoencoder(max_norm=1.0, solver="gd", last_layer="joint"),
    ),
    (
        r"needs solver='adam' or 'sgd'",
        lambda: autoencoder(batch_size=9),
        lambda: autoencoder(batch_size=9, solver="adam", last_layer="joint"),
        lambda: autoencoder(batch_size=9, solver="sgd", last_layer="joint", learning_rate=1e-3),
    ),
    (
        r"needs last_layer='joint'",
        lambda: autoencoder(loss=gramian.losses.Huber(1.0)),
        lambda: autoencoder(loss=gramian.losses.Huber(1.0), last_layer="joint"),
    ),
    (
        r"use solver='lbfgs'$",
        lambda: autoencoder(solver="alternating", landmarks=9),
        lambda: autoencoder(solver="lbfgs", landmarks=9),
        lambda: autoencoder(solver="alternating"),
    ),
    (
        r"has 2 terms.*: use a sum of kernels, or last_layer='joint'$",
        lambda: autoencoder(kernels=[K, [(K, None), (Linear(), np.eye(4))]]),
        lambda: autoencoder(kernels=[K, K + Linear()]),
        lambda: autoencoder(kernels=[K, [(K, None), (Linear(), np.eye(4))]], last_layer="joint"),
    ),
    (
        r"use no landmarks, or last_layer='joint'$",
        lambda: autoencoder(A=[None, np.diag([1.0, 2.0, 3.0, 4.0])], landmarks=9),
        lambda: autoencoder(A=[None, np.diag([1.0, 2.0, 3.0, 4.0])]),
        lambda: autoencoder(A=[None, np.diag([1.0, 2.0, 3.0, 4.0])], landmarks=9, last_layer="joint"),
    ),
    (
        r"choose 'auto' or 'coefficients'$",
        lambda: regressor(kernels=[[(K, None), (Linear(), None)], K], inner_parameters="features"),
        lambda: regressor(kernels=[[(K, None), (Linear(), None)], K], inner_parameters="auto"),
        lambda: regressor(kernels=[[(K, None), (Linear(), None)], K], inner_parameters="coefficients"),
    ),
    (
        r"has one kernel: use a sum of kernels$",
        lambda: interpolator(y=X, kernels=[K, [(K, np.eye(4)), (Linear(), None)]]),
        lambda: interpolator(y=X, kernels=[Linear(), K + Linear()]),
    ),
    (
        r"its theta must be None$",
        lambda: interpolator(theta=["norm", "norm"]),
        lambda: interpolator(theta=["norm", None]),
    ),
    (
        r"^image_targets: targets must have a row for each sample and 2 columns",
        lambda: gramian.DeepKernelRegressor([K, K], hidden=2, **RIDGES).fit(X, NUMBERS, image_targets={1: X}),
        lambda: gramian.DeepKernelRegressor([K, K], hidden=2, **RIDGES).fit(X, NUMBERS, image_targets={1: X[:, :2]}),
    ),
    (
        r"n_init must be 1, and init 'kpca'$",
        lambda: deep_pca(kernels="linear", solver="closed_form", n_init=3),
        lambda: deep_pca(kernels="linear", solver="closed_form", n_init=1, init="kpca"),
    ),
    (
        r"solver='levelwise' takes any kernel$",
        lambda: deep_pca(kernels=[K, Laplacian()]),
        lambda: deep_pca(kernels=[K, Laplacian()], solver="levelwise"),
    ),
    (
        r"Raise alpha$",
        lambda: linear_ridge(1e-300),
        lambda: linear_ridge(1e-3),
    ),
    (
        r"take the kernel below it, on the images",
        lambda: gramian.hessian_vector(DEEP, X, X, X, X),
        lambda: gramian.hessian_vector(DEEP.kernel, DEEP.images(X), X, X, DEEP.images(X)),
    ),
    (
        r"raise memory_budget",
        lambda: classifier(kernel=K, learn=None, memory_budget=100),
        lambda: classifier(kernel=K, learn=None, memory_budget=2**30),
    ),
    (r"Use warm_start=False", continued, lambda: TRAINED.set_params(warm_start=False).fit(X[:30])),
    (
        r"diag is needed.*Pass",
        lambda: DIFFERENT.transform(UNLIKE[:3]),
        lambda: DIFFERENT.transform(UNLIKE[:3], diag=np.diag(UNLIKE)[:3]),
    ),
    (
        r"Set it to 0|set it to 0",
        lambda: regressor(np.r_[X, X[:1]], np.r_[NUMBERS, 9.0], distance_penalty=0.1),
        lambda: regressor(np.r_[X, X[:1]], np.r_[NUMBERS, 9.0], distance_penalty=0.0),
        lambda: regressor(distance_penalty=0.1),
    ),
    (
        r"Remove one of them, change the kernel, or use regression",
        lambda: interpolator(np.r_[X, X[:1]], np.r_[NUMBERS, 9.0]),
        interpolator,
        lambda: regressor(np.r_[X, X[:1]], np.r_[NUMBERS, 9.0]),
    ),
    (
        r"give alpha too",
        lambda: regressor(alpha=None, inner_alpha=[0.1]),
        lambda: regressor(alpha=0.1, inner_alpha=[0.1]),
    ),
    (
        r"Give alpha and inner_alpha",
        lambda: gramian.DeepKernelRegressor(cv=2).fit(np.ones((6, 2)), np.ones(6)),
        lambda: gramian.DeepKernelRegressor(**RIDGES).fit(np.ones((6, 2)), np.ones(6)),
    ),
    (
        r"or use loss='logistic'",
        lambda: deep_classifier(kernels=[Linear(), K], A=[None, np.eye(3)], loss="clipped"),
        lambda: deep_classifier(kernels=[Linear(), K], A=[None, np.eye(3)], loss="logistic"),
        lambda: deep_classifier(kernels=[Linear(), K], A=[None, None], loss="clipped"),
    ),
    (
        r"init_scale",
        lambda: regressor(kernels=[Linear(), Matern()], init="random", init_scale=1e200),
        lambda: regressor(kernels=[Linear(), Matern()], init="random", init_scale=0.1),
    ),
    (
        r"take another way to learn, such as learn='validation'",
        lambda: classifier(features=NETWORK, learn="cv"),
        lambda: classifier(features=NETWORK, learn="validation"),
    ),
    (
        r"give a kernel, or take another way to learn",
        lambda: classifier(features=NETWORK, learn="median"),
        lambda: classifier(kernel=K, features=NETWORK, learn="median"),
        lambda: classifier(features=NETWORK, learn="erm"),
    ),
    (
        r"batch_size must be None or 'auto'",
        lambda: classifier(solver="lbfgs", batch_size=10),
        lambda: classifier(solver="lbfgs", batch_size=None),
        lambda: classifier(solver="lbfgs", batch_size="auto"),
    ),
    (
        r"Use '.toarray\(\)'",
        lambda: classifier(SPARSE, features=NETWORK),
        lambda: classifier(SPARSE.toarray(), features=NETWORK),
    ),
    (
        r"raise penalty",
        lambda: classifier(X[:, :1], kernel=Polynomial(degree=9), penalty=1e-300, learn="erm"),
        lambda: classifier(X[:, :1], kernel=Polynomial(degree=9), penalty=1e3, learn="erm"),
    ),
    (
        r"Learn it with fewer features, or pass a size of at least",
        lambda: models.compress(EXPLICIT, 2),
        lambda: models.compress(EXPLICIT, 4),
        lambda: models.compress(classifier(features=features.Network([(2, "tanh")]), learn=None), 2),
    ),
    (r"scale the data", lambda: classifier(1e160 * X), lambda: classifier(X)),
    (
        r"use expectation, sample or weights",
        lambda: LABELLED.predict(X),
        lambda: LABELLED.expectation(lambda y: y == "1", X),
        lambda: LABELLED.sample(X, 2),
        lambda: LABELLED.weights(X),
    ),
    (r"pass its values", lambda: OF_GRAM.expectation(np.sum, X), lambda: OF_GRAM.expectation(NUMBERS, X)),
    (r"leave it None", lambda: OF_GRAM.sample(X, 2, candidates=GRAM), lambda: OF_GRAM.sample(X, 2)),
    (
        r"Leave it None",
        lambda: embedding(kernel=Linear(), learn="cv", length_scale_factors=[1.0, 2.0]),
        lambda: embedding(kernel=Linear(), learn="cv"),
    ),
    (
        r"raise penalty",
        lambda: embedding(kernel="precomputed", X=-1e-9 * GRAM, penalty=1e-12),
        lambda: embedding(kernel="precomputed", X=-1e-9 * GRAM, penalty=1.0),
    ),
    (
        r"Pass one of them as output_kernel to both",
        lambda: embedding(output_kernel=K).distance(X, X, embedding(output_kernel=Linear())),
        lambda: embedding(output_kernel=K).distance(X, X, embedding(output_kernel=K)),
    ),
    (
        r"pass candidates= to the constructor",
        lambda: dependency(preimage="candidates"),
        lambda: dependency(preimage="candidates", candidates=X[:5]),
    ),
    (r"has none: pass some", lambda: LINEAR.predict(X, k=2), lambda: LINEAR.predict(X, X[:9], k=2)),
    (r"pass at least one", lambda: LINEAR.predict(X, X[:0]), lambda: LINEAR.predict(X, X[:1])),
    (
        r"use y.toarray\(\)",
        lambda: dependency(y=SPARSE, output_kernel=K, preimage="gaussian"),
        lambda: dependency(y=SPARSE.toarray(), output_kernel=K, preimage="gaussian"),
    ),
    (r"Use y.toarray\(\)", lambda: ridge(X, SPARSE), lambda: ridge(X, SPARSE.toarray())),
    (
        r"Leave one of them None",
        lambda: dependency(rank=5, n_output_components=2),
        lambda: dependency(rank=5),
        lambda: dependency(n_output_components=2),
    ),
    (r"use preimage='nearest'", lambda: called_by(CALLED.preimage), lambda: called_by("nearest")),
    (r"scale y", lambda: dependency(y=1e200 * X), lambda: dependency(y=X)),
    (
        r"Convert them to one type",
        lambda: embedding(["a", 1] * 25, kernel=same),
        lambda: embedding(["a", "1"] * 25, kernel=same),
    ),
]


def same(a, b):
    return float(a == b)


def closed(gram):
    return gramian.DeepKernelPCA((3, 2), ["precomputed", "linear"]).fit(gram)


def generated(inverse):
    model = gramian.DeepKernelPCA(2, K + Gaussian(gamma=2.0), inverse=inverse).fit(X)
    return model.inverse_transform(model.hidden_features_[0])


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("case", ERRORS, ids=[message for message, *_ in ERRORS])
def test_what_an_error_says_to_do_works(case):
    message, call, *remedies = case
    with pytest.raises((ValueError, TypeError, MemoryError), match=message):
        call()
    for remedy in remedies:
        remedy()
