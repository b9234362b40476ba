# SPDX-License-Identifier: BSD-3-Clause
"""The experiments of the papers, repeated. Importing `bench` first cleans the environment: import this before numpy."""
