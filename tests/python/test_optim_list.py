# SPDX-License-Identifier: BSD-3-Clause
"""The list of optimisers, as Python knows it: names, options and defaults of the engine."""

from __future__ import annotations

import numpy as np
import pytest
from gramian import _core
from gramian.optim import minimize


def booth(x):
    a, b = x[0] + 2 * x[1] - 7, 2 * x[0] + x[1] - 5
    return a * a + b * b, np.array([2 * a + 4 * b, 4 * a + 2 * b])


@pytest.mark.parametrize("solver", _core.optim.solvers())
def test_every_solver_of_the_engine_can_be_had_by_its_name(solver):
    options = _core.optim.solvers()[solver]
    sample = (lambda x, t: booth(x)) if options.needs_estimates else None
    steps = {"step": 1e-2} if hasattr(options(), "step") else {}
    found = minimize(booth, [-4.0, 5.0], solver, sample=sample, max_iterations=20_000, **steps)
    np.testing.assert_allclose(found.x, [1.0, 3.0], atol=1e-4)


def test_options_show_the_defaults_of_the_engine():
    options = _core.optim.solvers()["gd"](momentum=0.5)
    assert (options.rule, options.momentum, options.max_iterations) == ("backtracking", 0.5, 1000)
    patient = _core.optim.AdamOptions(patience=_core.optim.Patience(window=3))
    assert patient.patience.window == 3 and _core.optim.AdamOptions().patience is None
    with pytest.raises(TypeError, match="patience must be options of the engine, got 3"):
        _core.optim.AdamOptions(patience=3)


def test_adam_with_patience_goes_back_where_there_is_no_value():
    def walled(x):
        return (np.inf if x[0] >= 1 else float((x[0] - 3) ** 2)), 2 * (x - 3)

    patience = _core.optim.Patience(tolerance=0.0)
    assert minimize(walled, [0.0], "adam", step=0.3).stop_reason == "not_finite"
    found = minimize(walled, [0.0], "adam", step=0.3, patience=patience)
    assert found.stop_reason == "line_search" and 0.99 < found.x[0] < 1
