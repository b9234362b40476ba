# SPDX-License-Identifier: BSD-3-Clause
"""Forty inputs and faults, at a first fit and after a good one, over all estimators: see docs/reliability.md."""

from __future__ import annotations

import copy
import pickle
import re
from concurrent.futures import ThreadPoolExecutor

import gramian
import numpy as np
import pytest
from reliability.fitted import CASES, NEW, X
from reliability.rows import DEGENERATE, ELSEWHERE, NARROW, NEW_WRONG, SAME, WRONG
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

pytestmark = pytest.mark.filterwarnings("ignore")
OF_ONE_SEED = {"random_state": 0}
UNWEIGHTED = {"DeepKernelInterpolator"}
"""Those whose `fit` has no weights."""
WITHOUT_AN_END = {"ParametricDeepKernelPCA", "OperatorKernelRidge"}
"""One goes on with Adam for max_iter steps, which is no failure; the other is solved by its preconditioner."""
ITERATIVE = {
    "DeepKernelPCA": {"n_components": (2, 2)},
    "EmbeddingClassifier": {"solver": "lbfgs"},
    "OperatorKernelRidge": {"solver": "cg"},
    "KernelRidge": {"solver": "cg"},
}
"""What asks for iterations that may fail to converge: the defaults are closed forms, and Adam, which just ends."""


def fitted(name, *data):
    return CASES[name].fit(*data, **({} if name == "OperatorKernelRidge" else OF_ONE_SEED))


def state_of(model):
    return pickle.dumps(vars(model)), CASES[type(model).__name__].apply(model).tobytes()


@pytest.fixture(scope="module")
def good():
    """A fitted model of each estimator, and what it is like."""
    models = {name: fitted(name) for name in CASES}
    return {name: (model, state_of(model)) for name, model in models.items()}


def pairs(rows):
    return [(name, row) for name in CASES for row in rows if not hasattr(rows[row], "only") or rows[row].only(name)]


@pytest.mark.parametrize(("name", "row"), pairs(WRONG))
def test_wrong_training_data(name, row, good):
    case, (model, before) = CASES[name], good[name]
    samples, targets = WRONG[row].change(case)
    with pytest.raises((TypeError, ValueError), match=WRONG[row].says):
        case.make().fit(samples, targets)
    with pytest.raises((TypeError, ValueError), match=WRONG[row].says):
        model.fit(samples, targets)
    assert state_of(model) == before


@pytest.mark.parametrize(("name", "row"), pairs(NEW_WRONG))
def test_wrong_new_samples(name, row, good):
    model, before = good[name]
    samples, says = NEW_WRONG[row]
    with pytest.raises((TypeError, ValueError), match=says):
        CASES[name].apply(model, samples)
    assert state_of(model) == before


@pytest.mark.parametrize(("name", "row"), pairs(SAME))
def test_the_same_numbers_in_another_form(name, row, good):
    model, before = good[name]
    samples, new = SAME[row](X), SAME[row](NEW)
    again = fitted(name, samples)
    assert CASES[name].apply(again, new).tobytes() == before[1]
    assert np.array_equal(np.asarray(samples, dtype=np.float64), X)
    assert CASES[name].apply(model, new).tobytes() == before[1]


@pytest.mark.parametrize(("name", "row"), pairs(NARROW))
def test_narrow_types_are_computed_in_float64(name, row):
    # All rows are different: equal ones with different targets have no interpolation.
    narrow = (np.eye(len(X)) if row == "11 bool" else np.clip(X * 20 + 60, 0, 120)).astype(NARROW[row])
    wide = narrow.astype(np.float64)
    found, expected = (np.asarray(CASES[name].apply(fitted(name, values), values)) for values in (narrow, wide))
    assert found.tobytes() == expected.astype(found.dtype).tobytes()  # transformers return float32 for float32


@pytest.mark.parametrize(("name", "row"), pairs(DEGENERATE))
def test_degenerate_data_have_finite_answers_or_an_error(name, row):
    case = CASES[name]
    samples, targets = DEGENERATE[row]
    if targets == "constant" and (case.y is None or name == "DeepKernelClassifier"):
        return
    y = np.zeros_like(case.y) if targets == "constant" else case.y
    try:
        model = fitted(name, samples, y)
    except (ValueError, gramian.exceptions.NumericalError) as error:
        assert re.search(r"same|equal|different|overflow|scale|singular|finite|positive", str(error)), error
        return
    found = case.apply(model, samples)
    assert np.isfinite(found).all()
    if targets == "constant":
        assert np.allclose(found, 0, atol=1e-10)


@pytest.mark.parametrize("name", CASES)
def test_20_weights(name):
    case = CASES[name]
    if name in UNWEIGHTED:
        return
    for wrong, says in (
        (np.full(len(X), -1.0), "negative|at least 0"),
        (np.zeros(len(X)), "zero|above 0|greater than 0|weight"),
    ):
        with pytest.raises((TypeError, ValueError), match=says):
            case.make().fit(X, case.y, sample_weight=wrong)


@pytest.mark.parametrize("name", CASES)
def test_26_the_last_iteration(name):
    model = CASES[name].make(**ITERATIVE.get(name, {}))
    if "max_iter" not in model.get_params() or name in WITHOUT_AN_END:
        return
    with pytest.warns(ConvergenceWarning, match="max_iter"):
        model.set_params(max_iter=1).fit(X, CASES[name].y)
    assert np.isfinite(CASES[name].apply(model)).all()


@pytest.mark.parametrize("name", CASES)
def test_30_a_callback_that_raises(name, good):
    if "callback" not in good[name][0].get_params():
        return
    model = CASES[name].fit(**ITERATIVE.get(name, {}))
    before = state_of(model)

    def callback(iteration):
        raise ZeroDivisionError("in a callback")

    model.set_params(callback=callback)
    with pytest.raises(ZeroDivisionError, match="in a callback"):
        model.fit(X, CASES[name].y)
    model.set_params(callback=None)
    assert state_of(model) == before


@pytest.mark.parametrize("name", CASES)
def test_32_threads(name, good):
    model, before = good[name]
    with ThreadPoolExecutor(2) as pool:
        fits = [pool.submit(fitted, name) for _ in range(2)]
        results = [pool.submit(CASES[name].apply, model) for _ in range(4)]
        assert all(CASES[name].apply(fit.result()).tobytes() == before[1] for fit in fits)
        assert all(result.result().tobytes() == before[1] for result in results)


@pytest.mark.parametrize("name", CASES)
def test_35_the_global_generator_is_untouched(name):
    before = np.random.get_state()[1].tobytes()  # noqa: NPY002
    case = CASES[name]
    states = [] if name == "OperatorKernelRidge" else [0, np.random.default_rng(0), np.random.RandomState(0)]
    for state in states:
        case.fit(random_state=state)
    case.fit()
    assert np.random.get_state()[1].tobytes() == before  # noqa: NPY002


@pytest.mark.parametrize("name", CASES)
def test_36_copies(name, good):
    model, before = good[name]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert CASES[name].apply(pickle.loads(pickle.dumps(model, protocol))).tobytes() == before[1]
    assert CASES[name].apply(copy.deepcopy(model)).tobytes() == before[1]
    assert CASES[name].apply(clone(model).fit(X, CASES[name].y)).tobytes() == before[1]


def test_all_rows_are_somewhere():
    here = {int(row.split()[0]) for rows in (WRONG, SAME, NARROW, DEGENERATE, NEW_WRONG) for row in rows}
    here |= {int(number) for name in globals() for number in re.findall(r"^test_(\d+)", name)}
    assert here.isdisjoint(ELSEWHERE)
    assert here | set(ELSEWHERE) == set(range(1, 41))
