# SPDX-License-Identifier: BSD-3-Clause
"""Results are what was recorded, for any number of threads: record.py says what for, and when to record again."""

from __future__ import annotations

import functools

import numpy as np
import programs
import pytest
import record
import store
from cases import CASES

STORED = store.read()

results = functools.cache(record.compute)


def test_all_cases_are_recorded():
    assert STORED.keys() == CASES.keys(), "run tests/golden/record.py"


@pytest.mark.parametrize("name", CASES)
def test_results_are_as_recorded(name):
    found, stored = results(name), STORED[name]
    assert found.keys() == stored.keys()
    said = {key: store.complaint(stored[key], array) for key, array in found.items()}
    assert {key: text for key, text in said.items() if text} == {}


@pytest.mark.parametrize("name", CASES)
def test_threads_change_no_bit(name):
    expected = {key: store.bits(array) for key, array in results(name).items()}
    for threads in (1, 7):
        found = {key: store.bits(array) for key, array in record.compute(name, threads).items()}
        assert {key for key in expected if found[key] != expected[key]} == set(), f"{threads} threads"


@pytest.fixture(scope="module")
def examples():
    if not programs.BUILT.is_dir():
        pytest.skip(f"{programs.BUILT} is not there: this build tree has no C++ examples")
    return programs.BUILT


@pytest.mark.parametrize("name", programs.names())
def test_examples_print_what_they_did(name, examples):
    text = programs.output(name, examples)
    assert programs.complaints(programs.recorded(name), text) == []
    assert programs.output(name, examples, threads=1) == programs.output(name, examples, threads=7) == text


def test_recorded_tolerances_are_tight():
    tolerances = [one.tolerance for arrays in STORED.values() for one in arrays.values() if one.numbers is not None]
    assert max(tolerances) <= max(store.MOST.values())
    assert np.median(tolerances) <= 1e-9


def test_a_change_is_noticed():
    array = np.linspace(-1.0, 2.0, 300).reshape(100, 3)
    stored = store.summary(array)
    assert store.complaint(stored, array + 1e-12) is None
    for changed in (array + 1e-9, array[::-1], array.T, array[:-1], np.where(array > 1.9, np.nan, array)):
        assert store.complaint(stored, changed)
    bent = array.copy()
    bent[1, 1] += 1e-4  # no entry that is kept
    assert store.complaint(stored, bent)
    assert store.complaint(store.summary(np.array(["a", "b"])), np.array(["a", "c"]))


def test_a_change_of_print_is_noticed():
    old = ["after 4 steps 1.25 and 3e-05\n", "after 4 steps  1.27 and 3e-05\n"]
    assert programs.complaints(old, "after 4 steps 1.26 and 4e-05") == []
    for changed in ("after 5 steps 1.26 and 3e-05", "after 4 steps 1.31 and 3e-05", "after 4 leaps 1.26 and 3e-05"):
        assert programs.complaints(old, changed)
