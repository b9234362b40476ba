# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of kernels from the engine's registry, so that the page and the engine cannot disagree."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def render(registry: list[dict[str, Any]]) -> str:
    """Return MyST text with one section for each kernel: formula and parameters, in the order of the registry."""
    return "\n".join(_section(kernel) for kernel in registry)


def write(path: Path) -> None:
    """Write the page of the installed package's kernels to `path`; leave the file alone if nothing changed."""
    from gramian import _core

    text = render(_core.kernels.registry())
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _section(kernel: dict[str, Any]) -> str:
    rows = "".join(_row(parameter) for parameter in kernel["parameters"])
    table = f"| Parameter | Meaning | Domain |\n|---|---|---|\n{rows}" if rows else "It has no parameters.\n"
    points = "\nIt needs the coordinates of dense points.\n" if kernel["needs_coordinates"] else ""
    return f"## `{kernel['name']}`\n\n$$\n{kernel['formula']}\n$$\n\n{table}{points}"


def _row(parameter: dict[str, Any]) -> str:
    meaning = parameter["meaning"].replace("|", r"\|")  # a bar would end the cell
    kind = "a whole number" if parameter["whole"] else "finite"
    bound = "at least" if parameter["inclusive"] else "above"
    return f"| `{parameter['name']}` | {meaning} | {kind}, {bound} {parameter['lower']:g} |\n"
