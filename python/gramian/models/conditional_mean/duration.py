# SPDX-License-Identifier: BSD-3-Clause
"""How long a conditional mean embedding may take, said before it begins if that is long."""

from typing import Any

from gramian.models._shared.duration import OF_EIGENVECTORS, tell_of_duration
from gramian.models.conditional_mean.landmarks import are_vectors
from gramian.models.conditional_mean.outputs import Outputs
from gramian.models.conditional_mean.selection import search_of

_OF_A_LANDMARK = 30
"""Operations of a kernel value with a landmark, beside its part in the sums."""


def tell_of_embedding(model: Any, kernel: Any, outputs: Outputs, landmarks: int | None) -> None:
    """Warn of a long embedding; landmarks: None for all samples."""
    n, m = float(outputs.size), float(landmarks or 0)
    once = n**3 / 3 if landmarks is None else n * m * (_OF_A_LANDMARK + m)
    work, searched = once, "" if model.learn is None else ", or learn=None"
    if searched:
        search, size = search_of(model, kernel), n if landmarks is None else m
        of_each = max(1, search.splits) * OF_EIGENVECTORS * size**3
        of_penalties = 0 if search.splits else 2 * search.penalties * n * size**2
        work += search.widths * (2 * once + of_each + of_penalties)
    vectors = are_vectors(kernel, outputs)
    few = "use fewer landmarks" if landmarks is not None else "use landmarks" if vectors else "use fewer samples"
    tell_of_duration(model, outputs.size, work, few + searched, in_steps=False)
