"""The language of mapping files against an oracle that shares no code with fensi and was written from docs/ alone.

FENSI_ORACLE_SEED (1), FENSI_ORACLE_CASES (4 mapping files), FENSI_ORACLE_INDEXES (60 drawn for each), FENSI_ORACLE_ROWS
(60 source rows), FENSI_ORACLE_LOOKUPS (40 for each file), FENSI_ORACLE_SHOWN (12 differences).
"""
import collections
import re
import unittest

import claims
import lookups
import random_rows
from case import SEED, Case, derived, differences, number
from program import event, put
from random_index import COLUMNS
from values import unescaped

PLANNED = re.compile(r"^      (\S+), row (.*): (put|delete_column) (f:.*?) @(\d+)(?: = '(.*)')?$")


def explained(out):
    """cell -> (value, time) after all that `fensi explain` plans."""
    cells = {}
    for line in out.splitlines():
        planned = PLANNED.match(line)
        if planned:
            table, row, what, column, ts, value = planned.groups()
            cell = table, unescaped(row), unescaped(column)
            if what == "put":
                cells[cell] = unescaped(value), int(ts)
            elif cell in cells and cells[cell][1] <= int(ts):
                del cells[cell]
    return cells


class Language(unittest.TestCase):
    figures = collections.Counter()

    def drawn(self, n):
        case = Case(self, SEED * 1000 + n, number("INDEXES", 60))
        rows = {random_rows.row_key(case.r): random_rows.cells(case.r, COLUMNS, case.now) for _ in range(number("ROWS", 60))}
        case.rows = {row: cells for row, cells in rows.items() if cells}
        case.events = [event(row, [put(column, ts, value) for column, (value, ts) in cells.items()], n + 1)
                       for n, (row, cells) in enumerate(case.rows.items())]
        self.figures.update(indexes=len(case.indexes), refused=sum(case.refused.values()), rows=len(case.rows))
        return case

    def test_of_documented_templates(self):
        wrong = []
        for n in range(number("CASES", 4)):
            case = self.drawn(n)
            case.program.run("m.yaml", case.events)
            for part in (self.entries, self.explanations, claims.broken, lookups.wrong):
                wrong += [f"case {n}: {text}" for text in part(case)]
        print(dict(self.figures), dict(lookups.figures), dict(claims.figures), flush=True)
        self.assertFalse(wrong, f"{len(wrong)} differences; the first:\n" + "\n".join(wrong[:number("SHOWN", 12)]))

    def entries(self, case):
        for index in case.indexes:
            found = differences(index, case.rows, case.now, case.program)
            self.figures["entries"] += len(derived(index, case.rows, case.now))
            if found:
                yield f"{len(found)}: {found[0]}\n{index.text()}"

    def explanations(self, case):
        """What is planned for each event is what was written; a period that is not kept is planned, too."""
        _, out, _ = case.program.call("explain", "m.yaml", stdin="".join(case.events))
        planned = collections.defaultdict(dict)
        for cell, told in explained(out).items():
            planned[cell[0]][cell] = told
        for index in case.indexes:
            if not index.table and not index.law:
                held = case.program.cells(index.name)
                self.figures["explained"] += len(held)
                if held != planned[index.name]:
                    off = sorted(held.items() ^ planned[index.name].items())[0]
                    yield f"explain and run differ in {off}\n{index.text()}"


if __name__ == "__main__":
    unittest.main(verbosity=2)
