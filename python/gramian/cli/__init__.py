# SPDX-License-Identifier: BSD-3-Clause
"""The command `gramian`."""

import argparse
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gramian import __version__
from gramian.cli import apply, bench, demo, fit, info

_COMMANDS = (fit, apply, info, bench, demo)
_INTERRUPTED = 130
"""What a shell returns for a program that Ctrl-C has ended."""

_DESCRIPTION = """\
Deep kernel machines on a compiled engine: learn a model from a table, keep it in a file, apply it to other tables.

  gramian fit EmbeddingClassifier train.csv --target species -o iris.gramian
  gramian apply iris.gramian new.csv --method predict_proba
  gramian info iris.gramian
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """
    Run the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        The arguments without the program's name; those of the process if None.

    Returns
    -------
    int
        The exit code: 0, or 1 if data or a model is not as it must be; argparse exits with 2 for wrong arguments.
    """
    options = _parser().parse_args(arguments)
    command = f"gramian {options.command}"
    try:
        with _warnings_of(command):
            run: Callable[[argparse.Namespace], None] = options.run
            run(options)
    except KeyboardInterrupt:
        print(f"{command}: interrupted", file=sys.stderr)
        return _INTERRUPTED
    except BrokenPipeError:  # whoever reads has enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (OSError, ValueError, TypeError, ImportError, MemoryError, RuntimeError) as error:
        print(f"{command}: {_one_line(error)}", file=sys.stderr)
        return 1
    return 0


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


@contextmanager
def _warnings_of(command: str) -> Iterator[None]:
    """Print warnings as lines of the program, without a place in its sources."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        print(f"{command}: warning: {' '.join(str(message).split())}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.showwarning = show
        yield


def _parser() -> argparse.ArgumentParser:
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="gramian", description=_DESCRIPTION, formatter_class=plain)
    parser.add_argument("--version", action="version", version=f"gramian {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        name = command.__name__.rpartition(".")[2]
        one = commands.add_parser(name, help=command.HELP, description=command.DESCRIPTION, formatter_class=plain)
        command.add_arguments(one)
        one.set_defaults(run=command.run)
    return parser
