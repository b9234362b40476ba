# SPDX-License-Identifier: BSD-3-Clause
"""Fits that are killed from outside, at any time, again and again until they end: `make slow`."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "python"))

import test_checkpoint as quick

KILLS = 12


def fit_until(case: quick.Case, path: Path, seconds: float) -> bool:
    """Fit in a process that is killed after a time; return whether it had ended."""
    child = os.fork()
    if child == 0:
        try:
            quick.fitted(case, checkpoint=path, checkpoint_every=1)
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.parametrize("name", list(quick.CASES))
def test_a_fit_that_is_killed_at_any_time_goes_on_with_the_same_bits(name, tmp_path):
    case, path = quick.CASES[name], tmp_path / "fit.checkpoint"
    rng = np.random.default_rng(0)
    begin = time.monotonic()
    whole = quick.learned(quick.fitted(case))
    alone = time.monotonic() - begin
    for _ in range(KILLS):
        fit_until(case, path, rng.uniform(0.0, 4.0 * alone))
        assert {entry.suffix for entry in tmp_path.iterdir()} <= {".checkpoint", ".tmp"}
    assert quick.learned(quick.fitted(case, checkpoint=path)) == whole
    assert not path.exists()
