# SPDX-License-Identifier: BSD-3-Clause
"""KernelRidge: solvers, landmarks, paths of alphas, and what it refuses."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import KernelRidge
from gramian.kernels import Gaussian, Laplacian
from sklearn.exceptions import ConvergenceWarning

RNG = np.random.default_rng(0)
N = 120
X, NEW = RNG.normal(size=(N, 3)), RNG.normal(size=(20, 3))
Y = np.column_stack([np.sin(X[:, 0]), X[:, 1] * X[:, 2]])
K = Laplacian(gamma=0.5)
WEIGHTS = np.where(np.arange(N) % 10 == 0, 0.0, RNG.random(N) + 0.1)


def fitted(**options):
    return KernelRidge(**{"kernel": K, "alpha": 0.2, **options}).fit(X, Y, WEIGHTS)


def objective(model):
    """What is minimised, from predictions and coefficients."""
    C = model.dual_coef_.reshape(len(model.dual_coef_), -1)
    norms = np.einsum("ic,ij,jc->c", C, K(model.X_fit_), C)
    return float((WEIGHTS[:, None] * (Y - model.predict(X)) ** 2).sum() + (np.asarray(model.alpha_) * norms).sum())


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"solver": "cg"},
        {"landmarks": N},
        {"landmarks": 30, "random_state": 0},
        {"solver": "landmarks", "random_state": 1},
        {"alphas": [0.1, 0.2, 5.0]},
        {"alpha": [0.2, 3.0]},
        {"alpha": [0.2, 3.0], "solver": "cg"},
        {"alpha": [0.2, 3.0], "landmarks": 40, "random_state": 0},
    ],
    ids=str,
)
def test_the_objective_is_what_it_says(options):
    model = fitted(**options)
    assert model.objective_ == pytest.approx(objective(model), rel=1e-8)
    assert model.stop_reason_ == "tol" and model.converged_ and model.n_iter_ >= 1


def test_solvers_agree():
    expected = fitted().predict(NEW)
    for options in ({"solver": "cg", "tol": 1e-12}, {"landmarks": np.arange(N)}, {"landmarks": N}):
        np.testing.assert_allclose(fitted(**options).predict(NEW), expected, rtol=0, atol=1e-9)
    np.testing.assert_allclose(fitted(solver="cg", dtype="float32").predict(NEW), expected, rtol=0, atol=1e-4)
    np.testing.assert_allclose(fitted(landmarks=N, dtype="float32").predict(NEW), expected, rtol=0, atol=1e-3)


def test_landmarks_are_rows_of_the_samples():
    model = fitted(landmarks=[7, 3, 3, 11])
    assert model.landmarks_.tolist() == [3, 7, 11] and model.solver_ == "landmarks"
    np.testing.assert_array_equal(model.X_fit_, X[[3, 7, 11]])
    assert model.dual_coef_.shape == (3, 2)
    assert len(fitted(landmarks=20, random_state=3).landmarks_) == 20
    assert len(fitted(solver="landmarks").landmarks_) == 110  # ten times the root of 120
    one, two = (fitted(landmarks=20, random_state=3).predict(NEW) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert fitted().landmarks_ is None


def without(row):
    keep = np.arange(N) != row
    return X[keep], Y[keep], WEIGHTS[keep]


@pytest.mark.parametrize("precomputed", [False, True])
def test_leaving_one_out_is_as_many_fits(precomputed):
    alphas = [0.05, 0.5, 5.0]
    samples = K(X) if precomputed else X
    model = KernelRidge(kernel="precomputed" if precomputed else K, alphas=alphas).fit(samples, Y, WEIGHTS)
    errors = np.zeros(len(alphas))
    for place, alpha in enumerate(alphas):
        found = np.vstack(
            [KernelRidge(alpha, kernel=K).fit(*without(row)).predict(X[row : row + 1]) for row in range(N)]
        )
        errors[place] = np.average(((Y - found) ** 2).mean(axis=1), weights=WEIGHTS)
        if alpha == model.alpha_:
            np.testing.assert_allclose(model.leave_one_out_, found, rtol=0, atol=1e-9)
    assert model.alpha_ == alphas[errors.argmin()]
    np.testing.assert_allclose(-model.cv_results_["mean_test_score"], errors, rtol=1e-8)
    assert model.cv_results_["params"][0] == {"alpha": 0.05}
    plain = KernelRidge(model.alpha_, kernel=K).fit(X, Y, WEIGHTS)
    np.testing.assert_allclose(model.dual_coef_, plain.dual_coef_, rtol=0, atol=1e-9)


def test_a_singular_system_is_told():
    with pytest.warns(ConvergenceWarning, match="singular: its solution is that of least squares. Raise alpha"):
        model = KernelRidge(alpha=0).fit(X, Y)
    assert model.solver_ == "least_squares"
    np.testing.assert_allclose(model.predict(X), X @ np.linalg.lstsq(X, Y, rcond=None)[0], rtol=0, atol=1e-9)


def test_an_end_too_early_is_told():
    with pytest.warns(ConvergenceWarning, match="after 1 iterations: raise alpha, tol or max_iter"):
        model = KernelRidge(1e-9, kernel=Gaussian(gamma=20.0), solver="cg", max_iter=1).fit(X, Y)
    assert (model.stop_reason_, model.converged_, model.n_iter_) == ("max_iter", False, 1)
    with pytest.warns(ConvergenceWarning, match="where rounding keeps it: raise alpha or tol, or use dtype='float64'"):
        model = KernelRidge(1e-3, kernel=Gaussian(gamma=0.1), solver="cg", dtype="float32", tol=1e-13).fit(X, Y)
    assert (model.stop_reason_, model.converged_) == ("stagnation", False)


def test_kernels_by_our_names_have_the_width_of_the_median():
    model = KernelRidge(kernel="cauchy").fit(X, Y)
    assert model.kernel_ == gramian.ConditionalMeanEmbedding("cauchy").fit(X, Y).kernel_
    assert KernelRidge(kernel="cauchy", gamma=0.7).fit(X, Y).kernel_.gamma == pytest.approx(0.7)
    assert KernelRidge(kernel="rbf").fit(X, Y).kernel_ == Gaussian(gamma=1.0 / 3)


REFUSED = {
    "alpha below 0": (lambda: fitted(alpha=-1.0), ValueError, "'alpha' parameter of KernelRidge"),
    "too many alphas": (lambda: fitted(alpha=[1.0, 2.0, 3.0]), ValueError, "one for each of the 2 targets"),
    "alphas": (lambda: fitted(alphas=[0.0]), ValueError, "alphas"),
    "alphas by iterations": (lambda: fitted(alphas=[1.0], solver="cg"), ValueError, "solver='auto' or 'cholesky'"),
    "alphas with landmarks": (lambda: fitted(alphas=[1.0], landmarks=3), ValueError, "without landmarks"),
    "landmarks of another solver": (lambda: fitted(solver="cg", landmarks=3), ValueError, "set landmarks=None"),
    "landmarks of nothing": (lambda: fitted(alpha=0, landmarks=3), ValueError, "above 0 with landmarks"),
    "landmarks by a word": (lambda: fitted(landmarks="all"), ValueError, "'auto', None, a number of rows"),
    "too many landmarks": (lambda: fitted(landmarks=N + 1), ValueError, "'landmarks'"),
    "landmarks of a function": (
        lambda: fitted(kernel=lambda a, b: float(a @ b), landmarks=3),
        ValueError,
        "solver='auto' and landmarks=None",
    ),
    "kernel": (lambda: fitted(kernel="rfb"), ValueError, "The names are .*'rbf'"),
    "kernel_params": (lambda: fitted(kernel_params=3), TypeError, "a dict or None"),
    "solver": (lambda: fitted(solver="lu"), ValueError, "'solver'"),
    "dtype": (lambda: fitted(dtype="float16"), ValueError, "'dtype'"),
    "tol": (lambda: fitted(solver="cg", tol=0.0), ValueError, "'tol'"),
    "alpha 0 by iterations": (lambda: fitted(alpha=0.0, solver="cg"), ValueError, "alpha"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_does_not_fit_is_refused(case):
    call, kind, message = REFUSED[case]
    with pytest.raises(kind, match=message):
        call()


@pytest.mark.parametrize("name", ["dual_coef_", "X_fit_"])
def test_attributes_that_do_not_fit_together_are_refused(name):
    model = fitted()
    setattr(model, name, getattr(model, name)[:-1])
    with pytest.raises(ValueError, match="coefficients"):
        model.predict(NEW)


MANY = RNG.normal(size=(300, 3))
GRAM = K(MANY)
ADVICE = {
    "cholesky": (
        5e5,
        "use solver='cg' or solver='landmarks'$",
        lambda: KernelRidge(kernel=K).fit(MANY, MANY),
        [
            lambda: KernelRidge(kernel=K, solver="cg").fit(MANY, MANY),
            lambda: KernelRidge(kernel=K, solver="landmarks", landmarks=20).fit(MANY, MANY),
        ],
    ),
    "precomputed": (
        3e5,
        "use fewer samples$",
        lambda: KernelRidge(kernel="precomputed").fit(GRAM, MANY),
        [lambda: KernelRidge(kernel="precomputed").fit(GRAM[:40, :40], MANY[:40])],
    ),
    "landmarks": (
        5e5,
        "use fewer landmarks$",
        lambda: KernelRidge(kernel=K, landmarks=200).fit(MANY, MANY),
        [lambda: KernelRidge(kernel=K, landmarks=20).fit(MANY, MANY)],
    ),
}


@pytest.mark.parametrize("case", ADVICE)
def test_what_is_advised_against_too_little_memory_helps(case):
    limit, message, call, remedies = ADVICE[case]
    gramian.set_memory_limit(int(limit))
    try:
        with pytest.raises(MemoryError, match=message):
            call()
        for remedy in remedies:
            remedy()
    finally:
        gramian.set_memory_limit(None)
