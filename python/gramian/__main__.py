# SPDX-License-Identifier: BSD-3-Clause
"""`python -m gramian`."""

import sys

from gramian.cli import main

sys.exit(main())
