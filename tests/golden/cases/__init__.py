# SPDX-License-Identifier: BSD-3-Clause
"""
All cases by name: functions without arguments that return arrays by name.

They use what is public alone, so that they outlive what is moved below it.
"""

from __future__ import annotations

from cases import autoencoders, deep_pca, deep_regression, embeddings, kernels, pieces, structured
from cases.registry import CASES

__all__ = ["CASES", "autoencoders", "deep_pca", "deep_regression", "embeddings", "kernels", "pieces", "structured"]
