# SPDX-License-Identifier: BSD-3-Clause
"""What models are made of: layers, linear algebra, optimisers, features, losses, metrics."""

from __future__ import annotations

import gramian
import numpy as np
from gramian import linalg, losses, metrics
from gramian.features import Network, RandomFourierFeatures
from gramian.kernels import Gaussian, Laplacian, Linear, Matern, TensorMatern
from gramian.layers import Composition, Layer, RidgeOutput, forward_jacobian, jacobian_gradient
from gramian.optim import minimize, minimize_stiefel

from cases.data import counts, labels, points
from cases.registry import add, case

LAYERS = [
    Layer(Gaussian(gamma=0.5), 2, 0.1, operator=[1.0, 0.5]),
    Layer([Laplacian(gamma=0.5), Linear()], 3, 0.2, operator=[None, [1.0, 0.0, 2.0]]),
]


def composition(X, **options):
    layers = Composition(X, LAYERS, **options)
    start = points(layers.coefficient_count, 1, seed=5)[:, 0]
    value, gradient = layers.value_and_gradient(start, points(layers.samples, 3, seed=6))
    forward = layers.forward(start)
    return {
        "value": value,
        "gradient": gradient,
        "outputs": forward.outputs,
        "squared_norms": forward.squared_norms,
        "penalty": forward.penalty,
        "reverse": layers.reverse(points(layers.samples, 3, seed=7)),
    }


add("composition", lambda: composition(points(30)))
add("composition of counts", lambda: composition(counts(30)))
add("composition with landmarks", lambda: composition(points(30), landmarks=[0, 3, 8, 9, 20]))
add("composition in little memory", lambda: composition(points(30), memory_budget=1))
add("composition of inner products", lambda: composition(gramian.InnerProducts(Gaussian()(points(30)))))


@case
def composition_function_gradient():
    layers = Composition(points(30), LAYERS)
    start = points(layers.coefficient_count, 1, seed=5)[:, 0]
    layers.value_and_gradient(start, points(30, 3, seed=6))
    return {"gradient": layers.function_gradient()}


@case
def jacobians():
    X, flat, found = points(15), points(75, 1, seed=5)[:, 0], {}
    for layer in (1, 2):
        found[f"of layer {layer}"] = forward_jacobian(X, LAYERS, flat, layer, 4)
    return {**found, "gradient": jacobian_gradient(X, LAYERS, flat, points(15, 3, seed=6))}


@case
def ridge_output():
    output = RidgeOutput(Layer(Matern(), 3, penalty=0.1), points(30), 2)
    value, gradient = output.value_and_gradient(points(30, 2, seed=1))
    found = {"value": value, "gradient": gradient, "coefficients": output.coefficients}
    return {**found, "distortion": output.distortion, "squared_norm": output.squared_norm}


@case
def cholesky():
    K, B = Gaussian()(points(70)) + 0.1 * np.eye(70), points(70, 3, seed=1)
    factor = linalg.cholesky(K)
    many = np.stack([Gaussian()(points(7, seed=i)) + 0.1 * np.eye(7) for i in range(5)])
    batch = linalg.cholesky_solve_batch(many, points(35, 2).reshape(5, 7, 2))
    return {
        "L": factor.L,
        "solved": factor.solve(B),
        "log_determinant": factor.log_determinant(),
        "inverse_diagonal": factor.inverse_diagonal(),
        "triangular": linalg.solve_triangular(factor.L, B),
        "transposed": linalg.solve_triangular(factor.L, B, transposed=True),
        "upper": linalg.solve_triangular(factor.L.T, B, lower=False),
        "batch": batch.X,
        "success": batch.success,
    }


@case
def spectral():
    X = points(60)
    K = Gaussian()(X)
    whole, top = linalg.eigh(K[:20, :20]), linalg.top_eigenpairs(K, 3, random_state=0)
    lazy = linalg.top_eigenpairs(Gaussian(), 3, X=X, centered=True, random_state=0)
    found = {"values": whole.values, "rebuilt": whole.vectors[:, -4:], "top": top.values, "vectors": top.vectors}
    return {**found, "of a kernel": lazy.values, "its vectors": lazy.vectors}


@case
def structured():
    K, L = Gaussian()(points(20)), Laplacian()(points(8))
    U, d, H = points(30), np.abs(points(30, 1, seed=1))[:, 0] + 0.1, linalg.stiefel_project(points(30, 3, seed=2))
    core = Gaussian()(points(3))
    tangent = linalg.stiefel_tangent(H, points(30, 3, seed=3))
    return {
        "kronecker": linalg.solve_kronecker(K, L, 0.1, points(8, 20)),
        "kronecker of the identity": linalg.solve_kronecker(K, K, 0.1),
        "woodbury": linalg.woodbury_solve(d, U, points(30, 2, seed=4)),
        "woodbury with a core": linalg.woodbury_solve(0.5, U, points(30, 2, seed=4), core),
        "log determinants": [linalg.woodbury_log_determinant(d, U), linalg.woodbury_log_determinant(0.5, U, core)],
        "stiefel": [H, tangent],
        "retracted": [linalg.stiefel_retract(H, tangent, method=method) for method in ("polar", "qr")],
    }


def valley(x):
    """Rosenbrock's function of neighbours, and its gradient: sums one number at a time, the same bits everywhere."""
    value, gradient = 0.0, np.zeros_like(x)
    for i in range(len(x) - 1):
        a, b = x[i + 1] - x[i] * x[i], 1.0 - x[i]
        value += 100.0 * a * a + b * b
        gradient[i] -= 400.0 * a * x[i] + 2.0 * b
        gradient[i + 1] += 200.0 * a
    return value, gradient


def bowl(x):
    """A quadratic function of unequal curvatures."""
    scale = np.arange(1.0, 1.0 + len(x))
    return float(sum(scale * x * x)), 2.0 * scale * x


def estimate(x, t):
    """Of the bowl: one term of the sum in each step, times their number."""
    value, gradient, i = 0.0, np.zeros_like(x), t % len(x)
    value, gradient[i] = len(x) * (1.0 + i) * x[i] ** 2, 2.0 * len(x) * (1.0 + i) * x[i]
    return value, gradient


def minimum(found):
    points = [[point.value, point.gradient_norm, point.step, point.evaluations] for point in found.history]
    return {"x": found.x, "value": found.value, "history": np.array(points), "stop_reason": found.stop_reason}


def minimized(solver, function=valley, **options):
    return minimum(minimize(function, points(6, 1)[:, 0], solver, max_iterations=15, **options))


add("minimize lbfgs", minimized, "lbfgs", memory=3)
add("minimize bfgs", minimized, "bfgs")
add("minimize gd", minimized, "gd", rule="backtracking")
add("minimize gd with momentum", minimized, "gd", bowl, rule="inverse_time", step=0.05, decay=0.1, momentum=0.5)
add("minimize gd in a set", minimized, "gd", bowl, rule="constant", step=0.02, project=lambda x: np.clip(x, 0.1, 1.0))
add("minimize adam", minimized, "adam", step=0.05, beta1=0.8)
add("minimize adam of estimates", minimized, "adam", bowl, sample=estimate, check_every=3)
add("minimize sgd", minimized, "sgd", bowl, sample=estimate, step=0.01, rule="inverse_root", momentum=0.5)


def on_stiefel(solver, **options):
    A, shape = points(12, 12, seed=1) + points(12, 12, seed=1).T, (12, 2)
    weights = np.array([1.0, 2.0])

    def trace(x):
        H = x.reshape(shape)
        product = (A[:, :, None] * H[None]).sum(axis=1) * weights
        return float(-(H * product).sum() / 2), -product.ravel()

    return minimum(minimize_stiefel(trace, points(24, 1)[:, 0], [shape], solver, max_iterations=12, **options))


add("stiefel lbfgs", on_stiefel, "lbfgs")
add("stiefel adam", on_stiefel, "adam", step=0.05, anneal=True)
add("stiefel adam by qr", on_stiefel, "adam", retraction="qr")
add("stiefel gd", on_stiefel, "gd", step=0.1)


@case
def features():
    X, found = points(20), {}
    maps = {
        "network": Network([(6, "relu"), (5, "sigmoid"), (4, "tanh"), (3, "identity")]),
        "dropping": Network([(8, "tanh"), (3, "identity")], dropout=0.3, weight_deviation=0.0),
        "gaussian": RandomFourierFeatures(Gaussian(gamma=0.5), n_features=16, seed=1),
        "matern": RandomFourierFeatures(Matern(nu=1.5), n_features=16, seed=2),
        "laplacian": RandomFourierFeatures(Laplacian(), n_features=16, seed=3),
    }
    for name, one in maps.items():
        theta = one.initial_parameters(3, seed=4)
        Z = one.transform(X, theta, training=True, seed=1, step=2)
        found |= {f"{name} theta": theta, f"{name} Z": Z, f"{name} untrained Z": one.transform(X, theta)}
        found |= {f"{name} adjoint": list(one.adjoint(X, points(20, Z.shape[1], seed=5), theta))}
    return found


@case
def losses_of_each_kind():
    target, output, found = points(20), points(20, seed=1), {}
    for loss in (
        losses.Squared(),
        losses.Huber(0.5),
        *(losses.EpsilonInsensitive(0.3, squared=s) for s in (True, False)),
    ):
        found[repr(loss)] = list(loss.evaluate(target, output))
    classes = np.eye(3)[labels(points(20))]
    for loss in (losses.Logistic(), losses.ClippedCrossEntropy(1e-3)):
        found[repr(loss)] = list(loss.evaluate(classes, np.abs(output)))
    found["one logit"] = list(losses.Logistic().evaluate(classes[:, :1], output[:, :1]))
    return found


@case
def metrics_of_codes():
    codes, factors = points(60), np.stack([labels(points(60)), labels(points(60, seed=1), 2)], axis=1)
    robust = metrics.irs(codes, factors)
    found = {"irs": robust.score, "matrix": robust.matrix, "mig": metrics.mig(codes, factors)}
    return {**found, "windin": metrics.windin(codes)}


add("tensor matern product", lambda: {"product": gramian.product(TensorMatern(s=2), points(90, 4), points(90, 2))})
