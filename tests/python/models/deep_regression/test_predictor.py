# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated functions as values of the engine: attributes that do not fit together are refused, never read."""

import copy
import pickle
import warnings
from concurrent.futures import ThreadPoolExecutor

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian, Linear, Matern
from scipy.sparse import csr_array
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import rbf_kernel

OPTIONS = {"hidden": (3, 2), "inner_alpha": 0.1, "n_init": 1, "max_iter": 5, "random_state": 0}
KERNELS = [Linear(), Gaussian(gamma=0.5), Gaussian(gamma=1.0)]
X = np.random.default_rng(0).normal(size=(30, 4))
FRESH = np.random.default_rng(1).normal(size=(12, 4))
LABELS = np.array(["a", "b", "c"])[np.digitize(X[:, 0], [-0.5, 0.5])]


def quietly(model, *arguments):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(*arguments)


def regression(**options):
    options = {**OPTIONS, "standardize": True, "alpha": 0.1, **options}
    return quietly(gramian.DeepKernelRegressor(KERNELS, **options), X, np.c_[X[:, 0] ** 2, 3 * X[:, 1] + 5])


def interpolation():
    kernels = [Linear(), Matern(nu=1.5)]
    options = {**OPTIONS, "hidden": 2}
    return quietly(gramian.DeepKernelInterpolator(kernels, **options), X, X[:, 0] ** 2)


def classification(loss="logistic", labels=LABELS):
    model = gramian.DeepKernelClassifier(KERNELS, loss=loss, alpha=0.1, **OPTIONS)
    return quietly(model, X, labels)


MODELS = {
    "regression": regression,
    "landmarks": lambda: regression(landmarks=9, last_layer="joint"),
    "interpolation": interpolation,
    "logistic": classification,
    "clipped": lambda: classification("clipped"),
    "two classes": lambda: classification(labels=LABELS == "a"),
}
METHODS = ("predict", "transform", "predict_proba", "predict_log_proba", "decision_function")


@pytest.fixture(params=list(MODELS))
def model(request):
    return copy.deepcopy(_fitted(request.param))


_KEPT = {}


def _fitted(name):
    if name not in _KEPT:
        _KEPT[name] = MODELS[name]()
    return _KEPT[name]


def results(model, samples=FRESH):
    return [getattr(model, name)(samples) for name in METHODS if hasattr(model, name)]


def layers_by_hand(model, samples):
    """Return the outputs of all layers, with the Gaussian and linear kernels of KERNELS."""
    Z = (samples - model.input_shift_) / model.input_scale_
    images = []
    for kernel, S, Phi in zip(model.kernels_, model.supports_, model.coefficients_, strict=True):
        K = Z @ S.T if isinstance(kernel, Linear) else rbf_kernel(Z, S, gamma=kernel.gamma)
        Z = K @ Phi
        images.append(Z)
    return images


@pytest.mark.parametrize("name", ["regression", "landmarks"])
def test_predictions_are_the_sums_of_the_attributes(name):
    model = _fitted(name)
    first, second, last = layers_by_hand(model, FRESH)
    expected = last * model.output_scale_ + model.output_shift_
    np.testing.assert_allclose(model.predict(FRESH), expected, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(model.transform(FRESH), second, rtol=1e-11, atol=1e-11)
    np.testing.assert_allclose(model.transform(FRESH, layer=1), first, rtol=1e-11, atol=1e-11)


def test_a_row_depends_on_no_other_row(model):
    single = zip(*(results(model, row[None]) for row in FRESH), strict=True)
    for together, one_by_one in zip(results(model), single, strict=True):
        np.testing.assert_array_equal(together, np.concatenate(one_by_one))


def test_a_copy_and_a_pickle_say_the_same(model):
    before = results(model)
    for twin in (copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        for now, then in zip(results(twin), before, strict=True):
            np.testing.assert_array_equal(now, then)


def test_threads_share_one_model(model):
    expected = results(model)
    model.alpha_ = model.alpha_  # all threads begin without the engine's value
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: results(model), range(32)):
            for now, then in zip(found, expected, strict=True):
                np.testing.assert_array_equal(now, then)


def test_float32_is_computed_in_float64(model):
    narrow = FRESH.astype(np.float32)
    wide = narrow.astype(np.float64)
    assert model.transform(narrow).dtype == np.float32
    np.testing.assert_array_equal(model.predict(narrow), model.predict(wide))


def test_sparse_samples_and_sparse_supports():
    sparse_X = csr_array(np.where(X > 0, X, 0.0))
    y = X[:, 0] ** 2
    options = {**OPTIONS, "standardize": True, "alpha": 0.1}
    model = quietly(gramian.DeepKernelRegressor(KERNELS, **options), sparse_X, y)
    rows = np.where(FRESH > 0, FRESH, 0.0)
    expected = layers_by_hand(_dense(model), rows)[-1][:, 0] * model.output_scale_ + model.output_shift_
    for samples in (rows, csr_array(rows)):
        np.testing.assert_allclose(model.predict(samples), expected, rtol=1e-11)
    np.testing.assert_array_equal(model.predict(rows), model.predict(csr_array(rows)))
    on_dense = regression()
    np.testing.assert_array_equal(on_dense.predict(rows), on_dense.predict(csr_array(rows)))


def _dense(model):
    twin = copy.deepcopy(model)
    twin.supports_ = [twin.supports_[0].toarray(), *twin.supports_[1:]]
    return twin


BROKEN_ARRAYS = {
    "rows": lambda part: part[:-1],
    "columns": lambda part: part[..., :-1] if part.shape[-1] > 1 else np.hstack([part, part]),
    "dimensions": lambda part: part[None],
    "flat": lambda part: part.ravel() if part.ndim > 1 else part[0],
    "nan": lambda part: np.full_like(part, np.nan),
    "infinite": lambda part: np.full_like(part, np.inf),
    "complex": lambda part: part + 1j,
    "strings": lambda part: part.astype(str),
    "none": lambda part: None,
    "empty": lambda part: part[:0],
}


def attempts(model):
    """Return names of attributes, and what they must not be."""
    for name in ("coefficients_", "supports_"):
        for place, part in enumerate(getattr(model, name)):
            for what, change in BROKEN_ARRAYS.items():
                changed = list(getattr(model, name))
                changed[place] = change(part)
                yield f"{name}[{place}] {what}", name, changed
        yield f"{name} short", name, getattr(model, name)[:-1]
    for name in ("input_shift_", "input_scale_", "output_shift_", "output_scale_"):
        for what, change in BROKEN_ARRAYS.items():
            yield f"{name} {what}", name, change(getattr(model, name))
    for name in ("input_scale_", "output_scale_"):
        yield f"{name} zero", name, np.zeros_like(getattr(model, name))
    yield "kernels_ short", "kernels_", model.kernels_[:-1]
    yield "kernels_ of a string", "kernels_", ["no kernel"] * len(model.kernels_)
    yield "kernels_ with length scales", "kernels_", [Gaussian(gamma=[1.0] * 9)] * len(model.kernels_)
    yield "operators_ of another size", "operators_", [np.ones(7)] * len(model.operators_)
    if hasattr(model, "classes_"):
        yield "classes_ short", "classes_", model.classes_[:-1]
        yield "classes_ long", "classes_", np.append(model.classes_, model.classes_[:1])


def test_attributes_that_do_not_fit_together_are_refused(model):
    for what, name, value in attempts(model):
        broken = copy.copy(model)
        setattr(broken, name, value)
        try:
            broken.predict(FRESH)
        except (ValueError, TypeError) as error:
            assert str(error), what
        else:
            pytest.fail(f"{what}: nothing was said")


def test_what_the_message_names():
    model = copy.deepcopy(_fitted("regression"))
    for name, value, message in (
        ("input_scale_", np.zeros(4), "the scale of inputs has a number that is not greater than 0"),
        ("output_shift_", np.ones(5), "output_shift_ must have shape"),
        ("coefficients_", [part[:-1] for part in model.coefficients_], "coefficients"),
        ("supports_", [np.full_like(part, np.nan) for part in model.supports_], r"supports_\[0\] contains NaN"),
    ):
        broken = copy.copy(model)
        setattr(broken, name, value)
        with pytest.raises(ValueError, match=message):
            broken.predict(FRESH)


def test_the_deep_kernel_is_compiled_once():
    kernel = _fitted("regression").deep_kernel_
    K = kernel(X, FRESH)
    made = kernel._map
    np.testing.assert_array_equal(kernel(X, FRESH), K)
    assert kernel._map is made
    twin = pickle.loads(pickle.dumps(kernel))
    assert twin == kernel and hash(twin) == hash(kernel)
    np.testing.assert_array_equal(twin(X, FRESH), K)
    other = copy.copy(kernel).set_params(shift=kernel.shift + 1.0)
    assert np.abs(other(X, FRESH) - K).max() > 1e-3


def test_a_deep_kernel_of_broken_parts_is_refused():
    kernel = _fitted("regression").deep_kernel_
    layer = kernel.layers[0]
    for broken in (
        {"layers": (layer._replace(coefficients=layer.coefficients[:-1]), *kernel.layers[1:])},
        {"layers": kernel.layers[1:]},
        {"layers": (layer._replace(supports=layer.supports[:, :-1]), *kernel.layers[1:])},
        {"shift": kernel.shift[:-1]},
        {"scale": np.zeros_like(kernel.scale)},
    ):
        with pytest.raises(ValueError, match=r"."):
            copy.copy(kernel).set_params(**broken)(X, FRESH)
