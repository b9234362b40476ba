# SPDX-License-Identifier: BSD-3-Clause
"""Fitted estimators as JSON and arrays, and back: the part of a model file that only Python reads."""
