# SPDX-License-Identifier: BSD-3-Clause
"""What has to happen before any peer is imported."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

OPENBLAS_OVERRIDES = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")


@dataclass(frozen=True)
class Cleaning:
    """Which overrides were found, and whether they were removed before numpy could read them."""

    removed: tuple[str, ...]
    in_time: bool

    def sentence(self) -> str:
        """One line for the head of a table."""
        names = " and ".join(OPENBLAS_OVERRIDES)
        if not self.removed:
            return f"{names} were not set."
        if self.in_time:
            return f"{names} are removed before the peers are imported (found: {', '.join(self.removed)})."
        return f"{', '.join(self.removed)} may still act on numpy: it was imported before the bench could remove them."


def remove_openblas_overrides() -> Cleaning:
    """Forget the settings that force OpenBLAS into code for another processor: they would slow the peers alone."""
    removed = tuple(name for name in OPENBLAS_OVERRIDES if os.environ.pop(name, None) is not None)
    return Cleaning(removed, in_time="numpy" not in sys.modules)
