# SPDX-License-Identifier: BSD-3-Clause
"""Optimisers on matrices with orthonormal columns, on problems whose solution is known."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
from gramian.optim import minimize_stiefel

RNG = np.random.default_rng(7)
N, S = 12, 3
A = (lambda B: B @ B.T)(RNG.normal(size=(N, N)))
VALUES, VECTORS = scipy.linalg.eigh(A)
START = RNG.normal(size=N * S)
OPTIONS = {"lbfgs": {}, "adam": {"max_iterations": 10000, "step": 0.1}, "gd": {"max_iterations": 3000}}
SOLVERS = list(OPTIONS)


def brockett(x):
    """tr(H' A H D): columns are eigenvectors, the largest weight with the smallest eigenvalue."""
    H = x.reshape(N, S)
    AHD = A @ H * np.array([3.0, 2.0, 1.0])
    return float((H * AHD).sum()), 2.0 * AHD.ravel()


@pytest.mark.parametrize("solver", SOLVERS)
def test_brocketts_problem_is_solved(solver):
    found = minimize_stiefel(brockett, START, [(N, S)], solver, gradient_tolerance=1e-6, **OPTIONS[solver])
    H = found.x.reshape(N, S)
    assert found.value == pytest.approx(VALUES[:3] @ [3.0, 2.0, 1.0], rel=1e-7)
    np.testing.assert_allclose(np.abs(np.diag(VECTORS[:, :3].T @ H)), 1.0, atol=1e-5)
    assert found.stop_reason in ("gradient", "value", "max_iterations")
    assert found.n_iter == found.history[-1].number and found.n_evaluations >= len(found.history) - 1


@pytest.mark.parametrize("solver", SOLVERS)
def test_procrustes_is_the_polar_factor(solver):
    target = RNG.normal(size=(N, S))

    def distance(x):
        r = x - target.ravel()
        return 0.5 * float(r @ r), r

    found = minimize_stiefel(distance, START, [(N, S)], solver, gradient_tolerance=1e-7, **OPTIONS[solver])
    np.testing.assert_allclose(found.x.reshape(N, S), scipy.linalg.polar(target)[0], atol=1e-5)


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_point_is_feasible(solver):
    worst = 0.0

    def watched(x):
        nonlocal worst
        H = x.reshape(N, S)
        worst = max(worst, float(np.abs(H.T @ H - np.eye(S)).max()))
        return brockett(x)

    minimize_stiefel(watched, START, [(N, S)], solver, **OPTIONS[solver])
    assert 0.0 < worst <= 1e-12


@pytest.mark.parametrize("solver", SOLVERS)
def test_blocks_and_free_numbers_go_together(solver):
    """Two blocks and two numbers, which do not see each other: each goes to its own optimum."""

    def fun(x):
        value, gradient = brockett(x[: N * S])
        h, free = x[N * S : -2], x[-2:]
        rest = np.concatenate([-A @ h, free - [4.0, -2.0]])
        return value - 0.5 * float(h @ A @ h) + 0.5 * float(((free - [4.0, -2.0]) ** 2).sum()), np.append(
            gradient, rest
        )

    x0 = np.concatenate([START, RNG.normal(size=N), [0.0, 0.0]])
    options = {**OPTIONS[solver], "max_iterations": 6000}
    found = minimize_stiefel(fun, x0, [(N, S), (N, 1)], solver, gradient_tolerance=1e-6, **options)
    np.testing.assert_allclose(found.x[-2:], [4.0, -2.0], atol=1e-4)
    assert abs(VECTORS[:, -1] @ found.x[N * S : -2]) == pytest.approx(1.0, abs=1e-6)


def test_a_wrong_gradient_is_noticed():
    """Up instead of down: no step lowers the value, and the start is where it stays."""
    found = minimize_stiefel(lambda x: (brockett(x)[0], -brockett(x)[1]), START, [(N, S)])
    assert found.stop_reason == "line_search" and found.n_iter == 0


def test_the_callback_stops_it():
    seen = []
    found = minimize_stiefel(
        brockett, START, [(N, S)], callback=lambda it, x: seen.append((it, len(x))) or len(seen) >= 3
    )
    assert found.stop_reason == "callback" and [it.number for it, _ in seen] == [1, 2, 3]
    assert seen[0][1] == N * S


def test_values_never_rise_with_lbfgs():
    values = [it.value for it in minimize_stiefel(brockett, START, [(N, S)]).history]
    assert len(values) > 5 and all(b <= a for a, b in zip(values, values[1:], strict=False))


def test_retractions_lead_to_the_same_optimum():
    options = {**OPTIONS["adam"], "gradient_tolerance": 1e-7}
    polar, qr = (minimize_stiefel(brockett, START, [(N, S)], "adam", retraction=r, **options) for r in ("polar", "qr"))
    assert polar.value == pytest.approx(qr.value, rel=1e-6)
    assert polar.x.tobytes() != qr.x.tobytes()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"shapes": [(3, 4)]}, ValueError, "cols|columns|tall|rows"),
        ({"shapes": [(N, S + 1)]}, ValueError, "x0 is shorter than its blocks"),
        ({"shapes": [(N, 0)]}, ValueError, r"shapes\[0\]"),
        ({"solver": "sgd"}, ValueError, "'lbfgs', 'adam', 'gd'"),
        ({"momentum": 0.5}, TypeError, "solver 'lbfgs' has no option 'momentum'"),
        ({"solver": "adam", "retraction": "exp"}, ValueError, "retraction must be 'polar' or 'qr', got 'exp'"),
        ({"memory": 2.5}, TypeError, "memory must be an integer, got 2.5"),
        ({"solver": "adam", "anneal": 1}, TypeError, "anneal must be True or False, got 1"),
        ({"solver": "gd", "step": "big"}, TypeError, "step must be a number, got 'big'"),
        ({"fun": None}, TypeError, "fun must be callable"),
    ],
)
def test_errors_name_the_argument(arguments, error, message):
    call = {"fun": brockett, "shapes": [(N, S)], **arguments}
    with pytest.raises(error, match=message):
        minimize_stiefel(call.pop("fun"), START, call.pop("shapes"), **call)
