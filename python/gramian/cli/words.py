# SPDX-License-Identifier: BSD-3-Clause
"""Names of models, and values of parameters, as they are written in a terminal."""

import argparse
import ast
import inspect
from typing import Any


def model_names() -> list[str]:
    """Return the names of all estimators."""
    import gramian

    return [name for name in gramian.__all__ if hasattr(getattr(gramian, name), "fit")]


def model_class(name: str) -> type[Any]:
    """Return an estimator by its name, in any spelling: KernelRidge, kernel-ridge, kernel_ridge."""
    import gramian

    spelled = {known.lower(): known for known in model_names()}
    found = spelled.get(name.lower().replace("-", "").replace("_", ""))
    if found is None:
        raise ValueError(f"There is no model {name!r}. There are {', '.join(sorted(spelled.values()))}.")
    model: type[Any] = getattr(gramian, found)
    return model


def assignment(text: str) -> tuple[str, Any]:
    """Return NAME=VALUE as a pair; VALUE is a literal of Python, a kernel such as Gaussian(gamma=2.0), or a text."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is no NAME=VALUE")
    return name, _value(value)


def _value(text: str) -> Any:
    try:
        parsed = ast.parse(text, mode="eval").body
        return _kernel(parsed) if isinstance(parsed, ast.Call) else ast.literal_eval(parsed)
    except (SyntaxError, ValueError):
        return text


def _kernel(call: ast.Call) -> Any:
    """Return a kernel of gramian.kernels with literals for its parameters; nothing else is called."""
    from gramian import kernels

    name = call.func.id if isinstance(call.func, ast.Name) else ""
    cls = getattr(kernels, name, None)
    if not (inspect.isclass(cls) and issubclass(cls, kernels.Kernel)):
        raise argparse.ArgumentTypeError(f"{ast.unparse(call)!r} is no kernel of gramian.kernels")
    positional = [ast.literal_eval(argument) for argument in call.args]
    named = {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
    return cls(*positional, **named)
