#!/usr/bin/env python3
"""Chinese pages are in step with the English ones: the same headings by level, commands, code and links, in the same order, and
under each heading the same paragraphs, lists and tables by kind and size. A Chinese page links to Chinese pages where there are some.
It uses Chinese punctuation, and no word that docs/glossary.md replaces by another."""
import os
import re
import sys

ROOT = os.environ.get("FENSI_ROOT", os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
CODE = r"^```.*?^```$|^    \S[^\n]*$"
HEADING = r"^#+ .+$"
CHINESE = "\u3400-\u9fff\u3001\u3002\u201c\u201d"
PAIRS = (("README.md", "docs/zh/README.md"), ("docs/concepts.md", "docs/zh/concepts.md"), ("docs/tutorial.md", "docs/zh/tutorial.md"),
         ("docs/limits.md", "docs/zh/limits.md"), ("docs/consistency.md", "docs/zh/consistency.md"), ("docs/reading.md", "docs/zh/reading.md"),
         ("docs/operations.md", "docs/zh/operations.md"), ("docs/sizing.md", "docs/zh/sizing.md"))
ENGLISH_OF = {chinese: english for english, chinese in PAIRS}
GLOSSARY = "docs/glossary.md"


def read(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as page:
        return page.read()


def is_there(name):
    return os.path.exists(os.path.join(ROOT, name))


def prose_of(text):
    return re.sub(CODE, "", text, flags=re.M | re.S)


def headings_of(text):
    return re.findall(HEADING, prose_of(text), re.M)


def anchor_of(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lstrip("#").strip().lower()).replace(" ", "-")


def anchor_in_english(chinese, anchor):
    """The anchor of the heading at the same place."""
    anchors = [[anchor_of(heading) for heading in headings_of(read(name))] for name in (chinese, ENGLISH_OF[chinese])]
    at = anchors[0].index(anchor) if anchor in anchors[0] else len(anchors[1])
    return anchors[1][at] if at < len(anchors[1]) else anchor


def links_of(name, text):
    """As a page in the root would write them."""
    return [target if ":" in target else os.path.normpath(os.path.join(os.path.dirname(name), target))
            for target in re.findall(r"\]\(([^)]*)\)", prose_of(text))]


def in_english(link):
    """Where the English page leads if the Chinese one leads to this link."""
    name, mark, anchor = link.partition("#")
    if name not in ENGLISH_OF or not is_there(name):
        return link
    return ENGLISH_OF[name] + (mark + anchor_in_english(name, anchor) if mark else "")


def kind_of(block):
    lines = block.splitlines()
    for kind, start in (("table", r"\|"), ("list", r"(?:-|\d+\.) "), ("warning", ">"), ("note", r"\[\^"), ("heading", "#")):
        found = [line for line in lines if re.match(start, line)]
        if found and re.match(start, lines[0]):
            return "%s of %d" % (kind, len(found)) if kind in ("table", "list") else kind
    return "paragraph"


def blocks_of(text):
    """Below each heading, the kinds of its blocks with the number of rows or items."""
    sections = re.split(HEADING, prose_of(text), flags=re.M)
    return [[kind_of(block) for block in re.split(r"\n\s*\n", section.strip("\n")) if block.strip()] for section in sections]


def shape(name, text, pair):
    """What does not depend on the language, by kind. Inline code may stand in another order within its paragraph. Links are those
    that the root would have, but for those from one page of the pair to the other."""
    prose = prose_of(text)
    links = [in_english(link) for link in links_of(name, text) if link not in pair]
    inline = {part for piece in prose.split("\n\n") for part in re.findall(r"`([^`]+)`", " ".join(piece.split()))}
    return {"headings": re.findall(r"^#+ ", prose, re.M), "code": re.findall(CODE, text, re.M | re.S),
            "links": links, "images": re.findall(r"!\[", prose), "inline code": sorted(inline)}


def other_shapes(pair, english, chinese):
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


def other_blocks(pair, english, chinese):
    """Of pages with the same headings."""
    places = ["the beginning"] + headings_of(english)
    for place, expected, there in zip(places, blocks_of(english), blocks_of(chinese)):
        if expected != there:
            yield "%s: below '%s' are %s, but in English %s" % (pair[1], place, ", ".join(there) or "nothing", ", ".join(expected) or "nothing")


def english_links(pair, chinese):
    of = {english: other for english, other in PAIRS if is_there(other)}
    for link in links_of(pair[1], chinese):
        name = link.partition("#")[0]
        if name in of and name != pair[0]:
            yield "%s: links to %s, and not to %s" % (pair[1], name, of[name])


def replaced_words():
    """Of the Chinese words of the glossary: those in the column "not", with those that replace them."""
    section = read(GLOSSARY).partition("## Words of the Chinese pages")[2].partition("\n## ")[0] if is_there(GLOSSARY) else ""
    rows = re.findall(rf"^\| [^|]+ \| ([^|]+) \| ([{CHINESE}, ]+) \|$", section, re.M)
    return {wrong: right for right, words in rows for wrong in words.split(", ")}


def wrong_words(pair, chinese):
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)", " ", prose_of(chinese))
    for wrong, right in replaced_words().items():
        if wrong in prose.replace(right, ""):
            yield "%s: says %s, and docs/glossary.md says %s" % (pair[1], wrong, right)


def wrong_marks(pair, chinese):
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)|^\[\^\w+\]:|!\[|(?<=\d)[,:](?=\d)", " ", prose_of(chinese), flags=re.M)
    for found in re.findall(r"[^\n]{0,8}[,;:?!()]", prose):
        yield "%s: '%s' has punctuation that is not Chinese" % (pair[1], found)
    for found in re.findall(r"\d\uff0c\d{3}", prose):
        yield "%s: '%s' is a number with a Chinese comma" % (pair[1], found)
    for found in re.findall(r"\*\*[^*\n]+[\u3002\uff01-\uff1f]\*\*(?=\S)", prose):
        yield "%s: '%s' needs a space behind it, or it is not bold" % (pair[1], found)


def faults(pair, english, chinese):
    found = other_shapes(pair, english, chinese)
    found += [] if found else other_blocks(pair, english, chinese)
    return found + [*english_links(pair, chinese), *wrong_words(pair, chinese), *wrong_marks(pair, chinese)]


def unknown_pages():
    folder = os.path.join(ROOT, "docs/zh")
    names = sorted("docs/zh/" + name for name in (os.listdir(folder) if os.path.isdir(folder) else ()))
    return ["%s: PAIRS does not name it" % name for name in names if name not in ENGLISH_OF]


def main():
    found, lines = unknown_pages(), 0
    for pair in PAIRS:
        if not is_there(pair[0]):
            continue  # a tree made for a case of this rule
        english, chinese = map(read, pair)
        for name, other, text in (pair + (english,), pair[::-1] + (chinese,)):
            if os.path.relpath(other, os.path.dirname(name)) not in text:
                found.append("%s does not point to %s" % (name, other))
        found += faults(pair, english, chinese)
        lines += len(english.splitlines())
    print("\n".join(found) or "%d lines of prose and code in step" % lines)
    sys.exit(1 if found or lines == 0 else 0)


if __name__ == "__main__":
    main()
