# SPDX-License-Identifier: BSD-3-Clause
"""Points that are no dense matrix: sparse ones, and those that are known by their inner products alone."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import InnerProducts, _core
from gramian.kernels import Delta, Gaussian, Linear, Polynomial
from samples import ANISOTROPIC, COMPOSITES, LEAVES

EVERY = [*LEAVES, *ANISOTROPIC, *COMPOSITES, 2.0 * (Linear() + Gaussian() * Delta())]
NEEDS_COORDINATES = [kernel for kernel in EVERY if _core.kernels.needs_coordinates(kernel._lower(3).spec)]
ON_INNER_PRODUCTS = [kernel for kernel in EVERY if kernel not in NEEDS_COORDINATES]
FORMATS = ["csr", "csc", "coo", "lil", "dok", "bsr"]
TOLERANCE = 1e-7  # a distance of points that nearly coincide has half of the digits


def sparse_points(rng, n=40, d=12, dtype=np.float64):
    X = (rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.3)).astype(dtype)
    X[3], X[5] = 0, X[4]
    return X


@pytest.mark.parametrize("kernel", ON_INNER_PRODUCTS, ids=repr)
def test_sparse_points_give_what_dense_ones_do(kernel, rng):
    X, Y = sparse_points(rng), sparse_points(rng, 23)
    V, W, R = rng.normal(size=(40, 3)), rng.normal(size=(23, 3)), rng.normal(size=(40, 3))
    x, y = scipy.sparse.csr_array(X), scipy.sparse.csr_array(Y)
    scale = max(1.0, np.abs(gramian.gram(kernel, X)).max())
    for dense, sparse in (
        (gramian.gram(kernel, X), gramian.gram(kernel, x)),
        (gramian.gram(kernel, X, Y), gramian.gram(kernel, x, y)),
        (gramian.diagonal(kernel, X), gramian.diagonal(kernel, x)),
        (gramian.product(kernel, X, V) / 40, gramian.product(kernel, x, V) / 40),
        (gramian.product(kernel, X, W, Y) / 40, gramian.product(kernel, x, W, y) / 40),
    ):
        np.testing.assert_allclose(sparse, dense, rtol=0, atol=TOLERANCE * scale)
    np.testing.assert_array_equal(gramian.gram(kernel, x), gramian.gram(kernel, x).T)
    np.testing.assert_array_equal(gramian.diagonal(kernel, x), np.diag(gramian.gram(kernel, x)))
    for arguments in ({"P": V, "Q": R}, {"Kbar": V @ R.T}, {"P": V, "Q": W, "Y": True}):
        dense = gramian.adjoint(kernel, X, **{**arguments, **({"Y": Y} if "Y" in arguments else {})})
        sparse = gramian.adjoint(kernel, x, **{**arguments, **({"Y": y} if "Y" in arguments else {})})
        assert sparse.X is None and sparse.Y is None
        np.testing.assert_allclose(sparse.parameter_vector, dense.parameter_vector, rtol=1e-6, atol=TOLERANCE * scale)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("container", ["array", "matrix"])
def test_every_sparse_format(rng, form, container):
    X = sparse_points(rng)
    sparse = getattr(scipy.sparse, f"{form}_{container}")(X)
    kernel = Gaussian(gamma=0.2) + Linear()
    expected = gramian.gram(kernel, scipy.sparse.csr_array(X))
    np.testing.assert_array_equal(gramian.gram(kernel, sparse), expected)
    np.testing.assert_array_equal(kernel(sparse), expected)
    np.testing.assert_array_equal(kernel(sparse, sparse.tocsr()[:4]), gramian.gram(kernel, sparse, sparse.tocsr()[:4]))
    np.testing.assert_array_equal(kernel.diag(sparse), np.diag(expected))
    np.testing.assert_array_equal(sparse.toarray(), X)


def test_sparse_points_are_float32_if_all_are(rng):
    X = sparse_points(rng, dtype=np.float32)
    narrow = scipy.sparse.csr_array(X)
    assert gramian.gram(Gaussian(), narrow).dtype == np.float32
    assert gramian.gram(Gaussian(), narrow, narrow.astype(float)).dtype == np.float64
    np.testing.assert_allclose(gramian.gram(Linear(), narrow), X @ X.T, atol=1e-5)
    for dtype in (np.int32, bool):
        assert gramian.gram(Linear(), scipy.sparse.csr_array(X.astype(dtype))).dtype == np.float64


def test_unsorted_and_repeated_entries_and_empty_matrices(rng):
    entries = ([1.0, 2.0, 3.0, 4.0], [2, 0, 2, 1], [0, 3, 4])
    X = scipy.sparse.csr_array(entries, shape=(2, 3))
    before = X.data.copy(), X.indices.copy()
    np.testing.assert_array_equal(gramian.gram(Linear(), X), [[20.0, 0.0], [0.0, 16.0]])
    np.testing.assert_array_equal(X.data, before[0])
    np.testing.assert_array_equal(X.indices, before[1])
    empty = scipy.sparse.csr_array((3, 4))
    np.testing.assert_array_equal(gramian.gram(Gaussian(), empty), np.ones((3, 3)))


SPARSE_BAD = {
    "nan": ([[np.nan, 1.0]], ValueError, "Input X contains NaN"),
    "inf": ([[np.inf, 1.0]], ValueError, "Input X contains infinity"),
    "complex": (np.ones((2, 2), complex), ValueError, "Complex data not supported: X"),
    "no rows": (np.zeros((0, 2)), ValueError, r"Found array X with 0 sample\(s\)"),
    "no columns": (np.zeros((2, 0)), ValueError, r"Found array X with 0 feature\(s\)"),
}


@pytest.mark.parametrize("case", SPARSE_BAD)
def test_bad_sparse_points_are_refused(case):
    value, error, message = SPARSE_BAD[case]
    with pytest.raises(error, match=message):
        gramian.gram(Gaussian(), scipy.sparse.csr_array(value))


def test_dense_and_sparse_points_do_not_mix(rng):
    X = sparse_points(rng)
    for pair in ((X, scipy.sparse.csr_array(X)), (scipy.sparse.csr_array(X), X)):
        with pytest.raises(TypeError, match=r"must be alike. Use \.toarray\(\)"):
            gramian.gram(Gaussian(), *pair)
    with pytest.raises(ValueError, match=r"X\.shape\[1\] == 12 while Y\.shape\[1\] == 11"):
        gramian.gram(Gaussian(), scipy.sparse.csr_array(X), scipy.sparse.csr_array(X[:, 1:]))
    for name in ("V", "P", "Q", "Kbar"):
        good = {"P": np.ones(40), "Q": np.ones(40)} if name in "PQ" else {}
        call = gramian.product if name == "V" else gramian.adjoint
        with pytest.raises(TypeError, match=f"Sparse data was passed for {name}, but dense data is required"):
            call(Gaussian(), X, **{**good, name: scipy.sparse.csr_array(X)})


@pytest.mark.parametrize("kernel", NEEDS_COORDINATES, ids=repr)
def test_kernels_that_need_coordinates_refuse_what_has_none(kernel, rng):
    X = rng.normal(size=(6, 3))
    for value, kind in ((scipy.sparse.csr_array(X), "sparse points"), (InnerProducts(X @ X.T), "inner products")):
        for call in (gramian.gram, gramian.diagonal):
            with pytest.raises(TypeError, match=f"needs the coordinates of dense points, and X has {kind}"):
                call(kernel, value)
        with pytest.raises(TypeError, match="needs the coordinates"):
            gramian.product(kernel, value, X)
        with pytest.raises(TypeError, match="needs the coordinates"):
            gramian.adjoint(kernel, value, X, X)


@pytest.mark.parametrize("kernel", ON_INNER_PRODUCTS, ids=repr)
def test_inner_products_give_what_points_do(kernel, rng):
    X, Y, V, W = (rng.normal(size=shape) for shape in ((30, 4), (21, 4), (30, 2), (21, 2)))
    one = InnerProducts(X @ X.T)
    two = InnerProducts(X @ Y.T, (X * X).sum(axis=1), (Y * Y).sum(axis=1))
    scale = max(1.0, np.abs(gramian.gram(kernel, X)).max())
    for dense, inner in (
        (gramian.gram(kernel, X), gramian.gram(kernel, one)),
        (gramian.gram(kernel, X, Y), gramian.gram(kernel, two)),
        (gramian.diagonal(kernel, X), gramian.diagonal(kernel, one)),
        (gramian.product(kernel, X, V) / 30, gramian.product(kernel, one, V) / 30),
        (gramian.product(kernel, X, W, Y) / 30, gramian.product(kernel, two, W) / 30),
    ):
        np.testing.assert_allclose(inner, dense, rtol=0, atol=TOLERANCE * scale)
    dense, inner = gramian.adjoint(kernel, X, V, V[::-1]), gramian.adjoint(kernel, one, V, V[::-1])
    np.testing.assert_allclose(inner.parameter_vector, dense.parameter_vector, rtol=1e-6, atol=TOLERANCE * scale)
    # K = X X^T, so the gradient in X is (Kbar + Kbar^T) X.
    np.testing.assert_array_equal(inner.X, inner.X.T)
    np.testing.assert_allclose(2 * inner.X @ X, dense.X, rtol=1e-6, atol=1e-6 * np.abs(dense.X).max())


def test_float32_inner_products(rng):
    X = rng.normal(size=(9, 3)).astype(np.float32)
    K = X @ X.T
    inner = InnerProducts(K)
    assert inner.dtype == np.float32 and inner.K is K
    assert gramian.gram(Gaussian(), inner).dtype == np.float32
    assert gramian.product(Gaussian(), inner, np.ones(9)).dtype == np.float64
    assert gramian.adjoint(Gaussian(), inner, X, X).X.dtype == np.float64
    assert repr(inner) == "<InnerProducts of one set: 9 x 9, float32>"


def test_bad_inner_products_are_refused_with_their_defect(rng):
    X = rng.normal(size=(300, 3))
    K, squares = X @ X.T, (X * X).sum(axis=1)
    with pytest.raises(ValueError, match=r"K must be square, got shape \(300, 299\).*x_squares and y_squares"):
        InnerProducts(K[:, 1:])
    wrong = K.copy()
    wrong[290, 7] += 0.5
    with pytest.raises(ValueError, match=r"K must be symmetric to a relative 1e-08: \|K - K\.T\| reaches 0\.5"):
        InnerProducts(wrong)
    wrong = K.copy()
    wrong[290, 7] += 1e-10
    assert InnerProducts(wrong).one_set
    with pytest.raises(ValueError, match=r"K\[3, 3\] is a squared norm and must be at least 0\. Got -2"):
        InnerProducts(np.diag([1.0, 1.0, 1.0, -2.0]))
    with pytest.raises(ValueError, match=r"not positive semidefinite: \|K\[0, 1\]\| is 1 above the product of the two"):
        InnerProducts([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(ValueError, match=r"y_squares\[2\] is a squared norm"):
        InnerProducts(K, squares, np.where(np.arange(300) == 2, -1.0, squares))
    with pytest.raises(ValueError, match=r"x_squares must have shape \(300,\) for the rows of K, got \(299,\)"):
        InnerProducts(K, squares[1:], squares)
    with pytest.raises(ValueError, match="must be given together"):
        InnerProducts(K, squares)
    with pytest.raises(ValueError, match="Input y_squares contains NaN"):
        InnerProducts(K, squares, squares * np.nan)
    with pytest.raises(TypeError, match="K must hold real numbers"):
        InnerProducts([["a"]])


def test_inner_products_stand_for_both_sets(rng):
    X = rng.normal(size=(5, 3))
    one, two = InnerProducts(X @ X.T), InnerProducts(X @ X[:2].T, (X * X).sum(1), (X[:2] * X[:2]).sum(1))
    for pair in ((one, X), (X, one), (one, one)):
        with pytest.raises(TypeError, match="InnerProducts take the place of X and Y together"):
            gramian.gram(Gaussian(), *pair)
    for call in (gramian.diagonal, lambda kernel, points: gramian.adjoint(kernel, points, X, X[:2])):
        with pytest.raises(TypeError, match="inner products of two sets"):
            call(Gaussian(), two)
    with pytest.raises(ValueError, match="V has 5 rows, X has 2"):
        gramian.product(Gaussian(), two, X)


def test_a_kernel_on_a_kernel(rng):
    X = rng.normal(size=(20, 3))
    inner = gramian.gram(Polynomial(degree=2), X)
    K = Gaussian(gamma=0.1)(InnerProducts(inner))
    squares = np.diag(inner)
    np.testing.assert_allclose(K, np.exp(-0.1 * (squares[:, None] + squares - 2 * inner)), rtol=1e-9)
    np.testing.assert_array_equal(Gaussian(gamma=0.1).diag(InnerProducts(inner)), np.ones(20))
