# SPDX-License-Identifier: BSD-3-Clause
"""How results are kept, and what counts as the same."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

HERE = Path(__file__).parent
VALUES = HERE / "values.npz"

MOST_ENTRIES = 20  # of an array: evenly spread ones, beside the mean and the root of the mean square of all
TIMES_SPREAD = 10.0  # a result may be off by so many times what rounding alone did to it when it was recorded,
LEAST = {8: 1e-10, 4: 1e-6}  # and by at least this part of the largest magnitude, by bytes of a number.
MOST = {8: 1e-6, 4: 1e-3}  # What spreads further says too little: such a case has to be made shorter.


class Stored(NamedTuple):
    """What is kept of an array."""

    shape: list[int]
    exact: list[str] | None
    """Entries of what is no array of floating-point numbers."""
    numbers: list[float] | None
    """Entries, mean, root of the mean square."""
    scale: float
    """The largest magnitude."""
    tolerance: float
    """What is allowed, as a part of it."""


def summary(array: np.ndarray) -> Stored:
    """What is kept of an array, with the least tolerance."""
    flat = array.ravel()
    picks = np.unique(np.linspace(0, max(flat.size - 1, 0), min(flat.size, MOST_ENTRIES)).round().astype(int))
    if array.dtype.kind != "f":
        return Stored(list(array.shape), [str(entry) for entry in flat[picks]], None, 0.0, 0.0)
    least, wide = LEAST[array.dtype.itemsize], flat.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    numbers = [*wide[picks].tolist()]
    if flat.size > 1:
        numbers += [float(finite.sum()) / flat.size, float(np.sqrt((finite * finite).sum() / flat.size))]
    return Stored(list(array.shape), None, numbers, float(np.abs(finite).max(initial=0.0)), least)


def difference(stored: Stored, found: Stored) -> float:
    """How far apart two are, as a part of the scale; infinite if they differ in more than numbers."""
    if (stored.shape, stored.exact) != (found.shape, found.exact) or (stored.numbers is None) != (
        found.numbers is None
    ):
        return np.inf
    old, new = np.array(stored.numbers or []), np.array(found.numbers or [])
    finite = np.isfinite(old)
    if not np.array_equal(finite, np.isfinite(new)) or not np.array_equal(old[~finite], new[~finite], equal_nan=True):
        return np.inf
    off = float(np.abs(old[finite] - new[finite]).max(initial=0.0))
    return off / stored.scale if stored.scale > 0 else (np.inf if off > 0 else 0.0)


def complaint(stored: Stored, array: np.ndarray) -> str | None:
    """What is wrong with an array, if something is."""
    found = summary(array)
    off = difference(stored, found)
    if off <= stored.tolerance:
        return None
    if off < np.inf:
        return f"is off by {off:.2g} of its scale, more than {stored.tolerance:.2g}"
    return f"was {stored.shape} {stored.exact or stored.numbers}, is {found.shape} {found.exact or found.numbers}"


def with_tolerance(runs: list[Stored]) -> Stored:
    """The first run, allowed to be off by what the others say."""
    first = runs[0]
    spread = max((difference(first, other) for other in runs[1:]), default=0.0)
    return first._replace(tolerance=max(TIMES_SPREAD * spread, first.tolerance))


def write(values: dict[str, dict[str, Stored]], path: Path = VALUES) -> None:
    """Keep all cases in one file."""
    numbers: list[float] = []
    index: dict[str, Any] = {}
    for case, arrays in values.items():
        index[case] = {}
        for name, stored in arrays.items():
            count = -1 if stored.numbers is None else len(stored.numbers)
            index[case][name] = [stored.shape, stored.exact, count, stored.scale, float(f"{stored.tolerance:.3g}")]
            numbers += stored.numbers or []
    text = np.frombuffer(json.dumps(index).encode(), dtype=np.uint8)
    np.savez_compressed(path, index=text, numbers=np.array(numbers))


def read(path: Path = VALUES) -> dict[str, dict[str, Stored]]:
    """All cases of a file."""
    with np.load(path) as file:
        index, numbers = json.loads(file["index"].tobytes()), file["numbers"].tolist()
    values: dict[str, dict[str, Stored]] = {}
    at = 0
    for case, arrays in index.items():
        values[case] = {}
        for name, (shape, exact, count, scale, tolerance) in arrays.items():
            values[case][name] = Stored(shape, exact, None if count < 0 else numbers[at : at + count], scale, tolerance)
            at += max(count, 0)
    return values


def bits(array: np.ndarray) -> str:
    """What changes with any bit of an array."""
    state = hashlib.sha256(f"{array.dtype} {array.shape}".encode())
    state.update(np.ascontiguousarray(array).tobytes())
    return state.hexdigest()[:16]
