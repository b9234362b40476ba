# SPDX-License-Identifier: BSD-3-Clause
"""The one place that warns."""

import sys
import warnings
from types import FrameType

# scikit-learn wraps the methods of estimators: a warning that named its line would be shown once, whoever called.
_WRAPPERS = ("sklearn.base", "sklearn.callback._callback_support", "sklearn.utils._set_output")


def warn(message: str, category: type[Warning] | None = None) -> None:
    """
    Warn at the line outside of this package that asked.

    category: None for a `ConvergenceWarning`, of a result that is not what was asked for.
    """
    if category is None:
        from sklearn.exceptions import ConvergenceWarning  # only if there is something to say: the import takes a while

        category = ConvergenceWarning
    frame: FrameType | None = sys._getframe()
    level = 0
    while frame is not None and _is_ours(frame):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level + 1)


def _is_ours(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__"))
    return module.partition(".")[0] == "gramian" or module in _WRAPPERS
