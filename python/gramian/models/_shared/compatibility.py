# SPDX-License-Identifier: BSD-3-Clause
"""What has other names in older releases of scikit-learn, and what its checks let through."""

import contextlib
from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from sklearn.utils import check_array as _check_array
from sklearn.utils._set_output import _get_output_config  # there is no public name for it

from gramian import _core
from gramian._validation import FLOAT64, aligned, is_sparse, refuse_lossy, refuse_mask

try:
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:  # before 1.6 it was a method

    def _validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
        return estimator._validate_data(X, **checks)


_PLAIN_ARRAY = frozenset({"accept_sparse", "dtype", "order", "ensure_2d"})
_PLAIN_DATA = _PLAIN_ARRAY | {"ensure_min_samples", "multi_output", "reset", "y", "y_numeric"}
"""Checks that float64 arrays pass as they are, if they are of the right shape and finite."""


def validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
    """Check X, and its names and number of features against those that were learned; y too if it is given."""
    if _adds_nothing(estimator, X, checks):
        if checks.get("reset", True):
            estimator.n_features_in_ = X.shape[1]
        return X if "y" not in checks else (X, checks["y"])
    for name, value in (("X", X), ("y", checks.get("y"))):
        refuse_lossy(value, name)
    with _overflows("X"):
        checked = _validate_data(estimator, X, **checks)
    return tuple(map(aligned, checked)) if isinstance(checked, tuple) else aligned(checked)


def check_array(value: Any, name: str, **checks: Any) -> Any:
    """Check an array other than X in the same way; errors call it by its name. Without a dtype nothing is converted."""
    dimensions = (2,) if checks.get("ensure_2d", True) else (1, 2)
    if _PLAIN_ARRAY.issuperset(checks) and checks.get("dtype") in (None, np.float64) and _is_plain(value, dimensions):
        return value
    if checks.get("dtype") is None and not is_sparse(value):
        refuse_mask(value, name)
    else:
        refuse_lossy(value, name)
    with _overflows(name):
        return aligned(_check_array(value, input_name=name, **checks))


@contextlib.contextmanager
def _overflows(name: str) -> Iterator[None]:
    """Give an integer of Python that no float64 holds an error that names the argument."""
    try:
        yield
    except OverflowError as error:
        raise ValueError(f"{name} has a number that is too large for float64: scale the data.") from error


def _is_plain(value: Any, dimensions: tuple[int, ...]) -> bool:
    """Tell whether a value is what scikit-learn's checks would return, which take longer than a small fit should."""
    if type(value) is not np.ndarray or value.dtype != FLOAT64 or value.ndim not in dimensions or value.size == 0:
        return False
    in_place = value.flags.c_contiguous and value.flags.aligned
    return in_place and _core.linalg.all_finite(value if value.ndim == 2 else value[:, None])


def _adds_nothing(estimator: Any, X: Any, checks: dict[str, Any]) -> bool:
    """Tell whether scikit-learn's checks of X, and of y, would pass and change nothing but the number of features."""
    learned = vars(estimator)
    known = checks.get("reset", True) or learned.get("n_features_in_") == getattr(X, "shape", (0,))[-1]
    if not (known and "feature_names_in_" not in learned and _PLAIN_DATA.issuperset(checks) and _is_plain(X, (2,))):
        return False
    if "y" in checks and not _is_plain(checks["y"], (1, 2) if checks.get("multi_output") else (1,)):
        return False
    return len(X) >= checks.get("ensure_min_samples", 1) and len(X) == len(checks.get("y", X))


def regressor_tags() -> Any:
    """Return the tags of a regressor that need not be a poor one."""
    from sklearn.utils import RegressorTags  # tags came with 1.6, and only then is this called

    return RegressorTags()


def output_container(estimator: Any) -> str:
    """Return what `set_output` or `sklearn.set_config` asks for: "default", "pandas" or "polars"."""
    return cast(str, _get_output_config("transform", estimator)["dense"])
