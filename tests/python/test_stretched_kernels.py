# SPDX-License-Identifier: BSD-3-Clause
"""Kernels with a width for each feature, in each estimator: the same as one width on features in those units."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian.features import RandomFourierFeatures
from gramian.kernels import Gaussian
from gramian.kernels.leaf import Leaf
from gramian.plots import RelevanceDisplay
from samples import CLASSES, REGISTRY, WIDTHS, made

N, D = 24, 3


def pairs():
    """A kernel with widths, the same with length 1, and what features are divided by for it."""
    for cls in (cls for cls in CLASSES if issubclass(cls, Leaf)):
        for kernel in made(cls, 0, WIDTHS):
            lengths = np.array(kernel._lower(D).spec[2])
            name = "gamma" if getattr(kernel, "gamma", None) is not None else "length_scale"
            length1 = 1.0 if name == "length_scale" else REGISTRY[kernel._lower(D).spec[0]].width.factor
            unit = kernel.get_params() | {name: [length1] * D}
            yield pytest.param(kernel, type(kernel)(**unit), lengths, id=repr(kernel))


every_pair = pytest.mark.parametrize(("kernel", "unit", "lengths"), list(pairs()))


def autoencoder(kernel, X, y, new, units):
    return gramian.K2Autoencoder((2,), kernel, penalty=1e-3, max_iter=3, random_state=0).fit(X).transform(new)


def autoencoder_preimages(kernel, X, y, new, units):
    model = gramian.K2Autoencoder((2,), kernel, penalty=1e-3, max_iter=3, random_state=0).fit(X)
    return model.inverse_transform(model.transform(X)) / units


def deep_regression(kernel, X, y, new, units):
    return gramian.DeepKernelRegressor([kernel], alpha=0.1, standardize=False, max_iter=3).fit(X, y).predict(new)


def embedding(kernel, X, y, new, units):
    return gramian.EmbeddingClassifier(kernel, learn=None, penalty=1e-2).fit(X, y > 0).predict_proba(new)


def learned_embedding(kernel, X, y, new, units):
    return gramian.EmbeddingClassifier(kernel, learn="rademacher", max_iter=3).fit(X, y > 0).predict_proba(new)


def conditional_mean(kernel, X, y, new, units):
    return gramian.ConditionalMeanEmbedding(kernel, cv=3).fit(X, y).predict(new)


def dependency(kernel, X, y, new, units):
    return gramian.DependencyRegressor(kernel, "linear", preimage="linear").fit(X, np.c_[y, y * y]).predict(new)


def dependency_outputs(kernel, X, y, new, units):
    """Of X as outputs: the nearest of those of training."""
    return (
        gramian.DependencyRegressor(Gaussian(), kernel, penalty=0.1).fit(y[:, None], X).predict(y[:5, None] + 0.1)
        / units
    )


def deep_pca(kernel, X, y, new, units):
    return np.abs(gramian.DeepKernelPCA((3, 2), [kernel, Gaussian(gamma=1.0)], max_iter=3).fit(X).transform(new))


def deep_pca_preimages(kernel, X, y, new, units):
    model = gramian.DeepKernelPCA(3, kernel, inverse="ridge").fit(X)
    return model.inverse_transform(model.transform(new)) / units


ESTIMATORS = [
    autoencoder,
    autoencoder_preimages,
    deep_regression,
    embedding,
    learned_embedding,
    conditional_mean,
    dependency,
    dependency_outputs,
    deep_pca,
    deep_pca_preimages,
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda estimator: estimator.__name__)
@every_pair
def test_widths_are_the_units_of_features(estimator, kernel, unit, lengths, rng):
    X, new = rng.normal(size=(N, D)), rng.normal(size=(5, D))
    y = np.sin(X @ [1.0, 0.5, -0.7])
    found = estimator(kernel, X, y, new, lengths)
    wanted, other = (estimator(unit, X / units, y, new / units, np.ones(D)) for units in (lengths, np.ones(D)))
    np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-6)
    assert not np.allclose(other, wanted, rtol=1e-4, atol=1e-4)


@every_pair
def test_frequencies_and_pictures_have_the_units_of_features(kernel, unit, lengths, rng):
    X = rng.normal(size=(N, D))
    np.testing.assert_allclose(kernel(X), unit(X / lengths), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(
        RelevanceDisplay.from_estimator(3.0 * kernel).relevance, lengths.min() / lengths, rtol=1e-12
    )
    if REGISTRY[kernel._lower(D).spec[0]].has_spectrum:
        found, wanted = (RandomFourierFeatures(k, n_features=4000) for k in (kernel, unit))
        np.testing.assert_allclose(found.transform(X), wanted.transform(X / lengths), rtol=1e-9, atol=1e-12)
        Z = found.transform(X)
        np.testing.assert_allclose(Z @ Z.T, kernel(X), atol=6 / np.sqrt(2000))
