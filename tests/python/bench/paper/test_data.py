# SPDX-License-Identifier: BSD-3-Clause
"""Data for the papers' experiments is found, checked, had from elsewhere, or missed with one line that says so."""

from __future__ import annotations

import hashlib
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import sklearn.datasets

from bench.paper.common import data
from bench.paper.common.sets import SETS, DataSet


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(data.VARIABLE, str(tmp_path))
    return tmp_path


@pytest.fixture
def no_network(monkeypatch):
    def refuse(*_, **__):
        raise OSError("no network in this test")

    for name in ("fetch_openml", "fetch_covtype", "fetch_olivetti_faces"):
        monkeypatch.setattr(sklearn.datasets, name, refuse)


def put(folder: Path, monkeypatch: pytest.MonkeyPatch, name: str = "toy", elsewhere: str = "") -> None:
    np.savez(folder / f"{name}.npz", X=np.arange(6.0).reshape(3, 2), y=np.array([0, 1, 1]))
    sha256 = hashlib.sha256((folder / f"{name}.npz").read_bytes()).hexdigest()
    monkeypatch.setitem(SETS, name, DataSet(name, sha256, "A toy", "Nowhere", elsewhere, (3, 2)))


def test_a_file_gives_its_arrays(folder, monkeypatch):
    put(folder, monkeypatch)
    toy = data.load("toy")
    np.testing.assert_array_equal(toy.X, np.arange(6.0).reshape(3, 2))
    assert toy.origin == "toy.npz"
    assert data.missing(["toy", "digits"]) == []


def test_another_file_of_the_same_name_is_refused(folder, monkeypatch):
    put(folder, monkeypatch)
    np.savez(folder / "toy.npz", X=np.zeros((3, 2)), y=np.zeros(3))
    with pytest.raises(data.WrongChecksum, match="is not the file of toy") as caught:
        data.load("toy")
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, data.DataError)


def test_a_missing_file_is_named_in_one_line(folder):
    with pytest.raises(data.MissingSet) as caught:
        data.load("nci1")
    message = str(caught.value)
    assert "\n" not in message
    assert all(part in message for part in ("nci1.npz", str(folder), "TUDataset", SETS["nci1"].sha256))
    assert isinstance(caught.value, FileNotFoundError)
    assert data.missing(["nci1", "wine", "mnist", "iris"]) == ["nci1"]


def test_without_a_folder_the_line_says_how_to_name_one(tmp_path, monkeypatch):
    monkeypatch.setenv(data.VARIABLE, str(tmp_path / "absent"))
    with pytest.raises(data.MissingSet, match="set GRAMIAN_DATA to a folder"):
        data.load("mutag")


def test_the_folder_beside_the_checkout_is_the_default(tmp_path, monkeypatch):
    monkeypatch.delenv(data.VARIABLE, raising=False)
    monkeypatch.setattr(data, "BESIDE_CHECKOUT", tmp_path)
    assert data.folder() == tmp_path
    monkeypatch.setattr(data, "BESIDE_CHECKOUT", tmp_path / "absent")
    assert data.folder() is None


def test_an_unknown_name_is_refused_with_the_list():
    with pytest.raises(data.UnknownSet, match=r"no set 'cifar'.*digits.*yeast"):
        data.load("cifar")


def test_what_scikit_learn_has_comes_from_there(folder):
    wine = data.load("wine")
    assert wine.X.shape == (178, 13) and wine.origin == "scikit-learn, load_wine"
    assert data.load("digits").X.shape == (1797, 64)


def test_what_openml_has_comes_from_there_with_integers_for_words(folder, monkeypatch):
    asked = []

    def fetch(name, version, **_):
        asked.append((name, version))
        return SimpleNamespace(data=np.zeros((1372, 4)), target=np.array(["b", "a"] * 686, dtype=object))

    monkeypatch.setattr(sklearn.datasets, "fetch_openml", fetch)
    banknote = data.load("banknote")
    assert asked == [("banknote-authentication", 1)]
    assert banknote.y[:2].tolist() == [1, 0] and banknote.origin == "OpenML, banknote-authentication"


def test_another_set_of_the_same_name_on_openml_is_not_taken(folder, monkeypatch):
    found = SimpleNamespace(data=np.zeros((100, 4)), target=np.zeros(100))
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda *_, **__: found)
    with pytest.raises(data.MissingSet, match="banknote"):
        data.load("banknote")


@pytest.mark.parametrize("name", ["banknote", "covtype", "olivetti_faces"])
def test_no_network_is_a_missing_file(folder, no_network, name):
    with pytest.raises(data.MissingSet, match=f"{name}.npz"):
        data.load(name)


def test_downloads_can_be_refused(folder, monkeypatch):
    monkeypatch.setattr(sklearn.datasets, "fetch_openml", lambda *_, **__: pytest.fail("asked the network"))
    monkeypatch.setattr(sklearn.datasets, "fetch_covtype", lambda *_, **__: pytest.fail("asked the network"))
    for name in ("banknote", "covtype"):
        with pytest.raises(data.MissingSet):
            data.load(name, download=False)
    assert data.load("wine", download=False).X.shape == (178, 13)


def test_every_set_names_its_source_and_a_checksum():
    assert len(SETS) >= 38
    for name, one in SETS.items():
        assert one.name == name and one.what and one.source
        assert len(one.sha256) == 64 and set(one.sha256) <= set("0123456789abcdef")
        assert bool(one.elsewhere) == (one.shape is not None)
        assert one.elsewhere.partition(":")[0] in {"", "sklearn", "openml"}
        if one.elsewhere.startswith("sklearn:"):
            assert hasattr(sklearn.datasets, one.elsewhere.partition(":")[2])
    assert len({one.sha256 for one in SETS.values()}) == len(SETS)


def test_bits_are_unpacked():
    packed = np.array([[0b10000001, 0b01000000]], dtype=np.uint8)
    np.testing.assert_array_equal(data.unpack_bits(packed, bits=10), [[1, 0, 0, 0, 0, 0, 0, 1, 0, 1]])
