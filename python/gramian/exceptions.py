# SPDX-License-Identifier: BSD-3-Clause
"""How gramian fails, beyond the exceptions that Python has."""

import numpy as np

__all__ = ["ModelFileError", "NumericalError"]


def __dir__() -> list[str]:
    return list(__all__)


class NumericalError(np.linalg.LinAlgError, ValueError):
    """
    A computation broke down on valid input; the message names the parameter to change.

    A `ValueError` in every release of NumPy; its own `LinAlgError` is one since 1.25.
    """


class ModelFileError(ValueError):
    """A model file can't be read; the message says what is wrong, where, and which version is wanted."""
