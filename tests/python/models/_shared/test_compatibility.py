# SPDX-License-Identifier: BSD-3-Clause
"""Checks of plain arrays are left out where scikit-learn's would change nothing, and nowhere else."""

import numpy as np
import pytest
from gramian.models._shared import compatibility
from gramian.models._shared.compatibility import check_array, validate_data
from sklearn.base import BaseEstimator
from sklearn.utils import check_array as sklearn_check_array

X = np.random.default_rng(0).normal(size=(6, 3))
Y = X[:, :2].copy()
WITH_NAN = np.where(X > 1, np.nan, X)
SLOW = {
    "float32": X.astype(np.float32),
    "integers": X.astype(np.int64),
    "big-endian": X.astype(">f8"),
    "columns": np.asfortranarray(X),
    "strided": np.repeat(X, 2, axis=0)[::2],
    "list": X.tolist(),
    "a class of its own": X.view(type("Own", (np.ndarray,), {})),
}
REFUSED = {"NaN": WITH_NAN, "one dimension": X[:, 0], "three dimensions": X[None], "nothing": X[:0], "objects": [["a"]]}


class Learner(BaseEstimator):
    """Nothing but a place for the number of features."""


@pytest.fixture
def asked(monkeypatch):
    """How often scikit-learn was asked."""
    calls = []
    own, arrays = compatibility._validate_data, compatibility._check_array
    monkeypatch.setattr(compatibility, "_validate_data", lambda *a, **k: calls.append(1) or own(*a, **k))
    monkeypatch.setattr(compatibility, "_check_array", lambda *a, **k: calls.append(1) or arrays(*a, **k))
    return calls


def checked(X, learner=None, **checks):
    return validate_data(learner or Learner(), X, dtype=np.float64, order="C", **checks)


def test_a_plain_array_is_taken_as_it_is(asked):
    learner = Learner()
    assert checked(X, learner) is X and learner.n_features_in_ == 3
    assert checked(X, learner, reset=False) is X
    for targets in (Y, Y[:, 0].copy()):
        assert checked(X, y=targets, multi_output=True, y_numeric=True)[1] is targets
    assert check_array(X, "X") is X and check_array(Y[:, 0].copy(), "y", ensure_2d=False, dtype=None).shape == (6,)
    assert not asked


@pytest.mark.parametrize("name", SLOW)
def test_any_other_is_converted_as_scikit_learn_does(name, asked):
    found = checked(SLOW[name])
    np.testing.assert_array_equal(found, sklearn_check_array(SLOW[name], dtype=np.float64, order="C"))
    assert asked and found.dtype == np.float64 and found.flags.c_contiguous


@pytest.mark.parametrize("name", REFUSED)
def test_what_scikit_learn_refuses_is_refused(name):
    for check in (checked, lambda value: check_array(value, "X", dtype=np.float64)):
        with pytest.raises((TypeError, ValueError)):
            check(REFUSED[name])


def test_features_samples_and_targets_are_counted():
    learner = Learner()
    checked(X, learner)
    with pytest.raises(ValueError, match="X has 2 features, but Learner is expecting 3 features"):
        checked(Y, learner, reset=False)
    with pytest.raises(ValueError, match="minimum of 7 is required"):
        checked(X, ensure_min_samples=7)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        checked(X, y=Y[:5].copy(), multi_output=True)
    with pytest.raises(ValueError, match="y should be a 1d array"):
        checked(X, y=Y)
    with pytest.raises(ValueError, match="Input y contains NaN"):
        checked(X, y=WITH_NAN, multi_output=True)


def test_names_that_were_learned_are_missed():
    learner = Learner()
    learner.feature_names_in_, learner.n_features_in_ = np.array(["a", "b", "c"], dtype=object), 3
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        checked(X, learner, reset=False)
    assert checked(X, learner) is not None and not hasattr(learner, "feature_names_in_")
