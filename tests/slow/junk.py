# SPDX-License-Identifier: BSD-3-Clause
"""
Calls of every bound function with arguments that nobody means: in a process of its own, as it may end.

`python tests/slow/junk.py SEED SECONDS LOG` writes what it is about to call to the last line of LOG, and prints counts.
"""

from __future__ import annotations

import collections
import contextlib
import inspect
import itertools
import json
import os
import re
import resource
import signal
import sys
import tempfile
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from gramian import _core, kernels, operators

LEFT_OUT = {"set_num_threads", "set_memory_limit"}
"""What changes all later calls."""
KERNELS = [kernels.Gaussian(), kernels.Linear(), kernels.Polynomial(), kernels.Matern(nu=0.5), 2.0 * kernels.Cosine()]
SPECS = [kernel._lower(d).spec for kernel in KERNELS for d in (1, 3)]
ODD_NUMBERS = [0, 1, -1, 2, 3, 7, 2**31, 2**62, -(2**63), 0.5, -0.0, 1e-300, 1e300, float("nan"), float("inf"), True]
SECONDS_OF_A_CALL = 30


def functions() -> Iterator[tuple[str, Callable[..., Any]]]:
    """All functions and constructors of the engine."""
    for module_name, module in sorted(vars(_core).items()):
        if isinstance(module, types.ModuleType):
            for name, value in sorted(vars(module).items()):
                if callable(value) and not name.startswith("_") and name not in LEFT_OUT:
                    yield f"{module_name}.{name}", value


def annotations(function: Callable[..., Any]) -> list[str]:
    """Types of the arguments, as far as the docstring says them."""
    function = function.__init__ if inspect.isclass(function) else function
    found = re.search(r"\((.*)\) ->", (function.__doc__ or "").replace("\n", " "))
    if found is None:
        return []
    parts, depth = [""], 0
    for letter in found[1]:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part for part in parts if part.strip() and not part.strip().startswith(("self", "*"))]


class Junk:
    """Arguments by a seed."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def one_of(self, values: Any) -> Any:
        return values[int(self.rng.integers(len(values)))]

    def array(self) -> Any:
        n, d = (self.one_of([0, 1, 2, 3, 3, 5, 8, 8, 70]) for _ in range(2))
        shape = self.one_of([(n, d), (8, 3), (8, 8), (8, 1), (8,), (n,), (), (2, n, d)])
        array = self.rng.normal(size=shape) * self.one_of([1.0, 1.0, 1.0, 1e-200, 1e200, 1e8])
        if array.ndim == 2 and array.shape[0] == array.shape[1] and self.rng.random() < 0.7:
            array = array @ array.T
        with np.errstate(all="ignore"):
            array = array.astype(
                self.one_of([np.float64] * 8 + [np.float32, np.int64, np.int8, np.bool_, np.complex128])
            )
        if array.size and array.dtype.kind == "f" and self.rng.random() < 0.15:
            array.flat[int(self.rng.integers(array.size))] = self.one_of([np.nan, np.inf, -np.inf])
        return self.strided(array)

    def strided(self, array: Any) -> Any:
        if array.ndim == 0:
            return array
        way = self.one_of(["", "", "", "columns", "backwards", "every second", "one number", "odd", "read-only"])
        if way == "columns":
            return np.asfortranarray(array)
        if way == "backwards":
            return np.ascontiguousarray(array[::-1])[::-1]
        if way == "every second":
            return np.repeat(array, 2, axis=-1)[..., ::2]
        if way == "one number":
            return np.broadcast_to(array.ravel()[:1].sum(), array.shape)
        if way == "odd" and array.size:
            out = np.frombuffer(bytearray(array.nbytes + 1), array.dtype, array.size, 1).reshape(array.shape)
            out[...] = array
            return out
        array.flags.writeable = way != "read-only"
        return array

    def sparse(self) -> Any:
        n, d = self.one_of([0, 1, 8, 8]), self.one_of([0, 1, 3, 3])
        start = np.sort(self.rng.integers(-1 if self.rng.random() < 0.2 else 0, 12, n + 1))
        start[:1] = 0
        size = max(0, int(start[-1])) + self.one_of([0, 0, -1, 3])
        columns = self.rng.integers(self.one_of([0, 0, -2]), max(1, d) + self.one_of([0, 0, 1]), max(0, size))
        return (
            "sparse",
            start,
            columns.astype(np.int64),
            self.rng.normal(size=max(0, size)),
            self.one_of([d, d, -1, 2**62]),
        )

    def points(self) -> Any:
        make = self.one_of([self.array, self.array, self.array, self.sparse, self.inner])
        return make()

    def inner(self) -> Any:
        squares = self.one_of([None, self.array()])
        return "inner", self.array(), squares, squares

    def number(self) -> Any:
        return self.one_of([*ODD_NUMBERS, int(self.rng.integers(10)), float(self.rng.normal())])

    def anything(self) -> Any:
        odd = [None, "gaussian", "", "\0", b"bytes", object(), [], {}, (), [1.0, "a"], lambda *_: 1 / 0, range(3)]
        others = [KERNELS[0], self.number(), self.array(), self.one_of(SPECS), self.points(), operators.Pointwise(2)]
        return self.one_of([*odd, *others])

    def made(self, cls: Any) -> Any:
        """Return one of the engine's options or of its enumerations, with its defaults or with junk."""
        if hasattr(cls, "__members__"):
            return self.one_of(list(cls.__members__.values()))
        try:
            value = cls()
        except TypeError:
            return self.anything()
        for name in vars(cls):
            if not name.startswith("_") and self.rng.random() < 0.1:
                with contextlib.suppress(Exception):
                    setattr(value, name, self.one_of([self.number(), self.anything()]))
        return value

    def fitting(self, kind: str) -> Any:
        if self.rng.random() < 0.1:
            return self.anything()
        low = kind.lower()
        classes = re.findall(r"gramian\._core\.(\w+)\.(\w+)", kind)
        if classes:
            return self.made(getattr(getattr(_core, classes[0][0]), classes[0][1]))
        if "list" in low or "sequence" in low:
            makes = [self.number, self.array] if "array" in low else [self.number]
            make = self.one_of(makes)
            return [make() for _ in range(self.one_of([0, 1, 2, 3, 8]))]
        if "spec" in low or "kernel" in low:
            return self.one_of(SPECS)
        if "ndarray" in low or "array" in low or "buffer" in low:
            return self.array()
        if "int" in low.partition(":")[2] or "float" in low:
            return self.number()
        if "str" in low:
            return self.one_of(["gaussian", "lbfgs", "auto", "random", "", "x" * 10000, "\N{SNOWMAN}"])
        if "object" in low or "any" in low or "handle" in low:
            return self.points()
        return self.anything()


def methods_of(value: Any) -> list[str]:
    return [
        name for name in dir(type(value)) if not name.startswith("_") and callable(getattr(type(value), name, None))
    ]


def run(seed: int, seconds: float, log: Path) -> collections.Counter[str]:
    junk, counts, end = Junk(seed), collections.Counter[str](), time.monotonic() + seconds
    all_functions = list(functions())
    pool: list[Any] = []
    with log.open("w") as out:
        for call in itertools.count():
            if time.monotonic() > end:
                break
            name, function = junk.one_of(all_functions)
            if pool and junk.rng.random() < 0.3:  # a method of something that a call has returned
                value = junk.one_of(pool)
                names = methods_of(value)
                if names:
                    method = junk.one_of(names)
                    name, function = f"{type(value).__name__}.{method}", getattr(value, method)
            kinds = annotations(function)
            arguments = [junk.fitting(kind) for kind in kinds]
            if junk.rng.random() < 0.1:
                arguments = arguments[: int(junk.rng.integers(len(arguments) + 1))]
            out.seek(0)
            out.truncate()
            out.write(json.dumps({"seed": seed, "call": call, "function": name, "arguments": repr(arguments)[:2000]}))
            out.flush()
            signal.alarm(SECONDS_OF_A_CALL)
            try:
                result = function(*arguments)
            except Exception as error:
                counts[type(error).__name__] += 1
            else:
                counts["no error"] += 1
                if type(result).__module__.startswith("gramian._core"):
                    pool = [*pool[-20:], result]
            signal.alarm(0)
    return counts


def main() -> None:
    seed, seconds, log = int(sys.argv[1]), float(sys.argv[2]), Path(sys.argv[3]).resolve()
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    with tempfile.TemporaryDirectory() as folder, np.errstate(all="ignore"):
        os.chdir(folder)
        print(json.dumps(run(seed, seconds, log)))
        os.chdir("/")


if __name__ == "__main__":
    main()
