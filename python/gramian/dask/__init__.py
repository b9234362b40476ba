# SPDX-License-Identifier: BSD-3-Clause
"""
Estimators for dask arrays and dataframes, whose rows need not fit into the memory of one machine.

It needs dask: ``pip install 'gramian[dask]'``. Computations run where those of dask do: on the workers of the active
``distributed.Client``, or by a scheduler within this process.
"""

try:
    import dask.array as _array
except ImportError as error:
    raise ImportError("gramian.dask needs dask: pip install 'gramian[dask]'.") from error

from gramian.dask.blocks import apply
from gramian.dask.classifier import EmbeddingClassifier
from gramian.dask.dependency import DependencyRegressor
from gramian.dask.embedding import ConditionalMeanEmbedding
from gramian.dask.pca import DeepKernelPCA
from gramian.dask.ridge import KernelRidge

__all__ = [
    "ConditionalMeanEmbedding",
    "DeepKernelPCA",
    "DependencyRegressor",
    "EmbeddingClassifier",
    "KernelRidge",
    "apply",
]

del _array


def __dir__() -> list[str]:
    return list(__all__)
