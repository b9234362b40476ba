# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the process."""

from gramian import _core
from gramian._validation import check_count


def set_num_threads(threads: int | None) -> None:
    """
    Set the number of threads of all later work of this process.

    Results do not depend on it: any number of threads gives the same bits.

    Parameters
    ----------
    threads : int or None
        At least 1; None returns to the default, which `show_versions` explains.

    Raises
    ------
    TypeError, ValueError
        If `threads` is not an integer, or not in the range of a C++ int.
    """
    _core.base.set_num_threads(0 if threads is None else check_count(threads, "threads", 2**31 - 1))


def set_memory_limit(limit: int | None) -> None:
    """
    Set how much memory one computation may take; what needs more raises MemoryError before it begins.

    Parameters
    ----------
    limit : int or None
        Bytes, at least 1; None returns to the default, which `show_versions` explains.

    Raises
    ------
    TypeError, ValueError
        If `limit` is not an integer, or not in the range of 64 bits.
    """
    _core.base.set_memory_limit(0 if limit is None else check_count(limit, "limit", 2**64 - 1))


def release_memory() -> int:
    """
    Give memory back to the system that was kept for the next large arrays.

    Freed arrays of 4 MiB and more are kept, up to 1 GiB and a sixteenth of what is free: the first touch of fresh
    memory takes longer than many a result. The environment variable ``GRAMIAN_MEMORY_CACHE`` sets another bound, and
    ``0`` keeps nothing.

    Returns
    -------
    int
        How many bytes were given back.
    """
    return _core.base.release_memory()
