# SPDX-License-Identifier: BSD-3-Clause
"""Memory maps of three million rows: `make slow`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

MEASURE = Path(__file__).parents[1] / "python" / "memory_of_rows.py"


def test_operations_on_a_memory_map_take_150_megabytes(tmp_path):
    code = MEASURE.read_text() + "\nmeasure(3_000_000, 150)\n"
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)
