# SPDX-License-Identifier: BSD-3-Clause
"""`gramian info`."""

import argparse
import json

from gramian._info import format_versions, versions

HELP = "print versions, instruction set, threads and memory, or what a model file holds"
DESCRIPTION = """\
Print the versions, instruction set, threads and memory that are used, and why; or what a model file holds.

  gramian info
  gramian info model.gramian --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("file", nargs="?", help="a file that save() of an estimator, or gramian fit, has written")
    parser.add_argument("--json", action="store_true", help="print them as JSON")


def run(options: argparse.Namespace) -> None:
    """Print facts."""
    if options.file is None:
        found = versions()
        print(json.dumps(found, indent=2) if options.json else format_versions(found))
        return
    from gramian.models._shared.stored.description import describe, format_description  # scikit-learn is slow to import

    facts = describe(options.file)
    print(json.dumps(facts, indent=2) if options.json else format_description(facts))
