# SPDX-License-Identifier: BSD-3-Clause
"""What is installed and what runs: the first thing to attach to a bug report."""

import importlib
import importlib.metadata
import platform
from typing import Any

from gramian import _core

_PACKAGES = ("numpy", "scikit-learn", "scipy", "threadpoolctl")


def versions() -> dict[str, Any]:
    """
    Return what is installed and what runs.

    Returns
    -------
    dict
        ``build``, ``threads`` and ``memory`` as the engine reports them, ``python`` with the versions around it, and
        ``libraries`` with the thread pools that threadpoolctl finds in this process.
    """
    return {
        "build": _facts(_core.base.build_report()),
        "threads": _facts(_core.base.thread_report()),
        "memory": _facts(_core.base.memory_report()),
        "python": {
            "python": platform.python_version(),
            "platform": platform.platform(),
            **{name: _version(name) for name in _PACKAGES},
        },
        "libraries": _thread_libraries(),
    }


def show_versions() -> None:
    """Print the versions, the instruction set, the threads and the memory that gramian uses, and why."""
    print(format_versions(versions()))


def format_versions(found: dict[str, Any]) -> str:
    """Return the result of `versions` as text, one fact a line."""
    build, threads, memory = found["build"], found["threads"], found["memory"]
    facts = {
        "gramian": build["version"],
        "instruction set": f"{build['isa']} ({build['isa_reason']})",
        "threads": f"{threads['threads']} ({threads['reason']})",
        "thread back end": threads["backend"],
        "compiler": build["compiler"],
        "BLAS": build["blas"],
        "Eigen": build["eigen"],
        "memory free": _size(memory["available"]),
        "memory limit": f"{_size(memory['limit'])} ({memory['reason']})",
        "memory kept": f"{_size(memory['kept'])} (of freed arrays, for the next ones)",
        **found["python"],
    }
    lines = [f"{name:<16} {value}" for name, value in facts.items()]
    lines += [
        f"{'loaded':<16} {library['internal_api']} {library['version'] or ''}, {library['num_threads']} threads, "
        f"{library['filepath']}"
        for library in found["libraries"]
    ]
    return "\n".join(lines)


def _facts(report: Any) -> dict[str, Any]:
    """Return the properties of a report of the engine by their names."""
    return {name: getattr(report, name) for name, fact in vars(type(report)).items() if isinstance(fact, property)}


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "not installed"


def _thread_libraries() -> list[dict[str, Any]]:
    try:
        threadpoolctl = importlib.import_module("threadpoolctl")
    except ImportError:
        return []
    return list(threadpoolctl.threadpool_info())


def _size(count: int) -> str:
    return f"{count / 2**30:.2f} GiB"
