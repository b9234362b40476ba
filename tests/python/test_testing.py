# SPDX-License-Identifier: BSD-3-Clause
"""The shipped suite sees what it is there to see: each case breaks one thing, a little."""

from __future__ import annotations

import numpy as np
import pytest
from gramian import functional
from gramian.kernels import Gaussian, Kernel, Laplacian, Linear, Matern
from gramian.kernels.lowering import Lowered
from gramian.testing import check_kernel

KERNEL = 2.0 * Gaussian(gamma=0.5) + Linear()


@pytest.fixture
def X(rng):
    return rng.normal(size=(30, 3))


def broken(monkeypatch, name, change):
    """Let a function of the functional layer go wrong."""
    right = getattr(functional, name)
    monkeypatch.setattr(functional, name, lambda *args, **kwargs: change(right(*args, **kwargs), *args, **kwargs))


def test_right_kernels_pass(X):
    check_kernel(KERNEL, X)
    check_kernel(KERNEL, X, X[:7])
    check_kernel(KERNEL, X.tolist())
    check_kernel(KERNEL, X[:1])


def asymmetric(K, kernel, X, Y=None):
    K[0, -1] += 1e-9 if Y is None else 0
    return K


def indefinite(K, kernel, X, Y=None):
    return K - (np.linalg.eigvalsh(K)[0] + 1e-9) * np.eye(len(K)) if Y is None else K


def other_for_two_sets(K, kernel, X, Y=None):
    return K if Y is None else K * (1 + 1e-9)


def other_by_order(K, kernel, X, Y=None):
    return K if Y is None or len(X) >= len(Y) else K * (1 + 1e-9)


def not_a_number(K, kernel, X, Y=None):
    return np.where(K.max() == K, np.nan, K)


def poor_in_float32(K, kernel, X, Y=None):
    return K if K.dtype == np.float64 else K + np.float32(0.05 * np.abs(K).max())


def wide_in_float32(K, kernel, X, Y=None):
    return K.astype(float)


GRAMS = [
    (asymmetric, "not symmetric"),
    (indefinite, "not positive semidefinite"),
    (other_for_two_sets, "X and its copy differs"),
    (other_by_order, "not the transpose"),
    (not_a_number, "not finite"),
    (poor_in_float32, "in float32 is far"),
    (wide_in_float32, "float32 points give float64"),
]


@pytest.mark.parametrize(("change", "message"), GRAMS)
def test_a_wrong_gram_is_seen(monkeypatch, X, change, message):
    broken(monkeypatch, "gram", change)
    with pytest.raises(AssertionError, match=message):
        check_kernel(KERNEL, X)


def test_a_wrong_diagonal_is_seen(monkeypatch, X):
    broken(monkeypatch, "diagonal", lambda result, *_: result * (1 + 1e-12))
    with pytest.raises(AssertionError, match="diagonal is not that of the Gram matrix"):
        check_kernel(KERNEL, X)


def test_a_wrong_product_is_seen(monkeypatch, X):
    broken(monkeypatch, "product", lambda result, *_: result + 1e-9)
    with pytest.raises(AssertionError, match="product differs"):
        check_kernel(KERNEL, X)


def off(gradient):
    return None if gradient is None else gradient * (1 + 1e-4)


ADJOINTS = [
    (lambda r, *_, **__: r._replace(X=off(r.X)), "gradient in X from P and Q"),
    (lambda r, *_, **k: r._replace(X=off(r.X)) if "Kbar" in k else r, "gradient in X from Kbar"),
    (lambda r, *_, **__: r._replace(Y=off(r.Y)), "gradient in Y from P and Q"),
    (lambda r, *_, **__: r._replace(X=r.X * np.nan), "gradient in X from P and Q is not finite"),
    (
        lambda r, *_, **__: r._replace(parameters={**r.parameters, "k1__factor": off(r.parameters["k1__factor"])}),
        "gradient in k1__factor",
    ),
    (
        lambda r, *_, **__: r._replace(
            parameters={**r.parameters, "k1__kernel__gamma": off(r.parameters["k1__kernel__gamma"])}
        ),
        "gradient in k1__kernel__gamma",
    ),
    (lambda r, *_, **__: r._replace(parameters={"k1__factor": 1.0}), "other names"),
]


@pytest.mark.parametrize(("change", "message"), ADJOINTS)
def test_a_wrong_gradient_is_seen(monkeypatch, X, change, message):
    broken(monkeypatch, "adjoint", change)
    with pytest.raises(AssertionError, match=message):
        check_kernel(KERNEL, X)


def test_a_wrong_second_derivative_is_seen(monkeypatch, X):
    broken(monkeypatch, "hessian_vector", lambda r, *_, **k: (r[0], off(r[1])) if "Y" in k else r)
    with pytest.raises(AssertionError, match="hessian_vector in X and Y differs"):
        check_kernel(KERNEL, X)
    broken(monkeypatch, "hessian_vector", lambda r, *_, **k: r if "Y" in k else off(r))
    with pytest.raises(AssertionError, match="hessian_vector in X differs"):
        check_kernel(KERNEL, X)


class Forgetful(Matern):
    """Cannot be rebuilt from what it gives."""

    def __reduce__(self):
        return Forgetful, (1.5, 9.0)


class Unprintable(Laplacian):
    def __repr__(self) -> str:
        return "Unprintable(gamma=7.0)"


class WrongChain(Gaussian):
    """Its length scale is taken for the engine's gamma."""

    def _lower(self, dimension):
        spec, (slot,) = super()._lower(dimension)
        return Lowered(spec, (slot._replace(chain=1.0),))


class UnknownName(Gaussian):
    def _lower(self, dimension):
        spec, (slot,) = super()._lower(dimension)
        return Lowered(spec, (slot._replace(name="width"),))


VALUES: list[tuple[Kernel, str]] = [
    (Forgetful(), "copy gives"),
    (Unprintable(), "repr, evaluated, gives"),
    (WrongChain(length_scale=0.7), "gradient in length_scale"),
    (UnknownName(), r"set_params does not know \['width'\]"),
]


@pytest.mark.parametrize(("kernel", "message"), VALUES)
def test_a_kernel_that_is_no_value_is_seen(kernel, message, X):
    with pytest.raises(AssertionError, match=message):
        check_kernel(kernel, X)


def test_bad_points_are_refused():
    with pytest.raises(ValueError, match="Input X contains NaN"):
        check_kernel(KERNEL, [[np.nan]])
    with pytest.raises(ValueError, match="Incompatible dimension"):
        check_kernel(KERNEL, np.ones((3, 2)), np.ones((3, 1)))
