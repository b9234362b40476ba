# SPDX-License-Identifier: BSD-3-Clause
"""What every kernel of the registry keeps, found through the registry: a new kernel is tested by its line there."""

from __future__ import annotations

import re

import gramian
import naive
import numpy as np
import pytest
from gramian import _core, kernels
from gramian.testing import check_kernel
from samples import ANISOTROPIC, CLASSES, COMPOSITES, LEAVES, REGISTRY

DIMENSION = 4
WIDTHS = (0.8, 1.3, 2.1, 0.6)

every_kernel = pytest.mark.parametrize("name", REGISTRY)


def points(rng: np.random.Generator) -> np.ndarray:
    """Spread points, a pair that coincides, one at the origin, and one far away."""
    X = rng.normal(size=(60, DIMENSION))
    X[1] = X[0]
    X[2] *= 100
    X[3] = 0
    return X


def engine_parameters(name: str) -> tuple[float, ...]:
    return tuple(REGISTRY[name].samples[0])


def engine_kernel(name: str, *length_scales: float) -> tuple[str, tuple[float, ...], tuple[float, ...]]:
    return name, engine_parameters(name), length_scales


def engine_names(spec: tuple) -> set[str]:
    if spec[0] in ("sum", "product", "multiple"):
        return {name for part in spec[1:] if isinstance(part, tuple) for name in engine_names(part)}
    return {spec[0]}


def test_every_kernel_of_the_registry_has_a_class_and_every_class_a_sample():
    assert {name for kernel in LEAVES for name in engine_names(kernel._lower(3).spec)} == set(REGISTRY)
    assert {type(kernel) for kernel in LEAVES + COMPOSITES} | {kernels.Sum} == set(CLASSES)
    assert {cls.__name__ for cls in CLASSES} | {"Kernel"} == set(kernels.__all__)
    assert set(naive.KERNELS) == set(REGISTRY)


@every_kernel
def test_registry_describes_the_kernel(name):
    entry = REGISTRY[name]
    assert re.fullmatch("[a-z][a-z0-9_]*", name) and entry.formula
    for parameter in entry.parameters:
        assert parameter.name and parameter.meaning
        assert np.isfinite(parameter.lower) and parameter.lower < parameter.upper
    assert entry.samples and {len(sample) for sample in entry.samples} == {len(entry.parameters)}


@pytest.mark.parametrize("kernel", LEAVES, ids=repr)
def test_class_names_the_parameters_as_the_engine_orders_them(kernel):
    spec, slots = kernel._lower(3)
    name = engine_names(spec).pop()
    own = [slot for slot in slots if slot.name]
    assert len(slots) == len(REGISTRY[name].parameters) + (spec[0] == "multiple")
    assert [slot.name for slot in own] == list(kernel.parameters)
    assert set(kernel.parameters) <= set(kernel.get_params())


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@every_kernel
def test_gram_and_product_are_the_double_loop(name, rng, dtype):
    X, Y = rng.normal(size=(33, 5)).astype(dtype), rng.normal(size=(70, 5)).astype(dtype)
    Y[1], Y[2] = X[0], 0
    V = rng.normal(size=(70, 3)).astype(dtype)
    function = naive.KERNELS[name](*engine_parameters(name))
    expected = naive.gram(function, X, Y)
    # An angle or a distance that comes out of rounding has half of the digits.
    error = {np.float64: 2e-8 if name == "arc_cosine0" else 1e-12, np.float32: 2e-3 if name == "arc_cosine0" else 2e-5}
    largest = np.abs(expected).max()
    K = _core.gram.gram(engine_kernel(name), X, Y)
    assert K.dtype == dtype
    np.testing.assert_allclose(K, expected, rtol=0, atol=error[dtype] * largest)
    scale = np.abs(expected).max(initial=1) * np.abs(V.astype(float)).sum(axis=0).max()
    product = _core.gram.product(engine_kernel(name), X, V, Y)
    np.testing.assert_allclose(product, expected @ V.astype(float), rtol=0, atol=error[dtype] * scale)


@every_kernel
def test_length_scales_divide_the_features(name, rng):
    X, Y = points(rng), rng.normal(size=(9, DIMENSION))
    K = _core.gram.gram(engine_kernel(name, *WIDTHS), X, Y)
    expected = _core.gram.gram(engine_kernel(name), X / WIDTHS, Y / WIDTHS)
    np.testing.assert_allclose(K, expected, rtol=1e-9, atol=1e-12 * np.abs(expected).max())


@every_kernel
def test_gram_is_symmetric_and_positive_semidefinite(name, rng):
    X = points(rng)
    K = _core.gram.gram(engine_kernel(name), X)
    np.testing.assert_array_equal(K, K.T)
    smallest = np.linalg.eigvalsh(K)[0]
    assert smallest >= -len(X) * np.finfo(float).eps * np.trace(K)


@every_kernel
def test_diagonal_is_exact_and_coincident_points_are_close(name, rng):
    X = points(rng)
    K = _core.gram.gram(engine_kernel(name), X)
    np.testing.assert_allclose(K[0, 1], K[0, 0], rtol=1e-12)
    one_by_one = [_core.gram.gram(engine_kernel(name), X[i : i + 1])[0, 0] for i in range(len(X))]
    np.testing.assert_array_equal(np.diag(K), one_by_one)
    np.testing.assert_array_equal(np.diag(K), _core.gram.diagonal(engine_kernel(name), X)[:, 0])


@every_kernel
def test_one_row_gives_the_bits_of_the_batch(name, rng):
    X, Y, V = points(rng), rng.normal(size=(45, DIMENSION)), rng.normal(size=(45, 3))
    K, product = _core.gram.gram(engine_kernel(name), X, Y), _core.gram.product(engine_kernel(name), X, V, Y)
    for i in (0, 3, 59):
        np.testing.assert_array_equal(_core.gram.gram(engine_kernel(name), X[i : i + 1], Y)[0], K[i])
        np.testing.assert_array_equal(_core.gram.product(engine_kernel(name), X[i : i + 1], V, Y)[0], product[i])


def gradients(found):
    return [part for part in (found.X, found.Y, found.parameters) if part is not None]


@every_kernel
def test_threads_do_not_change_a_bit(name, rng):
    X, Y = rng.normal(size=(701, DIMENSION)), rng.normal(size=(400, DIMENSION))
    P, Q, R = rng.normal(size=(701, 2)), rng.normal(size=(400, 2)), rng.normal(size=(701, 2))
    kernel, results = engine_kernel(name), []
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        results.append(
            [
                _core.gram.gram(kernel, X),
                _core.gram.product(kernel, X, P),
                *gradients(_core.gram.adjoint(kernel, X, P, R, None, True)),
                *gradients(_core.gram.adjoint(kernel, X, P, Q, Y, True)),
                _core.gram.hessian_vector(kernel, X, X, P, R, R, P, None, None).X,
            ]
        )
    for result in results[1:]:
        for value, expected in zip(result, results[0], strict=True):
            np.testing.assert_array_equal(value, expected)


@every_kernel
def test_parameters_out_of_range_are_refused_by_name(name):
    for i, parameter in enumerate(REGISTRY[name].parameters):
        lower = parameter.lower
        outside = [np.nan, np.inf, -np.inf, lower - 1, np.nextafter(lower, -np.inf)]
        outside += [] if parameter.inclusive else [lower]
        outside += [lower + 0.5, parameter.upper + 1] if parameter.whole else []
        for bad in outside:
            values = list(engine_parameters(name))
            values[i] = bad
            with pytest.raises(ValueError, match=f"{name}: {parameter.name}"):
                _core.gram.gram((name, tuple(values), ()), np.ones((2, 2)))
        if parameter.inclusive:
            values[i] = lower
            assert np.isfinite(_core.gram.gram((name, tuple(values), ()), np.ones((2, 2)))).all()
    with pytest.raises(ValueError, match=name):
        _core.gram.gram((name, (*engine_parameters(name), 1.0), ()), np.ones((2, 2)))


@every_kernel
def test_what_needs_coordinates_says_so(name, rng):
    X = rng.normal(size=(6, 3))
    inner = ("inner", X @ X.T, None, None)
    if REGISTRY[name].needs_coordinates:
        with pytest.raises(ValueError, match="coordinates"):
            _core.gram.gram(engine_kernel(name), inner)
    else:
        expected = _core.gram.gram(engine_kernel(name), X)
        np.testing.assert_allclose(_core.gram.gram(engine_kernel(name), inner), expected, rtol=1e-9, atol=1e-7)
    with pytest.raises(ValueError, match="coordinates"):
        _core.gram.gram(engine_kernel(name, 1.0, 1.0, 1.0), inner)


@pytest.mark.parametrize("kernel", LEAVES + ANISOTROPIC + COMPOSITES, ids=repr)
def test_shipped_suite(kernel, rng):
    X, Y = rng.normal(size=(50, 3)), rng.normal(size=(20, 3))
    check_kernel(kernel, X, Y)
    check_kernel(kernel, (rng.random((40, 3)) < 0.4).astype(float))
