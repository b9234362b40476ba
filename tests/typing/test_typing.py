# SPDX-License-Identifier: BSD-3-Clause
"""mypy and pyright on programs of users, beside the installed package: `make lint` runs this."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def errors_of_mypy(file):
    command = [sys.executable, "-m", "mypy", "--config-file", str(HERE / "mypy.ini"), "--no-error-summary"]
    lines = _output([*command, "--show-column-numbers", str(file)]).splitlines()
    found = [line.removeprefix(str(file)).split(":", 4) for line in lines]
    return [(int(number), text) for _, number, _, kind, text in found if kind.strip() == "error"]


def errors_of_pyright(file):
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    report = json.loads(_output([*command, str(file)]))
    return [
        (entry["range"]["start"]["line"] + 1, entry["message"])
        for entry in report["generalDiagnostics"]
        if entry["severity"] == "error"
    ]


def _output(command):
    result = subprocess.run(command, cwd=HERE, capture_output=True, text=True, timeout=600, check=False)
    assert result.returncode in (0, 1), result.stdout + result.stderr
    return result.stdout


TOOLS = [errors_of_mypy, errors_of_pyright]


@pytest.mark.parametrize("errors", TOOLS)
def test_a_program_without_mistakes_has_no_error(errors):
    assert errors(HERE / "user_script.py") == []


@pytest.mark.parametrize("errors", TOOLS)
def test_each_mistake_is_found(errors):
    file = HERE / "typos.py"
    marked = [number for number, line in enumerate(file.read_text().splitlines(), 1) if "# error:" in line]
    assert len(marked) == 6
    assert sorted({number for number, _ in errors(file)}) == marked
