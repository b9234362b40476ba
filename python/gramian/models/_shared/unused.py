# SPDX-License-Identifier: BSD-3-Clause
"""
Parameters that a fit need not look at.

One that is wrong would be found much later: when another parameter is changed, or by a search in its last candidate.
"""

import math
import numbers
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from gramian._parametrised import parameter_names
from gramian._random import seed_of
from gramian._validation import check_real, check_reals, refused
from gramian.models._shared.parameters import OneOf


def check_all_parameters(estimator: Any, owner: str) -> None:
    """Refuse parameters of the wrong kind, whether or not a fit uses them; the errors name them and their owner."""
    parameters = vars(estimator)
    for name in parameter_names(type(estimator)):
        if name in _CHECKS:
            _CHECKS[name](parameters[name], name, owner)
        elif isinstance(estimator._table.get(name), OneOf) and not _is_open(name, parameters[name]):
            estimator._checked(name)


def _is_open(name: str, value: Any) -> bool:
    """Tell whether a value is decided by the fit, or an object in the place of a name."""
    return value is None or (name == "operator" and not isinstance(value, str))


def _check_cv(value: Any, name: str, owner: str) -> None:
    splits = hasattr(value, "split") and not isinstance(value, str | bytes)
    several = isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)
    count = isinstance(value, numbers.Integral) and not isinstance(value, bool | np.bool_)
    if value is None or splits or several or (count and value >= 1):
        return
    domain = "None, a number of folds, a splitter of scikit-learn, or an iterable of splits"
    raise refused(name, owner, domain, value, ValueError if count else TypeError)


def _check_bool(value: Any, name: str, owner: str) -> None:
    if not isinstance(value, bool | np.bool_):
        raise refused(name, owner, "True or False", value, TypeError)


def _check_jobs(value: Any, name: str, owner: str) -> None:
    if value is not None and (not isinstance(value, numbers.Integral) or isinstance(value, bool) or value == 0):
        raise refused(name, owner, "None or an integer other than 0", value, TypeError)


def _check_list(value: Any, name: str, owner: str) -> None:
    if value is not None:
        check_reals(value, name, owner, inclusive=True)


def _check_random_state(value: Any, name: str, owner: str) -> None:
    del name, owner
    seed_of(value, draws=False)


def _at_least_zero(value: Any, name: str, owner: str) -> None:
    if value is not None:
        check_real(value, name, owner, inclusive=True)


def _check_gamma(value: Any, name: str, owner: str) -> None:
    if not isinstance(value, str):
        _at_least_zero(value, name, owner)
    elif value != "auto":
        raise refused(name, owner, "None, a number of at least 0, or 'auto'", value)


def _check_number(value: Any, name: str, owner: str) -> None:
    real = isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)
    if not (real and math.isfinite(value)):
        raise refused(name, owner, "a finite number", value, ValueError if real else TypeError)


_CHECKS: dict[str, Callable[[Any, str, str], None]] = {
    "alphas": _check_list,
    "coef0": _check_number,
    "cv": _check_cv,
    "degree": _at_least_zero,
    "gamma": _check_gamma,
    "inner_alphas": _check_list,
    "n_jobs": _check_jobs,
    "random_state": _check_random_state,
    "warm_start": _check_bool,
}
"""By the names that these parameters have in all estimators."""
