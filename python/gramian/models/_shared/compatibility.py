# SPDX-License-Identifier: BSD-3-Clause
"""What has other names in older releases of scikit-learn, and what its checks let through."""

from typing import Any, cast

from sklearn.utils import check_array as _check_array
from sklearn.utils._set_output import _get_output_config  # there is no public name for it

from gramian._validation import aligned, refuse_lossy, refuse_mask

try:
    from sklearn.utils.validation import validate_data as _validate_data
except ImportError:  # before 1.6 it was a method

    def _validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
        return estimator._validate_data(X, **checks)


def validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
    """Check X, and its names and number of features against those that were learned; y too if it is given."""
    for name, value in (("X", X), ("y", checks.get("y"))):
        refuse_lossy(value, name)
    checked = _validate_data(estimator, X, **checks)
    return tuple(map(aligned, checked)) if isinstance(checked, tuple) else aligned(checked)


def check_array(value: Any, name: str, **checks: Any) -> Any:
    """Check an array other than X in the same way; errors call it by its name. Without a dtype nothing is converted."""
    (refuse_mask if checks.get("dtype") is None else refuse_lossy)(value, name)
    return aligned(_check_array(value, input_name=name, **checks))


def regressor_tags() -> Any:
    """Return the tags of a regressor that need not be a poor one."""
    from sklearn.utils import RegressorTags  # tags came with 1.6, and only then is this called

    return RegressorTags()


def output_container(estimator: Any) -> str:
    """Return what `set_output` or `sklearn.set_config` asks for: "default", "pandas" or "polars"."""
    return cast(str, _get_output_config("transform", estimator)["dense"])
