# SPDX-License-Identifier: BSD-3-Clause
"""The command `gramian`."""

import argparse
import json
from collections.abc import Sequence

from gramian import __version__
from gramian._info import format_versions, versions


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
    found = versions()
    print(json.dumps(found, indent=2) if options.json else format_versions(found))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="gramian", description="Deep kernel machines on a compiled engine.")
    parser.add_argument("--version", action="version", version=f"gramian {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    info = commands.add_parser("info", help="print the versions, instruction set, threads and memory that are used")
    info.add_argument("--json", action="store_true", help="print them as JSON")
    return parser
