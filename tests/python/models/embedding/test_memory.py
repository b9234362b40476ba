# SPDX-License-Identifier: BSD-3-Clause
"""What EmbeddingClassifier takes of memory: some n squared numbers at most in a fit, next to nothing in predictions."""

from __future__ import annotations

import sys

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the kernel counts memory on Linux alone")

CODE = """
import pathlib, warnings
import numpy as np
from gramian import EmbeddingClassifier
from gramian.features import Network
from sklearn.exceptions import ConvergenceWarning
warnings.simplefilter("ignore", ConvergenceWarning)

def peak():  # ru_maxrss is handed down by the parent
    status = pathlib.Path("/proc/self/status").read_text()
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))

def growth(work):
    before = peak()
    work()
    return peak() - before

rng = np.random.default_rng(0)
X = rng.random((3000, 8))
y = (3 * X[:, 0]).astype(int)
options = {options}
EmbeddingClassifier(**options).fit(X[:50], y[:50]).predict_proba(X)  # what is loaded late
model = EmbeddingClassifier(**options)
print(growth(lambda: model.fit(X, y)))
print(growth(lambda: model.predict_proba(rng.random((100000, 8)))))
"""

SQUARE = 8 * 3000**2


def growths(run_python, options):
    result = run_python(CODE.format(options=options), OMP_NUM_THREADS="2")
    assert result.returncode == 0, result.stderr
    return [int(line) for line in result.stdout.split()]


@pytest.mark.parametrize("learn", ["rademacher", "erm", None])
def test_a_fit_takes_little_more_than_two_gram_matrices(run_python, learn):
    fit, predict = growths(run_python, {"learn": learn, "max_iter": 1})
    assert 0.9 * SQUARE < fit < 2.2 * SQUARE  # the lower one: it is measured at all
    assert predict < 60e6  # the kernel of all pairs would be 2.4 GB


@pytest.mark.parametrize(
    "options",
    ["dict(kernel='linear', max_iter=1)", "dict(features=Network([(16, 'tanh')]), max_iter=1)"],
    ids=["linear", "features"],
)
def test_explicit_features_take_no_gram_matrix(run_python, options):
    fit, predict = growths(run_python, options)
    assert fit < 0.3 * SQUARE and predict < 60e6
