#!/usr/bin/env python3
"""From a bare table to a live index: the follow graph is put into HBase by an ordinary client, captured and indexed; then
every kind of change that HBase knows."""
import os
import unittest

from lib import graph, stack
from lib.captured import captured
from lib.program import fensi, fensi_ok
from lib.wait import until

WHOLE_GRAPH = 948464
EDGES = int(os.environ.get("FENSI_TEST_EDGES", "100000"))

EVERY_CHANGE = (
    "put a f1:b x",
    "put a f1:c x",
    "put a f1:b y",                                    # an update
    "put a f1:old x 1000", "put a f1:old x 2000",      # two versions
    "delete_latest a f1:old",                          # uncovers the older one
    "put a f1:one x 1000", "put a f1:one x 2000", "delete_version a f1:one 1000",
    "put a f1:gone x", "delete_column a f1:gone",
    "put a f1:part x 1000", "put a f1:part x 3000", "delete_column a f1:part 2000",
    "put d f1:b x", "delete_family d f1:",
    "put e f1:b x 1000", "put e f1:c x 5000", "delete_family e f1: 2000",
    "put g f1:b x 1000", "put g f1:c x 2000", "delete_family_version g f1: 1000",
    "put h f1:b x", "delete_row h",
    "put i f1:b x", "delete_row i", "put i f1:c x",
    "put k f1:b x",
    "delete_column k f1:b ; put k f1:c x",             # one RowMutations: moves
    "put k f1:e x ; put k f1:m x",
    "increment n f1:count 1", "increment n f1:count 41",
    "append n f1:text x", "append n f1:text y",
    "wide big f1:column 300 8000",                    # 2.4 MB in one mutation: travels in parts
)


def cells_of(follows):
    return [(follower, "f1:" + followed, timestamp, "follows")
            for (follower, followed), timestamp in follows.living.items()]


class CaptureTest(unittest.TestCase):
    def setUp(self):
        self.table = captured(self, "cap")
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def test_the_graph_that_a_client_loads_is_indexed(self):
        follows = graph.Graph(self.table.source, EDGES)
        with self.table.capture() as capture, self.table.daemon("run") as run:
            self.assertEqual(self.table.load(cells_of(follows)).wait(), 0)
            self.table.wait_indexed("loaded")
            self.assertEqual(self.table.assert_index_is_transposed(), EDGES + 4)
            self.assertEqual((capture.stop(), run.stop()), (0, 0))

    def test_every_kind_of_change_is_indexed(self):
        with self.table.capture() as capture, self.table.daemon("run") as run:
            self.table.change(*EVERY_CHANGE)
            self.table.wait_indexed("changed")
            self.table.assert_index_is_transposed()
            wide = [line for line in self.table.events() if '"row":"big"' in line]
            self.assertEqual([line.count('"column"') for line in wide], [300])
            self.assertGreater(self.table.written(), len(self.table.events()) + 1)
            self.assertEqual((capture.stop(), run.stop()), (0, 0))

    @unittest.skipIf(EDGES < WHOLE_GRAPH, "a long test: it waits for sessions to end")
    def test_several_captures_share_the_work_and_must_agree(self):
        with self.table.capture("one") as one, self.table.capture("two") as two:
            other = fensi("capture", "another", *self.table.capture_words()[1:])
            self.assertEqual(other.returncode, 78, other.stderr)
            self.assertIn("shares " + self.table.znode + " with other settings", other.stderr)
            with self.table.daemon("run") as run:
                self.table.change("put a f1:b x")
                self.table.wait_indexed("first")
                one.kill()
                self.table.change("put a f1:c x")
                self.table.wait_indexed("second")
                self.table.assert_index_is_transposed()
                self.assertEqual((two.stop(), run.stop()), (0, 0))

    def test_a_disabled_peer_and_its_remedy_are_named(self):
        stack.admin("disable_peer", self.table.peer)
        with self.table.capture() as capture:
            until("a hint", lambda: "enable_peer '%s'" % self.table.peer in capture.messages())

    def test_plan_prints_what_the_shell_needs(self):
        stack.admin("create", self.table.source + "_bare", "f1")
        self.addCleanup(stack.drop_tables, self.table.source + "_bare")
        plan = fensi_ok("capture", self.table.source, self.table.source + "_bare", "--plan", "--zookeeper", "zk1:2181,zk2:2181",
                        "--store", stack.hbase_url()).stdout
        self.assertIn("alter '%s_bare', {NAME => 'f1', REPLICATION_SCOPE => '1'}" % self.table.source, plan)
        self.assertNotIn("alter '%s'," % self.table.source, plan)
        self.assertIn('CLUSTER_KEY => "zk1,zk2:2181:/fensi", TABLE_CFS => {"%s" => [], "%s_bare" => []}'
                      % (self.table.source, self.table.source), plan)

    def test_tables_of_fensi_are_refused(self):
        words = ("--zookeeper", os.environ["FENSI_TEST_ZOOKEEPER"], "--kafka", os.environ["FENSI_TEST_KAFKA"])
        for table, more in ((self.table.index + "_state", ()), (self.table.index, ("--mapping", self.table.mapping)),
                            (self.table.index, ("--store", stack.hbase_url()))):
            done = fensi("capture", table, *words, *more)
            self.assertEqual(done.returncode, 78, done.stderr)
            self.assertIn("Each change that fensi writes would come back as a new change", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
