# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.linalg
from gramian.exceptions import NumericalError
from gramian.kernels import Gaussian
from gramian.linalg import (
    eigh,
    solve_kronecker,
    stiefel_project,
    stiefel_retract,
    stiefel_tangent,
    top_eigenpairs,
    woodbury_log_determinant,
    woodbury_solve,
)
from sklearn.decomposition import KernelPCA
from sklearn.exceptions import ConvergenceWarning

KERNEL = Gaussian(gamma=0.2)


def gram(rng, n, d=3):
    return gramian.gram(KERNEL, rng.normal(size=(n, d)))


def orthonormal(rng, n, s):
    return np.linalg.qr(rng.normal(size=(n, s)))[0]


def signs_are_fixed(V):
    return (V[np.abs(V).argmax(axis=0), np.arange(V.shape[1])] > 0).all()


@pytest.mark.parametrize("n", [1, 2, 3, 5, 10, 50, 300])
def test_eigh_agrees_with_numpy(rng, n):
    A = gram(rng, n)
    values, V = eigh(A)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(A), rtol=0, atol=1e-13 * n)
    np.testing.assert_allclose(V.T @ V, np.eye(n), rtol=0, atol=1e-13 * n)
    np.testing.assert_allclose(A @ V, V * values, rtol=0, atol=1e-13 * n)
    assert signs_are_fixed(V)


def test_without_scipy_the_engine_answers(run_python):
    code = "\n".join(
        [
            "import sys",
            "sys.modules['scipy'] = sys.modules['scipy.linalg'] = None",
            "import gramian.linalg",
            "values, vectors = gramian.linalg.eigh([[2.0, 1.0], [1.0, 2.0]])",
            "assert abs(values - [1.0, 3.0]).max() < 1e-15 and (vectors.max(axis=0) > 0).all()",
        ]
    )
    result = run_python(code)
    assert result.returncode == 0, result.stderr


def test_eigh_reads_any_array_and_changes_none(rng):
    A = gram(rng, 20)
    expected = eigh(A)
    wide = np.zeros((40, 60))
    wide[::2, ::3] = A
    swapped = A.astype(A.dtype.newbyteorder())
    for other in (np.asfortranarray(A), wide[::2, ::3], swapped, A[::-1, ::-1][::-1, ::-1], A.tolist()):
        copy = np.array(other)
        values, V = eigh(other)
        np.testing.assert_allclose(values, expected.values, rtol=0, atol=1e-13)
        np.testing.assert_allclose(np.abs(V.T @ expected.vectors), np.eye(20), rtol=0, atol=1e-3)
        np.testing.assert_array_equal(other, copy)


@pytest.mark.parametrize(("n", "k"), [(1, 1), (5, 5), (40, 3), (600, 1), (600, 10), (600, 60)])
def test_top_eigenpairs_agree_with_numpy(rng, n, k):
    A = gram(rng, n)
    top = top_eigenpairs(A, k, random_state=0)
    assert top.stop_reason == "converged"
    assert (top.residuals <= 1e-10 * n).all()
    np.testing.assert_allclose(top.values, np.linalg.eigvalsh(A)[::-1][:k], rtol=0, atol=1e-10 * n)
    np.testing.assert_allclose(
        np.linalg.norm(A @ top.vectors - top.vectors * top.values, axis=0), top.residuals, atol=1e-11
    )
    np.testing.assert_allclose(top.vectors.T @ top.vectors, np.eye(k), rtol=0, atol=1e-11)
    assert signs_are_fixed(top.vectors)


def test_multiple_eigenvalues_are_found_as_often_as_they_occur(rng):
    values = np.linspace(0, 1, 400)
    values[-30:-1] = 2.0
    Q = orthonormal(rng, 400, 400)
    A = (Q * values) @ Q.T
    A = (A + A.T) / 2
    np.testing.assert_allclose(top_eigenpairs(A, 28, random_state=0).values, 2.0, rtol=1e-12)
    np.testing.assert_allclose(top_eigenpairs(A, 31, random_state=0).values[-2:], [1.0, values[-31]], atol=1e-8)


@pytest.mark.parametrize("n", [30, 500])
def test_centred_eigenpairs_are_those_of_kernel_pca(rng, n):
    X = rng.normal(size=(n, 3))
    model = KernelPCA(5, kernel="rbf", gamma=KERNEL.gamma, eigen_solver="dense").fit(X)
    for arguments in ({"A": gramian.gram(KERNEL, X)}, {"A": KERNEL, "X": X}):
        top = top_eigenpairs(k=5, random_state=0, centered=True, **arguments)
        np.testing.assert_allclose(top.values, model.eigenvalues_, rtol=1e-9)
        np.testing.assert_allclose(np.abs((top.vectors * model.eigenvectors_).sum(axis=0)), 1.0, rtol=1e-9)


def test_a_kernel_stands_for_its_gram(rng):
    X = rng.normal(size=(500, 3))
    stored = top_eigenpairs(gramian.gram(KERNEL, X), 6, random_state=0)
    top = top_eigenpairs(KERNEL, 6, X=X, random_state=0)
    np.testing.assert_allclose(top.values, stored.values, rtol=1e-9)
    assert top.products > 0
    for arguments in ({"A": KERNEL}, {"A": np.eye(3), "X": X}):
        with pytest.raises(TypeError, match="X must be given if A is a kernel"):
            top_eigenpairs(k=1, **arguments)


@pytest.mark.parametrize("threads", [2, 7])
def test_any_number_of_threads_gives_the_same_bits(rng, threads):
    A, H, Z = gram(rng, 1200), rng.normal(size=(30000, 8)), rng.normal(size=(30000, 8))

    def results():
        Q = stiefel_project(H)
        return (
            *top_eigenpairs(A, 5, random_state=0)[:3],
            Q,
            stiefel_retract(Q, Z, method="qr"),
            woodbury_solve(0.1, H, Z[:, 0]),
        )

    gramian.set_num_threads(1)
    expected = results()
    gramian.set_num_threads(threads)
    for one, other in zip(expected, results(), strict=True):
        np.testing.assert_array_equal(one, other)


def test_random_state_decides_the_start(rng):
    A = gram(rng, 500)
    first, same = top_eigenpairs(A, 4, random_state=1), top_eigenpairs(A, 4, random_state=np.int64(1))
    np.testing.assert_array_equal(first.vectors, same.vectors)
    state = np.random.get_state()  # noqa: NPY002
    for random_state in (None, 2, np.random.default_rng(3), np.random.RandomState(4)):
        other = top_eigenpairs(A, 4, random_state=random_state)
        assert not np.array_equal(first.vectors, other.vectors)
        np.testing.assert_allclose(other.vectors, first.vectors, atol=1e-6)
    np.testing.assert_array_equal(np.random.get_state()[1], state[1])  # noqa: NPY002


def test_too_few_products_is_a_warning(rng):
    A = np.diag(np.linspace(0.9, 1.0, 1000))
    with pytest.warns(ConvergenceWarning, match="after 5 products"):
        top = top_eigenpairs(A, 3, max_products=5, random_state=0)
    assert top.stop_reason == "max_products" and top.products == 5
    assert top.residuals.max() > 1e-10


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"A": np.ones((2, 3))}, ValueError, "A must be a square matrix"),
        ({"A": [[1.0, 2.0], [0.0, 1.0]]}, ValueError, "A is not symmetric"),
        ({"A": [[np.nan, 0.0], [0.0, 1.0]]}, ValueError, "Input A contains NaN"),
        ({"A": [[np.inf, 0.0], [0.0, 1.0]]}, ValueError, "Input A contains infinity"),
        ({"A": np.eye(2) * 1j}, ValueError, "Complex data"),
        ({"A": np.empty((0, 0))}, ValueError, "0 sample"),
        ({"A": [["a", "b"], ["b", "a"]]}, TypeError, "real numbers"),
        ({"A": np.ma.masked_array(np.eye(2))}, TypeError, "masked array"),
        ({"k": 0}, ValueError, "k must be an integer in"),
        ({"k": 3}, ValueError, "k must be an integer in"),
        ({"k": 1.0}, TypeError, "k must be an integer in"),
        ({"k": True}, TypeError, "k must be an integer in"),
        ({"tol": -1.0}, ValueError, "tol must be"),
        ({"tol": np.nan}, ValueError, "tol must be"),
        ({"tol": "small"}, TypeError, "tol must be"),
        ({"max_products": 1}, ValueError, "max_products must be"),
        ({"random_state": -1}, ValueError, "random_state must be"),
        ({"random_state": "seed"}, TypeError, "random_state must be"),
    ],
)
def test_bad_input_is_refused_by_name(arguments, error, message):
    with pytest.raises(error, match=message):
        top_eigenpairs(**{"A": np.eye(2), "k": 1, **arguments})
    if "A" in arguments:
        with pytest.raises(error, match=message):
            eigh(arguments["A"])


def test_what_does_not_fit_is_refused_before_work():
    gramian.set_memory_limit(10_000)
    with pytest.raises(MemoryError, match="top_eigenpairs"):
        eigh(np.eye(50))
    with pytest.raises(MemoryError):
        top_eigenpairs(np.eye(1000), 5)


@pytest.mark.parametrize("shape", [(1, 1), (5, 5), (50, 3), (700, 12)])
def test_stiefel_projection_is_scipys_polar_factor(rng, shape):
    H = rng.normal(size=shape)
    Q = stiefel_project(H)
    np.testing.assert_allclose(Q, scipy.linalg.polar(H)[0], rtol=0, atol=1e-12)
    assert np.abs(Q.T @ Q - np.eye(shape[1])).max() <= 1e-14 * shape[1]


def test_stiefel_tangent_and_retractions(rng):
    H, Z = orthonormal(rng, 80, 4), rng.normal(size=(80, 4))
    T = stiefel_tangent(H, Z)
    inner = H.T @ Z
    np.testing.assert_allclose(T, Z - H @ (inner + inner.T) / 2, rtol=0, atol=1e-13)
    root = scipy.linalg.sqrtm(np.eye(4) + T.T @ T)
    np.testing.assert_allclose(stiefel_retract(H, T), (H + T) @ np.linalg.inv(root), rtol=0, atol=1e-12)
    Q, R = np.linalg.qr(H + T)
    np.testing.assert_allclose(stiefel_retract(H, T, method="qr"), Q * np.sign(np.diag(R)), rtol=0, atol=1e-12)


def test_stiefel_errors_name_their_cause(rng):
    H = rng.normal(size=(10, 3))
    with pytest.raises(NumericalError, match="linearly dependent: numerical rank 2 of 3"):
        stiefel_project(np.column_stack([H[:, 0], H[:, 1], H[:, 0] - H[:, 1]]))
    with pytest.raises(ValueError, match="more columns than rows"):
        stiefel_project(H.T)
    with pytest.raises(ValueError, match="Z is 9 x 3, it must be 10 x 3"):
        stiefel_tangent(H, H[:9])
    with pytest.raises(ValueError, match="method must be 'polar' or 'qr'"):
        stiefel_retract(H, H, method="exp")


@pytest.mark.parametrize("lam", [1e-8, 1e-4, 1.0, 1e2])
def test_solve_kronecker_agrees_with_the_explicit_system(rng, lam):
    n = 8
    k, L, B = gram(rng, n), gram(rng, n, 2), rng.normal(size=(n, n))
    system = np.kron(L, k) + n * lam * np.eye(n * n)
    tolerance = 1e-14 * (1 + np.linalg.norm(L) * np.linalg.norm(k) / (n * lam))
    for right in (B, None):
        expected = np.linalg.solve(system, (np.eye(n) if right is None else right).ravel()).reshape(n, n)
        A = solve_kronecker(k, L, lam, right)
        assert np.linalg.norm(A - expected) <= tolerance * np.linalg.norm(expected)


def test_solve_kronecker_refuses_what_it_cannot_solve(rng):
    k = gram(rng, 3)
    with pytest.raises(ValueError, match="positive semidefinite"):
        solve_kronecker(k, -k, 1.0)
    with pytest.raises(ValueError, match="'lam' parameter"):
        solve_kronecker(k, k, 0.0)
    with pytest.raises(ValueError, match="equal ones"):
        solve_kronecker(k, np.eye(2), 1.0)
    with pytest.raises(ValueError, match="B is 2 x 2, it must be 3 x 3"):
        solve_kronecker(k, k, 1.0, np.eye(2))


@pytest.mark.parametrize("n", [1, 5, 200])
def test_woodbury_agrees_with_numpy(rng, n):
    U, B, d = rng.normal(size=(n, 3)), rng.normal(size=(n, 2)), rng.uniform(0.1, 1.0, size=n)
    for diagonal, core in ((0.5, None), (d, None), (d, np.eye(3) + 0.1)):
        A = U @ (np.eye(3) if core is None else core) @ U.T + np.diag(np.broadcast_to(diagonal, n))
        np.testing.assert_allclose(woodbury_solve(diagonal, U, B, core), np.linalg.solve(A, B), rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(
            woodbury_log_determinant(diagonal, U, core), np.linalg.slogdet(A)[1], rtol=1e-11, atol=1e-11
        )
    solution = woodbury_solve(d, U, B[:, 0])
    assert solution.shape == (n,)
    np.testing.assert_array_equal(solution, woodbury_solve(d, U, B[:, :1])[:, 0])


def test_woodbury_refuses_bad_input(rng):
    U, b = rng.normal(size=(4, 2)), np.ones(4)
    with pytest.raises(ValueError, match="'d' parameter"):
        woodbury_solve(0.0, U, b)
    with pytest.raises(ValueError, match="d must hold finite numbers greater than 0"):
        woodbury_solve([1.0, 1.0, 0.0, 1.0], U, b)
    with pytest.raises(ValueError, match="d must be a number or have shape"):
        woodbury_solve([1.0, 1.0], U, b)
    with pytest.raises(ValueError, match="C must be positive semidefinite"):
        woodbury_solve(1.0, U, b, -np.eye(2))
    with pytest.raises(ValueError, match="C is 3 x 3, it must be 2 x 2"):
        woodbury_solve(1.0, U, b, np.eye(3))
