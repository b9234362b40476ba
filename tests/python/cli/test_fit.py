# SPDX-License-Identifier: BSD-3-Clause
"""`gramian fit` and `gramian apply`: what they write is what the estimators answer."""

from __future__ import annotations

import csv
import io
import sys

import gramian
import numpy as np
import pytest
from gramian import cli
from sklearn.datasets import load_iris

NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]


@pytest.fixture
def flowers(tmp_path, monkeypatch):
    """Flowers in train.csv and new.csv, in the folder that the test is in."""
    monkeypatch.chdir(tmp_path)
    iris = load_iris()
    for name, rows in (("train.csv", slice(0, None, 2)), ("new.csv", slice(1, None, 2))):
        with open(name, "w", newline="") as file:
            writer = csv.writer(file)
            writer.writerow([*NAMES, "species"])
            writer.writerows(
                [*x, iris.target_names[c]] for x, c in zip(iris.data[rows], iris.target[rows], strict=True)
            )
    return iris.data[::2], iris.target_names[iris.target[::2]], iris.data[1::2], iris.target_names[iris.target[1::2]]


def run(line: str) -> int:
    return cli.main(line.split())


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_classifier_is_the_one_of_python(flowers, capsys):
    X, y, new, _ = flowers
    assert run("fit EmbeddingClassifier train.csv --target species --seed 3 -o iris.gramian") == 0
    expected = gramian.EmbeddingClassifier(random_state=3).fit(X, y)
    assert run("apply iris.gramian new.csv") == 0
    assert [row["prediction"] for row in rows_of(capsys.readouterr().out)] == expected.predict(new).tolist()
    assert run("apply iris.gramian new.csv --method predict_proba") == 0
    rows = rows_of(capsys.readouterr().out)
    assert list(rows[0]) == [f"probability_{name}" for name in expected.classes_]
    values = np.array([list(map(float, row.values())) for row in rows])
    np.testing.assert_array_equal(values, expected.predict_proba(new))


def test_columns_are_found_by_their_names(flowers, capsys):
    assert run("fit kernel-ridge train.csv -t petal_width --drop species -s kernel=rbf -s alpha=0.1 -o m.gramian") == 0
    assert run("apply m.gramian new.csv") == 0
    whole = capsys.readouterr().out
    with open("new.csv") as file:
        rows = list(csv.DictReader(file))
    with open("turned.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, ["petal_length", "species", "sepal_width", "sepal_length"], extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
    assert run("apply m.gramian turned.csv") == 0
    assert capsys.readouterr().out == whole
    assert run("apply m.gramian turned.csv --append") == 0
    assert list(rows_of(capsys.readouterr().out)[0])[-1] == "prediction"


def test_a_missing_column_is_named(flowers, capsys):
    run("fit KernelRidge train.csv -t petal_width --drop species -o m.gramian")
    with open("narrow.csv", "w") as file:
        file.write("sepal_length,petal_length\n1,2\n")
    assert run("apply m.gramian narrow.csv") == 1
    assert capsys.readouterr().err.splitlines()[-1] == (
        "gramian apply: narrow.csv lacks the columns sepal_width, which the model was learned from."
    )


def test_codes_have_names_and_kernels_have_parameters(flowers, capsys):
    parameters = "--set hidden=(2,) --set kernels=Gaussian(gamma=0.5)"
    assert run(f"fit KernelAutoencoder train.csv --drop species {parameters} -o codes.gramian --quiet") == 0
    assert capsys.readouterr().err == ""
    assert run("apply codes.gramian new.csv -o codes.npy") == 0
    X, _, new, _ = flowers
    kernel = gramian.kernels.Gaussian(gamma=0.5)
    expected = gramian.KernelAutoencoder(hidden=(2,), kernels=kernel, random_state=0).fit(X)
    np.testing.assert_array_equal(np.load("codes.npy"), expected.transform(new))
    assert run("apply codes.gramian new.csv") == 0
    assert list(rows_of(capsys.readouterr().out)[0]) == ["kernelautoencoder0", "kernelautoencoder1"]


def test_several_targets_have_a_column_each(flowers, capsys):
    assert run("fit KernelRidge train.csv -t petal_width,sepal_width --drop species -o m.gramian") == 0
    assert run("apply m.gramian new.csv") == 0
    assert list(rows_of(capsys.readouterr().out)[0]) == ["prediction_0", "prediction_1"]


def test_a_score_of_rows_that_were_held_out(flowers, capsys):
    assert run("fit EmbeddingClassifier train.csv -t species --holdout 0.2") == 0
    text = capsys.readouterr().err
    assert "score of 15 samples that were held out: 0." in text or "score of 15 samples that were held out: 1" in text
    assert run("fit EmbeddingClassifier train.csv -t species --holdout 1.5") == 1
    assert "--holdout must be between 0 and 1. Got 1.5." in capsys.readouterr().err


def test_standard_input_and_output(flowers, capsys, monkeypatch):
    run("fit KernelRidge train.csv -t petal_width --drop species -o m.gramian")
    run("apply m.gramian new.csv")
    expected = capsys.readouterr().out
    with open("new.csv") as file:
        monkeypatch.setattr(sys, "stdin", file)
        assert run("apply m.gramian -") == 0
    assert capsys.readouterr().out == expected


@pytest.mark.parametrize(
    "line, message",
    [
        ("fit Ridge train.csv", "There is no model 'Ridge'. There are ConditionalMeanEmbedding, "),
        ("fit KernelRidge train.csv", "KernelRidge learns to predict: say which column with --target."),
        ("fit KernelAutoencoder train.csv -t species", "KernelAutoencoder predicts nothing: leave out a column"),
        ("fit KernelRidge train.csv -t price", "train.csv has no column 'price'. It has sepal_length, "),
        ("fit KernelRidge train.csv -t petal_width", "Column 'species' of train.csv holds text, which is no feature"),
        ("fit KernelRidge train.csv -t species -s alpa=1", "Invalid parameter 'alpa'"),
        (f"fit KernelRidge train.csv -t species --drop {','.join(NAMES)}", "has no column left that is a feature"),
        ("fit KernelRidge lost.csv -t y", "lost.csv: No such file or directory"),
        ("apply lost.gramian new.csv", "lost.gramian: No such file or directory"),
        ("apply train.csv new.csv", "this is no model file"),
        ("info train.csv", "this is no model file"),
    ],
)
def test_errors_are_one_line_and_the_exit_code_says_so(line, message, flowers, capsys):
    assert run(line) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith(f"gramian {line.split()[0]}: ") and message in error


def test_a_method_that_the_model_lacks(flowers, capsys):
    run("fit KernelRidge train.csv -t petal_width --drop species -o m.gramian")
    assert run("apply m.gramian new.csv --method transform") == 1
    assert "m.gramian holds KernelRidge, which has no transform." in capsys.readouterr().err


def test_the_advice_on_text_is_one_that_works(flowers, capsys):
    assert run("fit KernelRidge train.csv -t petal_width") == 1
    advice = capsys.readouterr().err.split("leave it out with ")[1].strip()
    assert run(f"fit KernelRidge train.csv -t petal_width {advice}") == 0


def test_warnings_are_lines_of_the_program(flowers, capsys):
    assert run("fit KernelAutoencoder train.csv --drop species -s hidden=(2,) -s max_iter=1") == 0
    lines = [line for line in capsys.readouterr().err.splitlines() if "warning" in line]
    assert lines and all(line.startswith("gramian fit: warning: ") for line in lines)


def test_an_interrupt_ends_it(flowers, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(gramian.KernelRidge, "fit", interrupted)
    assert run("fit KernelRidge train.csv -t petal_width --drop species") == 130
    assert capsys.readouterr().err.splitlines()[-1] == "gramian fit: interrupted"
