# SPDX-License-Identifier: BSD-3-Clause
"""
[KDE] Sec. 6.2, Table 2 right: words from the pictures of their letters.

Ten folds; each is trained on, and the other nine are the test. Inputs are seen through the paper's feature map: the
cubic kernel between each letter of the training words and the letter at the same position. Judged by the letters that
are right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import gramian
import numpy as np
from gramian.kernels import Cosine, Linear
from sklearn.svm import SVC

from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.kde import data
from bench.paper.kde.methods import (
    CONDITIONAL,
    COVARIANCE,
    EPSILONS,
    IDENTITY,
    METHODS,
    Choice,
    candidates,
    commonest,
    regressor,
    select,
)
from bench.paper.kde.patches import ridge

CUBIC = Cosine() ** 3  # of pixels with a 1 in front: (1 + <c, c'>)^3, scaled to 1 for c = c'
ALPHAS = (1e-4, 1e-3, 1e-2, 1e-1, 1.0)
PENALTIES_OF_SVC = (1.0, 10.0, 100.0)
HELD_OUT = 0.2
AT_A_TIME = 5000
PAPER = {IDENTITY: None, COVARIANCE: "89.2 ± 1.5", CONDITIONAL: "91.8 ± 1.3"}
PAPER_CONSTRAINED, PAPER_M3N = "88.5 ± 0.9", "87.0 ± 0.4"
PRINTED_ALPHA = 0.01

Recogniser = Callable[[Choice, Any, Any], Any]
"""A choice, words to learn from, words to read: letters of the latter, word after word, -1 for what can't be read."""


class Method(NamedTuple):
    """What is tried on every fold."""

    name: str
    recognise: Recogniser
    choices: list[Choice]
    printed: list[Choice]
    """The same with what is printed held; empty if nothing is."""
    paper: str | None


@dataclass
class Found:
    """Percentages of letters, and of whole words, that are right on the test folds, and what was chosen."""

    letters: list[float] = field(default_factory=list)
    words: list[float] = field(default_factory=list)
    letters_as_printed: list[float] = field(default_factory=list)
    chosen: list[Choice] = field(default_factory=list)


def run(settings: Settings) -> Outcome:
    """All methods on all folds."""
    outcome = Outcome("kde_words")
    words = data.words(settings, outcome)
    folds = np.unique(words.fold)[: 2 if settings.quick else None]
    methods = list(_methods(words))
    found = {method.name: Found() for method in methods}
    for fold in folds:
        train, test = (np.flatnonzero(chosen) for chosen in (words.fold == fold, words.fold != fold))
        if settings.quick:
            train, test = (some[:: max(1, len(some) // 60)] for some in (train, test))
        order = np.random.default_rng(fold).permutation(train)
        held = round(HELD_OUT * len(order))
        for method in methods:
            _on_fold(words, method, train, test, (order[held:], order[:held]), found[method.name])
    title = f"{words.name}, {len(folds)} folds of {len(words.fold) // 10} words to learn from: letters right, %"
    table = Table(title, ["method", "lambda = 0.01", "lambda chosen", "words right, chosen", "paper"])
    for method in methods:
        one = found[method.name]
        as_printed = spread(one.letters_as_printed) if method.printed else None
        table.rows.append([method.name, as_printed, spread(one.letters), spread(one.words), method.paper])
        outcome.sentences.append(f"{method.name}: {commonest(one.chosen)}.")
    table.rows.append(["max-margin Markov networks, quoted", None, None, None, PAPER_M3N])
    outcome.tables.append(table)
    outcome.facts = {"data": words.name, "found": {name: asdict(one) for name, one in found.items()}}
    return outcome


def _methods(words: data.Words) -> Iterator[Method]:
    """Four regressions on words, and two methods that see letters alone."""
    grams = WordGrams(words)
    for method, paper in PAPER.items():
        epsilons = {"epsilon": EPSILONS} if method == CONDITIONAL else {}
        choices, held = (candidates(method, **epsilons, alpha=alphas) for alphas in (ALPHAS, [PRINTED_ALPHA]))
        yield Method(METHODS[method], _dependency(words, method, grams), choices, held, paper)
    strengths = [{"alpha": alpha} for alpha in ALPHAS]
    held = [{"alpha": PRINTED_ALPHA}]
    yield Method("regression constrained to positions", _by_position(words), strengths, held, PAPER_CONSTRAINED)
    yield Method("kernel ridge on letters", _letter_ridge(words), strengths, [], None)
    yield Method("SVM on letters", _letter_svm(words), [{"C": one} for one in PENALTIES_OF_SVC], [], None)


def _on_fold(words: data.Words, method: Method, train: Any, test: Any, split: Any, found: Found) -> None:
    """Choose on a split of the training words, learn from all of them, and read the test words."""

    def error(choice: Choice, some: Any, others: Any) -> float:
        return -float(_right(words, method.recognise(choice, some, others), others).mean())

    found.chosen.append(select(method.choices, error, [split]))
    right = _right(words, method.recognise(found.chosen[-1], train, test), test)
    ends = np.cumsum(words.lengths[test])[:-1]
    found.letters.append(100 * float(right.mean()))
    found.words.append(100 * float(np.mean([part.all() for part in np.split(right, ends)])))
    if method.printed:
        best = select(method.printed, error, [split])
        found.letters_as_printed.append(100 * float(_right(words, method.recognise(best, train, test), test).mean()))


def _right(words: data.Words, found: Any, test: Any) -> Any:
    """Which letters of the words are."""
    return found == words.letters[words.rows(test)]


def _letters_at(words: data.Words, some: Any, position: int) -> tuple[Any, Any]:
    """Which of some words are that long, and their letters there."""
    those = np.flatnonzero(words.lengths[some] > position)
    return those, _with_one(words.pixels[words.begin[some[those]] + position])


def _with_one(pixels: Any) -> Any:
    return np.hstack([np.ones((len(pixels), 1)), pixels])


def _positions(words: data.Words, train: Any, test: Any) -> Iterator[tuple[int, Any, Any, Any, Any]]:
    """Position by position: words that reach it, and the part of the feature map that belongs to it."""
    for position in range(words.lengths[train].max()):
        learnt, C = _letters_at(words, train, position)
        read, D = _letters_at(words, test, position)
        B = gramian.gram(CUBIC, D, C) if len(read) else np.empty((0, len(learnt)))
        yield position, learnt, gramian.gram(CUBIC, C), read, B


def word_grams(words: data.Words, train: Any, test: Any) -> tuple[Any, Any]:
    """Inner products of the feature maps of words: among those to learn from, and of the others with them."""
    K, cross = np.zeros((len(train), len(train))), np.zeros((len(test), len(train)))
    for _, learnt, A, read, B in _positions(words, train, test):
        K[np.ix_(learnt, learnt)] += gramian.gram(Linear(), A)
        if len(read):
            cross[np.ix_(read, learnt)] += gramian.gram(Linear(), B, A)
    return K, cross


class WordGrams:
    """word_grams, the last two of which are kept: those of a fold and of the split inside it serve several methods."""

    def __init__(self, words: data.Words) -> None:
        self._words, self._kept = words, {}

    def __call__(self, train: Any, test: Any) -> tuple[Any, Any]:
        """Return what word_grams does."""
        key = train.tobytes(), test.tobytes()
        if key not in self._kept:
            while len(self._kept) > 1:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = word_grams(self._words, train, test)
        return self._kept[key]


def _dependency(words: data.Words, method: str, grams: WordGrams) -> Recogniser:
    """Kernel dependency estimation on whole words; those to read have a known number of letters."""

    def recognise(choice: Choice, train: Any, test: Any) -> Any:
        K, cross = grams(train, test)
        spelt = [tuple(words.letters[words.rows([word])]) for word in train]
        options = {"kernel": "precomputed", "output_kernel": None, "preimage": "sequence"}
        model = regressor(method, choice, len(train), **options).fit(K, spelt)
        longest = max(map(len, spelt))
        read = model.predict(cross, lengths=np.minimum(words.lengths[test], longest))
        beyond = np.maximum(words.lengths[test] - longest, 0)
        return np.concatenate([[*word, *[-1] * more] for word, more in zip(read, beyond, strict=True)])

    return recognise


def _by_position(words: data.Words) -> Recogniser:
    """The same regression where a letter depends on the picture at its own position alone."""

    def recognise(choice: Choice, train: Any, test: Any) -> Any:
        found = np.full((len(test), words.lengths[test].max()), -1)
        for position, learnt, A, read, B in _positions(words, train, test):
            if not len(read):
                continue
            letters = words.letters[words.begin[train[learnt]] + position]
            targets = np.eye(data.ALPHABET)[letters]
            K, cross = gramian.gram(Linear(), A), gramian.gram(Linear(), B, A)
            found[read, position] = (cross @ ridge(K, targets, choice["alpha"])).argmax(axis=1)
        return np.concatenate([row[:length] for row, length in zip(found, words.lengths[test], strict=True)])

    return recognise


def _letter_ridge(words: data.Words) -> Recogniser:
    """Kernel ridge regression on letters: one for all positions, which knows nothing of words."""

    def recognise(choice: Choice, train: Any, test: Any) -> Any:
        rows = words.rows(train)
        C, D = _with_one(words.pixels[rows]), _with_one(words.pixels[words.rows(test)])
        coefficients = ridge(gramian.gram(CUBIC, C), np.eye(data.ALPHABET)[words.letters[rows]], choice["alpha"])
        return gramian.product(CUBIC, D, coefficients, C).argmax(axis=1)

    return recognise


def _letter_svm(words: data.Words) -> Recogniser:
    """Support vectors on letters."""

    def recognise(choice: Choice, train: Any, test: Any) -> Any:
        rows = words.rows(train)
        C, D = _with_one(words.pixels[rows]), _with_one(words.pixels[words.rows(test)])
        model = SVC(C=choice["C"], kernel="precomputed", cache_size=500)
        model.fit(gramian.gram(CUBIC, C), words.letters[rows])
        parts = [D[start : start + AT_A_TIME] for start in range(0, len(D), AT_A_TIME)]
        return np.concatenate([model.predict(gramian.gram(CUBIC, part, C)) for part in parts])

    return recognise
