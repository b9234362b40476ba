# SPDX-License-Identifier: BSD-3-Clause
"""Autoencoders as values of the engine: attributes that do not fit together are refused, never read."""

import copy
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import gramian
import numpy as np
import pytest
from gramian.kernels import Cosine, Gaussian, Linear, Polynomial
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel

X = np.random.default_rng(0).normal(size=(30, 4))
FRESH = np.random.default_rng(1).normal(size=(12, 4))
OPTIONS = {"hidden": (3, 2), "max_iter": 5, "random_state": 0}
KERNELS = [Gaussian(gamma=0.2), Linear(), Gaussian(gamma=0.5)]


def quietly(model, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*arguments)


def vectors(**options):
    return quietly(gramian.KernelAutoencoder(kernels=KERNELS, **OPTIONS, **options), X)


def space(kernel=None, samples=X, **options):
    return quietly(gramian.K2Autoencoder(input_kernel=kernel, kernels=KERNELS, **OPTIONS, **options), samples)


def overlap(a, b):
    return float(len(set(a) & set(b)))


WORDS = ["kernel", "colonel", "graph", "telegraph", "vector", "sector", "tensor", "sensor"]
SPARSE = csr_array(np.where(X > 0, X, 0.0))
MODELS = {
    "vectors": (vectors, FRESH),
    "landmarks": (lambda: vectors(landmarks=9), FRESH),
    "code layer 1": (lambda: vectors(code_layer=1), FRESH),
    "gaussian space": (space, FRESH),
    "linear space": (lambda: space(Linear()), FRESH),
    "polynomial space": (lambda: space(Polynomial(degree=2)), FRESH),
    "space with landmarks": (lambda: space(landmarks=9), FRESH),
    "scaled space": (lambda: space(Gaussian(length_scale=[1.0, 2.0, 0.5, 3.0])), FRESH),
    "sparse space": (lambda: space(Cosine(), SPARSE), SPARSE[:9]),
    "sparse linear space": (lambda: space(Linear(), SPARSE), SPARSE[:9]),
    "gram matrix": (lambda: space("precomputed", rbf_kernel(X)), rbf_kernel(FRESH, X)),
    "function": (lambda: space(overlap, WORDS), WORDS[2:5]),
}
_KEPT = {}


def fitted(name):
    if name not in _KEPT:
        _KEPT[name] = MODELS[name][0]()
    return _KEPT[name]


@pytest.fixture(params=list(MODELS))
def model(request):
    return copy.deepcopy(fitted(request.param)), MODELS[request.param][1]


def plain(found):
    return found.toarray() if hasattr(found, "toarray") else found


def results(model, samples):
    codes = model.transform(samples)
    found = [codes, model.reconstruction_error(samples)]
    if hasattr(model, "nearest"):
        found += [model.nearest(codes), model.nearest(codes, samples), model.reconstruction_weights(codes)]
    if getattr(model, "X_fit_", codes) is not None:
        found.append(plain(model.inverse_transform(codes)))
    return found


def assert_same(now, then):
    for one, other in zip(now, then, strict=True):
        np.testing.assert_array_equal(one, other)


def one_row(samples, row):
    return samples[row : row + 1]


def test_codes_are_the_sums_of_the_attributes():
    model = fitted("vectors")
    Z = FRESH
    for kernel, S, Phi in zip(model.kernels_, model.supports_, model.coefficients_, strict=True):
        Z = kernel(Z, S) @ Phi
        if Z.shape[1] == 2:
            np.testing.assert_allclose(model.transform(FRESH), Z, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(model.inverse_transform(model.transform(FRESH)), Z, rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(model.reconstruction_error(FRESH), ((FRESH - Z) ** 2).sum(axis=1), rtol=1e-11)


@pytest.mark.parametrize("name", ["gaussian space", "space with landmarks", "linear space", "sparse linear space"])
def test_weights_and_errors_are_those_of_the_regression(name):
    model, samples = fitted(name), MODELS[name][1]
    codes = model.transform(samples)
    n, last = len(model.factor_), model.kernels_[-1]
    K, S = last(model.embedding_, model.supports_[-1]), last(model.supports_[-1])
    system = K.T @ K + n * model.penalties_[-1] * S
    expected = last(codes, model.supports_[-1]) @ np.linalg.solve(system, K.T)
    np.testing.assert_allclose(model.reconstruction_weights(codes), expected, rtol=1e-6, atol=1e-8)
    kernel = model.input_kernel_
    dense, own = (part.toarray() if hasattr(part, "toarray") else part for part in (samples, model.X_fit_))
    cross, gram = kernel(dense, own), kernel(own)
    errors = (
        kernel.diag(dense) - 2 * (expected * cross).sum(axis=1) + np.einsum("ij,jk,ik->i", expected, gram, expected)
    )
    np.testing.assert_allclose(model.reconstruction_error(samples), errors, rtol=1e-5, atol=1e-7)
    if isinstance(kernel, Linear):
        np.testing.assert_allclose(model.inverse_transform(codes), expected @ own, rtol=1e-6, atol=1e-7)


def test_a_row_depends_on_no_other_row(model):
    model, samples = model
    count = samples.shape[0] if hasattr(samples, "shape") else len(samples)
    together = results(model, samples)[:2]
    alone = [results(model, one_row(samples, row))[:2] for row in range(count)]
    assert_same(together, [np.concatenate(part) for part in zip(*alone, strict=True)])


def test_a_copy_and_a_pickle_say_the_same(model):
    model, samples = model
    before = results(model, samples)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        assert_same(results(twin, samples), before)


def test_threads_share_one_model(model):
    model, samples = model
    expected = results(model, samples)
    model.objective_ = model.objective_  # all threads begin without the engine's value
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: results(model, samples), range(16)):
            assert_same(found, expected)


def test_the_system_of_the_last_layer_is_kept():
    model = copy.deepcopy(fitted("gaussian space"))
    codes = model.transform(FRESH)
    before = model.reconstruction_weights(codes)
    assert_same([model.reconstruction_weights(codes)], [before])
    model.penalties_ = 10 * model.penalties_
    assert np.abs(model.reconstruction_weights(codes) - before).max() > 1e-4


def test_sparse_and_dense_rows_are_the_same_rows():
    rows = np.where(FRESH > 0, FRESH, 0.0)
    for name in ("sparse space", "sparse linear space", "gaussian space"):
        assert_same(results(fitted(name), rows), results(fitted(name), csr_array(rows)))


def test_float32_is_computed_in_float64():
    narrow = FRESH.astype(np.float32)
    for name in ("vectors", "gaussian space"):
        codes = fitted(name).transform(narrow)
        assert codes.dtype == np.float32
        np.testing.assert_array_equal(codes, fitted(name).transform(narrow.astype(np.float64)).astype(np.float32))


BROKEN = {
    "rows": lambda part: part[:-1],
    "columns": lambda part: part[..., :-1],
    "dimensions": lambda part: part[None],
    "flat": lambda part: part.ravel() if part.ndim > 1 else part[0],
    "nan": lambda part: np.full_like(part, np.nan),
    "strings": lambda part: part.astype(str),
    "none": lambda part: None,
    "empty": lambda part: part[:0],
}


def attempts(model):
    """Return names of attributes, and what they must not be."""
    for name in ("coefficients_", "supports_"):
        parts = getattr(model, name)
        for place, part in enumerate(parts):
            if part is None:
                continue
            for what, change in BROKEN.items():
                changed = list(parts)
                changed[place] = change(part)
                yield f"{name}[{place}] {what}", name, changed
        yield f"{name} short", name, parts[:-1]
    for code_layer in (0, -1, 3, 99):
        yield f"code_layer_ {code_layer}", "code_layer_", code_layer
    yield "kernels_ short", "kernels_", model.kernels_[:-1]
    yield "operators_ of another size", "operators_", [np.ones(7)] * 3
    if not hasattr(model, "factor_"):
        return
    for name in ("factor_", "diagonal_", "embedding_"):
        for what, change in BROKEN.items():
            if (name, what) not in {("diagonal_", "flat"), ("diagonal_", "columns"), ("embedding_", "flat")}:
                yield f"{name} {what}", name, change(getattr(model, name))
    yield "diagonal_ negative", "diagonal_", -np.ones_like(model.diagonal_)
    yield "penalties_ of 0", "penalties_", np.zeros(3)
    yield "penalties_ short", "penalties_", np.ones(2)
    for landmarks in ([0, 99], [-1, 3], [3, 1], [0.5], [1, 1]):
        yield f"landmarks_ {landmarks}", "landmarks_", np.array(landmarks)
    if isinstance(model.X_fit_, np.ndarray):
        for what in ("rows", "columns", "nan", "none"):
            yield f"X_fit_ {what}", "X_fit_", BROKEN[what](model.X_fit_)


def test_attributes_that_do_not_fit_together_are_refused(model):
    model, samples = model
    for what, name, value in attempts(model):
        broken = copy.copy(model)
        setattr(broken, name, value)
        try:
            codes = broken.transform(samples)
            broken.inverse_transform(codes)
        except (ValueError, TypeError) as error:
            assert str(error), what
        else:
            pytest.fail(f"{what}: nothing was said")
