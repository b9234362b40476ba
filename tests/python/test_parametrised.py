# SPDX-License-Identifier: BSD-3-Clause
"""Parameters of kernels, of lists of kernels, and of features: in set_params, clones, searches, and on screen."""

from __future__ import annotations

import re
import warnings

import gramian
import numpy as np
import pytest
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Gaussian, Linear, Matern, Polynomial
from gramian.operators import Separable
from sklearn.base import clone
from sklearn.experimental import enable_halving_search_cv  # noqa: F401
from sklearn.model_selection import GridSearchCV, HalvingGridSearchCV, RandomizedSearchCV

A = np.eye(2)


@pytest.fixture
def data(rng):
    X = rng.normal(size=(24, 3))
    return X, X[:, 0] + X[:, 1] ** 2


def test_entries_of_lists_are_parameters():
    kernels = [Gaussian(gamma=0.5), [(Linear(), A), (Polynomial(degree=2), None)], None]
    model = gramian.KernelAutoencoder((2, 2), kernels)
    params = model.get_params()
    assert params["kernels__0"] == Gaussian(gamma=0.5) and params["kernels__0__gamma"] == 0.5
    assert params["kernels__1__1__0__degree"] == 2 and params["kernels__1__0__1"] is A
    assert params["kernels__2"] is None
    assert not any(name.startswith("hidden__") for name in params)  # none of its entries has parameters
    model.set_params(kernels__0__gamma=2.0, kernels__1__1__0__degree=4, kernels__2="rbf")
    assert model.kernels == [Gaussian(gamma=2.0), [(Linear(), A), (Polynomial(degree=4), None)], "rbf"]
    assert kernels == [Gaussian(gamma=0.5), [(Linear(), A), (Polynomial(degree=2), None)], None]  # the user's own


def test_what_others_have_too_stays_as_it_is():
    kernel, features = Gaussian(gamma=0.5), RandomFourierFeatures(Gaussian(gamma=0.5))
    model = gramian.EmbeddingClassifier(kernel, features=features)
    twin = gramian.EmbeddingClassifier(kernel, features=features)
    model.set_params(kernel__gamma=2.0, features__kernel__gamma=3.0, features__n_features=8)
    assert kernel.gamma == 0.5 and features.n_features == 512 and features.kernel.gamma == 0.5
    assert (twin.kernel, twin.features) == (kernel, features)
    assert model.kernel.gamma == 2.0
    assert model.features == RandomFourierFeatures(Gaussian(gamma=3.0), n_features=8)
    operator = Separable(kernel)
    (2.0 * operator).set_params(operator__kernel__gamma=4.0)
    assert operator.kernel == Gaussian(gamma=0.5)


def test_wholes_are_set_before_their_parts():
    model = gramian.KernelAutoencoder((2,))
    model.set_params(kernels__1__nu=2.5, kernels=[None, Matern()])
    assert model.kernels == [None, Matern(nu=2.5)]
    model.set_params(kernels__0__gamma=3.0, kernels__0=Gaussian())
    assert model.kernels == [Gaussian(gamma=3.0), Matern(nu=2.5)]


@pytest.mark.parametrize("kind", [list, tuple])
def test_clones_have_lists_of_their_own(kind):
    model = gramian.DeepKernelPCA((2, 1), kind([Gaussian(gamma=0.5), Linear()]))
    other = clone(model).set_params(kernels__0__gamma=2.0)
    assert type(other.kernels) is kind
    assert other.kernels[0].gamma == 2.0 and model.kernels[0].gamma == 0.5


def test_nothing_changes_if_a_name_is_wrong():
    model = gramian.DeepKernelPCA((2, 1), [Gaussian(gamma=0.5), Linear()])
    with pytest.raises(ValueError, match=r"Invalid parameter 'kernel__gamma' for DeepKernelPCA.*'kernels__0__gamma'"):
        model.set_params(eta=2.0, kernel__gamma=2.0)
    with pytest.raises(ValueError, match=r"Invalid parameter 'kernels__2' for DeepKernelPCA.*entries 0 to 1"):
        model.set_params(eta=2.0, kernels__2__gamma=2.0)
    with pytest.raises(ValueError, match=r"Invalid parameter 'degree' for Gaussian\(gamma=0.5\)"):
        model.set_params(eta=2.0, kernels__0__degree=2)
    assert model.eta == 1.0 and model.kernels == [Gaussian(gamma=0.5), Linear()]


ADVICE = [
    (gramian.EmbeddingClassifier(), "kernel__gamma", "kernel=gramian.kernels.Gaussian(gamma=...)"),
    (gramian.EmbeddingClassifier("laplacian"), "kernel__gamma", "kernel=gramian.kernels.Laplacian(gamma=...)"),
    (gramian.EmbeddingClassifier("matern"), "kernel__nu", "kernel=gramian.kernels.Matern(nu=...)"),
    (gramian.EmbeddingClassifier(), "kernel__degree", "kernel=gramian.kernels.Polynomial(degree=...)"),
    (gramian.EmbeddingClassifier("matern"), "kernel__gamma", "kernel=gramian.kernels.Matern(nu=..., length_scale=...)"),
    (gramian.K2Autoencoder(), "input_kernel__gamma", "input_kernel=gramian.kernels.Gaussian(gamma=...)"),
    (gramian.ConditionalMeanEmbedding(), "output_kernel__gamma", "output_kernel=gramian.kernels.Gaussian(gamma=...)"),
    (gramian.DependencyRegressor("rbf"), "kernel__gamma", "kernel=gramian.kernels.Gaussian(gamma=...)"),
    (gramian.KernelAutoencoder(), "kernels__gamma", "kernels=gramian.kernels.Gaussian(gamma=...)"),
    (gramian.KernelAutoencoder(), "kernels__0__gamma", "kernels=[gramian.kernels.Gaussian(gamma=...), ...]"),
    (
        gramian.DeepKernelPCA(kernels=[None, None]),
        "kernels__1__gamma",
        "kernels__1=gramian.kernels.Gaussian(gamma=...)",
    ),
    (
        gramian.OperatorKernelRidge(Separable("rbf")),
        "operator__kernel__gamma",
        "kernel=gramian.kernels.Gaussian(gamma=...)",
    ),
]


@pytest.mark.parametrize(("model", "name", "instead"), ADVICE, ids=[f"{type(m).__name__}-{n}" for m, n, _ in ADVICE])
def test_an_open_width_says_what_to_write(model, name, instead):
    with pytest.raises(ValueError, match=re.escape(f"Write {instead} instead.")):
        model.set_params(**{name: 0.5})


def test_what_has_no_parameters_says_so():
    with pytest.raises(ValueError, match="features is None, which has no parameters. Set features to an object"):
        gramian.EmbeddingClassifier().set_params(features__n_features=4)
    with pytest.raises(ValueError, match="operator is None, which has no parameters"):
        gramian.OperatorKernelRidge().set_params(operator__kernel__gamma=4)


SEARCHED = [
    (gramian.KernelAutoencoder((2,), [Gaussian(gamma=1.0), None], max_iter=2), "kernels__0__gamma"),
    (gramian.K2Autoencoder((2,), Gaussian(gamma=1.0), max_iter=2), "input_kernel__gamma"),
    (gramian.EmbeddingClassifier(Gaussian(gamma=1.0), learn=None), "kernel__gamma"),
    (
        gramian.EmbeddingClassifier(features=RandomFourierFeatures(Gaussian(gamma=1.0)), learn=None),
        "features__kernel__gamma",
    ),
    (gramian.ConditionalMeanEmbedding(2.0 * Gaussian(gamma=1.0), "linear"), "kernel__kernel__gamma"),
    (gramian.DependencyRegressor(Gaussian(gamma=1.0), preimage="linear"), "kernel__gamma"),
    (gramian.OperatorKernelRidge(Separable(Gaussian(gamma=1.0))), "operator__kernel__gamma"),
    (gramian.DeepKernelRegressor([Gaussian(gamma=1.0)], alphas=[0.1], inner_alphas=[1.0]), "kernels__0__gamma"),
    (
        gramian.DeepKernelClassifier([Linear(), Gaussian(gamma=1.0)], alphas=[0.1], inner_alphas=[1.0]),
        "kernels__1__gamma",
    ),
    (gramian.DeepKernelInterpolator([Linear(), Gaussian(gamma=1.0)], max_iter=2), "kernels__1__gamma"),
    (gramian.DeepKernelPCA((2,), [Gaussian(gamma=1.0)]), "kernels__0__gamma"),
    (
        gramian.ParametricDeepKernelPCA(pca=gramian.DeepKernelPCA((2, 1), ["linear", Gaussian(gamma=1.0)]), n_rounds=1),
        "pca__kernels__1__gamma",
    ),
]


def scorer(model, X, y=None):
    """Some estimators have no score of their own."""
    return -float(np.abs(model.transform(X)).mean()) if hasattr(model, "transform") else model.score(X, y)


@pytest.mark.parametrize(
    "search",
    [
        lambda model, grid: GridSearchCV(model, grid, cv=2, scoring=scorer),
        lambda model, grid: RandomizedSearchCV(model, grid, n_iter=2, cv=2, random_state=0, scoring=scorer),
        lambda model, grid: HalvingGridSearchCV(model, grid, cv=2, min_resources=12, random_state=0, scoring=scorer),
    ],
    ids=["grid", "randomized", "halving"],
)
@pytest.mark.parametrize(("model", "name"), SEARCHED, ids=[f"{type(m).__name__}-{n}" for m, n in SEARCHED])
def test_searches_reach_parameters_of_kernels(search, model, name, data):
    X, y = data
    targets = y > 0.5 if hasattr(model, "predict_proba") else y
    grid = [0.2, 0.7]
    before = repr(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        found = search(model, {name: grid}).fit(X, targets)
    assert found.best_params_[name] in grid
    assert found.best_estimator_.get_params()[name] == found.best_params_[name]
    assert set(found.cv_results_[f"param_{name}"]) == set(grid)
    assert np.isfinite(found.cv_results_["mean_test_score"]).all()
    assert repr(model) == before


@pytest.mark.parametrize(
    "model", [*(model for model, _ in SEARCHED), gramian.K2Autoencoder(input_kernel="rbf")], ids=repr
)
def test_estimators_are_short_and_readable_on_screen(model):
    text = repr(model)
    assert len(text.splitlines()) <= 6
    assert "object at 0x" not in text
    page = model._repr_html_()
    assert type(model).__name__ in page
    assert "gamma=1.0" in page or "rbf" in page


def test_kernels_with_many_widths_are_short_on_screen():
    lengths = np.linspace(1.0, 2.0, 784)
    text = repr(gramian.EmbeddingClassifier(2.0 * Gaussian(length_scale=lengths)))
    assert text == "EmbeddingClassifier(kernel=2.0 * Gaussian(length_scale=[1, 1.001, 1.003, ..., 2]))"
    assert repr(Gaussian(length_scale=[1.0, 2.0, 3.0, 4.0])) == "Gaussian(length_scale=[1.0, 2.0, 3.0, 4.0])"


def test_parts_of_networks_can_be_searched():
    model = gramian.EmbeddingClassifier(features=Network([(8, "relu"), (4, "tanh")]))
    model.set_params(features__layers__0=(16, "relu"))
    assert model.features.layers == [(16, "relu"), (4, "tanh")]
