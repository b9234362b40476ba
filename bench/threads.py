# SPDX-License-Identifier: BSD-3-Clause
"""One number of threads for everybody, or everybody's own default."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def limited(threads: int | None) -> Iterator[None]:
    """Give gramian, OpenBLAS, OpenMP and torch the same number of threads; do nothing for None."""
    if threads is None:
        yield
        return
    import gramian
    import numpy  # noqa: F401  (its OpenBLAS must be loaded to be limited)
    import scipy.linalg  # noqa: F401
    import sklearn.metrics.pairwise  # noqa: F401
    from threadpoolctl import threadpool_limits

    gramian.set_num_threads(threads)
    try:
        import torch

        torch.set_num_threads(threads)
    except ModuleNotFoundError:
        pass
    try:
        with threadpool_limits(threads):
            yield
    finally:
        gramian.set_num_threads(None)
