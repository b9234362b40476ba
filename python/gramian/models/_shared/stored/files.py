# SPDX-License-Identifier: BSD-3-Clause
"""Files of fitted models."""

import os
from typing import Any

from gramian import _core
from gramian.exceptions import ModelFileError
from gramian.models._shared.stored.encode import Encoder
from gramian.models._shared.stored.estimators import estimator_of, text_of
from gramian.models._shared.stored.predictor import Predictor

FilePath = str | os.PathLike[str]
PYTHON = "python"
"""The text of a file that only Python reads."""


def save(estimator: Any, path: FilePath) -> None:
    """Write a fitted estimator to a file; the path has the old file or the new one, whatever happens."""
    value = estimator._predictor
    try:
        document = _core.serving.document(value)
    except ValueError as error:
        raise TypeError(f"{type(estimator).__name__} can't be stored: {error}") from error
    arrays = document.arrays
    encoder = Encoder([(name, array.ctypes.data, array.shape) for name, array in arrays.items()])
    texts = {**document.texts, PYTHON: text_of(estimator, encoder)}
    # Everything that can't be stored is refused before anything is written.
    _core.io.write_document(os.fspath(path), texts, {**arrays, **encoder.arrays})


def load(path: FilePath) -> Any:
    """
    Load a fitted model from a file.

    A file can't run code: anybody's may be loaded. It is validated as a whole before it is used.

    Parameters
    ----------
    path : str or path-like
        A file that ``save`` of an estimator, or the library in C++, has written.

    Returns
    -------
    estimator
        The estimator that was saved, whose methods return the same bits; a `gramian.Predictor` for a model that
        was trained and saved in C++.

    Raises
    ------
    ModelFileError
        If the file is no model, is damaged or inconsistent, or is of a newer version; the message says where.
    OSError
        If the file can't be read.

    Examples
    --------
    >>> import gramian, os, tempfile
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = gramian.EmbeddingClassifier(learn="median").fit(X, y)
    >>> path = os.path.join(tempfile.mkdtemp(), "iris.gramian")
    >>> model.save(path)
    >>> bool((gramian.load(path).predict_proba(X) == model.predict_proba(X)).all())
    True
    """
    document = _core.io.read_document(os.fspath(path))
    try:
        text = document.texts.get(PYTHON)
        value = _core.serving.model(document)
        return Predictor(value) if text is None else estimator_of(text, document.arrays)
    except ModelFileError as error:
        raise ModelFileError(f"{os.fspath(path)}: {error}") from error
