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
}
SAID = {
    "KernelAutoencoder": "use landmarks, or set max_time",
    "KernelAutoencoder, landmarks": "use fewer landmarks, or set max_time",
    "DependencyRegressor": "use rank='auto'",
    "OperatorKernelRidge": "use solver='cg', or fewer samples, or set max_time",
    "OperatorKernelRidge, cg": "use fewer samples, or set max_time",
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
    if "max_time" in model.get_params():
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
