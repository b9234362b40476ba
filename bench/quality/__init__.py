# SPDX-License-Identifier: BSD-3-Clause
"""How good models are that nobody has tuned: accuracy and probabilities on public sets, beside peers."""
