# SPDX-License-Identifier: BSD-3-Clause
"""Every bound function is called with junk for ten minutes, or `JUNK_SECONDS`; none ends the process: `make slow`."""

from __future__ import annotations

import collections
import json
import os
import subprocess
import sys
import time
from pathlib import Path

SECONDS = float(os.environ.get("JUNK_SECONDS", "600"))
FIRST_SEED = int(os.environ.get("JUNK_SEED", "0"))
SECONDS_OF_A_PROCESS = 30.0


def test_no_call_ends_the_process(tmp_path):
    counts: collections.Counter[str] = collections.Counter()
    seed, end = FIRST_SEED, time.monotonic() + SECONDS
    ended = []
    while time.monotonic() < end:
        log, least = tmp_path / f"{seed}.json", min(SECONDS_OF_A_PROCESS, SECONDS)
        program = [sys.executable, str(Path(__file__).with_name("junk.py")), str(seed), str(least), str(log)]
        done = subprocess.run(program, capture_output=True, text=True, check=False)
        if done.returncode:
            ended.append((done.returncode, log.read_text(), done.stderr[-500:]))
        else:
            counts.update(json.loads(done.stdout.splitlines()[-1]))
        seed += 1
    print(f"{sum(counts.values())} calls with the seeds {FIRST_SEED} .. {seed - 1}: {dict(counts.most_common())}")
    assert not ended, ended
