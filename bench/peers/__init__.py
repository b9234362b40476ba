# SPDX-License-Identifier: BSD-3-Clause
"""How gramian and its peers are called: each function imports its library, prepares, and returns what is timed."""
