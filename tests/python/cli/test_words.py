# SPDX-License-Identifier: BSD-3-Clause
"""Names of models, and values of parameters, as they are written in a terminal."""

from __future__ import annotations

import argparse

import gramian
import pytest
from gramian.cli import words
from gramian.kernels import Gaussian, Matern


def test_models_have_their_names_in_any_spelling():
    for name in words.model_names():
        for spelled in (name, name.lower(), f"{name[:6]}-{name[6:]}", f"{name[:6]}_{name[6:]}".lower()):
            assert words.model_class(spelled) is getattr(gramian, name)
    with pytest.raises(ValueError, match="There is no model 'SVC'"):
        words.model_class("SVC")


@pytest.mark.parametrize(
    "text, value",
    [
        ("a=1", 1),
        ("a=1e-3", 1e-3),
        ("a=None", None),
        ("a=True", True),
        ("a=(2, 3)", (2, 3)),
        ("a=rbf", "rbf"),
        ("a='rbf'", "rbf"),
        ("a=x=y", "x=y"),
        ("a=", ""),
    ],
)
def test_values_are_literals_or_else_texts(text, value):
    assert words.assignment(text) == ("a", value)


def test_kernels_may_have_parameters():
    assert words.assignment("kernel=Gaussian(gamma=2.0)")[1].get_params() == Gaussian(gamma=2.0).get_params()
    assert words.assignment("kernel=Matern(nu=1.5)")[1].get_params() == Matern(nu=1.5).get_params()


@pytest.mark.parametrize("text", ["a=open('x')", "a=__import__('os')", "a=Kernel.__init__()", "b", "=1"])
def test_nothing_else_is_called(text):
    with pytest.raises(argparse.ArgumentTypeError):
        words.assignment(text)
