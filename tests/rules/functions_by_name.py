"""No function of the mapping language is known by its spelling: in mapping/ no text in quotes is the name of one, but in
the entries of the table of functions (mapping/functions).

What somebody has to know of a function is a field of its entry; a comparison with its name would leave out the next
function that does the same.
"""

import re
import sys

import tree

ENTRY = re.compile(r'\{"([a-z0-9_]+)",\s+(?:kCategory|Category::)|'
                   r'(?:(?:Reader|Writer|Hash|Little)<[^>]*>|\b(?:Text|Variable))\(\s*"([a-z0-9_]+)",')
# Where a name is spelled: the names, and why they are no knowledge of a function, or why they have to be.
SPELLED = {
    "mapping/functions/avro_schemas.cc": ("fixed int", "types of Avro"),
    "mapping/cases/read_cases.cc": ("proto", "a key of a test case"),
    "mapping/definition/condition.cc": ("match", "what people write for an operator of a condition"),
    "mapping/definition/read_create.cc": ("hex salt split", "keys of `create:`"),
    "mapping/definition/changelog.cc": ("base64", "a key of `changelog:`"),
    "mapping/lint/lint.cc": ("split", "a key of `create:`"),
    "mapping/template/arguments.cc": ("salt time uuid", "what people write for a reference"),
    "mapping/functions/table.cc": ("decimal real time", "a category and types of values"),
    "mapping/starter/columns.cc": ("after before", "names in the documents of Debezium"),
    "mapping/starter/values.cc": ("f32 f64 iso_time number phoenix uuid", "what values are tried with, and then read by in a template"),
    "mapping/starter/row_keys.cc": ("hex md5 sha1 sha256", "what a proposed template is made of: it is text with these names"),
}


def function_names():
    names = set()
    for path in tree.files("mapping/functions", ".cc"):
        text = (tree.ROOT / path).read_text(encoding="utf-8")
        names |= {name for found in ENTRY.findall(text) for name in found if name}
    return names


def spellings(path, names):
    """(line, name) of each text in quotes that is a name, or its beginning or end (`floor_`), but for those of entries."""
    text = (tree.ROOT / path).read_text(encoding="utf-8")
    entries = {match.start(group) for match in ENTRY.finditer(text) for group in (1, 2)}
    parts = {part for name in names for at in range(len(name)) if name[at] == "_" for part in (name[:at + 1], name[at:])}
    literal = re.compile('"(' + "|".join(sorted(names | parts)) + ')"')
    for found in literal.finditer(text):
        before = text[text.rfind("\n", 0, found.start()) + 1:found.start()]
        if "//" not in before and not (found.start(1) in entries and str(path.parent) == "mapping/functions"):
            yield text.count("\n", 0, found.start()) + 1, found.group(1)


def main():
    names = function_names()
    if not names:
        sys.exit("no function found in mapping/functions")
    faults, needed = [], set()
    for path in tree.files("mapping", (".cc", ".h")):
        allowed = SPELLED.get(str(path), ("", ""))[0].split()
        for line, name in spellings(path, names):
            needed.add((str(path), name))
            if name not in allowed:
                faults.append(f"{path}:{line}: the function '{name}' is known by its name: make it a field of its entry")
    for path, (allowed, _) in SPELLED.items():
        faults += [f"{path} no longer spells '{name}': take it out of SPELLED in tests/rules/functions_by_name.py"
                   for name in allowed.split() if (tree.ROOT / path).exists() and (path, name) not in needed]
    print("\n".join(faults) or f"{len(names)} functions, none is known by its name")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
