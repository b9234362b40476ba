# SPDX-License-Identifier: BSD-3-Clause
"""What scikit-learn is told of estimators of structured outputs."""

from typing import Any

from gramian._scikit import BaseEstimator
from gramian.models._shared.compatibility import regressor_tags
from gramian.models.dependency.outputs import of_numbers


class RegressorOfNumbers(BaseEstimator):
    """A regressor where outputs are numbers, and otherwise none of the kinds that scikit-learn knows."""

    output_kernel: Any
    preimage: Any

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if self._of_numbers:
            tags.estimator_type, tags.regressor_tags = "regressor", regressor_tags()
        return tags

    @property
    def _estimator_type(self) -> str | None:  # the same before scikit-learn 1.6
        return "regressor" if self._of_numbers else None

    @property
    def _of_numbers(self) -> bool:
        return of_numbers(self.output_kernel, self.preimage)
