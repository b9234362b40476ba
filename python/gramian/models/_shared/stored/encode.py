# SPDX-License-Identifier: BSD-3-Clause
"""Attributes of estimators as JSON, with arrays beside it."""

import math
from typing import Any

import numpy as np

from gramian._parametrised import Parametrised, parameter_names
from gramian._validation import is_sparse
from gramian.models._shared.stored.classes import name_of, named_tuples, value_classes

NUMBERS = {"f8": "f64", "f4": "f32", "i8": "i64", "i4": "i32", "u1": "u8", "b1": "boolean"}
"""Types of arrays that files have, by NumPy's names without the byte order."""


class Encoder:
    """
    Makes JSON of values, and keeps their arrays by name.

    Arrays that a file has already, as parts of the model that every language reads, are only named.
    """

    def __init__(self, known: list[tuple[str, int, tuple[int, ...]]]) -> None:
        self._known = {(address, shape): name for name, address, shape in known}
        self.arrays: dict[str, np.ndarray[Any, Any]] = {}

    def encode(self, value: Any, path: str) -> Any:
        """Return the value as JSON; path: what errors call it."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, np.generic):
            return {"scalar": self._array(np.asarray(value), path)}
        if isinstance(value, int):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"number": repr(value)}
        if isinstance(value, np.ma.MaskedArray):
            mask = np.ma.getmaskarray(value)
            return {"masked": self.encode(value.data, path), "mask": self._array(mask, path)}
        if isinstance(value, np.ndarray):
            return self._array_or_objects(value, path)
        if is_sparse(value):
            return self._sparse(value, path)
        return self._composed(value, path)

    def _composed(self, value: Any, path: str) -> Any:
        if isinstance(value, list):
            return [self.encode(item, f"{path}[{place}]") for place, item in enumerate(value)]
        if isinstance(value, tuple):
            kind = {"named": type(value).__name__} if type(value) in named_tuples.values() else {}
            return {"tuple": [self.encode(item, f"{path}[{place}]") for place, item in enumerate(value)], **kind}
        if isinstance(value, dict):
            return {"dict": [[self.encode(part, path) for part in item] for item in value.items()]}
        if isinstance(value, range):
            return self.encode(list(value), path)
        if isinstance(value, Parametrised) and name_of(type(value)) in value_classes():
            own = {name: vars(value)[name] for name in parameter_names(type(value))}
            return {
                "object": name_of(type(value)),
                "params": {name: self.encode(part, f"{path}.{name}") for name, part in own.items()},
            }
        if hasattr(value, "_stored_estimator"):
            return {"estimator": value._stored_estimator(self, path)}
        raise TypeError(_refusal(value, path))

    def _array_or_objects(self, array: np.ndarray[Any, Any], path: str) -> Any:
        if array.dtype.kind in "US":
            texts = np.char.decode(array, "latin-1") if array.dtype.kind == "S" else array
            return {"texts": texts.ravel().tolist(), "shape": list(array.shape), "dtype": array.dtype.str}
        if array.dtype.kind == "O":
            items = [self.encode(item, f"{path}[{place}]") for place, item in enumerate(array.ravel().tolist())]
            return {"objects": items, "shape": list(array.shape)}
        return {"array": self._array(array, path)}

    def _array(self, array: np.ndarray[Any, Any], path: str) -> Any:
        if array.dtype.kind not in "biuf":
            raise TypeError(f"{path} is an array of {array.dtype}, which a model file can't hold.")
        contiguous = np.ascontiguousarray(array).reshape(array.shape)
        known = self._known.get((contiguous.ctypes.data, contiguous.shape)) if contiguous.size else None
        if known is not None and contiguous.dtype == np.float64:
            return known
        name = f"python.{len(self.arrays)}"
        plain = contiguous.astype(contiguous.dtype.newbyteorder("="), copy=False)
        if plain.dtype.str[1:] in NUMBERS:
            self.arrays[name] = plain
            return name
        self.arrays[name] = np.frombuffer(plain.tobytes(), dtype=np.uint8)
        return {"bytes": name, "dtype": plain.dtype.newbyteorder("<").str, "shape": list(plain.shape)}

    def _sparse(self, matrix: Any, path: str) -> Any:
        if matrix.format != "csr":
            raise TypeError(f"{path} is a sparse matrix in the format {matrix.format!r}: use CSR.")
        parts = (matrix.data, matrix.indices, matrix.indptr)
        return {
            "csr": [self._array(part, path) for part in parts],
            "shape": list(matrix.shape),
            "of": type(matrix).__name__,
        }


def _refusal(value: Any, path: str) -> str:
    if callable(value) and not isinstance(value, type):
        what = getattr(value, "__qualname__", type(value).__name__)
        return f"{path} is the Python function {what}, which a model file can't hold."
    return (
        f"{path} is a {type(value).__module__}.{type(value).__qualname__}, which a model file can't hold: {value!r:.80}"
    )
