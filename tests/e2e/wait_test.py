#!/usr/bin/env python3
"""Who puts, waits until the index is complete up to now, and reads, finds what was put: also when the capture is killed in between."""
import os
import time
import unittest

from lib import stack
from lib.captured import captured
from lib.program import fensi, fensi_ok
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "1"))


class WaitTest(unittest.TestCase):
    def setUp(self):
        self.table = captured(self, "wait", mark_ms=1000)
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def wait(self, *words):
        return fensi("wait", self.table.mapping, self.table.index, "--store", stack.hbase_url(), *words)

    def put(self, row):
        self.assertEqual(self.table.load([(row, "f1:b", int(time.time() * 1000), "x")]).wait(), 0)

    def wait_and_read(self, row):
        begin = time.monotonic()
        done = self.wait("--until", "now", "--timeout_s", "60")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = fensi_ok("lookup", self.table.mapping, self.table.index, "b", "--store", stack.hbase_url()).stdout
        self.assertIn("f1:" + row, found)
        return time.monotonic() - begin

    def test_who_waits_reads_his_own_write(self):
        with self.table.daemon("run") as run:
            with self.table.capture("first") as first:
                for number in range(ROUNDS):
                    self.put("r%d" % number)
                    print("waited %.1f s" % self.wait_and_read("r%d" % number))
                self.put("killed")
                first.kill()
            # Five addresses: a batch is one call all the same.
            with self.table.capture("second"), self.table.capture("third", "--listen", ",".join(["127.0.0.1:0"] * 4)):
                self.wait_and_read("killed")
                self.put("shared")
                self.wait_and_read("shared")
                # An idle table stays as complete as a busy one.
                self.assertEqual(self.wait("--until", "now").returncode, 0)
            self.assertEqual(run.stop(), 0)

    def test_without_a_capture_nothing_is_promised(self):
        with self.table.daemon("run") as run:
            done = self.wait("--until", "now", "--timeout_s", "2")
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn("has no marks", done.stderr)
            with self.table.capture("capture0"):
                until("there are marks", lambda: self.wait("--until", "0", "--timeout_s", "1").returncode == 0)
            late = self.wait("--until", "now", "--timeout_s", "2")
            self.assertEqual(late.returncode, 75, late.stderr)
            self.assertIn("is complete to", late.stderr)
            self.assertEqual(run.stop(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
