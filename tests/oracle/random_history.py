"""Random changes of few rows in few milliseconds, and how they are told: in runs, in disorder, again, and with faults."""
import dataclasses

import program
import random_rows
from random_index import COLUMNS

KINDS = ("delete", "delete_column", "delete_family", "delete_family_version")
CALLS = ("put", "put", "state", "state", "delete", "delete", "get", "begin", "done", "fence")


@dataclasses.dataclass(frozen=True)
class Change:
    row: bytes
    cells: tuple
    seq: int

    def text(self):
        return program.event(self.row, list(map(_shown, self.cells)), self.seq)


def _shown(cell):
    place = "family" if "family" in cell["type"] else "column"
    return {place: cell["column"], **{key: value for key, value in cell.items() if key not in ("bytes", "column")}}


@dataclasses.dataclass(frozen=True)
class Run:
    """The end of a run: what was told since the last one is its source."""
    fault: str = ""
    source: str = "events.jsonl"


def _cell(r, now, width, columns, puts):
    ts = now - r.randrange(1, width)
    column = r.choice(columns)
    if r.random() < puts:
        value = random_rows.value(r, column, now)
        return {"type": "put", "column": column, "ts": ts, "value": program.escaped(value), "bytes": value}
    kind = r.choices(KINDS, (4, 3, 1, 2))[0]
    return {"type": kind, "column": column.split(":")[0] if "family" in kind else column, "ts": ts}


def _change(r, rows, seq, now, width, columns, puts):
    cells = {}
    for _ in range(r.choice((1, 1, 2, 3, 6, 12))):
        cell = _cell(r, now, width, columns, puts)
        cells.setdefault((cell["column"], cell["ts"], cell["type"] == "put"), cell)
    return Change(r.choice(rows), tuple(cells.values()), seq)


def changes(r, count, now, with_seq=True):
    rows = list({random_rows.row_key(r) for _ in range(r.choice((2, 12, 40)))})
    columns = COLUMNS + ("f:tag_c", "g:t")
    width, puts = r.choice((4, 12, 40)), r.choice((0.6, 0.85, 0.95))
    return [_change(r, rows, (n + 1) * with_seq, now, width, columns, puts) for n in range(count)]


def told(r, made, disorder=True):
    """Each change at least once; far and near ones change places, some come again."""
    out = list(made)
    if disorder:
        reach = r.choice((1, 3, 30, len(out)))
        places = [(n + r.random() * reach, change) for n, change in enumerate(out)]
        places += [(r.randrange(len(out)) + len(out) * r.random(), r.choice(out)) for _ in range(len(out) // 8)]
        out = [change for _, change in sorted(places, key=lambda place: place[0])]
    return out


def _fault(r):
    return f"{r.choice(CALLS)}:{r.choice((1, 2, 3, 5, 8, 13, 30, 60))}={r.choice(('exit_before', 'exit_after', 'exit_after', 'lose'))}"


def in_runs(r, changes_told):
    """A killed run is repeated at once with what it was told, and sometimes with what came before."""
    steps, at, first = [], 0, 0
    while at < len(changes_told):
        size = r.choice((1, 3, 20, 60, 2000))
        part = changes_told[at:at + size]
        source = r.choice(("events.jsonl", "events.jsonl", "other.jsonl"))
        if r.random() < 0.6:
            steps += part + [Run(_fault(r), source)]
        if r.random() < 0.1:
            part = changes_told[first:at + size]
        steps += part + [Run("", source)]
        at += size
    return steps
