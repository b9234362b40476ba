# SPDX-License-Identifier: BSD-3-Clause
"""
What comes from the user becomes an array the engine takes, or an error that names the argument.

scikit-learn's check_array lets strings, masks, dates and None through when a dtype is asked for, and importing it takes
longer than many a computation here. Where it has words for an error, the words are the same.
"""

import math
import numbers
import sys
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[np.float64] | npt.NDArray[np.float32]


def check_matrix(value: Any, name: str) -> Matrix:
    """
    Return `value` as a finite float64 or float32 matrix, itself if it is one already, whatever its strides.

    Parameters
    ----------
    value : array-like of shape (n, d)
        Integers, booleans and other widths of floats become float64.
    name : str
        What the errors call it.

    Returns
    -------
    ndarray of shape (n, d)
        Native byte order, aligned; `value` itself is never written to.

    Raises
    ------
    TypeError
        If the kind is wrong: sparse, masked, strings, objects, dates.
    ValueError
        If it is complex, empty, not 2-d, or has NaN or infinity.
    """
    array = as_array(value, name)
    if array.ndim != 2:
        raise ValueError(_dimensions_message(array, name))
    for axis, what in enumerate(("sample(s)", "feature(s)")):
        if array.shape[axis] == 0:
            raise ValueError(
                f"Found array {name} with 0 {what} (shape={array.shape}) while a minimum of 1 is required."
            )
    array = _as_float(array, name)
    _check_finite(array, name)
    return array


def as_array(value: Any, name: str) -> npt.NDArray[Any]:
    """Return `value` as an array of whatever dtype and shape; refuse the kinds that would lose something on the way."""
    sparse = sys.modules.get("scipy.sparse")  # a sparse argument cannot exist before this module is imported
    if sparse is not None and sparse.issparse(value):
        raise TypeError(
            f"Sparse data was passed for {name}, but dense data is required. "
            f"Use '{name}.toarray()' to convert to a dense numpy array."
        )
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be lost. Use '{name}.filled(value)' first.")
    if isinstance(value, np.matrix):
        raise TypeError(f"np.matrix is not supported for {name}. Please convert to a numpy array with np.asarray.")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} cannot be converted to an array: {error}") from error


def common_dtype(*arrays: Matrix) -> list[Matrix]:
    """Return the arrays as they are if they share a dtype, and all of them in float64 otherwise."""
    if all(array.dtype == arrays[0].dtype for array in arrays):
        return list(arrays)
    return [array.astype(np.float64, copy=False) for array in arrays]


def check_positive(value: Any, name: str, owner: str) -> float:
    """Return `value` as a float if it is a finite number above zero; the error names the parameter and its owner."""
    message = f"The {name!r} parameter of {owner} must be a finite number greater than 0. Got {value!r} instead."
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Real):
        raise TypeError(message)
    try:
        number = float(value)
    except OverflowError:
        raise ValueError(message) from None
    if not (math.isfinite(number) and number > 0):
        raise ValueError(message)
    return number


def check_count(value: Any, name: str, largest: int) -> int:
    """Return `value` as an int if it is an integer in [1, largest]."""
    message = f"{name} must be an integer in [1, {largest}] or None. Got {value!r} instead."
    if isinstance(value, bool | np.bool_) or not isinstance(value, numbers.Integral):
        raise TypeError(message)
    count = int(value)
    if not 1 <= count <= largest:
        raise ValueError(message)
    return count


def _as_float(array: npt.NDArray[Any], name: str) -> Matrix:
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} has dtype {array.dtype}.")
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"{name} must hold real numbers, got dtype {array.dtype}. "
            f"If all its entries are numbers, use '{name}.astype(float)'."
        )
    dtype = np.float32 if array.dtype.kind == "f" and array.itemsize == 4 else np.float64
    with np.errstate(over="ignore"):  # a long double that overflows is reported as infinity
        array = array.astype(dtype, copy=False)
    if not array.flags.aligned or any(stride % array.itemsize for stride in array.strides):
        array = array.copy()
    return array


def _check_finite(array: Matrix, name: str) -> None:
    with np.errstate(over="ignore", invalid="ignore"):
        if math.isfinite(array.sum()):  # one pass without a temporary; a sum that overflows is looked at more closely
            return
    if np.isnan(array).any():
        raise ValueError(f"Input {name} contains NaN.")
    if np.isinf(array).any():
        raise ValueError(f"Input {name} contains infinity or a value too large for {array.dtype!r}.")


def _dimensions_message(array: npt.NDArray[Any], name: str) -> str:
    if array.ndim == 0:
        return f"Expected 2D array {name}, got scalar array instead."
    if array.ndim > 2:
        return f"Found array {name} with dim {array.ndim}, while dim <= 2 is required."
    return (
        f"Expected 2D array {name}, got 1D array instead. Reshape your data either using {name}.reshape(-1, 1) if your "
        f"data has a single feature or {name}.reshape(1, -1) if it contains a single sample."
    )
