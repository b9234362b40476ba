# SPDX-License-Identifier: BSD-3-Clause
"""The public grammar: one word for each concept, and the same words in signatures, attributes and docstrings."""

from __future__ import annotations

import inspect
import re

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from gramian.operators import Separable
from scikit_checks import tags_of
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.kernel_ridge import KernelRidge

RNG = np.random.default_rng(0)
N = 24
X, NEW = RNG.normal(size=(N, 3)), RNG.normal(size=(7, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
LABELS = (X[:, 0] > 0).astype(int)
SHORT = {"max_iter": 3}

ESTIMATORS = {
    "KernelAutoencoder": (gramian.KernelAutoencoder(**SHORT), X, None),
    "K2Autoencoder": (gramian.K2Autoencoder(**SHORT), X, None),
    "EmbeddingClassifier": (gramian.EmbeddingClassifier(**SHORT), X, LABELS),
    "ConditionalMeanEmbedding": (gramian.ConditionalMeanEmbedding(), X, Y),
    "DependencyRegressor": (gramian.DependencyRegressor(), X, Y),
    "OperatorKernelRidge": (gramian.OperatorKernelRidge(), X, Y),
    "KernelRidge": (gramian.KernelRidge(), X, Y),
    "DeepKernelRegressor": (gramian.DeepKernelRegressor(alpha=1.0, inner_alpha=1.0, n_init=1, **SHORT), X, Y),
    "DeepKernelClassifier": (gramian.DeepKernelClassifier(alpha=1.0, inner_alpha=1.0, n_init=1, **SHORT), X, LABELS),
    "DeepKernelInterpolator": (gramian.DeepKernelInterpolator(n_init=1, **SHORT), X, Y),
    "DeepKernelPCA": (gramian.DeepKernelPCA((3, 2), **SHORT), X, None),
    "ParametricDeepKernelPCA": (gramian.ParametricDeepKernelPCA(n_rounds=1, **SHORT), X, None),
}
PENALTY = (
    "KernelAutoencoder",
    "K2Autoencoder",
    "EmbeddingClassifier",
    "ConditionalMeanEmbedding",
    "DependencyRegressor",
)
FORBIDDEN = {
    *("n_restarts", "restarts_", "restart_objectives_", "start_objectives_", "start_scale", "start_captured_traces_"),
    *("subset", "subset_", "subset_method", "mu", "mus", "mu_", "alphas_", "validation_loss_", "criteria_"),
    *("length_scale_factors_", "restart_stop_reasons_", "lambda_", "seed"),
}
pytestmark = pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning", "ignore::UserWarning")


@pytest.fixture(params=ESTIMATORS, scope="module")
def name(request):
    return request.param


@pytest.fixture(scope="module")
def fitted(name):
    model, samples, targets = ESTIMATORS[name]
    return clone(model).fit(samples) if targets is None else clone(model).fit(samples, targets)


def section(model, title):
    """Names of a section of the class docstring, and what is said of each."""
    text = inspect.getdoc(type(model)) or ""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[\w ]*\n-{{3,}}\n|\Z)", text, re.DOTALL | re.MULTILINE)
    entries = {}
    for line in found.group(1).splitlines() if found else []:
        if line and not line.startswith(" "):
            names, _, kind = line.partition(" : ")
            entries.update(dict.fromkeys(re.split(r",\s*", names.strip().rstrip(",")), kind))
    return entries


def parameters(model):
    return inspect.signature(type(model)).parameters


def attributes(model):
    """Public names that end with an underscore: those of the instance, and properties."""
    own = {key for key in vars(model) if key.endswith("_") and not key.startswith("_")}
    return own | {key for key in dir(type(model)) if key.endswith("_") and not key.startswith("_")}


def test_all_estimators_are_here():
    own = {key for key in gramian.__all__ if hasattr(getattr(gramian, key), "get_params")}
    assert own == set(ESTIMATORS)


def test_parameters_are_documented_and_only_these(name):
    model = ESTIMATORS[name][0]
    assert list(section(model, "Parameters")) and set(section(model, "Parameters")) == set(parameters(model))


def test_attributes_are_documented_and_only_these(name, fitted):
    # Names of features are there if X has names.
    said = set(section(fitted, "Attributes")) - {"feature_names_in_"}
    assert said == attributes(fitted) - {"feature_names_in_"}


def test_documented_defaults_are_those_of_the_signature(name):
    model = ESTIMATORS[name][0]
    for key, kind in section(model, "Parameters").items():
        default = parameters(model)[key].default
        stated = re.search(r"default=(.+)$", kind)
        if stated:
            assert eval(stated.group(1), {}) == default, key
        elif "optional" in kind:
            assert default is None, key


def described(model, title):
    """What is said of each name of a section, beside its type."""
    text = inspect.getdoc(type(model)) or ""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[\w ]*\n-{{3,}}\n|\Z)", text, re.DOTALL | re.MULTILINE)
    entries, names = {}, []
    for line in found.group(1).splitlines():
        if line and not line.startswith(" "):
            names = re.split(r",\s*", line.partition(" : ")[0].strip().rstrip(","))
            entries.update(dict.fromkeys(names, ""))
        elif line.strip():
            entries.update({name: f"{entries[name]} {line.strip()}" for name in names})
    return entries


@pytest.mark.parametrize("title", ["Parameters", "Attributes"])
def test_each_name_is_described_and_references_lead_somewhere(name, title):
    for key, text in described(ESTIMATORS[name][0], title).items():
        assert text, key
        other = re.search(r"^ As in `(\w+)`", text)
        if other:
            there = described(ESTIMATORS[other.group(1)][0], title)
            assert key in there and not re.search(rf"^ As in `{name}`", there[key]), key


def test_words_have_one_meaning(name, fitted):
    words = {*parameters(fitted), *attributes(fitted)}
    assert not words & FORBIDDEN
    ridge = {word for word in words if re.fullmatch(r"(penalt(y|ies)|alphas?)_?", word)}
    assert all(word.startswith("penalt") == (name in PENALTY) for word in ridge)
    assert "epsilon" not in words or name == "DependencyRegressor"


def test_defaults_are_plain(name):
    given = {key: one.default for key, one in parameters(ESTIMATORS[name][0]).items()}
    assert given.get("random_state") is None and given.get("callback") is None and given.get("verbose", 0) == 0
    assert (
        given.get("memory_budget") is None and given.get("landmarks") in (None, "auto") and given.get("n_init", 1) >= 1
    )
    for default in given.values():
        hash(default)  # nothing that a caller could change


def test_parameters_go_in_and_out(name):
    model = clone(ESTIMATORS[name][0])
    found = model.get_params(deep=True)
    assert set(parameters(model)) <= set(found)
    for key in parameters(model):
        mark = object()
        assert model.set_params(**{key: mark}).get_params(deep=False)[key] is mark
        model.set_params(**{key: found[key]})
    twin = clone(model)
    assert repr(twin) == repr(model) and {*twin.get_params()} == {*found}
    with pytest.raises(ValueError, match="Invalid parameter"):
        model.set_params(n_restarts=3)


NESTED = {
    "KernelAutoencoder": {"kernels": [Gaussian(gamma=0.3), Gaussian(gamma=0.4)]},
    "K2Autoencoder": {"input_kernel": Gaussian(gamma=0.3), "kernels": Gaussian(gamma=0.4)},
    "EmbeddingClassifier": {"kernel": 2.0 * Gaussian(gamma=0.3)},
    "ConditionalMeanEmbedding": {"kernel": Gaussian(gamma=0.3), "output_kernel": Gaussian(gamma=0.4)},
    "DependencyRegressor": {"kernel": Gaussian(gamma=0.3) + Gaussian(gamma=0.4)},
    "KernelRidge": {"kernel": Gaussian(gamma=0.3)},
    "OperatorKernelRidge": {"operator": 0.5 * Separable(Gaussian(gamma=0.3))},
    "DeepKernelRegressor": {"kernels": [Gaussian(gamma=0.3), [(Gaussian(gamma=0.4), None)]]},
    "DeepKernelClassifier": {"kernels": [Gaussian(gamma=0.3), Gaussian(gamma=0.4)]},
    "DeepKernelInterpolator": {"kernels": [Gaussian(gamma=0.3), Gaussian(gamma=0.4)]},
    "DeepKernelPCA": {"kernels": [Gaussian(gamma=0.3), "linear"]},
    "ParametricDeepKernelPCA": {"pca": gramian.DeepKernelPCA((2, 2), ["linear", Gaussian(gamma=0.3)])},
}


def test_parameters_of_parts_go_in_and_out(name):
    model = clone(ESTIMATORS[name][0]).set_params(**NESTED[name])
    twin, before = clone(model), repr(model)
    deep = [key for key in model.get_params(deep=True) if key.endswith("__gamma")]
    assert deep and set(model.get_params(deep=False)) == set(parameters(model))
    for key in deep:
        twin.set_params(**{key: 7.5})
        assert twin.get_params(deep=True)[key] == 7.5
        assert clone(twin).get_params(deep=True)[key] == 7.5
    assert repr(model) == before  # parts that other objects have too are never changed
    assert {*twin.get_params(deep=True)} == {*model.get_params(deep=True)}


KINDS = {
    "regressor": {
        *("ConditionalMeanEmbedding", "DependencyRegressor", "OperatorKernelRidge", "KernelRidge"),
        *("DeepKernelRegressor", "DeepKernelInterpolator"),
    },
    "classifier": {"EmbeddingClassifier", "DeepKernelClassifier"},
    "transformer": {
        *("KernelAutoencoder", "K2Autoencoder", "DeepKernelPCA", "ParametricDeepKernelPCA"),
        *("DeepKernelRegressor", "DeepKernelClassifier", "DeepKernelInterpolator"),
    },
}
PRECOMPUTED = {
    "K2Autoencoder": {"input_kernel": "precomputed"},
    "EmbeddingClassifier": {"kernel": "precomputed"},
    "ConditionalMeanEmbedding": {"kernel": "precomputed"},
    "DependencyRegressor": {"kernel": "precomputed"},
    "KernelRidge": {"kernel": "precomputed"},
    "DeepKernelPCA": {"kernels": ["precomputed", "linear"]},
}


def test_tags_are_right(name):
    model = ESTIMATORS[name][0]
    # With numbers for outputs, as they are where nothing else is said, DependencyRegressor is a regressor too.
    asked = clone(model).set_params(output_kernel="linear") if name == "DependencyRegressor" else model
    assert is_regressor(asked) == (name in KINDS["regressor"])
    assert is_classifier(model) == (name in KINDS["classifier"])
    assert hasattr(model, "transform") == hasattr(model, "fit_transform") == (name in KINDS["transformer"])
    assert not tags_of(model).pairwise
    if name in PRECOMPUTED:
        assert tags_of(clone(model).set_params(**PRECOMPUTED[name])).pairwise


def test_fit_transform_takes_what_fit_takes(name):
    model, samples, targets = ESTIMATORS[name]
    if name not in KINDS["transformer"]:
        return
    with pytest.raises(TypeError, match="nonsense"):
        clone(model).fit_transform(samples, targets, nonsense=1)
    weights = {"sample_weight": 1 + np.arange(N) % 3}
    if "sample_weight" not in inspect.signature(model.fit).parameters:
        with pytest.raises(TypeError, match="sample_weight"):
            clone(model).fit_transform(samples, targets, **weights)
        return
    found = clone(model).set_params(random_state=0).fit_transform(samples, targets, **weights)
    twin = clone(model).set_params(random_state=0).fit(samples, targets, **weights)
    np.testing.assert_allclose(found, twin.transform(samples), rtol=0, atol=1e-10)


def test_a_clone_is_not_fitted(fitted):
    learned = {key for key in vars(clone(fitted)) if key.endswith("_")}
    assert not learned


def test_a_repr_is_short(name, fitted):
    assert len(repr(fitted).splitlines()) < 10
    full = type(fitted)(**{key: one.default for key, one in parameters(fitted).items()})
    assert repr(full) == f"{name}()"


WEIGHT = 0.3
KERNEL = Gaussian(gamma=0.4)
GIVEN = {"penalty": WEIGHT / N}


def ridge(inputs, targets, new, kernel=KERNEL, alpha=WEIGHT):
    model = KernelRidge(alpha=alpha, kernel="precomputed").fit(kernel(inputs), targets)
    return model.predict(kernel(new, inputs))


ONE_LAYER = {
    "OperatorKernelRidge": lambda: gramian.OperatorKernelRidge(Separable(KERNEL), alpha=WEIGHT).fit(X, Y).predict(NEW),
    "KernelRidge": lambda: gramian.KernelRidge(WEIGHT, kernel=KERNEL).fit(X, Y).predict(NEW),
    "KernelRidge, iterations": lambda: (
        gramian.KernelRidge(WEIGHT, kernel=KERNEL, solver="cg", tol=1e-13).fit(X, Y).predict(NEW)
    ),
    "KernelRidge, landmarks": lambda: gramian.KernelRidge(WEIGHT, kernel=KERNEL, landmarks=N).fit(X, Y).predict(NEW),
    "OperatorKernelRidge, iterations": lambda: (
        gramian.OperatorKernelRidge(Separable(KERNEL), alpha=WEIGHT, solver="cg", tol=1e-13).fit(X, Y).predict(NEW)
    ),
    "DeepKernelRegressor": lambda: gramian.DeepKernelRegressor([KERNEL], alpha=WEIGHT).fit(X, Y).predict(NEW),
    "ConditionalMeanEmbedding": lambda: gramian.ConditionalMeanEmbedding(KERNEL, **GIVEN).fit(X, Y).predict(NEW),
    "DependencyRegressor": lambda: (
        gramian.DependencyRegressor(KERNEL, operator="identity", preimage="linear", **GIVEN).fit(X, Y).predict(NEW)
    ),
    "DependencyRegressor, operator": lambda: (
        gramian.DependencyRegressor(operator=Separable(KERNEL), preimage="linear", **GIVEN).fit(X, Y).predict(NEW)
    ),
    "DependencyRegressor, rank": lambda: (
        gramian.DependencyRegressor(KERNEL, operator="identity", preimage="linear", rank=N, **GIVEN)
        .fit(X, Y)
        .predict(NEW)
    ),
}


@pytest.mark.parametrize("case", ONE_LAYER)
def test_one_layer_is_kernel_ridge_regression(case):
    np.testing.assert_allclose(ONE_LAYER[case](), ridge(X, Y, NEW), rtol=0, atol=1e-10)


def test_decisions_of_a_classifier_are_kernel_ridge_regression():
    model = gramian.EmbeddingClassifier(KERNEL, learn=None, **GIVEN).fit(X, LABELS)
    np.testing.assert_allclose(model.embedding(NEW), ridge(X, np.eye(2)[LABELS], NEW), rtol=0, atol=1e-10)


def test_the_last_layer_of_an_autoencoder_is_kernel_ridge_regression():
    model = gramian.KernelAutoencoder((2,), [Gaussian(gamma=0.2), KERNEL], penalty=[1e-3, WEIGHT / N], max_iter=5).fit(
        X
    )
    codes = model.transform(NEW)
    expected = ridge(model.embedding_, X, codes)
    np.testing.assert_allclose(model.inverse_transform(codes), expected, rtol=0, atol=1e-10)


def test_the_last_layer_of_a_feature_space_is_kernel_ridge_regression():
    model = gramian.K2Autoencoder((2,), KERNEL, [Gaussian(gamma=0.2), KERNEL], penalty=[1e-3, WEIGHT / N], max_iter=5)
    codes = model.fit(X).transform(NEW)
    expected = ridge(model.embedding_, np.eye(N), codes)
    np.testing.assert_allclose(model.reconstruction_weights(codes), expected, rtol=0, atol=1e-10)


def test_the_way_back_from_features_is_kernel_ridge_regression():
    model = gramian.DeepKernelPCA((4,), KERNEL, inverse="ridge", inverse_alpha=WEIGHT).fit(X)
    H, codes = model.hidden_features_[0], model.transform(NEW)
    kernel = gramian.OperatorKernelRidge().fit(H, H).operator_.kernel  # its width is that of the median rule
    expected = ridge(H, X - X.mean(axis=0), codes, kernel) + X.mean(axis=0)
    np.testing.assert_allclose(model.inverse_transform(codes), expected, rtol=0, atol=1e-10)


STILL = {
    "KernelAutoencoder": [{}, {"solver": "gd"}, {"solver": "adam"}, {"landmarks": [1, 4, 7]}],
    "K2Autoencoder": [{}, {"solver": "adam"}, {"landmarks": [1, 4, 7]}],
    "EmbeddingClassifier": [{"learn": way} for way in ("rademacher", "erm", "median", None)],
    "ConditionalMeanEmbedding": [{}],
    "DependencyRegressor": [{}, {"penalties": [1e-2, 1.0]}, {"rank": 9, "pivoting": "greedy"}],
    "DeepKernelRegressor": [{}, {"hidden": (), "n_init": 8}, {"landmarks": [1, 4, 7]}, {"solver": "adam"}],
    "DeepKernelClassifier": [{}],
    "DeepKernelInterpolator": [{}],
    "DeepKernelPCA": [{}, {"solver": "riemannian_adam"}, {"solver": "projected_gradient"}, {"landmarks": [1, 4, 7]}],
}


@pytest.mark.parametrize(("which", "options"), [(key, one) for key, many in STILL.items() for one in many])
def test_nothing_is_drawn_where_nothing_has_to_be(which, options):
    model, samples, targets = ESTIMATORS[which]

    def results(state):
        return learned(clone(model).set_params(**options, random_state=state).fit(samples, targets))

    states = [np.random.RandomState(0), np.random.default_rng(0)]
    before = [str(states[0].get_state()), str(states[1].bit_generator.state)]
    outside = world()
    found = [results(state) for state in (*states, 0, 1, None)]
    assert [str(states[0].get_state()), str(states[1].bit_generator.state)] == before
    assert world() == outside
    assert all(one == found[0] for one in found)


def world():
    """The state of numpy's global generator."""
    return str(np.random.get_state())  # noqa: NPY002


def learned(fitted):
    """The bits of all arrays that were learned."""
    found = {}
    for key, value in sorted(vars(fitted).items()):
        if key.endswith("_"):
            parts = value if isinstance(value, list) else [value]
            found[key] = [part.tobytes() for part in parts if isinstance(part, np.ndarray)]
    return found


@pytest.mark.parametrize(
    ("which", "options"),
    [
        ("KernelAutoencoder", {"init": "random"}),
        ("K2Autoencoder", {"landmarks": 5}),
        ("EmbeddingClassifier", {"learn": "cv", "cv": 2}),
        ("ConditionalMeanEmbedding", {"learn": "cv", "cv": 2}),
        ("DependencyRegressor", {"rank": 5}),
        ("DeepKernelRegressor", {"n_init": 3}),
        ("DeepKernelClassifier", {"alpha": None, "cv": 2}),
        ("DeepKernelInterpolator", {"init": "random"}),
        ("DeepKernelPCA", {"landmarks": 9}),
        ("ParametricDeepKernelPCA", {}),
    ],
)
def test_draws_follow_the_random_state(which, options):
    model, samples, targets = ESTIMATORS[which]

    def fit(state):
        return learned(clone(model).set_params(**options, random_state=state).fit(samples, targets))

    state = np.random.RandomState(3)
    before, outside = str(state.get_state()), world()
    first = fit(state)
    assert str(state.get_state()) != before and world() == outside
    assert first == fit(np.random.RandomState(3))
    assert fit(5) == fit(5)
    assert fit(None) and world() == outside
