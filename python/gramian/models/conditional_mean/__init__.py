# SPDX-License-Identifier: BSD-3-Clause
"""Conditional mean embeddings."""

from gramian.models.conditional_mean.estimator import ConditionalMeanEmbedding

__all__ = ["ConditionalMeanEmbedding"]


def __dir__() -> list[str]:
    return list(__all__)
