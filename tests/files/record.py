# SPDX-License-Identifier: BSD-3-Clause
"""Model files of a format version, and what their models said: python tests/files/record.py

Run it once for each new format version, and commit the folder that it makes; and once more for a new case, which is
added to the newest folder. Files are never made again: they stand for those that users have.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent


def record(folder: Path) -> None:
    """Write the files of all cases, and what they say that is numbers."""
    from stored_models import KEPT, file_name, said, stored

    folder.mkdir(parents=True, exist_ok=True)
    answers = {}
    if (folder / "answers.npz").is_file():
        with np.load(folder / "answers.npz") as before:
            answers = {key: before[key] for key in before.files}
    for name in KEPT:
        if (folder / f"{file_name(name)}.gramian").exists():
            continue
        case = stored(name)
        case.model.save(folder / f"{file_name(name)}.gramian")
        for method, found in said(case, case.model).items():
            if isinstance(found, np.ndarray) and found.dtype.kind in "fiu":
                answers[f"{file_name(name)}.{method}"] = found
    np.savez_compressed(folder / "answers.npz", **answers)


if __name__ == "__main__":
    sys.path.insert(0, str(HERE.parent / "python"))
    from gramian import _core
    from stored_models import KEPT, stored

    version = _core.serving.document(stored(KEPT[0]).model._predictor).texts["format_version"]
    record(HERE / version)
    print(f"tests/files/{version}: {sum(path.stat().st_size for path in (HERE / version).iterdir())} bytes")
