# SPDX-License-Identifier: BSD-3-Clause
"""Advice of errors about parameters that do not go together: it is followed."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import linalg
from gramian.features import Network
from gramian.kernels import Gaussian
from small_models import GRAM, LABELS, NUMBERS, K, X, autoencoder, classifier, dependency, embedding, regressor

WEIGHTS = np.where(np.arange(len(X)) < 5, 0.0, 1.0)
VALUE = Gaussian(gamma=1.0)
NETWORK = Network([(4, "tanh")])


def ridge(**options):
    return gramian.KernelRidge(**{"kernel": K, "random_state": 0, **options}).fit(X, NUMBERS)


def large_ridge(dtype):
    model = gramian.KernelRidge(kernel=Gaussian(gamma=1e-120), solver="cg", dtype=dtype)
    return model.fit(X * 1e60, NUMBERS)


def learned_maps(pca=None, **options):
    return gramian.ParametricDeepKernelPCA(pca=pca, n_rounds=1, max_iter=2, random_state=0, **options).fit(X)


def levels(**options):
    return gramian.DeepKernelPCA((2, 2), "linear", **options)


def on_landmarks(rows):
    return gramian.DeepKernelPCA(2, landmarks=rows).fit(X, sample_weight=WEIGHTS)


ERRORS = [
    # what the message says, the call, and what it says to do
    (
        "would not be tried. Set learn='cv', or penalties=None",
        lambda: classifier(penalties=[0.01, 0.1], learn=None),
        lambda: classifier(penalties=[0.01, 0.1], learn="cv", cv=2),
        lambda: classifier(penalties=None, learn=None),
    ),
    (
        "would not be tried. Set learn='cv', or penalties=None",
        lambda: embedding(penalties=[0.01, 0.1]),
        lambda: embedding(penalties=[0.01, 0.1], learn="cv", cv=2),
        lambda: embedding(penalties=None),
    ),
    (
        "Jacobians are those of models without landmarks: fit with landmarks=None",
        lambda: autoencoder(landmarks=10, max_iter=2).jacobian(1, 0),
        lambda: autoencoder(landmarks=None, max_iter=2).jacobian(1, 0),
    ),
    (
        "kernels of gramian.kernels: set landmarks=None",
        lambda: embedding(GRAM, kernel="precomputed", landmarks=10),
        lambda: embedding(GRAM, kernel="precomputed", landmarks=None),
    ),
    (
        "landmarks of KernelRidge are for solver='auto' or 'landmarks': set landmarks=None",
        lambda: ridge(solver="cholesky", landmarks=10),
        lambda: ridge(solver="cholesky", landmarks=None),
        lambda: ridge(solver="auto", landmarks=10),
        lambda: ridge(solver="landmarks", landmarks=10),
    ),
    (
        "alpha must be greater than 0 with solver='cg': use solver='cholesky'",
        lambda: ridge(alpha=0, solver="cg"),
        lambda: ridge(alpha=0, solver="cholesky"),
    ),
    (
        "beyond the range of float32: use dtype='float64'",
        lambda: large_ridge("float32"),
        lambda: large_ridge("float64"),
    ),
    (
        "learn='cv' of EmbeddingClassifier has no grid for features: .* such as learn='validation'",
        lambda: classifier(features=NETWORK, learn="cv"),
        lambda: classifier(features=NETWORK, learn="validation", max_iter=2),
    ),
    (
        "a linear kernel on features has none: give a kernel, or take another way to learn",
        lambda: classifier(features=NETWORK, learn="median"),
        lambda: classifier(features=NETWORK, kernel="rbf", learn="median"),
        lambda: classifier(features=NETWORK, learn=None),
    ),
    (
        "exclude each other: a low rank has few components already. Leave one of them None",
        lambda: dependency(n_output_components=2, rank=10),
        lambda: dependency(n_output_components=2, rank=None),
        lambda: dependency(n_output_components=None, rank=10),
    ),
    (
        "distance_penalty is about the images of an inner layer: it needs two layers or more",
        lambda: regressor(hidden=(), inner_alpha=0.1, distance_penalty=0.1),
        lambda: regressor(hidden=(1,), inner_alpha=0.1, distance_penalty=0.1, max_iter=2),
    ),
    (
        "has rows whose sample_weight is 0",
        lambda: on_landmarks([1, 7, 9]),
        lambda: on_landmarks([7, 9]),
    ),
    (
        "Gaussian is a value: make a new one, or use set_params\\(gamma=...\\)",
        lambda: setattr(VALUE, "gamma", 2.0),
        lambda: Gaussian(gamma=2.0),
        lambda: Gaussian(gamma=1.0).set_params(gamma=2.0),
    ),
    (
        "Write kernels=\\[gramian.kernels.Gaussian\\(gamma=...\\), ...\\] instead",
        lambda: gramian.DeepKernelPCA().set_params(kernels__0__gamma=1.0),
        lambda: gramian.DeepKernelPCA(kernels=[Gaussian(gamma=2.0), "rbf"]).set_params(kernels__0__gamma=1.0).fit(X),
    ),
    (
        "sizes of select_components must have an entry for each level, the numbers of components to try",
        lambda: gramian.models.select_components(levels(), X, 3),
        lambda: gramian.models.select_components(levels(), X, [(1, 2), (1, 2)]),
    ),
    (
        "leaves the width of the kernel open, .*: pass gramian.kernels.Gaussian",
        lambda: gramian.operators.Separable("rbf").matrix(X, outputs=2),
        lambda: gramian.operators.Separable(Gaussian(gamma=1.0)).matrix(X, outputs=2),
    ),
]


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("case", ERRORS, ids=[message for message, *_ in ERRORS])
def test_what_an_error_says_to_do_works(case):
    message, call, *remedies = case
    with pytest.raises((ValueError, TypeError, AttributeError), match=message):
        call()
    for remedy in remedies:
        remedy()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_a_checkpoint_is_of_one_fit(tmp_path):
    def fit(name, gamma, **options):
        model = gramian.DeepKernelPCA((3, 2), Gaussian(gamma=gamma), checkpoint=str(tmp_path / name), **options)
        return model.fit(X)

    with pytest.raises(ValueError, match="needs warm_start=False"):
        fit("a", 0.3, warm_start=True)
    fit("a", 0.3, warm_start=False)
    fit("a", 0.3, checkpoint_every=1, callback=lambda point: point.number >= 3)
    assert (tmp_path / "a").exists()
    with pytest.raises(ValueError, match="Remove the file to begin anew, or give another path"):
        fit("a", 0.4)
    fit("b", 0.4)
    (tmp_path / "a").unlink()
    fit("a", 0.4)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_levels_between_maps_leave_the_checkpoint_to_these(tmp_path):
    path = str(tmp_path / "checkpoint")
    with pytest.raises(ValueError, match="must not have a checkpoint: set that of ParametricDeepKernelPCA"):
        learned_maps(levels(checkpoint=path))
    learned_maps(levels(), checkpoint=path)


def test_sparse_parameters_are_stored_as_csr(tmp_path):
    candidates = scipy.sparse.csr_matrix(np.eye(3)[LABELS])
    model = gramian.DependencyRegressor(output_kernel="linear", preimage="candidates", candidates=candidates.tocsc())
    model.fit(X, np.eye(3)[LABELS])
    with pytest.raises(TypeError, match="is a sparse matrix in the format 'csc': use CSR"):
        model.save(tmp_path / "model")
    model.set_params(candidates=candidates).fit(X, np.eye(3)[LABELS]).save(tmp_path / "model")


def test_conjugate_gradients_that_rounding_ends():
    A = 1.0 / (np.arange(12)[:, None] + np.arange(12) + 1.0)
    B = np.random.default_rng(0).normal(size=(12, 1))

    def solve(A, tol):
        return linalg.conjugate_gradients(A, B, tol=tol, max_iter=10_000)

    with pytest.warns(UserWarning, match="raise tol, or add more to the diagonal of A"):
        solve(A, 1e-15)
    assert solve(A, 10.0).converged and solve(A + np.eye(12), 1e-12).converged
