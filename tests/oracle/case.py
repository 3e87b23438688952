"""A mapping file of accepted random indexes, and the comparison of what a store holds with what the oracle derives."""
import collections
import os
import random
import tempfile
import time

import index as oracle
from program import Program
from random_index import random_index

SEED = int(os.environ.get("FENSI_ORACLE_SEED", "1"))


def number(name, default):
    return int(os.environ.get(f"FENSI_ORACLE_{name}", str(default)))


class Case:
    """`refused`: codes of `fensi check` and how many indexes had them."""

    def __init__(self, test, seed, indexes, laws=("shared", "unique"), change=lambda index: index):
        self.r = random.Random(seed)
        self.seed = seed
        self.now = int(time.time() * 1000)
        self.folder = tempfile.TemporaryDirectory(prefix="fensi-oracle-")
        test.addCleanup(self.folder.cleanup)
        self.program = Program(self.folder.name)
        drawn = [change(random_index(self.r, f"i{n}", laws)) for n in range(indexes)]
        self.refused = collections.Counter()
        self.indexes = self._accepted(drawn)
        self.program.write("m.yaml", oracle.mapping(self.indexes))
        self.checked = {line["index"]: line for line in self.program.check("m.yaml") if "index" in line}

    def _accepted(self, drawn):
        starts, line = [], 3
        for index in drawn:
            starts.append(line)
            line += index.text().count("\n")
        self.program.write("m.yaml", oracle.mapping(drawn))
        bad = set()
        for told in self.program.check("m.yaml"):
            if told.get("diagnostic") == "error":
                self.refused[told["code"]] += 1
                bad.add(max(n for n, start in enumerate(starts) if start <= told["line"]))
        return [index for n, index in enumerate(drawn) if n not in bad]


def derived(index, rows, now):
    """cell -> its candidates, of different source rows only where one cell is of several."""
    found = collections.defaultdict(list)
    for row, cells in rows.items():
        for cell, entry in index.entries(row, cells, now).items():
            found[cell].append(entry)
    return found


def periods(index, rows, now):
    """All tables that a row could ask for, too old ones included: nothing may stand there."""
    if not index.table:
        return {index.name}
    wide = oracle.dataclasses.replace(index, keep_days=10**9)
    return {cell[0] for row, cells in rows.items() for cell in wide.entries(row, cells, now)}


def differences(index, rows, now, program):
    """Lines: what is missing, orphaned and wrong. A cell of several rows: any of them, of `shared` the newest."""
    found = derived(index, rows, now)
    held = {}
    for table in sorted(periods(index, rows, now)):
        held.update(program.cells(table))
    out = []
    for cell in sorted(found.keys() | held.keys()):
        right = found.get(cell, [])
        if index.law == "shared" and right:
            newest = max(entry.newest for entry in right)
            right = [entry for entry in right if entry.newest == newest]
        if cell not in held:
            out.append(f"missing {right[0]}")
        elif not right:
            out.append(f"orphaned {cell} {held[cell]}")
        elif held[cell][0] not in [entry.value for entry in right]:
            out.append(f"wrong {cell} {held[cell]}, not {right[0]}")
    return out
