# SPDX-License-Identifier: BSD-3-Clause
"""The pieces of the repeated experiments on concatenated kernels do what they say. No test here looks at who wins."""

from __future__ import annotations

from types import SimpleNamespace

import gramian
import numpy as np
import pytest
from scipy.optimize import minimize

from bench.paper.__main__ import EXPERIMENTS
from bench.paper.common.outcome import Settings
from bench.paper.dkl import (
    functions,
    interpolation,
    kink,
    mixture,
    peers,
    regression,
    tables,
)
from bench.paper.dkl import network as dkl_network


def matern(A, B):
    """As printed, for s = 1 in two dimensions: kappa_{1/2}(r) r^{1/2} = (pi / 2)^{1/2} e^{-r} in each coordinate."""
    return np.pi / 2 * np.exp(-np.abs(A[:, None] - B[None]).sum(axis=2))


def test_functions_kernels_and_grid_are_the_printed_ones(rng):
    X = np.array([[0.5, 0.3], [-0.5, -0.3], [0.5, -0.3], [0.1, 0.1]])
    np.testing.assert_allclose(functions.h1(X), [1 / 0.3, 1 / 0.3, 1 / 0.9, 10])
    np.testing.assert_array_equal(functions.h2(X), [0, 0, 0, 0])
    np.testing.assert_array_equal(functions.h2(np.array([[0.5, 0.31], [-0.5, -0.31], [0.5, -0.31]])), [1, 1, 0])
    A, B = rng.normal(size=(4, 2)), rng.normal(size=(3, 2))
    np.testing.assert_allclose(gramian.gram(functions.MATERN, A, B), matern(A, B), rtol=1e-13)
    squares = ((A[:, None] - B[None]) ** 2).sum(axis=2)
    np.testing.assert_allclose(gramian.gram(functions.NARROW, A, B), np.exp(-squares / 0.02), rtol=1e-10, atol=1e-300)
    points = functions.grid()
    assert points.shape == (101**2, 2) and np.diff(np.unique(points[:, 0])) == pytest.approx(1 / 50)
    assert regression.GRID[0] == 0.5 and regression.GRID[-1] == 2.0**-19 and len(regression.GRID) == 10
    np.testing.assert_allclose(mixture.GRID, [1e-1, 1e-3, 1e-5, 1e-7, 1e-9, 1e-11])


def test_errors_are_parts_of_the_largest_value():
    found = functions.errors(np.array([-4.0, 2.0, 0.0, 0.0]), np.array([-4.0, 2.0, 0.4, 0.8]))
    assert found == pytest.approx((np.sqrt(0.05 / 4), 0.2, 0.25))
    assert functions.errors(np.array([1.0]), np.array([1.2])).area == 1.0


def test_the_objective_is_that_of_the_paper():
    """(Int): Q + N with Q from the images and N from the coefficients."""
    X, y = functions.sample("h2", 3, n=30)
    model = interpolation.interpolator(2, 2).fit(X, y)
    images, supports, c = model.transform(X), model.supports_[0], model.coefficients_[0]
    Q = y @ np.linalg.solve(matern(images, images), y)
    N = np.trace(c.T @ (supports @ supports.T + 1) ** 2 @ c)
    assert model.objective_ == pytest.approx(Q + N, rel=1e-8)


def integrated(features, y):
    """(Int) as a function of weights of explicit features, and its gradient."""

    def value(w):
        W = w.reshape(-1, 2)
        Z = features @ W
        M = matern(Z, Z)
        a = np.linalg.solve(M, y)
        signs = np.sign(Z[:, None] - Z[None])
        return y @ a + w @ w, (features.T @ (2 * np.einsum("ij,i,j,ijk->ik", M, a, a, signs)) + 2 * W).ravel()

    return value


def test_another_program_finds_the_same_optimum():
    """Of h_1 with p = 1, the first draw; the second search is SciPy's, on the features 1, x, y."""
    X, y = functions.sample("h1", 0)
    found = interpolation.interpolator(1, 16).fit(X, y).objective_
    value, rng = integrated(np.c_[np.ones(len(X)), X], y), np.random.default_rng(0)
    other = min(minimize(value, rng.standard_normal(6), jac=True, method="L-BFGS-B").fun for _ in range(8))
    assert found == pytest.approx(55.735, abs=1e-3)
    assert other == pytest.approx(found, rel=1e-3)


def test_a_rotation_makes_the_kink_one_along_an_axis(rng):
    X = rng.uniform(-1, 1, size=(20, 2))
    turned = X @ kink.TURN.T
    np.testing.assert_allclose(functions.h1(X), kink.along_axis(np.sqrt(2) * turned))
    np.testing.assert_allclose(kink.TURN @ kink.TURN.T, np.eye(2), atol=1e-15)


def test_what_an_inner_function_does_is_measured():
    linear = {"h1": np.array([[1.0, 3.0], [-1.0, 0.0]]), "flat": np.array([[1.0, 1.0], [-1.0, -1.0]])}
    maps = {name: SimpleNamespace(transform=lambda X, W=W: X @ W) for name, W in linear.items()}
    maps["same"] = SimpleNamespace(transform=lambda X: X)
    maps["product"] = SimpleNamespace(transform=lambda X: np.c_[X[:, 0], -X.prod(axis=1)])
    assert interpolation.order(maps["h1"], "h1") == pytest.approx(1)
    assert interpolation.order(maps["product"], "h2") == pytest.approx(1)
    assert interpolation.order(maps["same"], "h2") == pytest.approx(interpolation.order(None, "h2"))
    assert interpolation.order(None, "h2") < 0.1 < 0.6 < interpolation.order(None, "h1") < 0.8
    assert interpolation.narrowness(maps["same"]) == pytest.approx(1)
    assert interpolation.narrowness(maps["flat"]) == pytest.approx(0, abs=1e-12)


def test_the_smallest_penalties_have_the_smallest_objective():
    """So that choosing them by the value of (Reg), as printed, is no choice."""
    X, y = functions.sample("h1", 1, n=40)
    kernels = [functions.inner(1), functions.NARROW]

    def objective(alpha, inner_alpha):
        return (
            gramian.DeepKernelRegressor(kernels, alpha=alpha, inner_alpha=inner_alpha, random_state=0)
            .fit(X, y)
            .objective_
        )

    least = objective(2.0**-19, 2.0**-19)
    assert least < objective(2.0**-9, 2.0**-19) < objective(2.0**-9, 2.0**-9) < objective(0.5, 0.5)


def test_the_network_is_the_two_layers(rng):
    model, points = dkl_network.fitted(30), rng.uniform(-1, 1, size=(50, 2))
    network = dkl_network.network_of(model)
    np.testing.assert_allclose(network(points), model.predict(points), rtol=1e-9, atol=1e-9)
    wrong = network._replace(c=1.1 * network.c)
    assert np.abs(wrong(points) - model.predict(points)).max() > 1e-3


def test_a_mixture_has_a_kernel_for_each_output(rng):
    terms = mixture.mixture()
    np.testing.assert_array_equal(np.array([diagonal for _, diagonal in terms]), np.eye(5))
    x, z = rng.normal(size=2), rng.normal(size=2)
    square = ((x - z) ** 2).sum()
    expected = [*(np.exp(-square / (2 * s**2)) for s in (0.1, 1, 10)), x @ z + 1, (x @ z + 1) ** 2]
    np.testing.assert_allclose([kernel(x, z) for kernel, _ in terms], expected, rtol=1e-10)


def test_the_best_single_layer_is_the_best_on_the_grid():
    best = regression.best_single(functions.NARROW, "h1", 0, (1e-3, 1.0))
    others = [regression.best_single(functions.NARROW, "h1", 0, (alpha,)) for alpha in (1e-3, 1.0)]
    assert best.errors.rmse == min(other.errors.rmse for other in others)
    assert others[0].errors.rmse != others[1].errors.rmse


def test_both_protocols_are_tested_on_the_same_samples():
    few, many = (tables.parted(6000, protocol, 1) for protocol in tables.SPLITS)
    np.testing.assert_array_equal(few[1], many[1])
    np.testing.assert_array_equal(few[0], many[0][:500])
    assert len(many[0]) == 4800 and len(few[1]) == 1200 and not set(many[0]) & set(many[1])
    assert [len(part) for part in tables.parted(10**5, "many", 0)] == [tables.MANY, tables.TESTED]
    assert not np.array_equal(few[1], tables.parted(6000, "few", 0)[1])


def test_a_run_goes_on_where_it_stopped(tmp_path, monkeypatch):
    learned = []

    def constant(X, y):
        learned.append(len(X))
        return lambda new: np.full(len(new), y.mean())

    monkeypatch.setattr(tables, "methods", lambda quick: {"mean": constant})
    settings = Settings(tmp_path)
    found = tables.measured(settings, [tables.MADE_UP])
    assert learned == [320] * tables.SPLITS["few"] == [one.n for one in found]
    assert all(-0.1 < one.r2 <= 0 for one in found)
    assert [one.split for one in tables.measured(settings, [tables.MADE_UP])] == [0, 1, 2]
    assert len(learned) == len(found)
    path = tmp_path / "dkl_tables.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    assert len(tables.measured(settings, [tables.MADE_UP])) == len(learned) - 1 == 3


@pytest.mark.parametrize("name", ["kernel ridge, Gaussian", "Gaussian process"])
def test_methods_of_cubic_cost_are_capped(name, monkeypatch):
    """And see the first samples alone."""
    X, y = tables.samples(tables.MADE_UP)
    monkeypatch.setattr(peers, "SEARCHED", 60)
    monkeypatch.setattr(peers, "EXACT", 100)
    learn = peers.methods(quick=True)[name]
    capped, whole = learn(X, y)(X[300:]), learn(X[:100], y[:100])(X[300:])
    if name == "kernel ridge, Gaussian":  # its columns are standardised by what it sees
        np.testing.assert_allclose(capped, whole)
    monkeypatch.setattr(peers, "EXACT", 300)
    assert np.abs(learn(X, y)(X[300:]) - capped).max() > 1e-3


@pytest.mark.parametrize("name", EXPERIMENTS["dkl"])
def test_every_experiment_runs_without_data(name, quick_run, capsys):
    quick_run("dkl", name)
    assert ("made-up" in capsys.readouterr().out) == (name == "tables")
