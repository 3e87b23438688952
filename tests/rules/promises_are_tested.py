"""Every test that docs/traceability.md names exists: `Suite.Name`, `Suite`, `some_test.py`, `some_test`, or a mapping of
tests/mapping/bad; … stands for the rest of a name after its suite. Every row of its tables names one, and every section of
docs/consistency.md has a section there with at least one row."""

import re
import sys

import tree

PAGE = "docs/traceability.md"
GUARANTEES = "docs/consistency.md"
TEST = re.compile(r"\bTEST(?:_F|_P)?\(\s*(\w+),\s*(\w+)\s*\)")
QUOTED = re.compile(r"`([^`\n]+)`")
NAME = re.compile(r"([A-Z]\w+)(?:\.(\w+)(…?))?|(\w+_test(?:\.py)?)|([\w-]+\.yaml)")


def known_tests():
    """(suite, name) of every GoogleTest, and the names of scripts and binaries, and of the mappings that are refused."""
    tests, programs = set(), {path.name for path in tree.files("tests/mapping/bad", (".yaml",))}
    for path in tree.files("tests", (".cc", ".py", "CMakeLists.txt")):
        text = (tree.ROOT / path).read_text(encoding="utf-8")
        if path.suffix == ".py":
            programs.update([path.name, path.stem])
        elif path.suffix == ".cc":
            tests.update(TEST.findall(re.sub(r"//.*", "", text)))
        else:
            programs.update(re.findall(r"\w*test\((\w+)", tree.expanded(text)))
    return tests, programs


def exists(name, tests, programs):
    match = NAME.fullmatch(name)
    if match is None:
        return False
    suite, case, rest, *program = match.groups()
    if not suite:
        return any(each in programs for each in program)
    return any(suite == known and (not case or other == case or (rest and other.startswith(case))) for known, other in tests)


def faults_of(page, tests, programs):
    for line in (tree.ROOT / page).read_text(encoding="utf-8").splitlines():
        row = re.match(r"\s*\|(?!\s*-)(.*?)\|?\s*$", line)
        names = QUOTED.findall(row.group(1).split("|")[-1] if row else line)
        named = [name for name in names if row or NAME.fullmatch(name.rstrip("…"))]
        unknown = [name for name in named if not exists(name, tests, programs)]
        yield from (f"{page} names `{name}`, which is no test" for name in unknown)
        if row and not names and not row.group(1).rstrip().endswith("| test"):
            yield f"{page}: no test behind: {line}"


def sections_of(page):
    """heading -> its text; of a page that is not there none."""
    text = (tree.ROOT / page).read_text(encoding="utf-8") if (tree.ROOT / page).exists() else ""
    return dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", text, re.MULTILINE))


def guarantees_without_tests():
    tested = sections_of(PAGE)
    for title in sections_of(GUARANTEES):
        rows = re.findall(r"^\| (?!claim).*$", tested.get(title, ""), re.MULTILINE)
        if not rows:
            yield f"{GUARANTEES}: {PAGE} has no section \"{title}\" with a row"


def main():
    tests, programs = known_tests()
    faults = [*faults_of(PAGE, tests, programs), *guarantees_without_tests()]
    print(*faults, sep="\n")
    print(f"{len(sections_of(PAGE))} sections, {len(faults)} faults")
    sys.exit(1 if faults or not sections_of(PAGE) else 0)


main()
