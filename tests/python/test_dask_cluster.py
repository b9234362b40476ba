# SPDX-License-Identifier: BSD-3-Clause
"""gramian.dask on a cluster of processes: the same bits for any number of workers, also if one of them is killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time

import dask
import dask.array as da
import gramian.dask
import numpy as np
import pytest
from distributed import Client, LocalCluster
from gramian.kernels import Gaussian
from house.tree import ROOT

N, BLOCK, M, SAMPLE = 4000, 160, 60, 300
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 4))
Y = np.sin(X[:, 0]) * X[:, 1]
WEIGHTS = RNG.random(N)
LABELS = np.array(["few", "more", "most"])[(X[:, 0] > 0) + (Y > 0.3).astype(int)]
DX, DY, DW, DLABELS = (da.from_array(array, chunks=(BLOCK, *array.shape[1:])) for array in (X, Y, WEIGHTS, LABELS))


def ridge():
    return gramian.dask.KernelRidge(0.1, kernel=Gaussian(gamma=0.2), landmarks=M, random_state=0)


def embedding():
    return gramian.dask.ConditionalMeanEmbedding(Gaussian(gamma=0.2), "rbf", landmarks=M, random_state=0)


def pca():
    return gramian.dask.DeepKernelPCA(3, Gaussian(gamma=0.2), center=True, landmarks=M, random_state=0)


def classifier(**options):
    return gramian.dask.EmbeddingClassifier(
        Gaussian(gamma=0.2), landmarks=M, sample_rows=SAMPLE, max_iter=3, random_state=0, **options
    )


def regressor(**options):
    return gramian.dask.DependencyRegressor(
        Gaussian(gamma=0.2), "rbf", rank=M, sample_rows=SAMPLE, random_state=0, **options
    )


FITS = {
    "ridge": lambda X: ridge().fit(X, DY, DW),
    "embedding": lambda X: embedding().fit(X, DY, DW),
    "components": lambda X: pca().fit(X),
    "classifier": lambda X: classifier().fit(X, DLABELS, DW),
    "dependency": lambda X: regressor().fit(X, DY, DW),
}


def bits(model):
    return model.dual_coef_.tobytes(), model.objective_, model.landmarks_.tobytes()


def answers(model):
    """All bits that come out of a fitted model."""
    fitted = model.to_estimator()
    if hasattr(fitted, "transform"):
        return fitted.transform(X).tobytes()
    if hasattr(fitted, "predict_proba"):
        return fitted.predict_proba(X).tobytes()
    if hasattr(fitted, "scores"):
        return fitted.scores(X[:50]).tobytes()
    weights = fitted.weights(X[:50]).tobytes() if hasattr(fitted, "weights") else b""
    return fitted.predict(X).tobytes() + weights


@pytest.fixture(scope="module")
def expected():
    with dask.config.set(scheduler="synchronous"):
        return ridge().fit(DX, DY, DW)


@pytest.fixture(scope="module")
def cluster(expected):
    """A cluster with a client; what is expected is there before, as old releases of dask warn of two schedulers."""
    options = {"processes": True, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0", "host": "127.0.0.1"}
    with LocalCluster(n_workers=1, memory_limit=0, **options) as made, Client(made):
        yield made


@pytest.fixture
def gathered(cluster, monkeypatch):
    """The sizes of what the client got from the workers, as the scheduler knows them."""
    sizes = []
    scheduler, gather = cluster.scheduler, cluster.scheduler.handlers["gather"]

    async def counted(keys, **options):
        sizes.extend(scheduler.tasks[key].nbytes for key in keys)
        return await gather(keys=keys, **options)

    monkeypatch.setitem(scheduler.handlers, "gather", counted)
    return sizes


def scaled(cluster, workers):
    cluster.scale(workers)
    wait_for(cluster, workers)


def wait_for(cluster, workers, without=None):
    """Until there are so many workers, without one. wait_for_workers of dask loses count of those that are killed."""
    while len(cluster.scheduler.workers) != workers or without in cluster.scheduler.workers:
        time.sleep(0.01)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_gives_the_same_bits(cluster, gathered, expected, workers):
    scaled(cluster, workers)
    model = ridge().fit(DX, DY, DW)
    assert bits(model) == bits(expected)
    # The landmarks and the sum of all rows, with what Python objects take beside their numbers; X is 128 000 bytes.
    landmarks, sums = gathered
    assert X[:M].nbytes <= landmarks < X[:M].nbytes + 500
    assert 8 * (M * M + M + 1) <= sums < 8 * (M * M + M + 1) + 2000
    found = model.predict(DX)
    assert len(gathered) == 2
    assert found.compute().tobytes() == expected.predict(X).tobytes()


# Of two schedulers, by releases of dask before 2025.
@pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_embeddings_and_components_have_the_same_bits(cluster, gathered, workers):
    def numbers():
        return answers(FITS["embedding"](DX)), answers(FITS["components"](DX))

    scaled(cluster, workers)
    found = numbers()
    # Landmarks, their outputs and the sums: matrices of the landmarks, and never a number for each row.
    assert len(gathered) == 5 and max(gathered) < 8 * M * (2 * M + 2) + 3000
    with dask.config.set(scheduler="synchronous"):
        assert numbers() == found


@pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")
@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize(
    ("name", "most"),
    [
        # Sums by class; the sample with its labels of 16 bytes and weights; two matrices of the landmarks.
        ("classifier", [3000, SAMPLE * 8 * (4 + 2 + 1) + 3000, 8 * M * (M + 3) + 3000]),
        # The sample with its outputs and weights; the sums of products of both factors.
        ("dependency", [SAMPLE * 8 * (4 + 1 + 1) + 3000, 8 * M * 3 * M + 3000]),
    ],
)
def test_classifiers_and_structured_outputs_have_the_same_bits(cluster, gathered, workers, name, most):
    scaled(cluster, workers)
    found = answers(FITS[name](DX))
    assert sum(gathered) < sum(most) and max(gathered) < max(most)
    with dask.config.set(scheduler="synchronous"):
        assert answers(FITS[name](DX)) == found


def test_predictions_stay_on_the_workers_until_they_are_asked_for(cluster, gathered, expected):
    scaled(cluster, 2)
    error = ((expected.predict(DX) - DY) ** 2).mean().compute()
    assert error == pytest.approx(np.mean((expected.predict(X) - Y) ** 2), rel=1e-12)
    assert sum(gathered) < 100


def test_scores_are_computed_on_the_workers(cluster, gathered):
    scaled(cluster, 2)
    models = [FITS[name](DX) for name in ("embedding", "components", "classifier", "dependency")]
    before = len(gathered)
    found = [
        models[0].score(DX, DY, DW),
        models[1].score(DX, sample_weight=DW),
        models[2].score(DX, DLABELS, DW),
        models[3].score(DX, DY, DW),
    ]
    assert sum(gathered[before:]) < 2000
    in_memory = [model.to_estimator() for model in models]
    assert found[0] == pytest.approx(in_memory[0].score(X, Y, WEIGHTS), rel=1e-12)
    assert found[1] == pytest.approx(in_memory[1].score(X, sample_weight=WEIGHTS), rel=1e-9)
    assert found[2] == pytest.approx(in_memory[2].score(X, LABELS, WEIGHTS), rel=1e-12)
    assert found[3] == pytest.approx(in_memory[3].score(X, Y, WEIGHTS), rel=1e-12)


class Fit(threading.Thread):
    """A fit that goes on while something else happens."""

    def __init__(self, fit, X):
        super().__init__(daemon=True)
        self.fit, self.X, self.model = fit, X, None

    def run(self):
        self.model = self.fit(self.X)


def holder_of_a_sum(cluster):
    """The address of a worker that holds a partial sum."""
    sums = ("_of_block", "_embedded", "_traced", "_labelled", "_moments", "plus")
    for address, worker in list(cluster.scheduler.workers.items()):
        if any(str(task.key).startswith(sums) for task in list(worker.has_what)):
            return address
    return None


@pytest.mark.filterwarnings("ignore:Running on a single-machine scheduler")
@pytest.mark.parametrize("name", FITS)
def test_a_worker_that_is_killed_costs_time_only(cluster, name):
    with dask.config.set(scheduler="synchronous"):
        expected = answers(FITS[name](DX))
    scaled(cluster, 2)

    def slowly(block):
        time.sleep(0.05)
        return block

    fit, pids, victim = Fit(FITS[name], DX.map_blocks(slowly, dtype=float)), Client.current().run(os.getpid), None
    fit.start()
    while victim is None:
        assert fit.is_alive()
        victim = holder_of_a_sum(cluster)
    os.kill(pids[victim], signal.SIGKILL)
    assert fit.is_alive()
    fit.join(60)
    assert answers(fit.model) == expected
    wait_for(cluster, 2, without=victim)
    assert pids[victim] not in Client.current().run(os.getpid).values()


def test_an_error_on_a_worker_names_the_block_of_rows(cluster):
    wrong = np.where(np.arange(N)[:, None] == 3 * BLOCK, np.nan, X)
    model = ridge().set_params(landmarks=[0])
    with pytest.raises(ValueError, match="^Partition 3: Input X contains NaN"):
        model.fit(da.from_array(wrong, chunks=(BLOCK, 4)), DY)


def test_the_documentation_runs(tmp_path):
    page = (ROOT / "docs" / "dask.md").read_text(encoding="utf-8")
    programs = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    printed = []
    for program in programs:
        (tmp_path / "program.py").write_text(program, encoding="utf-8")
        command = [sys.executable, "program.py"]
        result = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
        assert result.returncode == 0, result.stderr
        printed += result.stdout.splitlines()
    assert re.fullmatch(r"\(20000,\) \d\.\de-0[3-9]", printed[0])
    assert printed[1:3] == ["(300, 2) float64", "True"]
    assert re.fullmatch(r"\[0\.\d+\]", printed[3])
    assert re.fullmatch(r"dask\.array<.*shape=\(300, 2\).*> \[0\.\d+\]", printed[4])
    assert printed[5:] == ["(300, 2) True", "(300, 2) True"]
