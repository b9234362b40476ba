# SPDX-License-Identifier: BSD-3-Clause
"""LAPACK on one thread: others of its own would spin on when it is done, and take the processors from the engine's."""

from __future__ import annotations

import contextlib
import functools
import threading
from collections.abc import Iterator
from typing import Any


class _Limit:
    """A limit for the whole process: the first who wants it sets it, the last one takes it back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._limiter: Any = None

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """Keep the limit while the block runs."""
        with self._lock:
            controller = _controller()
            if self._users == 0 and controller is not None:
                self._limiter = controller.limit(limits=1, user_api="blas")
            self._users += 1
        try:
            yield
        finally:
            with self._lock:
                self._users -= 1
                if self._users == 0 and self._limiter is not None:
                    self._limiter.restore_original_limits()
                    self._limiter = None


@functools.cache
def _controller() -> Any:
    """Return what sets the number of LAPACK's threads, which scikit-learn brings with it."""
    try:
        from threadpoolctl import ThreadpoolController
    except ImportError:
        return None
    return ThreadpoolController()


one_thread = _Limit().hold

__all__ = ["one_thread"]
