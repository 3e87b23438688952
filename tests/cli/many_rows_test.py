"""An index for an embedded table of 100,000 rows, with FENSI_LONG a million, half of which were there before its stream:
backfilled, proved, damaged, repaired. Prints how long each takes; asserts no time."""
import json
import os
import time

import harness
from damage import DamagedIndex

DAMAGED = 100
harness.DEADLINE_S = 600  # of one command, on a busy machine


class ManyRows(DamagedIndex):
    ROWS = 1_000_000 if os.environ.get("FENSI_LONG") else 100_000
    STREAMED = ROWS // 2
    FOLLOWED = 997

    def timed(self, words, code=0):
        begin = time.monotonic()
        outcome = self.fensi(*words)
        print("%6.1f s  fensi %s" % (time.monotonic() - begin, " ".join(words)), flush=True)
        self.assertEqual(outcome.code, code, outcome.err)
        return outcome

    def verify(self, code):
        *findings, summary = [json.loads(line) for line in self.timed((*self.LINE, "--json"), code).lines[1:]]
        self.assertEqual(summary["rows"], self.ROWS)
        return {(finding["kind"], finding["row"], finding["column"]) for finding in findings}, summary

    def cells(self):
        return self.succeeds("scan", "fensi", self.STORE, "--json").out

    def place(self, i, further=0):
        """Of the entry of row i; further: of one that no row gives."""
        return f"m{(i + further) % self.FOLLOWED}", f"r{i:03}"

    def damage(self):
        altered, planted, missing = (range(start, self.ROWS, self.ROWS // DAMAGED) for start in (1, 2, 3))
        self.run_index("plant.yaml", "".join(
            [self.planted(f"a{i}", *self.place(i), "altered", 100) for i in altered] +
            [self.planted(f"p{i}", *self.place(i, 1), "", 100) for i in planted] +
            [self.planted(f"m{i}", *self.place(i), "", 100) for i in missing]))
        self.run_index("plant.yaml", "".join(self.removed(f"m{i}", 200) for i in missing))
        wanted = [("content_differs", altered, 0), ("orphan", planted, 1), ("missing", missing, 0)]
        return {(kind, row, "f1:" + column) for kind, rows, further in wanted
                for row, column in (self.place(i, further) for i in rows)}

    def test_gets_an_index_that_is_proved_and_mended(self):
        backfill = ("backfill", "guanzhu.yaml", "fensi", self.STORE, "--execute")
        repair = ("repair", "guanzhu.yaml", "fensi", self.STORE, "--recheck_s=0", "--verify_first", "--execute")
        self.assertIn(f"{self.ROWS:,} rows of table guanzhu scanned and applied; phase live", self.timed(backfill).out)
        self.assertEqual(self.verify(0)[0], set())
        right = self.cells()
        self.timed((*backfill, "--restart"))
        self.assertEqual(self.cells(), right)
        wanted = self.damage()
        found, summary = self.verify(1)
        self.assertEqual((found, len(found)), (wanted, 3 * DAMAGED))
        self.assertEqual(summary["good"], self.ROWS - 2 * DAMAGED)
        self.assertEqual(self.timed(repair).lines[-1], "index fensi: 0 differences left")
        self.assertEqual(self.verify(0)[0], set())
        mended = self.cells()
        self.timed(repair)
        self.assertEqual(self.cells(), mended)


harness.main()
