# SPDX-License-Identifier: BSD-3-Clause
"""Where the modules of these tests are, whatever pytest's import mode."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
