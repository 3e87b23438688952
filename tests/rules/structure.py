"""How a module is built. Its root is its face: others include nothing from below it. Its folders, and the files of its face
among them, have an order: no circles. A .cc has the header of its name, or is a command or a group of functions. A class
stands in one .cc, and .clang-tidy looks at the headers of every module."""

import os
import re
import sys

import exceptions
import sources
import tree

# Folders whose headers are for everybody, as those of a module's root are; docs/architecture.md says why.
MORE_FACES = ("consumer/codec", "consumer/file", "consumer/kafka")
# Folders of files that register what they define in one table, and have no header each.
GROUPS = ("cli/commands", "mapping/functions")


def is_face(folder):
    return folder in sources.MODULES or folder in MORE_FACES


def behind_faces(paths):
    """(file, include) where a file includes what lies behind another module's face."""
    for path in paths:
        for target in sources.includes_of(path):
            module = target.split("/")[0]
            if module in sources.MODULES and module != path.parts[0] and not is_face(os.path.dirname(target)):
                yield str(path), target


def room(path):
    """A folder is one room; each file of a face, with its header, is one of its own."""
    folder = os.path.dirname(path)
    return os.path.splitext(path)[0] if is_face(folder) else folder


def steps(paths):
    """room -> rooms of the same module that it includes."""
    graph = {}
    for path in map(str, paths):
        for target in sources.includes_of(path):
            if target.split("/")[0] == path.split("/")[0] and room(target) != room(path):
                graph.setdefault(room(path), set()).add(room(target))
    return graph


def reached(graph, start):
    seen, ahead = set(), [start]
    while ahead:
        for room_ahead in graph.get(ahead.pop(), ()):
            if room_ahead not in seen:
                seen.add(room_ahead)
                ahead.append(room_ahead)
    return seen


def circles(paths):
    """(room, room) for each step from which a way leads back, but for the steps that are excepted."""
    graph = steps(paths)
    for start, end in exceptions.CIRCLES:
        graph.get(start, set()).discard(end)
    for start in sorted(graph):
        for end in sorted(graph[start]):
            if start in reached(graph, end):
                yield start, end


def needless_circles(paths):
    graph = steps(paths)
    for start, end in sorted(exceptions.CIRCLES):
        if end not in graph.get(start, ()) or start not in reached(graph, end):
            yield start, end


def without_header(paths):
    for path in paths:
        grouped = str(path.parent) in GROUPS or str(path) == "cli/main.cc"
        if path.suffix == ".cc" and not grouped and not (tree.ROOT / path).with_suffix(".h").exists():
            yield str(path)


METHOD = re.compile(r"^(?!\s)[^\n;=#]*?\b([A-Z]\w*)::(?:\w+::)*~?\w+\(", re.MULTILINE)


def cut_classes(paths):
    """(class, its files) where the methods of one class are defined in several files."""
    homes = {}
    for path in paths:
        if path.suffix == ".cc":
            for name in METHOD.findall(sources.code_of(path)):
                homes.setdefault((path.parts[0], name), set()).add(str(path))
    return [(name, " and ".join(sorted(files))) for (_, name), files in sorted(homes.items()) if len(files) > 1]


def not_tidied():
    """Modules that the filter of .clang-tidy leaves out: nothing would be said of them."""
    config = tree.ROOT / ".clang-tidy"
    filters = re.findall(r"^HeaderFilterRegex: '(.*)'$", config.read_text(encoding="utf-8"), re.MULTILINE) if config.exists() else []
    return [module for one in filters for module in sources.MODULES if not re.search(one, f"/x/{module}/y.h")]


def main():
    paths = sources.of_modules()
    faults = [f"{path} includes {target}, which is not of that module's face" for path, target in behind_faces(paths)]
    faults += tree.but_for(exceptions.HEADERS, without_header(paths), "{0} has no header of its name")
    faults += [f"{a} includes {b}, from which a way leads back: a circle" for a, b in circles(paths)]
    faults += [f"tests/rules/exceptions.py: {pair} is no longer part of a circle" for pair in needless_circles(paths)]
    faults += [f"{name} is cut over {files}: a class has one .cc" for name, files in cut_classes(paths)]
    faults += [f".clang-tidy: HeaderFilterRegex leaves out {module}/" for module in not_tidied()]
    print(*faults, sep="\n")
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults or not paths else 0)


main()
