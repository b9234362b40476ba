# SPDX-License-Identifier: BSD-3-Clause
"""How the search of an embedding classifier has ended, and what is said of it."""

from typing import Any

import numpy as np

from gramian import _core
from gramian._warning import warn
from gramian.models._shared.progress import End, tell_of_end
from gramian.models._shared.watch import Watch
from gramian.models._shared.weighted import Merged


def stop_reason(watch: Watch, found: _core.embedding.Fit, options: _core.embedding.Options) -> str:
    """Return why the search ended, by the names of the parameters."""
    of_adam = isinstance(getattr(options.learning, "solver", None), _core.embedding.Adam)
    return "patience" if of_adam and found.stop_reason == "value" else watch.reason(found.stop_reason)


def tell(watch: Watch, found: _core.embedding.Fit, options: _core.embedding.Options, samples: Merged) -> None:
    """
    Warn of a search that has not converged, or that has learned nothing; to be called from `fit` itself.

    A search on estimates has so many steps, and no other end.
    """
    solver = getattr(options.learning, "solver", None)
    draws = isinstance(options.learning, _core.embedding.ValidationSearch) or getattr(solver, "batch_size", 0) > 0
    on_estimates = draws and isinstance(solver, _core.embedding.Adam)
    end = End(stop_reason(watch, found, options), found.iterations, found.history)
    if end.reason != "max_iter" or not on_estimates:
        tell_of_end(watch, end, ridge="penalty")
    _tell_of_constant(watch.owner, found.model.predicted_classes, samples)


def _tell_of_constant(owner: str, predicted_classes: int, samples: Merged) -> None:
    """Warn of a classifier that says the same of all samples, which differ."""
    counted = slice(None) if samples.weights is None else samples.weights > 0
    labels, X = samples.labels[counted], samples.X[counted]
    if predicted_classes != 1 or (labels == labels[0]).all() or not _differ(X):
        return
    warn(
        f"{owner} has learned a constant classifier: it predicts one class for all training samples, of "
        f"{len(np.unique(labels))} classes. Lower penalty or tau, or start from another kernel or other features."
    )


def _differ(X: Any) -> bool:
    return bool((X.max(axis=0) != X.min(axis=0)).sum())
