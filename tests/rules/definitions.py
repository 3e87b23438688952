"""Where something is defined. A .cc has the header of its name, which declares its functions, or is a command or a group of
functions that the table of its folder names. Inside a folder one header may serve several .cc: a .cc without a header of its
name includes the one of its folder that declares its functions. A class stands in one .cc."""

import pathlib
import re
import sys

import sources
import tree

# Folders of files that register what they define in one table, and have no header each.
GROUPS = {"cli/commands": "cli/commands/commands.cc", "mapping/functions": "mapping/functions/table.cc"}


def serving(path):
    """The headers of its folder that a .cc without one of its own includes; none for a file of a module's root, a face."""
    includes = (pathlib.PurePath(name) for name in sources.includes_of(path))
    return [tree.ROOT / name for name in includes if name.parent == path.parent and len(path.parts) > 2 and (tree.ROOT / name).exists()]


def undeclared(paths):
    """A .cc whose functions for others do not stand in the header of its name or of its folder, or for a group in its table."""
    for path in paths:
        if path.suffix != ".cc" or str(path) == "cli/main.cc":
            continue
        head = (tree.ROOT / path).with_suffix(".h")
        table = next((tree.ROOT / table for folder, table in GROUPS.items() if str(path.parent) == folder), None)
        known = [head] if head.exists() else ([table] if table is not None else []) + serving(path)
        if not known or not known[0].exists():
            yield str(path), "no header of its name or its folder"
            continue
        text = "\n".join(sources.code_of(each.relative_to(tree.ROOT)) for each in known)
        missing = [name for name in sources.functions_for_others(path) if not re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)]
        if known == [table] and not sources.functions_for_others(path):
            missing = ["what it defines"]
        names = " or ".join(str(each.relative_to(tree.ROOT)) for each in known)
        yield from ((str(path), f"{name}, which {names} does not name") for name in missing)


METHOD = re.compile(r"^(?!\s)[^\n;=#]*?\b([A-Z]\w*)(?:<[^\n;(]*>)?::(?:\w+::)*(?:~?\w+|operator *[^\s\w(]+|operator\(\)|operator [\w:*& ]+)\(",
                    re.MULTILINE)


def cut_classes(paths):
    """(class, its files) where the methods of one class are defined in several files."""
    homes = {}
    for path in paths:
        if path.suffix == ".cc":
            for name in METHOD.findall(sources.code_of(path)):
                homes.setdefault((path.parts[0], name), set()).add(str(path))
    return [(name, " and ".join(sorted(files))) for (_, name), files in sorted(homes.items()) if len(files) > 1]


def main():
    paths = sources.of_modules()
    faults = [f"{path} has {what}" for path, what in undeclared(paths)]
    faults += [f"{name} is cut over {files}: a class has one .cc" for name, files in cut_classes(paths)]
    print(*faults, sep="\n")
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults or not paths else 0)


main()
