"""No function of the mapping language is known by its spelling outside the table of functions (mapping/functions).

What somebody has to know of a function is a field of its entry; a comparison with its name would leave out the next
function that does the same.
"""

import re
import sys

import tree

ENTRY = re.compile(r'\{"([a-z0-9_]+)",\s+(?:kCategory|Category::)|(?:Reader|Hash)<[^>]*>\("([a-z0-9_]+)",')
# Here not even a list of names may stand. Elsewhere keys of the mapping file are spelled so, and texts for people.
STRICT = ("mapping/engine/", "mapping/explain", "mapping/lookup", "mapping/template/")


def function_names():
    names = set()
    for path in tree.files("mapping/functions", ".cc"):
        text = (tree.ROOT / path).read_text()
        names |= {name for found in ENTRY.findall(text) for name in found if name}
    return names


def spellings(text, names, quoted):
    """(line, name) of each use of a name as it stands, or where names may be quoted, of each comparison with one."""
    spelled = "|".join(sorted(names, key=len, reverse=True))
    literal = rf'"({spelled})"'
    pattern = rf'[=!]=\s*{literal}|{literal}\s*[=!]=|IsStep\([^)]*{literal}' if quoted else literal
    for number, line in enumerate(text.splitlines(), 1):
        for found in re.finditer(pattern, line.split("//")[0]):
            yield number, next(name for name in found.groups() if name)


def main():
    names = function_names()
    assert {"first", "to_be", "md5", "u32", "time", "json", "proto"} <= names, sorted(names)
    assert list(spellings('if (step.function->name == "hex") {', names, True)) == [(1, "hex")]
    assert list(spellings('IsOneOf(step, {"add", "sub"})', names, False)) == [(1, "add"), (1, "sub")]
    faults = []
    for path in tree.files("mapping", (".cc", ".h")):
        if str(path).startswith("mapping/functions/"):
            continue
        quoted = not str(path).startswith(STRICT)
        for line, name in spellings((tree.ROOT / path).read_text(), names, quoted):
            faults.append(f"{path}:{line}: the function '{name}' is known by its name: make it a field of its entry")
    print("\n".join(faults) or f"{len(names)} functions, none is known by its name")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
