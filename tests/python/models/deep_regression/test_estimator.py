# SPDX-License-Identifier: BSD-3-Clause
"""Concatenated regression: cases with known answers, [DKL] Sec. 3.3's identities, weights, penalties, losses."""

from __future__ import annotations

import gramian
import numpy as np
import pytest
from gramian import DeepKernelRegressor
from gramian.kernels import Gaussian, Linear, Matern, Polynomial
from gramian.losses import EpsilonInsensitive, Huber
from sklearn.exceptions import ConvergenceWarning
from sklearn.kernel_ridge import KernelRidge


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.uniform(-1, 1, size=(60, 2))
    return X, 1 / (0.1 + np.abs(X[:, 0] - X[:, 1])) + 0.01 * rng.normal(size=60)


@pytest.fixture(scope="module")
def smooth(data):
    """Targets that all searches find the same optimum for."""
    X, _ = data
    return X, np.sin(3 * (X[:, 0] - X[:, 1])) + X[:, 1] ** 2


NEW = np.random.default_rng(1).uniform(-1, 1, size=(25, 2))


KERNELS = [Linear(), Gaussian(gamma=1.0)]


def model(kernels=KERNELS, alpha=1e-2, inner_alpha=1e-2, n_init=3, random_state=0, **options):
    return DeepKernelRegressor(
        kernels, alpha=alpha, inner_alpha=inner_alpha, n_init=n_init, random_state=random_state, **options
    )


def ridge(kernel, alpha, X, y, new, weights=None):
    return KernelRidge(kernel="precomputed", alpha=alpha).fit(kernel(X), y, weights).predict(kernel(new, X))


def test_one_layer_is_kernel_ridge_regression(data):
    X, y = data
    kernel = Gaussian(gamma=2.0)
    for target in (y, np.stack([y, X[:, 0]], axis=1)):
        ours = DeepKernelRegressor([kernel], alpha=0.1).fit(X, target)
        np.testing.assert_allclose(ours.predict(NEW), ridge(kernel, 0.1, X, target, NEW), rtol=1e-9, atol=1e-9)
        assert ours.predict(NEW).shape == (25, *target.shape[1:])
    K, residual = kernel(X), y - ridge(kernel, 0.1, X, y, X)
    ours = DeepKernelRegressor([kernel], alpha=0.1).fit(X, y)
    dual = residual / 0.1
    np.testing.assert_allclose(ours.objective_, (residual**2).sum() + 0.1 * dual @ K @ dual, rtol=1e-9)
    np.testing.assert_array_equal(ours.transform(NEW), NEW)


def test_a_linear_outer_kernel_is_learning_of_a_sum_of_kernels(data):
    """Of given outer weights w the best inner functions are a ridge regression with sum_j w_j^2 k_j: RLS2."""
    X, y = data
    parts = [Gaussian(gamma=50.0), Gaussian(gamma=0.5), Polynomial(degree=1, gamma=1.0, coef0=1.0)]
    mixture = [(kernel, np.eye(3)[j]) for j, kernel in enumerate(parts)]
    fitted = model([mixture, Linear()], alpha=0.5, inner_alpha=0.3, hidden=3, tol=1e-10, max_iter=3000).fit(X, y)
    w = fitted.supports_[1].T @ fitted.coefficients_[1][:, 0]

    def learned(A, B=None):
        return sum(v**2 * kernel(A, B) for v, kernel in zip(w, parts, strict=True))

    np.testing.assert_allclose(fitted.transform(NEW) @ w, fitted.predict(NEW), rtol=1e-9)
    np.testing.assert_allclose(fitted.predict(NEW), ridge(learned, 0.3, X, y, NEW), rtol=1e-4, atol=1e-4)
    assert np.abs(fitted.predict(NEW) - ridge(parts[0] + parts[1] + parts[2], 0.3, X, y, NEW)).max() > 1e-2


def test_two_layers_that_can_be_the_identity_are_not_worse_than_one(data):
    X, y = data
    for kernel in (Gaussian(gamma=3.0), Matern(nu=1.5, length_scale=0.7)):
        one = DeepKernelRegressor([kernel], alpha=1e-2).fit(X, y)
        for inner_alpha in (1e-6, 1e-2, 1.0):
            two = model([Linear(), kernel], inner_alpha=inner_alpha).fit(X, y)
            # |id|^2 = 2 in the space of the linear kernel on two features.
            assert two.objective_ <= (one.objective_ + 2 * inner_alpha) * (1 + 1e-9)
        assert model([Linear(), kernel], inner_alpha=1e-6).fit(X, y).objective_ < 0.9 * one.objective_


@pytest.fixture(scope="module")
def narrow(data):
    """A model with d_2 = 1 and a radial outer kernel a(|z - z'|), as in [DKL] Fig. 2."""
    X, y = data
    return model([Gaussian(gamma=1.5), Matern(nu=0.5, length_scale=0.8)], hidden=1, inner_alpha=1e-3).fit(X, y)


def test_the_deep_kernel_is_that_of_multi_layer_multiple_kernel_learning(narrow):
    """[DKL] Sec. 3.3.2: k_11(sum_i nu_i (K_2(x_i, x) - K_2(x_i, y))) with nu = c and k_11(z) = a(|z|) is (11)."""
    nu, samples = narrow.coefficients_[0][:, 0], narrow.supports_[0]
    inner = Gaussian(gamma=1.5)
    pairs = inner(samples, NEW)[:, :, None] - inner(samples, NEW)[:, None, :]  # K_{2,i}(x, y)
    argument = np.einsum("i,ixy->xy", nu, pairs)
    multiple = np.exp(-np.abs(argument) / 0.8)
    np.testing.assert_allclose(narrow.deep_kernel_(NEW), multiple, rtol=1e-9, atol=1e-12)
    assert np.abs(multiple - np.exp(-np.abs(1.01 * argument) / 0.8)).max() > 1e-4


def test_a_network_with_one_hidden_layer_encodes_two_layers(narrow):
    """[DKL] Sec. 3.3.1, Fig. 2: N neurons K_2(x_i, x), clusters K_2(x_i, x_j) always on, weights c, -c, alpha."""
    c, alpha, samples = narrow.coefficients_[0][:, 0], narrow.coefficients_[1][:, 0], narrow.supports_[0]
    inner = Gaussian(gamma=1.5)
    signal = inner(NEW, samples)  # the input layer
    always_on = inner(samples, samples)  # row i: the cluster of hidden neuron i
    into = signal @ c
    hidden = np.exp(-np.abs(into[:, None] - (always_on @ c)[None, :]) / 0.8)  # its activation is a(|.|)
    np.testing.assert_allclose(hidden @ alpha, narrow.predict(NEW), rtol=1e-9, atol=1e-9)


def test_weights_are_repetitions_to_the_last_bit(data):
    X, y = data
    weights = np.random.default_rng(2).integers(0, 4, size=len(X))
    again = np.repeat(np.arange(len(X)), weights)
    shuffled = np.random.default_rng(3).permutation(again)
    for options in ({}, {"alpha": None, "cv": None, "alphas": [0.1, 1.0]}, {"landmarks": 20}, {"loss": Huber(0.5)}):
        chosen = model(n_init=2, tol=1e-2, **options)
        first, objective = chosen.fit(X, y, sample_weight=weights).predict(NEW), chosen.objective_
        assert first.tobytes() == chosen.fit(X[again], y[again]).predict(NEW).tobytes()
        # In another order what is learned has the same bits, and predictions are sums in another order.
        np.testing.assert_allclose(chosen.fit(X[shuffled], y[shuffled]).predict(NEW), first, rtol=0, atol=1e-12)
        assert chosen.objective_ == objective
        assert not np.array_equal(first, chosen.fit(X, y).predict(NEW))


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_expansions_are_in_the_order_of_the_samples(data):
    X, y = data
    rows = np.random.default_rng(5).permutation(np.r_[np.arange(len(X)), :15])
    weights = np.where(np.arange(len(rows)) % 7 == 0, 0.0, 1.0)
    kept = np.flatnonzero(weights)
    first = kept[np.sort(np.unique(rows[kept], return_index=True)[1])]
    kernels = [Gaussian(gamma=0.5), Matern(nu=2.5)]
    some = {"landmarks": first[3:20]}
    for options, known in (({}, first), ({"standardize": True}, first), (some, first[3:20]), ({"landmarks": 12}, None)):
        made = DeepKernelRegressor(kernels, alpha=0.1, inner_alpha=0.1, hidden=2, max_iter=5, random_state=0, **options)
        fitted = made.fit(X[rows], y[rows], sample_weight=weights)
        seen, new = ((part - fitted.input_shift_) / fitted.input_scale_ for part in (X, NEW))
        if known is not None:
            np.testing.assert_array_equal(fitted.supports_[0], seen[rows[known]])
        places = [next(i for i in first if (seen[rows[i]] == x).all()) for x in fitted.supports_[0]]
        assert places == sorted(places)
        inner = kernels[0](new, fitted.supports_[0]) @ fitted.coefficients_[0]
        np.testing.assert_allclose(inner, fitted.transform(NEW), atol=1e-12)
        outer = kernels[1](inner, fitted.supports_[1]) @ fitted.coefficients_[1]
        outer = outer * fitted.output_scale_ + fitted.output_shift_
        np.testing.assert_allclose(outer[:, 0], fitted.predict(NEW), atol=1e-12)
        images = kernels[0](fitted.supports_[0]) @ fitted.coefficients_[0]
        np.testing.assert_allclose(fitted.supports_[1], images, atol=1e-10)


def test_a_single_layer_with_weights_is_weighted_ridge_regression(data):
    X, y = data
    weights = np.random.default_rng(4).uniform(0.1, 3, size=len(X))
    kernel = Gaussian(gamma=2.0)
    ours = DeepKernelRegressor([kernel], alpha=0.1).fit(X, y, sample_weight=weights)
    np.testing.assert_allclose(ours.predict(NEW), ridge(kernel, 0.1, X, y, NEW, weights), rtol=1e-8, atol=1e-8)


def test_the_same_bits_for_any_number_of_threads(data):
    X, y = data
    found = set()
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        fitted = model(alpha=None, alphas=[1e-2, 1e-1], n_init=5, tol=1e-2).fit(X, y)
        found.add((fitted.predict(NEW).tobytes(), fitted.init_objectives_.tobytes(), fitted.alpha_))
    assert len(found) == 1


def test_what_a_fit_tells(data):
    X, y = data
    fitted = model(n_init=4).fit(X, y)
    assert len(fitted.init_objectives_) == len(fitted.init_stop_reasons_) == 4
    assert fitted.objective_ == pytest.approx(fitted.init_objectives_.min(), rel=1e-12)
    residual = y - fitted.predict(X)
    np.testing.assert_allclose(fitted.loss_, (residual**2).sum(), rtol=1e-6)
    np.testing.assert_allclose(fitted.layer_penalties_, fitted.squared_norms_ * [1e-2, 1e-2], rtol=1e-12)
    np.testing.assert_allclose(fitted.objective_, fitted.loss_ + fitted.layer_penalties_.sum(), rtol=1e-9)
    assert fitted.inner_parameters_ == "features" and fitted.inner_rank_ == 2
    assert fitted.last_layer_ == "eliminated" and fitted.cv_results_ is None
    assert fitted.stop_reason_ == "tol" and fitted.n_iter_ == fitted.history_["iteration"][-1]
    assert fitted.stationarity_ < 1e-2 * fitted.objective_
    rough = model(n_init=1, max_iter=1)
    with pytest.warns(UserWarning, match="raise max_iter or tol"):
        assert rough.fit(X, y).stationarity_ > 10 * fitted.stationarity_


def test_solvers_and_parametrisations_reach_the_same_optimum(smooth):
    best = model().fit(*smooth).objective_
    for options in (
        {"solver": "bfgs"},
        {"inner_parameters": "coefficients"},
        {"solver": "adam", "learning_rate": 0.05},
    ):
        other = model(**options).fit(*smooth)
        assert other.objective_ == pytest.approx(best, rel=1e-6) and other.last_layer_ == "eliminated"
    joint = model(last_layer="joint", tol=3e-4, max_iter=3000).fit(*smooth)
    assert joint.objective_ == pytest.approx(best, rel=2e-2) and joint.last_layer_ == "joint"


def test_three_layers(data):
    X, y = data
    kernels = [Linear(), Gaussian(gamma=0.5), Gaussian(gamma=1.0)]
    fitted = model(kernels, hidden=(2, 3), inner_alpha=[1e-2, 1e-3], tol=1e-2).fit(X, y)
    assert fitted.transform(NEW).shape == (25, 3) and fitted.transform(NEW, layer=1).shape == (25, 2)
    second = Gaussian(gamma=0.5)(fitted.transform(NEW, layer=1), fitted.supports_[1]) @ fitted.coefficients_[1]
    np.testing.assert_allclose(fitted.transform(NEW), second, rtol=1e-9, atol=1e-12)
    assert fitted.inner_alpha_.tolist() == [1e-2, 1e-3]
    assert fitted.score(X, y) > 0.9


def test_images_that_are_asked_for(data):
    X, y = data
    wanted = np.stack([X[:, 0] - X[:, 1], X[:, 0] + X[:, 1]], axis=1)
    fitted = model(inner_alpha=1e-6).fit(X, y, image_targets={1: (wanted, 1e6)})
    assert np.abs(fitted.transform(X) - wanted).max() < 1e-3
    free = model(inner_alpha=1e-6).fit(X, y, image_targets={1: (wanted, 0.0)})
    assert np.abs(free.transform(X) - wanted).max() > 0.1
    tube = model(inner_alpha=1e-6).fit(X, y, image_targets={1: (wanted, 1e6, EpsilonInsensitive(0.2))})
    assert 1e-2 < np.abs(tube.transform(X) - wanted).max() < 0.25


def test_a_distance_penalty_keeps_images_apart(data):
    X, y = data
    close = model([Gaussian(gamma=1.0), Gaussian(gamma=1.0)], inner_alpha=1.0).fit(X, y)
    apart = model([Gaussian(gamma=1.0), Gaussian(gamma=1.0)], inner_alpha=1.0, distance_penalty=1e-2).fit(X, y)

    def nearest(fitted):
        images = fitted.transform(X)
        distances = ((images[:, None] - images[None]) ** 2).sum(axis=2)
        return distances[np.triu_indices(len(X), 1)].min()

    assert nearest(apart) > 2 * nearest(close)


def test_landmarks(data):
    X, y = data
    every = model(landmarks=np.arange(len(X))).fit(X, y)
    np.testing.assert_allclose(every.objective_, model().fit(X, y).objective_, rtol=1e-3)
    some = model(landmarks=25).fit(X, y)
    assert some.coefficients_[0].shape == (25, 2) and len(some.supports_[0]) == 25
    assert some.score(X, y) > 0.8
    rows = model(landmarks=[7, 3, 9, 30, 31, 50]).fit(X, y)
    assert {tuple(row) for row in rows.supports_[0]} == {tuple(X[i]) for i in (3, 7, 9, 30, 31, 50)}


def test_standardisation(data):
    X, y = data
    far = X * [100.0, 0.01] + [5.0, -3.0]
    default = DeepKernelRegressor(alpha=1e-2, inner_alpha=1e-2, n_init=2, random_state=0)
    assert default.fit(far, 50 * y + 7).score(far, 50 * y + 7) == pytest.approx(default.fit(X, y).score(X, y), rel=1e-3)
    np.testing.assert_allclose(default.input_shift_, X.mean(axis=0), rtol=1e-12)
    raw = model().fit(X, y)
    assert raw.input_scale_.tolist() == [1.0, 1.0] and raw.output_shift_.tolist() == [0.0]
    constant = np.hstack([X, np.full((len(X), 1), 0.1)])
    assert default.fit(constant, y).input_scale_[2] == 1.0
    shifted = DeepKernelRegressor(alpha=1e-2, inner_alpha=1e-2, loss=Huber(1.0), n_init=1, tol=1e-2).fit(X, y)
    assert shifted.output_scale_.tolist() == [1.0] and shifted.output_shift_[0] == pytest.approx(y.mean())


def test_a_callback_sees_and_stops(data):
    X, y = data
    seen = []

    def watch(iteration):
        seen.append(iteration.value)
        return len(seen) >= 5

    stopped = model(callback=watch).fit(X, y)
    assert len(seen) == 5 and stopped.stop_reason_ == "callback"


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"kernels": "rfb"}, ValueError, "'kernels' parameter of DeepKernelRegressor must be one of"),
        ({"kernels": []}, ValueError, "an entry for each layer, at least one"),
        ({"hidden": (2, 2)}, ValueError, "'hidden' parameter of DeepKernelRegressor has 2 sizes"),
        ({"hidden": 0}, ValueError, "hidden"),
        ({"alpha": -1.0}, ValueError, "'alpha' parameter"),
        ({"inner_alpha": [1.0, 2.0]}, ValueError, "'inner_alpha' parameter"),
        ({"inner_alpha": None, "inner_alphas": [-1.0]}, ValueError, "inner_alphas"),
        ({"inner_alpha": None, "inner_alphas": []}, ValueError, "'inner_alphas' parameter"),
        ({"inner_alpha": None, "theta": 2.0}, ValueError, "must be given where theta is not None"),
        ({"alpha": None, "inner_alpha": [1.0]}, ValueError, "can't be a list while alpha is chosen"),
        ({"inner_alpha": None, "cv": 1}, ValueError, "'cv' parameter"),
        ({"theta": "root"}, ValueError, "theta"),
        ({"theta": [None]}, ValueError, "1 entries for 2 layers"),
        ({"solver": "newton"}, ValueError, "solver"),
        ({"init": "zero"}, ValueError, "init"),
        ({"inner_parameters": "all"}, ValueError, "inner_parameters"),
        ({"last_layer": "both"}, ValueError, "last_layer"),
        ({"refined_share": 1.0}, ValueError, "refined_share"),
        ({"n_init": 0}, ValueError, "n_init"),
        ({"standardize": "yes"}, ValueError, "standardize"),
        ({"landmarks": [99]}, ValueError, "landmarks"),
        ({"loss": "hinge"}, ValueError, "'loss' parameter of DeepKernelRegressor must be 'squared', a loss of"),
        ({"memory_budget": 0}, ValueError, "memory_budget"),
    ],
)
def test_wrong_parameters_are_named(data, parameters, error, message):
    with pytest.raises(error, match=message):
        model().set_params(**parameters).fit(*data)


def test_wrong_arguments_are_named(data):
    X, y = data
    with pytest.raises(ValueError, match="requires y"):
        model().fit(X, None)
    with pytest.raises(ValueError, match="at least 0"):
        model().fit(X, y, sample_weight=-np.ones(len(X)))
    with pytest.raises(ValueError, match="at least one non-zero"):
        model().fit(X, y, sample_weight=np.zeros(len(X)))
    with pytest.raises(TypeError, match="image_targets must be a dict"):
        model().fit(X, y, image_targets=X)
    with pytest.raises(ValueError, match="has 3 rows"):
        model().fit(X, y, image_targets={1: X[:3]})
    with pytest.raises(ValueError, match="layer 2 is not an inner one"):
        model().fit(X, y, image_targets={2: X})
    with pytest.raises(ValueError, match="sample_weight is 0"):
        model(landmarks=[0, 1]).fit(X, y, sample_weight=np.arange(len(X)))
    with pytest.raises(ValueError, match="layer"):
        model().fit(X, y).transform(X, layer=2)


def test_the_operator_of_a_layer_whose_kernel_is_open_is_used(smooth):
    X, y = smooth
    kernels, A = [Linear(), None, Matern(nu=2.5)], [None, [1.0, 0.25], None]
    with pytest.warns(ConvergenceWarning):
        ours = model(kernels, hidden=(2, 2), A=A, max_iter=4, standardize=False).fit(X, y)
    np.testing.assert_array_equal(ours.operators_[1], [1.0, 0.25])
    # New samples are seen as those of the training.
    np.testing.assert_allclose(((ours.predict(X) - y) ** 2).sum(), ours.loss_, rtol=1e-6)
