#!/usr/bin/env python3
"""Tables and a gateway that take nothing for a while: the daemon waits and says so, and the index ends exact."""
import os
import tempfile
import time
import unittest

from lib import graph, reading, stack
from lib.program import Load
from lib.stream import PER_SECOND, Stream
from lib.wait import until

EVENTS = 10 * PER_SECOND
REFUSED_S = int(os.environ.get("FENSI_TEST_REFUSED_S", "20"))
SILENT_S = int(os.environ.get("FENSI_TEST_SILENT_S", "10"))
STOP_S = 5  # 3 s for work in hand, and a busy machine


class RefusingTableTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stream = Stream(folder.name, "refusing")
        self.stream.create()
        self.follows = graph.Graph(self.stream.source, EVENTS)

    def load(self):
        return Load(self.stream.topic, list(self.follows.events()), PER_SECOND)

    def ends_exact(self, load, daemon):
        load.finish()
        self.stream.wait_caught_up()
        self.assertEqual(daemon.stop(), 0)
        self.assertNotIn("dead letter", daemon.messages())
        reading.assert_equal(reading.by_admin(self.stream.index), self.follows.index())

    def test_a_read_only_table_is_waited_for(self):
        load = self.load()
        with self.stream.daemon("daemon") as daemon:
            until("progress", lambda: self.stream.committed() > 0)
            stack.admin("alter", self.stream.index, "-", "READONLY", "true")
            time.sleep(REFUSED_S)  # the length of the trouble and no waiting for luck
            self.assertTrue(daemon.is_up())
            self.assertIn("read only", daemon.messages())
            stack.admin("alter", self.stream.index, "-", "READONLY", "false")
            self.ends_exact(load, daemon)

    def test_a_table_made_again_with_another_family_needs_a_person(self):
        load = self.load()
        with self.stream.daemon("daemon") as daemon:
            until("progress", lambda: self.stream.committed() > 0)
            stack.admin("drop", self.stream.index)
            stack.admin("create", self.stream.index, "other")
            self.assertEqual(daemon.process.wait(120), 78, daemon.messages()[-2000:])
            self.assertIn(self.stream.index, daemon.messages())
            self.assertNotIn("dead letter", daemon.messages())
        load.finish()

    def silence_is_waited_for_and_does_not_hold_up_a_stop(self, server, store):
        load = self.load()
        with self.stream.daemon("daemon", store=store) as daemon:
            until("progress", lambda: self.stream.committed() > 0)
            with stack.silent(server):
                time.sleep(SILENT_S)  # the length of the silence and no waiting for luck
                self.assertTrue(daemon.is_up())
                begin = time.monotonic()
                self.assertEqual(daemon.stop(), 0)
                took = time.monotonic() - begin
        print("the stop took %.1f s" % took)
        self.assertLess(took, STOP_S)
        with self.stream.daemon("daemon", store=store) as daemon:
            self.ends_exact(load, daemon)

    def test_a_silent_hbase(self):
        self.silence_is_waited_for_and_does_not_hold_up_a_stop("hbase", stack.hbase_url())

    def test_a_silent_gateway(self):
        self.silence_is_waited_for_and_does_not_hold_up_a_stop("gateway", stack.gateway_url())


if __name__ == "__main__":
    unittest.main(verbosity=2)
