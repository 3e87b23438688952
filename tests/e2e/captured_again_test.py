#!/usr/bin/env python3
"""The topic between a living capture and a living daemon is deleted and created again: the index stops with 78 and the remedy, the
capture says that what it had written is gone and goes on, and `fensi wait` never ends with 0 while something is missing. With the
remedy carried out the index is right again."""
import os
import time
import unittest

from lib import stack
from lib.captured import captured
from lib.complete import wait_complete
from lib.program import fensi_ok
from lib.topics import create_again
from lib.wait import until

STOPPED = 78
PAUSES = [float(text) for text in os.environ.get("FENSI_TEST_PAUSES", "1,5").split(",")]
BEFORE, AFTER = 2000, 3000


class CapturedAgainTest(unittest.TestCase):
    def setUp(self):
        self.table = captured(self, "again", watermark_interval_ms=200)
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def wait(self, *words):
        return wait_complete(self.table.mapping, self.table.index, stack.hbase_url(), "--until", "now", *words,
                             source_of=self.table.transposed)

    def put(self, word, count):
        now = int(time.time() * 1000)
        cells = [("%x%s%05d" % (i % 16, word, i), "f1:b%d" % (i % 7), now, "v") for i in range(count)]
        self.assertEqual(self.table.load(cells).wait(), 0)

    def make_again(self, pause):
        stack.admin("forget", self.table.topic, "no-such-group")
        time.sleep(pause)
        create_again(self.table.topic, 4)

    def check(self, pause):
        with self.table.capture() as capture, self.table.daemon("run") as run:
            self.put("before", BEFORE)
            self.assertEqual(self.wait("--timeout_s", "120").returncode, 0)
            self.make_again(pause)
            self.put("after", AFTER)
            self.assertNotEqual(self.wait("--timeout_s", "20").returncode, 0, "not all that was written is read")
            until("the index stops", lambda: not run.is_up(), 120)
            self.assertEqual(run.process.returncode, STOPPED)
            self.assertIn("fensi replay", run.messages())
            until("the capture has written to the new topic", lambda: self.table.written() >= AFTER, 120)
            until("the capture says so", lambda: "was deleted and created again" in capture.messages(), 60)
            self.accept_the_gap()
            self.assertEqual(capture.stop(), 0)

    def accept_the_gap(self):
        """As docs/operations.md has it."""
        words = (self.table.mapping, self.table.index, "--source", stack.kafka_url(), "--store", stack.hbase_url())
        fensi_ok("replay", *words, "--from", "earliest", "--execute")
        with self.table.daemon("again") as again:
            self.assertEqual(self.wait("--timeout_s", "120").returncode, 0)
            self.assertEqual(again.stop(), 0)
        self.table.assert_index_is_transposed()

    def test_after_a_moment(self):
        self.check(PAUSES[0])

    @unittest.skipIf(len(PAUSES) < 2, "one pause was asked for")
    def test_after_a_longer_pause(self):
        self.check(PAUSES[1])


if __name__ == "__main__":
    unittest.main(verbosity=2)
