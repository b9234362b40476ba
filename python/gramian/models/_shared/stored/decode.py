# SPDX-License-Identifier: BSD-3-Clause
"""Attributes of estimators from JSON and arrays of a file that may come from a stranger."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._parametrised import parameter_names
from gramian.exceptions import ModelFileError
from gramian.models._shared.stored.classes import named_tuples, value_class

_MOST_NESTED = 64
_MOST_BYTES_OF_TEXTS = 2**20
"""More than the texts themselves need: a type may be wider than they are, and must not fill the memory."""


class Decoder:
    """Makes values of JSON; estimator: makes one of its own JSON."""

    def __init__(self, arrays: dict[str, np.ndarray[Any, Any]], estimator: Callable[["Decoder", Any], Any]) -> None:
        self._arrays = arrays
        self._estimator = estimator
        self._depth = 0
        self._kinds: dict[str, Callable[[dict[str, Any]], Any]] = {
            "number": self._number,
            "scalar": lambda node: self._array(node["scalar"])[()],
            "array": lambda node: self._array(node["array"]),
            "texts": _texts,
            "masked": self._masked,
            "objects": self._objects,
            "csr": self._sparse,
            "tuple": self._tuple,
            "dict": self._dict,
            "object": self._object,
            "estimator": lambda node: self._estimator(self, node["estimator"]),
        }

    def decode(self, node: Any) -> Any:
        """Return the value that JSON stands for."""
        if node is None or isinstance(node, bool | int | float | str):
            return node
        self._depth += 1
        if self._depth > _MOST_NESTED:
            raise ModelFileError("The model is nested too deep.")
        try:
            if isinstance(node, list):
                return [self.decode(item) for item in node]
            kinds = [kind for kind in self._kinds if kind in node]
            if len(kinds) != 1:
                raise ModelFileError(f"There is no kind of value with the parts {sorted(node)!r}.")
            return self._kinds[kinds[0]](node)
        finally:
            self._depth -= 1

    def _number(self, node: dict[str, Any]) -> float:
        if node["number"] not in ("inf", "-inf", "nan"):
            raise ModelFileError(f"{node['number']!r} is no number.")
        return math.nan if node["number"] == "nan" else float(node["number"])

    def _array(self, found: Any) -> Any:
        if isinstance(found, dict):
            return (
                np.frombuffer(self._array(found["bytes"]).tobytes(), dtype=_number_type(found))
                .reshape(_shape(found))
                .copy()
            )
        if not isinstance(found, str) or found not in self._arrays:
            raise ModelFileError(f"The file has no array {found!r}.")
        return self._arrays[found].copy()

    def _masked(self, node: dict[str, Any]) -> Any:
        data, mask = self.decode(node["masked"]), self._array(node["mask"])
        if not isinstance(data, np.ndarray) or mask.shape != data.shape or mask.dtype != bool:
            raise ModelFileError("A mask must have the shape of what it hides.")
        return np.ma.MaskedArray(data, mask)

    def _objects(self, node: dict[str, Any]) -> Any:
        items = [self.decode(item) for item in node["objects"]]
        array = np.empty(len(items), dtype=object)
        array[:] = items
        return array.reshape(_shape(node))

    def _sparse(self, node: dict[str, Any]) -> Any:
        try:
            from scipy import sparse
        except ImportError as error:
            raise ImportError("The model has sparse samples: install SciPy to load it.") from error
        data, indices, starts = (self._array(name) for name in node["csr"])
        cls = sparse.csr_array if node["of"] == "csr_array" and hasattr(sparse, "csr_array") else sparse.csr_matrix
        matrix = cls((data, indices, starts), shape=_shape(node))
        matrix.check_format(full_check=True)
        return matrix

    def _tuple(self, node: dict[str, Any]) -> Any:
        items = tuple(self.decode(item) for item in node["tuple"])
        if "named" not in node:
            return items
        cls: Any = named_tuples.get(node["named"])
        if cls is None or len(items) != len(cls._fields):
            raise ModelFileError(f"There is no tuple {node['named']!r} of {len(items)} parts.")
        return cls(*items)

    def _dict(self, node: dict[str, Any]) -> dict[Any, Any]:
        return {self.decode(key): self.decode(value) for key, value in node["dict"]}

    def _object(self, node: dict[str, Any]) -> Any:
        cls = value_class(node["object"])
        params = {name: self.decode(value) for name, value in node["params"].items()}
        if set(params) - set(parameter_names(cls)):
            raise ModelFileError(f"{node['object']} has no parameters {sorted(params)!r}.")
        return cls(**params)


def _shape(node: dict[str, Any]) -> tuple[int, ...]:
    shape = node["shape"]
    if not isinstance(shape, list) or not all(type(size) is int and size >= 0 for size in shape):
        raise ModelFileError(f"{shape!r} is no shape.")
    return tuple(shape)


def _number_type(node: dict[str, Any]) -> Any:
    dtype = np.dtype(node["dtype"])
    if dtype.kind not in "biuf":
        raise ModelFileError(f"{node['dtype']!r} is no type of numbers.")
    return dtype


def _texts(node: dict[str, Any]) -> Any:
    dtype, texts = np.dtype(node["dtype"]), node["texts"]
    if dtype.kind not in "US" or not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise ModelFileError(f"{node['dtype']!r} is not the type of texts.")
    longest = max(map(len, texts), default=0)
    if dtype.itemsize * len(texts) > _MOST_BYTES_OF_TEXTS + 4 * longest * len(texts):
        raise ModelFileError(f"{node['dtype']!r} is too wide for texts of at most {longest} characters.")
    array = np.array(texts, dtype="U")
    return (np.char.encode(array, "latin-1") if dtype.kind == "S" else array).astype(dtype).reshape(_shape(node))
