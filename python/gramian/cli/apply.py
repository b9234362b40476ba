# SPDX-License-Identifier: BSD-3-Clause
"""`gramian apply`."""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from gramian.cli import tables

HELP = "apply a model of a file to a table"
DESCRIPTION = f"""\
Apply a model of a file to a table ({tables.KINDS}; - for CSV on standard input).

  gramian apply iris.gramian new.csv
  gramian apply iris.gramian new.csv --method predict_proba --append -o answers.csv
  cat new.csv | gramian apply codes.gramian - > codes.csv

Features are found by their names, if the model was learned from a table that has names. Other columns may stand
beside them.
"""
_METHODS = ("predict", "transform", "predict_proba", "decision_function", "inverse_transform")
_COLUMNS = {"predict": "prediction", "predict_proba": "probability", "decision_function": "decision"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("model", metavar="FILE", help="what gramian fit, or save() of an estimator, has written")
    parser.add_argument("data", metavar="DATA", help="a table with a sample in each row")
    parser.add_argument("-m", "--method", choices=_METHODS, help="default: predict, or transform of models without it")
    parser.add_argument("-o", "--output", metavar="FILE", help="default: CSV on standard output")
    parser.add_argument("--append", action="store_true", help="write the columns of DATA too, before the answers")


def run(options: argparse.Namespace) -> None:
    """Apply a model."""
    import gramian

    model = gramian.load(options.model)
    table = tables.read(options.data)
    method = options.method or ("predict" if hasattr(model, "predict") else "transform")
    if not hasattr(model, method):
        raise ValueError(f"{options.model} holds {type(model).__name__}, which has no {method}.")
    X = tables.matrix_of(table, _features(model, table, options.data), options.data)
    answers = _named(model, method, np.asarray(getattr(model, method)(X)))
    tables.write({**table, **answers} if options.append else answers, options.output)


def _features(model: Any, table: tables.Table, path: str) -> list[str]:
    """Return the columns that the model was learned from, in its order."""
    names = vars(model).pop("feature_names_in_", None)  # scikit-learn would look for names in X, and X is an array
    if names is None:
        return list(table)
    missing = [str(name) for name in names if name not in table]
    if missing:
        raise ValueError(f"{path} lacks the columns {', '.join(missing)}, which the model was learned from.")
    return [str(name) for name in names]


def _named(model: Any, method: str, answers: npt.NDArray[Any]) -> tables.Table:
    """Return answers as columns with names."""
    if answers.ndim == 1:
        return {_COLUMNS.get(method, method): answers}
    return dict(zip(_names(model, method, answers.shape[1]), answers.T, strict=True))


def _names(model: Any, method: str, count: int) -> list[str]:
    if method == "transform" and hasattr(model, "get_feature_names_out"):
        return [str(name) for name in model.get_feature_names_out()]
    stem, classes = _COLUMNS.get(method, "feature"), getattr(model, "classes_", ())
    each = classes if len(classes) == count else range(count)
    return [f"{stem}_{one}" for one in each]
