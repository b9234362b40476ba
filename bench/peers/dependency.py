# SPDX-License-Identifier: BSD-3-Clause
"""Structured outputs by operator-valued kernels: with gramian, as one writes it in numpy, and as [KDE] does."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve, solve_triangular

from bench.data import default_gamma, points
from bench.measure import Call, Contestant, fastest_variant

Array = NDArray[np.float64]
INPUTS, OUTPUTS = 8, 4
BLOCKS = (250, 500, 1000, 2000)
TOP = 5


class LowRank(NamedTuple):
    """Pivots of both factors, and G: inner products are v_y^T G u_x for u_x = F_k^-1 k(pivots, x), v_y likewise."""

    inputs: NDArray[Any]
    outputs: NDArray[Any]
    G: Array


def gaussian(A: Array, B: Array, gamma: float) -> Array:
    """The Gram matrix in the product form, with one temporary."""
    K = (2 * gamma * A) @ B.T
    K -= gamma * (A * A).sum(axis=1)[:, None]
    K -= gamma * (B * B).sum(axis=1)
    np.minimum(K, 0, out=K)
    return np.exp(K, out=K)


@dataclass(frozen=True)
class Problem:
    """Noisy smooth functions of normal points; Gaussian kernels on both sides."""

    n: int
    operator: str = "conditional"
    penalty: float = 1e-3
    epsilon: float = 1e-2

    @cached_property
    def X(self) -> Array:
        """Inputs."""
        return points(self.n, INPUTS)

    @cached_property
    def Y(self) -> Array:
        """Outputs."""
        return self.outputs(self.X, seed=1)

    def outputs(self, X: Array, seed: int) -> Array:
        """Outputs of other inputs, with noise of their own."""
        mixing = points(INPUTS, OUTPUTS, seed=100)
        return np.tanh(X @ mixing) + 0.1 * points(len(X), OUTPUTS, seed=seed)

    @cached_property
    def gammas(self) -> tuple[float, float]:
        """Of the input and of the output kernel."""
        return default_gamma(INPUTS), default_gamma(OUTPUTS)

    @cached_property
    def k(self) -> Array:
        """The Gram matrix of the inputs."""
        return symmetric(gaussian(self.X, self.X, self.gammas[0]))

    @cached_property
    def L(self) -> Array:
        """That of the outputs."""
        return symmetric(gaussian(self.Y, self.Y, self.gammas[1]))

    @cached_property
    def T(self) -> Array:
        """[KDE] Prop. 1."""
        if self.operator == "covariance":
            return self.L
        shift = self.n * self.epsilon
        return shift * np.linalg.solve(self.k + shift * np.eye(self.n), self.L)

    def estimator(self, **options: Any) -> Any:
        """gramian's."""
        import gramian

        options = {"operator": self.operator, "penalty": self.penalty, "epsilon": self.epsilon, **options}
        return gramian.DependencyRegressor(**options)

    def on_points(self, **options: Any) -> Any:
        """The same with the kernels."""
        from gramian.kernels import Gaussian

        kernels = [Gaussian(gamma=gamma) for gamma in self.gammas]
        return self.estimator(kernel=kernels[0], output_kernel=kernels[1], **options)


def symmetric(K: Array) -> Array:
    """Without what rounding leaves of asymmetry."""
    return (K + K.T) / 2


def gramian_exact(problem: Problem) -> Call:
    """The coefficients C of scores L_y^T C k_x, from both Gram matrices."""
    model = problem.estimator(kernel="precomputed", output_kernel="precomputed")
    k, L = problem.k, problem.L
    return lambda: model.fit(k, L).coefficients_


def numpy_exact(problem: Problem) -> Call:
    """The same by two eigendecompositions."""
    n, k, L, shift = problem.n, problem.k, problem.L, problem.n * problem.epsilon

    def divided(tau: Array, kappa: Array) -> Array:
        tau = np.maximum(tau, 0)[:, None]
        return tau / (tau * kappa + n * problem.penalty)

    def covariance() -> Array:
        kappa, U = np.linalg.eigh(k)
        tau, W = np.linalg.eigh(L)
        return W @ ((W.T @ U) * divided(tau, np.maximum(kappa, 0))) @ U.T

    def conditional() -> Array:  # the second one in the coordinates of the first, where S is diagonal
        kappa, U = np.linalg.eigh(k)
        np.maximum(kappa, 0, out=kappa)
        root = np.sqrt(shift / (kappa + shift))
        tau, Q = np.linalg.eigh(root[:, None] * (U.T @ L @ U) * root)
        return U @ ((root[:, None] * Q) @ (divided(tau, kappa) * Q.T / root)) @ U.T

    return covariance if problem.operator == "covariance" else conditional


def numpy_root(problem: Problem) -> Call:
    """The conditional covariance with S^1/2 as a matrix, which numpy_exact never forms: three products more."""
    n, k, L, shift = problem.n, problem.k, problem.L, problem.n * problem.epsilon

    def coefficients() -> Array:
        kappa, U = np.linalg.eigh(k)
        np.maximum(kappa, 0, out=kappa)
        spectrum = np.sqrt(shift / (kappa + shift))
        root = (U * spectrum) @ U.T
        tau, W = np.linalg.eigh(root @ L @ root)
        tau = np.maximum(tau, 0)[:, None]
        return (root @ W) @ (tau * (W.T @ U) / spectrum / (tau * kappa + n * problem.penalty)) @ U.T

    return coefficients


def kronecker(problem: Problem, general: bool = False) -> Call:
    """[KDE] (8) to the letter: one system of n^2 unknowns; by Cholesky where it is symmetric, unless `general`."""
    n, k, T = problem.n, problem.k, problem.T

    def coefficients() -> Array:
        system = np.kron(k, T)
        system.flat[:: n * n + 1] += n * problem.penalty
        right = np.eye(n).ravel(order="F")
        if problem.operator == "covariance" and not general:
            solved = cho_solve(cho_factor(system, overwrite_a=True, check_finite=False), right)
        else:
            solved = np.linalg.solve(system, right)
        return T @ solved.reshape(n, n, order="F")

    return coefficients


def exact_error(problem: Problem) -> Callable[[Any], float]:
    """How far coefficients are from T C k + n penalty C = T, relatively: no formula of a contestant."""
    k, T, n = problem.k, problem.T, problem.n
    scale = np.linalg.norm(T)

    def error(C: Any) -> float:
        if C.shape != (n, n):
            return float("inf")
        return float(np.linalg.norm(T @ C @ k + n * problem.penalty * C - T) / scale)

    return error


def gramian_low_rank(problem: Problem, m: int, **options: Any) -> Call:
    """The engine, from points."""
    model = problem.on_points(rank=m, **options)
    X, Y = problem.X, problem.Y

    def fit() -> LowRank:
        model.fit(X, Y)
        return LowRank(model.input_supports_, model.output_supports_, model.coefficients_)

    return fit


def numpy_low_rank(problem: Problem, m: int, pivots: str = "greedy") -> Call:
    """The same in numpy; what the factors drop is dropped of k_x and L_y too."""
    factorize = {"greedy": incomplete_cholesky, "uniform": landmarks, "gram": from_gram_matrix}[pivots]

    def fit() -> LowRank:
        (U, rows), (V, columns) = (
            factorize(points_, gamma, m) for points_, gamma in zip((problem.X, problem.Y), problem.gammas, strict=True)
        )
        return LowRank(rows, columns, small_system(problem, U, V))

    return fit


def small_system(problem: Problem, U: Array, V: Array) -> Array:
    """G from the factors, in O(n m^2 + m^3)."""
    A, B, R = small_matrices(problem, U, V)
    a, P = np.linalg.eigh(A)
    b, Q = np.linalg.eigh(B)
    b = np.maximum(b, 0)[:, None]
    return Q @ (b * (Q.T @ R @ P) / (b * np.maximum(a, 0) + problem.n * problem.penalty)) @ P.T


def small_matrices(problem: Problem, U: Array, V: Array) -> tuple[Array, Array, Array]:
    """U^T U, V^T S V and V^T U."""
    A, B, R = U.T @ U, V.T @ V, V.T @ U
    if problem.operator == "conditional":
        shift = problem.n * problem.epsilon
        B = B - R @ np.linalg.solve(A + shift * np.eye(len(A)), R.T)
    return A, symmetric(B), R


def incomplete_cholesky(X: Array, gamma: float, m: int) -> tuple[Array, NDArray[Any]]:
    """Of a Gram matrix that is never formed."""
    squares = (X * X).sum(axis=1)
    return greedy_factor(lambda i: np.exp(-gamma * np.maximum(squares + squares[i] - 2 * (X @ X[i]), 0)), len(X), m)


def from_gram_matrix(X: Array, gamma: float, m: int) -> tuple[Array, NDArray[Any]]:
    """Of one that is, as in [KDE] and in most programs."""
    K = gaussian(X, X, gamma)
    return greedy_factor(lambda i: K[i], len(X), m)


def greedy_factor(column_of: Callable[[int], Array], n: int, m: int) -> tuple[Array, NDArray[Any]]:
    """Pivots where most is left of the diagonal; the factor grows in rows, so that each is read at a stretch."""
    left = np.ones(n)
    factor, pivots = np.empty((m, n)), np.empty(m, dtype=np.intp)
    for j in range(m):
        i = pivots[j] = int(np.argmax(left))
        factor[j] = (column_of(i) - factor[:j, i] @ factor[:j]) / np.sqrt(left[i])
        left -= factor[j] ** 2
    return factor.T, pivots


def landmarks(X: Array, gamma: float, m: int) -> tuple[Array, NDArray[Any]]:
    """Pivots drawn at random, whatever they bring: three calls of LAPACK and BLAS."""
    pivots = np.random.default_rng(0).choice(len(X), m, replace=False)
    return factor_at(X, gamma, pivots), pivots


def factor_at(X: Array, gamma: float, pivots: NDArray[Any]) -> Array:
    """The factor that belongs to these pivots, in their order."""
    corner = np.linalg.cholesky(gaussian(X[pivots], X[pivots], gamma) + 1e-12 * np.eye(len(pivots)))
    return solve_triangular(corner, gaussian(X[pivots], X, gamma), lower=True, check_finite=False).T


def low_rank_error(problem: Problem, m: int) -> Callable[[LowRank], float]:
    """How far G is from V^T S V G U^T U + n penalty G = V^T S V V^T U for its own pivots."""

    def error(answer: LowRank) -> float:
        if answer.G.shape != (m, m):
            return float("inf")
        U = factor_at(problem.X, problem.gammas[0], answer.inputs)
        V = factor_at(problem.Y, problem.gammas[1], answer.outputs)
        A, B, R = small_matrices(problem, U, V)
        right = B @ R
        return float(
            np.linalg.norm(B @ answer.G @ A + problem.n * problem.penalty * answer.G - right) / np.linalg.norm(right)
        )

    return error


def inner_products(problem: Problem, answer: LowRank, X: Array, Y: Array) -> Array:
    """Of predictions for X with candidates Y, from a low-rank model."""

    def coordinates(known: Array, gamma: float, pivots: NDArray[Any], new: Array) -> Array:
        corner = np.linalg.cholesky(gaussian(known[pivots], known[pivots], gamma) + 1e-12 * np.eye(len(pivots)))
        return solve_triangular(corner, gaussian(known[pivots], new, gamma), lower=True)

    u = coordinates(problem.X, problem.gammas[0], answer.inputs, X)
    v = coordinates(problem.Y, problem.gammas[1], answer.outputs, Y)
    return u.T @ answer.G.T @ v


def printed_inner_products(problem: Problem, m: int, X: Array, Y: Array) -> Array:
    """[KDE] (15): k and L are replaced by products of factors, k_x and L_y are not."""
    (U, _), (V, _) = (
        incomplete_cholesky(some, gamma, m) for some, gamma in zip((problem.X, problem.Y), problem.gammas, strict=True)
    )
    SV, shift, n_penalty = V, problem.n * problem.epsilon, problem.n * problem.penalty
    if problem.operator == "conditional":
        SV = V - U @ np.linalg.solve(shift * np.eye(m) + U.T @ U, U.T @ V)
    A, B, R = small_matrices(problem, U, V)
    a, P = np.linalg.eigh(A)
    b, Q = np.linalg.eigh(B)
    G = Q @ ((Q.T @ R @ P) / (np.maximum(b, 0)[:, None] * np.maximum(a, 0) + n_penalty)) @ P.T
    C = problem.T @ (np.eye(problem.n) - SV @ G @ U.T) / n_penalty
    return gaussian(X, problem.X, problem.gammas[0]) @ C.T @ gaussian(problem.Y, Y, problem.gammas[1])


@dataclass(frozen=True)
class Ranking:
    """A fitted model, new inputs, and candidates that it has not seen, as many of these."""

    n: int
    training: int = 1000

    @cached_property
    def problem(self) -> Problem:
        """What the model was fitted to."""
        return Problem(self.training)

    @cached_property
    def model(self) -> Any:
        """Fitted with gramian; its coefficients serve everybody."""
        return self.problem.on_points().fit(self.problem.X, self.problem.Y)

    @cached_property
    def X(self) -> Array:
        """New inputs."""
        return points(self.n, INPUTS, seed=2)

    @cached_property
    def candidates(self) -> Array:
        """Candidates."""
        return self.problem.outputs(points(self.n, INPUTS, seed=3), seed=4)

    def scores(self, X: Array, candidates: Array) -> Array:
        """l(y, y) - 2 <g(x), Phi(y)>, all of them."""
        weights = gaussian(X, self.problem.X, self.problem.gammas[0]) @ self.model.coefficients_.T
        return 1.0 - 2.0 * (weights @ gaussian(self.problem.Y, candidates, self.problem.gammas[1]))


def gramian_top(ranking: Ranking) -> Call:
    """The engine: indices of the best candidates, the best first."""
    model, X, candidates = ranking.model, ranking.X, ranking.candidates
    return lambda: model.nearest(X, candidates, TOP)


def numpy_top(ranking: Ranking) -> Contestant:
    """Some inputs at a time, the kernel of the candidates once; the fastest number of them."""
    return fastest_variant({f"blocks of {block} inputs": numpy_top_in_blocks(ranking, block) for block in BLOCKS})


def numpy_top_in_blocks(ranking: Ranking, block: int) -> Call:
    """Scores of a block, its best candidates by partition, then in order."""
    problem, C = ranking.problem, ranking.model.coefficients_
    X, candidates = ranking.X, ranking.candidates

    def best() -> Any:
        seen = gaussian(problem.Y, candidates, problem.gammas[1])
        found = np.empty((len(X), TOP), dtype=np.intp)
        for start in range(0, len(X), block):
            rows = X[start : start + block]
            scores = gaussian(rows, problem.X, problem.gammas[0]) @ C.T @ seen
            top = np.argpartition(scores, -TOP, axis=1)[:, -TOP:]
            order = np.argsort(-np.take_along_axis(scores, top, axis=1), axis=1)
            found[start : start + block] = np.take_along_axis(top, order, axis=1)
        return found

    return best


def predictions(problem: Problem, X: Array) -> tuple[Call, Call, Call]:
    """The best training output of each input; the weighted sum, for the linear output kernel; the conditional mean."""
    import gramian
    from gramian.kernels import Gaussian

    nearest = problem.on_points().fit(problem.X, problem.Y)
    kernel = Gaussian(gamma=problem.gammas[0])
    linear = problem.estimator(kernel=kernel, preimage="linear").fit(problem.X, problem.Y)
    mean = gramian.ConditionalMeanEmbedding(kernel, penalty=problem.penalty).fit(problem.X, problem.Y)
    return tuple((lambda model=model: model.predict(X)) for model in (nearest, linear, mean))  # type: ignore[return-value]


def predictions_error(problem: Problem, X: Array, nearest: Any, linear: Any) -> float:
    """How much worse than the best ones the scores of some chosen outputs are, and how far weighted sums are off."""
    rows = np.arange(0, len(X), max(1, len(X) // 500))
    cross, gammas = gaussian(X[rows], problem.X, problem.gammas[0]), problem.gammas
    C = problem.on_points().fit(problem.X, problem.Y).coefficients_
    images = cross @ C.T
    best = (images @ problem.L).max(axis=1)  # l(y, y) is 1 for all
    chosen = (images * gaussian(nearest[rows], problem.Y, gammas[1])).sum(axis=1)
    D = problem.estimator(kernel="precomputed", preimage="linear").fit(problem.k, problem.Y).coefficients_
    return float(max(np.abs(best - chosen).max(), np.abs(linear[rows] - cross @ D.T @ problem.Y).max()))
