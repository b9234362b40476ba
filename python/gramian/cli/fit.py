# SPDX-License-Identifier: BSD-3-Clause
"""`gramian fit`."""

import argparse
import sys
import time
from typing import Any

import numpy as np

from gramian.cli import tables, words

HELP = "learn a model from a table and write it to a file"
DESCRIPTION = f"""\
Learn a model from a table ({tables.KINDS}; - for CSV on standard input) and write it to a file.

  gramian fit EmbeddingClassifier train.csv --target species -o iris.gramian
  gramian fit KernelRidge houses.parquet --target price --drop id --set kernel=rbf --set alpha=0.1
  gramian fit KernelAutoencoder digits.npy --set "hidden=(5,)"

Columns that are neither targets nor dropped are the features, as they are: they are not scaled.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("model", metavar="MODEL", help="an estimator: KernelRidge, embedding-classifier, ...")
    parser.add_argument("data", metavar="DATA", help="a table with a sample in each row")
    parser.add_argument("-t", "--target", metavar="COLUMN[,...]", help="what is predicted")
    parser.add_argument("--drop", metavar="COLUMN[,...]", default="", help="columns that are left out")
    parser.add_argument(
        "-s", "--set", metavar="NAME=VALUE", action="append", default=[], type=words.assignment, dest="parameters",
        help="a parameter of the estimator; may be given several times",
    )  # fmt: skip
    parser.add_argument("-o", "--output", metavar="FILE", default="model.gramian", help="default: %(default)s")
    parser.add_argument(
        "--holdout", metavar="SHARE", type=float, default=0.0,
        help="print the score of a fit without this share of the rows first, drawn at random",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="of all that is drawn at random; default: 0")
    parser.add_argument("-q", "--quiet", action="store_true", help="print nothing but errors")


def run(options: argparse.Namespace) -> None:
    """Learn a model."""
    tell = _silent if options.quiet else _print
    table = tables.read(options.data)
    targets, features = _columns(table, options)
    y = _outputs(table, targets)
    model = _model(options, y)
    X = tables.matrix_of(table, features, options.data)
    tell(f"{options.data}: {len(X)} samples, {len(features)} features")
    if options.holdout:
        tell(f"score of {_held_out(model, X, y, options)}")
    began = time.perf_counter()
    _fit(model, X, y)
    if all(not name.isdecimal() for name in features):
        model.feature_names_in_ = np.array(features, dtype=object)
    model.save(options.output)
    tell(f"{type(model).__name__} learned in {time.perf_counter() - began:.2f} s, written to {options.output}")


def _print(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _silent(_: str) -> None:
    pass


def _columns(table: tables.Table, options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the names of the targets and of the features."""
    targets, dropped = _names(options.target), _names(options.drop)
    for name in (*targets, *dropped):
        if name not in table:
            raise ValueError(f"{options.data} has no column {name!r}. It has {', '.join(table)}.")
    features = [name for name in table if name not in targets and name not in dropped]
    if not features:
        raise ValueError(f"{options.data} has no column left that is a feature.")
    return targets, features


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()] if text else []


def _outputs(table: tables.Table, targets: list[str]) -> Any:
    if not targets:
        return None
    columns = [table[name] for name in targets]
    return columns[0] if len(columns) == 1 else np.column_stack(columns)


def _model(options: argparse.Namespace, y: Any) -> Any:
    model = words.model_class(options.model)()
    known = model.get_params()
    if "random_state" in known:
        model.set_params(random_state=options.seed)
    if "verbose" in known and sys.stderr.isatty() and not options.quiet:
        model.set_params(verbose=1)
    model.set_params(**dict(options.parameters))
    name, predicts = type(model).__name__, hasattr(model, "predict")
    if predicts and y is None:
        raise ValueError(f"{name} learns to predict: say which column with --target.")
    if not predicts and y is not None:
        raise ValueError(f"{name} predicts nothing: leave out a column with --drop in place of --target.")
    return model


def _fit(model: Any, X: Any, y: Any) -> None:
    model.fit(X) if y is None else model.fit(X, y)


def _held_out(model: Any, X: Any, y: Any, options: argparse.Namespace) -> str:
    """Return the score of rows that a fit has not seen, in words."""
    from sklearn.base import clone

    if not 0 < options.holdout < 1:
        raise ValueError(f"--holdout must be between 0 and 1. Got {options.holdout}.")
    order = np.random.default_rng(options.seed).permutation(len(X))
    kept, seen = np.split(order, [max(1, round(options.holdout * len(X)))])
    if not len(seen):
        raise ValueError(f"--holdout {options.holdout} leaves no sample to learn from.")
    other = clone(model)
    _fit(other, X[seen], None if y is None else y[seen])
    score = other.score(X[kept]) if y is None else other.score(X[kept], y[kept])
    return f"{len(kept)} samples that were held out: {score:.4g}"
