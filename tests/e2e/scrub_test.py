#!/usr/bin/env python3
"""A scrub on real servers: what is removed, planted and altered behind a daemon's back is found, told, and made right."""
import json
import os
import sys
import tempfile
import unittest

from lib import graph, stack
from lib.captured import Captured
from lib.program import fensi
from lib.wait import until

sys.path.append(os.path.join(stack.ROOT, "tests", "support"))
from over_unix import OverUnix  # noqa: E402

EDGES = 2_000
DAMAGED = 100


class ScrubTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Captured(scratch.name, "scrub")
        self.table.create()
        self.addCleanup(self.table.remove_peer)
        self.socket = os.path.join(scratch.name, "admin.sock")

    def ask(self, page):
        connection = OverUnix(self.socket)
        connection.request("GET", page)
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def last_pass(self):
        return json.loads(self.ask("/status"))["indexes"][0]["scrub"]["last_pass"] if os.path.exists(self.socket) else None

    def verify(self):
        done = fensi("verify", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--json", "--recheck_s=1")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_damage_behind_a_daemons_back_is_found_told_and_made_right(self):
        follows = graph.Graph(self.table.source, EDGES)
        cells = [(follower, "f1:" + followed, timestamp, "follows") for (follower, followed), timestamp in follows.living.items()]
        with self.table.capture():
            with self.table.daemon("first") as daemon:
                self.assertEqual(self.table.load(cells).wait(), 0)
                self.table.wait_indexed("mark")
                self.assertEqual(daemon.stop(), 0)
            self.damage(cells)
            found = self.verify()
            self.assertEqual((found["missing"], found["orphan"], found["content_differs"]), (DAMAGED, DAMAGED, DAMAGED))
            with self.table.daemon("second", "--scrub_rows_per_second=2000", "--scrub_repair",
                                   "--admin=unix:" + self.socket) as daemon:
                until("a pass", self.last_pass, 120, 0.5)
                self.check_told(daemon)
                until("the index is right again", lambda: self.verify()["good"] == self.verify()["entries"], 60, 1)
                self.assertEqual(daemon.stop(20), 0)
            last = self.verify()
            self.assertEqual((last["missing"], last["orphan"], last["content_differs"]), (0, 0, 0))

    def check_told(self, daemon):
        told = self.last_pass()
        self.assertEqual((told["found"], told["missing"], told["orphan"], told["differs"]), (3 * DAMAGED, DAMAGED, DAMAGED, DAMAGED))
        self.assertIn('fensi_scrub_last_pass_findings{index="%s"} 300' % self.table.index, self.ask("/metrics"))
        self.assertIn(", 300 differences (100 missing, 100 orphan, 100 with another value)", daemon.messages())

    def damage(self, cells):
        """Removes, alters and adds cells of the index."""
        entries = [(column[3:], "f1:" + follower) for follower, column, _, _ in cells]
        added = [(followed, "f1:nobody%d" % i) for i, (followed, _) in enumerate(entries[DAMAGED:2 * DAMAGED])]
        self.table.change(*["delete_column %s %s" % entry for entry in entries[:DAMAGED]],
                          *["put %s %s altered" % entry for entry in entries[-DAMAGED:]],
                          *["put %s %s 1" % entry for entry in added], table=self.table.index)


if __name__ == "__main__":
    unittest.main(verbosity=2)
