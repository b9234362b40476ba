# SPDX-License-Identifier: BSD-3-Clause
"""The optimisers against SciPy's, and against their algorithms in a few lines of NumPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.optimize
from gramian.optim import Minimum, minimize

RNG = np.random.default_rng(5)
Z, LABELS = RNG.normal(size=(80, 6)), RNG.integers(0, 2, size=80)
CLASSES = RNG.integers(0, 3, size=80)
TARGETS = Z @ RNG.normal(size=6) + RNG.standard_t(2, size=80)


def squares(*residuals):
    """A sum of squares from functions that return a residual and its derivatives."""

    def fun(x):
        r, J = zip(*(residual(*x) for residual in residuals), strict=True)
        return float(np.dot(r, r)), 2.0 * np.dot(r, J)

    return fun


def logistic(w):
    score = Z @ w
    value = np.logaddexp(0, score).sum() - LABELS @ score + 0.05 * w @ w
    return value, Z.T @ (1 / (1 + np.exp(-score)) - LABELS) + 0.1 * w


def softmax(w):
    scores = Z @ w.reshape(6, 3)
    top = scores.max(axis=1, keepdims=True)
    p = np.exp(scores - top)
    total = p.sum(axis=1, keepdims=True)
    value = (np.log(total) + top).sum() - scores[np.arange(80), CLASSES].sum() + 0.05 * w @ w
    p /= total
    p[np.arange(80), CLASSES] -= 1
    return value, (Z.T @ p).ravel() + 0.1 * w


def robust(w):
    r = Z @ w - TARGETS
    return np.sqrt(1 + r * r).sum(), Z.T @ (r / np.sqrt(1 + r * r))


def log_sum_exp(x):
    s = np.exp(Z @ x - 1)
    return np.log(s.sum()) + 0.05 * x @ x, Z.T @ s / s.sum() + 0.1 * x


def quadratic(x):
    a = np.logspace(0, 3, len(x))
    return 0.5 * (a * (x - 1) ** 2).sum(), a * (x - 1)


def rosenbrock(x):
    return scipy.optimize.rosen(x), scipy.optimize.rosen_der(x)


beale = squares(
    lambda x, y: (1.5 - x * (1 - y), [y - 1, x]),
    lambda x, y: (2.25 - x * (1 - y**2), [y**2 - 1, 2 * x * y]),
    lambda x, y: (2.625 - x * (1 - y**3), [y**3 - 1, 3 * x * y**2]),
)
booth = squares(lambda x, y: (x + 2 * y - 7, [1, 2]), lambda x, y: (2 * x + y - 5, [2, 1]))
freudenstein_roth = squares(
    lambda x, y: (x - 13 + ((5 - y) * y - 2) * y, [1, 10 * y - 3 * y**2 - 2]),
    lambda x, y: (x - 29 + ((y + 1) * y - 14) * y, [1, 3 * y**2 + 2 * y - 14]),
)
wood = squares(
    lambda a, b, c, d: (10 * (b - a * a), [-20 * a, 10, 0, 0]),
    lambda a, b, c, d: (1 - a, [-1, 0, 0, 0]),
    lambda a, b, c, d: (math.sqrt(90) * (d - c * c), [0, 0, -2 * math.sqrt(90) * c, math.sqrt(90)]),
    lambda a, b, c, d: (1 - c, [0, 0, -1, 0]),
    lambda a, b, c, d: (math.sqrt(10) * (b + d - 2), [0, math.sqrt(10), 0, math.sqrt(10)]),
    lambda a, b, c, d: ((b - d) / math.sqrt(10), [0, 1 / math.sqrt(10), 0, -1 / math.sqrt(10)]),
)
brown = squares(lambda x, y: (x - 1e6, [1, 0]), lambda x, y: (y - 2e-6, [0, 1]), lambda x, y: (x * y - 2, [y, x]))

PROBLEMS = {
    "quadratic": (quadratic, np.zeros(15)),
    "rosenbrock": (rosenbrock, [-1.2, 1.0]),
    "rosenbrock 10": (rosenbrock, np.full(10, 0.5)),
    "beale": (beale, [1.0, 1.0]),
    "booth": (booth, [-4.0, 5.0]),
    "freudenstein and roth": (freudenstein_roth, [6.0, -2.5]),
    "wood": (wood, [-3.0, -1.0, -3.0, -1.0]),
    "brown badly scaled": (brown, [1.0, 1.0]),
    "log-sum-exp": (log_sum_exp, np.ones(6)),
    "logistic": (logistic, np.zeros(6)),
    "softmax": (softmax, np.zeros(18)),
    "robust regression": (robust, np.zeros(6)),
}


def path(fun, x0, **options) -> tuple[np.ndarray, Minimum]:
    """All points, the start first, and the result."""
    points = [np.array(x0, dtype=float)]
    result = minimize(fun, x0, callback=lambda iteration, x: points.append(x), **options)
    return np.array(points), result


@pytest.mark.parametrize("solver", ["lbfgs", "bfgs"])
@pytest.mark.parametrize("name", PROBLEMS)
def test_quasi_newton_methods_find_what_scipy_finds(name, solver):
    fun, x0 = PROBLEMS[name]
    ours = minimize(fun, x0, solver=solver)
    found = [
        scipy.optimize.minimize(fun, x0, jac=True, method=method, options=options)
        for method, options in (
            ("L-BFGS-B", {"ftol": 1e-15, "gtol": 1e-9, "maxiter": 10000}),
            ("BFGS", {"gtol": 1e-7, "maxiter": 10000}),
        )
    ]
    best = min(found, key=lambda result: result.fun)
    assert ours.converged
    assert ours.value <= best.fun + 1e-9 * (1 + abs(best.fun))
    np.testing.assert_allclose(ours.x, best.x, rtol=1e-4, atol=1e-4)
    assert ours.n_evaluations <= 2 * max(result.nfev for result in found)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_result_is_consistent(name):
    fun, x0 = PROBLEMS[name]
    calls = []
    points, result = path(lambda x: calls.append(x) or fun(x), x0, max_iterations=25)
    value, gradient = fun(result.x)
    assert result.value == value == result.history[-1].value
    assert result.gradient_norm == np.abs(gradient).max()
    assert result.n_evaluations == len(calls) == result.history[-1].evaluations
    assert [point.number for point in result.history] == list(range(result.n_iter + 1))
    assert np.all(np.diff([point.value for point in result.history]) < 0)
    np.testing.assert_array_equal(points[-1], result.x)
    np.testing.assert_array_equal(calls[0], x0)


def naive_descent(gradient_at, x, step_at, momentum, steps):
    points, v = [x], np.zeros_like(x)
    for t in range(steps):
        v = momentum * v - step_at(t) * gradient_at(x, t)
        x = x + v
        points.append(x)
    return np.array(points)


def naive_adam(gradient_at, x, step, beta1, beta2, epsilon, steps):
    points, m, v = [x], np.zeros_like(x), np.zeros_like(x)
    for t in range(1, steps + 1):
        g = gradient_at(x, t - 1)
        m = beta1 * m + (1 - beta1) * g
        v = beta2 * v + (1 - beta2) * g**2
        x = x - step * (m / (1 - beta1**t)) / (np.sqrt(v / (1 - beta2**t)) + epsilon)
        points.append(x)
    return np.array(points)


def some_samples(w, t):
    """The logistic loss of eight samples drawn for step t, ten times."""
    rows = np.random.default_rng([3, t]).integers(0, 80, size=8)
    score = Z[rows] @ w
    value = 10 * (np.logaddexp(0, score).sum() - LABELS[rows] @ score) + 0.05 * w @ w
    return value, 10 * Z[rows].T @ (1 / (1 + np.exp(-score)) - LABELS[rows]) + 0.1 * w


GRADIENTS = {
    "whole": (lambda w, t: logistic(w)[1], None),
    "estimated": (lambda w, t: some_samples(w, t)[1], some_samples),
}
RULES = {
    "constant": lambda t: 1e-3,
    "inverse_time": lambda t: 1e-3 / (1 + 0.2 * t),
    "inverse_root": lambda t: 1e-3 / np.sqrt(1 + 0.2 * t),
}


@pytest.mark.parametrize("momentum", [0.0, 0.8])
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("which", GRADIENTS)
def test_descent_is_its_algorithm(which, rule, momentum):
    gradient_at, sample = GRADIENTS[which]
    options = {"rule": rule, "step": 1e-3, "decay": 0.2, "momentum": momentum, "max_iterations": 100}
    if sample is None:
        points, _ = path(logistic, np.ones(6), solver="gd", **options)
    else:
        points, _ = path(logistic, np.ones(6), solver="sgd", sample=sample, check_every=1, **options)
    expected = naive_descent(gradient_at, np.ones(6), RULES[rule], momentum, 100)
    np.testing.assert_allclose(points, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("which", GRADIENTS)
def test_adam_is_its_algorithm(which):
    gradient_at, sample = GRADIENTS[which]
    extra = {} if sample is None else {"sample": sample, "check_every": 1}
    options = {"step": 0.02, "beta1": 0.85, "beta2": 0.99, "epsilon": 1e-7}
    points, _ = path(logistic, np.ones(6), solver="adam", max_iterations=200, **options, **extra)
    expected = naive_adam(gradient_at, np.ones(6), *options.values(), 200)
    np.testing.assert_allclose(points, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", ["quadratic", "beale", "booth", "logistic", "log-sum-exp", "robust regression"])
def test_backtracking_and_adam_find_the_minimum(name):
    fun, x0 = PROBLEMS[name]
    best = minimize(fun, x0)
    for solver, options in (("gd", {"max_iterations": 200_000}), ("adam", {"step": 0.02, "max_iterations": 20_000})):
        result = minimize(fun, x0, solver, **options)
        assert result.value <= best.value + 1e-6 * (1 + abs(best.value)), solver


@pytest.mark.parametrize("fun, x0", [(logistic, np.zeros(6)), (robust, np.zeros(6)), (quadratic, np.zeros(5))])
def test_projected_gradient_finds_what_scipy_finds_in_a_box(fun, x0):
    low, high = np.linspace(-0.5, 0.1, len(x0)), np.linspace(0.2, 1.4, len(x0))
    ours = minimize(fun, x0, "gd", project=lambda x: np.clip(x, low, high), max_iterations=100_000, value_tolerance=0.0)
    bounds = list(zip(low, high, strict=True))
    theirs = scipy.optimize.minimize(fun, x0, jac=True, bounds=bounds, options={"ftol": 1e-15, "gtol": 1e-10})
    np.testing.assert_allclose(ours.x, theirs.x, atol=1e-6)
    assert ((ours.x == low) | (ours.x == high)).any()
    np.testing.assert_allclose(ours.value, theirs.fun, rtol=1e-9)


def test_projection_on_a_ball():
    c = np.array([3.0, -4.0])
    result = minimize(
        lambda x: (((x - c) ** 2).sum(), 2 * (x - c)),
        [9.0, 9.0],
        "gd",
        project=lambda x: x / max(1.0, float(np.linalg.norm(x))),
        value_tolerance=0.0,
    )
    np.testing.assert_allclose(result.x, c / 5, atol=1e-7)


def test_out_of_the_domain():
    def barrier(x):
        with np.errstate(invalid="ignore"):
            return (x - np.log(x)).sum(), 1 - 1 / x

    result = minimize(barrier, [1e-3, 500.0])
    assert result.converged
    np.testing.assert_allclose(result.x, 1.0, atol=1e-5)
    assert minimize(barrier, [-1.0, 1.0]).stop_reason == "not_finite"


@pytest.mark.parametrize(
    ("reason", "fun", "options"),
    [
        ("gradient", booth, {}),
        ("value", booth, {"value_tolerance": 0.9}),
        ("max_iterations", booth, {"max_iterations": 2}),
        ("max_evaluations", booth, {"max_evaluations": 3}),
        ("line_search", lambda x: (booth(x)[0], -booth(x)[1]), {}),
        ("not_finite", lambda x: (np.nan, x), {}),
        ("callback", booth, {"callback": lambda iteration, x: iteration.number >= 3}),
    ],
)
def test_each_reason_to_stop(reason, fun, options):
    result = minimize(fun, [-4.0, 5.0], **options)
    assert result.stop_reason == reason
    assert result.converged == (reason in ("gradient", "value"))


def test_what_python_keeps_stays():
    kept = []
    fun = lambda x: kept.append(x) or rosenbrock(x)  # noqa: E731
    minimize(fun, [-1.2, 1.0])
    assert len({x.tobytes() for x in kept}) == len(kept)
    x0 = np.array([-1.2, 1.0])
    result = minimize(lambda x: (float(x @ x), 2 * x), x0)
    assert x0.tolist() == [-1.2, 1.0]
    assert result.x.flags.writeable


class Mine(Exception):
    pass


@pytest.mark.parametrize("where", ["fun", "sample", "project", "callback"])
def test_what_is_raised_comes_out_as_it_is(where):
    error = Mine("a message")

    def broken(*arguments):
        raise error

    functions = {"fun": booth, where: broken}
    solver = {"sample": "sgd", "project": "gd"}.get(where, "lbfgs")
    with pytest.raises(Mine) as caught:
        minimize(functions.pop("fun"), [-4.0, 5.0], solver, **functions)
    assert caught.value is error
    assert caught.traceback[-1].name == "broken"


@pytest.mark.parametrize(
    ("returned", "error", "message"),
    [
        (None, TypeError, r"fun must return \(value, gradient\), got None"),
        (3.0, TypeError, "fun must return"),
        ((1.0, np.zeros(2), 0), TypeError, "fun must return"),
        (("a", np.zeros(2)), TypeError, "value that fun returns must be a number"),
        ((1.0, "ab"), TypeError, "gradient that fun returns must be an array"),
        ((1.0, np.zeros(2, complex)), TypeError, "gradient that fun returns"),
        ((1.0, np.zeros(3)), ValueError, r"must have shape \(2,\), got \(3,\)"),
        ((1.0, np.zeros((2, 1))), ValueError, r"must have shape \(2,\), got \(2, 1\)"),
    ],
)
def test_what_a_function_returns_is_checked(returned, error, message):
    with pytest.raises(error, match=message):
        minimize(lambda x: returned, [0.0, 1.0])


def test_numbers_of_any_kind_are_taken():
    result = minimize(
        lambda x: (np.float32(x @ x), [int(2 * g) for g in x]), np.array([4, 2]), max_iterations=np.int32(3)
    )
    assert result.n_iter <= 3


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"memory": 0}, ValueError, "memory"),
        ({"memory": 2.5}, TypeError, "memory must be an integer, got 2.5"),
        ({"memory": True}, TypeError, "memory"),
        ({"curvature": "big"}, TypeError, "curvature must be a number"),
        ({"curvature": 2.0}, ValueError, "curvature"),
        ({"step": 1.0}, TypeError, "'lbfgs' has no option 'step'"),
        ({"solver": "newton"}, ValueError, "solver"),
        ({"memory": 2**70}, ValueError, "memory is out of range"),
        ({"solver": "gd", "rule": "fast"}, ValueError, "'inverse_root' or 'backtracking', got 'fast'"),
        ({"solver": "gd", "momentum": 0.5}, ValueError, "momentum"),
        ({"solver": "gd", "memory": 3}, TypeError, "memory"),
        ({"solver": "adam", "check_every": 3}, TypeError, "check_every"),
        ({"solver": "sgd"}, ValueError, "sample"),
        ({"sample": some_samples}, ValueError, "sample"),
        ({"project": abs}, ValueError, "project"),
        ({"callback": 3}, TypeError, "callback"),
        ({"fun": None}, TypeError, "fun"),
        ({"x0": [[1.0, 2.0]]}, ValueError, "x0"),
        ({"x0": [np.nan, 0.0]}, ValueError, "x0"),
        ({"x0": ["a", "b"]}, TypeError, "x0"),
    ],
)
def test_bad_arguments_are_named(options, error, message):
    with pytest.raises(error, match=message):
        minimize(**{"fun": booth, "x0": [1.0, 1.0], **options})


@pytest.mark.parametrize("where", ["between", "inside"])
def test_ctrl_c_ends_it(run_python, where):
    result = run_python(
        """
import signal, threading, time
import gramian
import numpy as np
from gramian.optim import minimize

signal.signal(signal.SIGINT, signal.default_int_handler)
inside = WHERE == "inside"

def slow(x):
    if inside:
        while True:
            pass
    return float(x @ x) + 1.0, 1e-9 + 2 * x

threading.Timer(0.3, signal.raise_signal, [signal.SIGINT]).start()
try:
    minimize(slow, np.ones(3), "gd", rule="constant", step=1e-12, value_tolerance=0.0, max_iterations=10**12)
except KeyboardInterrupt:
    print("stopped")
""".replace("WHERE", repr(where))
    )
    assert result.stdout == "stopped\n", result.stderr
