# SPDX-License-Identifier: BSD-3-Clause
"""What several test files need."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gramian
import numpy as np
import pytest

PythonRunner = Callable[..., subprocess.CompletedProcess[str]]

sys.path.insert(0, str(Path(__file__).parent))  # for naive.py, whatever pytest's import mode


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """A generator of this test's own: adding a test does not change the data of another."""
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))


@pytest.fixture(autouse=True)
def default_settings() -> Iterator[None]:
    """A test that fails midway leaves no setting behind."""
    yield
    gramian.set_num_threads(None)
    gramian.set_memory_limit(None)


@pytest.fixture
def pyplot() -> Iterator[Any]:
    """matplotlib.pyplot, which shows nothing here."""
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    yield plt
    plt.close("all")


@pytest.fixture
def run_python(tmp_path: Path) -> PythonRunner:
    """Run code in a fresh interpreter, away from the checkout."""

    def run(code: str, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *options, "-c", code],
            env={**os.environ, **variables},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
        )

    return run
