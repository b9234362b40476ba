# SPDX-License-Identifier: BSD-3-Clause
"""Advice on memory: the engine's own names what C++ has, and a caller in Python may have something else, or nothing."""

import contextlib
import re
from collections.abc import Callable, Iterator

_REFUSED = re.compile(r"(?P<what>.*) needs .* are free \(limit .*\); (?P<advice>.*)", re.DOTALL)


@contextlib.contextmanager
def advising(advice: str | Callable[[str, str], str]) -> Iterator[None]:
    """
    Raise the engine's refusals of memory with other advice.

    advice: a phrase, or a function of what was refused and of the engine's advice that returns one.
    """
    try:
        yield
    except MemoryError as error:
        refused = _REFUSED.fullmatch(str(error))
        if refused is None:
            raise
        said = advice if isinstance(advice, str) else advice(refused["what"], refused["advice"])
        raise MemoryError(str(error)[: refused.start("advice")] + said) from None
