#!/usr/bin/env python3
"""A linked list as HBase's IntegrationTestBigLinkedList builds it, written before anybody captured the table, and a second one
written while `fensi backfill` scans: the index leads through both circles without a hole. FENSI_TEST_ROWS nodes each (20,000)."""
import os
import tempfile
import time
import unittest

from lib import linked_list, reading, stack
from lib.captured import Late
from lib.complete import wait_complete
from lib.linked_list import LinkedList
from lib.program import fensi, fensi_ok
from lib.wait import until

NODES = int(os.environ.get("FENSI_TEST_ROWS", "20000"))
PER_SECOND = 2_000 if NODES < 100_000 else 10_000


class LinkedListTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Late(scratch.name, "linked", watermark_interval_ms=1000, mapping=linked_list.MAPPING)
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def words(self, *more):
        return (self.table.mapping, self.table.index, "--store", stack.hbase_url(), *more)

    def index(self):
        """Each row has one column."""
        cells = list(reading.by_admin(self.table.index))
        index = {row: column[len("f1:"):] for row, column in cells}
        self.assertEqual(len(index), len(cells), "a node is named by several")
        return index

    def test_of_lists_from_before_and_beside_no_node_is_lost(self):
        old, new = LinkedList(NODES), LinkedList(NODES)
        self.assertEqual(self.table.load(old.cells(1_700_000_000_000)).wait(), 0)
        self.table.follow()
        begin = time.monotonic()
        with self.table.capture(), self.table.daemon("run") as daemon:
            source = ("--source", stack.kafka_url())
            until("a mark", lambda: fensi("backfill", *self.words(*source)).returncode == 0)
            writer = self.table.load(new.cells(int(time.time() * 1000)), PER_SECOND)
            fensi_ok("backfill", *self.words(*source, "--execute"), timeout_s=1200)
            self.assertEqual(writer.wait(), 0)
            done = wait_complete(self.table.mapping, self.table.index, stack.hbase_url(), "--until", "now", "--timeout_s", "600",
                                 source_of=lambda: linked_list.index_of(self.table.source))
            self.assertEqual(done.returncode, 0, done.stderr)
            print("both are indexed after %.0f s" % (time.monotonic() - begin))
            fensi_ok("verify", *self.words("--recheck_s=1"))
            self.assertEqual(daemon.stop(), 0)
        index = self.index()
        self.assertEqual(len(index), old.size + new.size)
        old.check(index)
        new.check(index)


if __name__ == "__main__":
    unittest.main(verbosity=2)
