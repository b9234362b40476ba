# SPDX-License-Identifier: BSD-3-Clause
"""What a concatenated regression holds out of its samples, and which of them support it."""

from typing import Any

import numpy as np
from sklearn.base import is_classifier
from sklearn.model_selection import check_cv

from gramian._validation import FLOAT64, LARGEST, as_array, check_whole, refused
from gramian.models._shared.landmarks import choose_landmarks, is_automatic, is_count, merged_rows
from gramian.models.deep_regression.fit import GRID, Fold, Problem
from gramian.models.deep_regression.samples import Given, Samples, Scaling, folds, stacked
from gramian.points import check_points

# A fit costs n^3, and there are many of them in a choice.
_MOST_OF_A_CHOICE = 1000


def landmark_rows(estimator: Any, samples: Samples, seed: int) -> Any:
    """Return rows of the samples that count, ascending; None for all of them."""
    n, owner = len(samples.Y), estimator._owner
    landmarks = estimator._asked_landmarks(n)
    if landmarks is not None and not is_count(landmarks):
        return merged_rows(landmarks, samples.place, owner)
    count = None if landmarks is None else min(check_whole(landmarks, "landmarks", owner, LARGEST), n)
    return choose_landmarks(count, n, check_points(samples.X, "X").crossing(FLOAT64), seed, owner)


def check_folds(
    estimator: Any, problem: Problem, scalings: tuple[Scaling, Scaling], classes: Any, given: Any, seed: int
) -> list[Fold]:
    """Return the folds as jobs: all of them in one, which the engine's threads share, if nobody asks for jobs."""
    cv, owner, samples, landmarks = estimator.cv, estimator._owner, problem.samples, problem.options["landmarks"]
    if cv is not None and not is_count(cv):
        splits = check_cv(cv, given.target, classifier=is_classifier(estimator)).split(given.X, given.target)
        return [_split(estimator, given, scalings, split, seed) for split in splits]
    count = GRID.folds if cv is None else estimator._checked("cv")
    if count < 2:
        raise refused("cv", owner, "at least 2", cv)
    if len(samples.Y) < 2:
        raise ValueError(
            f"{owner} can't choose penalties by cross-validation: all samples of sample_weight above 0 are the same. "
            "Give alpha and inner_alpha."
        )
    if len(samples.Y) > _MOST_OF_A_CHOICE:
        drawn = np.random.default_rng(seed).permutation(len(samples.Y))[:_MOST_OF_A_CHOICE]
        samples, landmarks = samples.subset(np.sort(drawn)), []
    single = samples.Y.shape[1] == 1
    labels = None if classes is None else samples.Y[:, 0].astype(int) if single else samples.Y.argmax(axis=1)
    left_out = folds(len(samples.Y), labels, min(count, len(samples.Y)), seed)
    parts = [left_out] if estimator.n_jobs is None else [[rows] for rows in left_out]
    return [Fold(samples, landmarks, part) for part in parts]


def _split(estimator: Any, given: Given, scalings: tuple[Scaling, Scaling], split: Any, seed: int) -> Fold:
    """Return the samples of a split: those to learn from first, then those that are left out."""
    learn, left_out = (given.part(rows).scaled(*scalings) for rows in split)
    if not len(learn.Y) or not len(left_out.Y):
        raise ValueError("cv has a split without samples of sample_weight above 0 on one of its sides.")
    if is_count(estimator.landmarks) or estimator.landmarks is None or is_automatic(estimator.landmarks):
        rows = landmark_rows(estimator, learn, seed)
    else:
        place = np.full(len(given.Y), -1)
        place[split[0]] = learn.place
        rows = np.unique([row for row in place[as_array(estimator.landmarks, "landmarks")] if row >= 0])
        if not len(rows):
            raise ValueError(f"The 'landmarks' parameter of {estimator._owner}: cv has a split without any of them.")
    landmarks = [] if rows is None else [int(row) for row in rows]
    both = _stacked(learn, left_out)
    return Fold(both, landmarks, [list(range(len(learn.Y), len(both.Y)))])


def _stacked(first: Samples, second: Samples) -> Samples:
    weights = None
    if first.weights is not None or second.weights is not None:
        weights = np.concatenate([np.ones(len(s.Y)) if s.weights is None else s.weights for s in (first, second)])
    images = [
        (layer, loss, np.concatenate([targets, more[2]]), weight)
        for (layer, loss, targets, weight), more in zip(first.images, second.images, strict=True)
    ]
    X, Y = stacked([first.X, second.X]), np.concatenate([first.Y, second.Y])
    return Samples(X, Y, weights, images, first.place)
