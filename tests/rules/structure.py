"""How a module is built. Its root is its face: others include nothing from below it. Its folders, and the files of its face
among them, have an order: no circles; a face that is a folder (consumer/kafka) counts with what is below it, but for other
faces; within it its files are apart. The modules are those of sources.py, for CMake and clang-tidy, too, and their C++ stands in .h and .cc."""

import os
import re
import sys

import exceptions
import sources
import tree

# Folders whose headers are for everybody, as those of a module's root are; docs/architecture.md says why.
MORE_FACES = ("consumer/codec", "consumer/file", "consumer/kafka/client", "consumer/kafka/producer", "consumer/kafka", "hbase/security", "hbase/wire", "hbase/zookeeper")
# Modules of many works, each in a folder whose headers are for the modules above.
IN_FOLDERS = ("sweep", "operations", "daemon")
NO_SUFFIXES = {".c", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".inc", ".inl", ".ipp", ".tcc", ".tpp"}


def is_face(folder):
    return folder in sources.MODULES or folder in MORE_FACES


def behind_faces(paths):
    """(file, include) where a file includes what lies behind another module's face."""
    for path in paths:
        for target in sources.includes_of(path):
            module = target.split("/")[0]
            folder = os.path.dirname(target)
            open_to_all = is_face(folder) or os.path.dirname(folder) in IN_FOLDERS
            if module in sources.MODULES and module != path.parts[0] and not open_to_all:
                yield str(path), target


def room(path):
    """A folder is one room; each file of a face, with its header, is one of its own."""
    folder = os.path.dirname(path)
    return os.path.splitext(path)[0] if is_face(folder) else folder


def wing(path):
    """A face that is a folder, with all below it but other faces, is one wing, as is every other folder. The files of a root
    are apart."""
    folder = os.path.dirname(path)
    return next((face for face in MORE_FACES if f"{folder}/".startswith(f"{face}/")), room(path))


def steps(paths, part=room):
    """room or wing -> those of the same module that it includes."""
    graph = {}
    for path in map(str, paths):
        for target in sources.includes_of(path):
            if target.split("/")[0] == path.split("/")[0] and part(target) != part(path):
                graph.setdefault(part(path), set()).add(part(target))
    return graph


def reached(graph, start):
    seen, ahead = set(), [start]
    while ahead:
        for room_ahead in graph.get(ahead.pop(), ()):
            if room_ahead not in seen:
                seen.add(room_ahead)
                ahead.append(room_ahead)
    return seen


def circles(paths, part):
    """(room, room) or (wing, wing) for each step from which a way leads back, but for the steps that are excepted."""
    graph = steps(paths, part)
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


def unlisted_modules(paths):
    """Where sources.MODULES is not what the tree, CMake and clang-tidy know."""
    known = {*sources.MODULES, "proto", "tests"}
    for folder in sorted({path.parts[0] for path in paths if len(path.parts) > 1 and path.suffix in (".h", ".cc")} - known):
        yield f"{folder}/ is no module of tests/rules/sources.py, so that no rule looks at it"
    for name, pattern in (("CMakeLists.txt", r"foreach\(folder ([^)]*)\)\s*add_subdirectory"),
                          (".clang-tidy", r"HeaderFilterRegex: '/\(([^)]*)\)/")):
        text = (tree.ROOT / name).read_text(encoding="utf-8") if (tree.ROOT / name).exists() else ""
        listed = set(re.split(r"[\s|]+", "".join(re.findall(pattern, text)))) - {"proto"}
        for module in sorted(listed ^ set(sources.MODULES)):
            yield f"{name} and tests/rules/sources.py do not agree on the module {module or '(none)'}"


def other_suffixes(paths):
    return [path for path in paths if path.parts[0] in (*sources.MODULES, "proto", "tests") and path.suffix.lower() in NO_SUFFIXES]


def main():
    paths, everything = sources.of_modules(), tree.files(".", ("",))
    faults = [f"{path} includes {target}, which is not of that module's face" for path, target in behind_faces(paths)]
    ways = {*circles(paths, room), *circles(paths, wing)}
    faults += [f"{a} includes {b}, from which a way leads back: a circle" for a, b in sorted(ways)]
    faults += [f"tests/rules/exceptions.py: {pair} is no longer part of a circle" for pair in needless_circles(paths)]
    faults += unlisted_modules(everything)
    faults += [f"{path}: C++ stands in .h and .cc, the only files that the rules read" for path in other_suffixes(everything)]
    print(*faults, sep="\n")
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults or not paths else 0)


main()
