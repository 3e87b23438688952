"""A fake server runs what a test gave it (`server.react = [&] ...`) on threads of its own until it is destroyed. What that
uses is declared before the server: variables are destroyed in the opposite order."""

import re
import sys

import tree

FUNCTION = re.compile(r"^(?!namespace)[^\s/#}].*\{$", re.M)
CALLBACK = re.compile(r"\b(\w+)(\.handler\(\))?\.\w+ = \[([^\]]*&[^\]]*)\]")
VARIABLE = re.compile(r"^\s*(?!return\b|using\b)(?:static |const |constexpr )*[A-Za-z_][\w:]*(?:<[^;=]*>)?[&*]? +(\w+)\s*[;{(=,\[]", re.M)


def functions(text):
    for begin in FUNCTION.finditer(text):
        yield begin.start(), text[begin.start():text.find("\n}", begin.end())]


def in_braces(text, begin):
    depth = 0
    for at in range(text.index("{", begin), len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if depth == 0:
            return text[begin:at]
    return text[begin:]


def late_variables(function):
    """(place, server, variable) of each that a callback uses by reference and that is declared after its server."""
    for callback in CALLBACK.finditer(function):
        server, handler, captures = callback.groups()
        kind = r"\w+" if handler else r"Fake\w+"
        declared = list(re.finditer(rf"^\s*{kind} {server}\b\s*[;({{]", function[:callback.start()], re.M))
        if not declared:
            continue
        body = in_braces(function, callback.end())
        for variable in VARIABLE.finditer(function[declared[-1].end():callback.start()]):
            name = variable.group(1)
            if re.search(rf"(?<![\w.:>]){name}\b", body) and not re.search(rf"(?<!&)\b{name}\b", captures):
                yield callback.start(), server, name


def main():
    faults = []
    for path in tree.files("tests", (".cc",)):
        text = (tree.ROOT / path).read_text(encoding="utf-8")
        for begin, function in functions(text):
            for place, server, name in late_variables(function):
                line = text.count("\n", 0, begin + place) + 1
                faults.append(f"{path}:{line}: a callback of '{server}' uses '{name}', which is destroyed before the server: declare it first")
    print("\n".join([*faults, f"callbacks: {len(faults)} faults"]))
    return 1 if faults else 0


sys.exit(main())
