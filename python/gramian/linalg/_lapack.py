# SPDX-License-Identifier: BSD-3-Clause
"""
LAPACK's dsyevd without linking to LAPACK: the function pointer that scipy publishes, where scipy is installed.

scikit-learn brings scipy with it, so that this is the rule; but nothing here may fail without it.
"""

import ctypes
import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian import _core

FloatArray = npt.NDArray[np.float64]

LARGEST = 32000  # the workspace is counted in 32 bits


def eigh(A: FloatArray) -> tuple[FloatArray, FloatArray, int] | None:
    """
    Eigenvalues, ascending, eigenvectors in columns, and LAPACK's `info`; None if there is no LAPACK to call.

    The lower triangle of A is read, and A is not changed.
    """
    n = len(A)
    dsyevd = _dsyevd() if n <= LARGEST else None
    if dsyevd is None:
        return None
    sizes = (1 + 6 * n + 2 * n * n, 3 + 5 * n)
    _core.require_memory(8 * (n * n + sum(sizes)), "the eigendecomposition", "use gramian.linalg.top_eigenpairs")
    # What is the lower triangle row by row is the upper one column by column.
    by_rows = A.flags.c_contiguous
    V = np.array(A, order="C").T if by_rows else np.array(A, order="F")
    values, work, iwork = np.empty(n), np.empty(sizes[0]), np.empty(sizes[1], np.intc)
    info = ctypes.c_int(0)
    order = ctypes.byref(ctypes.c_int(n))
    dsyevd(
        ctypes.c_char_p(b"V"),
        ctypes.c_char_p(b"U" if by_rows else b"L"),
        order,
        _address(V),
        order,
        _address(values),
        _address(work),
        ctypes.byref(ctypes.c_int(work.size)),
        _address(iwork),
        ctypes.byref(ctypes.c_int(iwork.size)),
        ctypes.byref(info),
    )
    return values, V, info.value


@functools.cache
def _dsyevd() -> Callable[..., None] | None:
    try:
        from scipy.linalg import cython_lapack

        capsule = cython_lapack.__pyx_capi__["dsyevd"]
    except (ImportError, AttributeError, KeyError):
        return None
    get_name, get_pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    get_name.restype, get_name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    signature = get_name(capsule)
    if not _is_known(signature.decode()):
        return None
    return ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 11)(get_pointer(capsule, signature))


def _is_known(signature: str) -> bool:
    """Whether the arguments are those of a LAPACK with 32-bit integers: another one would read past the end of them."""
    kinds = [argument.strip() for argument in signature.partition("(")[2].rstrip(")").split(",")]
    integers = {2, 4, 7, 9, 10}
    return (
        signature.startswith("void ")
        and len(kinds) == 11
        and all(kinds[i] == "int *" for i in integers)
        and all(kinds[i] == "char *" for i in (0, 1))
        and all(kinds[i].endswith("_d *") for i in (3, 5, 6))
    )


def _address(array: npt.NDArray[Any]) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.ctypes.data)
