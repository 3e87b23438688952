"""Every test that docs/promise.md names exists: `Suite.Name`, `Suite`, or `some_test.py`; … stands for the rest of a name."""

import re
import sys

import tree

TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")
NAME = re.compile(r"`([A-Z]\w+)(?:\.(\w+)(…?))?`|`(\w+_test(?:\.py)?)`")


def known_tests():
    """(suite, name) of every GoogleTest, and the names of scripts and binaries."""
    tests, programs = set(), set()
    for path in tree.files("tests", (".cc", ".py", "CMakeLists.txt")):
        text = (tree.ROOT / path).read_text()
        tests.update(TEST.findall(text))
        programs.update([path.name, path.stem] if path.suffix == ".py" else re.findall(r"fensi_(?:script_)?test\((\w+)", text))
    return tests, programs


def exists(match, tests, programs):
    suite, name, rest, program = match.groups()
    if program:
        return program in programs
    return any(suite == known and (not name or other == name or (rest and other.startswith(name))) for known, other in tests)


def main():
    tests, programs = known_tests()
    text = (tree.ROOT / "docs" / "promise.md").read_text()
    names = list(NAME.finditer(text))
    unknown = [match.group(0) for match in names if not exists(match, tests, programs)]
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| sentence")]
    untested = [line for line in rows if not NAME.search(line.split("|")[-2])]
    for fault in unknown:
        print(f"docs/promise.md names {fault}, which is no test")
    for line in untested:
        print(f"docs/promise.md: no test behind: {line}")
    print(f"{len(names)} names of tests, {len(rows)} sentences")
    sys.exit(1 if unknown or untested or not rows else 0)


main()
