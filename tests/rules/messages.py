"""What docs/troubleshooting.md quotes of messages is what the program says: each quotation of some words in the first column of its
tables stands in a text of the code, and each single word with an underscore is an event of the log. Each event of level warning or
error is quoted there: a person finds the answer by its name."""

import re
import sys

import sources
import tree

PAGE = "docs/troubleshooting.md"
EVENTS = "docs/logs.md"
QUOTED = re.compile(r"`([^`\n]+)`")
EVENT = re.compile(r"^\| `(\w+)` \| (\w+) \|", re.MULTILINE)
NO_MESSAGE = re.compile(r"--|fensi |kill |\\\||=")  # flags, commands, signals, settings


def texts():
    """All code in one string, in which neighbouring literals are one and quotes and escapes are gone."""
    code = "\n".join((tree.ROOT / path).read_text(encoding="utf-8") for folder in sources.MODULES for path in tree.files(folder, (".cc", ".h")))
    return re.sub(r'\\(.)', r"\1", re.sub(r'"\s*"', "", code))


def quotations():
    for row in re.findall(r"^\| (?!message or symptom)(.+?) \|", (tree.ROOT / PAGE).read_text(encoding="utf-8"), re.MULTILINE):
        yield from (quoted for quoted in QUOTED.findall(row) if not NO_MESSAGE.search(quoted))


def main():
    code, events = texts(), dict(EVENT.findall((tree.ROOT / EVENTS).read_text(encoding="utf-8")))
    quotes, faults = list(quotations()), []
    for quoted in quotes:
        pieces = [piece.strip() for piece in quoted.split("…")]
        is_event = re.fullmatch(r"[a-z]+(_[a-z]+)+", quoted)
        if (is_event and quoted not in events) or not all(piece in code for piece in pieces):
            faults.append(f"{PAGE} quotes `{quoted}`, which the program does not say")
    alarming = [event for event, level in events.items() if level in ("warning", "error")]
    faults += [f"{PAGE} has no row for the event `{event}` of {EVENTS}" for event in alarming if event not in quotes]
    print(*faults, sep="\n")
    print(f"{len(quotes)} messages, {len(alarming)} events, {len(faults)} faults")
    sys.exit(1 if faults or not quotes or not alarming else 0)


main()
