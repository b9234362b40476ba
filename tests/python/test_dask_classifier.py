# SPDX-License-Identifier: BSD-3-Clause
"""Embedding classifiers of dask arrays, within this process."""

from __future__ import annotations

import pickle

import dask
import dask.array as da
import dask.dataframe as dd
import gramian
import gramian.dask
import numpy as np
import pandas as pd
import pytest
from gramian.dask.data import training
from gramian.dask.labels import label_counts
from gramian.kernels import Gaussian, Matern
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError

N, CHUNKS = 203, (40, 63, 1, 99)
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, 3))
LABELS = np.where(X[:, 0] + 0.4 * RNG.normal(size=N) > 0.3, "high", np.where(X[:, 1] > 0, "low", "middle"))
WEIGHTS = np.where(np.arange(N) % 7 == 0, 0.0, RNG.random(N) + 0.1)
NEW = RNG.normal(size=(9, 3))
ROWS = list(range(0, 200, 5))
COUNTED = [row for row in ROWS if WEIGHTS[row] > 0]


@pytest.fixture(autouse=True)
def in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


def rows_of(array, chunks=CHUNKS):
    return da.from_array(array, chunks=((chunks,) if isinstance(chunks, tuple) else (chunks,)) + array.shape[1:])


def classifier(**options):
    given = {"kernel": Gaussian(gamma=0.3), "learn": None, "penalty": 1e-3, "landmarks": ROWS, "random_state": 0}
    return gramian.dask.EmbeddingClassifier(**{**given, **options})


def in_memory(model, **options):
    """The estimator of gramian with the same parameters, not fitted."""
    params = {name: value for name, value in model.get_params(deep=False).items() if name != "sample_rows"}
    return gramian.EmbeddingClassifier(**{**params, **options})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"landmarks": 30},
        {"learn": "median"},
        {"learn": "validation", "max_iter": 5, "kernel": None},
        {"learn": "rademacher", "max_iter": 4, "solver": "lbfgs"},
        {"learn": "cv", "cv": 3, "penalties": [1e-3, 1e-1], "length_scale_factors": [0.5, 1.0]},
        {"class_weight": "balanced"},
        {"class_weight": {"high": 1.0, "low": 2.0, "middle": 0.5}},
        {"kernel": Matern(nu=1.5), "probabilities": "clip"},
        {"sensitivity": 2.0, "risk": "mean", "clip": 1e-6},
    ],
    ids=str,
)
@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_of_few_rows_it_is_the_estimator_in_memory(options, weights):
    if weights is not None and "landmarks" not in options:
        options = {**options, "landmarks": COUNTED}
    model = classifier(**options).fit(rows_of(X), rows_of(LABELS), None if weights is None else rows_of(weights))
    expected = in_memory(model).fit(X, LABELS, weights)
    np.testing.assert_array_equal(model.landmarks_, expected.landmarks_)
    np.testing.assert_array_equal(model.X_fit_, expected.X_fit_)
    assert model.classes_.tolist() == expected.classes_.tolist() and model.kernel_ == expected.kernel_
    assert model.sample_.tolist() == list(range(N))
    for name in ("penalty_", "complexity_", "risk_", "sensitivity_"):
        assert getattr(model, name) == pytest.approx(getattr(expected, name), rel=1e-7)
    assert model.uniform_share_ == expected.uniform_share_
    if expected.inverse_temperature_ is None:
        assert model.inverse_temperature_ is None
    else:
        assert model.inverse_temperature_ == pytest.approx(expected.inverse_temperature_, rel=1e-5)
    fitted = model.to_estimator()
    np.testing.assert_allclose(fitted.embedding(NEW), expected.embedding(NEW), rtol=0, atol=1e-7)
    np.testing.assert_allclose(model.predict_proba(NEW), expected.predict_proba(NEW), rtol=0, atol=1e-6)
    assert fitted.risk_bound() == pytest.approx(expected.risk_bound(), rel=1e-7)
    assert set(vars(fitted)) == set(vars(expected))
    for name, value in in_memory(model).get_params(deep=False).items():
        assert getattr(fitted, name) is value


@pytest.mark.parametrize("learn", [None, "validation"])
def test_of_more_rows_it_is_the_system_of_all(learn):
    options = {"sample_rows": 60, "landmarks": COUNTED[:20], "learn": learn, "max_iter": 3}
    model = classifier(**options).fit(rows_of(X), rows_of(LABELS), rows_of(WEIGHTS))
    assert 60 <= len(model.sample_) <= 60 + 20 + 3 and set(COUNTED[:20]) <= set(model.sample_)
    K = gramian.gram(model.kernel_, X, model.X_fit_)
    root = np.linalg.cholesky(gramian.gram(model.kernel_, model.X_fit_))
    Z = np.linalg.solve(root, K.T).T
    Y = (LABELS[:, None] == model.classes_).astype(float)
    shift = WEIGHTS.sum() * model.penalty_
    V = np.linalg.solve(Z.T @ (WEIGHTS[:, None] * Z) + shift * np.eye(len(root)), Z.T @ (WEIGHTS[:, None] * Y))
    np.testing.assert_allclose(K @ model.dual_coef_, Z @ V, rtol=0, atol=1e-8)
    assert model.uniform_share_ == 1 / (1 + np.count_nonzero(WEIGHTS))
    if learn is None:
        assert model.penalty_ == 1e-3
    else:  # n lambda is that of the sample
        own = in_memory(model, kernel=Gaussian(gamma=0.3), landmarks=np.searchsorted(model.sample_, COUNTED[:20]))
        own.fit(X[model.sample_], LABELS[model.sample_], WEIGHTS[model.sample_])
        assert model.penalty_ * WEIGHTS.sum() == pytest.approx(own.penalty_ * WEIGHTS[model.sample_].sum(), rel=1e-12)
        assert model.kernel_ == own.kernel_


def test_rare_classes_are_in_the_sample():
    rare = np.where(np.arange(N) == 150, 7, np.where(X[:, 0] > 0, 3, -2))
    model = classifier(sample_rows=20, landmarks=10).fit(rows_of(X), rows_of(rare))
    assert model.classes_.tolist() == [-2, 3, 7] and 150 in model.sample_ and 20 <= len(model.sample_) <= 23
    assert model.predict(rows_of(NEW, 4)).compute().dtype == rare.dtype


def test_the_sample_is_drawn_evenly_and_differs_from_seed_to_seed():
    many, labels = rows_of(RNG.normal(size=(4000, 2)), 1000), rows_of(np.arange(4000) % 2, 1000)
    drawn = [
        classifier(landmarks=5, sample_rows=400, random_state=seed).fit(many, labels).sample_ for seed in (0, 0, 1)
    ]
    assert drawn[0].tolist() == drawn[1].tolist() != drawn[2].tolist()
    assert (np.abs(np.bincount(drawn[0] // 1000) - 100) < 30).all()
    assert len(classifier(landmarks=500, sample_rows=1).fit(many, labels).sample_) in (500, 501, 502)


def test_automatic_landmarks():
    model = classifier(landmarks="auto", kernel=Matern(nu=0.5)).fit(rows_of(X), rows_of(LABELS))
    assert len(model.landmarks_) == 143  # 10 sqrt(203)


def test_labels_are_counted():
    counts = label_counts(training(rows_of(X), rows_of(LABELS), rows_of(WEIGHTS)))
    for label, rows, weight, first in zip(*counts, strict=True):
        own = label == LABELS
        assert rows == np.count_nonzero(WEIGHTS[own]) and weight == pytest.approx(WEIGHTS[own].sum(), rel=1e-12)
        assert first == np.flatnonzero(own & (WEIGHTS > 0))[0]
    none = label_counts(training(rows_of(X), rows_of(LABELS), rows_of(0 * WEIGHTS)))
    assert none.first.tolist() == [np.flatnonzero(label == LABELS)[0] for label in none.labels]


def test_results_are_lazy_and_have_the_blocks_of_the_samples():
    model = classifier().fit(rows_of(X), rows_of(LABELS))
    fitted = model.to_estimator()
    for method in ("predict", "predict_proba", "predict_log_proba", "decision_function"):
        found, expected = getattr(model, method)(rows_of(X)), getattr(fitted, method)(X)
        assert found.chunks[0] == CHUNKS and found.dtype == expected.dtype
        np.testing.assert_array_equal(found.compute(), expected)
        np.testing.assert_array_equal(getattr(model, method)(X), expected)
    assert is_classifier(model)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["without weights", "weights"])
def test_the_score_is_that_of_samples_in_memory(weights):
    model = classifier().fit(rows_of(X), rows_of(LABELS))
    expected = model.to_estimator().score(X, LABELS, weights)
    given = None if weights is None else rows_of(weights)
    assert model.score(rows_of(X), rows_of(LABELS), given) == pytest.approx(expected, rel=1e-12)
    assert model.score(X, LABELS, weights) == expected


@pytest.mark.parametrize("kind", ["names", "numbers"])
def test_dataframes_files_and_pickles(tmp_path, kind):
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    labels = pd.Series(LABELS if kind == "names" else (X[:, 0] > 0).astype(int))
    frames = dd.from_pandas(frame, npartitions=3), dd.from_pandas(labels, npartitions=2)
    model = classifier().fit(*frames)
    expected = classifier().fit(rows_of(X), rows_of(np.asarray(labels)))
    assert model.feature_names_in_.tolist() == ["a", "b", "c"]
    found = model.predict(frames[0]).compute()
    np.testing.assert_array_equal(found, expected.predict(X))
    assert model.score(*frames) == pytest.approx(expected.score(X, np.asarray(labels)))
    model.save(tmp_path / "model")
    loaded = gramian.load(tmp_path / "model")
    assert type(loaded) is gramian.EmbeddingClassifier
    np.testing.assert_array_equal(loaded.predict_proba(frame), model.predict_proba(frames[0]).compute())
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(frame), found)
    assert clone(model).get_params() == model.get_params() and not hasattr(clone(model), "classes_")
    empty = dd.concat([frames[0][frames[0].a > 100], frames[0]])  # its first partitions have no rows
    np.testing.assert_array_equal(classifier().fit(empty, frames[1]).predict(frame), found)


def test_schedulers_give_the_same_bits():
    bits = []
    for scheduler in ("synchronous", "threads"):
        with dask.config.set(scheduler=scheduler):
            bits.append(classifier(sample_rows=50).fit(rows_of(X), rows_of(LABELS)).predict_proba(NEW))
    np.testing.assert_array_equal(*bits)


BROKEN = np.where(np.arange(N)[:, None] == 50, np.nan, X)
REFUSED = [
    ("Partition 1: .*X", lambda: classifier(landmarks=[0, 1], sample_rows=2).fit(rows_of(BROKEN), rows_of(LABELS))),
    ("Partition 1: .*y", lambda: classifier().fit(rows_of(X), rows_of(np.sign(BROKEN[:, 0])))),
    (r"Partition \d: y has numbers that are not whole", lambda: classifier().fit(rows_of(X), rows_of(X[:, 0]))),
    (r"Partition \d: sample_weight", lambda: classifier().fit(rows_of(X), rows_of(LABELS), rows_of(-WEIGHTS))),
    ("one label for each row", lambda: classifier().fit(rows_of(X), rows_of(X))),
    ("non-zero", lambda: classifier().fit(rows_of(X), rows_of(LABELS), rows_of(0 * WEIGHTS))),
    ("'landmarks' parameter", lambda: classifier(landmarks=None).fit(rows_of(X), rows_of(LABELS))),
    ("'landmarks' parameter", lambda: classifier(landmarks="some").fit(rows_of(X), rows_of(LABELS))),
    ("'landmarks' parameter", lambda: classifier(landmarks=[N]).fit(rows_of(X), rows_of(LABELS))),
    ("'penalty' parameter", lambda: classifier(penalty=0.0).fit(rows_of(X), rows_of(LABELS))),
    ("'sample_rows' parameter", lambda: classifier(sample_rows=0).fit(rows_of(X), rows_of(LABELS))),
    ("'class_weight' parameter", lambda: classifier(class_weight={"high": -1.0}).fit(rows_of(X), rows_of(LABELS))),
    ("use fit with samples in memory", lambda: classifier(kernel="precomputed").fit(rows_of(X), rows_of(LABELS))),
    ("use fit with samples in memory", lambda: classifier(kernel=np.vdot).fit(rows_of(X), rows_of(LABELS))),
    ("must be a dask array", lambda: classifier().fit(X, rows_of(LABELS))),
]


@pytest.mark.parametrize(("message", "refused"), REFUSED, ids=[message for message, _ in REFUSED])
def test_what_is_refused(message, refused):
    with pytest.raises((TypeError, ValueError), match=message):
        refused()


def test_the_advice_is_followed():
    gramian.EmbeddingClassifier("precomputed", learn=None).fit(X @ X.T, LABELS)
    gramian.EmbeddingClassifier(lambda a, b: float(np.vdot(a, b)), learn=None).fit(X, LABELS)
    with pytest.raises(NotFittedError):
        classifier().predict(rows_of(X))


def test_a_system_that_does_not_fit_is_refused_before_it_is_summed_up():
    gramian.set_memory_limit(10 * 8 * 40**2 - 1)
    with pytest.raises(MemoryError, match="the normal system.*use fewer landmarks"):
        classifier().fit(rows_of(X), rows_of(LABELS))
    gramian.set_memory_limit(None)
    classifier(landmarks=10).fit(rows_of(X), rows_of(LABELS))
