# SPDX-License-Identifier: BSD-3-Clause
"""float32: transformers preserve it, and compute in float64; functions compute in it; predictions are float64."""

from __future__ import annotations

import copy

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian.kernels import Gaussian, Matern
from gramian.operators import Separable
from scikit_checks import tags_of
from sklearn.datasets import load_iris

X = load_iris().data[::3].astype(np.float32)
NEW = X[:7] + np.float32(0.1)
NUMBERS = np.sin(X[:, 0])
K = Gaussian(gamma=0.3)
LAYERS = {"kernels": [K, Matern()], "hidden": 2, "alpha": 0.1, "inner_alpha": 0.1, "max_iter": 3, "random_state": 0}

TRANSFORMERS = {
    "KernelAutoencoder": (gramian.KernelAutoencoder(max_iter=3), None),
    "K2Autoencoder": (gramian.K2Autoencoder(max_iter=3), None),
    "K2Autoencoder, precomputed": (gramian.K2Autoencoder(input_kernel="precomputed", max_iter=3), None),
    "DeepKernelPCA": (gramian.DeepKernelPCA((2, 2), max_iter=3), None),
    "DeepKernelPCA, precomputed": (gramian.DeepKernelPCA((2, 2), "precomputed", max_iter=3), None),
    "ParametricDeepKernelPCA": (gramian.ParametricDeepKernelPCA(n_rounds=1, max_iter=2, random_state=0), None),
    "DeepKernelRegressor": (gramian.DeepKernelRegressor(**LAYERS), NUMBERS),
    "DeepKernelClassifier": (gramian.DeepKernelClassifier(**LAYERS), NUMBERS > 0),
    "DeepKernelInterpolator": (gramian.DeepKernelInterpolator(max_iter=3, random_state=0), NUMBERS),
}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")


class Frame:
    """What tells the types of the columns of a data frame, and is an array otherwise."""

    def __init__(self, values, *kinds):
        self.values = values
        self.dtypes = kinds

    def __array__(self, dtype=None, copy=None):
        return self.values.astype(dtype or self.values.dtype)


def fitted(name):
    model, y = TRANSFORMERS[name]
    model, samples, new = copy.deepcopy(model), X, NEW
    if "precomputed" in name:
        samples, new = (gramian.gram(K, part, X).astype(np.float32) for part in (X, NEW))
        np.fill_diagonal(samples, 1.0)
    return model.fit(samples, y), samples, new, y


def test_all_transformers_are_here():
    public = {name for name in gramian.__all__ if hasattr(getattr(gramian, name), "transform")} - {"Predictor"}
    assert public == {name.partition(",")[0] for name in TRANSFORMERS}


@pytest.mark.parametrize("name", TRANSFORMERS)
def test_codes_of_float32_samples_are_rounded_once(name):
    model, samples, new, y = fitted(name)
    exact = model.transform(new.astype(np.float64))
    assert exact.dtype == np.float64
    found = model.transform(new)
    assert found.dtype == np.float32
    np.testing.assert_array_equal(found, exact.astype(np.float32))
    np.testing.assert_array_equal(model.transform(X=new), found)
    assert copy.deepcopy(model).fit_transform(samples, y).dtype == np.float32
    assert copy.deepcopy(model).fit_transform(samples.astype(np.float64), y).dtype == np.float64
    assert tags_of(model).preserves_dtype == ["float64", "float32"]


@pytest.mark.parametrize("name", [name for name in TRANSFORMERS if name.endswith(("encoder", "PCA"))])
def test_the_way_back_preserves_it_too(name):
    model, _, new, _ = fitted(name)
    codes = model.transform(new)
    exact = model.inverse_transform(codes.astype(np.float64))
    found = model.inverse_transform(codes)
    assert (exact.dtype, found.dtype) == (np.float64, np.float32)
    np.testing.assert_array_equal(found, exact.astype(np.float32))


@pytest.mark.parametrize("name", [name for name in TRANSFORMERS if "precomputed" not in name])
def test_errors_and_scores_are_not_rounded(name):
    model, _, new, y = fitted(name)
    given = () if y is None else (y[:7],)
    assert model.score(new, *given) == model.score(new.astype(np.float64), *given)


def test_sparse_samples_and_columns_of_frames():
    counts = scipy.sparse.csr_matrix(np.round(X))
    model = gramian.K2Autoencoder(max_iter=3).fit(counts)
    assert model.transform(counts).dtype == np.float32
    model = gramian.KernelAutoencoder(max_iter=3).fit(X)
    assert model.transform(Frame(NEW, "float32", "Float32")).dtype == np.float32
    assert model.transform(Frame(NEW, "float32", "float64")).dtype == np.float64
    assert model.transform(NEW.tolist()).dtype == np.float64


def test_functions_compute_in_it():
    V = np.ones((len(X), 2), dtype=np.float32)
    assert gramian.gram(K, X).dtype == gramian.product(K, X, V).dtype == np.float32
    assert gramian.diagonal(K, X).dtype == gramian.adjoint(K, X, P=V, Q=V).X.dtype == np.float32


OUTPUTS = np.column_stack([NUMBERS, X[:, 1]])
PREDICTORS = {
    "EmbeddingClassifier": (gramian.EmbeddingClassifier(max_iter=3, random_state=0), NUMBERS > 0),
    "ConditionalMeanEmbedding": (gramian.ConditionalMeanEmbedding(), OUTPUTS),
    "DependencyRegressor": (gramian.DependencyRegressor(preimage="linear"), OUTPUTS),
    "DependencyRegressor, operator": (
        gramian.DependencyRegressor(operator=Separable("rbf"), preimage="linear"),
        OUTPUTS,
    ),
    "OperatorKernelRidge": (gramian.OperatorKernelRidge(), OUTPUTS),
    "KernelRidge": (gramian.KernelRidge(kernel="rbf"), OUTPUTS),
    "DeepKernelRegressor": (gramian.DeepKernelRegressor(**LAYERS), OUTPUTS),
    "DeepKernelClassifier": (gramian.DeepKernelClassifier(**LAYERS), NUMBERS > 0),
    "DeepKernelInterpolator": (gramian.DeepKernelInterpolator(max_iter=3, random_state=0), OUTPUTS),
}
METHODS = (
    "predict",
    "predict_proba",
    "predict_log_proba",
    "decision_function",
    "embedding",
    "entropy",
    "scores",
    "weights",
)


def test_all_predictors_are_here():
    public = {name for name in gramian.__all__ if hasattr(getattr(gramian, name), "predict")} - {"Predictor"}
    assert public == {name.partition(",")[0] for name in PREDICTORS}


@pytest.mark.parametrize("name", PREDICTORS)
def test_predictions_are_those_of_the_same_numbers_in_float64(name):
    model, y = PREDICTORS[name]
    single = copy.deepcopy(model).fit(X, y if y.dtype == bool else y.astype(np.float32))
    double = copy.deepcopy(model).fit(
        X.astype(np.float64), y if y.dtype == bool else y.astype(np.float32).astype(float)
    )
    for method in METHODS:
        if hasattr(model, method):
            found, wide = (getattr(single, method)(new) for new in (NEW, NEW.astype(np.float64)))
            assert found.dtype in (np.float64, np.bool_), method
            np.testing.assert_array_equal(found, wide, err_msg=method)
            np.testing.assert_array_equal(found, getattr(double, method)(NEW), err_msg=method)


def test_outputs_that_are_chosen_are_as_they_were_given():
    for kind in (np.float32, np.float64):
        assert gramian.DependencyRegressor().fit(X, OUTPUTS.astype(kind)).predict(NEW).dtype == kind
