"""Entries of indexes with a TTL, with and without `expire: exact`, over cells of all ages.

FENSI_ORACLE_SEED (1), FENSI_ORACLE_CASES (2 mapping files), FENSI_ORACLE_INDEXES (40 drawn for each), FENSI_ORACLE_ROWS (60).
"""
import collections
import dataclasses
import re
import unittest

import random_rows
from case import SEED, Case, number
from program import event, put
from random_index import COLUMNS

HOUR_MS = 3600 * 1000
TTL_DAYS = 5
AGES_H = (1, 30, 100, 140, 300)


def with_ttl(index):
    lines = ("    expire: exact",) if int(index.name[1:]) % 2 else ()
    return dataclasses.replace(index, ttl_days=TTL_DAYS, create=index.create + lines)


def columns_of(text):
    return set(re.findall("f:[a-z_]+", text))


class Expiry(unittest.TestCase):
    def test_entries_live_as_long_as_is_told(self):
        figures, wrong = collections.Counter(), []
        for n in range(number("CASES", 2)):
            case = Case(self, SEED * 1000 + n, number("INDEXES", 40), laws=(), change=with_ttl)
            rows = {random_rows.row_key(case.r): self.aged(case) for _ in range(number("ROWS", 60))}
            rows = {row: cells for row, cells in rows.items() if cells}
            case.program.run("m.yaml", [event(row, [put(c, ts, v) for c, (v, ts) in cells.items()], n + 1)
                                        for n, (row, cells) in enumerate(rows.items())])
            for index in case.indexes:
                if not index.table:
                    wrong += self.differences(case, index, rows, figures)
        print(dict(figures), flush=True)
        self.assertFalse(wrong, f"{len(wrong)} differences; the first:\n" + "\n".join(wrong[:number("SHOWN", 5)]))

    def aged(self, case):
        cells = random_rows.cells(case.r, COLUMNS, case.now)
        return {c: (value, case.now - case.r.choice(AGES_H) * HOUR_MS) for c, (value, _) in cells.items()}

    def differences(self, case, index, rows, figures):
        held, dead = case.program.cells(index.name), case.now - TTL_DAYS * 24 * HOUR_MS
        exact = "expire: exact" in index.text()
        for row, cells in rows.items():
            entries = index.entries(row, cells, case.now)
            if not exact:  # the event makes the entries of the cells that have not ended
                live = index.entries(row, {c: cell for c, cell in cells.items() if cell[1] > dead}, case.now)
                verdicts = {cell: cell in live for cell in live | entries}
            else:
                verdicts = {cell: self.verdict(index, cells, entry, dead) for cell, entry in entries.items()}
            for cell, verdict in verdicts.items():
                figures[str(verdict)] += 1
                if verdict is not None and verdict != (cell in held):
                    yield f"{'missing' if verdict else 'still there'}: {cell} of {row} with {cells}\n{index.text()}"

    def verdict(self, index, cells, entry, dead):
        """Whether an entry that expires exactly must be there; None: the documents leave it open, or do not say what it came from."""
        used = [cells[column][1] for column in columns_of(index.text()) if column in cells]
        bound = [entry.scope["ts"]] if "ts" in entry.scope else []
        key = [cells[c][1] for c in columns_of("".join(p.text() for p in index.row)) if c in cells]
        return False if min(key + bound, default=dead + 1) < dead else True if min(used + bound) > dead else None


if __name__ == "__main__":
    unittest.main(verbosity=2)
