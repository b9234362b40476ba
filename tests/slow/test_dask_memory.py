# SPDX-License-Identifier: BSD-3-Clause
"""Fits of gramian.dask on a worker that has less memory than the data: `make slow`."""

from __future__ import annotations

import os
import subprocess
import sys

import dask.array as da
import gramian.dask
import numpy as np
import pytest
from distributed import Client, LocalCluster
from gramian.kernels import Gaussian

ROWS, COLUMNS, BLOCK = 1_000_000, 64, 10_000  # 512 MB
LIBRARIES = "import gramian.dask, dask.dataframe"
RESIDENT = "print(next(int(line.split()[1]) for line in open('/proc/self/status') if line.startswith('VmRSS')) // 1024)"
"""A line that prints the MB that a process has in memory."""
KERNEL = Gaussian(gamma=0.2)
SMALL = {"landmarks": 60, "random_state": 0}
MODELS = {
    "ridge": gramian.dask.KernelRidge(0.1, kernel=KERNEL, **SMALL),
    "embedding": gramian.dask.ConditionalMeanEmbedding(KERNEL, "rbf", **SMALL),
    "components": gramian.dask.DeepKernelPCA(3, KERNEL, center=True, **SMALL),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_worker_needs_less_memory_than_there_are_data(name):
    begun = subprocess.run(
        [sys.executable, "-c", f"{LIBRARIES}\n{RESIDENT}"], capture_output=True, text=True, check=True
    )
    limit = int(begun.stdout) + 200
    options = {"processes": True, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    with LocalCluster(n_workers=1, memory_limit=f"{limit}MiB", **options) as made, Client(made) as client:
        before = client.run(os.getpid)
        data = da.random.default_rng(0).random(size=(ROWS, COLUMNS), chunks=(BLOCK, COLUMNS))
        assert data.nbytes > limit * 2**20
        targets = [] if name == "components" else [data.mean(axis=1)]
        model = MODELS[name].fit(data, *targets)
        assert len(model.landmarks_) == 60
        assert not targets or np.isfinite(model.score(data, *targets))
        assert client.run(os.getpid) == before  # none was killed for its memory
