# SPDX-License-Identifier: BSD-3-Clause
"""The page on fits: which estimator takes what."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import gramian


def test_the_table_of_the_page_is_that_of_the_estimators():
    page = (Path(__file__).parents[2] / "docs/fits.md").read_text()
    rows = [line.strip("|").split("|") for line in page.splitlines() if re.match(r"\| `\w+` \| (yes|no: )", line)]
    said = {cells[0].strip(" `"): [cell.strip() == "yes" for cell in cells[1:]] for cells in rows}
    found = {}
    for name in gramian.__all__:
        cls = getattr(gramian, name)
        if hasattr(cls, "get_params"):
            words = {*inspect.signature(cls).parameters, *inspect.signature(cls.fit).parameters}
            watched = {"callback", "verbose", "max_time", "checkpoint"}
            assert watched <= words or not watched & words
            found[name] = [watched <= words, *(word in words for word in ("warm_start", "n_init", "sample_weight"))]
    assert said == found
