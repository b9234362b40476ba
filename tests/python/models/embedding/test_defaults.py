# SPDX-License-Identifier: BSD-3-Clause
"""Defaults are those of the engine, and the docstring says so."""

from __future__ import annotations

import ast
import inspect
import re

import pytest
from gramian import EmbeddingClassifier, _core


def test_the_docstring_has_the_defaults():
    found = dict(re.findall(r"^    (\w+) : .*default=(\S+)$", EmbeddingClassifier.__doc__, re.MULTILINE))
    signature = inspect.signature(EmbeddingClassifier).parameters
    assert {"penalty", "max_iter", "tol", "cv", "learning_rate", "patience"} <= found.keys()
    for name, text in found.items():
        assert signature[name].default == ast.literal_eval(text), name


def test_options_of_the_engine_are_structs_with_defaults():
    options = _core.embedding.Options()
    assert isinstance(options.learning, _core.embedding.ValidationSearch)
    assert isinstance(options.learning.solver, _core.embedding.Adam) and options.learning.solver.patience.average == 20
    grid = _core.embedding.Options(learning=_core.embedding.GridSearch(folds=3), lambda_=0.5)
    assert (grid.learning.folds, grid.lambda_, len(grid.learning.scale_grid)) == (3, 0.5, 9)
    with pytest.raises(TypeError, match="no option 'folds'"):
        _core.embedding.Options(folds=3)
    with pytest.raises(TypeError, match="learning must be options of the engine, got 'cv'"):
        _core.embedding.Options(learning="cv")
    with pytest.raises(ValueError, match="risk must be 'sum' or 'mean'"):
        _core.embedding.Options(risk="most")
