# SPDX-License-Identifier: BSD-3-Clause
"""How programs are taken from pages (tools/page_programs.py); `make consume` runs those of the documentation."""

from __future__ import annotations

import sys

import pytest
from house.tree import ROOT

sys.path.insert(0, str(ROOT / "tools"))

import page_programs  # noqa: E402  (found through the line above)

PAGE = """# Title

## First program

```cpp
// demo.cpp
int main() {}
```

```python
not = "run"
```

### A script

```sh
cat demo.cpp  # where /opt/gramian is
```

```text
int main() {}
```
"""


def test_sections_have_files_and_scripts():
    first, script = page_programs.sections_of(PAGE)
    assert first.files == {"demo.cpp": "// demo.cpp\nint main() {}\n"}
    assert "g++" in first.commands()
    assert (script.folder, script.commands(), script.printed) == (
        "a-script",
        "cat demo.cpp  # where /opt/gramian is\n",
        "int main() {}\n",
    )


def test_a_block_without_a_name_is_refused():
    with pytest.raises(ValueError, match="First program: a block does not begin with the name of its file"):
        page_programs.sections_of(PAGE.replace("// demo.cpp\n", ""))


def test_a_heading_that_is_not_there_is_refused():
    sections = page_programs.sections_of(PAGE)
    assert page_programs.chosen(sections, ["A script"], []) == sections[1:]
    assert page_programs.chosen(sections, [], ["A script"]) == sections[:1]
    with pytest.raises(ValueError, match="below: Script"):
        page_programs.chosen(sections, ["Script"], [])


def test_numbers_may_differ_by_a_tenth():
    assert page_programs.same_text("built\nerror 0.105 of 3\n", "error 0.1 of 3\n")
    assert page_programs.same_text("anything", "")
    assert not page_programs.same_text("error 0.12 of 3\n", "error 0.1 of 3\n")
    assert not page_programs.same_text("errors 0.1 of 3\n", "error 0.1 of 3\n")
    assert not page_programs.same_text("error 0.1 of 3\nmore\n", "error 0.1 of 3\n")


def test_a_section_runs_in_a_folder_of_its_own(tmp_path):
    first, script = page_programs.sections_of(PAGE)
    settings = page_programs.environment(tmp_path, "file:///elsewhere")
    good, report = page_programs.run(script, first, tmp_path, tmp_path, settings)
    assert good and "A script" in report
    script.printed = "int main() { return 1; }\n"
    good, report = page_programs.run(script, first, tmp_path, tmp_path, settings)
    assert not good and f"where {tmp_path} is" in report
