# SPDX-License-Identifier: BSD-3-Clause
"""scikit-learn's own checks of an estimator, as parameters of a test; and all at once, in a process of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

try:
    from sklearn.utils.estimator_checks import estimator_checks_generator
except ImportError:  # before scikit-learn 1.6
    from functools import partial

    from sklearn.utils.estimator_checks import check_estimator

    estimator_checks_generator = partial(check_estimator, generate_only=True)


class Tags(NamedTuple):
    """What an estimator says of itself, in any release of scikit-learn."""

    pairwise: bool
    sparse: bool
    multi_output: bool
    preserves_dtype: Any


def tags_of(model: Any) -> Tags:
    """Return an estimator's tags."""
    try:
        from sklearn.utils import get_tags
    except ImportError:  # before scikit-learn 1.6
        from sklearn.utils._tags import _safe_tags

        old = _safe_tags(model)
        return Tags(old["pairwise"], "sparse" in old["X_types"], old["multioutput"], old["preserves_dtype"])
    tags = get_tags(model)
    preserves = tags.transformer_tags and tags.transformer_tags.preserves_dtype
    return Tags(tags.input_tags.pairwise, tags.input_tags.sparse, tags.target_tags.multi_output, preserves)


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
import inspect
import warnings
import gramian
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.estimator_checks import check_estimator
warnings.simplefilter("ignore", ConvergenceWarning)
if "on_skip" in inspect.signature(check_estimator).parameters:
    results = check_estimator({model}, on_skip=None)
    print(len(results), *[result["check_name"] for result in results if result["status"] != "passed"])
else:  # before scikit-learn 1.6 it raises the first failure
    check_estimator({model})
    print(len(list(check_estimator({model}, generate_only=True))))
"""
    result = run_python(code, SCIPY_ARRAY_API="1")
    assert result.returncode == 0, result.stderr
    count, *names = result.stdout.split()
    assert int(count) > 30
    return set(names) - PANDAS
