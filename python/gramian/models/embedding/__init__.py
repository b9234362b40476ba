# SPDX-License-Identifier: BSD-3-Clause
"""Classifiers that learn their kernel."""

from gramian.models.embedding.compression import CompressedClassifier, compress
from gramian.models.embedding.estimator import EmbeddingClassifier

__all__ = ["CompressedClassifier", "EmbeddingClassifier", "compress"]


def __dir__() -> list[str]:
    return list(__all__)
