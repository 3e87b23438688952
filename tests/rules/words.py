"""A word that docs/glossary.md calls gone does not come back into the code. exceptions.WORDS: those that are still there."""

import re
import sys

import exceptions
import sources
import tree

PAGE = "docs/glossary.md"


def gone():
    """Words of the table "not | but"."""
    section = (tree.ROOT / PAGE).read_text(encoding="utf-8").partition("## Words that went")[2]
    return [word for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE) for word in re.findall(r"`(\w+)`", row)]


def without_keys(word, text):
    """A word that is a whole text, or that a stroke follows, is a key on disk, which keeps it."""
    return re.sub(rf'"{word}"|\b{word}/', "", text)


def is_in(word, text):
    """As a word or as one of those that a name is made of: refusal_patience."""
    return re.search(rf"(?<![A-Za-z]){word}(?![a-z])", text)


def main():
    files = {path: (tree.ROOT / path).read_text(encoding="utf-8") for folder in (*sources.MODULES, "proto")
             for path in tree.files(folder, (".h", ".cc", ".proto"))}
    words = gone()
    faults = [f"{PAGE} has no word {word}, which exceptions.WORDS names" for word in exceptions.WORDS - set(words)]
    for word in words:
        uses = [path for path, text in files.items() if is_in(word, without_keys(word, text))]
        if uses and word not in exceptions.WORDS:
            faults.append(f"{uses[0]}: the word {word} went; {PAGE} says what to call it")
        if not uses and word in exceptions.WORDS:
            faults.append(f"the word {word} is gone: take it out of exceptions.WORDS, so that it stays so")
    for fault in faults:
        print(fault)
    print(f"{len(words)} words that went, {len(faults)} faults")
    sys.exit(1 if faults or not words or not files else 0)


main()
