# SPDX-License-Identifier: BSD-3-Clause
"""What does the package cost before it computes anything?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from bench.registry import OURS, figure

DIST = Path(__file__).resolve().parents[2] / "dist"
SKLEARN = "import sklearn.base, sklearn.utils.validation, sklearn.metrics.pairwise"
CLOCK = "import time; start = time.perf_counter(); {timed}; print(time.perf_counter() - start)"


@figure("import-time", "s")
def import_time() -> dict[str, float | str]:
    """Import in a fresh process: gramian on top of scikit-learn, and scikit-learn by itself. Best of five."""
    return {
        OURS: _best_of_five(f"{SKLEARN}; " + CLOCK.format(timed="import gramian")),
        "scikit-learn": _best_of_five(CLOCK.format(timed=SKLEARN)),
    }


@figure("wheel-size", "MB")
def wheel_size() -> dict[str, float | str]:
    """The newest wheel in dist/."""
    wheels = sorted(DIST.glob("gramian-*.whl"), key=lambda path: path.stat().st_mtime)
    return {OURS: wheels[-1].stat().st_size / 1e6 if wheels else "no wheel in dist/"}


def _best_of_five(code: str) -> float:
    run = [sys.executable, "-c", code]
    return min(float(subprocess.run(run, check=True, capture_output=True, text=True).stdout) for _ in range(5))
