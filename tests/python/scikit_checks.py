# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's own checks of an estimator, as parameters of a test; and all at once, in a process of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

# Needs a variable of the environment: it runs where that is set, with all others.
ARRAY_API = "check_array_api_input"
# For arrays of two kinds: they skip where pandas is not installed, and their other half is a test of its own.
PANDAS = frozenset(
    {
        "check_regressor_data_not_an_array",
        "check_classifier_data_not_an_array",
        "check_sample_weights_pandas_series",
    }
)


def checks(models: dict[str, Any], left_out: Callable[[str, str], bool] = lambda model, check: False) -> Iterator[Any]:
    """Yield (estimator, check) for all models by their names."""
    for title, model in models.items():
        for instance, check in estimator_checks_generator(model):
            name = getattr(check, "func", check).__name__
            if name != ARRAY_API and name not in PANDAS and not left_out(title, name):
                yield pytest.param(instance, check, id=f"{title}-{name}")


def failing_checks(run_python: Any, model: str) -> set[str]:
    """Return the names of the checks that `model`, an expression, does not pass, but for those of PANDAS."""
    code = f"""
import warnings
import gramian
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator
warnings.simplefilter("ignore", ConvergenceWarning)
results = check_estimator({model}, on_skip=None)
print(len(results), *[result["check_name"] for result in results if result["status"] != "passed"])
"""
    result = run_python(code, SCIPY_ARRAY_API="1")
    assert result.returncode == 0, result.stderr
    count, *names = result.stdout.split()
    assert int(count) > 40
    return set(names) - PANDAS
