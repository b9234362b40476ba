# SPDX-License-Identifier: BSD-3-Clause
"""Explicit features: what they are, their gradients, and what a value object has to keep."""

from __future__ import annotations

import copy
import doctest
import importlib
import math
import pickle
import re
import sys
from pathlib import Path

import gramian
import numpy as np
import pytest
import sklearn.base
from gramian import features, kernels
from gramian.features import Features, Network, RandomFourierFeatures, TorchFeatures
from gramian.kernels import Gaussian, Laplacian, Matern, TensorMatern

ACTIVATIONS = {
    "identity": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "tanh": np.tanh,
}


class Waves(Features):
    """sin(theta_j c x_k), for each pair of j and k: features of one's own."""

    parameter_count = 3

    def __init__(self, inputs, frequency=1.0):
        self.inputs = inputs
        self.frequency = frequency

    @property
    def outputs(self):
        return 3 * self.inputs

    def start(self, seed):
        return np.random.default_rng(seed).normal(size=3)

    def forward(self, theta, X, *, training, seed, step):
        self.angles = self.frequency * np.einsum("j,ik->ijk", theta, X)
        self.slopes = self.frequency * X
        if training:
            self.slopes = self.slopes * (1 + seed + step)
        return np.sin(self.angles).reshape(len(X), -1)

    def reverse(self, Zbar):
        return np.einsum("ijk,ijk,ik->j", Zbar.reshape(self.angles.shape), np.cos(self.angles), self.slopes)


ALL = {
    "network": Network([(7, "tanh"), (5, "sigmoid")], weight_deviation=0.4),
    "network without dropout in use": Network([(6, "tanh"), (3, "identity")], weight_deviation=0.0, dropout=0.5),
    "gaussian": RandomFourierFeatures(Gaussian(gamma=0.3), n_features=10),
    "gaussian, widths": RandomFourierFeatures(2.0 * Gaussian(length_scale=[0.5, 1.0, 1.5, 2.0]), n_features=12, seed=5),
    "matern": RandomFourierFeatures(Matern(nu=2.5, length_scale=1.3), n_features=8, seed=3),
    "tensor matern": RandomFourierFeatures(TensorMatern(s=2, gamma=0.7), n_features=8, seed=3),
    "own": Waves(4),
    "own, with a parameter": Waves(4, frequency=0.5),
}


@pytest.fixture(params=ALL, ids=ALL)
def some(request):
    return ALL[request.param]


def test_shapes_and_starts(some, rng):
    X = rng.normal(size=(9, 4))
    outputs, parameters = some.sizes(4)
    theta = some.initial_parameters(4, seed=3)
    Z = some.transform(X, theta)
    assert (Z.shape, theta.shape, Z.dtype, theta.dtype) == ((9, outputs), (parameters,), np.float64, np.float64)
    np.testing.assert_array_equal(some.transform(X, seed=3), Z)
    np.testing.assert_array_equal(some.transform(X.tolist(), theta.tolist()), Z)
    np.testing.assert_array_equal(some.transform(np.asfortranarray(X), theta), Z)
    np.testing.assert_allclose(some.transform(X.astype(np.float32), theta), Z, atol=1e-5)


def test_gradients_are_those_of_differences(some, rng):
    X, theta = rng.normal(size=(9, 4)), some.initial_parameters(4, seed=3)
    Zbar = rng.normal(size=(9, some.sizes(4).outputs))
    gradient, h = some.adjoint(X, Zbar, theta), 1e-3
    scale = np.abs(gradient).max()

    def at(t, along):
        return (some.transform(X, theta + t * along) * Zbar).sum()

    for along in [*np.eye(len(theta)), rng.normal(size=len(theta))]:

        def slope(h, along=along):
            return (8 * (at(h, along) - at(-h, along)) - (at(2 * h, along) - at(-2 * h, along))) / (12 * h)

        # Halving the step shows the error of the larger one; rounding is 1e-16 of the sum over h.
        fine, coarse = slope(h), slope(2 * h)
        allowed = abs(fine - coarse) / 4 + 1e-16 * 64 * np.abs(Zbar).sum() / h
        assert allowed < 1e-5 * scale * np.abs(along).sum()
        assert abs(fine - gradient @ along) <= allowed
        assert abs(fine - gradient @ along - 1e-4 * scale * np.abs(along).sum()) > allowed


def test_a_value_can_be_copied_pickled_compared(some):
    for other in (copy.copy(some), copy.deepcopy(some), pickle.loads(pickle.dumps(some)), sklearn.base.clone(some)):
        assert other == some and hash(other) == hash(some) and repr(other) == repr(some)
    assert eval(repr(some), vars(features) | vars(kernels) | {"Waves": Waves}) == some
    assert type(some)(**some.get_params(deep=False)) == some
    assert some != 3 and some is not None
    assert sum(some == other for other in ALL.values()) == 1


def test_the_engine_leaves_nothing_in_them(some, rng):
    before = dict(vars(some))
    some.adjoint(rng.normal(size=(3, 4)), rng.normal(size=(3, some.sizes(4).outputs)))
    assert vars(some) == before


def test_any_number_of_threads_gives_the_same_bits(some, rng):
    X = rng.normal(size=(4000, 4))
    Zbar = rng.normal(size=(4000, some.sizes(4).outputs))
    found = []
    for threads in (1, 2, 7):
        gramian.set_num_threads(threads)
        found.append(np.concatenate([some.transform(X).ravel(), some.adjoint(X, Zbar)]))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("last", ACTIVATIONS)
def test_a_network_is_its_formula(last, rng):
    X = rng.normal(size=(30, 4))
    network = Network([(7, "relu"), (5, "tanh"), (3, last)])
    theta = rng.normal(size=network.sizes(4).parameters)
    Z, at = X, 0
    for outputs, name in network.layers:
        inputs = Z.shape[1]
        W = theta[at : at + outputs * inputs].reshape(outputs, inputs)
        b = theta[at + outputs * inputs : at + outputs * (inputs + 1)]
        Z, at = ACTIVATIONS[name](Z @ W.T + b), at + outputs * (inputs + 1)
    assert at == len(theta)
    np.testing.assert_allclose(network.transform(X, theta), Z, rtol=1e-12, atol=1e-14)


def test_where_a_network_starts():
    network = Network([(300, "relu"), (2, "relu")], weight_deviation=0.3, bias=-0.2)
    theta = network.initial_parameters(50, seed=1)
    weights = theta[:15000]
    # The deviation of normal numbers that are cut off at two: 0.8796.
    assert np.abs(weights).max() <= 0.6
    assert abs(weights.std() / (0.3 * 0.8796) - 1) < 0.05
    assert (theta[15000:15300] == -0.2).all() and (theta[-2:] == -0.2).all()
    assert (network.initial_parameters(50, seed=2) != theta).any()


def test_dropout_is_that_of_seed_and_step(rng):
    X = rng.normal(size=(400, 3))
    network = Network([(50, "sigmoid"), (20, "sigmoid")], dropout=[0.0, 0.25])
    whole = network.transform(X)
    dropped = network.transform(X, training=True, step=7)
    lost = dropped == 0
    np.testing.assert_allclose(dropped[~lost], whole[~lost] / 0.75, rtol=1e-14)
    assert abs(lost.mean() - 0.25) < 5 * math.sqrt(0.25 * 0.75 / lost.size)
    theta = network.initial_parameters(3)
    assert (network.transform(X, theta, training=True, step=7) == dropped).all()
    assert (network.transform(X, theta, training=True, step=8) != dropped).any()
    assert (network.transform(X, theta, training=True, seed=1, step=7) != dropped).any()
    assert (network.transform(X, theta, step=8) == whole).all()
    # One number leaves the last layer alone.
    assert (Network([(50, "sigmoid"), (20, "sigmoid")], dropout=0.5).transform(X, training=True) != 0).all()


def test_own_features_are_told_of_training(rng):
    X, Zbar = rng.normal(size=(5, 4)), rng.normal(size=(5, 12))
    plain = Waves(4).adjoint(X, Zbar)
    told = Waves(4).adjoint(X, Zbar, Waves(4).initial_parameters(4), training=True, seed=2, step=4)
    np.testing.assert_allclose(told, 7 * plain, rtol=1e-12)


@pytest.mark.parametrize(
    "kernel",
    [
        Gaussian(gamma=0.5),
        Gaussian(length_scale=[0.7, 1.0, 2.0]),
        1.5 * Laplacian(gamma=0.6),
        Laplacian(gamma=0.6, norm="l2"),
        Matern(nu=0.5, length_scale=0.8),
        Matern(nu=1.5, length_scale=1.2),
        Matern(nu=2.5, length_scale=1.2),
        TensorMatern(s=2, gamma=0.9),
        TensorMatern(s=3, gamma=0.9, normalized=False),
    ],
    ids=repr,
)
def test_random_features_approach_the_kernel(kernel, rng):
    X, count = rng.normal(size=(40, 3)), 20000
    Z = RandomFourierFeatures(kernel, n_features=count, seed=2).transform(X)
    K, height = gramian.gram(kernel, X), kernel([0.0] * 3, [0.0] * 3)
    # A term's variance is (h^2 + h k(2 (x - y))) / 2 - k(x, y)^2; five deviations of a mean of terms.
    twice = gramian.gram(kernel, 2 * X)
    variance = np.maximum(height * (height + twice) / 2 - K**2, 0) / (count / 2)
    error = np.abs(np.einsum("ik,jk->ij", Z, Z) - K)
    assert (error <= 5 * np.sqrt(variance) + 1e-12 * height).all()
    other = np.abs(np.einsum("ik,jk->ij", Z, Z) - gramian.gram(kernel, 1.2 * X))
    assert (other > 5 * np.sqrt(variance) + 1e-12 * height).any()


def test_theta_of_random_features_are_the_logs_of_the_kernel():
    kernel = 2.0 * Gaussian(length_scale=[0.5, 3.0])
    theta = RandomFourierFeatures(kernel).initial_parameters(2, seed=8)
    np.testing.assert_allclose(theta, np.log([2.0, 0.5, 0.5, 3.0]))


def test_parameters_are_shown_and_set():
    network = Network([(16, "relu")], dropout=np.float64(0.25))
    assert repr(network) == "Network(layers=[(16, 'relu')], dropout=0.25)"
    changed = copy.copy(network).set_params(bias=0.0)
    assert (changed.bias, network.bias) == (0.0, 0.1)
    random = RandomFourierFeatures(Gaussian(gamma=0.5), n_features=4)
    assert random.get_params()["kernel__gamma"] == 0.5
    changed = copy.copy(random).set_params(kernel__gamma=2.0, seed=3)
    assert (changed.kernel.gamma, random.kernel.gamma, changed.seed) == (2.0, 0.5, 3)
    for wrong in ({"depth": 3}, {"bias": 1.0, "layers__x": 3}):
        with pytest.raises(ValueError, match="Invalid parameter"):
            network.set_params(**wrong)
    assert network.bias == 0.1
    with pytest.raises(AttributeError, match="is a value"):
        network.bias = 1.0
    with pytest.raises(AttributeError, match="cannot be deleted"):
        del network.bias


@pytest.mark.parametrize(
    ("wrong", "error", "message"),
    [
        (Network([]), TypeError, "'layers' parameter of Network"),
        (Network("relu"), TypeError, "'layers' parameter"),
        (Network([16]), TypeError, r"'layers\[0\]'"),
        (Network([(16, "relu"), (0, "relu")]), ValueError, r"'layers\[1\]\[0\]'"),
        (Network([(2.5, "relu")]), TypeError, r"'layers\[0\]\[0\]'"),
        (Network([(16, "softplus")]), ValueError, "'relu', 'sigmoid', 'tanh', 'identity'"),
        (Network([(16, "relu")], weight_deviation=-1.0), ValueError, "weight_deviation"),
        (Network([(16, "relu")], bias=math.nan), ValueError, "bias"),
        (Network([(16, "relu")], bias="0"), TypeError, "bias"),
        (Network([(16, "relu")] * 2, dropout=1.0), ValueError, "'dropout' parameter"),
        (Network([(16, "relu")] * 2, dropout=[0.1]), ValueError, "1 entries for 2 layers"),
        (Network([(16, "relu")], dropout=[-0.1]), ValueError, r"'dropout\[0\]'"),
        (RandomFourierFeatures(Gaussian), TypeError, "one of gramian.kernels"),
        (RandomFourierFeatures("gaussian"), ValueError, "leaves the width of the kernel open"),
        (RandomFourierFeatures(Gaussian(gamma=-1.0)), ValueError, "gamma"),
        (RandomFourierFeatures(Gaussian(), n_features=7), ValueError, "even"),
        (RandomFourierFeatures(Gaussian(), n_features=0), ValueError, "n_features"),
        (RandomFourierFeatures(Gaussian(), seed=-1), ValueError, "'seed' parameter"),
        (RandomFourierFeatures(Gaussian(length_scale=[1.0, 2.0])), ValueError, "2 entries for 4 features"),
        (RandomFourierFeatures(kernels.Linear()), ValueError, "no spectrum is known for the kernel linear"),
        (RandomFourierFeatures(Gaussian() + Gaussian()), ValueError, "one kernel or of a multiple"),
        (Waves(3), ValueError, "X has 4 features, and the feature map takes 3"),
    ],
    ids=repr,
)
def test_bad_parameters_are_named_when_used(wrong, error, message):
    for use in (lambda: wrong.transform(np.ones((2, 4))), lambda: wrong.sizes(4), lambda: wrong.initial_parameters(4)):
        with pytest.raises(error, match=message):
            use()


def test_bad_arguments_are_named(some, rng):
    X = rng.normal(size=(3, 4))
    outputs, parameters = some.sizes(4)
    for call, error, message in [
        (lambda: some.transform(X[0]), ValueError, "2D array X"),
        (lambda: some.transform(X * np.nan), ValueError, "X contains NaN"),
        (lambda: some.transform(X, np.ones(parameters + 1)), ValueError, r"theta must have shape \(\d+,\)"),
        (lambda: some.transform(X, np.full(parameters, np.inf)), ValueError, "theta contains infinity"),
        (lambda: some.transform(X, seed=-1), ValueError, "seed must be"),
        (lambda: some.transform(X, step=0.5), TypeError, "step must be"),
        (lambda: some.adjoint(X, np.ones((3, outputs + 1))), ValueError, "Zbar must have shape"),
        (lambda: some.adjoint(X, np.ones((2, outputs))), ValueError, "Zbar must have shape"),
        (lambda: some.sizes(0), ValueError, "inputs"),
        (lambda: some.initial_parameters(4, seed=2**64), ValueError, "seed must be"),
    ]:
        with pytest.raises(error, match=message):
            call()


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"outputs": None}, TypeError, "needs outputs, a whole number"),
        ({"inputs": "4"}, TypeError, "needs inputs, a whole number"),
        ({"parameter_count": -1}, ValueError, "parameter_count of a feature map must be at least 0"),
        ({"reverse": None}, TypeError, "needs a method reverse"),
        (
            {"start": lambda self, seed: np.ones(2)},
            ValueError,
            r"what start returns must have shape \(3,\), got \(2,\)",
        ),
        ({"forward": lambda self, theta, X, **_: X}, ValueError, r"what forward returns must have shape \(5, 12\)"),
        ({"forward": lambda self, theta, X, **_: "Z"}, TypeError, "what forward returns must be an array"),
        ({"reverse": lambda self, Zbar: np.ones((3, 1))}, ValueError, "what reverse returns must have shape"),
        ({"forward": lambda self, theta, X, **_: 1 / 0}, ZeroDivisionError, "division"),
    ],
)
def test_what_own_features_do_wrong_is_named(changes, error, message):
    broken = type("Broken", (Waves,), changes)(4) if "inputs" not in changes else Waves(changes["inputs"])
    with pytest.raises(error, match=message):
        broken.adjoint(np.ones((5, 4)), np.ones((5, 12)))


def test_own_features_may_keep_what_they_get(rng):
    kept = []

    class Keeping(Waves):
        def forward(self, theta, X, **pass_):
            kept.append((theta, X))
            return super().forward(theta, X, **pass_)

    X, theta = rng.normal(size=(5, 4)), np.array([1.0, 2.0, 3.0])
    Keeping(4).transform(X, theta)
    kept[0][1][:] = 0  # theirs alone
    assert X.any()
    np.testing.assert_array_equal(kept[0][0], theta)


def test_without_pytorch_the_error_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for use in (lambda f: f.sizes(4), lambda f: f.transform(np.ones((2, 4)))):
        with pytest.raises(ImportError, match=r"pip install gramian\[torch\]"):
            use(TorchFeatures(module=object()))


def test_pytorch_is_not_imported_for_other_features(run_python):
    code = "import sys, gramian; gramian.features.Network([(2, 'relu')]).sizes(3); print('torch' in sys.modules)"
    assert run_python(code).stdout == "False\n"


@pytest.mark.parametrize("name", ["_base", "_network", "_random"])
def test_examples_in_the_documentation(name):
    result = doctest.testmod(importlib.import_module(f"gramian.features.{name}"))
    assert result.attempted > 0 and result.failed == 0


def test_the_documentation_runs(capsys):
    text = (Path(__file__).resolve().parents[2] / "docs" / "features.md").read_text(encoding="utf-8")
    code = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    names: dict[str, object] = {}
    exec(compile(code, "docs/features.md", "exec"), names)
    assert names["found"].value < 0.5 * names["loss"](names["theta"])[0]
    assert names["gradient"].shape == (4,)
    sizes, error = capsys.readouterr().out.splitlines()
    assert sizes == "Sizes(outputs=8, parameters=216)" and 0.05 < float(error) < 0.15
