#!/usr/bin/env python3
"""`fensi backfill` on real servers: a table with rows from before its stream gets an index while it is written, a worker is
killed on the way, and the index is proved to be what the table says."""
import tempfile
import time
import unittest

from lib import stack
from lib.captured import Late
from lib.program import Daemon, fensi
from lib.wait import until

ROWS = 10_000


class BackfillTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Late(scratch.name, "backfill", mark_ms=1000)
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def words(self, *more):
        return (self.table.mapping, self.table.index, "--store", stack.hbase_url(), *more)

    def backfill(self, *more, code=0):
        done = fensi("backfill", *self.words(*more))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def test_a_table_with_rows_gets_a_live_and_proven_index(self):
        source = ("--source", stack.kafka_url())
        before = [("%x%05d" % (i % 16, i), "f1:m%03d" % (i % 500), 1000 + i, "v") for i in range(ROWS)]
        self.assertEqual(self.table.load(before).wait(), 0)
        self.assertIn("start 'fensi run", self.backfill(*source, code=78))
        self.table.follow()
        with self.table.daemon("run"), self.table.capture():
            until("the stream has begun", lambda: fensi("backfill", *self.words(*source, "--unproven")).returncode == 0)
            until("a mark proves it", lambda: fensi("backfill", *self.words(*source)).returncode == 0)
            # Half of the old rows move on, and some of what they had goes, while the scan passes them.
            live = [(row, "f1:n%03d" % (i % 300), 2_000_000 + i, "v") for i, (row, *_) in enumerate(before) if i % 2 == 0]
            writer = self.table.load(live, 1000)
            job = ("--execute", "--rows_per_second=800")
            with Daemon(self.table.folder, "backfill", *self.words(*source, *job), command="backfill") as worker:
                time.sleep(6)  # the mark first, then half of the rows
                self.assertTrue(worker.is_up(), worker.messages())
                worker.kill()
            self.table.change(*["delete_column %s %s" % cell[:2] for cell in before[::97]])
            self.assertIn("another backfill", self.backfill(*source, "--execute", "--prefix=3", code=78))
            self.backfill("--resume", "--rows_per_second=0")
            self.assertIn("phase live", self.backfill(*source, "--execute"))
            self.assertEqual(writer.wait(), 0)
            self.assertEqual(fensi("wait", *self.words("--until", "now")).returncode, 0)
            self.assertIn("done since", self.backfill(*source, "--execute"))
            proof = fensi("verify", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--recheck_s=1")
            self.assertEqual(proof.returncode, 0, proof.stdout)
        self.assertGreater(self.table.assert_index_is_transposed(), ROWS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
