# SPDX-License-Identifier: BSD-3-Clause
"""Inputs that an estimator must survive: what `fit` is given, and which errors are right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from reliability.fitted import CASES, NEW, ROWS, SPARSE, Case, X
from scipy.sparse import csr_matrix


class Row(NamedTuple):
    """Something that is wrong with the training data."""

    change: Callable[[Case], tuple[Any, Any]]
    """The samples and targets that `fit` is given."""
    says: str
    """A pattern of the message."""
    only: Callable[[str], bool] = lambda name: True


def _with(value: Any) -> Any:
    changed = X.copy()
    changed[5, 1] = value
    return changed


def _samples(changed: Any) -> Callable[[Case], tuple[Any, Any]]:
    return lambda case: (changed, case.y)


def _first(count: int) -> Callable[[Case], tuple[Any, Any]]:
    return lambda case: (X[:count], None if case.y is None else case.y[:count])


def _targets(change: Callable[[Any], Any]) -> Callable[[Case], tuple[Any, Any]]:
    return lambda case: (X, change(np.array(case.y, dtype=np.float64)))


def _with_nan(y: Any) -> Any:
    y.flat[3] = np.nan
    return y


def _huge_integer() -> Any:
    changed = X.astype(object)
    changed[1, 1] = 10**400
    return changed


def _supervised(name: str) -> bool:
    return CASES[name].y is not None


def _has_radial_kernel(name: str) -> bool:
    return name not in {"ParametricDeepKernelPCA"} and not name.startswith("DeepKernel") or name == "DeepKernelPCA"


DATES = np.arange(X.size).reshape(X.shape).astype("M8[D]")
MASKED = np.ma.masked_array(X, mask=X > 1)
NONE = X.astype(object)
NONE[0, 0] = None

WRONG = {
    "1 NaN": Row(_samples(_with(np.nan)), "Input X contains NaN"),
    "2 infinity": Row(_samples(_with(-np.inf)), "infinity or a value too large for dtype"),
    "2 integer beyond float64": Row(_samples(_huge_integer()), "X has a number that is too large for float64"),
    "3 NaN in y": Row(_targets(_with_nan), "y.* NaN", _supervised),
    "4 kernel overflows": Row(_samples(X * 1e160), "too large|overflow", _has_radial_kernel),
    "5 no rows": Row(_first(0), r"0 sample\(s\)"),
    "5 no columns": Row(_samples(X[:, :0]), r"0 feature\(s\)"),
    "6 one sample": Row(_first(1), "1 sample", lambda name: name not in {"OperatorKernelRidge", "KernelRidge"}),
    "6 one dimension": Row(_samples(X[:, 0]), "Expected 2D array, got 1D array"),
    "6 three dimensions": Row(_samples(X[:, :, None]), "dim 3|3 dimensions"),
    "7 lengths": Row(_targets(lambda y: y[:-1]), "inconsistent numbers of samples", _supervised),
    "9 complex": Row(_samples(X + 1j), "Complex data not supported"),
    "9 strings": Row(_samples(X.astype(str)), "X must hold real numbers"),
    "9 None": Row(_samples(NONE), "NaN|real number"),
    "9 dates": Row(_samples(DATES), "X must hold real numbers"),
    "9 mask": Row(_samples(MASKED), "X is a masked array"),
    "12 sparse where dense": Row(_samples(csr_matrix(X)), "toarray", lambda name: name not in SPARSE),
    "21 one class": Row(_targets(np.zeros_like), "classes", lambda name: name == "DeepKernelClassifier"),
}
"""Numbers are those of the table in docs/reliability.md."""


def _read_only(values: Any) -> Any:
    values = values.copy()
    values.flags.writeable = False
    return values


def _unaligned(values: Any) -> Any:
    room = bytearray(values.nbytes + 1)
    out = np.frombuffer(room, values.dtype, values.size, 1).reshape(values.shape)
    out[...] = values
    return out


SAME = {
    "10 read-only": _read_only,
    "10 columns first": np.asfortranarray,
    "10 negative strides": lambda values: np.ascontiguousarray(values[::-1])[::-1],
    "10 every second column": lambda values: np.repeat(values, 2, axis=1)[:, ::2],
    "10 other byte order": lambda values: values.astype(values.dtype.newbyteorder()),
    "10 odd addresses": _unaligned,
    "10 objects": lambda values: values.astype(object),
    "10 lists": lambda values: values.tolist(),
    "10 long double": lambda values: values.astype(np.longdouble),
}
"""The same samples in another form: the results are the same in every bit."""

NARROW = {
    "10 float16": np.float16,
    "10 float32": np.float32,
    "11 int8": np.int8,
    "11 uint16": np.uint16,
    "11 bool": np.bool_,
}
"""Types that become float64."""

DEGENERATE = {
    "6 one feature": (X[:, :1], None),
    "13 repeated rows": (np.repeat(X[:12], 3, axis=0), None),
    "13 equal rows": (np.ones_like(X), None),
    "13 constant column": (np.column_stack([X, np.ones(ROWS)])[:, [0, 1, 3]], None),
    "14 offset": (X + 1e8, None),
    "14 scales": (X * [1e12, 1e-12, 1.0], None),
    "14 tiny": (X * 1e-160, None),
    "22 constant targets": (X, "constant"),
}
"""What is fitted, with finite answers, or refused with an error that says why."""


NEW_WRONG = {
    "1 NaN": (np.where(np.arange(NEW.size).reshape(NEW.shape) == 4, np.nan, NEW), "NaN"),
    "8 features": (NEW[:, :2], "2 features, but .* is expecting 3 features"),
    "6 one dimension": (NEW[0], "Expected 2D array"),
    "9 complex": (NEW + 1j, "Complex data not supported"),
    "9 strings": (NEW.astype(str), "X must hold real numbers"),
    "5 no rows": (NEW[:0], r"0 sample\(s\)"),
}

ELSEWHERE = {
    15: "only KernelRidge takes a penalty of 0: models/kernel_ridge/test_estimator.py",
    16: "reliability/test_parameters.py",
    17: "test_kernels.py, models/_shared/test_results.py",
    18: "test_points.py: InnerProducts",
    19: "models/deep_pca/test_estimator.py, models/embedding/test_estimator.py",
    23: "test_advice.py: every estimator under a limit",
    24: "tests/slow",
    25: "models/_shared/test_landmarks.py, test_advice_in_warnings.py",
    27: "test_optim.py",
    28: "test_interrupt.py, tests/slow",
    29: "test_fits.py",
    31: "test_fork.py",
    33: "estimators are values: two fits of one object are two computations, and the last one is kept",
    34: "test_fork.py, tests/cpp/base/test_parallel.cpp",
    37: "test_model_container.py, test_model_files.py, tests/fuzz",
    38: "test_model_container.py, tests/slow",
    39: "test_import.py; make isa; make no-openmp",
    40: "tests/cpp/base/test_parallel.cpp, tests/cpp/support/any_threads.hpp",
}
"""What the rows that are not here are tested by, or why they do not apply."""
