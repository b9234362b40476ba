# SPDX-License-Identifier: BSD-3-Clause
"""Gradients through Gram matrices. That of every kernel is compared with differences in test_conformance.py."""

from __future__ import annotations

import copy

import gramian
import numpy as np
import pytest
import scipy.sparse
from gramian import InnerProducts
from gramian.kernels import Gaussian, Laplacian, Linear, Polynomial
from samples import ANISOTROPIC, COMPOSITES, LEAVES

KERNEL = 1.5 * Gaussian(gamma=0.3) + Polynomial(degree=2, gamma=0.4)
SIZES = [(1, 1, 1, 1), (2, 1, 3, 2), (33, 70, 5, 1), (130, 65, 4, 3)]


def differences(function, at, h=1e-3):
    """The gradient of a number by differences of fourth order, one entry after the other."""
    gradient = np.zeros_like(at)
    for index in np.ndindex(*at.shape):
        step = np.zeros_like(at)
        step[index] = h
        near, far = function(at + step) - function(at - step), function(at + 2 * step) - function(at - 2 * step)
        gradient[index] = (8 * near - far) / (12 * h)
    return gradient


def test_gradients_are_differences_of_the_sum(rng):
    X, Y, P, Q = (rng.normal(size=shape) for shape in ((6, 3), (5, 3), (6, 2), (5, 2)))
    result = gramian.adjoint(KERNEL, X, P, Q, Y)

    def energy(x=X, y=Y, **params):
        kernel = copy.copy(KERNEL).set_params(**params)
        return np.sum(P @ Q.T * gramian.gram(kernel, x, y))

    np.testing.assert_allclose(result.X, differences(lambda x: energy(x=x), X), rtol=1e-8, atol=1e-9)
    np.testing.assert_allclose(result.Y, differences(lambda y: energy(y=y), Y), rtol=1e-8, atol=1e-9)
    for name, value in KERNEL.parameters.items():
        (expected,) = differences(lambda p, name=name: energy(**{name: float(p[0])}), np.array([value]))
        assert result.parameters[name] == pytest.approx(expected, rel=1e-8)
    # The control: an entry that is off by a ten thousandth is seen.
    with pytest.raises(AssertionError):
        np.testing.assert_allclose(result.X * 1.0001, differences(lambda x: energy(x=x), X), rtol=1e-8, atol=1e-9)


def test_one_set_counts_both_roles(rng):
    X, P, Q = (rng.normal(size=shape) for shape in ((9, 3), (9, 2), (9, 2)))
    one, two = gramian.adjoint(KERNEL, X, P, Q), gramian.adjoint(KERNEL, X, P, Q, X.copy())
    assert one.Y is None
    np.testing.assert_allclose(one.X, two.X + two.Y, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(one.parameter_vector, two.parameter_vector, rtol=1e-11)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(("n", "m", "d", "r"), SIZES)
def test_dense_and_low_rank_gradients_agree(rng, n, m, d, r, dtype):
    X, Y, P, Q = (rng.normal(size=shape).astype(dtype) for shape in ((n, d), (m, d), (n, r), (m, r)))
    R = rng.normal(size=(n, r)).astype(dtype)
    tolerance = 1e-11 if dtype is np.float64 else 1e-3
    for low, dense in (
        (gramian.adjoint(KERNEL, X, P, Q, Y), gramian.adjoint(KERNEL, X, Y=Y, Kbar=P @ Q.T)),
        (gramian.adjoint(KERNEL, X, P, R), gramian.adjoint(KERNEL, X, Kbar=P @ R.T)),
    ):
        for a, b in zip(low[:2], dense[:2], strict=True):
            assert (a is None) == (b is None)
            if a is not None:
                assert a.dtype == dtype and a.flags.c_contiguous
                np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(1, np.abs(b).max()))
        scale = max(1, np.abs(dense.parameter_vector).max())
        np.testing.assert_allclose(low.parameter_vector, dense.parameter_vector, rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("kernel", LEAVES + COMPOSITES, ids=repr)
def test_float32_gradients_are_near(kernel, rng):
    X, P, Q = (rng.normal(size=shape).astype(np.float32) for shape in ((40, 3), (40, 2), (40, 2)))
    narrow = gramian.adjoint(kernel, X, P, Q)
    wide = gramian.adjoint(kernel, X.astype(float), P.astype(float), Q.astype(float))
    assert narrow.X.dtype == np.float32
    np.testing.assert_allclose(narrow.X, wide.X, rtol=0, atol=5e-4 * max(1, np.abs(wide.X).max()))
    scale = max(1, np.abs(wide.parameter_vector).max(initial=0))
    np.testing.assert_allclose(narrow.parameter_vector, wide.parameter_vector, rtol=0, atol=1e-3 * scale)


def test_vectors_stand_for_one_column(rng):
    X, p, q = rng.normal(size=(9, 3)), rng.normal(size=9), rng.normal(size=9)
    vector, matrix = gramian.adjoint(KERNEL, X, p, q), gramian.adjoint(KERNEL, X, p[:, None], q[:, None])
    np.testing.assert_array_equal(vector.X, matrix.X)
    np.testing.assert_array_equal(
        gramian.hessian_vector(KERNEL, X, p, q, X, p, q),
        gramian.hessian_vector(KERNEL, X, p[:, None], q[:, None], X, p[:, None], q[:, None]),
    )


def test_parameters_alone(rng):
    X, P = rng.normal(size=(30, 3)), rng.normal(size=(30, 2))
    for kernel in (KERNEL, *ANISOTROPIC):
        whole, alone = gramian.adjoint(kernel, X, P, P), gramian.adjoint(kernel, X, P, P, points=False)
        assert alone.X is None and alone.Y is None
        np.testing.assert_allclose(alone.parameter_vector, whole.parameter_vector, rtol=1e-12)


def test_the_chain_rule_of_names(rng):
    X, P = rng.normal(size=(20, 2)), rng.normal(size=(20, 2))
    scale = 0.8
    by_gamma = gramian.adjoint(Gaussian(gamma=0.5 / scale**2), X, P, P).parameters["gamma"]
    by_scale = gramian.adjoint(Gaussian(length_scale=scale), X, P, P).parameters["length_scale"]
    assert by_scale == pytest.approx(-by_gamma / scale**3, rel=1e-12)
    each = gramian.adjoint(Gaussian(length_scale=[scale, scale]), X, P, P).parameters["length_scale"]
    assert each.sum() == pytest.approx(by_scale, rel=1e-10)
    power = gramian.adjoint(Gaussian(length_scale=scale) ** 3, X, P, P)
    thrice = gramian.adjoint(Gaussian(length_scale=scale / 3**0.5), X, P, P).parameters["length_scale"]
    assert power.parameters["kernel__length_scale"] == pytest.approx(thrice / 3**0.5, rel=1e-10)


def test_the_factor_of_a_gradient_is_the_energy(rng):
    X, P = rng.normal(size=(20, 2)), rng.normal(size=(20, 2))
    energy = np.sum(P * gramian.product(Gaussian(), X, P))
    assert gramian.adjoint(2.0 * Gaussian(), X, P, P).parameters["factor"] == pytest.approx(energy, rel=1e-12)


def test_coincident_points_have_finite_gradients(rng):
    X, P = np.repeat(rng.normal(size=(5, 3)), 4, axis=0), rng.normal(size=(20, 2))
    X[0] = 0
    for kernel in LEAVES + COMPOSITES:
        result = gramian.adjoint(kernel, X, P, P)
        assert np.isfinite(result.X).all() and np.isfinite(result.parameter_vector).all()
        assert np.isfinite(gramian.hessian_vector(kernel, X, P, P, X)).all()


def test_hessian_of_two_sets_and_missing_directions(rng):
    X, Y, P, Q, x, y, p, q = (rng.normal(size=s) for s in ((6, 3), (5, 3), (6, 2), (5, 2)) * 2)
    whole = gramian.hessian_vector(KERNEL, X, P, Q, x, p, q, Y, y)
    zero = np.zeros_like
    # It is linear in the directions, and those that are missing are zero.
    parts = [
        gramian.hessian_vector(KERNEL, X, P, Q, x, Y=Y),
        gramian.hessian_vector(KERNEL, X, P, Q, zero(x), Y=Y, Ydot=y),
        gramian.hessian_vector(KERNEL, X, P, Q, zero(x), Pdot=p, Y=Y),
        gramian.hessian_vector(KERNEL, X, P, Q, zero(x), Qdot=q, Y=Y),
    ]
    for i in range(2):
        assert whole[i].shape == (X, Y)[i].shape
        np.testing.assert_allclose(sum(part[i] for part in parts), whole[i], rtol=1e-10, atol=1e-11)


def test_hessian_is_symmetric(rng):
    X, P, u, v = (rng.normal(size=shape) for shape in ((12, 3), (12, 2), (12, 3), (12, 3)))
    for kernel in LEAVES + ANISOTROPIC + COMPOSITES:
        Hu, Hv = (gramian.hessian_vector(kernel, X, P, P, direction) for direction in (u, v))
        scale = np.sum(np.abs(Hu * v)) + np.sum(np.abs(Hv * u))
        assert abs(np.sum(Hu * v) - np.sum(Hv * u)) <= 1e-11 * scale


@pytest.mark.parametrize("order", ["C", "F", "strided", "read-only", "byte-swapped"])
def test_layouts_give_the_same_bits_and_stay_as_they_are(rng, order):
    def laid_out(A):
        wide = np.zeros((2 * A.shape[0], 3 * A.shape[1]))
        wide[::2, ::3] = A
        frozen = A.copy()
        frozen.flags.writeable = False
        return {"C": A, "F": np.asfortranarray(A), "strided": wide[::2, ::3], "read-only": frozen}.get(
            order, A.astype(">f8")
        )

    plain = [rng.normal(size=shape) for shape in ((9, 3), (9, 2), (9, 2), (9, 3))]
    given = [laid_out(A) for A in plain]
    before = [A.tobytes() for A in given]
    X, P, Q, D = plain
    x, p, q, d = given
    np.testing.assert_array_equal(gramian.adjoint(KERNEL, x, p, q).X, gramian.adjoint(KERNEL, X, P, Q).X)
    np.testing.assert_array_equal(
        gramian.hessian_vector(KERNEL, x, p, q, d, p, q), gramian.hessian_vector(KERNEL, X, P, Q, D, P, Q)
    )
    assert [A.tobytes() for A in given] == before


X, P, Q = np.ones((4, 3)), np.ones((4, 2)), np.ones((4, 2))
WRONG = {
    "nothing": ({}, TypeError, "Give P and Q, or Kbar"),
    "P alone": ({"P": P}, TypeError, "Give P and Q, or Kbar"),
    "both": ({"P": P, "Q": Q, "Kbar": np.ones((4, 4))}, TypeError, "but not both"),
    "rows of P": ({"P": P[1:], "Q": Q}, ValueError, "P has 3 rows, X has 4"),
    "rows of Q": ({"P": P, "Q": Q[1:]}, ValueError, "Q has 3 rows, X has 4"),
    "rows of Q for Y": ({"P": P, "Q": Q, "Y": X[1:]}, ValueError, "Q has 4 rows, Y has 3"),
    "columns": ({"P": P, "Q": Q[:, 1:]}, ValueError, "P has 2 columns and Q has 1"),
    "shape of Kbar": ({"Kbar": np.ones((4, 3))}, ValueError, r"Kbar must have shape \(4, 4\), got \(4, 3\)"),
    "nan in P": ({"P": P * np.nan, "Q": Q}, ValueError, "Input P contains NaN"),
    "inf in Kbar": ({"Kbar": np.full((4, 4), np.inf)}, ValueError, "Input Kbar contains infinity"),
    "complex Q": ({"P": P, "Q": Q * 1j}, ValueError, "Complex data not supported: Q"),
    "masked Kbar": ({"Kbar": np.ma.masked_array(np.ones((4, 4)), np.eye(4))}, TypeError, "Kbar is a masked array"),
    "objects": ({"P": P.astype(object), "Q": Q}, TypeError, "P must hold real numbers"),
    "other features": ({"P": P, "Q": Q, "Y": np.ones((4, 2))}, ValueError, "Incompatible dimension"),
}


@pytest.mark.parametrize("case", WRONG)
def test_wrong_gradients_are_refused_by_name(case):
    arguments, error, message = WRONG[case]
    with pytest.raises(error, match=message):
        gramian.adjoint(KERNEL, X, **arguments)


WRONG_DIRECTIONS = {
    "Xdot": ({"Xdot": X[1:]}, ValueError, r"Xdot must have shape \(4, 3\), got \(3, 3\)"),
    "Pdot": ({"Xdot": X, "Pdot": P.T}, ValueError, r"Pdot must have shape \(4, 2\), got \(2, 4\)"),
    "Qdot": ({"Xdot": X, "Qdot": Q[:, :1]}, ValueError, r"Qdot must have shape \(4, 2\), got \(4, 1\)"),
    "Ydot": ({"Xdot": X, "Y": X, "Ydot": X[:, 1:]}, ValueError, r"Ydot must have shape \(4, 3\), got \(4, 2\)"),
    "Ydot alone": ({"Xdot": X, "Ydot": X}, TypeError, "there is no Y"),
    "nan": ({"Xdot": X * np.nan}, ValueError, "Input Xdot contains NaN"),
    "objects": ({"Xdot": X, "Qdot": Q.astype(object)}, TypeError, "Qdot must hold real numbers"),
}


@pytest.mark.parametrize("case", WRONG_DIRECTIONS)
def test_wrong_directions_are_refused_by_name(case):
    arguments, error, message = WRONG_DIRECTIONS[case]
    with pytest.raises(error, match=message):
        gramian.hessian_vector(KERNEL, X, P, Q, **arguments)


def test_second_derivatives_are_there_for_dense_points():
    for points, kind in ((scipy.sparse.csr_array(X), "sparse points"), (InnerProducts(np.eye(4)), "inner products")):
        with pytest.raises(TypeError, match=f"X has {kind}: second derivatives"):
            gramian.hessian_vector(Gaussian(), points, P, Q, X)


def test_gradients_that_overflow_are_refused():
    large = 1e5 * np.arange(12.0).reshape(4, 3)
    for kernel in (Polynomial(degree=200), Linear() ** 60):
        with pytest.raises(ValueError, match=r"not finite: .* degree, gamma or factor"):
            gramian.adjoint(kernel, large, P, Q)
        with pytest.raises(ValueError, match=r"not finite: .* degree, gamma or factor"):
            gramian.hessian_vector(kernel, large, P, Q, large)


def test_gradients_do_not_need_the_matrix():
    rng = np.random.default_rng(0)
    X, P = rng.normal(size=(3000, 2)), rng.normal(size=(3000, 1))
    gramian.set_memory_limit(3000 * 3000 * 8 // 4)
    assert np.isfinite(gramian.adjoint(Laplacian(), X, P, P).X).all()
    assert np.isfinite(gramian.hessian_vector(Gaussian(), X, P, P, X)).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("d", [1, 3, 6])
def test_what_memory_held_before_does_not_matter(rng, d, dtype):
    X, Y, P, Q = (rng.normal(size=shape).astype(dtype) for shape in ((5, d), (5, d), (5, 2), (5, 2)))
    first = gramian.adjoint(KERNEL, X, P, Q, Y)
    for _ in range(20):
        rubbish = [np.full(size, np.nan, dtype) for size in (16, 64, 256, 1024, 4096, 20_000, 100_000) * 3]
        del rubbish
        again = gramian.adjoint(KERNEL, X, P, Q, Y)
        np.testing.assert_array_equal(again.X, first.X)
        np.testing.assert_array_equal(again.Y, first.Y)
