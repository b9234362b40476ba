# SPDX-License-Identifier: BSD-3-Clause
"""Fitted estimators of all kinds that files hold, with every method that says something of new samples."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import gramian
import numpy as np
from gramian import features, kernels, operators
from gramian.models import compress
from scipy import sparse

RNG = np.random.default_rng(0)
X, NEW = RNG.normal(size=(60, 3)), RNG.normal(size=(17, 3))
NUMBERS = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
LABELS = np.array(["low", "middle", "high"])[np.digitize(X[:, 0], [-0.5, 0.5])]
SPARSE, SPARSE_NEW = (sparse.csr_matrix(np.where(A > 0.4, A, 0.0)) for A in (X, NEW))
GAUSSIAN = kernels.Gaussian(gamma=0.4)
GRAM, CROSS = GAUSSIAN(X), GAUSSIAN(NEW, X)
OUTPUT_GRAM = kernels.Laplacian(gamma=0.3)(NUMBERS)

KINDS = {
    "plain": kernels.Matern(nu=1.5, length_scale=1.3),
    "wide": kernels.Gaussian(length_scale=[0.8, 1.5, 2.5]),
    "sum": 0.7 * kernels.Gaussian(gamma=0.2) + kernels.Linear(),
    "product": kernels.Laplacian(gamma=0.1) * kernels.Polynomial(degree=2),
    "power": kernels.RationalQuadratic() ** 2,
    "tensor": kernels.TensorMatern(gamma=[0.5, 0.3, 0.2]),
}
"""Kernels that files write differently."""


class Stored(NamedTuple):
    """A fitted estimator, new samples for it, and what it says of them."""

    model: Any
    new: Any
    say: Callable[[Any, Any], dict[str, Any]]


def classes(model: Any, new: Any) -> dict[str, Any]:
    names = [
        name
        for name in ("predict", "predict_proba", "decision_function", "embedding", "transform")
        if hasattr(model, name)
    ]
    return {name: getattr(model, name)(new) for name in names}


def values(model: Any, new: Any) -> dict[str, Any]:
    names = [name for name in ("predict", "transform") if hasattr(model, name)]
    return {name: getattr(model, name)(new) for name in names}


def codes(model: Any, new: Any) -> dict[str, Any]:
    found = model.transform(new)
    return {"transform": found, "back": model.inverse_transform(found)}


def codes_only(model: Any, new: Any) -> dict[str, Any]:
    return {"transform": model.transform(new)}


def errors_too(model: Any, new: Any) -> dict[str, Any]:
    return {**codes(model, new), "errors": model.reconstruction_error(new)}


def conditionals(model: Any, new: Any) -> dict[str, Any]:
    return {"weights": model.weights(new), "sample": model.sample(new, 3, return_indices=True)}


def means(model: Any, new: Any) -> dict[str, Any]:
    return {"predict": model.predict(new), **conditionals(model, new)}


def structured(model: Any, new: Any) -> dict[str, Any]:
    return {"predict": model.predict(new), "scores": model.scores(new), "weights": model.weights(new)}


def generated(model: Any, new: Any) -> dict[str, Any]:
    return {**codes(model, new), "sample": model.sample(4, random_state=0), "level": model.transform(new, level=2)}


def _classifiers() -> dict[str, Callable[[], Stored]]:
    def fit(X: Any = X, new: Any = NEW, **options: Any) -> Stored:
        return Stored(gramian.EmbeddingClassifier(learn=None, random_state=0, **options).fit(X, LABELS), new, classes)

    network = features.Network([(5, "tanh"), (3, "relu")])
    fourier = features.RandomFourierFeatures(GAUSSIAN, n_features=40)
    cases = {f"classifier, {name}": functools.partial(fit, kernel=kernel) for name, kernel in KINDS.items()}
    small = {
        method: lambda method=method: Stored(compress(fit(kernel=GAUSSIAN).model, 20, method, 0), NEW, classes)
        for method in ("herding", "random_features")
    }
    return cases | {
        "classifier, precomputed": lambda: fit(GRAM, CROSS, kernel="precomputed"),
        "classifier, sparse": lambda: fit(SPARSE, SPARSE_NEW, kernel=GAUSSIAN),
        "classifier, linear": lambda: fit(kernel="linear"),
        "classifier, network": lambda: fit(features=network),
        "classifier, kernel on a network": lambda: fit(features=network, kernel=GAUSSIAN),
        "classifier, random features": lambda: fit(features=fourier),
        "classifier, landmarks": lambda: fit(kernel=GAUSSIAN, landmarks=20),
        "classifier, float32": lambda: fit(X.astype(np.float32), NEW.astype(np.float32), kernel=GAUSSIAN),
        "classifier, learned": lambda: Stored(
            gramian.EmbeddingClassifier(learn="cv", random_state=0, penalties=[1e-2, 1e-1]).fit(X, LABELS), NEW, classes
        ),
        **{f"compressed, {method}": make for method, make in small.items()},
    }


def _autoencoders() -> dict[str, Callable[[], Stored]]:
    def fit(kernel: Any = None, X: Any = X, **options: Any) -> Stored:
        options = {"max_iter": 20, "random_state": 0, **options}
        return Stored(gramian.KernelAutoencoder((2,), kernel, **options).fit(X), NEW.astype(X.dtype), errors_too)

    def fit_k2(X: Any, new: Any, say: Any = errors_too, **options: Any) -> Stored:
        return Stored(gramian.K2Autoencoder((2,), max_iter=20, random_state=0, **options).fit(X), new, say)

    return {
        f"autoencoder, {name}": functools.partial(fit, [kernel, KINDS["plain"]]) for name, kernel in KINDS.items()
    } | {
        "autoencoder, landmarks": lambda: fit(landmarks=20),
        "autoencoder, operators": lambda: fit(A=[[1.0, 2.0], np.eye(3) + 0.1]),
        "autoencoder, float32": lambda: fit(X=X.astype(np.float32)),
        "autoencoder, three layers": lambda: Stored(
            gramian.KernelAutoencoder((4, 2), max_iter=20, random_state=0).fit(X), NEW, errors_too
        ),
        "K2, gaussian": lambda: fit_k2(X, NEW, input_kernel=GAUSSIAN),
        "K2, linear": lambda: fit_k2(X, NEW, input_kernel="linear"),
        "K2, sparse": lambda: fit_k2(SPARSE, SPARSE_NEW, input_kernel=kernels.Cosine(), say=codes_only),
        "K2, precomputed": lambda: fit_k2(GRAM, CROSS, input_kernel="precomputed", say=codes_only),
        "K2, landmarks": lambda: fit_k2(X, NEW, input_kernel=GAUSSIAN, landmarks=20),
    }


def _regressions() -> dict[str, Callable[[], Stored]]:
    options: dict[str, Any] = {"n_init": 2, "max_iter": 20, "random_state": 0}
    ridges: dict[str, Any] = {"alpha": 0.1, "inner_alpha": 0.1, **options}

    def fit(X: Any = X, new: Any = NEW, y: Any = NUMBERS, **more: Any) -> Stored:
        return Stored(gramian.DeepKernelRegressor(**{**ridges, **more}).fit(X, y), new, values)

    def classify(**more: Any) -> Stored:
        return Stored(gramian.DeepKernelClassifier(**{**ridges, **more}).fit(X, LABELS), NEW, classes)

    return {
        "regressor": fit,
        "regressor, one target": lambda: fit(y=NUMBERS[:, 0]),
        "regressor, one layer": lambda: fit(hidden=()),
        "regressor, kernels": lambda: fit(kernels=[KINDS["sum"], KINDS["plain"]], hidden=(2,)),
        "regressor, wide": lambda: fit(kernels=[KINDS["wide"], KINDS["plain"]], hidden=(2,)),
        "regressor, landmarks": lambda: fit(landmarks=25),
        "regressor, sparse": lambda: fit(SPARSE, SPARSE_NEW),
        "regressor, float32": lambda: fit(X.astype(np.float32), NEW.astype(np.float32)),
        "regressor, on a deep kernel": lambda: fit(hidden=(), kernels=fit().model.deep_kernel_),
        "interpolator": lambda: Stored(gramian.DeepKernelInterpolator(**options).fit(X, NUMBERS), NEW, values),
        "deep classifier": classify,
        "deep classifier, clipped": lambda: classify(loss="clipped"),
        "deep classifier, two classes": lambda: Stored(
            gramian.DeepKernelClassifier(**ridges).fit(X, X[:, 0] > 0), NEW, classes
        ),
    }


def _conditionals() -> dict[str, Callable[[], Stored]]:
    def fit(
        kernel: Any = GAUSSIAN, output: Any = None, X: Any = X, y: Any = NUMBERS, new: Any = NEW, say: Any = means
    ) -> Stored:
        return Stored(gramian.ConditionalMeanEmbedding(kernel, output).fit(X, y), new, say)

    return {f"embedding, {name}": functools.partial(fit, kernel) for name, kernel in KINDS.items()} | {
        "embedding, one output": lambda: fit(y=NUMBERS[:, 0]),
        "embedding, labels": lambda: fit(output=kernels.Delta(), y=LABELS, say=conditionals),
        "embedding, precomputed": lambda: fit("precomputed", X=GRAM, new=CROSS),
        "embedding, precomputed outputs": lambda: fit(output="precomputed", y=OUTPUT_GRAM, say=conditionals),
        "embedding, sparse": lambda: fit(X=SPARSE, new=SPARSE_NEW),
        "embedding, sparse outputs": lambda: fit(y=sparse.csr_matrix(NUMBERS)),
        "embedding, float32": lambda: fit(X=X.astype(np.float32), new=NEW.astype(np.float32)),
    }


def _structured() -> dict[str, Callable[[], Stored]]:
    def fit(X: Any = X, y: Any = NUMBERS, new: Any = NEW, say: Any = structured, **options: Any) -> Stored:
        return Stored(gramian.DependencyRegressor(**{"kernel": GAUSSIAN, **options}).fit(X, y), new, say)

    def ridge(operator: Any, y: Any = NUMBERS) -> Stored:
        return Stored(gramian.OperatorKernelRidge(operator, alpha=0.1).fit(X, y), NEW, values)

    def plain(X: Any = X, y: Any = NUMBERS, new: Any = NEW, **options: Any) -> Stored:
        return Stored(gramian.KernelRidge(**{"kernel": GAUSSIAN, **options}).fit(X, y), new, values)

    separable = operators.Separable(GAUSSIAN, [[1.0, 0.3], [0.3, 2.0]])
    words = ["ab" if row[0] > 0 else "abc" if row[1] > 0 else "c" for row in X]
    return {
        "dependency": fit,
        "dependency, covariance": lambda: fit(operator="covariance"),
        "dependency, identity": lambda: fit(operator="identity"),
        "dependency, gaussian outputs": lambda: fit(output_kernel=kernels.Gaussian(gamma=0.5), preimage="gaussian"),
        "dependency, linear preimages": lambda: fit(preimage="linear"),
        "dependency, one output": lambda: fit(y=NUMBERS[:, 0]),
        "dependency, labels": lambda: fit(y=LABELS[:, None] == np.unique(LABELS), output_kernel=kernels.Tanimoto()),
        "dependency, sequences": lambda: fit(
            y=words, preimage="sequence", say=lambda m, new: {"predict": m.predict(new)}
        ),
        "dependency, precomputed": lambda: fit(GRAM, new=CROSS, kernel="precomputed"),
        "dependency, precomputed outputs": lambda: fit(y=OUTPUT_GRAM, output_kernel="precomputed"),
        "dependency, rank": lambda: fit(rank=20),
        "dependency, components": lambda: fit(n_output_components=2),
        "dependency, sparse": lambda: fit(SPARSE, new=SPARSE_NEW),
        "dependency, candidates": lambda: fit(preimage="candidates", candidates=NUMBERS[:9]),
        "dependency, float32": lambda: fit(X.astype(np.float32), new=NEW.astype(np.float32)),
        "dependency, operator": lambda: fit(kernel=None, operator=separable),
        "kernel ridge": plain,
        "kernel ridge, sum": lambda: plain(kernel=KINDS["sum"], alpha=[0.1, 1.0], solver="cg"),
        "kernel ridge, wide": lambda: plain(kernel=KINDS["wide"], alphas=[0.1, 1.0]),
        "kernel ridge, one output": lambda: plain(y=NUMBERS[:, 0], landmarks=20, random_state=0),
        "kernel ridge, sparse": lambda: plain(SPARSE, new=SPARSE_NEW),
        "kernel ridge, precomputed": lambda: plain(GRAM, new=CROSS, kernel="precomputed"),
        "kernel ridge, float32": lambda: plain(X.astype(np.float32), new=NEW.astype(np.float32)),
        "kernel ridge, of scikit-learn": lambda: plain(kernel="sigmoid", gamma=0.01),
        "operator ridge": lambda: ridge(separable),
        "operator ridge, one output": lambda: ridge(operators.Separable(GAUSSIAN), NUMBERS[:, 0]),
        "operator ridge, sum": lambda: ridge(separable + 0.5 * operators.Separable(KINDS["plain"])),
    }


def _components() -> dict[str, Callable[[], Stored]]:
    def fit(X: Any = X, new: Any = NEW, kernels_: Any = None, say: Any = generated, **options: Any) -> Stored:
        return Stored(gramian.DeepKernelPCA((3, 2), kernels_, max_iter=50, **options).fit(X), new, say)

    linear = [KINDS["plain"], "linear"]
    return {
        "components": fit,
        "components, linear above": lambda: fit(kernels_=linear, center=True),
        "components, sum": lambda: fit(kernels_=[KINDS["sum"], "linear"]),
        "components, wide": lambda: fit(kernels_=[KINDS["wide"], "linear"]),
        "components, precomputed": lambda: fit(GRAM, CROSS, ["precomputed", "linear"], codes_only),
        "components, landmarks": lambda: fit(landmarks=30, random_state=0),
        "components, sparse": lambda: fit(SPARSE, SPARSE_NEW, linear),
        "components, float32": lambda: fit(X.astype(np.float32), NEW.astype(np.float32)),
        "components, smoother": lambda: fit(extension="smoother", inverse="ridge"),
        "components between maps": lambda: Stored(
            gramian.ParametricDeepKernelPCA(n_rounds=1, max_iter=3, random_state=0).fit(X), NEW, generated
        ),
    }


CASES = {
    **_classifiers(),
    **_autoencoders(),
    **_regressions(),
    **_conditionals(),
    **_structured(),
    **_components(),
}


@functools.cache
def stored(name: str) -> Stored:
    """Return a case, fitted once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return CASES[name]()


def said(case: Stored, model: Any) -> dict[str, Any]:
    """Return what a model says of the new samples of a case."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return case.say(model, case.new)


KEPT = (
    "classifier, sum",
    "classifier, sparse",
    "classifier, kernel on a network",
    "classifier, precomputed",
    "compressed, random_features",
    "autoencoder, wide",
    "K2, gaussian",
    "regressor",
    "regressor, on a deep kernel",
    "interpolator",
    "deep classifier, clipped",
    "embedding, labels",
    "embedding, product",
    "dependency",
    "dependency, sequences",
    "dependency, rank",
    "operator ridge, sum",
    "kernel ridge, sum",
    "components",
    "components between maps",
)
"""Cases whose files are kept for each format version, in tests/files."""


def file_name(case: str) -> str:
    """The name of a case's file."""
    return case.replace(",", "").replace(" ", "_")
