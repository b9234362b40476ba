# SPDX-License-Identifier: BSD-3-Clause
"""Samples of either side of a model: points, rows of a Gram matrix, or objects that a function compares."""

import math
import numbers
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeAlias, cast

import numpy as np

from gramian import _core
from gramian._operands import Operands
from gramian._validation import FLOAT64, FloatArray, is_sparse, refuse_mask
from gramian.functional import diagonal
from gramian.kernels import Kernel
from gramian.kernels.choice import OPEN_GAUSSIAN, KernelChoice, OpenKernel, SampleFunction, choose_kernel, is_function
from gramian.models._shared.compatibility import check_array, validate_data
from gramian.points import InnerProducts, check_points

SideKernel: TypeAlias = Kernel | str | SampleFunction
"""One of gramian.kernels, "precomputed", or a function of samples."""

_NUMBERS = "fiub"


def check_kernel(value: Any, name: str, owner: str, default: KernelChoice = OPEN_GAUSSIAN) -> KernelChoice:
    """Return the kernel of samples that a parameter means, which may be known by its values only."""
    return default if value is None else choose_kernel(value, name, owner, precomputed=True, functions=True)


def has_points(kernel: Any) -> bool:
    """Tell whether samples of this kernel are vectors."""
    return isinstance(kernel, Kernel | OpenKernel)


def check_inputs(learner: Any, kernel: Any, X: Any, *, ensure_min_samples: int = 1, **checks: Any) -> Any:
    """Return X as float64 in rows, dense or sparse, or as a sequence of objects; the learner learns its features."""
    if is_function(kernel):
        return check_objects(X, "X", ensure_min_samples)
    sparse = False if isinstance(kernel, str) and kernel == "precomputed" else "csr"
    checks = {"ensure_min_samples": ensure_min_samples, "accept_sparse": sparse, **checks}
    return validate_data(learner, X, dtype=np.float64, order="C", **checks)


def check_vectors(Y: Any, name: str, instead: str = "") -> Any:
    """Return numbers of whatever width, in rows or one for each sample, dense or sparse; instead: more advice."""
    checked = check_array(Y, name, accept_sparse="csr", ensure_2d=False, dtype=None)
    if checked.dtype.kind == "O" and all(isinstance(entry, numbers.Real) for entry in np.ravel(checked)):
        checked = checked.astype(np.float64)
    if checked.dtype.kind not in _NUMBERS:
        raise TypeError(
            f"{name} must hold real numbers, and numbers alone, got dtype {checked.dtype}. For strings and other "
            f"objects the kernel must be a function of two of them, or 'precomputed'{instead}."
        )
    return checked


def check_objects(Y: Any, name: str, least: int = 1) -> Any:
    """Return a list or an array of objects of one kind."""
    refuse_mask(Y, name)
    if is_sparse(Y):
        raise TypeError(
            f"{name} is sparse, and a kernel that is a function takes two objects: pass {name}.toarray(), or a list of "
            f"its rows."
        )
    sequence = hasattr(Y, "__len__") and hasattr(Y, "__getitem__") and not isinstance(Y, Mapping)
    if isinstance(Y, str | bytes) or not sequence:
        raise TypeError(f"{name} must be a sequence with an object for each sample. Got {type(Y).__name__} instead.")
    if len(Y) < least:
        raise ValueError(f"Found {name} with {len(Y)} sample(s) while a minimum of {least} is required.")
    samples = Y if isinstance(Y, np.ndarray) else np.asarray(Y) if hasattr(Y, "columns") else list(Y)
    general = _kind(samples[0])
    for index, sample in enumerate(samples):
        kind = _kind(sample)
        # Everything is an object: that alone makes nothing alike.
        if (
            kind is not general
            and object in (kind, general)
            or not (issubclass(kind, general) or issubclass(general, kind))
        ):
            raise TypeError(
                f"{name} holds objects of different types: {type(samples[0]).__name__} at 0 and "
                f"{type(sample).__name__} at {index}. Convert them to one type."
            )
        general = kind if issubclass(general, kind) else general
    return samples


def _kind(sample: Any) -> type:
    return numbers.Number if isinstance(sample, numbers.Number) else type(sample)


def check_gram(K: Any, name: str) -> FloatArray:
    """Return a square matrix of inner products."""
    K = check_array(K, name, dtype=np.float64)
    if K.shape[0] != K.shape[1]:
        raise ValueError(
            f"{name} must be a square matrix of inner products between the training samples for 'precomputed'. "
            f"Got shape {K.shape} instead."
        )
    return cast(FloatArray, K)


def check_inner_products(K: Any, name: str) -> FloatArray:
    """Return those of the samples with each other: symmetric, and no larger than their norms allow."""
    checked = check_gram(K, name)
    try:
        InnerProducts(checked)
    except ValueError as error:
        raise ValueError(f"{name} is no Gram matrix, which is called K here: {error}") from error
    return checked


def alike(X: Any, Y: Any) -> Any:
    """Return Y as sparse or dense as X is."""
    if type(X) is np.ndarray and type(Y) is np.ndarray or is_sparse(X) == is_sparse(Y):
        return Y
    return sys.modules["scipy.sparse"].csr_matrix(Y) if is_sparse(X) else Y.toarray()


def crossing(X: Any) -> Any:
    """Return what the binding takes for samples as `_new_samples` returns them."""
    return X if isinstance(X, np.ndarray) else check_points(X, "X").crossing(FLOAT64)


def as_points(Y: Any) -> Any:
    """Return numbers in rows."""
    return Y[:, None] if isinstance(Y, np.ndarray) and Y.ndim == 1 else Y


def rows_of(samples: Any, rows: Any) -> Any:
    """Return some samples, in this order."""
    return [samples[row] for row in rows] if isinstance(samples, list) else samples[rows]


def kept(samples: Any, rows: Any) -> Any:
    """Return a copy of some samples, or of all of them."""
    return samples.copy() if rows is None else rows_of(samples, rows)


def count_of(samples: Any) -> int:
    """Return how many samples there are."""
    return int(samples.shape[0]) if hasattr(samples, "shape") else len(samples)


def source(kernel: SideKernel, samples: Any) -> Any:
    """Return what the binding takes for training samples: a kernel and points, or a Gram matrix."""
    if isinstance(kernel, Kernel):
        operands = Operands(kernel, samples, None)
        return operands.spec, operands.points(FLOAT64)[0]
    return samples if isinstance(kernel, str) else function_values(kernel, samples)


def cross_source(kernel: SideKernel, fresh: Any, training: Any, squares: FloatArray | None = None) -> Any:
    """Return what it takes for new samples; a Gram matrix has columns for the training samples alone."""
    if isinstance(kernel, Kernel):
        operands = Operands(kernel, alike(training, fresh), training)
        return operands.spec, *operands.points(FLOAT64)
    cross = fresh if isinstance(kernel, str) else function_values(kernel, fresh, training)
    return cross if squares is None else (cross, squares[:, None])


def squared_norms(kernel: "Kernel | SampleFunction", samples: Any) -> FloatArray:
    """Return the kernel of each sample with itself."""
    if isinstance(kernel, Kernel):
        return cast(FloatArray, diagonal(kernel, samples).astype(np.float64, copy=False))
    return _paired_values(kernel, samples, samples)


def paired(kernel: "Kernel | SampleFunction", left: Any, right: Any) -> FloatArray:
    """Return the kernel of each sample on the left with its partner on the right."""
    if not isinstance(kernel, Kernel):
        return _paired_values(kernel, left, right)
    operands = Operands(kernel, left, alike(left, right))
    return _core.gram.paired(operands.spec, *operands.points(FLOAT64))[:, 0]


def function_values(kernel: SampleFunction, left: Any, right: Any = None) -> FloatArray:
    """Return the values of a kernel that is a function, of one set of samples or of two."""
    if _is_of_sets(kernel, left, left if right is None else right):
        return _values_of_sets(kernel, left, left if right is None else right)
    if right is not None:
        return np.array([[_value(kernel, a, b) for b in right] for a in left]).reshape(len(left), len(right))
    K = np.empty((len(left), len(left)))
    for i, a in enumerate(left):
        for j in range(i + 1):
            K[i, j] = K[j, i] = _value(kernel, a, left[j])
    return K


def _paired_values(kernel: SampleFunction, left: Any, right: Any) -> FloatArray:
    """Return the values of samples on the left with their partners on the right."""
    if not _is_of_sets(kernel, left, right):
        return np.array([_value(kernel, a, b) for a, b in zip(left, right, strict=True)])
    each = [slice(i, i + 1) for i in range(count_of(left))]
    return np.array([_values_of_sets(kernel, left[row], right[row])[0, 0] for row in each])


def _is_of_sets(kernel: SampleFunction, left: Any, right: Any) -> bool:
    """Tell whether a function takes two sets of samples and returns a matrix: it does not return a number for two."""
    with suppress(Exception):  # whatever it makes of a sample in the place of a set
        if np.ndim(kernel(left[0], right[0])) < 2:
            return False
    with suppress(Exception):  # of pairs, it raises once more where its values are needed
        return np.shape(kernel(_as_set(left[:2]), _as_set(right[:1]))) == (min(2, count_of(left)), 1)
    return False


def _values_of_sets(kernel: SampleFunction, left: Any, right: Any) -> FloatArray:
    K = np.asarray(kernel(_as_set(left), _as_set(right)), dtype=np.float64)
    expected = count_of(left), count_of(right)
    if K.shape != expected:
        raise ValueError(
            f"A kernel of two sets must return a matrix of shape {expected}: {kernel!r} returned {K.shape}."
        )
    if not np.isfinite(K).all():
        raise ValueError(f"A kernel must return finite numbers: {kernel!r} returned others.")
    return K


def _as_set(samples: Any) -> Any:
    """Return numbers in rows, and objects as they are."""
    return as_points(samples) if isinstance(samples, np.ndarray) and samples.dtype.kind in _NUMBERS else samples


def _value(kernel: SampleFunction, a: Any, b: Any) -> float:
    value = kernel(a, b)
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"A kernel must return a finite number: {kernel!r} returned {value!r} for {a!r} and {b!r}.")
    return number
