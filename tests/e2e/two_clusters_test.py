#!/usr/bin/env python3
"""The source table is in one HBase, and the index in another one (--source_store): a capture follows the source, a daemon keeps the
index through deletes of versions that only the source answers, and backfill, verify and repair end exact. The HBase of the index
has a table of the source's name, with other rows, and no region server of it sends anything."""
import contextlib
import os
import subprocess
import tempfile
import unittest

from lib import stack
from lib.program import Daemon, fensi, fensi_ok
from lib.wait import until

TABLE, INDEX, PEER, ZNODE = "far_follows", "far_fans", "farfollows", "/fensi_farfollows"
ROWS = 200
MAPPING = """source: %s
indexes:
  %s:
    table: %s
    row: '{f1:to}'
    columns:
      'f1:{row}': '{f1:to@ts | decimal}'
""" % (TABLE, INDEX, INDEX)


class TwoClustersTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.enter(stack.own_stack(os.path.join(self.folder, "source")))
        self.source = dict(os.environ)
        stack.admin("create", TABLE, "f1,REPLICATION_SCOPE=1,VERSIONS=5", "@" + b"r1".hex())
        self.source_store, self.kafka = stack.hbase_url(), os.environ["FENSI_TEST_KAFKA"]
        self.put("old%d" % row for row in range(ROWS))
        self.enter(stack.own_stack(os.path.join(self.folder, "index")))
        stack.admin("create", TABLE, "f1")
        self.put("decoy%d" % row for row in range(5))
        self.stores = ("--store", stack.hbase_url(), "--source_store", self.source_store)
        self.mapping = os.path.join(self.folder, "far.yaml")
        with open(self.mapping, "w", encoding="utf-8") as out:
            out.write(MAPPING)

    def enter(self, context):
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    @staticmethod
    def client(lines):
        words = [os.path.join(stack.ROOT, "deploy", "devstack"), "client", TABLE]
        subprocess.run(words, input="".join(lines), text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300)

    def put(self, rows):
        self.client("put %s f1:to b%s %d\n" % (row, row[-1], number + 1) for number, row in enumerate(rows))

    @contextlib.contextmanager
    def at_source(self):
        """The environment names the cluster of the source, and afterwards that of the index again: the end of the test stops both."""
        index = dict(os.environ)
        os.environ.update(self.source)
        try:
            yield
        finally:
            os.environ.clear()
            os.environ.update(index)

    def in_source(self, lines):
        with self.at_source():
            self.client(lines)

    def follow(self):
        zookeeper = self.source["FENSI_TEST_ZOOKEEPER"]
        with self.at_source():
            stack.admin("add_peer", PEER, zookeeper + ":" + ZNODE, "hbase.replication.source.maxthreads=1", TABLE)
        capture = Daemon(self.folder, "capture", TABLE, "--zookeeper", zookeeper, "--znode", ZNODE, "--kafka", self.kafka, *self.stores,
                         "--listen", "127.0.0.1:0", "--watermark_interval_ms", "1000", command="capture")
        self.addCleanup(capture.kill)
        until("the capture is ready", lambda: ", ready" in capture.messages() or not capture.is_up())
        self.assertTrue(capture.is_up(), capture.messages())

    def on_index(self, command, *words, code=0):
        done = fensi(command, self.mapping, INDEX, *words)
        self.assertEqual(done.returncode, code, "%s\n%s%s" % (command, done.stdout, done.stderr))
        return done.stdout + done.stderr

    def test_an_index_beside_another_cluster_ends_exact(self):
        fensi_ok("create", self.mapping, *self.stores, "--kafka", self.kafka, "--execute")
        self.follow()
        daemon = Daemon(self.folder, "run", self.mapping, "--source", "kafka://" + self.kafka, *self.stores, "--admin", "none", command="run")
        self.addCleanup(daemon.kill)
        self.assertIn("phase live", self.on_index("backfill", "--source", "kafka://" + self.kafka, *self.stores, "--execute"))
        self.in_source(["put new%d f1:to c%d %d\n" % (row, row % 7, 10_000 + row) for row in range(ROWS)] +
                       ["put old%d f1:to moved %d\n" % (row, 20_000) for row in range(0, ROWS, 2)] +
                       ["delete_version old%d f1:to %d\n" % (row, 20_000) for row in range(0, ROWS, 4)])
        # A comparison waits until the watermark of the index has passed what it read.
        self.assertIn("0 differences among %d source rows" % (2 * ROWS), self.on_index("verify", *self.stores))
        self.assertIn("0 differences", self.on_index("verify", *self.stores, "--method=digest"))
        self.assertIn("0 differences left", self.on_index("repair", "--verify_first", "--source", "kafka://" + self.kafka, *self.stores, "--execute"))
        self.assertIn("with --source_store", self.on_index("verify", *self.stores[:2], code=78))
        found = self.on_index("lookup", "b0", *self.stores, "--source_rows")
        self.assertEqual(("f1:old0" in found, "decoy" in found, "STALE" in found), (True, False, False), found)
        self.assertIn("HBase of the source", fensi("check", self.mapping, "--online", *self.stores).stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
