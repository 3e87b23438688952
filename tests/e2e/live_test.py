#!/usr/bin/env python3
"""A table gets an index by `fensi backfill` while it is changed in every way that HBase knows, and scanners, owners and captures
are killed; `fensi verify` beside the same load calls nothing different, and in the end the index is what HBase's own client says.

FENSI_TEST_KILLS kills (5), FENSI_TEST_ROWS rows of before (16,000), FENSI_TEST_SCANNERS processes that scan (1).
With FENSI_TEST_MIRROR a mirror is kept beside, from the same rows. With FENSI_TEST_UNREST the table is flushed and compacted, and its regions move and split, on a stack of two region servers."""
import contextlib
import json
import os
import tempfile
import time
import unittest

from lib import changes, reading, stack
from lib.captured import Late
from lib.herd import Herd
from lib.program import Daemon, fensi
from lib.stream import PER_SECOND
from lib.unrest import Unrest
from lib.wait import until

KILLS = int(os.environ.get("FENSI_TEST_KILLS", "5"))
ROWS = int(os.environ.get("FENSI_TEST_ROWS", "16000"))
SCANNERS = int(os.environ.get("FENSI_TEST_SCANNERS", "1"))
UNREST = "FENSI_TEST_UNREST" in os.environ
MIRROR = "FENSI_TEST_MIRROR" in os.environ
KILL_EVERY_S = 2
# A killed member's partitions are given to the next one only after its session.
SESSION = ("--kafka_session_timeout_ms", "6000")


class LiveTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        if UNREST:
            self.enterContext(stack.own_stack(os.path.join(scratch.name, "stack"), "--regionservers", "2"))
        self.table = Late(scratch.name, "live", watermark_interval_ms=1000, mapping=changes.MAPPING + (changes.MIRROR if MIRROR else ""))
        self.indexes = [self.table.index] + [self.table.index + "_m"] * MIRROR
        self.table.create()
        self.addCleanup(self.table.remove_peer)
        self.begin = time.monotonic()

    def note(self, text):
        print("%5.1f s  %s" % (time.monotonic() - self.begin, text), flush=True)

    def words(self, index, *more):
        return (self.table.mapping, index, "--store", stack.hbase_url(), *more)

    def scanner_words(self, index, *more):
        return self.words(index, "--source", stack.kafka_url(), *more)

    def scanner(self, index, name):
        # So slow that it is at work when the last kill comes.
        rate = "--rows_per_second=%d" % max(100, ROWS // (2 * KILLS * KILL_EVERY_S))
        return Daemon(self.table.folder, name, *self.scanner_words(index, "--execute", rate), command="backfill")

    def capture(self, number):
        return Daemon(self.table.folder, "capture%d" % number, *self.table.capture_words(), command="capture")

    def followers(self):
        """Two owners and two captures."""
        starts = {"owner%d" % i: lambda i=i: self.table.daemon("owner%d" % i, *SESSION) for i in range(2)}
        return starts | {"capture%d" % i: lambda i=i: self.capture(i) for i in range(2)}

    def scanners(self):
        """name -> the start of one; each index has some."""
        names = [(index, "scanner%d%s" % (i, index[len(self.table.index):])) for index in self.indexes for i in range(SCANNERS)]
        return {name: lambda index=index, name=name: self.scanner(index, name) for index, name in names}

    def verify(self, index, *more):
        """The exit code, what differs, the summary."""
        done = fensi("verify", *self.words(index, "--json", *more))
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        _, *findings, summary = [json.loads(line) for line in done.stdout.splitlines()]
        self.note("verify: %d, %s" % (done.returncode, summary))
        return done.returncode, [finding for finding in findings if finding["kind"] != "undecided"], summary

    def test_nothing_is_lost_and_nothing_falsely_found(self):
        self.assertEqual(self.table.load(changes.old_cells(ROWS)).wait(), 0)
        self.note("loaded")
        self.table.follow()
        clients = changes.ChangingClients(self.table.source, ROWS, PER_SECOND)
        with Herd() as herd:
            herd.start(self.followers())
            for index in self.indexes:
                until("a mark", lambda index=index: fensi("backfill", *self.scanner_words(index)).returncode == 0)
            with self.unrest():
                self.backfill_under_kills(herd)
            self.verify_beside(clients, herd)
            clients.stop()
            for index in self.indexes:
                self.assertEqual(changes.wait_complete_of(self.table, index).returncode, 0)
            self.note("%d changes are indexed" % clients.count())
            for index in self.indexes:
                code, findings, _ = self.verify(index, "--recheck_s=1")
                self.assertEqual((code, findings), (0, []))
            self.assertEqual([herd[name].stop() for name in self.followers()], [0] * 4)
        expected = changes.index_of(self.table.source)
        reading.assert_equal(reading.values(reading.by_admin(self.table.index)), expected)
        self.assertGreater(len(expected), ROWS // 2)
        if MIRROR:
            self.compare_mirror()

    def compare_mirror(self):
        """What was in doubt is put above its own time, never below."""
        found, expected = reading.by_admin(self.indexes[1]), changes.mirror_of(self.table.source)
        reading.assert_equal(reading.values(found), reading.values(expected))
        changes.assert_mirror(self.table, self.indexes[1])
        self.assertEqual([cell for cell, (timestamp, _) in found.items() if timestamp < expected[cell][0]], [])

    @contextlib.contextmanager
    def unrest(self):
        if not UNREST:
            yield
            return
        with Unrest(self.table.source, "51379bdf") as unrest:
            yield
        self.note("meanwhile: " + ", ".join("%d x %s" % (unrest.done.count(what), what) for what in sorted(set(unrest.done))))

    def backfill_under_kills(self, herd):
        herd.start(self.scanners())
        herd.kill_some(KILLS, KILLS * KILL_EVERY_S)
        self.note("killed " + ", ".join(herd.killed))
        for index in self.indexes:
            resume = self.words(index, "--resume", "--rows_per_second=0")
            until("there is a backfill", lambda resume=resume: fensi("backfill", *resume).returncode == 0)
        for index in self.indexes:
            # One that was started just before may meet another pace than its own (78): who has none joins in any case.
            done = fensi("backfill", *self.scanner_words(index, "--execute"))
            self.assertEqual(done.returncode, 0, done.stderr)
        for name in self.scanners():
            self.assertIn(herd[name].process.wait(300), (0, 78), herd[name].messages())
        self.note("the backfill is done")

    def verify_beside(self, clients, herd):
        """In the long test an owner is killed, so that for some seconds half of the index follows nothing."""
        before, begin = clients.count(), time.monotonic()
        if UNREST:
            herd.kill("owner0")
        for index in self.indexes:
            _, findings, _ = self.verify(index, "--recheck_s=1", "--clock_skew_ms=0")
            self.assertEqual(findings, [])
        self.note("%.0f changes/s meanwhile" % ((clients.count() - before) / (time.monotonic() - begin)))


if __name__ == "__main__":
    unittest.main(verbosity=2)
