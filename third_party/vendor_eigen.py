# SPDX-License-Identifier: BSD-3-Clause
"""Put the pinned Eigen headers into third_party/eigen, or check those that are there.

The headers come from the pinned Python package, installed beside the interpreter that runs this script or given as a
wheel file. Nothing is written unless their content has the digest that third_party/eigen.sha256 records.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import shutil
import sys
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
TARGET = HERE / "eigen"
PIN_FILE = HERE / "eigen.sha256"
PACKAGE = "cmeel-eigen"
PREFIX = "cmeel.prefix/include/eigen3"

Files = dict[str, bytes]


class VendorError(Exception):
    """The headers are missing or not the pinned ones."""


def read_tree(root: Path) -> Files:
    """Content of every file below root/Eigen by its name relative to root, with forward slashes."""
    if not (root / "Eigen" / "Core").is_file():
        raise VendorError(f"no Eigen/Core in {root}")
    paths = [path for path in (root / "Eigen").rglob("*") if path.is_file()]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


def read_wheel(wheel: Path) -> tuple[str, Files]:
    """Version and headers of a wheel file of the package."""
    name, version = wheel.name.split("-")[:2]
    if name.replace("_", "-").lower() != PACKAGE:
        raise VendorError(f"{wheel.name} is not a wheel of {PACKAGE}")
    start = f"{PREFIX}/Eigen/"
    with zipfile.ZipFile(wheel) as archive:
        members = [name for name in archive.namelist() if name.startswith(start) and not name.endswith("/")]
        if f"{start}Core" not in members:
            raise VendorError(f"no Eigen/Core in {wheel}")
        return version, {name[len(PREFIX) + 1 :]: archive.read(name) for name in members}


def read_installed() -> tuple[str, Files]:
    """Version and headers of the package in this interpreter's environment."""
    try:
        distribution = importlib.metadata.distribution(PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        raise VendorError(f"{PACKAGE} is not installed for {sys.executable}; install it or give --wheel") from None
    return distribution.version, read_tree(Path(str(distribution.locate_file(PREFIX))))


def digest(files: Files) -> str:
    """SHA-256 over the manifest: one line of content hash and name for each file, sorted by name."""
    manifest = "".join(f"{hashlib.sha256(files[name]).hexdigest()}  {name}\n" for name in sorted(files))
    return hashlib.sha256(manifest.encode()).hexdigest()


def read_pin() -> dict[str, str]:
    """Package, version, number of files and digest that are pinned."""
    return dict(line.split(maxsplit=1) for line in PIN_FILE.read_text(encoding="ascii").splitlines() if line)


def write_pin(version: str, files: Files) -> None:
    """Pin these files."""
    pin = {"package": PACKAGE, "version": version, "files": str(len(files)), "sha256": digest(files)}
    PIN_FILE.write_text("".join(f"{key} {value}\n" for key, value in pin.items()), encoding="ascii", newline="\n")


def verify(files: Files, where: str) -> None:
    """Raise VendorError unless the files are exactly the pinned ones."""
    pin, found = read_pin(), digest(files)
    if found != pin["sha256"]:
        raise VendorError(
            f"the headers in {where} are not the pinned Eigen ({PACKAGE} {pin['version']})\n"
            f"  pinned: {pin['sha256']} ({pin['files']} files)\n"
            f"  found:  {found} ({len(files)} files)"
        )


def is_vendored() -> bool:
    """Whether third_party/eigen is there and is the pinned one."""
    try:
        verify(read_tree(TARGET), str(TARGET))
    except VendorError:
        return False
    return True


def replace_target(files: Files) -> None:
    """Write the files beside the target first, so that an interrupted run leaves no half of a copy under its name."""
    fresh = TARGET.with_name("eigen.new")
    shutil.rmtree(fresh, ignore_errors=True)
    for name, content in files.items():
        path = fresh / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    shutil.rmtree(TARGET, ignore_errors=True)
    fresh.rename(TARGET)


def parse(arguments: list[str]) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--wheel", type=Path, metavar="FILE", help=f"take the headers from this wheel of {PACKAGE}")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="verify third_party/eigen and change nothing")
    mode.add_argument("--record", action="store_true", help="pin what was found: rewrite eigen.sha256")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Run the command line; returns the exit code."""
    options = parse(arguments)
    try:
        if options.check:
            verify(read_tree(TARGET), str(TARGET))
            print(f"third_party/eigen is the pinned Eigen ({PACKAGE} {read_pin()['version']})")
            return 0
        # An sdist is packed from an unpacked sdist without the package at hand.
        if not options.wheel and not options.record and is_vendored():
            print(f"third_party/eigen is the pinned Eigen already ({PACKAGE} {read_pin()['version']})")
            return 0
        version, files = read_wheel(options.wheel) if options.wheel else read_installed()
        if options.record:
            write_pin(version, files)
        verify(files, f"{PACKAGE} {version}")
        replace_target(files)
        print(f"third_party/eigen: {len(files)} headers of {PACKAGE} {version}, verified")
        return 0
    except (VendorError, OSError, zipfile.BadZipFile) as error:
        print(f"vendor_eigen: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
