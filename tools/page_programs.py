# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs the C++ programs of a page of the documentation, from the text of the page itself.

    python tools/page_programs.py PAGE FOLDER [--prefix PREFIX] [--clone-from REPOSITORY] [--only | --skip HEADING...]

A section with a program or a script becomes a folder below FOLDER, with the files of the page's first program and its
own. A block of C++ or CMake begins with a comment that is the name of its file. A block of sh is run in the folder; if
there is none, each program of the section is compiled with the flags of pkg-config and run. A block of text is the end
of the output; its numbers may differ by a tenth. PREFIX replaces /opt/gramian, and REPOSITORY replaces
https://example.org/gramian.git.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$|^(#+) ([^\n]+)$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"(?://|#) ([\w.-]+)\n")
NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
PREFIX, REPOSITORY = "/opt/gramian", "https://example.org/gramian.git"
COMPILE = "g++ -std=c++17 -Wall -Wextra -Werror {file} $(pkg-config --cflags --libs gramian) -o {stem}\n./{stem}\n"


@dataclass
class Section:
    """A heading with the blocks below it."""

    heading: str
    files: dict[str, str] = field(default_factory=dict)
    script: str = ""
    printed: str = ""

    @property
    def folder(self) -> str:
        """The heading as the name of a folder."""
        return re.sub(r"\W+", "-", self.heading).strip("-").lower()

    def commands(self) -> str:
        """What is run: the section's own script, or the compiler on its programs."""
        programs = [name for name in self.files if name.endswith(".cpp")]
        return self.script or "".join(COMPILE.format(file=name, stem=Path(name).stem) for name in programs)


def sections_of(page: str) -> list[Section]:
    """The sections that have something to run. Blocks of other languages than those of C++ projects are left out."""
    sections = [Section("")]
    for language, text, _, heading in BLOCK.findall(page):
        section = sections[-1]
        if heading:
            sections.append(Section(heading))
        elif language in {"cpp", "cmake"}:
            name = NAME.match(text)
            if not name:
                raise ValueError(f"{section.heading}: a block does not begin with the name of its file")
            section.files[name[1]] = text
        elif language == "sh":
            section.script += text
        elif language == "text":
            section.printed += text
    return [section for section in sections if section.files or section.script]


def same_text(printed: str, expected: str) -> bool:
    """Whether the end of the output is what the page says; a number may differ by a tenth."""
    lines = expected.splitlines()
    ending = printed.splitlines()[-len(lines) :] if lines else []
    if [NUMBER.sub("0", line) for line in ending] != [NUMBER.sub("0", line) for line in lines]:
        return False
    pairs = zip(NUMBER.findall("\n".join(ending)), NUMBER.findall(expected), strict=True)
    return all(abs(float(a) - float(b)) <= 0.1 * abs(float(b)) for a, b in pairs)


def environment(prefix: Path, clone_from: str) -> dict[str, str]:
    """The tools beside this Python come first, and no variable says where libraries are."""
    own = {name: value for name, value in os.environ.items() if name not in {"LD_LIBRARY_PATH", "CMAKE_PREFIX_PATH"}}
    own |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PKG_CONFIG_PATH": str(prefix / "lib" / "pkgconfig"),
        "CMAKE_GENERATOR": "Ninja",
        "CMAKE_BUILD_PARALLEL_LEVEL": "2",
    }
    instead = f"url.{clone_from}.insteadOf"
    return own | {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": instead, "GIT_CONFIG_VALUE_0": REPOSITORY}


def run(section: Section, start: Section, folder: Path, prefix: Path, settings: dict[str, str]) -> tuple[bool, str]:
    """Whether a section does what it says, and a report."""
    began, here = time.monotonic(), folder / section.folder
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir(parents=True)
    for name, text in (start.files | section.files).items():
        (here / name).write_text(text, encoding="utf-8")
    commands = section.commands().replace(PREFIX, str(prefix))
    result = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=here,
        env=settings,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
    )
    good = result.returncode == 0 and same_text(result.stdout, section.printed)
    report = f"{'ok    ' if good else 'FAILED'} {time.monotonic() - began:4.0f} s  {section.heading}"
    return good, report if good else f"{report}\n{commands}\n{result.stdout}\nexpected at the end:\n{section.printed}"


def chosen(sections: list[Section], only: list[str], skip: list[str]) -> list[Section]:
    """The sections with some headings, or without them. A heading that is not there is an error."""
    headings = {section.heading for section in sections}
    if missing := {*only, *skip} - headings:
        raise ValueError(f"no section has anything to run below: {', '.join(sorted(missing))}")
    return [section for section in sections if section.heading in (only or headings) and section.heading not in skip]


def main() -> int:
    """Run the page; 0 if all of it is right."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("page", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--prefix", type=Path, default=Path(PREFIX))
    parser.add_argument("--clone-from", default=REPOSITORY, metavar="REPOSITORY")
    parser.add_argument("--only", nargs="+", default=[], metavar="HEADING")
    parser.add_argument("--skip", nargs="+", default=[], metavar="HEADING")
    options = parser.parse_args()
    sections = sections_of(options.page.read_text(encoding="utf-8"))
    prefix = options.prefix.resolve()
    first = next(section for section in sections if section.files)
    settings = environment(prefix, options.clone_from)

    def outcome(section: Section) -> bool:
        good, report = run(section, first, options.folder, prefix, settings)
        print(report, flush=True)
        return good

    with ThreadPoolExecutor(max_workers=2) as pool:
        outcomes = list(pool.map(outcome, chosen(sections, options.only, options.skip)))
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
