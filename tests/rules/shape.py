"""How finely the product is cut: too few lines in a file or a function make a reader jump, too many make him scroll. Prints the
figures of each module, so that two trees can be compared, and refuses a tree that is worse than the bounds below."""

import statistics
import sys

import exceptions
import sources
import tree

MOST_LINES = 500  # of a file
MOST_HEADERS = 569
MOST_TINY = 96  # headers
TINY = 25
LONGEST_CHAIN = 17  # of includes of ours


def lines_of(path):
    return (tree.ROOT / path).read_text(encoding="utf-8").count("\n")


def chains(paths):
    """file -> the longest chain of includes that begins there."""
    ours = {str(path) for path in paths}
    found = {}

    def chain(path):
        if path not in found:
            found[path] = [path]  # of a circle, which structure.py refuses
            longer = (chain(target) for target in sources.includes_of(path) if target in ours)
            found[path] = [path, *max(longer, key=len, default=[])]
        return found[path]

    return {path: chain(path) for path in sorted(ours)}


def row(name, paths, lines, functions):
    headers = [path for path in paths if path.suffix == ".h"]
    tiny = sum(lines[path] <= TINY for path in headers)
    return (f"{name:<10} {len(paths):>5} files {sum(lines[path] for path in paths):>6} lines, median {statistics.median(lines[path] for path in paths):>6}; "
            f"{len(headers):>3} headers, {tiny:>3} tiny; {len(functions):>4} functions, median {statistics.median(functions or [0]):>4}")


def main():
    paths = sources.of_modules()
    lines = {path: lines_of(path) for path in paths}
    functions = {path: [count for _, _, count in sources.functions(path)] for path in paths}
    for module in (*sources.MODULES, ""):
        mine = [path for path in paths if module in (path.parts[0], "")]
        if mine:
            print(row(module or "all", mine, lines, [count for path in mine for count in functions[path]]))
    longest = max(chains(paths).values(), key=len, default=[])
    print(f"the longest chain of includes has {len(longest)}: {' '.join(longest)}")
    headers = [path for path in paths if path.suffix == ".h"]
    tiny = sum(lines[path] <= TINY for path in headers)
    faults = [f"{path} has {count} lines; {MOST_LINES} are the most" for path, count in lines.items()
              if count > MOST_LINES and str(path) not in exceptions.LONG_FILES]
    faults += [f"tests/rules/exceptions.py: {path} is not too long any more" for path in sorted(exceptions.LONG_FILES)
               if lines.get(tree.pathlib.Path(path), 0) <= MOST_LINES]
    faults += [f"{count} {what}; {most} are the most" for count, most, what in (
        (len(headers), MOST_HEADERS, "headers"), (tiny, MOST_TINY, f"headers of at most {TINY} lines: one may serve several files of its folder"),
        (len(longest), LONGEST_CHAIN, "files in a chain of includes")) if count > most]
    print(*faults, sep="\n")
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults or not paths else 0)


main()
