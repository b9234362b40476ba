# SPDX-License-Identifier: BSD-3-Clause
"""Look into a wheel or a source distribution: what has to be in it, and what must not be.

python package_contents.py <file.whl | file.tar.gz>
"""

import re
import sys
import tarfile
import zipfile
from pathlib import Path

MOST_BYTES_OF_A_WHEEL = 4_500_000
LIBRARY = r"gramian/lib/libgramian\.(so\.\d+|dylib)"
LINKER_SCRIPT = "gramian/lib/libgramian.so"
IN_WHEEL = (
    "gramian/include/gramian/c.h",
    "gramian/include/gramian/gramian.hpp",
    "gramian/lib/cmake/gramian/gramianConfig.cmake",
    "gramian/py.typed",
)
IN_SDIST = (
    "LICENSE",
    "README.md",
    "CMakeLists.txt",
    "pyproject.toml",
    "cpp/include/gramian/version.hpp",
    "cpp/src/build.cpp",
    "python/gramian/__init__.py",
    "python/src/module.cpp",
    "tests/cpp/CMakeLists.txt",
    "tests/python/conftest.py",
    "third_party/eigen.sha256",
    "third_party/eigen/Eigen/Core",
)
COMPILED = r".*\.(so|dylib)(\.[0-9.]+)?"


def check_wheel(path: Path) -> str:
    """Check a wheel; the returned line says what is in it."""
    with zipfile.ZipFile(path) as archive:
        sizes = {member.filename: member.file_size for member in archive.infolist()}
        targets = "".join(archive.read(name).decode() for name in sizes if "/gramianTargets" in name)
    libraries = [name for name in sizes if re.search(r"(^|/)(lib)?gramian[^/]*\.(so|dylib)", name)]
    libraries = [name for name in libraries if name != LINKER_SCRIPT]
    modules = [name for name in sizes if re.fullmatch(r"gramian/_core\.[^/]+\.so", name)]
    assert len(libraries) == 1 and re.fullmatch(LIBRARY, libraries[0]), f"the library, once, by its name: {libraries}"
    assert len(modules) == 1, f"the module, once: {modules}"
    library = libraries[0].removeprefix("gramian/")
    assert f"${{_IMPORT_PREFIX}}/{library}" in targets, f"CMake's targets do not point at {library}"
    missing = [name for name in IN_WHEEL if name not in sizes]
    assert not missing, f"missing: {missing}"
    assert any(re.fullmatch(r"[^/]+\.dist-info/licenses/LICENSE", name) for name in sizes), "no LICENSE"
    others = [
        name for name in sizes if re.fullmatch(COMPILED, name) and name not in (*libraries, *modules, LINKER_SCRIPT)
    ]
    size = path.stat().st_size
    assert size < MOST_BYTES_OF_A_WHEEL, f"{size} bytes; the limit is {MOST_BYTES_OF_A_WHEEL}"
    return f"{path.name}: {size} bytes, {len(sizes)} files; carried along: {', '.join(others) or 'nothing'}"


def check_sdist(path: Path) -> str:
    """Check a source distribution; the returned line says what is in it."""
    with tarfile.open(path) as archive:
        names = [member.name for member in archive.getmembers() if member.isfile()]
    tops = {name.split("/")[0] for name in names}
    assert tops == {path.name.removesuffix(".tar.gz")}, f"more than one folder on top: {tops}"
    inside = [name.split("/", 1)[1] for name in names]
    missing = [name for name in IN_SDIST if name not in inside]
    assert not missing, f"missing: {missing}"
    refuse = r"(\.venv|build/|dist/|\.ci/|\.git/|demo_output/).*|.*__pycache__.*|.*\.(pyc|so|o|whl)"
    refused = [name for name in inside if re.fullmatch(refuse, name)]
    assert not refused, f"does not belong there: {refused[:10]}"
    return f"{path.name}: {path.stat().st_size} bytes, {len(names)} files"


def main(arguments: list[str]) -> int:
    for name in arguments:
        path = Path(name)
        try:
            print(check_wheel(path) if path.suffix == ".whl" else check_sdist(path))
        except AssertionError as error:
            print(f"{path.name}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
