# SPDX-License-Identifier: BSD-3-Clause
"""Numbers at odd addresses, as `np.frombuffer` finds them behind a header: taken everywhere, with the same results."""

from __future__ import annotations

import copy

import gramian
import numpy as np
import pytest
from gramian import features, layers, linalg, losses, metrics, operators, optim
from gramian.kernels import Delta, Gaussian, Linear
from gramian.models import DeepPCAObjective, compress, select_components

RNG = np.random.default_rng(0)
X, FRESH = RNG.normal(size=(24, 3)), RNG.normal(size=(7, 3))
LABELS = (X[:, 0] + X[:, 1] > 0).astype(np.int64)
NUMBERS = np.sin(X[:, 0])
WEIGHTS = RNG.uniform(0.5, 2.0, size=24)
KERNEL = Gaussian(gamma=0.3)
K = KERNEL(X)
CROSS = KERNEL(FRESH, X)
S = K + np.eye(24)


def unaligned(array):
    """The same numbers behind one byte of something else."""
    array = np.asarray(array)
    moved = np.frombuffer(b"\0" + array.tobytes(), dtype=array.dtype, offset=1).reshape(array.shape)
    assert not moved.flags.aligned
    return moved


def plain(array):
    return np.asarray(array).copy()


ESTIMATORS = {
    "KernelAutoencoder": (gramian.KernelAutoencoder(max_iter=3), None),
    "K2Autoencoder": (gramian.K2Autoencoder(max_iter=3), None),
    "K2Autoencoder, precomputed": (gramian.K2Autoencoder(input_kernel="precomputed", max_iter=3), None),
    "DeepKernelPCA": (gramian.DeepKernelPCA((2, 2), max_iter=5), None),
    "DeepKernelPCA, precomputed": (gramian.DeepKernelPCA((2, 2), "precomputed", max_iter=5), None),
    "ParametricDeepKernelPCA": (gramian.ParametricDeepKernelPCA(n_rounds=1, max_iter=2, random_state=0), None),
    "EmbeddingClassifier": (gramian.EmbeddingClassifier(max_iter=3, random_state=0), LABELS),
    "EmbeddingClassifier, precomputed": (gramian.EmbeddingClassifier("precomputed", learn=None), LABELS),
    "DeepKernelClassifier": (gramian.DeepKernelClassifier(max_iter=3, cv=2, random_state=0), LABELS),
    "ConditionalMeanEmbedding": (gramian.ConditionalMeanEmbedding(), NUMBERS),
    "ConditionalMeanEmbedding, precomputed": (gramian.ConditionalMeanEmbedding("precomputed"), NUMBERS),
    "ConditionalMeanEmbedding, outputs": (gramian.ConditionalMeanEmbedding(KERNEL, "precomputed"), K),
    "ConditionalMeanEmbedding, labels": (gramian.ConditionalMeanEmbedding(KERNEL, Delta()), LABELS),
    "DependencyRegressor": (gramian.DependencyRegressor(), X),
    "DependencyRegressor, one output": (gramian.DependencyRegressor(), NUMBERS),
    "DependencyRegressor, precomputed": (gramian.DependencyRegressor("precomputed", "precomputed"), K),
    "DependencyRegressor, operator": (gramian.DependencyRegressor(operator=operators.Separable(KERNEL)), X),
    "DeepKernelRegressor": (gramian.DeepKernelRegressor(max_iter=3, cv=2, random_state=0), NUMBERS),
    "DeepKernelInterpolator": (gramian.DeepKernelInterpolator(max_iter=3, random_state=0), NUMBERS),
    "OperatorKernelRidge": (gramian.OperatorKernelRidge(), NUMBERS),
    "KernelRidge": (gramian.KernelRidge(kernel="rbf"), NUMBERS),
    "OperatorKernelRidge, several outputs": (gramian.OperatorKernelRidge(), X),
}
OF_SAMPLES = (
    "predict",
    "predict_proba",
    "decision_function",
    "scores",
    "transform",
    "embedding",
    "entropy",
    "weights",
    "nearest",
)
OF_CODES = ("inverse_transform", "weights", "nearest", "reconstruction_weights")
WITH_WEIGHTS = ("EmbeddingClassifier", "DeepKernelClassifier", "DeepKernelRegressor")


def results(name, given):
    """All that a fitted estimator says of new samples."""
    model, y = ESTIMATORS[name]
    pairwise = "precomputed" in name
    weights = {"sample_weight": given(WEIGHTS)} if name in WITH_WEIGHTS else {}
    fitted = copy.deepcopy(model).fit(given(K if pairwise else X), None if y is None else given(y), **weights)
    fresh = given(CROSS if pairwise else FRESH)
    asked = [answer for answer in OF_SAMPLES if hasattr(fitted, answer) and hasattr(type(fitted), answer)]
    if name == "ConditionalMeanEmbedding, outputs":
        asked = ["weights"]
    if "transform" not in asked or y is not None:
        return {answer: getattr(fitted, answer)(fresh) for answer in asked}
    found = {"transform": fitted.transform(fresh)}
    asked = OF_CODES[1:] if pairwise else OF_CODES  # there are no samples to go back to
    found |= {answer: getattr(fitted, answer)(given(found["transform"])) for answer in asked if hasattr(fitted, answer)}
    return found


def assert_same(first, second):
    for one, other in zip(first, second, strict=True):
        np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_all_estimators_are_here():
    public = {name for name in gramian.__all__ if hasattr(getattr(gramian, name), "fit")}
    assert public == {name.partition(",")[0] for name in ESTIMATORS}


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_estimators_take_them(name):
    found, expected = results(name, unaligned), results(name, plain)
    assert found.keys() == expected.keys() and found
    for answer in found:
        np.testing.assert_array_equal(found[answer], expected[answer], err_msg=answer)


OPERATOR = operators.Separable(KERNEL, A=np.eye(3))
COMPOSITION = layers.Composition(X, [layers.Layer(KERNEL, 2), layers.Layer(KERNEL, 1)])
COEFFICIENTS = RNG.normal(size=24 * 3)
NETWORK = features.Network([(3, "tanh"), (2, "identity")])
THETA = NETWORK.initial_parameters(3, 0)
FOURIER = features.RandomFourierFeatures(KERNEL, n_features=4)


def quadratic(x):
    return float(x @ x), 2 * x


FUNCTIONS = {
    "gram": lambda a: [gramian.gram(KERNEL, a(X)), gramian.gram(KERNEL, a(FRESH), a(X))],
    "gram in float32": lambda a: [gramian.gram(KERNEL, a(X.astype(np.float32)))],
    "gram of inner products": lambda a: [gramian.gram(KERNEL, gramian.InnerProducts(a(X @ X.T)))],
    "gram of two sets": lambda a: [
        gramian.gram(KERNEL, gramian.InnerProducts(a(FRESH @ X.T), a(np.square(FRESH).sum(1)), a(np.square(X).sum(1))))
    ],
    "diagonal": lambda a: [gramian.diagonal(Linear(), a(X))],
    "product": lambda a: [gramian.product(KERNEL, a(FRESH), a(X), a(X))],
    "adjoint": lambda a: [gramian.adjoint(KERNEL, a(X), P=a(X), Q=a(X)).X, gramian.adjoint(KERNEL, a(X), Kbar=a(K)).X],
    "hessian_vector": lambda a: gramian.hessian_vector(KERNEL, a(X), a(X), a(X), a(X), Y=a(X), Ydot=a(X)),
    "incomplete_cholesky": lambda a: [gramian.incomplete_cholesky(KERNEL, a(X), 5, random_state=0).factor],
    "kernel": lambda a: [KERNEL(a(FRESH), a(X)), Gaussian(length_scale=a(np.ones(3)))(a(X)), Linear().diag(a(X))],
    "deep kernel": lambda a: [deep_kernel()(a(FRESH), a(X)), deep_kernel().images(a(X))],
    "cholesky": lambda a: [linalg.cholesky(a(S)).solve(a(X))],
    "solve_triangular": lambda a: [linalg.solve_triangular(a(np.tril(S)), a(X))],
    "cholesky_solve_batch": lambda a: [linalg.cholesky_solve_batch(a(S[None]), a(X[None])).X],
    "eigh": lambda a: linalg.eigh(a(S)),
    "top_eigenpairs": lambda a: linalg.top_eigenpairs(a(S), 2)[:2],
    "stiefel_project": lambda a: [linalg.stiefel_project(a(X))],
    "stiefel_tangent": lambda a: [linalg.stiefel_tangent(a(np.linalg.qr(X)[0]), a(X))],
    "stiefel_retract": lambda a: [linalg.stiefel_retract(a(np.linalg.qr(X)[0]), a(0.1 * X))],
    "solve_kronecker": lambda a: [linalg.solve_kronecker(a(S), a(S), 0.1, a(S))],
    "woodbury_solve": lambda a: [linalg.woodbury_solve(a(WEIGHTS), a(X), a(NUMBERS))],
    "woodbury_log_determinant": lambda a: [linalg.woodbury_log_determinant(a(WEIGHTS), a(X))],
    "irs": lambda a: metrics.irs(a(X), a(LABELS[:, None])),
    "mig": lambda a: [metrics.mig(a(X), a(LABELS[:, None]))],
    "windin": lambda a: [metrics.windin(a(X))],
    "loss": lambda a: losses.Squared().evaluate(a(X), a(2 * X)),
    "minimize": lambda a: [optim.minimize(quadratic, a(NUMBERS)).x],
    "minimize_stiefel": lambda a: [optim.minimize_stiefel(quadratic, a(X.ravel()), [(24, 3)], max_iterations=2).x],
    "operator": lambda a: [
        OPERATOR.apply(a(X), a(X)),
        OPERATOR.matrix(a(X), outputs=3),
        OPERATOR.block(a(X[0]), a(X[1])),
    ],
    "covariance": lambda a: [operators.covariance(KERNEL, a(X)).A],
    "conditional_covariance": lambda a: [operators.conditional_covariance(KERNEL, a(X), a(X)).A],
    "span_coordinates": lambda a: [operators.span_coordinates(a(K))],
    "network": lambda a: [NETWORK.transform(a(X), a(THETA)), NETWORK.adjoint(a(X), a(X[:, :2]), a(THETA))],
    "fourier": lambda a: [FOURIER.transform(a(X))],
    "composition": lambda a: [
        *COMPOSITION.forward(a(COEFFICIENTS)).outputs,
        *composed(a).forward(a(COEFFICIENTS)).outputs,
    ],
    "ridge output": lambda a: [ridge_output(a).value_and_gradient(a(X))[1]],
    "compress": lambda a: [compress(labelled(), 5).embedding(a(FRESH))],
    "select_components": lambda a: [select_components(gramian.DeepKernelPCA(kernels="linear"), a(X), [(1, 2)]).errors],
    "DeepPCAObjective": lambda a: [pca_objective(a).value_and_gradient(a(np.ones(48)))[1]],
}


def deep_kernel():
    return (
        gramian.DeepKernelRegressor(max_iter=2, random_state=0, alpha=0.1, inner_alpha=0.1).fit(X, NUMBERS).deep_kernel_
    )


def composed(given):
    return layers.Composition(given(X), COMPOSITION.layers)


def ridge_output(given):
    return layers.RidgeOutput(layers.Layer(KERNEL, 1, penalty=0.1), given(NUMBERS), 3)


def labelled():
    return gramian.ConditionalMeanEmbedding(KERNEL, Delta()).fit(X, LABELS)


def pca_objective(given):
    return DeepPCAObjective(given(X), (2,), KERNEL)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_them(name):
    assert_same(FUNCTIONS[name](unaligned), FUNCTIONS[name](plain))
