# SPDX-License-Identifier: BSD-3-Clause
"""Predictions of a saved model through the interface in C, without importing the Python package's estimators.

    python serve_ctypes.py MODEL VERB < rows > results

VERB is predict, predict_proba, transform, inverse_transform or scores. Rows and results are float64 numbers in binary.
"""

import ctypes
import sys

import numpy as np
from gramian import get_library

VERBS = ("predict", "predict_proba", "transform", "inverse_transform", "scores")


def load_library() -> ctypes.CDLL:
    """Load the library, and declare the functions that this program calls."""
    library = ctypes.CDLL(get_library())
    model, numbers, count = ctypes.c_void_p, ctypes.POINTER(ctypes.c_double), ctypes.c_int64
    library.gramian_last_error.restype = ctypes.c_char_p
    library.gramian_load.argtypes = [ctypes.c_char_p, ctypes.POINTER(model)]
    library.gramian_free.argtypes = [model]
    for name in ("gramian_inputs", "gramian_outputs"):
        getattr(library, name).argtypes = [model, ctypes.c_int]
        getattr(library, name).restype = count
    library.gramian_apply.argtypes = [model, ctypes.c_int, numbers, count, count, numbers]
    return library


class Model:
    """A model of a file."""

    def __init__(self, path: str) -> None:
        self._library = load_library()
        self._handle = ctypes.c_void_p()
        self._check(self._library.gramian_load(path.encode(), ctypes.byref(self._handle)))

    def __del__(self) -> None:
        self._library.gramian_free(self._handle)

    def apply(self, verb: str, X: np.ndarray) -> np.ndarray:
        """Return the results of an operation, a row for each row of X."""
        number = VERBS.index(verb)
        outputs = self._library.gramian_outputs(self._handle, number)
        X, out = np.ascontiguousarray(X, dtype=np.float64), np.empty((len(X), outputs))
        pointers = [array.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for array in (X, out)]
        self._check(self._library.gramian_apply(self._handle, number, pointers[0], *X.shape, pointers[1]))
        return out

    def inputs(self, verb: str) -> int:
        """Return how many numbers a row has that the operation takes; 0 if the model does not have it."""
        return int(self._library.gramian_inputs(self._handle, VERBS.index(verb)))

    def _check(self, status: int) -> None:
        if status != 0:
            raise RuntimeError(self._library.gramian_last_error().decode())


def main() -> None:
    """Run the program."""
    if len(sys.argv) != 3 or sys.argv[2] not in VERBS:
        sys.exit("usage: serve_ctypes.py MODEL VERB < rows > results")
    model, verb = Model(sys.argv[1]), sys.argv[2]
    if model.inputs(verb) == 0:
        sys.exit(f"the model has no {verb}")
    X = np.frombuffer(sys.stdin.buffer.read(), dtype=np.float64).reshape(-1, model.inputs(verb))
    sys.stdout.buffer.write(model.apply(verb, X).tobytes())


if __name__ == "__main__":
    main()
