"""A word that docs/glossary.md calls gone does not come back into the code, and a public one nowhere. exceptions.WORDS: those that
are still there."""

import functools
import re
import sys

import exceptions
import sources
import tree

PAGE = "docs/glossary.md"
PUBLIC = "## Public words that went"
# What was written before the words went, and what looks for them.
OF_BEFORE = ("CHANGELOG.md", "docs/decisions/", PAGE, "tests/rules/", "tests/compat/0.1.0/", "tests/compat/former_words", "tests/formats/golden/")
# The kinds of dead letters as they are stored, and letters in tests.
STORED = {"indexer/plan/event_check.h", "tests/operations/dead_letters/dead_letter_retry_test.cc", "tests/consumer/kafka/kafka_dead_letters_test.cc"}
TEXTS = (".h", ".cc", ".py", ".md", ".yaml", ".yml", ".js", ".mjs", ".html", ".txt", ".json", ".conf", ".proto", ".java", ".sh")


def gone():
    """Words of the table "not | but"."""
    section = (tree.ROOT / PAGE).read_text(encoding="utf-8").partition("## Words that went")[2]
    return [word for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)]


def public_gone():
    section = (tree.ROOT / PAGE).read_text(encoding="utf-8").partition(PUBLIC)[2].partition("\n## ")[0]
    return re.findall(r"^\| `(.*?)` \|", section, re.MULTILINE)


def public_faults():
    """In code, messages, pages, examples and tests, also as a part of a text."""
    words = public_gone()
    if not words:
        return
    each = (re.escape(word) + (r"(?![\w-])" if word[-1].isalnum() else "(?!:)") for word in words)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(each)})")
    for path in tree.files(".", TEXTS):
        name = path.as_posix()
        if name.startswith(OF_BEFORE) or name in STORED:
            continue
        text = (tree.ROOT / path).read_text(encoding="utf-8", errors="replace")
        if not pattern.search(text):
            continue
        for number, line in enumerate(text.splitlines(), 1):
            for found in pattern.findall(line):
                yield f"{name}:{number}: the public word {found} went; {PAGE} says what to call it"


def without_keys(word, text):
    """A word that is a whole text, or that a stroke follows, is a key on disk, which keeps it."""
    return re.sub(rf'"{word}"|\b{word}/', "", text)


def is_in(word, path):
    """As it stands, also in comments and texts; and in code as a name, that of a file too, or as a part of one: PollLane, kLane, lane_."""
    text = text_of(path)
    if word in text and re.search(rf"(?<![A-Za-z]){word}(?![a-z])", without_keys(word, text)):
        return True
    parts = parts_of(word)
    return any(parts == own[at:at + len(parts)] for own in names_with(path).get(parts[0], ()) for at in range(len(own)))


@functools.cache
def text_of(path):
    return (tree.ROOT / path).read_text(encoding="utf-8")


def parts_of(name):
    return tuple(part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name))


@functools.cache
def names_with(path):
    """{part: the names of the file that have it, as their parts}"""
    names = set(re.findall(r"[A-Za-z_]\w*", sources.code_of(path)))
    found = {}
    for parts in {parts_of(name) for name in (*names, *path.with_suffix("").parts)}:
        for part in parts:
            found.setdefault(part, set()).add(parts)
    return found


def main():
    files = [path for folder in (*sources.MODULES, "proto") for path in tree.files(folder, (".h", ".cc", ".proto"))]
    words = gone()
    faults = [f"{PAGE} has no word {word}, which exceptions.WORDS names" for word in exceptions.WORDS - set(words)]
    for word in words:
        uses = [path for path in files if is_in(word, path)]
        if uses and word not in exceptions.WORDS:
            faults.append(f"{uses[0]}: the word {word} went; {PAGE} says what to call it")
        if not uses and word in exceptions.WORDS:
            faults.append(f"the word {word} is gone: take it out of exceptions.WORDS, so that it stays so")
    faults += public_faults()
    for fault in faults:
        print(fault)
    print(f"{len(words)} words that went, {len(faults)} faults")
    sys.exit(1 if faults or not words or not files else 0)


main()
