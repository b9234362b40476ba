# SPDX-License-Identifier: BSD-3-Clause
"""What has other names in older releases of scikit-learn."""

from typing import Any

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # before 1.6 it was a method

    def validate_data(estimator: Any, X: Any, **checks: Any) -> Any:
        """Check X, and what it has of names and numbers of features against those that were learned."""
        return estimator._validate_data(X, **checks)


__all__ = ["validate_data"]
