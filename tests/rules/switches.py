"""Every switch FENSI_… that a file of the tree knows has its row in tests/README.md, and none has a row too many."""

import re
import sys

import tree

# Macros of the code, and beginnings of names that a script puts together.
NO_SWITCH = {"FENSI_ASSIGN_OR_RETURN", "FENSI_ASSIGN_OR_RETURN_", "FENSI_JOINED", "FENSI_JOINED_", "FENSI_RETURN_IF_ERROR", "FENSI_TEST_",
             "FENSI_ORACLE_"}
SWITCH = re.compile(r"\bFENSI_[A-Z][A-Z0-9_]*")
PAGE = "tests/README.md"


def variables():
    """Those by which a flag of the program can be set: its own pages have them."""
    path = tree.ROOT / "cli/flags/flag_table.h"
    flags = path.read_text(encoding="utf-8") if path.exists() else ""
    return {"FENSI_" + name.upper() for name in re.findall(r"\bFLAG\(\w+,\s*(\w+)", flags)}


def used():
    """{switch: a file that knows it}; a page is no use of one."""
    found, flags = {}, variables()
    for path in tree.files(".", ("",)):
        if path.suffix == ".md":
            continue
        try:
            text = (tree.ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for name in SWITCH.findall(text):
            if name not in NO_SWITCH | flags:
                found.setdefault(name, path)
    return found


def main():
    rows = [line for line in (tree.ROOT / PAGE).read_text(encoding="utf-8").splitlines() if line.startswith("| `FENSI_")]
    documented = {name for row in rows for name in SWITCH.findall(row.split("|")[1])}
    known = used()
    for name in sorted(set(known) - documented):
        print(f"{known[name]}: the switch {name} has no row in {PAGE}")
    for name in sorted(documented - set(known)):
        print(f"{PAGE}: nothing knows the switch {name}")
    print(f"{len(known)} switches")
    sys.exit(0 if known and set(known) == documented else 1)


main()
