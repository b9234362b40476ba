# SPDX-License-Identifier: BSD-3-Clause
"""Sequences as vectors with a block of numbers for each position, and back: [KDE] Sec. 6.2."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._validation import FloatArray
from gramian.models._shared.samples import check_objects


def check_sequences(Y: Any, name: str) -> list[Any]:
    """Return a list of strings, lists or tuples."""
    samples = list(check_objects(Y, name))
    for index, sample in enumerate(samples):
        if not isinstance(sample, Sequence | np.ndarray):
            raise TypeError(
                f"{name} must hold strings or other sequences of symbols for preimage='sequence'. Got {sample!r} at "
                f"{index}."
            )
        try:
            set(sample)
        except TypeError:
            raise TypeError(
                f"{name}[{index}] has a symbol that is not hashable: {sample!r}. Symbols are compared, as strings, "
                f"numbers or tuples can be."
            ) from None
    return samples


def alphabet_of(sequences: list[Any]) -> list[Any]:
    """Return the symbols that occur, in order if they have one."""
    symbols = list(dict.fromkeys(symbol for sequence in sequences for symbol in sequence))
    if not symbols:
        raise ValueError("y has empty sequences alone: there is nothing to learn.")
    try:
        return sorted(symbols)
    except TypeError:
        return symbols


def encode(sequences: list[Any], alphabet: Sequence[Any], positions: int, name: str) -> FloatArray:
    """Return 1 for the symbol that stands at a position, 0 for all others and beyond the end."""
    places = {symbol: place for place, symbol in enumerate(alphabet)}
    features = np.zeros((len(sequences), positions, len(places)))
    for row, sequence in enumerate(sequences):
        if len(sequence) > positions:
            raise ValueError(
                f"{name}[{row}] has {len(sequence)} symbols, and the longest training output has {positions}."
            )
        for position, symbol in enumerate(sequence):
            if symbol not in places:
                raise ValueError(f"{name}[{row}] has the symbol {symbol!r}, which no training output has.")
            features[row, position, places[symbol]] = 1.0
    return features.reshape(len(sequences), -1)


def decode(rows: Any, alphabet: Sequence[Any], example: Any) -> list[Any]:
    """Return the sequences that rows of numbers of symbols are, -1 beyond the end; of the kind that the example is."""
    return [_like(example, [alphabet[place] for place in row if place >= 0]) for row in rows]


def check_lengths(lengths: Any, samples: int, positions: int) -> list[int]:
    """Return a length for each sample, or none."""
    if lengths is None:
        return []
    array = np.asarray(lengths)
    if array.shape != (samples,) or array.dtype.kind not in "iu":
        raise ValueError(
            f"lengths must be integers of shape {(samples,)}, one for each row of X. Got {lengths!r} instead."
        )
    if array.min() < 0 or array.max() > positions:
        raise ValueError(f"lengths must be from 0 to {positions}, the length of the longest training output.")
    return [int(length) for length in array]


def distances(left: list[Any], right: list[Any]) -> FloatArray:
    """Return squared distances between features, of symbols that are new too."""
    return np.array([_distance(a, b) for a, b in zip(left, right, strict=True)], dtype=np.float64)


def _distance(a: Any, b: Any) -> float:
    shared = min(len(a), len(b))
    return float(abs(len(a) - len(b)) + 2 * sum(a[i] != b[i] for i in range(shared)))


def _like(example: Any, symbols: list[Any]) -> Any:
    if isinstance(example, str):
        return "".join(symbols)
    if isinstance(example, bytes):
        return bytes(symbols)
    return tuple(symbols) if isinstance(example, tuple) else symbols
