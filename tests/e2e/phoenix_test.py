#!/usr/bin/env python3
"""Indexes over tables of a real Apache Phoenix: each index has the rows, the values and the order that Phoenix' own SQL answers, for
rows that a backfill brought and for changes that the capture brought. No answer is computed here: each comes from Phoenix."""
import concurrent.futures
import os
import tempfile
import unittest

from lib import phoenix, stack
from lib.complete import wait_complete
from lib.phoenix_tables import Log, Orders, Types
from lib.program import Daemon, fensi, fensi_ok
from lib.wait import until

ROWS = 300
PEER, ZNODE = "phoenix", "/fensi_phoenix"


def difference(shown, said):
    """The first place, for people."""
    place = next((i for i, (ours, theirs) in enumerate(zip(shown, said)) if ours != theirs), min(len(shown), len(said)))
    return "%d rows, and Phoenix says %d; from %d on %s, and Phoenix says %s" % (
        len(shown), len(said), place, shown[place:place + 3], said[place:place + 3])


class PhoenixTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        servers = phoenix.phoenix_stack(os.path.join(self.folder, "stack"))
        servers.__enter__()
        self.addCleanup(servers.__exit__, None, None, None)
        self.phoenix = phoenix.Phoenix(self.folder)
        self.addCleanup(self.phoenix.close)
        self.tables = [kind(self.phoenix, self.folder) for kind in (Types, Orders, Log)]
        for table in self.tables:
            table.make(ROWS)
        self.indexes = [index for table in self.tables for index in table.indexes]

    def create(self):
        mappings = [table.write_mapping() for table in self.tables]
        fensi_ok("check", *mappings)
        fensi_ok("create", *mappings, "--store", stack.hbase_url(), "--kafka", os.environ["FENSI_TEST_KAFKA"], "--execute")
        return mappings

    def follow(self):
        sources = [table.source for table in self.tables]
        for table in self.tables:
            table.replicate()
        zookeeper = os.environ["FENSI_TEST_ZOOKEEPER"]
        stack.admin("add_peer", PEER, zookeeper + ":" + ZNODE, "hbase.replication.source.maxthreads=1", *sources)
        self.addCleanup(stack.admin, "remove_peer", PEER)
        capture = Daemon(self.folder, "capture", *sources, "--zookeeper", zookeeper, "--znode", ZNODE, "--kafka",
                         os.environ["FENSI_TEST_KAFKA"], "--listen", "127.0.0.1:0", "--watermark_interval_ms", "1000", command="capture")
        self.addCleanup(capture.kill)
        until("the capture is ready", lambda: ", ready" in capture.messages() or not capture.is_up())
        self.assertTrue(capture.is_up(), capture.messages())

    def for_each_index(self, work):
        """Several at a time: most of it is waiting."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            return list(pool.map(work, self.indexes))

    @staticmethod
    def backfill(index):
        words = (index.mapping, index.name, "--store", stack.hbase_url(), "--source", stack.kafka_url(), "--execute")
        assert "phase live" in fensi_ok("backfill", *words).stdout, index.name

    @staticmethod
    def wait(index):
        done = wait_complete(index.mapping, index.name, stack.hbase_url(), "--until", "now", source_of=index.said, index_of=index.shown)
        assert done.returncode == 0, done.stderr

    @staticmethod
    def compare(index):
        """All of an index, parts of it, and fensi's own comparison with the source: (rows, lookups, faults)."""
        shown, said = index.all()
        faults = [] if shown == said else ["%s: %s" % (index.name, difference(shown, said))]
        lookups = 0
        for words, part, answer in index.parts():
            lookups += 1
            if part != answer:
                faults.append("%s by %s: %s" % (index.name, words, difference(part, answer)))
        proof = fensi("verify", index.mapping, index.name, "--store", stack.hbase_url(), "--recheck_s=1")
        if proof.returncode != 0:
            faults.append(proof.stdout + proof.stderr)
        return len(said), lookups, faults

    def compare_all(self, when):
        rows, lookups, faults = zip(*self.for_each_index(self.compare))
        print("%s: %d indexes with %d rows, %d lookups" % (when, len(self.indexes), sum(rows), sum(lookups)))
        self.assertEqual([fault for each in faults for fault in each], [])
        self.assertGreater(min(rows), ROWS // 2)
        self.assertGreaterEqual(min(lookups), 2)

    def test_an_index_over_a_table_of_phoenix_has_what_its_sql_answers(self):
        mappings = self.create()
        with Daemon(self.folder, "run", *mappings, "--source", stack.kafka_url(), "--store", stack.hbase_url(), "--connections", "1") as daemon:
            self.follow()
            self.for_each_index(self.backfill)
            self.for_each_index(self.wait)
            self.compare_all("after the backfill")
            for table in self.tables:
                table.change()
            self.for_each_index(self.wait)
            self.compare_all("after changes")
            self.assertNotIn("dead letter", daemon.messages())
            self.assertEqual(daemon.stop(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
