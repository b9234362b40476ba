# SPDX-License-Identifier: BSD-3-Clause
"""The line that says where figures come from."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
import platform
import subprocess
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
BUSY = 0.7
LIBRARIES = ("numpy", "scipy", "scikit-learn", "torch", "pykeops")


def describe() -> dict[str, Any]:
    """CPU, cores, threads, ISA, compiler, versions, commit, load and date; None for what cannot be found out."""
    return {
        "cpu": cpu_model(),
        "cores": usable_cores(),
        **engine(),
        "python": platform.python_version(),
        "libraries": {name: version for name in LIBRARIES if (version := _version(name))},
        "commit": commit(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "date": datetime.now(timezone.utc).isoformat(timespec="seconds"),
    }


def headline(machine: dict[str, Any]) -> str:
    """The description in a few printed lines, with a warning if others use the processor."""
    libraries = ", ".join(f"{name} {version}" for name, version in machine["libraries"].items())
    busy = ""
    if machine["load"] is not None and machine["load"] > BUSY:
        busy = f"\nBUSY MACHINE: load {machine['load']:.1f} at the start. Times on several threads are distorted."
    return (
        f"{machine['cpu']}, {machine['cores']} cores; gramian {machine['gramian']}, {machine['threads']} threads, "
        f"{machine['isa']}, {machine['compiler']}, commit {machine['commit'] or 'unknown'}\n"
        f"Python {machine['python']}, {libraries}; {machine['date']}{busy}"
    )


def cpu_model() -> str:
    """The processor's own name."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return _output("sysctl", "-n", "machdep.cpu.brand_string") or platform.processor() or platform.machine()


def usable_cores() -> int:
    """Cores this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def commit() -> str | None:
    """Short commit of the checkout, with a plus sign if files differ from it."""
    short = _output("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    if not short:
        return None
    return short + ("+" if _output("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no") else "")


def engine() -> dict[str, Any]:
    """What gramian says of itself."""
    try:
        found = importlib.import_module("gramian._info").versions()
    except ImportError:
        return dict.fromkeys(("gramian", "isa", "compiler", "threads"))
    build = found["build"]
    return {
        "gramian": build["version"],
        "isa": build["isa"],
        "compiler": build["compiler"],
        "threads": found["threads"]["threads"],
    }


def _version(distribution: str) -> str | None:
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return None


def _output(*command: str) -> str | None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
