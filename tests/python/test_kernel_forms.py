# SPDX-License-Identifier: BSD-3-Clause
"""Every estimator with every form that a kernel has: None, names, objects, sums, functions, Gram matrices."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import gramian
import numpy as np
import pytest
from gramian import kernels
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Gaussian, Laplacian, Linear, Matern, Polynomial
from gramian.kernels.choice import kernel_classes
from gramian.kernels.leaf import Leaf
from gramian.layers import Layer
from gramian.models import DeepPCAObjective
from gramian.operators import DiagonalRegularization, Separable, conditional_covariance, covariance
from sklearn.metrics.pairwise import euclidean_distances, linear_kernel, rbf_kernel

N, D = 24, 3
NAMES = list(kernel_classes())


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(N, D)) * [1.0, 2.0, 0.5]
    return X, X[:, 0] * X[:, 1], rng.normal(size=(5, D))


@pytest.fixture(autouse=True)
def _few_iterations():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


def k2(kernel):
    return gramian.K2Autoencoder((2,), kernel, penalty=1e-3, max_iter=2)


def embedding(kernel):
    return gramian.EmbeddingClassifier(kernel, learn=None)


def conditional_mean(kernel):
    return gramian.ConditionalMeanEmbedding(kernel, output_kernel="linear")


def dependency(kernel):
    return gramian.DependencyRegressor(kernel, preimage="linear")


def deep_pca(kernel):
    return gramian.DeepKernelPCA((2, 1), [kernel, "linear"])


def operator_ridge(kernel):
    return gramian.OperatorKernelRidge(None if kernel is None else Separable(kernel))


def autoencoder(kernel):
    return gramian.KernelAutoencoder((2,), [kernel, None], penalty=1e-2, max_iter=2)


def upper_pca(kernel):
    return gramian.DeepKernelPCA((2, 1), [None, kernel], max_iter=2)


def hidden_k2(kernel):
    return gramian.K2Autoencoder((2,), "linear", [None, kernel], max_iter=2)


def interpolator(kernel):
    return gramian.DeepKernelInterpolator([kernel, Matern()], max_iter=2, random_state=0)


def regressor(kernel):
    return gramian.DeepKernelRegressor([Linear(), kernel], alphas=[0.1], inner_alphas=[1.0], max_iter=2)


def classifier(kernel):
    return gramian.DeepKernelClassifier([Linear(), kernel], alphas=[0.1], inner_alphas=[1.0], max_iter=2)


def parametric_pca(kernel):
    pca = gramian.DeepKernelPCA((2, 1), ["linear", kernel], max_iter=2)
    return gramian.ParametricDeepKernelPCA(pca=pca, n_rounds=1, max_iter=2)


KNOWN_BY_VALUES = [k2, embedding, conditional_mean, dependency, deep_pca]
"""Their kernel sees the same samples all the time: a function or a Gram matrix is enough."""
ON_SAMPLES = [*KNOWN_BY_VALUES, operator_ridge, autoencoder, interpolator]
UPPER = [upper_pca, hidden_k2, regressor, classifier, parametric_pca]
LAYERED = [autoencoder, interpolator, *UPPER]
SMOOTH = [None, "rbf", "poly", "matern", "cosine", "cauchy", Polynomial(degree=2), Gaussian() + 0.5 * Linear()]


def fitted(make, kernel, data):
    X, y, _ = data
    model = make(kernel)
    return model.fit(X, y > 0 if make in (embedding, classifier) else y)


def outputs(model, X):
    for name in ("predict_proba", "predict", "transform"):
        if hasattr(model, name):
            return getattr(model, name)(X)
    raise AssertionError(model)


def by_median(name, X):
    """The kernel of a name, with the length at which a Gaussian has 1 over the median squared distance as gamma."""
    cls = kernel_classes()[name]
    gamma = 1.0 / np.sort(euclidean_distances(X, squared=True)[np.tril_indices(len(X), -1)])[len(X) * (len(X) - 1) // 4]
    length = (2.0 * gamma) ** -0.5
    if cls is Laplacian:
        return Laplacian(gamma=1 / (length * X.shape[1] ** 0.5))
    if cls in (kernels.TensorMatern,):
        return cls(gamma=1 / length)
    if cls is Polynomial:
        return cls(gamma=length**-2)
    if cls in (Gaussian, kernels.Cauchy):
        return cls(gamma=gamma)
    if cls in (Matern, kernels.RationalQuadratic):
        return cls(length_scale=length)
    return cls()


def test_every_kernel_has_the_name_of_its_class():
    leaves = {cls for name, cls in vars(kernels).items() if name in kernels.__all__ and issubclass(cls, Leaf)}
    assert set(kernel_classes().values()) == leaves
    expected = {re.sub("([a-z])([A-Z])", r"\1_\2", cls.__name__).lower() for cls in leaves}
    assert set(kernel_classes()) == expected | {"rbf", "poly"}
    assert kernel_classes()["rbf"] is Gaussian and kernel_classes()["poly"] is Polynomial


def test_the_programs_of_the_page_run():
    page = (Path(__file__).parents[2] / "docs" / "kernels.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    exec(compile("\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL)), "docs/kernels.md", "exec"), names)
    assert isinstance(names["model"].kernel_, Matern) and names["codes"].shape == (40, 2)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", ON_SAMPLES, ids=lambda make: make.__name__)
def test_a_name_is_the_kernel_with_the_median_width(make, name, data):
    X, _, fresh = data
    by_name = outputs(fitted(make, name, data), fresh)
    given = outputs(fitted(make, by_median(name, X), data), fresh)
    np.testing.assert_allclose(by_name, given, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("make", [k2, conditional_mean, dependency, operator_ridge, deep_pca])
def test_none_is_the_gaussian_with_the_median_width(make, data):
    _, _, fresh = data
    np.testing.assert_array_equal(outputs(fitted(make, None, data), fresh), outputs(fitted(make, "rbf", data), fresh))


def test_none_is_a_gaussian_and_the_inner_product_of_what_the_first_layer_of_an_autoencoder_sees(data):
    X, _, _ = data
    gaussian = by_median("rbf", X)
    first, second, third = gramian.KernelAutoencoder((3, 2), penalty=1e-2, max_iter=1).fit(X).kernels_
    np.testing.assert_allclose(first(X), gaussian(X) + 2 * gaussian.gamma * X @ X.T, rtol=1e-12)
    assert second == Gaussian(gamma=1 / 6) + 1.0 * Linear() and third == Gaussian(gamma=1 / 4) + 1.0 * Linear()


@pytest.mark.parametrize("kernel", SMOOTH, ids=repr)
@pytest.mark.parametrize("make", LAYERED, ids=lambda make: make.__name__)
def test_layers_take_names_and_objects(make, kernel, data):
    _, _, fresh = data
    model = fitted(make, kernel, data)
    assert np.isfinite(outputs(model, fresh)).all()
    learned = getattr(model, "pca_", model).kernels_
    assert all(isinstance(one, kernels.Kernel) for one in learned)
    if isinstance(kernel, str):
        assert any(isinstance(one, kernel_classes()[kernel]) for one in learned)


def test_an_open_kernel_has_the_width_of_what_its_layer_sees(data):
    X, y, _ = data
    model = gramian.KernelAutoencoder((2,), ["matern", "cauchy"], max_iter=1).fit(X)
    first, second = model.kernels_
    assert isinstance(first, Matern) and isinstance(second, kernels.Cauchy)
    np.testing.assert_allclose(first.length_scale, by_median("matern", X).length_scale, rtol=1e-12)
    start = gramian.KernelAutoencoder((2,), ["matern", "rbf"], max_iter=1).fit(X).kernels_[1]
    assert second.gamma == start.gamma  # a Gaussian would have the same length


def function_of_pairs(a, b):
    return float(np.exp(-0.3 * ((a - b) ** 2).sum()))


def function_of_sets(X, Y):
    return rbf_kernel(X, Y, gamma=0.3)


@pytest.mark.parametrize("form", [function_of_pairs, function_of_sets, "precomputed"], ids=["pairs", "sets", "gram"])
@pytest.mark.parametrize("make", KNOWN_BY_VALUES, ids=lambda make: make.__name__)
def test_values_are_enough(make, form, data):
    X, y, fresh = data
    expected = outputs(fitted(make, Gaussian(gamma=0.3), data), fresh)
    if form == "precomputed":
        model, seen = fitted(make, form, (rbf_kernel(X, gamma=0.3), y, None)), rbf_kernel(fresh, X, gamma=0.3)
    else:
        model, seen = fitted(make, form, data), fresh
    found = outputs(model, seen)
    if make in (k2, deep_pca):  # the sign of a component is free
        found, expected = np.abs(found), np.abs(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("make", KNOWN_BY_VALUES, ids=lambda make: make.__name__)
def test_functions_compare_anything(make):
    words = ["kernel", "kernels", "colonel", "graph", "graphs", "telegraph", "string", "strings"]

    def shared(a, b):
        pairs = [{word[i : i + 2] for i in range(len(word) - 1)} for word in (a, b)]
        return len(pairs[0] & pairs[1]) / (len(pairs[0]) * len(pairs[1])) ** 0.5

    y = np.array([0, 0, 0, 1, 1, 1, 2, 2]) if make is embedding else np.arange(8.0)
    model = make(shared).fit(words, y)
    assert len(outputs(model, ["kernel", "graph"])) == 2


@pytest.mark.parametrize("form", [function_of_pairs, "precomputed"], ids=["function", "gram"])
@pytest.mark.parametrize("make", LAYERED, ids=lambda make: make.__name__)
def test_layers_refuse_what_has_no_derivatives(make, form, data):
    with pytest.raises((TypeError, ValueError), match="derivatives"):
        fitted(make, form, data)


@pytest.mark.parametrize("form", ["chi2", "sigmoid", "gausian"])
@pytest.mark.parametrize("make", [*ON_SAMPLES, *UPPER], ids=lambda make: make.__name__)
def test_unknown_names_are_refused_with_a_list(make, form, data):
    message = rf"must be one of gramian\.kernels(, | or )one of their names.* Got '{form}' .* names are 'arc_cosine'"
    with pytest.raises(ValueError, match=message):
        fitted(make, form, data)


@pytest.mark.parametrize("form", [Gaussian, 3.0, {"gamma": 1.0}], ids=["class", "number", "dict"])
@pytest.mark.parametrize("make", [*ON_SAMPLES, *UPPER], ids=lambda make: make.__name__)
def test_other_kinds_are_refused(make, form, data):
    with pytest.raises(TypeError, match=r"must be one of gramian\.kernels(, | or )one of their names"):
        fitted(make, form, data)


def test_names_in_a_sum_of_a_layer_need_a_width(data):
    X, _, _ = data
    pairs = [("linear", np.eye(2)), (Gaussian(), np.eye(2))]
    assert gramian.KernelAutoencoder((2,), [pairs, None], max_iter=2).fit(X).kernels_[0][0][0] == Linear()
    with pytest.raises(
        ValueError, match=r"kernels\[0\]\[0\]\[0\]='rbf' .* pass gramian\.kernels\.Gaussian\(gamma=\.\.\.\)"
    ):
        gramian.KernelAutoencoder((2,), [[("rbf", None)], None]).fit(X)


@pytest.mark.parametrize("name", NAMES)
def test_functions_take_names(name, data):
    X, _, fresh = data
    kernel = by_median(name, X)
    V = np.arange(N, dtype=float)
    np.testing.assert_allclose(gramian.gram(name, X), gramian.gram(kernel, X), rtol=1e-10)
    # The second set is the one that was trained on: new points see the same kernel.
    np.testing.assert_allclose(gramian.gram(name, fresh, X), gramian.gram(kernel, fresh, X), rtol=1e-10)
    np.testing.assert_allclose(gramian.product(name, fresh, V, X), gramian.product(kernel, fresh, V, X), rtol=1e-10)
    np.testing.assert_allclose(gramian.diagonal(name, X), gramian.diagonal(kernel, X), rtol=1e-10)
    P = np.ones(N)
    by_name, given = gramian.adjoint(name, X, P, P), gramian.adjoint(kernel, X, P, P)
    np.testing.assert_allclose(by_name.X, given.X, rtol=1e-8, atol=1e-10)
    assert list(by_name.parameters) == list(given.parameters)


def test_functions_refuse_functions_and_unknown_widths(data):
    X, _, fresh = data
    with pytest.raises(TypeError, match="The 'kernel' parameter of this function must be one of gramian.kernels"):
        gramian.gram(function_of_pairs, X)
    cross = gramian.InnerProducts(fresh @ X.T, (fresh**2).sum(axis=1), (X**2).sum(axis=1))
    with pytest.raises(
        TypeError, match=r"do not tell the width of a kernel: pass gramian\.kernels\.Gaussian\(gamma=\.\.\.\)"
    ):
        gramian.gram("rbf", cross)
    np.testing.assert_allclose(gramian.gram("rbf", gramian.InnerProducts(X @ X.T)), gramian.gram("rbf", X), rtol=1e-9)


def test_where_there_are_no_samples_a_name_must_have_no_width():
    assert Layer(["linear", "cosine"], outputs=2).kernels == (Linear(), kernels.Cosine())
    assert Separable("linear").block([2.0], [5.0], outputs=1).tolist() == [[10.0]]
    for make in (
        lambda: Layer("matern", outputs=2),
        lambda: Separable("matern").block([2.0], [5.0], outputs=1),
        lambda: RandomFourierFeatures("matern").transform([[1.0]]),
    ):
        with pytest.raises(
            ValueError, match=r"leaves the width .* pass gramian\.kernels\.Matern\(length_scale=\.\.\.\)"
        ):
            make()


def test_a_kernel_is_an_operator_for_all_outputs(data):
    X, Y = data[0], np.column_stack([data[1], -data[1]])
    for kernel in (Gaussian(gamma=0.3), "rbf", "laplacian"):
        found = gramian.OperatorKernelRidge(kernel).fit(X, Y).predict(X[:5])
        np.testing.assert_array_equal(found, gramian.OperatorKernelRidge(Separable(kernel)).fit(X, Y).predict(X[:5]))
    model = gramian.OperatorKernelRidge(Gaussian(gamma=0.3)).set_params(operator__gamma=0.7)
    assert model.fit(X, Y).operator_.kernel == Gaussian(gamma=0.7)
    for named in (None, "rbf"):
        with pytest.raises(ValueError, match=r"Write operator=gramian.kernels.Gaussian\(gamma=...\)"):
            gramian.OperatorKernelRidge(named).set_params(operator__gamma=0.7)


def test_operators_get_their_width_in_fit(data):
    X, y, fresh = data
    Y = np.column_stack([y, y**2, X[:, 0]])
    operator = 0.5 * Separable("matern") + DiagonalRegularization("rbf")
    model = gramian.OperatorKernelRidge(operator).fit(X, Y)
    explicit = 0.5 * Separable(by_median("matern", X)) + DiagonalRegularization(by_median("rbf", X))
    np.testing.assert_allclose(
        model.predict(fresh), gramian.OperatorKernelRidge(explicit).fit(X, Y).predict(fresh), rtol=1e-8
    )
    assert operator.first.operator.kernel == "matern"
    assert isinstance(model.operator_.first.operator.kernel, Matern)
    structured = gramian.DependencyRegressor(operator=Separable("rbf"), preimage="linear").fit(X, Y)
    assert isinstance(structured.operator_.kernel, Gaussian)
    assert covariance("rbf", Y).kernel == "rbf"
    assert isinstance(conditional_covariance("rbf", Y, X).kernel, Gaussian)


def test_output_kernels_have_names(data):
    X, y, fresh = data
    embedded = gramian.ConditionalMeanEmbedding("rbf", "laplacian").fit(X, y)
    assert isinstance(embedded.output_kernel_, Laplacian)
    labels = gramian.ConditionalMeanEmbedding("rbf", "delta").fit(X, np.where(y > 0, "a", "b"))
    assert set(labels.classes_) == {"a", "b"}
    back = gramian.DependencyRegressor("rbf", "rbf", preimage="gaussian").fit(X, X)
    np.testing.assert_allclose(back.output_kernel_.gamma, by_median("rbf", X).gamma, rtol=1e-10)
    with pytest.raises(ValueError, match="preimage='gaussian' is for a Gaussian output kernel"):
        gramian.DependencyRegressor("rbf", "matern", preimage="gaussian").fit(X, X)


def test_the_width_on_features_is_that_of_features(data):
    X, y, fresh = data
    features = Network([(4, "tanh")])
    model = gramian.EmbeddingClassifier("rbf", features=features, learn=None, random_state=0).fit(X, y > 0)
    Z = features.transform(X, model.theta_)
    np.testing.assert_allclose(model.kernel_.gamma, by_median("rbf", Z).gamma, rtol=1e-6)


def test_the_objective_of_deep_pca_takes_the_same_kernels(data):
    X, _, _ = data
    expected = DeepPCAObjective(X, (2, 1), [Gaussian(gamma=0.3), "linear"])
    x = np.random.default_rng(0).normal(size=expected.size)
    for kernel, samples in ((function_of_sets, X), (function_of_pairs, X), ("precomputed", rbf_kernel(X, gamma=0.3))):
        found = DeepPCAObjective(samples, (2, 1), [kernel, "linear"])
        np.testing.assert_allclose(found.value(x), expected.value(x), rtol=1e-9)


class Counts(NamedTuple):
    of_pairs: list[Any]

    def __call__(self, a, b):
        self.of_pairs.append((a, b))
        return linear_kernel([a], [b])[0, 0]


def test_a_function_is_called_once_for_each_pair(data):
    X, _, _ = data
    calls = Counts([])
    gramian.ConditionalMeanEmbedding(calls, "linear").fit(X, X)
    assert len(calls.of_pairs) == N * (N + 1) // 2 + 1


def test_errors_of_functions_are_their_own(data):
    X, y, _ = data

    def broken(a, b):
        raise KeyError("no such word")

    with pytest.raises(KeyError, match="no such word"):
        gramian.ConditionalMeanEmbedding(broken, "linear").fit(X, y)

    def narrow(A, B):
        return np.ones((len(A), 1))

    with pytest.raises(ValueError, match=r"two sets must return a matrix of shape \(24, 24\)"):
        gramian.ConditionalMeanEmbedding(narrow, "linear").fit(X, y)
    with pytest.raises(ValueError, match="must return finite numbers"):
        gramian.ConditionalMeanEmbedding(lambda A, B: np.full((len(A), len(B)), np.nan), "linear").fit(X, y)


class Frame(NamedTuple):
    """As a data frame: its entries are its columns."""

    rows: Any

    columns = "abc"

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, name):
        return self.rows[:, self.columns.index(name)]

    def __iter__(self):
        return iter(self.columns)

    def __array__(self, dtype=None, copy=None):
        return np.array(self.rows, dtype=dtype)


def test_data_frames_are_compared_row_by_row(data):
    X, y, fresh = data
    found = conditional_mean(function_of_pairs).fit(Frame(X), y).predict(Frame(fresh))
    np.testing.assert_array_equal(found, conditional_mean(function_of_pairs).fit(X, y).predict(fresh))


def test_low_rank_factors_take_names(data):
    X, _, _ = data
    by_name, given = (
        gramian.incomplete_cholesky(k, X, random_state=0).factor for k in ("matern", by_median("matern", X))
    )
    np.testing.assert_allclose(by_name, given, rtol=1e-8, atol=1e-10)
