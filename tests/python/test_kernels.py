# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import copy
import math
import operator
import pickle
import re
from fractions import Fraction

import gramian
import numpy as np
import pytest
from gramian import kernels
from gramian.kernels import (
    ArcCosine,
    Gaussian,
    Kernel,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    Power,
    Product,
    Scaled,
    Sum,
    TensorMatern,
)
from samples import ANISOTROPIC, COMPOSITES, LEAVES, WIDTHS

POINTS = np.array([[0.0, 1.0], [2.0, -1.0], [0.5, 0.5]])


def test_gamma_and_length_scale_say_the_same():
    scale = 0.7
    np.testing.assert_allclose(
        gramian.gram(Gaussian(length_scale=scale), POINTS),
        gramian.gram(Gaussian(gamma=1 / (2 * scale**2)), POINTS),
        rtol=1e-14,
    )
    np.testing.assert_array_equal(Gaussian()(POINTS), Gaussian(length_scale=1.0)(POINTS))
    assert Gaussian()(POINTS)[0, 1] == pytest.approx(math.exp(-4.0), rel=1e-14)


def test_call_on_matrices_and_on_two_points():
    kernel = Gaussian(gamma=0.25)
    np.testing.assert_array_equal(kernel(POINTS, POINTS[:2]), gramian.gram(kernel, POINTS, POINTS[:2]))
    np.testing.assert_array_equal(kernel(POINTS), gramian.gram(kernel, POINTS))
    value = kernel(POINTS[0], POINTS[1])
    assert type(value) is float
    assert value == pytest.approx(math.exp(-2.0), rel=1e-14)
    assert type(kernel([0.0, 1.0], (2, -1))) is float
    with pytest.raises(ValueError, match="Expected 2D array Y, got 1D"):
        kernel(POINTS, POINTS[0])


@pytest.mark.parametrize("value", [1, 0.5, np.float32(0.5), np.float64(2), np.int64(3), Fraction(1, 3), 1e-300, 1e300])
def test_any_real_number_is_a_parameter(value):
    assert Gaussian(gamma=value)([0.0], [0.0]) == 1.0


@pytest.mark.parametrize("name", ["gamma", "length_scale"])
@pytest.mark.parametrize("value", [0, -1.0, math.nan, math.inf, -math.inf, 10**400])
def test_numbers_out_of_range_are_refused_at_use(name, value):
    kernel = Gaussian(**{name: value})
    with pytest.raises(ValueError, match=f"'{name}' parameter of Gaussian must be a finite number greater than 0. Got"):
        kernel(POINTS)


@pytest.mark.parametrize("name", ["gamma", "length_scale"])
@pytest.mark.parametrize("value", [True, np.True_, "0.5", 1j, {0.5}, b"1"])
def test_what_is_no_number_is_refused_at_use(name, value):
    with pytest.raises(TypeError, match=f"'{name}' parameter of Gaussian must be a finite number .* Got"):
        gramian.product(Gaussian(**{name: value}), POINTS, np.ones(3))


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_length_scales_that_cannot_be_squared_are_refused(scale):
    with pytest.raises(ValueError, match=re.escape(f"can square: {scale!r}")):
        Gaussian(length_scale=scale)(POINTS)


def test_both_given_is_refused_at_use_so_that_set_params_can_pass_through():
    kernel = Gaussian(gamma=1.0).set_params(length_scale=2.0)
    with pytest.raises(ValueError, match=r"Only one of 'gamma' and 'length_scale'.*gamma=1\.0 and length_scale=2\.0"):
        kernel(POINTS)
    assert kernel.set_params(gamma=None)(POINTS).shape == (3, 3)


def test_equality_hash_and_repr_are_those_of_the_parameters():
    assert Gaussian(gamma=0.5) == Gaussian(gamma=0.5) != Gaussian(gamma=0.25)
    assert Gaussian(gamma=0.5) != Gaussian(length_scale=1.0)
    assert Gaussian() != "precomputed"
    assert len({Gaussian(gamma=0.5), Gaussian(0.5), Gaussian(gamma=np.float64(0.5)), Gaussian()}) == 2
    assert repr(Gaussian()) == "Gaussian()"
    assert repr(Gaussian(gamma=np.float64(0.5))) == "Gaussian(gamma=0.5)"
    assert eval(repr(Gaussian(length_scale=0.1))) == Gaussian(length_scale=0.1)


def test_array_parameters_compare_and_hash():
    kernel = Gaussian(length_scale=np.array([1.0, 2.0]))
    assert kernel == Gaussian(length_scale=np.array([1.0, 2.0])) != Gaussian(length_scale=np.array([1.0, 3.0]))
    assert hash(kernel) == hash(copy.deepcopy(kernel))
    assert hash(Gaussian(length_scale=[1.0, 2.0])) == hash(Gaussian(length_scale=(1.0, 2.0)))


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickle_at_every_protocol(protocol):
    kernel = Gaussian(length_scale=0.3)
    restored = pickle.loads(pickle.dumps(kernel, protocol))
    assert type(restored) is Gaussian and restored == kernel and hash(restored) == hash(kernel)
    np.testing.assert_array_equal(restored(POINTS), kernel(POINTS))


def test_copies_are_equal_and_apart():
    kernel = Gaussian(gamma=0.5)
    for twin in (copy.copy(kernel), copy.deepcopy(kernel)):
        assert twin == kernel and twin is not kernel
        twin.set_params(gamma=1.0)
        assert kernel.gamma == 0.5


def test_values_change_only_through_set_params():
    kernel = Gaussian(gamma=0.5)
    with pytest.raises(AttributeError, match=r"set_params\(gamma=\.\.\.\)"):
        kernel.gamma = 1.0
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del kernel.gamma
    assert kernel.set_params(gamma=1.0) is kernel
    assert kernel.get_params() == {"gamma": 1.0, "length_scale": None}
    with pytest.raises(ValueError, match=r"Invalid parameter 'degree' for Gaussian\(gamma=1\.0\)"):
        kernel.set_params(gamma=2.0, degree=3)
    assert kernel.gamma == 1.0


@pytest.mark.parametrize("kernel", ANISOTROPIC, ids=repr)
def test_one_width_for_each_feature(kernel, rng):
    X, Y = rng.normal(size=(7, 3)), rng.normal(size=(5, 3))
    (name,) = kernel.get_params().keys() & {"gamma", "length_scale"} & {n for n, v in kernel.get_params().items() if v}
    # One width is the same width everywhere ...
    same = copy.copy(kernel).set_params(**{name: [0.7] * 3})
    np.testing.assert_allclose(same(X, Y), copy.copy(kernel).set_params(**{name: 0.7})(X, Y), rtol=1e-13)
    # ... and one feature alone sees its own.
    only = np.zeros((3, 3))
    only[:, 1] = [0.0, 0.4, 1.1]
    middle = copy.copy(kernel).set_params(**{name: WIDTHS[1]})
    np.testing.assert_allclose(kernel(only), middle(only), rtol=1e-13)


@pytest.mark.parametrize("kernel", ANISOTROPIC, ids=repr)
def test_bad_widths_are_refused(kernel, rng):
    (name,) = kernel.get_params().keys() & {"gamma", "length_scale"} & {n for n, v in kernel.get_params().items() if v}
    kind = type(kernel).__name__
    X = rng.normal(size=(4, 3))
    for bad in ([1.0, 2.0], [1.0] * 4, []):
        with pytest.raises(ValueError, match=f"'{name}' parameter of {kind} has {len(bad)} entries for 3 features"):
            copy.copy(kernel).set_params(**{name: bad})(X)
    for bad in (0, -1.0, math.nan, math.inf):
        with pytest.raises(ValueError, match=rf"'{name}\[1\]' parameter of {kind} .* Got {bad!r}"):
            copy.copy(kernel).set_params(**{name: [1.0, bad, 1.0]})(X)
    for bad in (["a"] * 3, [None] * 3, [1j] * 3, [True] * 3, np.ma.masked_array([1.0] * 3, [0, 1, 0])):
        with pytest.raises(TypeError, match=name):
            copy.copy(kernel).set_params(**{name: bad})(X)
    with pytest.raises(ValueError, match="one dimension"):
        copy.copy(kernel).set_params(**{name: [[1.0, 2.0, 3.0]]})(X)


CHOICES = [
    (Laplacian, "norm", ["l1", "l2"], ["l3", 1, None, True, ["l1"]]),
    (Matern, "nu", [0.5, 1.5, 2.5, np.float64(1.5)], [1, 2.0, math.inf, math.nan, "1.5", None, [1.5]]),
    (TensorMatern, "s", [1, 2, 3, np.int64(2)], [0, 4, 1.5, True, "1", None]),
    (TensorMatern, "normalized", [True, False, np.True_], [1, 0, "yes", None]),
    (ArcCosine, "order", [0, 1, 2], [3, -1, False, "0", None]),
]


@pytest.mark.parametrize(("kind", "name", "good", "bad"), CHOICES)
def test_choices(kind, name, good, bad):
    for value in good:
        assert np.isfinite(kind(**{name: value})(POINTS)).all()
    for value in bad:
        with pytest.raises(ValueError, match=f"'{name}' parameter of {kind.__name__} must be one of"):
            kind(**{name: value})(POINTS)


def test_polynomial_parameters_are_checked():
    for bad in (2.0, 2.5, True, "2", None):
        with pytest.raises(TypeError, match="'degree' parameter of Polynomial must be an integer"):
            Polynomial(degree=bad)(POINTS)
    for bad in (0, -1, 10**6 + 1):
        with pytest.raises(ValueError, match="'degree' parameter of Polynomial must be an integer"):
            Polynomial(degree=bad)(POINTS)
    for name, bad, domain in (("gamma", 0.0, "greater than 0"), ("coef0", -1e-9, "at least 0")):
        with pytest.raises(ValueError, match=f"'{name}' parameter of Polynomial must be a finite number {domain}"):
            Polynomial(**{name: bad})(POINTS)


@pytest.mark.parametrize("kernel", [Polynomial(degree=400), Polynomial(gamma=1e200), 1e300 * Linear(), Linear() ** 60])
def test_a_kernel_that_overflows_is_refused(kernel):
    X = 1e5 * POINTS
    V = np.ones((3, 1))
    for call in (
        lambda: gramian.gram(kernel, X),
        lambda: gramian.gram(kernel, X, X.copy()),
        lambda: gramian.diagonal(kernel, X),
        lambda: gramian.product(kernel, X, V),
        lambda: gramian.product(kernel, X, V, X.copy()),
    ):
        with pytest.raises(ValueError, match="not finite: .* degree, gamma or factor"):
            call()


def test_tensor_matern_as_printed():
    for s, each in ((1, 1.0), (2, 1.0), (3, 3.0)):
        for d in (1, 2, 5):
            x = np.zeros(d)
            printed = TensorMatern(s=s, normalized=False)
            assert printed(x, x) == pytest.approx((math.pi / 2) ** (d / 2) * each**d, rel=1e-14)
    with pytest.raises(ValueError, match="overflows at 2000 features. Use normalized=True"):
        TensorMatern(s=3, normalized=False)(np.zeros((1, 2000)))


def test_composition_by_operators():
    a, b = Gaussian(gamma=0.5), Linear()
    assert a + b == Sum(a, b) and a * b == Product(a, b)
    assert 2 * a == a * 2.0 == np.float64(2.0) * a == a * np.int64(2) == Scaled(2.0, a)
    assert a**3 == Power(a, 3)
    K, L = a(POINTS), b(POINTS)
    np.testing.assert_allclose((2.0 * a + b * a)(POINTS), 2 * K + L * K, rtol=1e-14)
    np.testing.assert_allclose(((a + b) ** 3)(POINTS), (K + L) ** 3, rtol=1e-14)
    np.testing.assert_allclose((2.0 * a + b).diag(POINTS), 2 + np.diag(L), rtol=1e-14)


@pytest.mark.parametrize("other", ["2", None, True, 1j, [1.0], np.ones(2), np.ones((2, 2)), Gaussian])
def test_what_is_no_kernel_and_no_number_does_not_compose(other):
    for operation in (operator.add, operator.mul, operator.pow):
        with pytest.raises(TypeError):
            operation(Gaussian(), other)
        with pytest.raises(TypeError):
            operation(other, Gaussian())
    with pytest.raises(TypeError):
        Gaussian() + 1.0


@pytest.mark.parametrize("factor", [0.0, -1.0, math.nan, math.inf, 10**400])
def test_factors_out_of_range_are_refused_at_use(factor):
    with pytest.raises(ValueError, match="'factor' parameter of Scaled must be a finite number greater than 0"):
        (factor * Gaussian())(POINTS)


def test_parts_are_checked_at_use():
    with pytest.raises(TypeError, match="'k2' parameter of Sum must be a kernel"):
        Sum(Gaussian(), "linear")(POINTS)
    with pytest.raises(ValueError, match="'gamma' parameter of Gaussian"):
        (Linear() + 2.0 * Gaussian(gamma=-1.0))(POINTS)
    with pytest.raises(TypeError, match="'exponent' parameter of Power must be an integer"):
        (Gaussian() ** 2.5)(POINTS)
    for exponent in (0, 65):
        with pytest.raises(ValueError, match="'exponent' parameter of Power must be an integer in"):
            (Gaussian() ** exponent)(POINTS)


EXPRESSIONS = [
    "Gaussian() + Linear()",
    "Gaussian() + Linear() + Delta()",
    "Gaussian() + (Linear() + Delta())",
    "Gaussian() * Linear() * Delta()",
    "Gaussian() * (Linear() * Delta())",
    "(Gaussian() + Linear()) * Delta()",
    "Gaussian() + Linear() * Delta()",
    "2.0 * Gaussian()",
    "2.0 * (3.0 * Gaussian())",
    "2.0 * Gaussian() * Linear()",
    "2.0 * (Gaussian() * Linear())",
    "Linear() * (2.0 * Gaussian())",
    "2.0 * Gaussian() ** 2",
    "(2.0 * Gaussian()) ** 2",
    "(Gaussian() ** 2) ** 3",
    "Gaussian(length_scale=[1.0, 2.0]) + Matern(nu=2.5)",
]


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_expressions_are_printed_as_they_are_written(text):
    kernel = eval(text, dict(vars(kernels)))
    assert repr(kernel) == text
    assert eval(repr(kernel), dict(vars(kernels))) == kernel


@pytest.mark.parametrize("kernel", LEAVES + ANISOTROPIC + COMPOSITES, ids=repr)
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_kernel_pickles_at_every_protocol(kernel, protocol):
    restored = pickle.loads(pickle.dumps(kernel, protocol))
    assert type(restored) is type(kernel) and restored == kernel and hash(restored) == hash(kernel)
    assert repr(restored) == repr(kernel)


def test_kernels_of_different_shape_differ():
    every = LEAVES + ANISOTROPIC + COMPOSITES
    assert all((a == b) == (i == j) for i, a in enumerate(every) for j, b in enumerate(every))
    assert len(set(every)) == len(every)
    assert Gaussian() + Linear() != Linear() + Gaussian()
    assert Gaussian() + Linear() != Gaussian() * Linear()


def test_parameters_of_inner_kernels_are_reached_by_name():
    kernel = 2.0 * Gaussian(gamma=0.5) + Polynomial()
    assert kernel.get_params() == {
        "k1": 2.0 * Gaussian(gamma=0.5),
        "k2": Polynomial(),
        "k1__factor": 2.0,
        "k1__kernel": Gaussian(gamma=0.5),
        "k1__kernel__gamma": 0.5,
        "k1__kernel__length_scale": None,
        "k2__degree": 3,
        "k2__gamma": 1.0,
        "k2__coef0": 1.0,
    }
    kernel.set_params(k1__kernel__gamma=2.0, k2__degree=2, k1__factor=3.0)
    assert kernel == 3.0 * Gaussian(gamma=2.0) + Polynomial(degree=2)
    kernel.set_params(k2__length_scale=4.0, k2=Gaussian())  # the part is set before its parameter
    assert kernel.k2 == Gaussian(length_scale=4.0)


def test_a_part_that_is_shared_stays_as_it_is():
    part = Gaussian(gamma=0.5)
    kernel = part + part * Linear()
    kernel.set_params(k1__gamma=2.0)
    assert part.gamma == 0.5 and kernel == Gaussian(gamma=2.0) + Gaussian(gamma=0.5) * Linear()


def test_parameters_have_the_names_of_the_gradient():
    kernel = 2.0 * Gaussian(length_scale=[1.0, 2.0]) + Polynomial(gamma=0.5) ** 2
    assert list(kernel.parameters) == [
        "k1__factor",
        "k1__kernel__length_scale",
        "k2__kernel__gamma",
        "k2__kernel__coef0",
    ]
    np.testing.assert_array_equal(kernel.parameters["k1__kernel__length_scale"], [1.0, 2.0])
    assert Gaussian().parameters == {"length_scale": 1.0}
    assert Linear().parameters == {}
    # factor; gamma of the engine, two scales; degree, gamma, coef0, and once more
    named = kernel.named_gradient([1.0, 10.0, 2.0, 3.0, 20.0, 4.0, 5.0, 20.0, 6.0, 7.0])
    assert named["k1__factor"] == 1.0 and named["k2__kernel__gamma"] == 10.0 and named["k2__kernel__coef0"] == 12.0
    np.testing.assert_array_equal(named["k1__kernel__length_scale"], [2.0, 3.0])
    with pytest.raises(ValueError, match=r"vector must have shape \(10,\)"):
        kernel.named_gradient([1.0])


def test_the_base_class_cannot_be_used():
    with pytest.raises(TypeError, match="abstract"):
        Kernel()
