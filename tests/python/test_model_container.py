# SPDX-License-Identifier: BSD-3-Clause
"""The container of model files beside the package safetensors, and on disks that refuse."""

from __future__ import annotations

import errno
import json
import struct
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gramian import _core
from gramian.exceptions import ModelFileError
from safetensors import safe_open
from safetensors.numpy import load_file, save, save_file

io = _core.io


def arrays(rng: np.random.Generator) -> dict[str, np.ndarray]:
    return {
        "weights": rng.standard_normal((3, 4)),
        "small": rng.standard_normal(5).astype(np.float32),
        "labels": np.array([-1, 2**62], dtype=np.int64),
        "rows": np.array([[7], [-8]], dtype=np.int32),
        "bytes": np.arange(3, dtype=np.uint8),
        "mask": np.array([True, False, True]),
        "none": np.empty((0, 3)),
        "é": np.array(0.1),
    }


TEXTS = {"format": "test", "model": json.dumps({"names": ['a"\n', "é", "😀"]}, ensure_ascii=False)}


def check_arrays(found: dict[str, np.ndarray], wanted: dict[str, np.ndarray]) -> None:
    assert found.keys() == wanted.keys()
    for name, array in wanted.items():
        assert found[name].dtype == array.dtype
        assert found[name].shape == array.shape
        assert found[name].tobytes() == array.tobytes()


def test_ours_is_read_by_safetensors(rng, tmp_path):
    path = tmp_path / "model"
    wanted = arrays(rng)
    io.write_document(path, TEXTS, wanted)
    check_arrays(load_file(path), wanted)
    with safe_open(path, framework="numpy") as file:
        assert file.metadata() == TEXTS
        check_arrays({name: file.get_tensor(name) for name in file.keys()}, wanted)  # noqa: SIM118


def test_safetensors_is_read_by_us(rng, tmp_path):
    wanted = arrays(rng)
    save_file(wanted, tmp_path / "model", metadata=TEXTS)
    document = io.read_document(tmp_path / "model")
    assert document.texts == TEXTS
    check_arrays(document.arrays, wanted)
    check_arrays(io.parse_document(save(wanted)).arrays, wanted)


def test_arrays_are_views_that_nobody_may_change(rng, tmp_path):
    wanted = arrays(rng)
    io.write_document(tmp_path / "model", TEXTS, wanted)
    found = io.read_document(tmp_path / "model").arrays
    check_arrays(found, wanted)
    with pytest.raises(ValueError, match="read-only"):
        found["weights"][0, 0] = 1.0


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"[]", "header, byte 8: '{' is missing"),
        (b'{"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]}}', "dtype 'F16' is none of F64, F32"),
        (b'{"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}}', "tensor 'a' ends at byte 4 of the data"),
    ],
)
def test_an_error_is_one_class_and_names_the_file(header, message, tmp_path):
    path = tmp_path / "model"
    path.write_bytes(struct.pack("<Q", len(header)) + header)
    with pytest.raises(ModelFileError) as caught:
        io.read_document(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_what_the_system_refuses_is_an_os_error_with_number_and_path(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        io.read_document(tmp_path / "none")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(tmp_path / "none"))
    with pytest.raises(FileNotFoundError) as caught:
        io.write_document(str(tmp_path / "none" / "é"), {}, {})
    assert caught.value.filename == str(tmp_path / "none" / "é")
    with pytest.raises(OSError, match=r".") as raised:
        io.write_document(tmp_path, {}, {})
    assert raised.value.errno in (errno.EISDIR, errno.EACCES)


def test_wrong_arrays_are_refused(rng, tmp_path):
    for wrong in (np.zeros((3, 4)).T, np.zeros(3, dtype=np.complex128), np.zeros(3, dtype=">f8")):
        with pytest.raises(TypeError, match="a must be contiguous, with dtype"):
            io.write_document(tmp_path / "model", {}, {"a": wrong})
    assert list(tmp_path.iterdir()) == []


REFUSED = """
import os
from gramian import _core
if os.geteuid() == 0:
    os.setuid(65534)  # root may write everywhere
try:
    _core.io.write_document(os.environ["FOLDER"] + "/model", {"text": "new"}, {})
except PermissionError as error:
    print(error.errno, error.filename)
"""


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody may enter, as pytest's are not."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.mark.parametrize(("folder_mode", "file_mode"), [(0o555, 0o666), (0o777, 0o444)])
def test_a_folder_or_a_file_that_is_read_only(folder_mode, file_mode, open_folder, run_python):
    folder = open_folder / "folder"
    folder.mkdir()
    io.write_document(folder / "model", {"text": "old"}, {})
    (folder / "model").chmod(file_mode)
    folder.chmod(folder_mode)
    result = run_python(REFUSED, FOLDER=str(folder))
    assert result.stdout.split() == [str(errno.EACCES), str(folder / "model")], result.stderr
    assert io.read_document(folder / "model").texts == {"text": "old"}
    assert [path.name for path in folder.iterdir()] == ["model"]
    folder.chmod(0o777)


FULL = """
import os, resource
import numpy as np
from gramian import _core
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
for texts, arrays in ({"text": "x" * 200_000}, {}), ({}, {"a": np.zeros(20_000)}):
    try:
        _core.io.write_document(os.environ["FOLDER"] + "/model", texts, arrays)
    except OSError as error:
        print(error.errno, error.filename)
"""


def test_a_file_that_may_not_grow(tmp_path, run_python):
    io.write_document(tmp_path / "model", {"text": "old"}, {})
    result = run_python(FULL, FOLDER=str(tmp_path))
    assert result.stdout.split() == [str(errno.EFBIG), str(tmp_path / "model")] * 2, result.stderr
    assert io.read_document(tmp_path / "model").texts == {"text": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["model"]


# A child saves one version over the other until it is killed; the file must be one of them, as a whole.
KILLED = """
import os, random, signal, time
from pathlib import Path
import numpy as np
from gramian import _core

folder = Path(os.environ["FOLDER"])
path = folder / "model"
draw = random.Random(0)

def save(version):
    _core.io.write_document(path, {"version": str(version)}, {"a": np.full(20_000, float(version))})

save(0)
found, halves = set(), 0
for kill in range(200):
    child = os.fork()
    if child == 0:
        for version in range(1000):
            save(version)
        os._exit(0)
    time.sleep(draw.uniform(0.0, 0.02))
    os.kill(child, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    document = _core.io.read_document(path)
    version = float(document.texts["version"])
    assert (document.arrays["a"] == version).all() and document.arrays["a"].shape == (20_000,)
    found.add(version)
    for left in folder.glob(".gramian-*.tmp"):
        left.unlink()
        halves += 1
    assert list(folder.iterdir()) == [path]
print(len(found) > 1, halves > 0)
"""


def test_a_process_that_is_killed_while_it_saves_leaves_one_version(tmp_path, run_python):
    result = run_python(KILLED, FOLDER=str(tmp_path))
    assert result.stdout.split() == ["True", "True"], result.stderr
