# SPDX-License-Identifier: BSD-3-Clause
"""What a file of a model holds, for people."""

import json
import os
from typing import Any

from gramian import _core
from gramian.exceptions import ModelFileError
from gramian.models._shared.stored.files import PYTHON

_MOST_TEXT = 60


def describe(path: str) -> dict[str, Any]:
    """Return facts about a file by name, after checking it, without making an estimator of it."""
    document = _core.io.read_document(path)
    texts, arrays = document.texts, document.arrays
    try:
        model = _core.serving.model(document)
        node = json.loads(texts[PYTHON]) if PYTHON in texts else {"class": None, "parameters": {}}
        estimator, parameters = (
            node["class"],
            {name: value for name, value in node["parameters"].items() if value is not None},
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ModelFileError(f"{path}: {error}") from error
    verbs = {verb.name: (model.inputs(verb), model.outputs(verb)) for verb in _core.serving.Verb}
    return {
        "estimator": estimator,
        "family": model.family,
        "format_version": texts["format_version"],
        "library_version": texts["library_version"],
        "bytes": os.stat(path).st_size,
        "classes": model.classes,
        "verbs": {name: sizes for name, sizes in verbs.items() if sizes[0]},
        "parameters": parameters,
        "arrays": [(name, str(array.dtype), array.shape) for name, array in arrays.items()],
    }


def format_description(facts: dict[str, Any]) -> str:
    """Return facts about a file as lines."""
    lines = [
        f"model         {facts['estimator'] or facts['family']}",
        f"family        {facts['family']}",
        f"format        {facts['format_version']}, written by gramian {facts['library_version']}",
        f"size          {facts['bytes']} bytes",
    ]
    if facts["classes"]:
        lines.append(f"classes       {_short(', '.join(map(str, facts['classes'])))}")
    lines += [f"{verb:<13} {inputs} -> {outputs}" for verb, (inputs, outputs) in facts["verbs"].items()]
    lines += [f"parameter     {name} = {_short(json.dumps(value))}" for name, value in facts["parameters"].items()]
    lines += [f"array         {name} {kind} {tuple(shape)}" for name, kind, shape in facts["arrays"]]
    return "\n".join(lines)


def _short(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 3] + "..."
