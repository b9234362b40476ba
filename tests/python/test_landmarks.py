# SPDX-License-Identifier: BSD-3-Clause
from __future__ import annotations

from typing import get_args

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from gramian.landmarks import Method
from scipy import sparse

METHODS = get_args(Method)
LOOKS = METHODS[1:]
"""Those that look at the samples."""
KERNEL = Gaussian(gamma=0.5)


@pytest.fixture(scope="module")
def clustered():
    """Return 900 rows of a large cluster, and 20 small ones of 5 rows."""
    random = np.random.default_rng(0)
    centres = np.concatenate([np.zeros((180, 2)), random.normal(scale=8.0, size=(20, 2))])
    return np.repeat(centres, 5, axis=0) + 0.1 * random.normal(size=(1000, 2))


def missed(X, rows):
    """Return the trace of the Gram matrix that the span of some rows leaves, by a dense factorization."""
    K = gramian.gram(KERNEL, X)
    return np.trace(K - K[:, rows] @ np.linalg.pinv(K[np.ix_(rows, rows)], rcond=1e-12) @ K[rows])


@pytest.mark.parametrize("method", METHODS)
def test_rows_are_different_ascending_and_drawn_by_the_seed(clustered, method):
    rows = gramian.landmark_rows(KERNEL, clustered, 30, method=method, random_state=3)
    assert rows.dtype == np.intp and len(rows) == 30 and np.all(np.diff(rows) > 0) and rows[0] >= 0 and rows[-1] < 1000
    again, other = (gramian.landmark_rows(KERNEL, clustered, 30, method=method, random_state=s) for s in (3, 4))
    assert rows.tolist() == again.tolist() and rows.tolist() != other.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_all_rows_are_all_rows(method):
    X = np.arange(12.0)[:, None]
    assert gramian.landmark_rows(KERNEL, X, 12, method=method, random_state=0).tolist() == list(range(12))


@pytest.mark.parametrize("method", LOOKS)
def test_methods_that_look_at_samples_miss_less_of_clusters(clustered, method):
    def left(name):
        return [
            missed(clustered, gramian.landmark_rows(KERNEL, clustered, 30, method=name, random_state=s))
            for s in range(5)
        ]

    assert np.mean(left(method)) < 0.8 * np.mean(left("random"))


@pytest.mark.parametrize("method", METHODS)
def test_threads_do_not_matter(clustered, method):
    found = []
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        found.append(gramian.landmark_rows(KERNEL, clustered, 25, method=method, random_state=0).tolist())
    assert found[0] == found[1] == found[2]


def test_pivots_end_where_nothing_is_left():
    X = np.repeat([[0.0], [3.0], [9.0]], 4, axis=0)
    assert len(gramian.landmark_rows(KERNEL, X, 8, method="pivoted", random_state=0)) == 3


def test_other_kinds_of_points_have_the_methods_that_their_refusal_names(clustered, tmp_path):
    np.save(tmp_path / "X.npy", clustered)
    kinds = {
        "sparse points": sparse.csr_array(clustered),
        "inner products": gramian.InnerProducts(clustered @ clustered.T),
        "rows that are read": gramian.rows(tmp_path / "X.npy"),
    }
    for name, X in kinds.items():
        with pytest.raises(ValueError, match=f"'method' parameter .* for {name}, got 'leverage'") as refusal:
            gramian.landmark_rows(KERNEL, X, 9, method="leverage")
        named = [method for method in METHODS if f"'{method}'" in str(refusal.value) and method != "leverage"]
        assert len(named) == 2
        for method in named:
            found = gramian.landmark_rows(KERNEL, X, 9, method=method, random_state=0).tolist()
            assert found == gramian.landmark_rows(KERNEL, clustered, 9, method=method, random_state=0).tolist()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"count": 0}, ValueError, r"count must be an integer in \[1, 1000\]"),
        ({"count": 1001}, ValueError, "count"),
        ({"count": 2.5}, TypeError, "count"),
        ({"method": "best"}, ValueError, "'method' parameter of landmark_rows"),
        ({"kernel": "rpf"}, ValueError, "rpf"),
        ({"X": [[np.nan]]}, ValueError, "X contains NaN"),
    ],
)
def test_bad_arguments_are_named(clustered, arguments, error, message):
    with pytest.raises(error, match=message):
        gramian.landmark_rows(**{"kernel": KERNEL, "X": clustered, "count": 5, **arguments})


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_each_estimator_takes_them(clustered, method):
    rows = gramian.landmark_rows(KERNEL, clustered, 12, method=method, random_state=0)
    y, labels = np.sin(clustered[:, 0]), (clustered[:, 1] > 0).astype(int)
    few = {"max_iter": 2, "random_state": 0}
    for model, target in (
        (gramian.KernelRidge(kernel=KERNEL, landmarks=rows), y),
        (gramian.ConditionalMeanEmbedding(KERNEL, landmarks=rows), y),
        (gramian.EmbeddingClassifier(KERNEL, landmarks=rows, **few), labels),
        (gramian.DeepKernelPCA(2, KERNEL, landmarks=rows), None),
        (gramian.KernelAutoencoder((2,), penalty=1e-3, landmarks=rows, **few), None),
        (gramian.K2Autoencoder((2,), input_kernel=KERNEL, penalty=1e-3, landmarks=rows, **few), None),
        (gramian.DeepKernelRegressor(landmarks=rows, **few), y),
    ):
        assert sorted(model.fit(clustered, target).landmarks_) == rows.tolist()
