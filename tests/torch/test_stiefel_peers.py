# SPDX-License-Identifier: BSD-3-Clause
"""Optimisers on Stiefel manifolds beside those of geoopt and pymanopt, on the same problems: `make torch`."""

from __future__ import annotations

import warnings

import gramian
import numpy as np
import pytest
import torch
from gramian.kernels import Gaussian
from gramian.models import DeepPCAObjective
from gramian.optim import minimize_stiefel

with warnings.catch_warnings():  # of what it was built on
    warnings.simplefilter("ignore", DeprecationWarning)
    import geoopt
import pymanopt

N = 60
STEPS = 600

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def points():
    rng = np.random.default_rng(3)
    return rng.normal(size=(N, 4)) * [2.0, 1.0, 0.7, 0.5]


@pytest.fixture(scope="module")
def objective(points):
    return DeepPCAObjective(points, (3, 2), [Gaussian(gamma=0.05), Gaussian(gamma=1.0)])


def start(points):
    """Levelwise kernel PCA, and a little noise: where it all begins decides which components are found."""
    model = gramian.DeepKernelPCA((3, 2), [Gaussian(gamma=0.05), Gaussian(gamma=1.0)], solver="levelwise").fit(points)
    rng = np.random.default_rng(4)
    return [np.linalg.qr(H + 0.01 * rng.normal(size=H.shape))[0] for H in model.hidden_features_]


def residuals(K1, H1, H2):
    """J of two levels with Gaussian kernels, the second with gamma 1, in PyTorch: [DKPCA] (9) with 1/2 on all terms."""
    H1 = H1 if H1.requires_grad else H1.clone().requires_grad_(True)
    squares = ((H1[:, None] - H1[None]) ** 2).sum(dim=2)
    K2 = torch.exp(-squares)
    energy = 0.5 * (H1 * (K1 @ H1)).sum() + 0.5 * (H2 * (K2 @ H2)).sum()
    A1, A2 = torch.autograd.grad(energy, [H1, H2], create_graph=True)
    J = 0.0
    for H, A in ((H1, A1), (H2, A2)):
        J = J + 0.5 * ((A - H * (H * A).sum(dim=0)) ** 2).sum()
    return J


@pytest.fixture(scope="module")
def peer(points):
    """What geoopt's Riemannian Adam makes of J, and its matrices."""
    blocks = start(points)
    K1 = torch.from_numpy(gramian.gram(Gaussian(gamma=0.05), points))
    stiefel = geoopt.EuclideanStiefel()
    H = [geoopt.ManifoldParameter(torch.from_numpy(block.copy()), manifold=stiefel) for block in blocks]
    optimiser = geoopt.optim.RiemannianAdam(H, lr=1e-2)
    rates = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, STEPS)
    for _ in range(STEPS):
        optimiser.zero_grad()
        J = residuals(K1, *H)
        J.backward()
        optimiser.step()
        rates.step()
    return residuals(K1, *H).item(), [block.detach().numpy() for block in H]


def test_the_objective_is_the_peers(points, objective):
    blocks = start(points)
    value = objective.value(objective.join(blocks))
    K1 = torch.from_numpy(gramian.gram(Gaussian(gamma=0.05), points))
    theirs = residuals(K1, *[torch.from_numpy(b).requires_grad_(True) for b in blocks])
    assert value == pytest.approx(theirs.item(), rel=1e-10)


@pytest.mark.parametrize("solver", ["lbfgs", "adam", "gd"])
def test_the_same_problem_ends_no_higher_than_geoopts(points, objective, peer, solver):
    x0 = objective.join(start(points))
    theirs, H = peer
    options = {"lbfgs": {}, "adam": {"step": 1e-2}, "gd": {}}[solver]
    options |= {"max_iterations": STEPS, "gradient_tolerance": 1e-9}
    ours = minimize_stiefel(objective.value_and_gradient, x0, objective.shapes, solver, **options)
    begin = objective.value(x0)
    assert theirs < 0.05 * begin
    assert ours.value <= max(1.01 * theirs, 1e-6 * begin)
    for mine, block in zip(objective.split(ours.x)[0], H, strict=True):
        assert np.abs(mine.T @ mine - np.eye(block.shape[1])).max() <= 1e-12


def pymanopts(objective, blocks, method):
    """What an optimiser of pymanopt makes of J from there."""
    manifold = pymanopt.manifolds.Product([pymanopt.manifolds.Stiefel(*block.shape) for block in blocks])

    @pymanopt.function.numpy(manifold)
    def cost(*H):
        return objective.value(objective.join(H))

    @pymanopt.function.numpy(manifold)
    def gradient(*H):
        return objective.split(objective.value_and_gradient(objective.join(H))[1])[0]

    problem = pymanopt.Problem(manifold, cost, euclidean_gradient=gradient)
    optimiser = getattr(pymanopt.optimizers, method)(verbosity=0, max_iterations=STEPS)
    return optimiser.run(problem, initial_point=blocks)


@pytest.mark.parametrize("method", ["ConjugateGradient", "SteepestDescent"])
def test_the_same_problem_ends_where_pymanopts_does(points, objective, method):
    """Ours ends no higher than theirs, with the same components."""
    blocks = start(points)
    theirs = pymanopts(objective, blocks, method)
    ours = minimize_stiefel(
        objective.value_and_gradient, objective.join(blocks), objective.shapes, max_iterations=STEPS
    )
    begin = objective.value(objective.join(blocks))
    assert theirs.cost < 0.05 * begin
    assert ours.value <= max(1.01 * theirs.cost, 1e-6 * begin)
    for mine, block in zip(objective.split(ours.x)[0], theirs.point, strict=True):
        overlap = np.linalg.svd(mine.T @ block, compute_uv=False)
        assert overlap.min() > 0.99  # the same components


@pytest.mark.parametrize("solver", ["closed_form", "self_consistent"])
@pytest.mark.parametrize("eta", [0.5, -0.05])
def test_eigenproblems_end_where_pymanopts_conjugate_gradients_do(points, solver, eta):
    """A linear second level: J is 0 at eigenvectors of the first Gram matrix, for either sign."""
    kernels, etas = [Gaussian(gamma=0.05), "linear"], [1.0, eta]
    objective = DeepPCAObjective(points, (3, 2), kernels, etas)
    blocks = start(points)
    theirs = pymanopts(objective, blocks, "ConjugateGradient")
    ours = gramian.DeepKernelPCA((3, 2), kernels, etas, solver=solver, tol=1e-10)
    ours.set_params(init="random" if solver == "self_consistent" else "kpca").fit(points)
    assert theirs.cost < 1e-3 * objective.value(objective.join(blocks))
    assert ours.objective_ <= max(theirs.cost, 1e-14)
    first, second = ours.hidden_features_
    assert np.linalg.svd(first.T @ theirs.point[0], compute_uv=False).min() > 0.999
    for H in (second, theirs.point[1]):  # any directions of the first level will do for the second
        assert np.linalg.svd(first.T @ H, compute_uv=False).min() > 0.999


def test_steps_of_a_quadratic_are_alike():
    """One trace on one manifold: both end at the top eigenvectors."""
    rng = np.random.default_rng(5)
    B = rng.normal(size=(30, 30))
    A, H0 = B @ B.T / 30, np.linalg.qr(rng.normal(size=(30, 4)))[0]
    top = np.linalg.eigvalsh(A)[-4:].sum()
    parameter = geoopt.ManifoldParameter(torch.from_numpy(H0.copy()), manifold=geoopt.EuclideanStiefel())
    optimiser = geoopt.optim.RiemannianAdam([parameter], lr=2e-2)
    matrix = torch.from_numpy(A)
    for _ in range(2000):
        optimiser.zero_grad()
        (-(parameter * (matrix @ parameter)).sum()).backward()
        optimiser.step()
    theirs = (parameter * (matrix @ parameter)).sum().item()

    def fun(x):
        H = x.reshape(30, 4)
        AH = A @ H
        return -float((H * AH).sum()), -2.0 * AH.ravel()

    ours = minimize_stiefel(fun, H0.ravel(), [(30, 4)], "adam", max_iterations=2000, step=2e-2)
    assert theirs == pytest.approx(top, rel=1e-3)
    assert -ours.value == pytest.approx(top, rel=1e-4)
