# SPDX-License-Identifier: BSD-3-Clause
"""The rows, a file for each topic; bench.registry imports them all."""
