# SPDX-License-Identifier: BSD-3-Clause
"""
Data for the papers' experiments, by name: from a folder of .npz files, from scikit-learn, or from OpenML.

The folder is that of the environment variable GRAMIAN_DATA, else `shared/data` beside the checkout if it is there. What
comes from elsewhere has the same values; rows may be in another order, and classes may have other numbers.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paper.common.sets import SETS, DataSet

VARIABLE = "GRAMIAN_DATA"
BESIDE_CHECKOUT = Path(__file__).resolve().parents[4] / "shared" / "data"
BUILT_IN = {"digits": "load_digits", "iris": "load_iris", "breast_cancer": "load_breast_cancer"}


class DataError(Exception):
    """Data that can't be used; the message is one line that says what to do."""


class UnknownSet(DataError, LookupError):
    """No set has this name."""


class MissingSet(DataError, FileNotFoundError):
    """The set is neither in the folder nor to be had elsewhere."""


class WrongChecksum(DataError, ValueError):
    """The file is not the one that the results were made with."""


def folder() -> Path | None:
    """Where the files are; None if there is no such folder."""
    named = os.environ.get(VARIABLE)
    place = Path(named) if named else BESIDE_CHECKOUT
    return place if place.is_dir() else None


def load(name: str, download: bool = True) -> SimpleNamespace:
    """
    Return the arrays of a set by their names (`X`, `y`, ...), and `origin`, which says where they came from.

    Without the file, `X` and `y` come from scikit-learn or, if `download` is set, from the network.
    """
    if name in BUILT_IN:
        return _from_sklearn(BUILT_IN[name], download=True)
    record = _record(name)
    path = path_of(name)
    if path is not None:
        _check(path, record)
        with np.load(path, allow_pickle=False) as arrays:
            return SimpleNamespace(**{key: arrays[key] for key in arrays.files}, origin=path.name)
    kind, _, place = record.elsewhere.partition(":")
    found = None
    if kind == "sklearn":
        found = _from_sklearn(place, download)
    elif kind == "openml" and download:
        found = _from_openml(place)
    if found is None or found.X.shape != record.shape:
        raise MissingSet(sentence_of_missing([name]))
    return found


def path_of(name: str) -> Path | None:
    """The file of a set, whatever is in it; None if there is none."""
    where = folder()
    path = where / f"{_record(name).name}.npz" if where else None
    return path if path is not None and path.is_file() else None


def missing(names: Iterable[str]) -> list[str]:
    """The sets that have no file and need one, because they are neither in scikit-learn nor on OpenML."""
    return [name for name in names if name not in BUILT_IN and path_of(name) is None and not SETS[name].elsewhere]


def sentence_of_missing(names: Iterable[str]) -> str:
    """One line: what is missing, where it would have been looked for, and where it comes from."""
    where = folder()
    looked = f"in {where}" if where else f"anywhere: set {VARIABLE} to a folder that has it"
    sets = "; ".join(
        f"{name}.npz ({SETS[name].what}. {SETS[name].source}. sha256 {SETS[name].sha256})" for name in names
    )
    return f"Not found {looked}: {sets}"


def unpack_bits(packed: NDArray[np.uint8], bits: int = 2048) -> NDArray[np.float64]:
    """Fingerprints as rows of zeros and ones."""
    return np.unpackbits(packed, axis=1)[:, :bits].astype(np.float64)


def _record(name: str) -> DataSet:
    if name not in SETS:
        raise UnknownSet(f"There is no set {name!r}. There are: {', '.join(sorted([*SETS, *BUILT_IN]))}")
    return SETS[name]


def _check(path: Path, record: DataSet) -> None:
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != record.sha256:
        raise WrongChecksum(
            f"{path} has sha256 {found}, and {record.sha256} is expected: it is not the file of {record.name}"
        )


def _from_sklearn(function: str, download: bool) -> SimpleNamespace | None:
    if function.startswith("fetch_") and not download:
        return None
    import sklearn.datasets

    try:
        bunch = getattr(sklearn.datasets, function)()
    except OSError:  # no network
        return None
    return SimpleNamespace(X=bunch.data, y=bunch.target, origin=f"scikit-learn, {function}")


def _from_openml(name: str) -> SimpleNamespace | None:
    from sklearn.datasets import fetch_openml

    try:
        bunch = fetch_openml(name, version=1, as_frame=False, parser="liac-arff", n_retries=1)
    except (OSError, ValueError):  # no network; no such set, or another checksum than OpenML states
        return None
    return SimpleNamespace(X=bunch.data, y=_numbers(bunch.target), origin=f"OpenML, {name}")


def _numbers(target: NDArray[Any]) -> NDArray[Any]:
    """Classes that are words become integers, in the order of the alphabet."""
    return target if np.issubdtype(target.dtype, np.number) else np.unique(target, return_inverse=True)[1]
