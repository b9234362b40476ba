# SPDX-License-Identifier: BSD-3-Clause
"""Data of [KDE] Sec. 6: halves of digits and faces, written words, views of objects; made-up ones if there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from bench.paper.common import data
from bench.paper.common.outcome import Outcome, Settings

ALPHABET = 26

Matrix = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Pairs:
    """Inputs and outputs in rows, and what each pair shows: pairs of one group may be alike."""

    name: str
    X: Matrix
    Y: Matrix
    group: Indices
    shape: tuple[int, int]
    """Of an input as a picture; an output has it too."""


@dataclass(frozen=True)
class Words:
    """Letters word after word: their pixels, what they are, where each word begins, and its fold."""

    name: str
    pixels: Matrix
    letters: Indices
    begin: Indices
    fold: Indices

    @property
    def lengths(self) -> Indices:
        """Letters of each word."""
        return np.diff(np.append(self.begin, len(self.letters)))

    def rows(self, words: Indices) -> Indices:
        """Where the letters of these words stand, word after word."""
        return np.concatenate([np.arange(self.begin[w], self.begin[w] + self.lengths[w]) for w in words])


@dataclass(frozen=True)
class Labels:
    """Samples that carry several labels each, and of each draw which of them are for the test."""

    name: str
    X: Matrix
    Y: Matrix
    tests: list[NDArray[np.bool_]]


def there(name: str, settings: Settings, outcome: Outcome) -> Any:
    """The arrays of a set; None, and a line that says so, if there are none. A quick run asks no network."""
    try:
        return data.load(name, download=not settings.quick)
    except data.MissingSet as missing:
        outcome.sentences.append(str(missing))
        return None


def digit_halves(settings: Settings, outcome: Outcome) -> Pairs:
    """Upper and lower halves of the first 1000 USPS digits, pixels in [-1, 1] as in the original file."""
    found = there("usps", settings, outcome)
    if found is None:
        pictures, group = _blobs(200, 16, 10)
        name = "made-up digits"
    else:
        train = found.X_train if hasattr(found, "X_train") else found.X
        pictures, group = train[:1000].reshape(-1, 16, 16).astype(np.float64), np.arange(1000)
        name = "USPS"
        if pictures.min() >= 0:
            pictures = 2 * pictures - 1
    if settings.quick:
        pictures, group = pictures[:200], group[:200]
    upper, lower = pictures[:, :8], pictures[:, 8:]
    return Pairs(name, _flat(upper), _flat(lower), group, (8, 16))


def face_halves(settings: Settings, outcome: Outcome) -> Pairs:
    """Left halves of faces, and right halves mirrored, so that a pixel stands for the same part of both."""
    found = there("olivetti_faces", settings, outcome)
    if found is None:
        pictures, group = _blobs(120, 64, 12)
        name = "made-up faces"
    else:
        pictures, group = found.X.reshape(-1, 64, 64).astype(np.float64), found.y
        name = "Olivetti faces"
        if pictures.max() > 1:
            pictures = pictures / 255
    return Pairs(name, _flat(pictures[:, :, :32]), _flat(pictures[:, :, :31:-1]), group, (64, 32))


def object_views(settings: Settings, outcome: Outcome) -> Pairs:
    """All views of an object but the frontal one, and the frontal one."""
    found = there("coil20", settings, outcome)
    if found is None:
        pictures, group = _blobs(240, 32, 10)
        view = np.arange(240) // 10
        name = "made-up objects"
    else:
        pictures, group, view = found.X.astype(np.float64) / 255, found.y, found.view
        name = "COIL-20"
    frontal = {one: pictures[(group == one) & (view == 0)][0] for one in np.unique(group)}
    rotated = view != 0
    targets = np.array([frontal[one] for one in group[rotated]])
    return Pairs(name, _flat(pictures[rotated]), _flat(targets), group[rotated], pictures.shape[1:])


def coarser(pairs: Pairs) -> Pairs:
    """Every second pixel of a row, and every second row, of both pictures."""

    def half(pictures: Matrix) -> Matrix:
        return _flat(pictures.reshape(-1, *pairs.shape)[:, ::2, ::2])

    shape = (pairs.shape[0] + 1) // 2, (pairs.shape[1] + 1) // 2
    return Pairs(pairs.name, half(pairs.X), half(pairs.Y), pairs.group, shape)


def words(settings: Settings, outcome: Outcome) -> Words:
    """The handwritten words with their ten folds."""
    found = there("ocr_letters", settings, outcome)
    if found is None:
        return _made_up_words(150 if settings.quick else 1000)
    pixels = data.unpack_bits(found.images_packed, 128)
    begin = found.word_ptr[:-1].astype(np.int64)
    return Words("OCR words", pixels, found.letter.astype(np.int64), begin, found.fold[begin].astype(np.int64))


def labels(name: str, draws: int, settings: Settings, outcome: Outcome) -> Labels:
    """`scene`, `yeast` or `emotions`: the split of the source where there is one, else random thirds for the test."""
    found = there(f"{name}_multilabel", settings, outcome)
    if found is None:
        X, Y, tests = *_made_up_labels(150), []
        name = f"made-up {name}"
    elif hasattr(found, "X_train"):
        X, Y = np.vstack([found.X_train, found.X_test]), np.vstack([found.Y_train, found.Y_test])
        tests = [np.arange(len(X)) >= len(found.X_train)]
    else:
        X, Y, tests = found.X, found.Y, []
    if settings.quick:
        few = np.random.default_rng(1).permutation(len(X))[:150]
        X, Y, tests = X[few], Y[few], [test[few] for test in tests]
    tests = tests or [np.random.default_rng(d).permutation(len(X)) >= 2 * len(X) // 3 for d in range(draws)]
    return Labels(name, X.astype(np.float64), Y.astype(np.float64), tests)


def _flat(pictures: Matrix) -> Matrix:
    return np.ascontiguousarray(pictures.reshape(len(pictures), -1))


def _blobs(n: int, size: int, groups: int) -> tuple[Matrix, Indices]:
    """Smooth pictures in [0, 1], alike within a group: waves whose phases belong to the group, and a little noise."""
    rng = np.random.default_rng(0)
    group = np.arange(n) % groups
    phases = rng.uniform(0, 2 * np.pi, (groups, 3))[group] + 0.3 * rng.standard_normal((n, 3))
    row, column = np.meshgrid(np.linspace(0, 1, size), np.linspace(0, 1, size), indexing="ij")
    waves = sum(
        np.sin(2 * np.pi * (a * row + b * column) + phases[:, at, None, None])
        for at, (a, b) in enumerate(((1, 1), (2, -1), (1, 2)))
    )
    return (waves / 6 + 0.5).clip(0, 1), group


def _made_up_words(count: int) -> Words:
    """Words from a list of twelve, their letters as noisy random pictures of 128 bits."""
    rng = np.random.default_rng(0)
    vocabulary = [rng.integers(0, ALPHABET, length) for length in (3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 9, 9)]
    chosen = [vocabulary[one] for one in rng.integers(0, len(vocabulary), count)]
    letters = np.concatenate(chosen)
    faces = rng.random((ALPHABET, 128)) < 0.3
    pixels = (faces[letters] ^ (rng.random((len(letters), 128)) < 0.1)).astype(np.float64)
    begin = np.cumsum([0, *map(len, chosen)])[:-1]
    return Words("made-up words", pixels, letters, begin, np.arange(count) % 10)


def _made_up_labels(count: int) -> tuple[Matrix, Matrix]:
    """Four labels, each a noisy half-space of eight features."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((count, 8))
    return X, (X @ rng.standard_normal((8, 4)) + 0.5 * rng.standard_normal((count, 4)) > 0.5).astype(np.float64)
