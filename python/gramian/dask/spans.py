# SPDX-License-Identifier: BSD-3-Clause
"""Points in the coordinates of landmarks, on workers."""

import functools
import hashlib
import pickle
from typing import Any

from gramian import _core
from gramian._validation import FLOAT64, FloatArray
from gramian.kernels import Kernel
from gramian.points import check_points

_TOLERANCE = 1e-14  # of a trace: landmarks of smooth kernels differ by less than what is usually left out
_SPANS_OF_A_FIT = 2


class Span:
    """
    A kernel and landmarks, whose span has coordinates in which inner products of features are kernel values.

    It is sent to workers, each of which makes what the engine needs of it once, and keeps that of the last spans.
    """

    def __init__(self, kernel: Kernel, landmarks: FloatArray) -> None:
        self.kernel, self.landmarks = kernel, landmarks
        self._digest = hashlib.sha256(pickle.dumps((kernel, landmarks))).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Span) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __dask_tokenize__(self) -> Any:
        return type(self).__qualname__, self._digest

    @property
    def engine(self) -> _core.gram.LandmarkFeatures:
        """The engine's value of it."""
        return _made(self)


@functools.lru_cache(maxsize=_SPANS_OF_A_FIT)
def _made(span: Span) -> _core.gram.LandmarkFeatures:
    spec = span.kernel._lower(span.landmarks.shape[1]).spec
    return _core.gram.LandmarkFeatures(spec, check_points(span.landmarks, "landmarks").crossing(FLOAT64), _TOLERANCE)
