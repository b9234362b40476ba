# SPDX-License-Identifier: BSD-3-Clause
"""Masks, strings of digits and dates: every estimator refuses what would become other data in silence."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.kernels import Delta, Gaussian
from gramian.models import compress
from gramian.models.deep_pca.objective import DeepPCAObjective
from sklearn.datasets import load_iris

X, LABELS = load_iris(return_X_y=True)
X, LABELS = X[::5], LABELS[::5]
NUMBERS = X[:, 0] + X[:, 2]
KERNEL = Gaussian(gamma=0.3)

ESTIMATORS = {
    "KernelAutoencoder": (gramian.KernelAutoencoder(), None),
    "K2Autoencoder": (gramian.K2Autoencoder(), None),
    "DeepKernelPCA": (gramian.DeepKernelPCA(), None),
    "ParametricDeepKernelPCA": (gramian.ParametricDeepKernelPCA(max_iter=2), None),
    "EmbeddingClassifier": (gramian.EmbeddingClassifier(max_iter=2), LABELS),
    "DeepKernelClassifier": (gramian.DeepKernelClassifier(max_iter=2), LABELS),
    "ConditionalMeanEmbedding": (gramian.ConditionalMeanEmbedding(), NUMBERS),
    "DependencyRegressor": (gramian.DependencyRegressor(), NUMBERS),
    "DeepKernelRegressor": (gramian.DeepKernelRegressor(max_iter=2), NUMBERS),
    "DeepKernelInterpolator": (gramian.DeepKernelInterpolator(max_iter=2), NUMBERS),
    "OperatorKernelRidge": (gramian.OperatorKernelRidge(), NUMBERS),
    "KernelRidge": (gramian.KernelRidge(), NUMBERS),
}
SUPERVISED = [name for name, (_, y) in ESTIMATORS.items() if y is not None]
OF_NUMBERS = [name for name, (_, y) in ESTIMATORS.items() if y is NUMBERS]
DATES = np.arange(X.size).reshape(X.shape).astype("M8[D]")


def masked(values):
    return np.ma.masked_array(values, mask=values > np.median(values))


LOSSY = {
    "mask": masked,
    "strings": lambda values: values.astype(str),
    "objects": lambda values: values.astype(str).astype(object),
    "lists": lambda values: values.astype(str).tolist(),
    "dates": lambda values: DATES.ravel()[: values.size].reshape(values.shape),
}


def test_all_estimators_are_here():
    public = {name for name in gramian.__all__ if hasattr(getattr(gramian, name), "fit")}
    assert public == set(ESTIMATORS)


@pytest.mark.parametrize("kind", LOSSY)
@pytest.mark.parametrize("name", ESTIMATORS)
def test_inputs_that_would_lose_something_are_refused(name, kind):
    model, y = ESTIMATORS[name]
    with pytest.raises(TypeError, match="mask" if kind == "mask" else "X must hold real numbers"):
        model.fit(LOSSY[kind](X), y)


@pytest.mark.parametrize("kind", ["mask", "strings", "lists"])
@pytest.mark.parametrize("name", SUPERVISED)
def test_targets_that_would_lose_something_are_refused(name, kind):
    model, y = ESTIMATORS[name]
    if kind == "mask":
        with pytest.raises(TypeError, match="y is a masked array"):
            model.fit(X, masked(y))
    elif name in OF_NUMBERS:
        with pytest.raises(TypeError, match="y must hold real numbers"):
            model.fit(X, LOSSY[kind](y))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("name", ESTIMATORS)
def test_new_inputs_too(name):
    model, y = ESTIMATORS[name]
    fitted = model.fit(X, y)
    apply = fitted.predict if hasattr(fitted, "predict") else fitted.transform
    for kind in ("mask", "strings"):
        with pytest.raises(TypeError, match="X"):
            apply(LOSSY[kind](X))


def test_gram_matrices_candidates_and_weights_too():
    K = KERNEL(X)
    for make in (masked, LOSSY["strings"]):
        with pytest.raises(TypeError, match="X"):
            gramian.EmbeddingClassifier("precomputed").fit(make(K), LABELS)
        with pytest.raises(TypeError, match="y"):
            gramian.ConditionalMeanEmbedding(KERNEL, "precomputed").fit(X, make(K))
        with pytest.raises(TypeError, match="sample_weight"):
            gramian.EmbeddingClassifier().fit(X, LABELS, sample_weight=make(NUMBERS))
        with pytest.raises(TypeError, match="X"):
            compress(gramian.ConditionalMeanEmbedding(KERNEL, Delta()).fit(X, LABELS), 5).predict(make(X))
        with pytest.raises(TypeError, match="X"):
            DeepPCAObjective(make(X), n_components=[2], kernels=[KERNEL], eta=[1.0])
    dependency = gramian.DependencyRegressor(output_kernel=KERNEL).fit(X, X)
    with pytest.raises(TypeError, match="candidates"):
        dependency.predict(X, candidates=masked(X))
    dependency = gramian.DependencyRegressor(output_kernel="precomputed").fit(X, K)
    with pytest.raises(TypeError, match="candidates"):
        dependency.predict(X, candidates=masked(K), diag=np.ones(len(K)))
    labelled = gramian.ConditionalMeanEmbedding(KERNEL, Delta()).fit(X, np.array(["a", "b", "c"])[LABELS])
    with pytest.raises(TypeError, match="mask"):
        labelled.evaluate(X, np.ma.masked_array(["a"] * len(X), mask=True))


def test_what_loses_nothing_is_taken():
    expected = gramian.EmbeddingClassifier(learn=None).fit(X, LABELS).embedding(X)
    for values in (X.astype(object), X.tolist(), X.astype(np.longdouble), np.asfortranarray(X)):
        assert gramian.EmbeddingClassifier(learn=None).fit(values, LABELS).embedding(X).tobytes() == expected.tobytes()
    words = gramian.ConditionalMeanEmbedding(lambda a, b: float(a == b)).fit(["1", "2", "3"], [1.0, 2.0, 3.0])
    assert words.weights(["2"]).argmax() == 1
