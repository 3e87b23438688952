#!/usr/bin/env python3
"""README.zh-CN.md is in step with README.md: the same headings by level, commands, code and links, in the same order."""
import os
import re
import sys

ROOT = os.environ.get("FENSI_ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
CODE = r"^```.*?^```$|^    \S[^\n]*$"
PAGES = ("README.md", "README.zh-CN.md")


def shape(text):
    """What does not depend on the language, by kind. Inline code may stand in another order within its paragraph."""
    prose = re.sub(CODE, "", text, flags=re.M | re.S)
    links = [target for target in re.findall(r"\]\(([^)]*)\)", prose) if target not in PAGES]
    inline = {part for piece in prose.split("\n\n") for part in re.findall(r"`([^`]+)`", " ".join(piece.split()))}
    return {"headings": re.findall(r"^#+ ", prose, re.M), "code": re.findall(CODE, text, re.M | re.S),
            "links": links, "inline code": sorted(inline)}


def faults(english, chinese):
    found = []
    for kind, expected in shape(english).items():
        there = shape(chinese)[kind]
        found += ["%s: not in README.zh-CN.md: %s" % (kind, item) for item in expected if item not in there]
        found += ["%s: only in README.zh-CN.md: %s" % (kind, item) for item in there if item not in expected]
        if not found and expected != there:
            found.append("%s: another order or number" % kind)
    return found


def main():
    pages = []
    for name in PAGES:
        with open(os.path.join(ROOT, name), encoding="utf-8") as page:
            pages.append(page.read())
    if PAGES[1] not in pages[0]:
        sys.exit("README.md does not point to README.zh-CN.md")
    found = faults(*pages)
    print("\n".join(found) or "%d lines of prose and code in step" % len(pages[0].splitlines()))
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
