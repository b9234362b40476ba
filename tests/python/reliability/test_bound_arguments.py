# SPDX-License-Identifier: BSD-3-Clause
"""Arguments of bound functions that are sequences, but no lists or tuples: entries live as long as they are read."""

from __future__ import annotations

import numpy as np
import pytest
from gramian import _core


class Made:
    """A sequence whose entries are made anew each time."""

    def __init__(self, make):
        self.make = make

    def __len__(self):
        return 3

    def __getitem__(self, index):
        if index >= 3:
            raise IndexError
        return self.make(index)


@pytest.mark.parametrize("layers", [np.random.default_rng(0).normal(size=(8, 8)), Made(lambda index: ([], [index]))])
def test_layers(layers):
    for _ in range(20):
        with pytest.raises((TypeError, ValueError, IndexError)):
            _core.autoencoder.Predictor(layers, 4)
