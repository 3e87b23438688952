"""All walks of docs/architecture.md are there, and each step of them, by its number, and one hop away: its name stands in a file of a step before it.

A step: "1. `file` `Class::Function`: sentence", below a heading of its own.
"""

import re
import sys

import tree

PAGE = "docs/architecture.md"
HEADING = "## Three walks"
WALKS = 3
STEP = re.compile(r"^(\d+)\. `([\w./]+)` `([\w:]+)`: \S")


def walks(text):
    """{title: [(file, symbol)]}; a line that looks like a step and is none is a fault of its own."""
    section = re.split(r"^## ", text.partition(HEADING)[2], maxsplit=1, flags=re.MULTILINE)[0]
    for part in section.split("### ")[1:]:
        lines = part.splitlines()
        yield lines[0], [line for line in lines[1:] if line[:1].isdigit()]


def has(text, name):
    return re.search(rf"\b{re.escape(name)}\b", text) is not None


def faults_of(title, lines):
    before = ""
    for number, line in enumerate(lines, 1):
        step = STEP.match(line)
        if not step:
            yield f"{title}: no step: {line}"
            continue
        if int(step.group(1)) != number:
            yield f"{title}: step {number} has the number {step.group(1)}"
        path, symbol = step.groups()[1:]
        if not (tree.ROOT / path).is_file():
            yield f"{title}: there is no file {path}"
            continue
        text = (tree.ROOT / path).read_text(encoding="utf-8")
        *owner, name = symbol.split("::")
        if not all(has(text, word) for word in (*owner, name)):
            yield f"{title}: {path} has no {symbol}"
        elif before and not has(before, name) and not any(has(before, word) for word in owner):
            yield f"{title}: no file before {path} names {symbol}: that is more than one hop"
        before += text


def main():
    found = list(walks((tree.ROOT / PAGE).read_text(encoding="utf-8")))
    faults = [fault for title, lines in found for fault in faults_of(title, lines)]
    if len(found) != WALKS or any(len(lines) < 2 for _, lines in found):
        faults.append(f"{WALKS} walks of some steps are promised, and there are {[len(lines) for _, lines in found]} steps")
    for fault in faults:
        print(f"{PAGE}: {fault}")
    steps = sum(len(lines) for _, lines in found)
    print(f"{len(found)} walks, {steps} steps, {len(faults)} faults")
    sys.exit(1 if faults or not steps else 0)


main()
