"""Changes of two source tables, in few rows and few milliseconds, and what the indexes of indexes/ must hold after them: by the
oracle's model of an HBase row and by nothing of fensi's."""
import collections
import datetime
import json
import os
import random
import sys
import types

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "oracle"))
import hbase  # noqa: E402  the oracle's
from values import escaped, unescaped  # noqa: E402

BEGIN = 1_700_000_000_000
COLUMNS = ("f:a", "f:b", "f:n", "f:tag_x", "f:tag_y", "g:t")
MARKERS = ("delete", "delete_column", "delete_family", "delete_family_version")
ROWS, DAY_MS, WIDTH_MS = 30, 86_400_000, 60
NO_NUMBER = "soon"


def before(count):
    """Rows that were there before the stream."""
    return [_line("s", "b%03d" % n, [{"type": "put", "column": "f:b", "ts": BEGIN - 1, "value": "v%d" % (n % 12)}], 0)
            for n in range(count)]


def drawn(seed, count):
    """Events as lines: of each three in four one table, and some of them again."""
    r = random.Random(seed)
    made = [_event(r, n + 1) for n in range(count)]
    return [line for line in made for _ in range(1 + (r.random() < 0.05))]


def _event(r, seq):
    cells = {}
    for _ in range(r.choice((1, 1, 2, 3))):
        cell = _cell(r)
        cells.setdefault((cell.get("column", "f"), cell["ts"]), cell)
    return _line(r.choice("sssk"), "r%02d\\x00" % r.randrange(ROWS), list(cells.values()), seq)


def _line(table, row, cells, seq):
    return json.dumps({"table": table, "row": row, "cells": cells, "seq": seq}, separators=(",", ":")) + "\n"


def _cell(r):
    ts, column = BEGIN + r.randrange(WIDTH_MS), r.choice(COLUMNS)
    if r.random() < 0.8:
        return {"type": "put", "column": column, "ts": ts, "value": _value(r, column)}
    kind = r.choices(MARKERS, (4, 3, 1, 2))[0]
    place = {"family": column[0]} if "family" in kind else {"column": column}
    return {"type": kind, **place, "ts": ts}


def _value(r, column):
    if column != "f:n":
        return r.choice(("", "\\xFF")) + "v%d" % r.randrange(12)
    return NO_NUMBER if r.random() < 0.3 else str(BEGIN + r.randrange(3) * DAY_MS)


def visible(lines, table):
    """row -> column -> value, after all of the events."""
    model = hbase.Table()
    for event in map(json.loads, lines):
        if event["table"] == table:
            cells = [{"column": cell.get("family"), **cell, "bytes": unescaped(cell.get("value", ""))} for cell in event["cells"]]
            model.apply(types.SimpleNamespace(row=unescaped(event["row"]), cells=cells, seq=event["seq"]))
    return {row: {column: value for column, (value, _) in cells.items()} for row, cells in model.visible().items()}


def _tags(cells):
    return ((column[2:].encode(), value) for column, value in cells.items() if column.startswith("f:tag_"))


def _by(key, other):
    def entries(row, cells):
        if key in cells:
            yield cells[key], b"f:" + row, cells.get(other, b"none")
    return entries


def _by_tag(row, cells):
    for qualifier, value in _tags(cells):
        yield value, b"f:" + row.replace(b"\0", b"\0\1") + b"\0\0" + qualifier, b""


def _plain(row, cells):
    if "f:a" in cells:
        yield row[::-1], b"f:a", cells["f:a"]


def _plain_tags(row, cells):
    for qualifier, value in _tags(cells):
        yield row, b"f:" + qualifier, value


INDEXES = {"by_value": ("s", _by("f:a", "f:b")), "late": ("s", _by("f:b", "f:a")), "tags": ("s", _by_tag), "plain": ("s", _plain),
           "plain_tags": ("s", _plain_tags), "kept_by_value": ("k", _by("f:a", "f:b")), "kept_tags": ("k", _by_tag)}


def _days(rows):
    for row, cells in rows.items():
        if cells.get("f:n", NO_NUMBER.encode()) != NO_NUMBER.encode():
            day = datetime.datetime.fromtimestamp(int(cells["f:n"]) / 1000, datetime.timezone.utc).strftime("%Y%m%d")
            yield "days_" + day, row, b"f:a", cells.get("f:a", b"none")


def entries(lines):
    """table -> the cells that it must have, as `fensi scan --json` shows them: (row, column) -> value."""
    rows = {table: visible(lines, table) for table in "sk"}
    found = collections.defaultdict(dict, {name: {} for name in INDEXES})
    for name, (source, derived) in INDEXES.items():
        for row, cells in rows[source].items():
            found[name].update({(escaped(key), escaped(column)): escaped(value) for key, column, value in derived(row, cells)})
    for table, row, column, value in _days(rows["s"]):
        found[table][escaped(row), escaped(column)] = escaped(value)
    return found
