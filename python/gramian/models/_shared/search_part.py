# SPDX-License-Identifier: BSD-3-Clause
"""Layers with automatic landmarks: searched for on a part of the rows, and finished on all of them."""

import numpy as np

from gramian.models._shared.estimator import Estimator
from gramian.models._shared.landmarks import IndexArray, is_automatic

FINISHING = 10
"""Iterations on all rows, from the end of the search."""


def searched_rows(estimator: Estimator, supports: IndexArray | None, n: int, seed: int) -> IndexArray | None:
    """
    Return the rows of a search, ascending, the landmarks among them; None for all of n rows.

    supports: the landmarks, or None. If they are automatic, a search sees as many rows as the `Switch` says: with more
    of them it takes longer, and finds about the same layers.
    """
    switch = estimator._switch
    if supports is None or switch is None or n <= switch.searched or not is_automatic(vars(estimator)["landmarks"]):
        return None
    drawn = np.random.default_rng([seed, n]).permutation(n)[: switch.searched - len(supports)]
    return np.union1d(supports, drawn).astype(np.int64)
