# SPDX-License-Identifier: BSD-3-Clause
"""Regression and classification on many rows: time, memory and error, beside peers that get as much time."""
