# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated regression: losses and penalties, the engine's and one's own, and the certificate of a solution."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from gramian import DeepKernelRegressor
from gramian.kernels import Gaussian, Linear
from gramian.losses import ClippedCrossEntropy, EpsilonInsensitive, Huber, Logistic, Loss, Squared

NEW = np.random.default_rng(1).uniform(-1, 1, size=(25, 2))
KERNELS = [Linear(), Gaussian(gamma=1.0)]


@pytest.fixture(scope="module")
def data():
    X = np.random.default_rng(0).uniform(-1, 1, size=(60, 2))
    return X, 1 / (0.1 + np.abs(X[:, 0] - X[:, 1]))


@pytest.fixture(scope="module")
def smooth(data):
    """Targets that all searches find the same optimum for."""
    X, _ = data
    return X, np.sin(3 * (X[:, 0] - X[:, 1])) + X[:, 1] ** 2


def model(kernels=KERNELS, alpha=1e-2, inner_alpha=1e-2, n_init=3, random_state=0, **options):
    return DeepKernelRegressor(
        kernels, alpha=alpha, inner_alpha=inner_alpha, n_init=n_init, random_state=random_state, **options
    )


def test_losses(smooth):
    X, y = smooth
    spoilt = y.copy()
    spoilt[::10] += 5.0
    clean = np.arange(len(y)) % 10 != 0

    def error(loss):
        fitted = model(loss=loss, alpha=0.1, inner_alpha=0.1, tol=1e-3).fit(X, spoilt)
        return np.abs(fitted.predict(X) - y)[clean].mean()

    assert error(Huber(delta=0.2)) < 0.6 * error("squared")


def support_vector_bound(K, y, alpha, epsilon):
    """The minimum of sum max(0, |y - f| - epsilon) + alpha |f|^2, from below: its dual, by coordinate descent."""
    beta, bound = np.zeros(len(y)), 1 / (2 * alpha)
    for _ in range(3000):
        for i in range(len(y)):
            left = y[i] - K[i] @ beta + K[i, i] * beta[i]
            beta[i] = np.clip(np.sign(left) * max(abs(left) - epsilon, 0) / K[i, i], -bound, bound)
    return 2 * alpha * (y @ beta - epsilon * np.abs(beta).sum() - beta @ K @ beta / 2)


def test_a_deep_support_vector_machine(smooth):
    X, y = smooth
    kernel, loss = Gaussian(gamma=1.0), EpsilonInsensitive(epsilon=0.1)
    for alpha in (0.1, 1.0):
        one = DeepKernelRegressor([kernel], alpha=alpha, loss=loss).fit(X, y)
        bound = support_vector_bound(kernel(X), y, alpha, 0.1)
        np.testing.assert_allclose(one.loss_, np.maximum(0, np.abs(y - one.predict(X)) - 0.1).sum(), rtol=1e-6)
        assert bound <= one.objective_ * (1 + 1e-9) and one.objective_ < bound * (1 + 1e-4)
        two = model([Linear(), kernel], alpha=alpha, inner_alpha=1e-3, loss=loss).fit(X, y)
        assert two.last_layer_ == "joint" and two.objective_ < bound + 2e-3  # the identity is among its inner layers


def test_a_loss_of_your_own(smooth):
    class Mine(Loss):
        def evaluate(self, target, output):
            residual = output - target
            return (residual**2).sum(), 2 * residual

    X, y = smooth
    options = {"n_init": 1, "tol": 1e-2}
    mine, ours = model(loss=Mine(), **options).fit(X, y), model(last_layer="joint", **options).fit(X, y)
    np.testing.assert_allclose(mine.history_["value"][:6], ours.history_["value"][:6], rtol=1e-9)
    assert model(loss=Squared()).fit(X, y).predict(NEW).tobytes() == model().fit(X, y).predict(NEW).tobytes()


def test_penalties_that_are_not_linear(data):
    X, y = data
    power = model(theta=1.5, tol=1e-3).fit(X, y)
    np.testing.assert_allclose(power.layer_penalties_, 1e-2 * power.squared_norms_**1.5, rtol=1e-9)
    mixed = model(theta=["norm", None]).fit(X, y)
    np.testing.assert_allclose(mixed.layer_penalties_, 1e-2 * mixed.squared_norms_ ** [0.5, 1.0], rtol=1e-9)
    assert power.last_layer_ == "joint" and mixed.last_layer_ == "eliminated"


def test_a_penalty_of_your_own(data):
    class Power:
        def value(self, square):
            return square**1.5

        def slope(self, square):
            return 1.5 * square**0.5

    class Bounded:  # no power
        def value(self, square):
            return np.log1p(square)

        def slope(self, square):
            return 1 / (1 + square)

    class Falling(Power):
        def slope(self, square):
            return -1.0

    X, y = data
    for form, own in ((1.5, Power()), ([1.5, None], [Power(), None]), ([None, 1.5], [None, Power()])):
        ours, mine = (model(theta=theta, n_init=1, tol=1e-3).fit(X, y) for theta in (form, own))
        np.testing.assert_allclose(mine.history_["value"][:6], ours.history_["value"][:6], rtol=1e-9)
        np.testing.assert_allclose(mine.objective_, ours.objective_, rtol=1e-2)
    fitted = model(theta=[Bounded(), None]).fit(X, y)
    np.testing.assert_allclose(
        fitted.layer_penalties_, 1e-2 * np.r_[np.log1p(fitted.squared_norms_[0]), fitted.squared_norms_[1]]
    )
    with pytest.raises(ValueError, match=r"what Falling.slope returns must be a finite number"):
        model(theta=[Falling(), None]).fit(X, y)


def test_targets_are_shifted_for_losses_of_residuals_alone(data):
    X, y = data

    class Poisson(Loss):
        def evaluate(self, target, output):
            return (np.exp(output) - target * output).sum(), np.exp(output) - target

    class Residual(Loss):
        of_residual = True

        def evaluate(self, target, output):
            return ((output - target) ** 2).sum(), 2 * (output - target)

    labels, counts = (y > 3).astype(float), np.floor(y)
    options = {"alpha": 1e-2, "inner_alpha": 1e-2, "n_init": 1, "tol": 1e-3, "random_state": 0}
    for loss, targets, least in (
        (Logistic(), labels, 0.0),
        (Poisson(), counts, (counts - counts * np.log(np.maximum(counts, 1))).sum()),  # at outputs log(counts)
        (ClippedCrossEntropy(0.01), np.c_[labels, 1 - labels], 0.0),
    ):
        fitted = DeepKernelRegressor(loss=loss, **options).fit(X, targets)
        assert not fitted.output_shift_.any() and fitted.loss_ >= least
        value = loss.evaluate(targets.reshape(len(y), -1), fitted.predict(X).reshape(len(y), -1))[0]
        np.testing.assert_allclose(fitted.loss_, value, rtol=1e-6)
    for loss in (Residual(), EpsilonInsensitive(0.1), Huber(1.0)):
        assert DeepKernelRegressor(loss=loss, **options).fit(X, y).output_shift_[0] == pytest.approx(y.mean())


@pytest.mark.parametrize("last_layer", ["auto", "joint"])
@pytest.mark.parametrize("inner", [Gaussian(gamma=0.7), Linear()], ids=repr)
def test_stationarity_is_the_defect_of_the_integral_equation(data, last_layer, inner):
    """[DKL] Thm. 2, (14): f_l = -1/(2 penalty) of the sum of w_i k_l(x_{l-1,i}, .) times the gradient in x_{l,i}."""
    X, y = data
    w, alpha, inner_alpha = np.random.default_rng(2).uniform(0.5, 2, size=len(X)), 0.1, 0.2
    options = {"last_layer": last_layer, "inner_parameters": "coefficients", "n_init": 1, "tol": 1e-7}
    for rounds in (1, 30) if last_layer == "auto" else (5000,):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted = model(
                [inner, Gaussian(gamma=1.0)], alpha=alpha, inner_alpha=inner_alpha, max_iter=rounds, **options
            ).fit(X, y, w)
        place = [int(np.argmin(((X - row) ** 2).sum(axis=1))) for row in fitted.supports_[0]]
        Z, c = fitted.supports_[1], fitted.coefficients_[1][:, 0]
        outer = np.exp(-((Z[:, None] - Z[None]) ** 2).sum(axis=2))
        slope = 2 * w[place] * (outer @ c - y[place])
        inward = np.einsum("ij,ijk->ik", outer * c, -2 * (Z[:, None] - Z[None]))
        last, first = slope + 2 * alpha * c, slope[:, None] * inward + 2 * inner_alpha * fitted.coefficients_[0]
        defect = np.sqrt(last @ outer @ last + np.trace(first.T @ inner(X[place]) @ first))
        if last_layer == "joint":  # away from a solution coefficients that are held are another thing than functions
            assert defect < 0.2 and fitted.stationarity_ < 0.2  # of some 30 where it begins
            continue
        np.testing.assert_allclose(fitted.stationarity_, defect, rtol=1e-5, atol=1e-7 * len(X))
        assert rounds > 1 or defect > 1e-2
