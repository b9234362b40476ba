# SPDX-License-Identifier: BSD-3-Clause
"""The environment variable of the memory limit: what a person means is understood, and nothing is ignored."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
from gramian import _core
import gramian
try:
    gramian.gram("linear", [[1.0], [2.0]])
    print(_core.base.memory_report().limit)
except ValueError as error:
    print(error)
"""


def said_with(value):
    environment = {**os.environ, "GRAMIAN_MEMORY_LIMIT": value}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize("value", ["8G", "8GB", " 8 GiB "])
def test_sizes_as_they_are_written(value):
    assert said_with(value) == str(8 * 2**30)


@pytest.mark.parametrize("value", ["1e3", "a lot"])
def test_what_is_no_size_is_an_error_that_names_the_variable(value):
    said = said_with(value)
    assert said.startswith("the environment variable GRAMIAN_MEMORY_LIMIT must be a number of bytes") and value in said
