# SPDX-License-Identifier: BSD-3-Clause
"""The pieces of the repeated experiments do what they say. No test here looks at who wins."""

from __future__ import annotations

import json
import warnings

import gramian
import numpy as np
import pytest
from gramian.kernels import Gaussian, Linear
from gramian.layers import Composition, Layer
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPRegressor

from bench.paper import __main__ as command
from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Table, spread
from bench.paper.kae import grams, landscape, molecules, networks, toys
from bench.paper.kae.models import FromUniformWeights, autoencoder
from bench.paper.kae.unsupervised import PAPER
from bench.peers import autoencoder as peers_autoencoder
from bench.peers import autoencoder_fit


@pytest.mark.parametrize(("lam", "mu"), [(0.1, 0.1), (0.3, 0.3), (1.0, 1.0), (0.05, 0.4)])
def test_critical_points_are_critical_and_of_their_kind(lam, mu):
    points = landscape.critical_points(lam, mu)
    assert points[0][:3] == (0.0, 0.0, 1.0) and points[0].kind == "minimum"
    directions = 1e-4 * np.array([[np.cos(a), np.sin(a)] for a in np.linspace(0, 2 * np.pi, 32)])
    for phi, psi, value, kind in points:
        assert np.abs(landscape.gradient(phi, psi, lam, mu)).max() < 1e-8
        around = landscape.objective(phi + directions[:, 0], psi + directions[:, 1], lam, mu)
        assert (around.min() > value) == (kind == "minimum")


def test_no_critical_point_is_missed():
    lam = mu = 0.2
    phi, psi = (grid.ravel() for grid in np.meshgrid(np.linspace(-2, 2, 41), np.linspace(-1, 2, 31)))
    found = np.array([point[:2] for point in landscape.critical_points(lam, mu)])
    for start in np.c_[phi, psi][::7]:
        at = start.copy()
        for _ in range(4000):
            at -= 0.02 * landscape.gradient(*at, lam, mu)
            if not np.isfinite(at).all() or np.abs(at).max() > 10:
                break
        else:
            assert np.abs(found - at).max(axis=1).min() < 1e-3


@pytest.mark.parametrize(("lam", "mu"), [(0.3, 0.2), (1.0, 0.5)])
def test_the_norms_of_the_functions_leave_no_local_minimum(lam, mu):
    one = Composition([[1.0]], [Layer(Linear(), 1, lam), Layer(Linear(), 1, mu)])

    def functions(phi, c):
        return (1 - phi * c) ** 2 + lam * phi**2 + mu * c**2

    for phi, psi in ((0.7, -1.3), (1.1, 0.4)):
        value, _ = one.value_and_gradient(np.array([phi, psi]), [[1.0]])
        assert value == pytest.approx(functions(phi, phi * psi), rel=1e-12)
        assert abs(value - landscape.objective(phi, psi, lam, mu)) > 1e-3
    root = np.sqrt(lam * mu)
    phi = np.sqrt((1 - root) * np.sqrt(mu / lam))
    lowest = functions(phi, phi * np.sqrt(lam / mu))
    assert lowest == pytest.approx(2 * root - lam * mu, rel=1e-12)
    phis, cs = np.meshgrid(np.linspace(-3, 3, 121), np.linspace(-3, 3, 121))
    assert (functions(phis, cs) >= lowest - 1e-12).all()
    assert functions(1e-3, 1e-3) < functions(0, 0) < functions(1e-3, -1e-3)  # a saddle


def test_tanimoto_counts_shared_features():
    a, b = {0, 2, 5}, {2, 5, 7, 8}
    X = np.array([[float(i in features) for i in range(9)] for features in (a, b)])
    assert grams.tanimoto(X)[0, 1] == pytest.approx(len(a & b) / len(a | b))


def test_weisfeiler_lehman_counts_labels():
    """Two paths of three nodes with labels 0 1 0 and 0 0 1, and a third graph equal to the first one."""
    edges = np.array([[a + 3 * g, b + 3 * g] for g in range(3) for a, b in ((0, 1), (1, 0), (1, 2), (2, 1))]).T
    labels = np.array([0, 1, 0, 0, 0, 1, 0, 1, 0])
    graph = np.repeat([0, 1, 2], 3)
    plain = grams.weisfeiler_lehman(edges, graph, labels, steps=0)
    assert plain[0, 1] == pytest.approx(1.0)  # two zeros and a one in each
    # One step: graph 0 has (0|1) twice and (1|00); graph 1 has (0|0), (0|01), (1|0): nothing in common.
    refined = grams.weisfeiler_lehman(edges, graph, labels, steps=1)
    assert refined[0, 1] == pytest.approx(5 / np.sqrt((5 + 5) * (5 + 3)))
    assert refined[0, 2] == pytest.approx(1.0)
    np.testing.assert_allclose(np.diagonal(refined), 1.0)


def test_weisfeiler_lehman_does_not_see_the_order_of_nodes(rng):
    n, edges = 30, []
    for _ in range(60):
        a, b = rng.integers(0, n, 2)
        edges += [(a, b), (b, a)] if a // 10 == b // 10 and a != b else []
    pairs, labels, graph = np.array(edges).T, rng.integers(0, 3, n), np.arange(n) // 10
    order = np.concatenate([10 * g + rng.permutation(10) for g in range(3)])
    place = np.argsort(order)
    shuffled = grams.weisfeiler_lehman(place[pairs], graph, labels[order])
    np.testing.assert_allclose(shuffled, grams.weisfeiler_lehman(pairs, graph, labels), rtol=1e-12)


def test_made_up_fingerprints_are_bits_with_a_property():
    X, y = molecules.made_up_fingerprints(50)
    assert X.shape == (50, 256) and set(np.unique(X)) == {0.0, 1.0}
    assert y.mean() == pytest.approx(0, abs=1e-12) and y.std() == pytest.approx(1)
    K = molecules.load("made-up").K
    np.testing.assert_allclose(np.diagonal(K), 1.0)


def test_sets_of_molecules_need_their_file(monkeypatch, tmp_path):
    monkeypatch.setenv(data.VARIABLE, str(tmp_path))
    with pytest.raises(data.MissingSet):
        molecules.load("mutag")


def test_codes_are_judged_by_clusters():
    cluster = np.array([0, 0, 1, 1])
    assert toys.neighbour_accuracy(np.array([[0.0], [0.1], [5.0], [5.1]]), cluster) == 1.0
    assert toys.neighbour_accuracy(np.array([[0.0], [5.0], [0.1], [5.1]]), cluster) == 0.0
    assert toys.between_share(np.array([[0.0], [0.0], [1.0], [1.0]]), cluster) == pytest.approx(1.0)
    assert toys.between_share(np.array([[0.0], [1.0], [0.0], [1.0]]), cluster) == pytest.approx(0.0)


@pytest.mark.parametrize("make", [toys.circles, toys.two_heaps, toys.gaussian_clusters, toys.moons])
def test_toys_repeat_themselves(make):
    first, again, other = make(60), make(60), make(60, seed=1)
    np.testing.assert_array_equal(first.X, again.X)
    assert len(first.X) == len(first.cluster) == 60 and not np.array_equal(first.X, other.X)


@pytest.mark.parametrize("activation", ["sigmoid", "relu", "tanh"])
def test_a_network_is_what_scikit_learn_trained(rng, activation):
    X = rng.normal(size=(40, 3))
    ours = networks._train_scikit_learn(X, (4, 2), activation, epochs=3, rate=1e-2, seed=0, batch=8)
    theirs = MLPRegressor(
        hidden_layer_sizes=(4, 2), activation=networks.IN_SCIKIT_LEARN[activation], alpha=0, max_iter=3, random_state=0
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        theirs.set_params(batch_size=8, learning_rate_init=1e-2, n_iter_no_change=3).fit(X, X)
    np.testing.assert_allclose(ours.reconstruct(X), theirs.predict(X), rtol=1e-12)
    assert ours.error(X) == pytest.approx(((X - theirs.predict(X)) ** 2).sum(axis=1).mean())


def test_uniform_weights_start_at_the_density_and_end_below():
    X = toys.circles(60).X
    start, end = (FromUniformWeights(X, (1.0, 1.0), 1e-3, iterations) for iterations in (0, 30))
    density = gramian.gram(Gaussian(gamma=1.0), X).sum(axis=1)
    assert np.corrcoef(start.embedding_[:, 0], density)[0, 1] == pytest.approx(1.0)
    assert end.objective_ < start.objective_
    np.testing.assert_allclose(end.transform(X), end.embedding_, rtol=1e-10, atol=1e-12)
    missed = X - end.inverse_transform(end.embedding_)
    assert (missed**2).sum(axis=1).mean() == pytest.approx(end.distortion_, rel=1e-9)


def test_the_references_of_the_bench_are_the_estimator_s_objective():
    X = toys.circles(40).X
    model = autoencoder(X, 1, (1.0, 1.0), 1e-2, 20)
    problem = peers_autoencoder.Problem(X, (1, 2), (1.0, 1.0), penalty=1e-2)
    assert autoencoder_fit.reference_value(problem, model.coefficients_[0]) == pytest.approx(model.objective_, rel=1e-9)
    problem.__dict__["coefficients"] = model.coefficients_
    assert peers_autoencoder.reference_joint(problem)[0] == pytest.approx(model.objective_, rel=1e-8)


def test_gradients_of_the_bench_agree_with_its_references():
    problem = peers_autoencoder.Problem(toys.circles(40).X, (1, 2), (1.0, 1.0), penalty=1e-3)
    for build, reference in (
        (peers_autoencoder.gramian_joint, peers_autoencoder.reference_joint),
        (peers_autoencoder.gramian_eliminated, peers_autoencoder.reference_eliminated),
    ):
        (value, gradient), (expected, expected_gradient) = build(problem)(), reference(problem)
        assert value == pytest.approx(expected, rel=1e-10)
        np.testing.assert_allclose(gradient, expected_gradient, rtol=1e-7, atol=1e-10)


def test_tables_align_and_say_what_is_absent():
    table = Table("Title", ["name", "value"], [["long name", 0.123456], ["b", None], ["c", "1 ± 2"]])
    title, head, rule, *rows = table.text().splitlines()
    assert title == "Title" and head.split() == ["name", "value"] and set(rule) == {"-"}
    assert rows[0].endswith("0.1235") and rows[1].endswith("-") and rows[2].endswith("1 ± 2")
    assert "Title" in Outcome("x", [table], ["A sentence."]).text()
    assert spread([1.0, 3.0]) == "2 ± 1.4"


def test_the_command_writes_json_and_pictures(tmp_path, capsys):
    assert command.main(["kae", "--quick", "--only", "landscape", "--output", str(tmp_path)]) == 0
    document = json.loads((tmp_path / "kae_landscape.json").read_text())
    assert document["quick"] is True and "cpu" in document["machine"]
    assert document["outcomes"]["kae_landscape"]["pictures"] == ["kae_landscape.png"]
    assert (tmp_path / "kae_landscape.png").stat().st_size > 10_000
    assert "Critical points" in capsys.readouterr().out
    assert command.main(["kae", "--only", "unheard-of", "--output", str(tmp_path)]) == 2


def test_figures_of_the_paper_are_those_of_table_2():
    assert PAPER[50] == (63.00, 58.29, 40.72)
