# SPDX-License-Identifier: BSD-3-Clause
"""From what scikit-learn calls a random state to a seed of the engine."""

from typing import Any

import numpy as np

from gramian._validation import check_integer


def seed_of(random_state: Any, draws: bool = True) -> int:
    """
    Return 64 bits for the engine's own generator; the global state of numpy is never touched.

    draws: whether anything is drawn with it. Where nothing is, generators stay in the state that they are in.
    """
    if not draws and (random_state is None or isinstance(random_state, np.random.Generator | np.random.RandomState)):
        return 0
    if random_state is None:
        random_state = np.random.default_rng()
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**63, dtype=np.int64))
    return check_integer(random_state, "random_state", 0, 2**64 - 1)
