# SPDX-License-Identifier: BSD-3-Clause
"""The experiments of [DKL]."""
