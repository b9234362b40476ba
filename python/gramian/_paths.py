# SPDX-License-Identifier: BSD-3-Clause
"""Where the C++ package is, for builds that link against the installed wheel."""

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


def get_cmake_dir() -> str:
    """
    Return the folder to pass to CMake as ``gramian_DIR``.

    Returns
    -------
    str
        The folder that holds ``gramianConfig.cmake``.
    """
    return str(_PREFIX / "lib" / "cmake" / "gramian")
