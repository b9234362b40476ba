# SPDX-License-Identifier: BSD-3-Clause
"""Every program of docs/large_n.md, from the page's own text, one after another in one folder."""

from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "large_n.md"
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_every_block_of_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed = []
    for language, code in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        assert language == "python", f"a block of {language!r} that nobody runs"
        exec(compile(code, PAGE.name, "exec"), names)
        printed.append(capsys.readouterr().out.split())
    fitted, chosen, by_cells, streamed = printed
    assert fitted[:2] == ["landmarks", "True"]
    # The noise is 0.1, the deviation of the targets about 1.2.
    assert all(0.1 <= float(error) < 0.5 for error in (fitted[2], chosen[2], by_cells[0], streamed[0]))
