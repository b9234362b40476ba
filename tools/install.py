# SPDX-License-Identifier: BSD-3-Clause
"""
Installs the checkout into the environment of this Python, and shows how far the build is:
  python tools/install.py [arguments of pip install]
All that pip and the compiler print is in build/install.txt, and its end on the screen if they fail.
"""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
import sys
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parents[1]
LOG = ROOT / "build/install.txt"
STEP = re.compile(r"\s*\[(\d+)/(\d+)\] ")
SHOWN_OF_A_FAILURE = 60  # lines


def main(arguments: list[str]) -> int:
    """Install, and return the exit code of pip."""
    pip = [sys.executable, "-m", "pip"]
    if is_installed():
        # scikit-build-core imports what registers a cmake.prefix: a broken old installation would break the next build.
        subprocess.run([*pip, "uninstall", "--quiet", "--yes", "gramian"], check=True)
    LOG.parent.mkdir(exist_ok=True)
    tell("gramian is built; the first time takes 10 to 20 minutes on two cores")
    command = [*pip, "install", "-v", "--no-build-isolation", "--no-deps", *arguments, str(ROOT)]
    with LOG.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        assert process.stdout is not None
        shown = -1
        for line in process.stdout:
            log.write(line)
            shown = tell_progress(line, shown)
        code = process.wait()
    if code:
        print("".join(LOG.read_text(encoding="utf-8").splitlines(keepends=True)[-SHOWN_OF_A_FAILURE:]), file=sys.stderr)
    return code


def run(command: list[str], log: TextIO) -> int:
    """Run a command, keep what it prints, and return its exit code."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    assert process.stdout is not None
    shown = -1
    for line in process.stdout:
        log.write(line)
        shown = tell_progress(line, shown)
    return process.wait()


def is_installed() -> bool:
    """Tell whether some version of gramian is in this environment."""
    try:
        importlib.metadata.version("gramian")
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def tell_progress(line: str, shown: int) -> int:
    """Print each tenth that a build comes to; shown: the last one printed."""
    match = STEP.match(line)
    if match is None:
        return shown
    tenth = 10 * int(match[1]) // int(match[2])
    if tenth > shown:
        tell(f"  {10 * tenth} %")
    return max(tenth, shown)


def tell(text: str) -> None:
    """Print a line at once."""
    print(text, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
