# SPDX-License-Identifier: BSD-3-Clause
"""
What comes from the user becomes an array the engine takes, or an error that names the argument.

scikit-learn's check_array lets strings, masks, dates and None through when a dtype is asked for, and importing it takes
longer than many a computation here. Where it has words for an error, the words are the same.
"""

import math
import numbers
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar, cast

import numpy as np
import numpy.typing as npt

from gramian._sparse import check_sparse

FloatArray: TypeAlias = npt.NDArray[np.float64]
Float32Array: TypeAlias = npt.NDArray[np.float32]
Matrix: TypeAlias = FloatArray | Float32Array
"""Of either precision that the engine computes in."""
DoubleLike: TypeAlias = (
    FloatArray | npt.NDArray[np.integer[Any]] | npt.NDArray[np.bool_] | Sequence[float] | Sequence[Sequence[float]]
)
"""Arrays and lists of numbers that are computed with in float64."""
IntArray: TypeAlias = npt.NDArray[np.int64]
AnyArray: TypeAlias = npt.NDArray[Any]
"""Labels of any kind, or outputs as they were given."""

FLOAT64 = np.dtype(np.float64)
LARGEST = 2**62
"""Of counts: the engine's integers have 64 bits."""
LARGEST_SIZE = 2**31 - 1
"""Of what there will be an array of: the product of two of them is a count."""
OptionT = TypeVar("OptionT")


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
    check_not_empty(array.shape, name)
    return check_entries(array, name)


def check_entries(array: npt.NDArray[Any], name: str) -> Matrix:
    """Return an array of any shape as finite float64 or float32, itself if it is already."""
    array = _as_float(array, name)
    _check_finite(array, name)
    return array


def check_not_empty(shape: tuple[int, ...], name: str) -> None:
    """Refuse a matrix without rows or columns."""
    for axis, what in enumerate(("sample(s)", "feature(s)")):
        if shape[axis] == 0:
            raise ValueError(f"Found array {name} with 0 {what} (shape={shape}) while a minimum of 1 is required.")


def check_columns(value: Any, name: str) -> tuple[Matrix, bool]:
    """Return a matrix, and whether it was a vector, which stands for a matrix of one column."""
    array = as_array(value, name)
    is_vector = array.ndim == 1
    return check_matrix(array[:, None] if is_vector else array, name), is_vector


def check_vector(value: Any, name: str, size: int, owner: str) -> Matrix:
    """Return `value` as a finite vector of the size that `owner` asks for."""
    array = as_array(value, name)
    if array.shape != (size,):
        raise ValueError(f"{name} must have shape {(size,)} for {owner}, got {array.shape}.")
    return check_entries(array, name)


def check_rows(array: Matrix, name: str, rows: int, owner: str) -> None:
    """Refuse a matrix that does not have as many rows as `owner`."""
    if array.shape[0] != rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: {name} has {array.shape[0]} rows, "
            f"{owner} has {rows}."
        )


def check_shape(array: Matrix, name: str, shape: tuple[int, int]) -> None:
    """Refuse a matrix of another shape."""
    if array.shape != shape:
        raise ValueError(f"{name} must have shape {shape}, got {array.shape}.")


def is_sparse(value: Any) -> bool:
    """Tell whether `value` is a sparse matrix or array of SciPy."""
    sparse = sys.modules.get("scipy.sparse")  # a sparse argument cannot exist before this module is imported
    return sparse is not None and bool(sparse.issparse(value))


def as_array(value: Any, name: str) -> npt.NDArray[Any]:
    """Return `value` as an array of whatever dtype and shape; refuse the kinds that would lose something on the way."""
    if type(value) is np.ndarray:
        return value
    if is_sparse(value):
        raise TypeError(
            f"Sparse data was passed for {name}, but dense data is required. "
            f"Use '{name}.toarray()' to convert to a dense numpy array."
        )
    refuse_mask(value, name)
    if isinstance(value, np.matrix):
        raise TypeError(f"np.matrix is not supported for {name}. Please convert to a numpy array with np.asarray.")
    try:
        return np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} cannot be converted to an array: {error}") from error


def refuse_mask(value: Any, name: str) -> None:
    """Refuse a masked array: what is under the mask would be taken for data."""
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array, whose mask would be lost. Use '{name}.filled(value)' first.")


def refuse_lossy(value: Any, name: str) -> None:
    """
    Refuse what scikit-learn would turn into numbers in silence: masked arrays, strings of digits, dates.

    And sparse matrices that SciPy could not read.
    """
    refuse_mask(value, name)
    if is_sparse(value):
        check_sparse(value, name)
        return
    if value is None:
        return
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths, for which scikit-learn has words
        return
    kind = array.dtype.kind
    if kind in "USmM" or (kind == "O" and any(isinstance(entry, str | bytes) for entry in array.ravel())):
        raise TypeError(
            f"{name} must hold real numbers, and it has strings or dates. If all its entries are numbers, use "
            f"'{name}.astype(float)'."
        )


def aligned(array: Any) -> Any:
    """Return an array that the engine can read in place: itself, or a copy if its numbers are at odd addresses."""
    if not isinstance(array, np.ndarray):
        return array
    readable = array.flags.aligned and not any(stride % array.itemsize for stride in array.strides)
    return array if readable else array.copy()


def refused(name: str, owner: str, domain: str, value: Any, error: type[Exception] = ValueError) -> Exception:
    """Return the error of a parameter that is not what it must be."""
    return error(f"The {name!r} parameter of {owner} must be {domain}. Got {value!r} instead.")


def is_true(answer: Any) -> bool:
    """Tell whether a callback asks for the end: by True itself, not by a number or an array that counts as true."""
    return isinstance(answer, bool | np.bool_) and bool(answer)


def check_real(
    value: Any, name: str, owner: str, inclusive: bool = False, *, most: float = math.inf, below: float = math.inf
) -> float:
    """Return `value` as a float if it is finite and above zero, or zero too if `inclusive`; the error names it."""
    error: type[Exception] = TypeError
    if _is_real(value):
        error, number = ValueError, _float_or_infinity(value)
        positive = number > 0 or (inclusive and number == 0)
        if math.isfinite(number) and positive and number <= most and number < below:
            return number
    if most < math.inf or below < math.inf:
        domain = f"in {'[' if inclusive else '('}0, " + (f"{most:g}]" if most < math.inf else f"{below:g})")
    else:
        domain = "a finite number " + ("at least 0" if inclusive else "greater than 0")
    raise error(f"The {name!r} parameter of {owner} must be {domain}. Got {value!r} instead.")


def check_reals(values: Any, name: str, owner: str, inclusive: bool = False) -> list[float]:
    """Return a list of numbers as `check_real` has them, at least one."""
    array = as_array(values, name)
    if array.ndim != 1 or not array.size:
        raise (ValueError if array.ndim == 1 else TypeError)(
            f"The {name!r} parameter of {owner} must be None or a list of numbers. Got {values!r} instead."
        )
    return [check_real(value, f"{name}[{i}]", owner, inclusive) for i, value in enumerate(array.tolist())]


def check_widths(value: Any, name: str, owner: str, dimension: int | None) -> float | list[float]:
    """Return a finite number above zero, or a list of them: one for each feature, if their number is known."""
    if _is_real(value):
        return check_real(value, name, owner)
    if not isinstance(value, list | tuple | np.ndarray):
        raise refused(name, owner, "a finite number greater than 0, or one for each feature", value, TypeError)
    array = as_array(value, name)
    if array.ndim != 1:
        raise ValueError(
            f"The {name!r} parameter of {owner} must be a number or have one dimension, got shape {array.shape}."
        )
    if dimension is not None and len(array) != dimension:
        raise ValueError(
            f"The {name!r} parameter of {owner} has {len(array)} entries for {dimension} features of X: there must be "
            f"one for each."
        )
    if isinstance(value, np.ndarray) and value.dtype == np.float64 and np.isfinite(value).all() and (value > 0).all():
        return list(map(float, value))  # often hundreds, and a fit looks at them several times
    return [check_real(entry, f"{name}[{i}]", owner) for i, entry in enumerate(value)]


def whole_number(value: Any, smallest: int, largest: int, domain: str) -> int:
    """Return `value` as an int if it is an integer in [smallest, largest]; domain: a sentence that says so."""
    message = f"{domain} Got {value!r} instead."
    if not isinstance(value, numbers.Integral) or isinstance(value, bool | np.bool_):
        raise TypeError(message)
    if not smallest <= int(value) <= largest:
        raise ValueError(message)
    return int(value)


def check_whole(value: Any, name: str, owner: str, largest: int) -> int:
    """Return `value` as an int if it is an integer in [1, largest]; the error names the parameter and its owner."""
    return whole_number(value, 1, largest, f"The {name!r} parameter of {owner} must be an integer in [1, {largest}].")


def check_integer(value: Any, name: str, smallest: int, largest: int) -> int:
    """Return an argument as an int if it is an integer in [smallest, largest]."""
    return whole_number(value, smallest, largest, f"{name} must be an integer in [{smallest}, {largest}].")


def check_tolerance(value: Any, name: str) -> float:
    """Return an argument as a float if it is a finite number of at least zero."""
    if type(value) is float and 0.0 <= value < math.inf:
        return value  # what is below takes longer than to factorize a small matrix
    message = f"{name} must be a finite number, 0 or greater. Got {value!r} instead."
    if not _is_real(value):
        raise TypeError(message)
    number = float(value)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError(message)
    return number


def check_choice(value: Any, name: str, owner: str, options: Iterable[OptionT]) -> OptionT:
    """Return the option that `value` equals; True is no 1 here."""
    choices = list(options)
    is_bool = isinstance(value, bool | np.bool_)
    for option in choices:
        if isinstance(option, bool) == is_bool and np.isscalar(value) and value == option:
            return option
    listed = ", ".join(repr(option) for option in choices)
    raise refused(name, owner, f"one of {listed}", value)


def check_count(value: Any, name: str, largest: int) -> int:
    """Return `value` as an int if it is an integer in [1, largest]."""
    return whole_number(value, 1, largest, f"{name} must be an integer in [1, {largest}] or None.")


def _is_real(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def _float_or_infinity(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


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
    return cast(Matrix, aligned(array))


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
