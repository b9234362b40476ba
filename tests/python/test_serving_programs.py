# SPDX-License-Identifier: BSD-3-Clause
"""Programs in C, in Rust and with ctypes load what Python has saved, and say the same to the last bit."""

from __future__ import annotations

import ctypes
import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import gramian
import numpy as np
import pytest
from scipy import sparse
from stored_models import CASES, NEW, X, stored

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

MODELS = {
    "a classifier": ("classifier, wide", {"predict_proba": "predict_proba", "scores": "embedding"}),
    "a compressed classifier": ("compressed, random_features", {"predict_proba": "predict_proba"}),
    "a regressor": ("regressor", {"predict": "predict", "transform": "transform"}),
    "a deep classifier": ("deep classifier", {"predict_proba": "predict_proba"}),
    "an autoencoder": ("autoencoder, plain", {"transform": "transform"}),
    "a conditional mean": ("embedding, plain", {"predict": "predict"}),
    "a structured output": ("dependency", {"predict": "predict", "scores": "scores"}),
    "an operator-valued ridge": ("operator ridge", {"predict": "predict"}),
    "principal components": ("components, linear above", {"transform": "transform"}),
}
"""Cases, and for each operation the method of the estimator that returns the same numbers."""


@functools.cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="gramian-programs-"))


def run(*command: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    # The program finds the library by the run path it was linked with.
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=300, env=environment)


def compiled(*command: str) -> None:
    result = run(*command)
    assert result.returncode == 0, result.stderr.decode()


@functools.cache
def program(language: str) -> tuple[str, ...]:
    """The command that predicts."""
    library, out = Path(gramian.get_library()), str(folder() / f"predict_{language}")
    if language == "ctypes":
        return sys.executable, str(EXAMPLES / "python" / "serve_ctypes.py")
    if language == "c":
        compiler = shutil.which("cc") or shutil.which("gcc") or pytest.skip("no C compiler on this machine")
        include, source = f"-I{gramian.get_include()}", str(EXAMPLES / "c" / "predict.c")
        compiled(
            compiler,
            "-std=c99",
            "-Wall",
            "-Wextra",
            "-Werror",
            "-pedantic",
            include,
            source,
            "-o",
            out,
            str(library),
            f"-Wl,-rpath,{library.parent}",
        )
        return (out,)
    rust = shutil.which("rustc") or pytest.skip("no Rust compiler on this machine")
    link = f"link-arg=-Wl,-rpath,{library.parent}"
    # The name without a version, which is not there in every installation.
    named = folder() / "libgramian.so"
    if not named.exists():
        named.symlink_to(library)
    source = str(EXAMPLES / "rust" / "predict.rs")
    compiled(rust, "--edition", "2021", source, "-o", out, "-L", str(folder()), "-l", "dylib=gramian", "-C", link)
    return (out,)


@functools.cache
def file_of(case: str) -> str:
    path = str(folder() / case.replace(" ", "-").replace(",", ""))
    stored(case).model.save(path)
    return path


@pytest.mark.skipif(sys.platform == "win32", reason="libraries are found in another way there")
@pytest.mark.parametrize("language", ["c", "ctypes", "rust"])
@pytest.mark.parametrize("name", MODELS)
def test_a_program_says_the_same(language, name):
    case, verbs = MODELS[name]
    model = stored(case).model
    for verb, method in verbs.items():
        result = run(*program(language), file_of(case), verb, stdin=NEW.tobytes())
        assert result.returncode == 0, result.stderr.decode()
        found, wanted = np.frombuffer(result.stdout), getattr(model, method)(NEW)
        np.testing.assert_array_equal(found.reshape(wanted.shape), wanted)


@pytest.mark.skipif(sys.platform == "win32", reason="libraries are found in another way there")
@pytest.mark.parametrize("language", ["c", "ctypes", "rust"])
def test_a_program_says_what_is_wrong(language, tmp_path):
    result = run(*program(language), str(tmp_path / "nothing"), "predict")
    assert result.returncode == 1 and b"nothing" in result.stderr
    (tmp_path / "broken").write_bytes(b"no model at all")
    result = run(*program(language), str(tmp_path / "broken"), "predict")
    assert result.returncode == 1 and b"broken" in result.stderr
    result = run(*program(language), file_of("classifier, wide"), "transform", stdin=NEW.tobytes())
    assert result.returncode == 1 and b"transform" in result.stderr


@pytest.fixture(scope="module")
def library():
    found = ctypes.CDLL(gramian.get_library())
    found.gramian_last_error.restype = found.gramian_version.restype = found.gramian_class_label.restype = (
        ctypes.c_char_p
    )
    found.gramian_inputs.restype = found.gramian_outputs.restype = ctypes.c_int64
    found.gramian_class_label.argtypes = [ctypes.c_void_p, ctypes.c_int64]
    return found


def load(library, case: str) -> ctypes.c_void_p:
    handle = ctypes.c_void_p()
    assert library.gramian_load(file_of(case).encode(), ctypes.byref(handle)) == 0
    return handle


VERBS = {"predict": 0, "predict_proba": 1, "transform": 2, "scores": 4}
SILENT = {"embedding, labels", "embedding, precomputed outputs"}
"""Models whose outputs are no numbers, so that C has nothing to ask them for."""
OF_CALLERS = {"kernel ridge, of scikit-learn"}
"""Their files take values of a kernel that Python has."""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [name for name in CASES if name not in OF_CALLERS])
def test_every_kind_of_file_says_the_same_in_c(library, name):
    case, handle = stored(name), load(library, name)
    numbers = case.new.toarray() if sparse.issparse(case.new) else case.new
    rows = np.ascontiguousarray(numbers, dtype=np.float64)
    compared = 0
    for verb, number in VERBS.items():
        outputs = library.gramian_outputs(handle, number)
        if outputs == 0 or not hasattr(case.model, verb):
            continue
        out = np.empty((len(rows), outputs))
        shape = [ctypes.c_int64(size) for size in rows.shape]
        pointers = [A.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for A in (rows, out)]
        status = library.gramian_apply(handle, number, pointers[0], *shape, pointers[1])
        assert status == 0, library.gramian_last_error()
        wanted = getattr(case.model, verb)(case.new)
        if isinstance(wanted, list):  # of texts, where C has numbers of symbols
            continue
        if verb == "predict" and getattr(case.model, "classes_", None) is not None:
            wanted = np.searchsorted(case.model.classes_, wanted)
        np.testing.assert_array_equal(out.astype(wanted.dtype).reshape(wanted.shape), wanted, err_msg=verb)
        compared += 1
    library.gramian_free(handle)
    assert (compared == 0) == (name in SILENT)


def test_the_version_is_that_of_the_package(library):
    assert library.gramian_version().decode() == gramian.__version__


def test_bytes_in_memory(library):
    data, handle = Path(file_of("regressor")).read_bytes(), ctypes.c_void_p()
    assert library.gramian_load_memory(data, ctypes.c_size_t(len(data)), ctypes.byref(handle)) == 0
    assert library.gramian_inputs(handle, 0) == X.shape[1]
    library.gramian_free(handle)
    assert library.gramian_load_memory(data, ctypes.c_size_t(len(data) - 1), ctypes.byref(handle)) == 3
    assert handle.value is None and library.gramian_last_error()


class Description(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("family", ctypes.c_char_p), ("classes", ctypes.c_int64)]


def test_description_and_labels(library):
    handle, facts = load(library, "classifier, wide"), Description(ctypes.sizeof(Description))
    assert library.gramian_describe(handle, ctypes.byref(facts)) == 0
    assert (facts.family, facts.classes) == (b"embedding", 3)
    labels = [library.gramian_class_label(handle, number) for number in (0, 1, 2, 3, -1)]
    assert labels == [b"high", b"low", b"middle", None, None]
    old = Description(Description.classes.offset, None, 77)  # a program that knows fewer fields
    assert library.gramian_describe(handle, ctypes.byref(old)) == 0 and old.classes == 77
    assert library.gramian_describe(handle, ctypes.byref(Description(3))) == 1
    library.gramian_free(handle)


def test_arguments_that_do_not_fit(library):
    handle, none = load(library, "classifier, wide"), None
    numbers = (ctypes.c_double * 3)(0.0, 0.0, float("nan"))
    out = (ctypes.c_double * 3)()
    rows, columns = ctypes.c_int64, ctypes.c_int64
    assert library.gramian_apply(none, 0, numbers, rows(1), columns(3), out) == 1
    assert library.gramian_apply(handle, 0, none, rows(1), columns(3), out) == 1
    assert library.gramian_apply(handle, 0, numbers, rows(1), columns(2), out) == 1
    assert library.gramian_apply(handle, 0, numbers, rows(-1), columns(3), out) == 1
    assert library.gramian_apply(handle, 4, numbers, rows(1), columns(3), out) == 1
    assert b"finite" in library.gramian_last_error()
    assert library.gramian_apply(handle, 2, numbers, rows(1), columns(3), out) == 2
    assert library.gramian_apply(handle, 99, numbers, rows(1), columns(3), out) == 1
    assert library.gramian_apply(handle, 0, none, rows(0), columns(3), none) == 0
    assert library.gramian_inputs(handle, 99) == 0 and library.gramian_outputs(none, 0) == 0
    assert library.gramian_load(none, ctypes.byref(handle)) == 1
    library.gramian_free(none)
