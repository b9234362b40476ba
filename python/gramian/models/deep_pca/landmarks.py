# SPDX-License-Identifier: BSD-3-Clause
"""Kernel PCA of one level in the span of landmarks: all samples count, and only landmarks are kept."""

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from gramian import _core
from gramian._validation import FLOAT64, FloatArray
from gramian.kernels import Kernel
from gramian.kernels.choice import OpenKernel
from gramian.models._shared.duration import OF_EIGENVECTORS, tell_of_duration
from gramian.models._shared.landmarks import Switch
from gramian.models._shared.parts import in_rows
from gramian.models._shared.samples import source
from gramian.models._shared.sums import rows_in, some_rows
from gramian.models.deep_pca.fit import Level, crossing
from gramian.points import SourcePoints, is_row_source

SWITCH = Switch(most_exact=5000, per_root=10, most=1500, stored=1)
"""When landmarks="auto" leaves all samples."""
_CLOSED = ("auto", "closed_form", "levelwise")


def spans(estimator: Any, levels: list[Level]) -> bool:
    """Tell whether landmarks span what is learned of all samples; else levels are trained on the landmarks only."""
    on_points = isinstance(levels[0].kernel, Kernel | OpenKernel)
    plain = estimator.solver in _CLOSED and estimator.init == "kpca" and estimator.n_init == 1
    return len(levels) == 1 and on_points and plain


def check_samples(estimator: Any, probe: Any, levels: list[Level], X: Any) -> Any:
    """Return X as `fit` takes it, which may be read by blocks later; the probe learns its features."""
    if is_row_source(X) and spans(estimator, levels):
        rows = SourcePoints(X, "X")
        if estimator._asked_landmarks(rows.rows) is not None:
            probe.n_features_in_ = rows.dimension
            return rows
        X = X if isinstance(X, np.ndarray) else rows.crossing(FLOAT64)
    return estimator._training_samples_of(probe, X)


def train_on_landmarks(
    estimator: Any, level: Level, samples: Any, rows: npt.NDArray[np.int64], weights: FloatArray | None
) -> tuple[Any, _core.deep_pca.Fit]:
    """Return the landmarks, and what the engine has found."""
    landmarks, kernel = some_rows(samples, rows), cast(Kernel, level.kernel)
    points = samples if isinstance(samples, SourcePoints) else in_rows(source(kernel, samples)[1])
    engine = crossing([level], landmarks.shape[1])[0]
    centres = in_rows(source(kernel, landmarks)[1])
    n, m = rows_in(samples), float(len(rows))
    tell_of_duration(estimator, n, n * m**2 + OF_EIGENVECTORS * m**3, "use fewer landmarks", in_steps=False)
    counts = None if weights is None else weights[:, None]
    return landmarks, _core.deep_pca.fit_landmarks(points, centres, engine, estimator._checked("center"), counts)
