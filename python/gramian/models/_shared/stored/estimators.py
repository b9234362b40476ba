# SPDX-License-Identifier: BSD-3-Clause
"""Fitted estimators in files: class, parameters, learned attributes."""

import inspect
import json
from typing import Any

from gramian._parametrised import parameter_names
from gramian.exceptions import ModelFileError
from gramian.models._shared.stored.decode import Decoder
from gramian.models._shared.stored.encode import Encoder

_OF_THE_FIT = ("callback", "random_state", "checkpoint")
"""Parameters that say nothing of what is learned: stored only if they are plain."""


def estimator_classes() -> dict[str, type]:
    """Return the package's own estimators by name."""
    from gramian import models

    public = {name: getattr(models, name) for name in models.__all__ if name not in ("Predictor", "load")}
    return {name: cls for name, cls in public.items() if hasattr(cls, "_stored_estimator")}


def attributes_of(cls: type) -> set[str]:
    """Return the names of all attributes that a class declares."""
    return {name for base in inspect.getmro(cls) for name in vars(base).get("__annotations__", {})}


def encode_estimator(estimator: Any, encoder: Encoder, path: str) -> dict[str, Any]:
    """Return a fitted estimator as JSON; path: what errors call it."""
    if type(estimator) not in estimator_classes().values():
        raise TypeError(f"{path} is of a class of its own, {type(estimator)!r}, which a model file can't hold.")
    names = parameter_names(type(estimator))
    own = {name: vars(estimator)[name] for name in names}
    left_out = estimator._of_this_process
    learned = {
        name: value if value is None or name not in left_out else False
        for name, value in vars(estimator).items()
        if name not in names
    }
    return {
        "class": type(estimator).__name__,
        "parameters": {name: _parameter(encoder, name, value, path) for name, value in own.items()},
        "learned": {name: encoder.encode(value, f"{path}.{name}") for name, value in learned.items()},
    }


def _parameter(encoder: Encoder, name: str, value: Any, path: str) -> Any:
    if name in _OF_THE_FIT and not (value is None or isinstance(value, bool | int | str)):
        return None
    return encoder.encode(value, f"the parameter {name} of {path}")


def decode_estimator(decoder: Decoder, node: Any) -> Any:
    """Return the estimator that JSON stands for."""
    known = estimator_classes()
    if node["class"] not in known:
        raise ModelFileError(f"There is no estimator {node['class']!r}: known are {', '.join(sorted(known))}.")
    cls = known[node["class"]]
    refuse_others(node["parameters"], set(parameter_names(cls)), f"parameters of {node['class']}")
    refuse_others(node["learned"], attributes_of(cls) - set(parameter_names(cls)), f"attributes of {node['class']}")
    given = {name: decoder.decode(value) for name, value in node["parameters"].items()}
    learned = {name: decoder.decode(value) for name, value in node["learned"].items()}
    older: dict[str, Any] = getattr(cls, "_older", {})
    parameters = parameter_names(cls)
    estimator = cls(**{**{name: value for name, value in older.items() if name in parameters}, **given})
    missing = {name: value for name, value in older.items() if name not in parameters and name not in learned}
    vars(estimator).update({**learned, **missing})
    return estimator


def refuse_others(found: Any, known: set[str], what: str) -> None:
    """Refuse names that are none of these."""
    others = sorted(set(found) - known)
    if others:
        raise ModelFileError(f"There are no {what} {', '.join(map(repr, others))}.")


def text_of(estimator: Any, encoder: Encoder) -> str:
    """Return the part of a file that only Python reads."""
    node = encode_estimator(estimator, encoder, type(estimator).__name__)
    return json.dumps(node, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def estimator_of(text: str, arrays: dict[str, Any]) -> Any:
    """Return the estimator that such a part stands for."""
    try:
        estimator = decode_estimator(Decoder(arrays, decode_estimator), json.loads(text))
        _ = estimator._predictor  # the engine checks that all parts fit together
    except ModelFileError:
        raise
    except (AttributeError, IndexError, KeyError, OverflowError, RecursionError, TypeError, ValueError) as error:
        raise ModelFileError(f"The parts of the model do not fit together: {error}") from error
    return estimator
