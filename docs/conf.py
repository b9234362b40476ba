# SPDX-License-Identifier: BSD-3-Clause
"""Settings of the documentation. Build with `make docs`; the package must be installed, as its own lists are shown."""

import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tools")]

import cpp_reference  # noqa: E402  (found through the line above)
import kernel_table  # noqa: E402

kernel_table.write(HERE / "_generated" / "kernels.md")
cpp_reference.write(HERE / "_generated" / "cpp")

VERSION_HEADER = HERE.parent / "cpp" / "include" / "gramian" / "version.hpp"
release = re.search(r'GRAMIAN_VERSION "([^"]+)"', VERSION_HEADER.read_text(encoding="utf-8")).group(1)
version = release

project = "gramian"
author = "The gramian developers"
copyright = "2026, The gramian developers"

extensions = ["mathml", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist", "dollarmath", "substitution"]
myst_substitutions = {"release": release}
myst_heading_anchors = 3
exclude_patterns = ["_generated/kernels.md"]  # included by kernels.md

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the numpydoc sections state types with shapes
napoleon_google_docstring = False
napoleon_use_rtype = False

html_math_renderer = "mathml"
html_theme = "furo"
html_title = f"gramian {release}"
html_static_path = ["_static"]
html_css_files = ["gramian.css"]
html_show_sphinx = False
pygments_style = "friendly"
pygments_dark_style = "native"
