# SPDX-License-Identifier: BSD-3-Clause
"""Targets: labels, and numbers."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt
from sklearn.utils import assert_all_finite
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from gramian._validation import FloatArray, refuse_mask
from gramian.models._shared.weighted import Labels


def check_labels(y: Any, rows: int, owner: str) -> tuple[npt.NDArray[Any], Labels]:
    """Return the classes, and which of them each sample is of."""
    if y is None:
        raise ValueError(f"{owner} requires y to be passed, but the target y is None.")
    # Names and whole numbers are always classes, of which scikit-learn says only whether there are too many.
    plain = type(y) is np.ndarray and y.ndim == 1 and y.dtype.kind in "biuU"
    refuse_mask(y, "y")
    labels = y if plain else column_or_1d(y, warn=True)
    if not plain:
        assert_all_finite(labels, input_name="y")
    classes, numbers = _sorted_classes(labels)
    if not plain or 2 * len(classes) > len(labels):
        check_classification_targets(labels)
    if len(labels) != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {rows} rows, y has {len(labels)}."
        )
    return classes, numbers


def log_probabilities(P: FloatArray) -> FloatArray:
    """Return logarithms, minus infinity of 0 without a warning: scikit-learn's checks compare them with NumPy's."""
    with np.errstate(divide="ignore"):
        return cast(FloatArray, np.log(P))


def _sorted_classes(labels: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], Labels]:
    try:
        classes, numbers = np.unique(labels, return_inverse=True)
    except TypeError as error:
        kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise TypeError(f"y must have labels of one kind, which can be sorted, and it has {kinds}.") from error
    return classes, numbers.astype(np.int64)
