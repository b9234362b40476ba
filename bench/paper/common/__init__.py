# SPDX-License-Identifier: BSD-3-Clause
"""What the experiments of several papers use."""
