# SPDX-License-Identifier: BSD-3-Clause
"""Losses: values, gradients, and what a value object has to keep."""

from __future__ import annotations

import copy
import inspect
import pickle
from pathlib import Path

import gramian
import numpy as np
import pytest
import sklearn.base
from gramian import losses
from gramian.losses import ClippedCrossEntropy, EpsilonInsensitive, Huber, Logistic, Loss, Squared


def of_length(cost):
    """The sum over samples of a cost that knows only the length of the residual."""
    return lambda target, output: cost(np.linalg.norm(output - target, axis=1)).sum()


# Losses of residuals, each with its sum over samples.
FORMULAS = {
    Squared(): of_length(lambda r: r**2),
    EpsilonInsensitive(epsilon=0.0): of_length(lambda r: r),
    EpsilonInsensitive(epsilon=0.9): of_length(lambda r: np.maximum(0, r - 0.9)),
    EpsilonInsensitive(epsilon=0.9, squared=True): of_length(lambda r: np.maximum(0, r - 0.9) ** 2),
    Huber(delta=1.2): of_length(lambda r: np.where(r <= 1.2, r**2, 2 * 1.2 * r - 1.2**2)),
}


@pytest.mark.parametrize("loss", FORMULAS, ids=repr)
def test_value_and_gradient(loss, rng):
    target, output = rng.normal(size=(2, 40, 3))
    value, gradient = loss.evaluate(target, output)
    np.testing.assert_allclose(value, FORMULAS[loss](target, output), rtol=1e-13)
    for _ in range(5):
        along, h = rng.normal(size=(40, 3)), 1e-4

        def at(t, along=along):
            return loss.evaluate(target, output + t * along)[0]

        slope = (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)
        # Rounding, 1e-16 of the value over h; a kink may lie between the points, which are few.
        assert abs(slope - (gradient * along).sum()) <= 1e-4 * np.abs(along).sum()
        assert abs(slope - 1.01 * (gradient * along).sum()) > 1e-9


def cross_entropy(epsilon, target, output):
    return -np.log(np.clip((target * output).sum(axis=1), epsilon, 1.0)).sum()


def logistic(target, output):
    if output.shape[1] == 1:
        return (np.log1p(np.exp(output)) - target * output).sum()
    return (np.log(np.exp(output).sum(axis=1)) - (target * output).sum(axis=1)).sum()


@pytest.mark.parametrize("classes", [1, 2, 4])
def test_losses_of_probabilities(classes, rng):
    labels = rng.integers(0, max(classes, 2), size=30)
    target = labels[:, None].astype(float) if classes == 1 else np.eye(classes)[labels]
    pairs = [(Logistic(), logistic, rng.normal(size=(30, classes)))]
    if classes > 1:
        probabilities = rng.dirichlet(np.ones(classes), size=30)
        loss = ClippedCrossEntropy(1e-3)
        pairs.append((loss, lambda t, o: cross_entropy(1e-3, t, o), np.where(probabilities < 0.02, -1, probabilities)))
    for loss, formula, output in pairs:
        value, gradient = loss.evaluate(target, output)
        np.testing.assert_allclose(value, formula(target, output), rtol=1e-12)
        along, h = rng.normal(size=output.shape) * output, 1e-4
        ahead, behind = (loss.evaluate(target, output + t * along)[0] for t in (h, -h))
        np.testing.assert_allclose((ahead - behind) / (2 * h), (gradient * along).sum(), rtol=1e-5, atol=1e-6)
    assert ClippedCrossEntropy() == ClippedCrossEntropy(1e-15) and repr(Logistic()) == "Logistic()"
    with pytest.raises(ValueError, match="epsilon"):
        ClippedCrossEntropy(1.0).evaluate(target, target)


def test_every_loss_of_the_engine_has_a_class_and_a_row_in_the_docs():
    classes = [one for name in losses.__all__ if issubclass(one := vars(losses)[name], losses._BuiltIn)]
    named = {one._engine for one in classes} | {"squared_epsilon_insensitive"}  # a parameter of another one
    assert named == set(gramian._core.losses.names())
    for one in classes:
        parameters = gramian._core.losses.names()[one._engine]
        own = [name for name in inspect.signature(one).parameters if name != "squared"]
        assert own == parameters[: len(own)], one
        assert f"`{one.__name__}(" in (Path(__file__).parents[2] / "docs/optim.md").read_text()


@pytest.mark.parametrize("loss", FORMULAS, ids=repr)
def test_a_value_can_be_copied_pickled_compared(loss):
    for other in (copy.copy(loss), copy.deepcopy(loss), pickle.loads(pickle.dumps(loss)), sklearn.base.clone(loss)):
        assert other == loss and hash(other) == hash(loss) and repr(other) == repr(loss)
    assert eval(repr(loss), vars(losses)) == loss
    assert type(loss)(**loss.get_params()) == loss
    assert loss != 3 and loss is not None
    assert sum(loss == other for other in FORMULAS) == 1


def test_parameters_are_shown_and_set():
    loss = EpsilonInsensitive(epsilon=np.float64(0.5), squared=True)
    assert repr(loss) == "EpsilonInsensitive(epsilon=0.5, squared=True)"
    assert loss.get_params() == {"epsilon": 0.5, "squared": True}
    changed = copy.copy(loss).set_params(epsilon=0.25)
    assert (changed.epsilon, loss.epsilon) == (0.25, 0.5)
    with pytest.raises(ValueError, match="delta"):
        loss.set_params(epsilon=0.1, delta=1.0)
    assert loss.epsilon == 0.5
    with pytest.raises(AttributeError, match="is a value"):
        loss.epsilon = 1.0
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del loss.epsilon


@pytest.mark.parametrize(
    ("loss", "error", "message"),
    [
        (Huber(delta=0.0), ValueError, "delta"),
        (Huber(delta=np.inf), ValueError, "delta"),
        (Huber(delta="1"), TypeError, "delta"),
        (EpsilonInsensitive(epsilon=-0.1), ValueError, "epsilon"),
        (EpsilonInsensitive(epsilon=None), TypeError, "epsilon"),
        (EpsilonInsensitive(epsilon=1.0, squared="yes"), ValueError, "squared"),
    ],
)
def test_bad_parameters_are_named_when_used(loss, error, message):
    with pytest.raises(error, match=message):
        loss.evaluate(np.zeros((2, 2)), np.ones((2, 2)))


def test_bad_arrays_are_named():
    good = np.zeros((3, 2))
    with pytest.raises(ValueError, match="target must have shape"):
        Squared().evaluate(np.zeros((3, 1)), good)
    with pytest.raises(ValueError, match="output contains NaN"):
        Squared().evaluate(good, np.full((3, 2), np.nan))
    with pytest.raises(ValueError, match="target"):
        Squared().evaluate(np.zeros(3), good)


class Absolute(Loss):
    """A loss of one's own, with a parameter."""

    def __init__(self, weight=1.0):
        self.weight = weight

    def evaluate(self, target, output):
        r = output - target
        return self.weight * np.abs(r).sum(), self.weight * np.sign(r)


def test_a_loss_of_ones_own_is_a_value_too():
    loss = Absolute(weight=2.0)
    assert repr(loss) == "Absolute(weight=2.0)"
    assert sklearn.base.clone(loss) == loss != Absolute()
    assert pickle.loads(pickle.dumps(loss)) == loss
    assert evaluate_as_custom(loss) == (18.0, [[2.0, 2.0, 2.0]] * 3)


class Doubled(Huber):
    """What is overridden counts, not what the engine has."""

    def evaluate(self, target, output):
        value, gradient = super().evaluate(target, output)
        return 2 * value, 2 * gradient


class Named:
    """No base at all."""

    def __init__(self, result):
        self.result = result

    def evaluate(self, target, output):
        return self.result


def evaluate_as_custom(loss):
    """Value and gradient at targets 0 and outputs 1, as the engine sees the object."""
    value, gradient = gramian._core.losses.evaluate(loss, np.zeros((3, 3)), np.ones((3, 3)))
    return value, gradient.tolist()


def test_the_engine_sees_what_python_sees():
    zeros, ones = np.zeros((3, 3)), np.ones((3, 3))
    for loss in (*FORMULAS, Doubled(delta=0.1), Absolute()):
        value, gradient = loss.evaluate(zeros, ones)
        assert evaluate_as_custom(loss) == (value, gradient.tolist())
    assert evaluate_as_custom(Doubled(delta=0.1))[0] == 2 * evaluate_as_custom(Huber(delta=0.1))[0]
    assert evaluate_as_custom("squared") == evaluate_as_custom(Squared())
    assert evaluate_as_custom(Named((1, np.ones((3, 3), np.float32))))[0] == 1.0


@pytest.mark.parametrize(
    ("result", "error", "message"),
    [
        (3.0, TypeError, r"Named.evaluate must return \(value, gradient\)"),
        (("a", np.zeros((3, 3))), TypeError, "value that Named.evaluate returns must be a number"),
        ((np.nan, np.zeros((3, 3))), ValueError, "value that Named.evaluate returns is not finite"),
        ((1.0, np.zeros(3)), ValueError, r"must have shape \(3, 3\), got \(3,\)"),
        ((1.0, np.zeros((3, 2))), ValueError, r"must have shape \(3, 3\), got \(3, 2\)"),
        ((1.0, np.diag([0.0, np.inf, 0.0])), ValueError, "gradient that Named.evaluate returns .* not finite"),
        ((1.0, [["a"] * 3] * 3), TypeError, "gradient that Named.evaluate returns must be an array"),
    ],
)
def test_what_a_loss_returns_is_checked(result, error, message):
    with pytest.raises(error, match=message):
        evaluate_as_custom(Named(result))


def test_what_a_loss_raises_comes_out():
    class Broken:
        def evaluate(self, target, output):
            raise LookupError("mine")

    with pytest.raises(LookupError, match="mine"):
        evaluate_as_custom(Broken())


@pytest.mark.parametrize("what", ["absolute", 3, None, Squared, (), ("huber",), ("squared", 1.0), ("cubic", 1.0)])
def test_what_is_no_loss_is_refused(what):
    with pytest.raises(TypeError, match=r"^loss must be 'squared', a loss of gramian.losses"):
        evaluate_as_custom(what)
