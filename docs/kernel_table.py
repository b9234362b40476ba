# SPDX-License-Identifier: BSD-3-Clause
"""Writes the page of kernels from the engine's registry, so that the page and the engine cannot disagree."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gramian._core.kernels import Info, Parameter


def render(registry: list[Info]) -> str:
    """Return MyST text with a section for each kernel of the registry: formula, parameters and facts."""
    return "\n".join(_section(kernel) for kernel in registry)


def write(path: Path) -> None:
    """Write the page of the installed package's kernels to `path`; leave the file alone if nothing changed."""
    from gramian import _core

    text = render(_core.kernels.registry())
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def _section(kernel: Info) -> str:
    rows = "".join(_row(parameter) for parameter in kernel.parameters)
    table = f"| Parameter | Meaning | Domain |\n|---|---|---|\n{rows}" if rows else "It has no parameters.\n"
    return f"## `{kernel.name}`\n\n$$\n{kernel.formula}\n$$\n\n{table}" + "".join(
        f"\n{fact}\n" for fact in _facts(kernel)
    )


def _facts(kernel: Info) -> list[str]:
    facts = []
    if kernel.needs_coordinates:
        facts.append("It needs the coordinates of dense points.")
    if not kernel.traits.smooth_at_coincidence:
        facts.append("It has a kink or a jump where points coincide.")
    if kernel.has_spectrum:
        facts.append("It has [random Fourier features](features.md).")
    if math.isfinite(kernel.traits.squared_lipschitz):
        facts.append("Its feature map is Lipschitz continuous.")
    return facts


def _row(parameter: Parameter) -> str:
    meaning = parameter.meaning.replace("|", r"\|")  # a bar would end the cell
    kind = "a whole number" if parameter.whole else "finite"
    bound = "at least" if parameter.inclusive else "above"
    return f"| `{parameter.name}` | {meaning} | {kind}, {bound} {parameter.lower:g} |\n"
