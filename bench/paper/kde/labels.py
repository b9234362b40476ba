# SPDX-License-Identifier: BSD-3-Clause
"""
Several labels for each sample: [KDE] against a support vector machine for each label and against kernel ridge.

Outputs are vectors of zeros and ones. With the linear output kernel the nearest of all of them is that of the parts
above one half; with a Gaussian one predictions are sets of labels that occur in training.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from sklearn.kernel_ridge import KernelRidge
from sklearn.model_selection import train_test_split
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from bench.paper.common.outcome import Outcome, Settings, Table, spread
from bench.paper.kde import data
from bench.paper.kde.methods import (
    CONDITIONAL,
    COVARIANCE,
    EPSILONS,
    IDENTITY,
    Choice,
    candidates,
    regressor,
    select,
)

DRAWS = {"scene": 1, "yeast": 2, "emotions": 10}  # that of scene is given
SCALES = (0.25, 0.5, 1.0, 2.0)  # of sqrt(d): features have variance 1
OUTPUT_WIDTHS = (0.5, 1.0, 2.0)
PENALTIES = (0.3, 1.0, 3.0, 10.0)
RIDGES = (1e-2, 1e-1, 1.0, 10.0)
ALPHAS = {IDENTITY: RIDGES, COVARIANCE: (1e-4, 1e-3, 1e-2, 1e-1), CONDITIONAL: (1e-4, 1e-3, 1e-2, 1e-1)}

Predict = Callable[[Choice, Any, Any, Any], Any]
"""A choice, inputs and outputs to learn from, new inputs."""


def run(settings: Settings) -> Outcome:
    """Parameters are chosen on a quarter of the training part, in each draw anew."""
    outcome = Outcome("kde_labels", facts={"chosen": {}})
    for name, draws in list(DRAWS.items())[-1:] if settings.quick else DRAWS.items():
        found = data.labels(name, 2 if settings.quick else draws, settings, outcome)
        size = f"{int((~found.tests[0]).sum())} + {int(found.tests[0].sum())} samples"
        title = f"{found.name}, {size}, {found.Y.shape[1]} labels, draws: {len(found.tests)}"
        table = Table(title, ["method", "Hamming loss", "whole sets right"])
        chosen: dict[str, list[Choice]] = {}
        scores: dict[str, list[tuple[float, float]]] = {}
        for test in found.tests:
            _one_draw(found.Y, scaled(found.X, ~test), test, settings.quick, chosen, scores)
        for method, pairs in scores.items():
            table.rows.append([method, *(spread(one) if len(one) > 1 else one[0] for one in zip(*pairs, strict=True))])
        outcome.tables.append(table)
        outcome.facts["chosen"][name] = chosen
        outcome.facts[name] = scores
    return outcome


def _one_draw(Y: Any, X: Any, test: Any, quick: bool, chosen: dict[str, Any], scores: dict[str, Any]) -> None:
    """Every method; what it chose, its Hamming loss and the part of label sets that is right."""
    known, new = np.flatnonzero(~test), np.flatnonzero(test)
    split = train_test_split(known, test_size=0.25, random_state=0)
    for method, predict, choices in _methods(X.shape[1], quick):

        def error(choice: Choice, a: Any, b: Any, predict: Predict = predict) -> float:
            return hamming(Y[b], predict(choice, X[a], Y[a], X[b]))

        best = select(choices, error, [split])
        chosen.setdefault(method, []).append(best)
        scores.setdefault(method, []).append(_judged(Y[new], predict(best, X[known], Y[known], X[new])))
    scores.setdefault("no label", []).append(_judged(Y[new], np.zeros_like(Y[new])))


def scaled(X: Any, train: Any) -> Any:
    """Features of mean 0 and variance 1 on the training part."""
    deviation = X[train].std(axis=0)
    return (X - X[train].mean(axis=0)) / np.where(deviation > 0, deviation, 1)


def _judged(truth: Any, guess: Any) -> tuple[float, float]:
    return hamming(truth, guess), float((guess == truth).all(axis=1).mean())


def hamming(truth: Any, guess: Any) -> float:
    """The part of all labels that is wrong."""
    return float(np.mean(truth != guess))


def _methods(features: int, quick: bool) -> Iterator[tuple[str, Predict, list[Choice]]]:
    widths = [scale * np.sqrt(features) for scale in (SCALES[2:3] if quick else SCALES)]
    yield "SVM for each label", _svm, [{"C": C, "width": width} for C in PENALTIES for width in widths]
    yield "KernelRidge", _kernel_ridge, [{"alpha": alpha, "width": width} for alpha in RIDGES for width in widths]
    for method in (IDENTITY, COVARIANCE, CONDITIONAL):
        own = {"epsilon": EPSILONS} if method == CONDITIONAL else {}
        grid = partial(candidates, method, alpha=ALPHAS[method], width=widths)
        yield f"KDE, {method}, linear", partial(_linear, method), grid(**own)
        yield f"KDE, {method}, Gaussian", partial(_gaussian, method), grid(output_width=OUTPUT_WIDTHS, **own)


def _svm(choice: Choice, X: Any, Y: Any, new: Any) -> Any:
    model = OneVsRestClassifier(SVC(C=choice["C"], gamma=_gamma(choice)))
    return model.fit(X, Y.astype(int)).predict(new).astype(np.float64)


def _kernel_ridge(choice: Choice, X: Any, Y: Any, new: Any) -> Any:
    model = KernelRidge(alpha=choice["alpha"], kernel="rbf", gamma=_gamma(choice))
    return (model.fit(X, Y).predict(new) > 0.5).astype(np.float64)


def _linear(method: str, choice: Choice, X: Any, Y: Any, new: Any) -> Any:
    return (regressor(method, choice, len(X), preimage="linear").fit(X, Y).predict(new) > 0.5).astype(np.float64)


def _gaussian(method: str, choice: Choice, X: Any, Y: Any, new: Any) -> Any:
    return regressor(method, choice, len(X)).fit(X, Y).predict(new)


def _gamma(choice: Choice) -> float:
    return 1 / (2 * choice["width"] ** 2)
