# SPDX-License-Identifier: BSD-3-Clause
"""The session of docs/command_line.md prints what the page says, except for its numbers."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from gramian import cli

PAGE = Path(__file__).parents[3] / "docs/command_line.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def without_numbers(text: str) -> str:
    return re.sub(r"\d+(\.\d+)?", "N", text)


def test_the_session_is_what_happens(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tables,), (session,) = blocks("python"), blocks("console")
    exec(tables, {})
    commands = re.split(r"^\$ gramian ", session, flags=re.MULTILINE)[1:]
    assert len(commands) == 6
    for command in commands:
        line, _, printed = command.partition("\n")
        code = cli.main(shlex.split(line))
        captured = capsys.readouterr()
        assert code == printed.startswith("gramian ")
        assert without_numbers(captured.err) == without_numbers(printed)
        assert captured.out == ""
    written = {path.name for path in tmp_path.iterdir()}
    assert {"answers.csv", "probabilities.parquet", "codes.npy"} <= written
