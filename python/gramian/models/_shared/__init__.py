# SPDX-License-Identifier: BSD-3-Clause
"""What several families need: checks, samples, landmarks, progress."""
