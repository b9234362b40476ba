# SPDX-License-Identifier: BSD-3-Clause
"""Every formula of the documentation, evaluated as it stands there, is what the engine computes."""

from __future__ import annotations

import re
from pathlib import Path

import formulas
import gramian
import numpy as np
import pytest
from gramian import _core
from gramian.kernels import Gaussian, TensorMatern
from gramian.kernels.choice import OPEN_GAUSSIAN, choose_kernel

DOCS = Path(__file__).resolve().parents[2] / "docs"
REGISTRY = {kernel.name: kernel for kernel in _core.kernels.registry()}
TOLERANCE = 1e-12

# What makes a formula wrong: one of these at one place.
SLIPS = [
    (" + ", " - "),
    (" - ", " + "),
    (r"\gamma", r"2 \gamma"),
    (r"\theta", r"2 \theta"),
    ("y \\rangle", "x \\rangle"),
    ("^2", "^3"),
    ("^p", ""),
    ("1 +", "2 +"),
    ("{3}", "{5}"),
    ("/ 3", "/ 2"),
    (r"\cos", r"\sin"),
    ("} 0", "} 1"),
]


def spec(kernel):
    return kernel.name, tuple(kernel.samples[0]), ()


def some_points():
    rng = np.random.default_rng(7)
    X, Y = rng.normal(size=(9, 4)), rng.normal(size=(8, 4))
    Y[3] = X[2]  # a pair that coincides
    return X, Y


def largest_error(kernel, text):
    """Of the formula against the engine, relative to the largest value; infinite where the formula has no value."""
    X, Y = some_points()
    formula = formulas.read(text)
    parameters = {p.name: value for p, value in zip(kernel.parameters, kernel.samples[0], strict=True)}
    engine = _core.gram.gram(spec(kernel), X, Y)
    try:
        stated = np.array([[formula.value(x, y, parameters) for y in Y] for x in X])
    except ValueError:  # a slip led to the root of a number below 0
        return np.inf
    return np.abs(stated - engine).max() / np.abs(engine).max()


@pytest.mark.parametrize("name", REGISTRY)
def test_the_formula_is_what_the_engine_computes(name):
    assert largest_error(REGISTRY[name], REGISTRY[name].formula) <= TOLERANCE


@pytest.mark.parametrize("name", REGISTRY)
def test_a_wrong_formula_is_noticed(name):
    text = REGISTRY[name].formula
    start = text.index("=")
    wrong = [
        text[: match.start()] + slip + text[match.end() :]
        for right, slip in SLIPS
        for match in re.finditer(re.escape(right), text)
        if match.start() > start and "k(0" not in text[: match.start()]
    ]
    assert wrong
    for formula in wrong:
        assert not largest_error(REGISTRY[name], formula) <= 1e6 * TOLERANCE, formula


def test_a_root_below_zero_is_noticed():
    assert largest_error(REGISTRY["cauchy"], r"k(x, y) = \sqrt{1 - \gamma \, |x - y|^2}") == np.inf


def test_the_values_at_zero_are_those_stated():
    stated = {name: formulas.read(kernel.formula).at_zero for name, kernel in REGISTRY.items()}
    assert {name for name, values in stated.items() if values} == {"arc_cosine0", "tanimoto", "cosine"}
    _, Y = some_points()
    for name, values in stated.items():
        for points, value in values:
            x, y = (np.zeros((1, 4)) if p == "0" else Y for p in re.fullmatch(r"k\((\w), (\w)\)", points).groups())
            np.testing.assert_array_equal(_core.gram.gram(spec(REGISTRY[name]), x, y), np.full((1, len(y)), value))


@pytest.mark.parametrize(
    "text",
    ["x + y", r"k(x, y) = \tanh(x)", r"k(x, y) = (x", r"k(x, y) = x! ", r"k(x, y) = \beta |x|", "k(x, y) = |x| )"],
)
def test_what_cannot_be_read_is_refused(text):
    X, _ = some_points()
    with pytest.raises(SyntaxError):
        formulas.read(text).value(X[0], X[1], {})


def the_gram():
    X, Y = some_points()
    K = gramian.gram(Gaussian(gamma=0.4), X, Y)
    expected = [[np.exp(-0.4 * ((x - y) ** 2).sum()) for y in Y] for x in X]
    np.testing.assert_allclose(K, expected, rtol=TOLERANCE)


def the_symmetric_gram():
    X, _ = some_points()
    np.testing.assert_allclose(
        gramian.gram(Gaussian(gamma=0.4), X), gramian.gram(Gaussian(gamma=0.4), X, X.copy()), rtol=TOLERANCE
    )


def the_product():
    X, Y = some_points()
    V = np.random.default_rng(1).normal(size=(8, 3))
    np.testing.assert_allclose(
        gramian.product(Gaussian(), X, V, Y), gramian.gram(Gaussian(), X, Y) @ V, atol=10 * TOLERANCE
    )


def the_symmetric_product():
    X, _ = some_points()
    np.testing.assert_allclose(
        gramian.product(Gaussian(), X, X[:, :2]), gramian.gram(Gaussian(), X) @ X[:, :2], atol=10 * TOLERANCE
    )


def difference(energy, step=1e-3):
    """The derivative at 0, by the fourth order of central differences: an error of about step^4 and u / step."""
    return (8 * (energy(step) - energy(-step)) - energy(2 * step) + energy(-2 * step)) / (12 * step)


def the_adjoint_in_points():
    X, Y = some_points()
    rng = np.random.default_rng(2)
    Kbar, Xdot = rng.normal(size=(9, 8)), rng.normal(size=X.shape)
    slope = difference(lambda t: (Kbar * gramian.gram(Gaussian(), X + t * Xdot, Y)).sum())
    found = gramian.adjoint(Gaussian(), X, Y=Y, Kbar=Kbar).X
    np.testing.assert_allclose((found * Xdot).sum(), slope, rtol=1e-8)


def the_adjoint_in_parameters():
    X, Y = some_points()
    Kbar = np.random.default_rng(3).normal(size=(9, 8))
    slope = difference(lambda t: (Kbar * gramian.gram(Gaussian(gamma=0.4 + t), X, Y)).sum())
    found = gramian.adjoint(Gaussian(gamma=0.4), X, Y=Y, Kbar=Kbar).parameters["gamma"]
    np.testing.assert_allclose(found, slope, rtol=1e-8)


def the_product_of_few_columns():
    X, Y = some_points()
    rng = np.random.default_rng(5)
    P, Q = rng.normal(size=(9, 2)), rng.normal(size=(8, 2))
    found, dense = gramian.adjoint(Gaussian(), X, P, Q, Y), gramian.adjoint(Gaussian(), X, Y=Y, Kbar=P @ Q.T)
    np.testing.assert_allclose(found.X, dense.X, atol=10 * TOLERANCE)


def the_constants_of_the_tensor_kernels():
    X, Y = some_points()
    for s, factor in zip((1, 2, 3), (1, 1, 3), strict=True):
        bare, scaled = (gramian.gram(TensorMatern(s=s, normalized=n), X, Y) for n in (True, False))
        np.testing.assert_allclose(scaled / bare, (np.sqrt(np.pi / 2) * factor) ** 4, rtol=TOLERANCE)


def the_squared_distance():
    squared = formulas.parse(r"|x|^2 + |y|^2 - 2 \langle x, y \rangle", formulas.FLOAT64)
    X, Y = some_points()
    for x, y in zip(X, Y, strict=False):
        np.testing.assert_allclose(squared({"x": x, "y": y}), ((x - y) ** 2).sum(), atol=1e-14)
        np.testing.assert_allclose(
            gramian.gram(Gaussian(gamma=1.0), x[None], y[None]), np.exp(-squared({"x": x, "y": y}))
        )


def the_bytes_of_a_gram():
    assert gramian.gram(Gaussian(), np.zeros((30, 1))).nbytes == 8 * 30**2
    assert (8 * 20_000**2, 8 * 100_000**2) == (3.2e9, 80e9)


def the_jitter():
    A = np.diag([1.0, 3.0, 0.0])
    with pytest.warns(UserWarning):
        jitter = gramian.linalg.cholesky(A).jitter
    assert jitter == pytest.approx(2.0**-53 * 10 * np.trace(A) / 3, rel=TOLERANCE)


def the_kronecker_system():
    rng = np.random.default_rng(4)
    k, L = (f @ f.T for f in (rng.normal(size=(6, 6)), rng.normal(size=(4, 4))))
    B = rng.normal(size=(4, 6))
    A = gramian.linalg.solve_kronecker(k, L, 0.3, B)
    n = len(k)
    np.testing.assert_allclose(L @ A @ k + n * 0.3 * A, B, atol=1e-10)


def the_low_rank_factor():
    X, _ = some_points()
    low_rank = gramian.incomplete_cholesky(Gaussian(), X, rank=5)
    error = gramian.gram(Gaussian(), X) - low_rank.factor @ low_rank.factor.T
    np.testing.assert_allclose(error[low_rank.pivots], 0, atol=1e-12)
    np.testing.assert_allclose(np.trace(error), low_rank.residual_trace, atol=1e-12)


def the_normal_equations():
    X, C = some_points()
    K, w = gramian.gram(Gaussian(), X, C), np.arange(1.0, 1 + len(X))
    V, Y = np.ones((len(C), 2)), np.sin(X[:, :2])
    square, right = gramian.normal_system(Gaussian(), X, C, Y, sample_weight=w)
    np.testing.assert_allclose(square, K.T @ np.diag(w) @ K, rtol=1e-12)
    np.testing.assert_allclose(right, K.T @ np.diag(w) @ Y, rtol=1e-12, atol=1e-12)
    product = gramian.normal_product(Gaussian(), X, C, V, weights=w, Y=Y)
    np.testing.assert_allclose(product, K.T @ np.diag(w) @ (K @ V - Y), rtol=1e-10)
    plain = gramian.normal_product(Gaussian(), X, C, V)
    np.testing.assert_allclose(plain, K.T @ K @ V, rtol=1e-12)


def the_blocks_of_rows():
    from gramian import points

    assert points._NUMBERS_OF_BLOCK == 2**21 and points._LARGE == 2**22


def the_length_of_a_name():
    X, _ = some_points()
    gamma, length = OPEN_GAUSSIAN.on(X).gamma, choose_kernel("matern", "", "").on(X).length_scale
    np.testing.assert_allclose(length, 1 / np.sqrt(2 * gamma), rtol=1e-14)


STATED = {
    "functional.md": {
        r"K_{ij} = k(x_i, y_j)": the_gram,
        r"K_{ij} = k(x_i, c_j)": the_normal_equations,
        r"K^\mathsf{T} W (K V - Y)": the_normal_equations,
        r"K^\mathsf{T} W K": the_normal_equations,
        r"K^\mathsf{T} W Y": the_normal_equations,
        r"K^\mathsf{T} K": the_normal_equations,
        "W = I": the_normal_equations,
        "Y = 0": the_normal_equations,
        "2^{21}": the_blocks_of_rows,
        "2^{22}": the_blocks_of_rows,
        r"K_{ij} = k(x_i, x_j)": the_symmetric_gram,
        r"\mathrm{out} = K(X, Y)\,V": the_product,
        r"\mathrm{out} = K(X, X)\,V": the_symmetric_product,
        r"\bar K_{ij} = \partial E / \partial K_{ij}": the_adjoint_in_points,
        r"\bar X = \sum_{ij} \bar K_{ij} \, \partial k(x_i, y_j) / \partial X": the_adjoint_in_points,
        r"PQ^\mathsf{T}": the_product_of_few_columns,
        r"\bar\theta = \sum_{ij} \bar K_{ij} \, \partial k(x_i, y_j) / \partial\theta": the_adjoint_in_parameters,
    },
    "kernels.md": {
        r"(\sqrt{\pi/2} \cdot \{1, 1, 3\})^d": the_constants_of_the_tensor_kernels,
        r"\ell = 1 / \sqrt{2\gamma}": the_length_of_a_name,
        r"|x - y|^2 = |x|^2 + |y|^2 - 2 \langle x, y \rangle": the_squared_distance,
    },
    "memory.md": {"8n^2": the_bytes_of_a_gram},
    "linalg.md": {
        "L A k + n λ A = B": the_kronecker_system,
        "u 10^k mean(diag A)": the_jitter,
        "u = 2^-53": the_jitter,
        "K ≈ F F^T": the_low_rank_factor,
    },
}
NO_STATEMENT = {"t = 0", r"n = 100\,000", "s = 1, 2, 3"}  # a time, an example, which s are meant
INLINE = re.compile(r"\$([^$\n]+)\$|(?<!`)`([^`\n]+)`(?!`)")
STATEMENT = re.compile(r"\s[=≈]\s|\^")


def statements(page):
    """What the page says in mathematics: an equation or a power, outside of blocks of code."""
    text = re.sub(r"```.*?```", "", (DOCS / page).read_text(encoding="utf-8"), flags=re.DOTALL)
    found = {(match[1] or match[2]).strip(): bool(match[1]) for match in INLINE.finditer(text)}
    python = re.compile(r"[\w.]+\(|\w+=\S|\.\. ")
    return {
        formula
        for formula, is_latex in found.items()
        if STATEMENT.search(formula) and (is_latex or not python.search(formula)) and formula not in NO_STATEMENT
    }


@pytest.mark.parametrize("page", STATED)
def test_no_statement_of_a_page_is_left_out(page):
    assert statements(page) <= STATED[page].keys()
    text = (DOCS / page).read_text(encoding="utf-8")
    for formula in STATED[page]:
        assert formula in text


@pytest.mark.parametrize(("page", "formula"), [(page, formula) for page in STATED for formula in STATED[page]])
def test_a_statement_holds(page, formula):
    STATED[page][formula]()
