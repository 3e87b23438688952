#!/usr/bin/env python3
"""A bulk load into a table with a live index and writers, while the capture is killed: the index is right without a person.
And a load into a family that is not replicated: nothing tells of it, and a scrub finds it.

FENSI_TEST_LOAD_ROWS: rows of the load."""
import json
import os
import random
import sys
import tempfile
import time
import unittest

from lib import reading, stack
from lib.captured import Captured, Writer
from lib.complete import wait_complete
from lib.program import fensi
from lib.stream import PER_SECOND
from lib.wait import until

sys.path.append(os.path.join(stack.ROOT, "tests", "support"))
from over_unix import OverUnix, listens  # noqa: E402

ROWS = int(os.environ.get("FENSI_TEST_LOAD_ROWS", "5000"))
SEED = int(os.environ.get("FENSI_TEST_SEED", "0")) or int(time.time())


def status_of(socket):
    if not listens(socket):
        return None
    connection = OverUnix(socket)
    connection.request("GET", "/status")
    text = connection.getresponse().read().decode()
    connection.close()
    return json.loads(text)["indexes"][0]


class BulkLoad:
    """Cells for one load."""

    def __init__(self, folder):
        self._path = os.path.join(folder, "load.tsv")
        self._lines = set()

    def add(self, row, qualifier, timestamp, kind="Put", value="loaded", family="f1"):
        words = [row, family, qualifier]
        self._lines.add("\t".join([word.encode().hex() for word in words] + [str(timestamp), kind, value.encode().hex()]))

    def run(self, table):
        with open(self._path, "w", encoding="ascii") as out:
            out.writelines(line + "\n" for line in sorted(self._lines))
        return stack.admin("bulk_load", table, self._path)


class BulkLoadTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.socket = os.path.join(scratch.name, "admin.sock")
        self.table = Captured(scratch.name, "load", watermark_interval_ms=1000)
        self.table.create()
        self.addCleanup(self.table.remove_peer)
        self.random = random.Random(SEED)
        print("FENSI_TEST_SEED=%d" % SEED, flush=True)

    def daemon(self, name="run", *more):
        return self.table.daemon(name, "--admin=unix:" + self.socket, *more)

    def wait_complete(self, timeout=600):
        return wait_complete(self.table.mapping, self.table.index, stack.hbase_url(), "--until", "now", "--timeout_s", str(timeout),
                             source_of=self.table.transposed)

    def check_online(self):
        done = fensi("check", self.table.mapping, "--online", "--store", stack.hbase_url())
        return done.stdout + done.stderr

    def assert_verified(self):
        done = fensi("verify", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--json", "--recheck_s=1")
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr)

    def load_of(self, known):
        """New rows, and of the known cells some that are replaced, some that are deleted, and some that stay as they are."""
        load = BulkLoad(self.folder)
        for i in range(ROWS):
            load.add("%d%06d" % (i % 8, i), "b%d" % self.random.randrange(50), 1_000_000 + i)
        for (row, column), (timestamp, _) in self.random.sample(sorted(known.items()), len(known) // 2):
            qualifier = column[3:]
            what = self.random.randrange(5)
            if what == 0:
                load.add(row, qualifier, timestamp + 1)  # newer
            elif what == 1:
                load.add(row, qualifier, timestamp - 1)  # older
            elif what == 2:
                load.add(row, qualifier, timestamp)  # at the same time
            elif what == 3:
                load.add(row, qualifier, timestamp, "DeleteColumn", "")
            else:
                load.add(row, qualifier, timestamp, "Delete", "")
        return load

    def test_a_load_among_writers_and_a_capture_that_is_killed(self):
        cells = [("%d%04d" % (i % 8, i), "f1:u%d" % (i % 97), 1000 + 10 * i, "x") for i in range(2000)]
        with self.daemon() as daemon:
            with self.table.capture("first"):
                self.assertEqual(self.table.load(cells).wait(), 0)
                self.table.wait_indexed("before")
                load = self.load_of(reading.by_admin(self.table.source))
                writer = Writer(self.table.source, PER_SECOND)
            with self.table.capture("second") as capture:
                load.run(self.table.source)
                capture.kill()
            with self.table.capture("third"):
                self.assertEqual(self.wait_complete(5).returncode in (0, 75), True)
                loaded = until("the load is met", lambda: "bulk_load" in self.table.events_text(), 120, 1)
                self.assertTrue(loaded)
                writer.stop()
                done = self.wait_complete()
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(status_of(self.socket)["bulk_loads"]["waiting_regions"], 0)
                self.table.assert_index_is_transposed()
                self.assert_verified()
                self.assertIn("rows of bulk loads read and applied", daemon.messages())
                self.assertNotIn("bulk loads of table", self.check_online())
                self.load_after_a_delete_that_a_compaction_dropped()

    def load_after_a_delete_that_a_compaction_dropped(self):
        """The delete hides the loaded cell in the index's memory, and not in the source."""
        self.table.change("put 5zz f1:old x 5000", "delete_column 5zz f1:old 9000")
        self.assertEqual(self.wait_complete().returncode, 0)
        stack.admin("compact", self.table.source)
        load = BulkLoad(self.folder)
        load.add("5zz", "old", 6000)
        load.run(self.table.source)
        self.assertIn(("5zz", "f1:old"), reading.by_admin(self.table.source))
        self.assertEqual(self.wait_complete().returncode, 0)
        self.table.assert_index_is_transposed()

    def test_while_a_load_waits_nothing_says_that_the_index_is_complete(self):
        with self.table.capture(), self.daemon("first") as daemon:
            self.table.change("put 1 f1:b x")
            self.assertEqual(self.wait_complete().returncode, 0)
            self.assertEqual(daemon.stop(), 0)
            load = BulkLoad(self.folder)
            for i in range(10):
                load.add("%d" % i, "c", 2000)
            load.run(self.table.source)
            # A run to the end of the topic records the load and does not follow it.
            until("the load is in the topic", lambda: "bulk_load" in self.table.events_text(), 60, 1)
            time.sleep(3)  # for the marks behind it
            self.table.run_to_end()
            late = self.wait_complete(5)
            self.assertEqual(late.returncode, 75, late.stderr)
            self.assertRegex(late.stderr, r"stays before the bulk loads into \d+ regions")
            with self.daemon("second"):
                self.assertEqual(self.wait_complete().returncode, 0)
                self.table.assert_index_is_transposed()


class UnreplicatedTest(unittest.TestCase):
    def test_a_load_into_a_family_without_scope_is_found_by_a_scrub_and_named_by_check(self):
        with tempfile.TemporaryDirectory() as folder:
            table = Captured(folder, "unscoped")  # a scrub follows the lag of the partitions then
            table.create()
            self.addCleanup(table.remove_peer)
            socket = os.path.join(folder, "admin.sock")
            with table.capture(), table.daemon("run", "--scrub_rows_per_second=5000", "--admin=unix:" + socket) as daemon:
                table.change("put 1 f1:b x")
                table.wait_indexed("before")
                stack.admin("alter", table.source, "f1", "REPLICATION_SCOPE", "0")
                load = BulkLoad(folder)
                load.add("2row", "c", 2000)
                load.run(table.source)
                until("the scrub finds it", lambda: "scrub: missing" in daemon.messages(), 300, 1)
                self.assertNotIn("bulk_load", table.events_text())
                checked = fensi("check", table.mapping, "--online", "--store", stack.hbase_url())
                self.assertIn("REPLICATION_SCOPE", checked.stdout)


if __name__ == "__main__":
    unittest.main(verbosity=2)
