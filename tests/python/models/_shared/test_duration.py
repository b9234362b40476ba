# SPDX-License-Identifier: BSD-3-Clause
"""A fit that may take long says so before it begins, with what would be faster. No test looks at a clock."""

from __future__ import annotations

import re
import warnings

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian
from gramian.models._shared import duration
from gramian.models._shared.duration import layer_operations, operations_per_second
from gramian.models._shared.landmarks import Switch
from gramian.operators import Separable
from sklearn.base import clone

rng = np.random.default_rng(0)
X, NUMBERS, MANY = rng.normal(size=(60, 3)), rng.normal(size=60), rng.normal(size=(60, 25))
LABELS = (X[:, 0] > 0).astype(int)
FEW = slice(None, 8)
SHORT = {"max_iter": 3, "n_init": 1, "alpha": 0.1, "inner_alpha": 0.1, "random_state": 0}

CASES = {
    "KernelAutoencoder": (gramian.KernelAutoencoder(max_iter=3, landmarks=None), None, {"landmarks": 4}),
    "KernelAutoencoder, landmarks": (gramian.KernelAutoencoder(max_iter=3, landmarks=40), None, {"landmarks": 4}),
    "K2Autoencoder": (gramian.K2Autoencoder(max_iter=3, landmarks=None), None, {"landmarks": 4}),
    "DeepKernelRegressor": (gramian.DeepKernelRegressor(landmarks=None, **SHORT), NUMBERS, {"landmarks": 4}),
    "DeepKernelClassifier": (gramian.DeepKernelClassifier(landmarks=None, **SHORT), LABELS, {"landmarks": 4}),
    "DeepKernelPCA": (
        gramian.DeepKernelPCA((2, 2), landmarks=None, max_iter=3, random_state=0),
        None,
        {"landmarks": 8},
    ),
    "EmbeddingClassifier": (gramian.EmbeddingClassifier(max_iter=3, landmarks=None), LABELS, {"landmarks": 4}),
    "DependencyRegressor": (gramian.DependencyRegressor(rank=None), NUMBERS, {"rank": "auto"}),
    "OperatorKernelRidge": (gramian.OperatorKernelRidge(Gaussian(), solver="cholesky"), MANY, {"solver": "cg"}),
    "OperatorKernelRidge, cg": (gramian.OperatorKernelRidge(Gaussian(), solver="cg"), NUMBERS, None),
    "OperatorKernelRidge, matrix": (
        gramian.OperatorKernelRidge(Separable(Gaussian(), A=[2.0]), solver="cg"),
        NUMBERS,
        None,
    ),
    "DeepKernelPCA, landmarks": (gramian.DeepKernelPCA(2, landmarks=40, random_state=0), None, {"landmarks": 4}),
    "KernelRidge": (gramian.KernelRidge(kernel=Gaussian(), solver="cg"), NUMBERS, {"landmarks": 4, "solver": "auto"}),
    "KernelRidge, cholesky": (
        gramian.KernelRidge(kernel=Gaussian(), solver="cholesky"),
        NUMBERS,
        {"landmarks": 2, "solver": "landmarks"},
    ),
    "KernelRidge, alphas": (gramian.KernelRidge(kernel=Gaussian(), alphas=[0.1, 1.0]), NUMBERS, {"alphas": None}),
    "KernelRidge, landmarks": (gramian.KernelRidge(kernel=Gaussian(), landmarks=40), NUMBERS, {"landmarks": 4}),
    "ConditionalMeanEmbedding": (
        gramian.ConditionalMeanEmbedding(Gaussian(), Gaussian(), landmarks=None),
        NUMBERS,
        {"landmarks": 4},
    ),
    "ConditionalMeanEmbedding, cv": (
        gramian.ConditionalMeanEmbedding(Gaussian(), Gaussian(), learn="cv", random_state=0),
        NUMBERS,
        {"learn": None},
    ),
    "ConditionalMeanEmbedding, loo": (
        gramian.ConditionalMeanEmbedding(Gaussian(), Gaussian(), learn="loo", landmarks=30, random_state=0),
        NUMBERS,
        {"landmarks": 4},
    ),
}
SAID = {
    "KernelAutoencoder": "use landmarks, or set max_time",
    "KernelAutoencoder, landmarks": "use fewer landmarks, or set max_time",
    "DependencyRegressor": "use rank='auto'",
    "OperatorKernelRidge": "use solver='cg', or fewer samples, or KernelRidge with landmarks",
    "OperatorKernelRidge, cg": "use fewer samples, or KernelRidge with landmarks, or set max_time",
    "OperatorKernelRidge, matrix": "use fewer samples, or set max_time",
    "DeepKernelPCA, landmarks": "use fewer landmarks",
    "KernelRidge": "use solver='landmarks', or set max_time",
    "KernelRidge, cholesky": "use solver='cg' or solver='landmarks'",
    "KernelRidge, alphas": "use fewer samples, or one alpha",
    "KernelRidge, landmarks": "use fewer landmarks",
    "ConditionalMeanEmbedding": "use landmarks",
    "ConditionalMeanEmbedding, cv": "use landmarks, or learn=None",
    "ConditionalMeanEmbedding, loo": "use fewer landmarks, or learn=None",
}


def announcements(model, y, rows=slice(None)):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(X[rows], *(() if y is None else (y[rows],)))
    return [str(one.message) for one in caught if one.category is UserWarning and " may take " in str(one.message)]


def operations(model, y, monkeypatch, rows=slice(None)):
    """How many a fit is taken for."""
    told = []
    with monkeypatch.context() as patch:
        patch.setattr(duration, "LEAST_RATE", 0.0)
        patch.setattr(duration, "operations_per_second", lambda: 1e-9)
        patch.setattr(duration, "_spelled", lambda seconds: told.append(seconds * 1e-9) or "long")
        announcements(clone(model), y, rows)
    return told[0]


@pytest.mark.parametrize("name", CASES)
def test_a_long_fit_says_so_once_and_what_it_advises_is_faster(name, monkeypatch):
    model, y, faster = CASES[name]
    assert announcements(clone(model), y) == []
    work = operations(model, y, monkeypatch)
    monkeypatch.setattr(duration, "LEAST_RATE", 0.0)
    monkeypatch.setattr(duration, "operations_per_second", lambda: work / 7200)  # two hours
    [said] = announcements(clone(model), y)
    advice = SAID.get(name, "use landmarks, or set max_time")
    assert said == f"{name.partition(',')[0]} may take 120 minutes for 60 samples: {advice}."
    monkeypatch.setattr(duration, "operations_per_second", lambda: work / 599)
    assert announcements(clone(model), y) == []
    monkeypatch.setattr(duration, "operations_per_second", lambda: work / 601)
    assert announcements(clone(model), y)
    if faster is not None:
        if faster == {"rank": "auto"}:
            monkeypatch.setattr("gramian.models.dependency.fit.SWITCH", Switch(20, 1))
        assert announcements(clone(model).set_params(**faster), y) == []
    if model.get_params().get("landmarks") is None:
        assert announcements(clone(model), y, FEW) == []
    if advice.endswith("set max_time"):
        assert announcements(clone(model).set_params(max_time=3600.0), y) == []


def test_landmarks_are_not_advised_where_they_change_nothing(monkeypatch):
    monkeypatch.setattr(duration, "LEAST_RATE", 0.0)
    monkeypatch.setattr(duration, "operations_per_second", lambda: 1e-3)
    for model in (
        gramian.EmbeddingClassifier(lambda a, b: float(np.exp(-((a - b) ** 2).sum()))),
        gramian.DeepKernelInterpolator(),
    ):
        [said] = announcements(model.set_params(max_iter=3), LABELS, slice(None, 20))
        assert said.endswith("use fewer samples, or set max_time.")


def test_iterations_on_landmarks_are_counted_where_there_are_many(monkeypatch):
    model = gramian.KernelRidge(kernel=Gaussian(), landmarks=40, max_iter=5)
    formed = operations(model, NUMBERS, monkeypatch)
    monkeypatch.setattr("gramian.models.kernel_ridge.duration._MOST_FORMED", 30)
    iterated = operations(model, NUMBERS, monkeypatch)
    assert iterated > formed and iterated < operations(clone(model).set_params(max_iter=50), NUMBERS, monkeypatch)


def test_what_is_advised_in_the_place_of_an_operator_gives_the_same_answers():
    kernel = Gaussian()
    slow = gramian.OperatorKernelRidge(kernel, alpha=0.1).fit(X, MANY)
    fast = gramian.KernelRidge(0.1, kernel=kernel, landmarks=len(X)).fit(X, MANY)
    np.testing.assert_allclose(fast.predict(X), slow.predict(X), atol=1e-6)


def test_a_search_on_a_part_counts_that_part_only(monkeypatch):
    model = gramian.KernelAutoencoder(max_iter=3, random_state=0)
    monkeypatch.setattr(gramian.KernelAutoencoder, "_switch", Switch(20, 1, searched=60))
    whole = operations(model, None, monkeypatch)
    monkeypatch.setattr(gramian.KernelAutoencoder, "_switch", Switch(20, 1, searched=30))
    assert operations(model, None, monkeypatch) < 0.6 * whole


def test_operations_grow_with_samples_supports_and_columns():
    exact = layer_operations(1000, 1000, [3, 2, 3], solved=True)
    assert 5 < layer_operations(2000, 2000, [3, 2, 3], solved=True) / exact < 8
    assert layer_operations(1000, 100, [3, 2, 3], solved=True) < exact / 10
    assert layer_operations(1000, 1000, [30, 20, 30], solved=False) > layer_operations(1000, 1000, [3, 2, 3], False)


def test_the_rate_is_measured_once_and_not_for_short_fits(monkeypatch):
    operations_per_second.cache_clear()
    announcements(gramian.KernelAutoencoder(max_iter=3, landmarks=None), None)
    assert operations_per_second.cache_info().currsize == 0
    assert operations_per_second() > 1e6
    assert operations_per_second() == operations_per_second()


@pytest.mark.parametrize(("seconds", "words"), [(601, "10 minutes"), (9000, "150 minutes"), (14400, "4 hours")])
def test_times_are_spelled(seconds, words):
    assert duration._spelled(seconds) == words
    assert re.fullmatch(r"4 days", duration._spelled(4 * 86_400))
