# SPDX-License-Identifier: BSD-3-Clause
"""KernelAutoencoder: solvers, starts, landmarks, losses, callbacks, and what is refused."""

from __future__ import annotations

import logging
import warnings

import gramian
import numpy as np
import pytest
from gramian import KernelAutoencoder, losses
from gramian.kernels import Gaussian, Polynomial
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.preprocessing import StandardScaler

KERNELS = [Gaussian(gamma=0.4), Gaussian(gamma=0.7)]
FIXED = {"kernels": KERNELS, "penalty": 1e-3}


@pytest.fixture(scope="module")
def X():
    return StandardScaler().fit_transform(load_iris().data[::3])


@pytest.fixture(scope="module")
def best(X):
    return KernelAutoencoder(**FIXED).fit(X).objective_


def fit_either_way(model, X):
    """Fit, whether it converges or not."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X)


def quietly(model, X):
    """Fit, where not to converge is expected."""
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        return model.fit(X)


@pytest.mark.parametrize(
    "options",
    [
        {"solver": "lbfgs", "init": "random", "n_init": 4, "random_state": 0},
        {"solver": "adam", "learning_rate": 0.03},
        {"solver": "gd"},
        {"solver": "alternating"},
        {"solver": "alternating", "inner_steps": 5},
    ],
    ids=repr,
)
def test_every_solver_comes_close(X, best, options):
    model = fit_either_way(KernelAutoencoder(**FIXED, **options), X)
    assert 0.8 * best < model.objective_ < 1.2 * best < 0.5 * model.history_["value"][0]


@pytest.mark.parametrize(
    "options",
    [
        {"solver": "lbfgs"},
        {"solver": "gd"},
        {"solver": "adam"},
        {"solver": "adam", "batch_size": 25},
        {"solver": "sgd", "learning_rate": 3e-4, "batch_size": 10},
    ],
    ids=repr,
)
def test_joint_training_goes_down(X, options):
    model = fit_either_way(KernelAutoencoder(**FIXED, last_layer="joint", max_iter=300, random_state=0, **options), X)
    assert model.last_layer_ == "joint"
    assert model.objective_ < model.history_["value"][0]


def test_bounded_norms_hold(X):
    model = fit_either_way(
        KernelAutoencoder(kernels=KERNELS, penalty=0.0, max_norm=[1.0, None], solver="gd", max_iter=200), X
    )
    assert model.squared_norms_[0] <= 1.0 + 1e-8
    assert model.multipliers_.shape == (2,) and model.last_layer_ == "joint"


def test_all_rows_as_landmarks_are_the_exact_fit(X):
    exact = KernelAutoencoder(**FIXED, tol=1e-9, max_iter=3000).fit(X)
    for landmarks in (len(X), np.arange(len(X))):
        model = KernelAutoencoder(**FIXED, tol=1e-9, max_iter=3000, landmarks=landmarks).fit(X)
        assert model.objective_ == pytest.approx(exact.objective_, rel=1e-4)
        np.testing.assert_allclose(model.score(X), exact.score(X), rtol=0.05)


def test_some_landmarks_come_close(X):
    exact = KernelAutoencoder(**FIXED, tol=1e-4).fit(X)
    model = KernelAutoencoder(**FIXED, tol=1e-4, landmarks=25, random_state=0).fit(X)
    assert len(model.landmarks_) == 25 and (np.diff(model.landmarks_) > 0).all()
    assert [part.shape for part in model.coefficients_] == [(25, 2), (25, 4)]
    np.testing.assert_array_equal(model.supports_[0], X[model.landmarks_])
    assert model.embedding_.shape == (len(X), 2)
    np.testing.assert_allclose(model.transform(X), model.embedding_, atol=1e-9)
    assert exact.objective_ - 1e-6 <= model.objective_ < 1.5 * exact.objective_
    again = KernelAutoencoder(**FIXED, tol=1e-4, landmarks=25, random_state=0).fit(X)
    assert again.embedding_.tobytes() == model.embedding_.tobytes()
    given = KernelAutoencoder(**FIXED, tol=1e-4, landmarks=model.landmarks_[::-1]).fit(X)
    np.testing.assert_array_equal(given.landmarks_, model.landmarks_)


def test_landmarks_lie_apart(rng):
    far = np.r_[rng.normal(size=(95, 2)) * 1e-3, rng.normal(size=(5, 2)) * 10]
    model = fit_either_way(KernelAutoencoder(landmarks=8, max_iter=2, random_state=1), far)
    assert set(range(95, 100)) <= set(model.landmarks_.tolist())


def test_the_best_start_is_kept(X):
    options = {**FIXED, "init": "random", "max_iter": 30, "tol": 1e-2, "random_state": 3}
    model = fit_either_way(KernelAutoencoder(**options, n_init=5), X)
    assert model.init_objectives_.shape == (5,)
    assert model.objective_ == pytest.approx(model.init_objectives_.min(), rel=1e-10)
    assert len(set(model.init_objectives_)) > 1
    assert fit_either_way(KernelAutoencoder(**options), X).objective_ >= model.objective_
    other = fit_either_way(KernelAutoencoder(**{**options, "random_state": 4}), X)
    assert other.embedding_.tobytes() != model.embedding_.tobytes()


@pytest.mark.parametrize("kernels", [KERNELS, None], ids=["given", "by the median rule"])
@pytest.mark.parametrize("last_layer", ["eliminated", "joint"])
def test_a_warm_start_continues(X, last_layer, kernels):
    model = KernelAutoencoder(kernels=kernels, last_layer=last_layer, max_iter=5, warm_start=True)
    first = quietly(model, X).objective_
    learned = model.kernels_
    second = quietly(model, X)
    assert second.history_["value"][0] == pytest.approx(first, rel=1e-6)
    assert second.objective_ <= first and second.kernels_ == learned
    with pytest.raises(ValueError, match="warm_start"):
        model.fit(X[:-1])


def test_a_callback_watches_and_stops(X):
    seen = []
    model = KernelAutoencoder(**FIXED, callback=seen.append).fit(X)
    assert [iteration.number for iteration in seen] == list(model.history_["iteration"])[-len(seen) :]
    assert seen[-1].number == model.n_iter_ and seen[-1].value == model.history_["value"][-1]
    stopped = KernelAutoencoder(**FIXED, callback=lambda iteration: iteration.number >= 3).fit(X)
    assert (stopped.stop_reason_, stopped.n_iter_) == ("callback", 3)
    assert stopped.objective_ == pytest.approx(model.history_["value"][3], rel=1e-9)


@pytest.mark.parametrize(
    ("loss", "error", "message"),
    [
        (
            "huber",
            ValueError,
            r"must be 'squared', a loss of gramian.losses .* Pass gramian.losses.Huber\(delta=1.0\)\.$",
        ),
        (gramian.losses.Huber, TypeError, r"Pass gramian.losses.Huber\(delta=1.0\)\.$"),
        ("epsilon_insensitive", ValueError, r"Pass gramian.losses.EpsilonInsensitive\(epsilon=1.0\)\.$"),
        ("absolute", ValueError, r"Got 'absolute' instead\.$"),
        (None, TypeError, r"an object with evaluate\(target, output\)"),
    ],
)
def test_losses_by_name_say_what_to_write(X, loss, error, message):
    for model in (KernelAutoencoder(loss=loss, last_layer="joint"), gramian.DeepKernelRegressor(loss=loss)):
        with pytest.raises(error, match=f"The 'loss' parameter of {type(model).__name__} .*{message}"):
            model.fit(X, X[:, 0])


@pytest.mark.parametrize("restarts", [1, 3])
def test_what_a_callback_throws_comes_through(X, restarts):
    class Mine(Exception):
        pass

    def callback(iteration):
        raise Mine(iteration.number)

    model = KernelAutoencoder(**FIXED, callback=callback, n_init=restarts)
    with pytest.raises(Mine):
        model.fit(X)
    assert not hasattr(model, "coefficients_")


def test_verbose_goes_to_the_logger(X, caplog, capsys):
    with caplog.at_level(logging.INFO, logger="gramian"):
        model = KernelAutoencoder(**FIXED, verbose=5).fit(X)
    assert len(caplog.records) in (model.n_iter_ // 5, model.n_iter_ // 5 + 1)
    assert all("objective" in record.getMessage() for record in caplog.records)
    assert capsys.readouterr() == ("", "")


@pytest.fixture
def outliers(rng):
    t = rng.uniform(-2, 2, size=80)
    clean = np.c_[t, t**2 - 1.5, np.sin(2 * t)] + 0.03 * rng.normal(size=(80, 3))
    dirty = clean.copy()
    dirty[::10] += rng.normal(size=(8, 3)) * 15
    return clean, dirty


@pytest.mark.parametrize("loss", [losses.Huber(delta=0.3), losses.EpsilonInsensitive(epsilon=0.05)], ids=repr)
def test_robust_losses_shrug_off_outliers(outliers, loss):
    clean, dirty = outliers
    options = {"hidden": (1,), "kernels": [Gaussian(gamma=0.3), Gaussian(gamma=0.5)], "penalty": 1e-3, "max_iter": 400}
    inside = np.delete(clean, np.s_[::10], axis=0)
    squared = fit_either_way(KernelAutoencoder(**options, last_layer="joint"), dirty).score(inside)
    robust = fit_either_way(KernelAutoencoder(**options, last_layer="joint", loss=loss), dirty).score(inside)
    assert -robust < 0.7 * -squared


def test_a_loss_of_ones_own(X):
    class Mine(losses.Loss):
        def evaluate(self, target, output):
            r = output - target
            return float((r * r).sum()), 2.0 * r

    options = {**FIXED, "last_layer": "joint", "max_iter": 40}
    ours = fit_either_way(KernelAutoencoder(**options), X)
    theirs = fit_either_way(KernelAutoencoder(**options, loss=Mine()), X)
    np.testing.assert_allclose(theirs.history_["value"][:10], ours.history_["value"][:10], rtol=1e-9)


def test_ctrl_c_ends_a_fit(run_python):
    result = run_python(
        """
import signal, threading, time
import numpy as np
import gramian

signal.signal(signal.SIGINT, signal.default_int_handler)
X = np.random.default_rng(0).normal(size=(2500, 10))
model = gramian.KernelAutoencoder(hidden=(3,), max_iter=100_000, tol=0.0, landmarks=None)
sent = []

def press():
    time.sleep(1.0)
    sent.append(time.time())
    signal.raise_signal(signal.SIGINT)

threading.Thread(target=press, daemon=True).start()
try:
    model.fit(X)
except KeyboardInterrupt:
    assert not hasattr(model, "coefficients_")
    few = gramian.KernelAutoencoder(tol=0.1).fit(X[:50])
    print("right", time.time() - sent[0] < 30)
"""
    )
    assert result.stdout == "right True\n", result.stderr


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"penalty": -1.0}, ValueError, "penalty"),
        ({"penalty": [1.0]}, ValueError, "penalty"),
        ({"penalty": "much"}, ValueError, "penalty"),
        ({"hidden": ()}, ValueError, "hidden"),
        ({"hidden": (0,)}, ValueError, r"hidden\[0\]"),
        ({"hidden": (2.5,)}, TypeError, r"hidden\[0\]"),
        ({"kernels": [Gaussian()]}, ValueError, "kernels"),
        ({"kernels": "rfb"}, ValueError, "kernels"),
        ({"kernels": ["rfb", None]}, ValueError, r"kernels\[0\]"),
        ({"kernels": [Gaussian(gamma=-1.0), None]}, ValueError, "gamma"),
        ({"kernels": [Gaussian(gamma=[1.0, 2.0]), None]}, ValueError, "gamma"),
        ({"A": [None]}, ValueError, "A"),
        ({"A": [[1.0], None], "kernels": KERNELS}, ValueError, r"A\[0\]"),
        ({"A": [[1.0, -1.0], None], "kernels": KERNELS}, ValueError, "A: entry 1"),
        ({"A": [[1.0], None]}, ValueError, r"A\[0\]"),
        ({"loss": "absolute"}, (TypeError, ValueError), "loss"),
        ({"loss": losses.Huber(delta=1.0)}, ValueError, "joint"),
        ({"solver": "newton"}, ValueError, "solver"),
        ({"solver": "sgd"}, ValueError, "joint"),
        ({"solver": "alternating", "last_layer": "joint"}, ValueError, "alternating"),
        ({"last_layer": "first"}, ValueError, "last_layer"),
        ({"init": "zero"}, ValueError, "init"),
        ({"landmarks": 0}, ValueError, "landmarks"),
        ({"landmarks": 51}, ValueError, "landmarks"),
        ({"landmarks": [0, 50]}, ValueError, "landmarks"),
        ({"landmarks": [0.5]}, TypeError, "landmarks"),
        ({"max_norm": [1.0, 1.0]}, ValueError, "solver='gd'"),
        ({"batch_size": 10}, ValueError, "solver='adam'"),
        ({"batch_size": 10, "solver": "adam"}, ValueError, "joint"),
        ({"solver": "alternating", "penalty": [1.0, 0.0]}, ValueError, "alternating"),
        ({"max_norm": -1.0, "solver": "gd"}, ValueError, "max_norm"),
        ({"n_init": 0}, ValueError, "n_init"),
        ({"max_iter": 0}, ValueError, "max_iter"),
        ({"tol": -1.0}, ValueError, "tol"),
        ({"learning_rate": 0.0}, ValueError, "learning_rate"),
        ({"batch_size": 0}, ValueError, "batch_size"),
        ({"inner_steps": 0}, ValueError, "inner_steps"),
        ({"code_layer": 2}, ValueError, "code_layer"),
        ({"callback": 3}, TypeError, "callback"),
        ({"verbose": -1}, ValueError, "verbose"),
        ({"memory_budget": 0}, ValueError, "memory_budget"),
        ({"random_state": "x"}, (TypeError, ValueError), "random_state"),
    ],
    ids=repr,
)
def test_bad_parameters_are_named(X, options, error, message):
    with pytest.raises(error, match=message):
        KernelAutoencoder(**options).fit(X)


def test_bad_data_is_named(X):
    model = KernelAutoencoder(max_iter=5, tol=1.0)
    for bad, message in ((np.nan, "NaN"), (np.inf, "infinity")):
        broken = X.copy()
        broken[3, 1] = bad
        with pytest.raises(ValueError, match=message):
            model.fit(broken)
    with pytest.raises(ValueError, match="1 sample|n_samples=1|minimum of 2"):
        model.fit(X[:1])
    with pytest.raises(NotFittedError):
        model.transform(X)
    with pytest.raises(NotFittedError):
        model.inverse_transform(X[:, :2])
    fit_either_way(model, X)
    with pytest.raises(ValueError, match="features"):
        model.transform(X[:, :3])
    with pytest.raises(ValueError, match="codes"):
        model.inverse_transform(X)
    with pytest.raises(ValueError, match="without landmarks"):
        fit_either_way(KernelAutoencoder(landmarks=5, max_iter=2), X).jacobian(1, 0)


def test_not_to_converge_is_a_warning(X):
    model = quietly(KernelAutoencoder(**FIXED, max_iter=2, tol=1e-12), X)
    assert (model.stop_reason_, model.n_iter_) == ("max_iter", 2)


def test_a_singular_system_is_a_warning_that_names_alpha(rng):
    duplicates = np.repeat(rng.normal(size=(6, 2)), 5, axis=0)
    nearly = duplicates + 1e-12 * rng.normal(size=duplicates.shape)
    with pytest.warns(ConvergenceWarning, match="raise the last layer's penalty"):
        model = KernelAutoencoder(penalty=[1e-3, 1e-18]).fit(nearly)
    assert model.jitter_ > 0
    assert KernelAutoencoder().fit(nearly).jitter_ == 0
    assert KernelAutoencoder(penalty=[1e-3, 1e-18]).fit(duplicates).jitter_ == 0  # equal samples are one


def test_memory_is_refused_in_time(X):
    gramian.set_memory_limit(1000)
    with pytest.raises(MemoryError, match="bytes"):
        KernelAutoencoder(kernels=Polynomial(degree=2), penalty=1.0).fit(np.tile(X, (10, 1)))
