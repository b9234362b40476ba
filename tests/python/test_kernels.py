# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import copy
import math
import pickle
import re
from fractions import Fraction

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian, Kernel

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
@pytest.mark.parametrize("value", [True, np.True_, "0.5", 1j, [0.5], np.array([0.5]), b"1"])
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
    with pytest.raises(ValueError, match=r"Invalid parameter 'degree' for kernel Gaussian\(gamma=1\.0\)"):
        kernel.set_params(gamma=2.0, degree=3)
    assert kernel.gamma == 1.0


class Scaled(Kernel):
    """A kernel with a kernel for a parameter, as sums and products are."""

    _engine_name = "none"

    def __init__(self, inner: Kernel, factor: float = 1.0) -> None:
        self._store(inner=inner, factor=factor)

    def _engine_parameters(self) -> list[float]:
        return []


def test_parameters_of_inner_kernels_are_reached_by_name():
    kernel = Scaled(Gaussian(gamma=0.5))
    assert repr(kernel) == "Scaled(inner=Gaussian(gamma=0.5))"
    assert kernel.get_params()["inner__gamma"] == 0.5
    kernel.set_params(inner__gamma=2.0, inner=Gaussian(length_scale=3.0))
    assert kernel == Scaled(Gaussian(gamma=2.0, length_scale=3.0))


def test_the_base_class_cannot_be_used():
    with pytest.raises(TypeError, match="abstract"):
        Kernel()
