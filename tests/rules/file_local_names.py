"""The .cc files that a target takes from one folder, or from folders that it names together (UNITS), are one translation unit
in unity builds (fensi_units of cmake/FensiTargets.cmake): what each keeps to itself, in a namespace without a name or as static, has a name of its own, and
not that of a type or a function of the same namespace in a head that another of them includes. GoogleTest is named
::testing, since there is a fensi::testing, which one of them may know and another not."""

import functools
import os
import pathlib
import re
import sys

import sources
import tree

# Each of these is a unit by itself: they name functions as the mapping language does.
ALONE = "mapping/functions"
TARGET = re.compile(r"\b(?:fensi_test|fensi_fuzz_test|add_library|add_executable)\((\w+)([^)]*)\)")
UNITS = re.compile(r'\bUNITS((?:\s+"[^"]+")+)')
NO_UNIT = re.compile(r"\bset_target_properties\(([^)]*) PROPERTIES UNITY_BUILD OFF\)")


def named_together():
    """folder -> the first of those that its module names together."""
    first = {}
    for module in sources.MODULES:
        lists = tree.ROOT / module / "CMakeLists.txt"
        for units in UNITS.findall(lists.read_text()) if lists.exists() else []:
            for unit in re.findall(r'"([^"]+)"', units):
                folders = [pathlib.Path(module, folder) for folder in unit.split()]
                first.update((folder, folders[0]) for folder in folders)
    return first


def units_of_product():
    units, first = {}, named_together()
    for path in sources.of_modules((".cc",)):
        units.setdefault(first.get(path.parent, path.parent), []).append(path)
    return [paths for folder, paths in sorted(units.items()) if str(folder) != ALONE]


def units_of_tests():
    for lists in tree.files("tests", ("CMakeLists.txt",)):
        text = (tree.ROOT / lists).read_text()
        alone = " ".join(NO_UNIT.findall(text)).split()
        for target, arguments in TARGET.findall(text):
            folders = {}
            for name in [] if target in alone else re.findall(r"[\w./]+\.cc\b", arguments):
                path = lists.parent / os.path.normpath(name)
                if (tree.ROOT / path).exists():
                    folders.setdefault(path.parent, []).append(path)
            yield from folders.values()


def clashes(unit):
    """(file:line..., name) for each name that two files of a unit declare, unless they say the same of it."""
    places = {}
    for path in unit:
        for name, (line, words) in sources.file_local_names(path).items():
            places.setdefault(name, []).append((f"{path}:{line}", words))
    return {(", ".join(where for where, _ in found), name) for name, found in places.items()
            if len(found) > 1 and (len({words for _, words in found}) > 1 or not found[0][1])}


INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
NAMESPACE = re.compile(r"^namespace (\w[\w:]*) \{", re.M)
DECLARED = re.compile(r"^(?:(?:struct|class|enum class|enum) (\w+)\b(?! final;)|(?:\w[\w:<>,*& ]* [*&]?)(\w+)\([^{}]*?\);)", re.M)


@functools.cache
def text_of(path):
    return (tree.ROOT / path).read_text()


@functools.cache
def heads_of(path):
    """All heads of ours that a file includes, also by others."""
    found = set()
    for name in INCLUDE.findall(text_of(path)):
        for place in (pathlib.Path(name), path.parent / name, pathlib.Path("tests", path.parts[1], name)):
            if place not in found and (tree.ROOT / place).is_file():
                found |= {place} | heads_of(place)
                break
    return frozenset(found)


@functools.cache
def declared_in(head):
    """(namespace, name) of what stands at the beginning of a line, that is not inside of a type."""
    text = text_of(head)
    inside = NAMESPACE.findall(text)
    names = {name for found in DECLARED.findall(text) for name in found if name}
    return {(inside[0], name) for name in names} if inside else set()


def hidden(unit):
    """(file:line, name, head) for each name that a file keeps to itself and another file of the unit has from a head."""
    for path in unit:
        inside = NAMESPACE.findall(text_of(path))
        own = {name: line for name, (line, _) in sources.file_local_names(path).items()}
        others = set().union(*(heads_of(other) for other in unit if other != path)) - heads_of(path)
        for head in sorted(others):
            yield from ((f"{path}:{own[name]}", name, head) for space, name in sorted(declared_in(head))
                        if name in own and inside and space == inside[0])


FROM_HERE = re.compile(r"(?<![:\w])testing::(\w+)")


@functools.cache
def free_words(path):
    """The words of a file that name no member, and nothing of a named namespace."""
    return frozenset(re.findall(r"(?<![\w.:>])[A-Za-z_]\w*", sources.code_of(path)))


def takes(unit, other):
    """Whether a file of `other` would find what a file of `unit` has, also by its heads, instead of what it means."""
    own = {name for path in unit for name in sources.file_local_names(path)}
    heads = frozenset().union(*map(heads_of, unit))
    for path in other:
        inside = (NAMESPACE.findall(text_of(path)) or [""])[0] + "::"
        foreign = {name for head in heads - heads_of(path) for space, name in declared_in(head) if inside.startswith(space + "::")}
        if (own | foreign) & free_words(path) - set(sources.file_local_names(path)):
            return True
    return False


def can_join(unit, other):
    """Whether the files of two translation units may be one."""
    both = [*unit, *other]
    return not takes(unit, other) and not takes(other, unit) and not clashes(both) and not any(True for _ in hidden(both))


def half_named():
    """(file:line, name) for each name of GoogleTest that is said from within our own namespaces."""
    paths = list(tree.files("tests", (".cc", ".h")))
    ours = "\n".join(text_of(path) for path in paths if "namespace fensi::testing" in text_of(path))
    words = set(re.findall(r"\w+", re.sub(r"::testing::\w+", "", ours)))
    for path in paths:
        for number, line in enumerate(text_of(path).splitlines(), 1):
            yield from ((f"{path}:{number}", name) for name in FROM_HERE.findall(line) if name not in words)


def main():
    units = units_of_product() + list(units_of_tests())
    faults = set().union(*map(clashes, units))
    for where, name in sorted(faults):
        print(f"{where}: each has a {name} of its own; in one translation unit that is an error")
    hiding = [fault for unit in units for fault in hidden(unit)]
    for where, name, head in hiding:
        print(f"{where}: its {name} is one of {head}, too, which another file of the same translation unit includes")
    halves = list(half_named())
    for where, name in halves:
        print(f"{where}: testing::{name} is looked for in fensi::testing where that is known; write ::testing::{name}")
    print(f"{len(units)} units, {len(faults) + len(hiding)} names twice, {len(halves)} half named")
    sys.exit(1 if faults or hiding or halves or not units else 0)


if __name__ == "__main__":
    main()
