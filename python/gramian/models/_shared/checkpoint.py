# SPDX-License-Identifier: BSD-3-Clause
"""Checkpoints of fits: which file, how often, and whether it is that of the same fit."""

import errno
import hashlib
import inspect
import json
import os
import pickle
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.sparse import issparse

from gramian import _core
from gramian._validation import LARGEST, check_whole, refused

_FREE = ("callback", "checkpoint", "checkpoint_every", "max_time", "n_jobs", "verbose")
"""Parameters that change nothing of what a fit finds, but for where it ends."""


class FitCheckpoint:
    """The checkpoint of one fit."""

    def __init__(self, path: str, every: int | None, problem: dict[str, str], owner: str) -> None:
        folder = os.path.dirname(os.path.abspath(path))
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, f"the folder of the 'checkpoint' of {owner} does not exist", folder)
        _check_problem(path, problem)
        self.engine = _core.base.CheckpointFile(path, json.dumps(problem), every or 0)

    def end(self) -> None:
        """Remove the file of a fit that has ended by itself; one that somebody stopped goes on from there."""
        if not self.engine.stopped:
            self.engine.remove()


def checkpoint_of(estimator: Any, fit: Callable[..., Any], args: Any, kwargs: Any) -> FitCheckpoint | None:
    """Return the checkpoint of a fit that is called with these arguments; None if none was asked for."""
    path, every = getattr(estimator, "checkpoint", None), getattr(estimator, "checkpoint_every", None)
    owner = type(estimator).__name__
    if every is not None:
        every = check_whole(every, "checkpoint_every", owner, LARGEST)
    if path is None:
        return None
    if not isinstance(path, str | os.PathLike) or not isinstance(os.fspath(path), str):
        raise refused("checkpoint", owner, "a path or None", path, TypeError)
    if getattr(estimator, "warm_start", False):
        raise ValueError(
            f"The 'checkpoint' parameter of {owner} needs warm_start=False: a checkpoint does not hold the fit that a "
            f"warm start begins with."
        )
    data = dict(inspect.signature(fit).bind(estimator, *args, **kwargs).arguments)
    del data["self"]
    return FitCheckpoint(os.fspath(path), every, _problem_of(estimator, data), owner)


def _problem_of(estimator: Any, data: Mapping[str, Any]) -> dict[str, str]:
    """Return all that the fit depends on, as texts by their names."""
    parameters = {name: _text(value) for name, value in estimator.get_params(deep=False).items() if name not in _FREE}
    return {
        "estimator": type(estimator).__name__,
        **parameters,
        **{name: _digest(value) for name, value in data.items()},
    }


def _check_problem(path: str, wanted: dict[str, str]) -> None:
    """Refuse a file of another fit."""
    found = _core.base.problem_of_checkpoint(path)
    if found is None:
        return
    there = json.loads(found)
    differences = [
        f"{name} is {there.get(name)} there and {wanted.get(name)} here"
        for name in {**wanted, **there}
        if there.get(name) != wanted.get(name)
    ]
    if differences:
        raise ValueError(
            f"The checkpoint {path!r} is of another fit: {'; '.join(differences)}. Remove the file to begin anew, or "
            f"give another path."
        )


def _text(value: Any) -> str:
    """Return a text that is the same for equal values, in each process; functions and other objects by their names."""
    if value is None or isinstance(value, bool | int | float | str | np.generic):
        return repr(value.item() if isinstance(value, np.generic) else value)
    if isinstance(value, np.ndarray) or issparse(value):
        return _digest(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_text, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(sorted(f'{_text(key)}: {_text(entry)}' for key, entry in value.items()))}}}"
    if hasattr(value, "get_params") and not isinstance(value, type):
        inner = ", ".join(f"{name}={_text(part)}" for name, part in sorted(value.get_params(deep=False).items()))
        return f"{type(value).__name__}({inner})"
    return getattr(value, "__qualname__", type(value).__qualname__)


def _digest(value: Any) -> str:
    """Return a text that tells data apart: their kind, their shape, and a hash of their entries."""
    if value is None:
        return "None"
    if issparse(value):
        rows = value.tocsr()
        parts = [rows.data, rows.indices.astype(np.int64), rows.indptr.astype(np.int64)]
        return f"a sparse matrix {rows.shape} #{_hash(parts)}"
    try:
        array = np.asarray(value)
    except ValueError:  # lists of different lengths
        array = np.empty(0, dtype=object)
    if array.dtype == object:
        return f"{len(value)} objects #{_hash_objects(value)}"
    return f"{array.dtype} {array.shape} #{_hash([array])}"


def _hash_objects(values: Any) -> str:
    """Hash one object after the other, as a pickle of all of them depends on which of them are the same object."""
    found = hashlib.sha256()
    for value in np.asarray(values) if hasattr(values, "__array__") else values:
        try:
            found.update(pickle.dumps(value, protocol=4))
        except (pickle.PicklingError, TypeError, AttributeError):
            found.update(type(value).__qualname__.encode())
    return found.hexdigest()[:16]


def _hash(parts: list[Any]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(f"{part.dtype} {part.shape}".encode())
        found.update(np.ascontiguousarray(part).reshape(-1).view(np.uint8).data)
    return found.hexdigest()[:16]
