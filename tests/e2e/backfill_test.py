#!/usr/bin/env python3
"""`fensi backfill` on real servers: a table with rows from before its stream gets an index while it is written, a worker is
killed on the way, and the index is proved to be what the table says. FENSI_TEST_UNMARKED=1: servers without replication
markers, where nobody but a person knows that the stream has begun."""
import json
import os
import tempfile
import unittest

from lib import stack
from lib.captured import Late
from lib.complete import wait_complete
from lib.program import Daemon, fensi
from lib.wait import until

ROWS = 10_000
MARKED = "FENSI_TEST_UNMARKED" not in os.environ


def requests_by_partition(stream):
    """How many a scan has sent."""
    lines = stack.admin("lag", stream.group, stream.index + ".requests").split("\n")
    return [int(line.split()[2]) for line in lines]


def requests_of(stream):
    return sum(requests_by_partition(stream))


class BackfillTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Late(scratch.name, "backfill", watermark_interval_ms=1000)
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def words(self, *more):
        return (self.table.mapping, self.table.index, "--store", stack.hbase_url(), *more)

    def backfill(self, *more, code=0):
        done = fensi("backfill", *self.words(*more))
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stdout + done.stderr

    def wait(self):
        return wait_complete(self.table.mapping, self.table.index, stack.hbase_url(), "--until", "now", source_of=self.table.transposed)

    def wait_until_now(self):
        if MARKED:
            self.assertEqual(self.wait().returncode, 0)
            return
        unknown = self.wait()
        self.assertEqual((unknown.returncode, "has no watermark" in unknown.stderr), (78, True), unknown.stderr)
        self.table.wait_indexed("now")

    def test_a_table_with_rows_gets_a_live_and_proven_index(self):
        source = ("--source", stack.kafka_url(), *(() if MARKED else ("--skip_watermark_check",)))
        before = [("%x%05d" % (i % 16, i), "f1:m%03d" % (i % 500), 1000 + i, "v") for i in range(ROWS)]
        self.assertEqual(self.table.load(before).wait(), 0)
        self.assertIn("Start 'fensi run", self.backfill(*source, code=78))
        self.table.follow()
        with self.table.daemon("run"), self.table.capture():
            until("the stream has begun", lambda: fensi("backfill", *self.words(*source[:2], "--skip_watermark_check")).returncode == 0)
            until("a mark proves it, or a person says so", lambda: fensi("backfill", *self.words(*source)).returncode == 0)
            # Half of the old rows move on, and some of what they had goes, while the scan passes them.
            live = [(row, "f1:n%03d" % (i % 300), 2_000_000 + i, "v") for i, (row, *_) in enumerate(before) if i % 2 == 0]
            writer = self.table.load(live, 1000)
            job = ("--execute", "--rows_per_second=800")
            with Daemon(self.table.folder, "backfill", *self.words(*source, *job), command="backfill") as worker:
                until("a part of the rows is scanned", lambda: requests_of(self.table) > ROWS // 4)
                self.assertTrue(worker.is_up(), worker.messages())
                worker.kill()
            self.table.change(*["delete_column %s %s" % cell[:2] for cell in before[::97]])
            self.assertIn("another backfill", self.backfill(*source, "--execute", "--prefix=3", code=78))
            self.backfill("--resume", "--rows_per_second=0")
            self.assertIn("phase live", self.backfill(*source, "--execute"))
            self.assertEqual(writer.wait(), 0)
            self.wait_until_now()
            self.assertIn("done since", self.backfill(*source, "--execute"))
            proof = fensi("verify", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--recheck_s=1")
            self.assertEqual(proof.returncode, 0, proof.stdout)
        self.assertGreater(self.table.assert_index_is_transposed(), ROWS)


class LossTest(unittest.TestCase):
    """Requests of a backfill are deleted while nobody applies them, and owners that come later go on behind them."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.stream = Late(scratch.name, "loss")
        self.stream.create()
        self.rows = ["r%03d" % i for i in range(200)]
        self.stream.change(*["put %s f1:b x" % row for row in self.rows])
        self.stream.publish([json.dumps({"table": self.stream.source, "row": row, "seq": 1,
                                         "cells": [{"type": "put", "column": "f1:a", "ts": 1, "value": "x"}]}) + "\n"
                             for row in self.rows[:40]])
        self.stream.run_to_end()

    def words(self, *more):
        return (self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), *more)

    def backfill(self, *more):
        return fensi("backfill", *self.words("--source", stack.kafka_url(), *more))

    def shown(self):
        return len(fensi("lookup", *self.words()[:2], "b", *self.words()[2:]).stdout.splitlines())

    def test_a_backfill_whose_requests_were_deleted_does_not_call_the_index_live(self):
        with Daemon(self.stream.folder, "backfill", *self.words("--source", stack.kafka_url(), "--skip_watermark_check", "--execute"),
                    command="backfill") as scan:
            until("all is published", lambda: requests_of(self.stream) >= len(self.rows))
            scan.kill()
        ends = requests_by_partition(self.stream)
        for partition, end in enumerate(ends):
            stack.admin("trim", self.stream.index + ".requests", partition, end - 1)
        with self.stream.daemon("owner") as owner:
            until("the last of each partition is applied", lambda: self.shown() == len(ends))
            refused = self.backfill("--skip_watermark_check", "--execute")
            self.assertEqual(refused.returncode, 78, refused.stdout)
            self.assertIn("Kafka deleted requests before a daemon applied them", refused.stderr)
            self.assertEqual(fensi("backfill", *self.words("--cancel")).returncode, 0)
            done = self.backfill("--skip_watermark_check", "--execute", "--restart")
            self.assertEqual((done.returncode, "phase live" in done.stdout), (0, True), done.stderr)
            self.assertEqual(self.shown(), len(self.rows))
            self.assertEqual(owner.stop(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
