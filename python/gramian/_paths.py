# SPDX-License-Identifier: BSD-3-Clause
"""Where the libraries and headers are, for programs in C, C++ and other languages that use the installed wheel."""

from pathlib import Path

_PREFIX = Path(__file__).resolve().parent


def get_include() -> str:
    """
    Return the folder to add to a compiler's include path.

    Returns
    -------
    str
        The folder that holds ``gramian/gramian.hpp``.
    """
    return str(_PREFIX / "include")


def get_library() -> str:
    """
    Return the shared library, for ``ctypes`` and for programs of other languages.

    Returns
    -------
    str
        The path of the library with the functions of ``gramian/c.h``.

    Raises
    ------
    FileNotFoundError
        If the installation has none.
    """
    folders = (_PREFIX / "lib", _PREFIX / "bin", _PREFIX)
    names = ("libgramian.so.*", "libgramian*.dylib", "gramian.dll")
    for found in (path for folder in folders for name in names for path in sorted(folder.glob(name))):
        return str(found)
    raise FileNotFoundError(f"There is no shared library of gramian in {_PREFIX}.")


def get_cmake_dir() -> str:
    """
    Return the folder to pass to CMake as ``gramian_DIR``.

    Returns
    -------
    str
        The folder that holds ``gramianConfig.cmake``.
    """
    return str(_PREFIX / "lib" / "cmake" / "gramian")
