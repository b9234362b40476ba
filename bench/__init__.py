# SPDX-License-Identifier: BSD-3-Clause
"""Benchmarks of gramian against its peers. Importing the package cleans the environment, so import it before numpy."""

from bench.environment import remove_openblas_overrides

CLEANING = remove_openblas_overrides()
