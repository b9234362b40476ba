# SPDX-License-Identifier: BSD-3-Clause
"""What large problems of dependency estimation take: memory above that of the interpreter and the data."""

from __future__ import annotations

import sys

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel counts memory on Linux alone")

BEFORE = """
import pathlib
import numpy as np
from gramian import DependencyRegressor
from gramian.kernels import Gaussian

def peak():
    status = pathlib.Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:")) // 1024

def data(n):
    X = np.random.default_rng(0).normal(size=(n, 8))
    return X, np.tanh(X[:, :4] + X[:, 4:])
"""
FITS = """
model = DependencyRegressor(Gaussian(gamma=0.1), Gaussian(gamma=0.3), rank={m})
X, Y = data({n})
model.fit(X, Y)
print(peak())
assert model.coefficients_.shape == ({m}, {m})
found = model.predict(X[:50])
assert np.square(found - Y[:50]).sum(axis=1).mean() < 0.5 * np.square(Y[:50] - Y.mean(axis=0)).sum(axis=1).mean()
"""
CHOICES = """
X, Y = data(10_300)
model = DependencyRegressor(Gaussian(gamma=0.1), Gaussian(gamma=0.3)).fit(X[:300], Y[:300])
before = peak()
best = model.nearest(X[300:], candidates=Y[300:], k=5)
print(peak() - before)
scores = -model.scores(X[300:310], candidates=Y[300:])
np.testing.assert_array_equal(best[:10], np.argsort(scores, axis=1, kind="stable")[:, :5])
"""


@pytest.mark.parametrize(("n", "m"), [(20_000, 200), (100_000, 200)])
def test_fits_of_low_rank_take_less_than_a_gigabyte(run_python, n, m):
    """The Gram matrices would take 3.2 GB each, and 80."""
    done = run_python(BEFORE + FITS.format(n=n, m=m))
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 1000


def test_the_best_of_many_candidates_take_less_than_their_scores(run_python):
    """All of them are 10^8: 800 MB."""
    done = run_python(BEFORE + CHOICES)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 300
