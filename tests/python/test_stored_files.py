# SPDX-License-Identifier: BSD-3-Clause
"""Files of all format versions are loaded for ever, and say what they said."""

from __future__ import annotations

from pathlib import Path

import gramian
import numpy as np
import pytest
from stored_models import KEPT, file_name, said, stored

FILES = Path(__file__).resolve().parents[1] / "files"

VERSIONS = sorted(path.name for path in FILES.iterdir() if (path / "answers.npz").is_file())


def test_there_are_files():
    assert "1.0" in VERSIONS


PAIRS = [
    (version, name)
    for version in VERSIONS
    for name in KEPT
    if (FILES / version / f"{file_name(name)}.gramian").is_file()
]


def test_the_newest_version_has_all_cases():
    assert [name for version, name in PAIRS if version == VERSIONS[-1]] == list(KEPT)


@pytest.mark.parametrize(("version", "name"), PAIRS)
def test_a_file_of_an_older_library_says_the_same(version, name):
    model = gramian.load(FILES / version / f"{file_name(name)}.gramian")
    found = said(stored(name)._replace(model=model), model)
    with np.load(FILES / version / "answers.npz") as answers:
        own = {key.split(".")[1]: answers[key] for key in answers.files if key.split(".")[0] == file_name(name)}
    assert own or name == "dependency, sequences"
    for method, wanted in own.items():
        # Other processors sum in another order.
        np.testing.assert_allclose(found[method], wanted, rtol=1e-8, atol=1e-9, err_msg=method)
