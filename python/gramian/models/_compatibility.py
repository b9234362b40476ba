# SPDX-License-Identifier: BSD-3-Clause
"""What has other names in older releases of scikit-learn."""

from typing import Any, cast

from sklearn.utils._set_output import _get_output_config  # there is no public name for it

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before 1.6 it was a method

    def validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
        """Check X, and what it has of names and numbers of features against those that were learned."""
        return estimator._validate_data(X, **checks)


def output_container(estimator: Any) -> str:
    """Return what `set_output` or `sklearn.set_config` asks for: "default", "pandas" or "polars"."""
    return cast(str, _get_output_config("transform", estimator)["dense"])


__all__ = ["output_container", "validate_data"]
