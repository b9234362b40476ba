# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

import shutil
from pathlib import Path

import gramian
import numpy as np


def test_sources_alone_say_what_to_do(run_python, tmp_path):
    (tmp_path / "gramian").mkdir()
    for file in Path(gramian.__file__).parent.glob("*.py"):
        shutil.copy(file, tmp_path / "gramian")
    packages = str(Path(np.__file__).parents[1])
    # -S keeps an installed gramian, or a finder that leads to it, from being found first.
    code = f"import sys; sys.path[:0] = [{str(tmp_path)!r}]; sys.path.append({packages!r}); import gramian"
    result = run_python(code, "-S")
    assert result.returncode == 1
    message = result.stderr.splitlines()
    assert any(line.startswith("ImportError: The compiled part of gramian") for line in message), result.stderr
    assert "pip install ." in result.stderr
    assert "gramian._core" in result.stderr
