# SPDX-License-Identifier: BSD-3-Clause
"""A user's program: `make lint` runs mypy --strict and pyright on it, and neither finds an error."""

from __future__ import annotations

import gramian
import numpy as np
import numpy.typing as npt
from gramian import features, kernels, losses, metrics, models, operators, optim, plots
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

Float64 = npt.NDArray[np.float64]
Float32 = npt.NDArray[np.float32]

rng = np.random.default_rng(0)
X: Float64 = rng.normal(size=(60, 3))
y: Float64 = np.sin(X[:, 0])
labels: npt.NDArray[np.int64] = (X[:, 0] > 0).astype(np.int64)


def operations() -> None:
    kernel = 2.0 * kernels.Gaussian(gamma=0.5) + kernels.Matern(nu=2.5) * kernels.Linear() ** 2
    K: Float64 = gramian.gram(kernel, X)
    small: Float32 = gramian.gram(kernel, X.astype(np.float32))
    images: Float64 = gramian.product(kernel, X, K)
    few: Float32 = gramian.product(kernel, X.astype(np.float32), small)
    squares: Float64 = gramian.diagonal(kernel, X)
    called: Float64 = kernel(X, X)
    number: float = kernels.Cosine()(X[0], X[1])
    from_lists: Float64 = gramian.gram(kernels.RationalQuadratic(), [[0.0], [1.0]])
    gradient = gramian.adjoint(kernel, X, K, K)
    factor: Float64 = gramian.incomplete_cholesky(kernel, X, 10, pivoting="gain").factor
    print(images, few, squares, called, number, from_lists, gradient.parameters, factor, kernel.parameters)


def autoencoders() -> None:
    model = gramian.KernelAutoencoder(
        hidden=(4, 2), kernels=[kernels.Linear(), None, None], solver="lbfgs", init="random"
    )
    codes: Float64 = model.fit(X).transform(X)
    back: Float64 = model.inverse_transform(codes)
    held: list[Float64] = model.coefficients_
    distortion: float = model.distortion_
    robust = gramian.KernelAutoencoder(loss=losses.Huber(1.0), last_layer="joint", callback=print).fit(X)
    on_words = gramian.K2Autoencoder(2, kernels.Cosine(), penalty=[1e-3, 1e-2]).fit(X)
    nearest: npt.NDArray[np.intp] = on_words.nearest(on_words.embedding_)
    print(back, held, distortion, robust.history_["value"], nearest, on_words.factor_, metrics.windin(codes))


def deep_regression() -> None:
    model = gramian.DeepKernelRegressor(alphas=[0.1, 1.0], inner_alpha=0.1, random_state=0).fit(X, y)
    predicted: Float64 = model.predict(X)
    quality: float = model.score(X, y)
    reused: Float64 = model.deep_kernel_(X)
    classifier = gramian.DeepKernelClassifier(loss="clipped", solver="bfgs", landmarks=20).fit(X, labels)
    probabilities: Float64 = classifier.predict_proba(X)
    interpolator = gramian.DeepKernelInterpolator(inner_parameters="auto").fit(X, y)
    print(predicted, quality, reused, probabilities, classifier.classes_, interpolator.merged_, model.alpha_)


def deep_pca() -> None:
    model = gramian.DeepKernelPCA((3, 2), [None, kernels.Gaussian(gamma=0.1)], solver="riemannian_lbfgs").fit(X)
    codes: Float64 = model.transform(X, level=2)
    held: Float64 = model.captured_trace_
    names: npt.NDArray[np.object_] = model.get_feature_names_out()
    network = features.Network([(8, "tanh"), (3, "identity")])
    learned = gramian.ParametricDeepKernelPCA(network, pca=gramian.DeepKernelPCA((2,), "linear")).fit(X)
    drawn: Float64 = learned.sample(3)
    print(codes, held, names, drawn, learned.pca_.eigenvalues_, model.landmarks_)


def embeddings() -> None:
    classifier = gramian.EmbeddingClassifier(learn="rademacher", risk="sum", class_weight={0: 1.0, 1: 2.0})
    classifier.fit(X, labels, sample_weight=np.ones(len(X)))
    uncertain: Float64 = classifier.entropy(X, method="expected")
    small = models.compress(classifier, 20, method="herding")
    mean = gramian.ConditionalMeanEmbedding(kernels.Laplacian(), learn="cv", penalties=[1e-3, 1e-1]).fit(X, y)
    moment: Float64 = mean.expectation(np.square, X)
    print(uncertain, small.predict(X), moment, classifier.penalty_, classifier.relevances_, mean.dual_coef_)


def structured_outputs() -> None:
    def overlap(a: str, b: str) -> float:
        return float(len(set(a) & set(b)))

    words = ["kernel", "graph", "string"]
    model = gramian.DependencyRegressor(overlap, preimage="sequence", operator="identity").fit(words, words)
    ranked: Float64 = model.scores(words)
    separable = operators.Separable(kernels.Gaussian(), A=[[1.0, 0.5], [0.5, 1.0]])
    ridge = gramian.OperatorKernelRidge(separable, solver="cg").fit(X, X[:, :2])
    print(model.predict(["graphs"]), ranked, ridge.dual_coef_, ridge.solver_, ridge.predict(X))


def searches() -> None:
    pipeline = make_pipeline(StandardScaler(), gramian.EmbeddingClassifier(kernels.Gaussian()))
    search = GridSearchCV(pipeline, {"embeddingclassifier__kernel__gamma": [0.1, 1.0]})
    search.fit(X, labels)
    chosen = models.select_components(gramian.DeepKernelPCA((2, 2)), X, [(2, 1), (2, 2)])
    same = gramian.KernelAutoencoder().set_params(penalty=0.1)
    minimum = optim.minimize(lambda v: (float(v @ v), 2 * v), np.ones(3), solver="lbfgs")
    print(search.best_params_, chosen, same.penalty, minimum.x)


def pictures() -> None:
    classifier = gramian.EmbeddingClassifier().fit(X[:, :2], labels)
    probabilities = plots.DecisionProbabilityDisplay.from_estimator(classifier, X[:, :2])
    image: Float64 = probabilities.plot().image
    relevances = plots.RelevanceDisplay.from_estimator(classifier)
    pca = gramian.DeepKernelPCA((2, 2)).fit(X)
    for display in (plots.ExplainedVarianceDisplay, plots.LevelTopologyDisplay):
        display.from_estimator(pca).plot()
    print(image, relevances.plot(), gramian.__version__)
