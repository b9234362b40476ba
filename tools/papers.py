# SPDX-License-Identifier: BSD-3-Clause
"""Write docs/papers.md: what the papers say and where the code does it. The house tests compare it with the sources."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests" / "python"))

from house import papers  # noqa: E402  (found through the line above)
from house.tree import read_tree  # noqa: E402

if __name__ == "__main__":
    (ROOT / papers.PAGE).write_text(papers.page(read_tree(ROOT)), encoding="utf-8", newline="\n")
