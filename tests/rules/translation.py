#!/usr/bin/env python3
"""Chinese pages are in step with the English ones: the same headings by level, commands, code and links, in the same order."""
import os
import re
import sys

ROOT = os.environ.get("FENSI_ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
CODE = r"^```.*?^```$|^    \S[^\n]*$"
PAIRS = (("README.md", "README.zh-CN.md"), ("docs/operations.md", "docs/zh/operations.md"))


def shape(name, text, pair):
    """What does not depend on the language, by kind. Inline code may stand in another order within its paragraph. Links are those
    that the root would have, but for those from one page of the pair to the other."""
    prose = re.sub(CODE, "", text, flags=re.M | re.S)
    links = [target if ":" in target else os.path.normpath(os.path.join(os.path.dirname(name), target))
             for target in re.findall(r"\]\(([^)]*)\)", prose)]
    links = [target for target in links if target not in pair]
    inline = {part for piece in prose.split("\n\n") for part in re.findall(r"`([^`]+)`", " ".join(piece.split()))}
    return {"headings": re.findall(r"^#+ ", prose, re.M), "code": re.findall(CODE, text, re.M | re.S),
            "links": links, "inline code": sorted(inline)}


def faults(pair, english, chinese):
    found = []
    name = pair[1]
    shapes = shape(name, chinese, pair)
    for kind, expected in shape(pair[0], english, pair).items():
        there = shapes[kind]
        found += ["%s: not in %s: %s" % (kind, name, item) for item in expected if item not in there]
        found += ["%s: only in %s: %s" % (kind, name, item) for item in there if item not in expected]
        if not found and expected != there:
            found.append("%s: another order or number" % kind)
    return found


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as page:
        return page.read()


def main():
    found, lines = [], 0
    for pair in PAIRS:
        if not os.path.exists(os.path.join(ROOT, pair[0])):
            continue  # a tree made for a case of this rule
        english, chinese = map(read, pair)
        if os.path.relpath(pair[1], os.path.dirname(pair[0])) not in english:
            sys.exit("%s does not point to %s" % pair)
        found += faults(pair, english, chinese)
        lines += len(english.splitlines())
    print("\n".join(found) or "%d lines of prose and code in step" % lines)
    sys.exit(1 if found or lines == 0 else 0)


if __name__ == "__main__":
    main()
