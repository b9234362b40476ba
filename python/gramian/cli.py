# SPDX-License-Identifier: BSD-3-Clause
"""The command `gramian`."""

import argparse
import json
import sys
from collections.abc import Sequence

from gramian import __version__
from gramian._info import format_versions, versions
from gramian.exceptions import ModelFileError


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
        The exit code.
    """
    options = _parser().parse_args(arguments)
    if options.file is not None:
        return _tell_of_file(options.file, options.json)
    found = versions()
    print(json.dumps(found, indent=2) if options.json else format_versions(found))
    return 0


def _tell_of_file(path: str, as_json: bool) -> int:
    from gramian.models._shared.stored.description import describe, format_description  # scikit-learn is slow to import

    try:
        facts = describe(path)
    except (OSError, ModelFileError) as error:
        print(f"gramian info: {error}", file=sys.stderr)
        return 1
    print(json.dumps(facts, indent=2) if as_json else format_description(facts))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gramian", description="Deep kernel machines on a compiled engine.")
    parser.add_argument("--version", action="version", version=f"gramian {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    info = commands.add_parser(
        "info", help="print the versions, instruction set, threads and memory that are used, or what a model file holds"
    )
    info.add_argument("file", nargs="?", help="a file that save() of an estimator has written")
    info.add_argument("--json", action="store_true", help="print them as JSON")
    return parser
