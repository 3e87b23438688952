"""Every source file is named by a CMakeLists.txt, every script of the tests by one or by a script that runs, every
CMakeLists.txt by the one above it, what is kept of a format is read by a test, and no test is put aside."""

import os
import pathlib
import re
import sys

import sources
import tree

# The root adds it where benchmarks are asked for; its scripts are started by a person.
BENCHES = "tests/bench"
ROOT = pathlib.PurePath("CMakeLists.txt")  # with what it includes
# Tests that cannot run everywhere: where, and why not.
MAY_SKIP = {
    "tests/daemon/capture/capture_words_test.cc": "a machine may forbid networks of one's own",
    "tests/store/embedded_store_test.cc": "the thread sanitizer follows no fork",
    "tests/cli/unreachable_test.py": "a machine may have no IPv6",
    "tests/e2e/downloads_test.py": "Maven comes with the stack",
    "tests/packaging/packages_test.py": "lintian comes with more than a hundred packages",
}
ASIDE = re.compile(r"\bDISABLED(?:_\w+| (?:ON|TRUE|YES|Y|1)\b)|\bif\((?:FALSE|OFF|NO|N|0)\)|^\s*#\s*if (?:0|false)\b|\bGTEST_SKIP\b|"
                   r"@unittest\.(?:skip\(|skip(?:If\((?:True|1|not False)|Unless\((?:False|0|None))\b|expectedFailure\b)|"
                   r"\b[sS]kipTest\b", re.MULTILINE)


def read(path):
    return (tree.ROOT / path).read_text(encoding="utf-8", errors="replace")


def is_added(path, lists):
    """Is the CMakeLists.txt named by the nearest one above it?"""
    above = [folder for folder in path.parent.parents if folder / "CMakeLists.txt" in lists]
    if str(path.parent) == BENCHES:
        above = above[-1:]
    return not above or re.search(rf"add_subdirectory\({re.escape(str(path.parent.relative_to(above[0])))}\)",
                                  lists[above[0] / "CMakeLists.txt"])


def named(path, lists):
    """Is the file named by a CMakeLists.txt of its folder or of one above it, relative to that or to the root?"""
    for folder in path.parents:
        for name in (path.relative_to(folder), path):
            if re.search(r"(?<![\w./-])" + re.escape(str(name)) + r"(?![\w.-])", lists.get(folder / "CMakeLists.txt", "")):
                return True
    return False


def scripts():
    """{path: text}: what is Python, has the suffix of a shell, or says itself what runs it."""
    found = {path: read(path) for path in tree.files("tests", ("",)) if path.suffix in ("", ".py", ".sh")}
    return {path: text for path, text in found.items() if path.suffix or text.startswith("#!")}


def uses(text, path):
    """Does a script import the file, or name it as a program?"""
    name = path.parent.name if path.stem == "__init__" else path.stem
    if path.suffix == ".py" and re.search(rf"^\s*(?:import|from)\b.*\b{re.escape(name)}\b", text, re.MULTILINE):
        return True
    return re.search(rf"(?<![\w-]){re.escape(str(path))}(?![\w.-])", text)


def reached(found, lists):
    """The scripts that run: by a CMakeLists.txt, by continuous integration, or by one that runs."""
    beginning = "\n".join(read(path) for path in tree.files(".ci", ("",)))
    done = {path for path, text in found.items() if named(path, lists) or uses(beginning, path) or str(path.parent) == BENCHES}
    while more := {path for path in set(found) - done if any(uses(found[other], path) for other in done)}:
        done |= more
    return done


def unread():
    """Of tests/formats/golden: what no test there names, and formats before the last that none reads."""
    text = "\n".join(read(path) for path in tree.files("tests/formats", (".cc",)))
    files = tree.files("tests/formats/golden", ("",))
    last = {}
    for path in sorted(files, key=lambda path: int(path.name.split(".")[1])):
        last[path.name.split(".")[0]] = path.name
    for path in files:
        name, number, *_ = path.name.split(".")
        read_as = re.findall(rf'\bGolden\("{name}", (\w+)', text)
        if f'"{name}"' not in text or path.name != last[name] and read_as and not {number, "format", "version"} & set(read_as):
            yield f"{path}: no test reads it"


def main():
    lists = {path: tree.expanded(read(path)) for path in tree.files(".", ("CMakeLists.txt",))}
    lists[ROOT] = "\n".join([lists.get(ROOT, ""), *(tree.expanded(read(path)) for path in tree.files("cmake", (".cmake",)))])
    code = [*sources.of_modules((".cc",)), *tree.files("tests", (".cc",))]
    found = scripts()
    faults = [f"{path}: the CMakeLists.txt above it does not add its folder" for path in lists if not is_added(path, lists)]
    faults += [f"{path}: belongs to no CMakeLists.txt" for path in code if not named(path, lists)]
    faults += [f"{path}: nothing runs it" for path in sorted(set(found) - reached(found, lists))]
    faults += [f"{path}: {aside} puts a test aside" for path in tree.files("tests", (".cc", "_test.py", "CMakeLists.txt"))
               for aside in ASIDE.findall(read(path)) if str(path) not in MAY_SKIP and path.name != "rules_test.py"]
    faults += unread()
    print(*faults, sep=os.linesep)
    print(f"{len(code) + len(found)} files, {len(faults)} faults")
    sys.exit(1 if faults or not code else 0)


main()
