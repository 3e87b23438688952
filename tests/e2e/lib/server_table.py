"""Versions of the servers that were tried together, and what docs/versions.md and README.md say of them."""
import json
import os
import re

from . import stack

PAIRS = (("2.4.17", "3.3.2"), ("2.5.8", "3.5.2"), ("2.6.1", "3.9.1"), ("2.6.1", "4.1.0"), ("3.0.0-alpha-4", "4.1.0"))
# Versions of HBase of whose Thrift2 gateway Maven has no jar.
ALONE = ("3.0.0-alpha-4",)
# Those that keep the queues of replication in a table of HBase, which the capture does not read.
QUEUES_IN_TABLE = ("3.0.0-alpha-4",)
# What `tests/run --versions` found last: {"HBASE/KAFKA": {"tried": day, "markers": bool, "native": bool}}, of pairs on
# which all was exact. native: with the contract by HBase's RPC.
KEPT = os.path.join(stack.ROOT, "tests", "data", "servers.json")
BEGIN, END = "<!-- servers: written by tests/run --versions -->", "<!-- servers: end -->"
PAGES = {
    "docs/versions.md": {
        "heads": ("HBase", "Kafka", "tried", "all operations of a store (`tests/store/contract`), by HBase's RPC",
                  "the same, through the gateway", "the follow graph",
                  "each kind of change and delete",
                  "`fensi capture` and Kafka killed", "backfill under load", "watermarks (`fensi wait`)"),
        "exact": "exact", "unchecked": "exact, `--skip_watermark_check`", "none": "not available: HBase has no replication markers",
        "in_table": "not available: HBase keeps its queues in a table",
        "untried": "not yet", "alone": "Maven has no gateway"},
}
README = "README.md"


def kept():
    with open(KEPT, encoding="utf-8") as text:
        return json.load(text)


def keep(pair, outcome):
    """Of a pair on which something failed (None) nothing is kept: what was exact once is not any more."""
    name = "/".join(pair)
    found = {other: of_other for other, of_other in kept().items() if other != name}
    if outcome:
        found[name] = outcome
    text = json.dumps(found, indent=2, sort_keys=True)
    with open(KEPT, "w", encoding="utf-8") as out:
        out.write(text + "\n")


def _cells(pair, found, words):
    if found is None:
        return [*pair, words["untried"]] + ["–"] * 7
    why = words["in_table" if pair[0] in QUEUES_IN_TABLE else "none"]
    marks = (words["exact"], words["exact"]) if found["markers"] else (words["unchecked"], why)
    gateway = words["alone"] if pair[0] in ALONE else words["exact"]
    native = words["exact"] if found.get("native") else words["untried"]
    return [*pair, found["tried"], native, gateway] + [words["exact"]] * 3 + list(marks)


def table(page, found):
    words = PAGES[page]
    rows = [words["heads"], ["---"] * len(words["heads"])] + [_cells(pair, found.get("/".join(pair)), words) for pair in PAIRS]
    return "".join("| %s |\n" % " | ".join(row) for row in rows)


def path_of(page):
    return os.path.join(stack.ROOT, page)


def shown(page):
    """What stands between the marks of the page."""
    with open(path_of(page), encoding="utf-8") as text:
        return text.read().split(BEGIN + "\n", 1)[1].split(END, 1)[0]


def write(page):
    with open(path_of(page), encoding="utf-8") as text:
        head, _, rest = text.read().partition(BEGIN + "\n")
    whole = head + BEGIN + "\n\n" + table(page, kept()) + "\n" + END + rest.split(END, 1)[1]
    with open(path_of(page), "w", encoding="utf-8") as out:
        out.write(whole)


def _number(version):
    return [int(part) for part in re.findall("[0-9]+", version)]


def in_readme(text, found):
    """The README with the versions that were tried."""
    tried = [pair for pair in PAIRS if "/".join(pair) in found]
    hbase = sorted({pair[0] for pair in tried}, key=_number)
    kafka = sorted((pair[1] for pair in tried), key=_number)
    text = re.sub(r"(?<=\| HBase \| tested with )[^;]*", " and ".join(filter(None, (", ".join(hbase[:-1]), hbase[-1]))), text)
    return re.sub(r"(?<=\| Kafka \| tested with )[^;]*", "%s to %s" % (kafka[0], kafka[-1]), text)


def write_readme():
    with open(path_of(README), encoding="utf-8") as source:
        text = source.read()
    with open(path_of(README), "w", encoding="utf-8") as out:
        out.write(in_readme(text, kept()))
