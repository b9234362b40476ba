# SPDX-License-Identifier: BSD-3-Clause
"""Every fitted estimator goes to a file and comes back with the same bits."""

from __future__ import annotations

import os
import pickle

import gramian
import numpy as np
import pytest
from gramian import operators
from gramian.exceptions import ModelFileError
from scipy import sparse
from sklearn.exceptions import NotFittedError
from stored_models import CASES, LABELS, NEW, X, said, stored


def assert_same(found, wanted, what):
    """The same types, shapes and bits."""
    assert type(found) is type(wanted), what
    if sparse.issparse(wanted):
        assert_same(found.toarray(), wanted.toarray(), what)
    elif isinstance(wanted, np.ma.MaskedArray):
        assert_same(found.data, wanted.data, what)
        assert_same(np.ma.getmaskarray(found), np.ma.getmaskarray(wanted), what)
    elif isinstance(wanted, np.ndarray):
        assert found.dtype == wanted.dtype and found.shape == wanted.shape, what
        equal_nan = wanted.dtype.kind == "f"
        assert np.array_equal(found, wanted, equal_nan=equal_nan), what
    elif isinstance(wanted, dict):
        assert found.keys() == wanted.keys(), what
        for name, value in wanted.items():
            assert_same(found[name], value, f"{what}.{name}")
    elif isinstance(wanted, list | tuple):
        assert len(found) == len(wanted), what
        for place, pair in enumerate(zip(found, wanted, strict=True)):
            assert_same(*pair, f"{what}[{place}]")
    elif hasattr(wanted, "_stored_estimator"):
        assert_same(vars(found), vars(wanted), what)
    elif isinstance(wanted, operators.OperatorKernel):
        assert_same(found.get_params(deep=False), wanted.get_params(deep=False), what)
    else:
        assert found == wanted or (found != found and wanted != wanted), what


@pytest.mark.parametrize("name", CASES)
def test_a_file_has_the_bits_of_the_model(name, tmp_path):
    case = stored(name)
    path = tmp_path / "model.gramian"
    case.model.save(path)
    loaded = gramian.load(path)
    assert type(loaded) is type(case.model)
    assert_same(said(case, loaded), said(case, case.model), name)
    assert_same(vars(loaded), vars(case.model), name)
    # A file of the loaded model is the same file.
    again = tmp_path / "again.gramian"
    loaded.save(str(again))
    assert again.read_bytes() == path.read_bytes()
    assert os.listdir(tmp_path) == ["again.gramian", "model.gramian"] or len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize("name", CASES)
def test_the_public_package_reads_it(name, tmp_path):
    from safetensors import safe_open

    path = tmp_path / "model.gramian"
    stored(name).model.save(path)
    with safe_open(path, framework="np") as file:
        assert file.metadata()["format"] == "gramian"
        names = list(file.keys())
        assert all(file.get_tensor(name) is not None for name in names)


def test_arrays_are_stored_once(tmp_path):
    case = stored("embedding, plain")
    case.model.save(tmp_path / "model")
    arrays = (
        case.model.factor_.nbytes + case.model.X_fit_.nbytes + case.model.Y_fit_.nbytes + case.model.dual_coef_.nbytes
    )
    assert (tmp_path / "model").stat().st_size < arrays + 10_000


UNSTORABLE = {
    "a function as kernel": (
        lambda: gramian.EmbeddingClassifier(lambda a, b: float(a @ b), learn=None).fit(X, LABELS),
        "kernel",
    ),
    "objects as outputs": (
        lambda: gramian.ConditionalMeanEmbedding(None, lambda a, b: float(a.real == b.real)).fit(
            X, [complex(round(x)) for x in X[:, 0]]
        ),
        "output_kernel",
    ),
    "a splitter": (
        lambda: gramian.DeepKernelRegressor(cv=_Splitter(), n_init=1, max_iter=3, random_state=0).fit(X, X[:, 0]),
        "cv",
    ),
}


class _Splitter:
    def split(self, X, y=None, groups=None):
        rows = np.arange(len(X))
        yield rows[::2], rows[1::2]

    def get_n_splits(self, *args):
        return 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("what", UNSTORABLE)
def test_what_has_no_place_in_a_file_is_named(what, tmp_path):
    make, name = UNSTORABLE[what]
    model, path = make(), tmp_path / "model"
    path.write_bytes(b"an old file")
    with pytest.raises(TypeError, match=name):
        model.save(path)
    assert path.read_bytes() == b"an old file" and len(os.listdir(tmp_path)) == 1


def test_a_callback_and_a_generator_stay_behind(tmp_path):
    options = {"callback": lambda iteration: None, "random_state": np.random.RandomState(0)}
    model = gramian.EmbeddingClassifier("rbf", max_iter=3, **options).fit(X, LABELS)
    model.save(tmp_path / "model")
    loaded = gramian.load(tmp_path / "model")
    assert loaded.callback is None and loaded.random_state is None
    np.testing.assert_array_equal(loaded.predict_proba(NEW), model.predict_proba(NEW))


def test_an_estimator_without_a_fit_is_not_saved(tmp_path):
    with pytest.raises(NotFittedError):
        gramian.KernelAutoencoder().save(tmp_path / "model")
    assert not os.listdir(tmp_path)


def test_a_subclass_is_no_class_of_files(tmp_path):
    class Own(gramian.EmbeddingClassifier):
        pass

    with pytest.raises(TypeError, match="Own"):
        Own("rbf", learn=None).fit(X, LABELS).save(tmp_path / "model")


def test_paths(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        gramian.load(tmp_path / "nowhere")
    with pytest.raises(OSError, match="no folder"):
        stored("components").model.save(tmp_path / "no folder" / "model")
    (tmp_path / "pickled").write_bytes(pickle.dumps(stored("components").model))
    with pytest.raises(ModelFileError, match=r".+"):
        gramian.load(tmp_path / "pickled")


def test_loaded_arrays_are_the_estimators_own(tmp_path):
    model = stored("classifier, plain").model
    model.save(tmp_path / "model")
    loaded = gramian.load(tmp_path / "model")
    loaded.X_fit_[:] = 0
    assert gramian.load(tmp_path / "model").X_fit_.any()
