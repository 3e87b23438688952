#!/usr/bin/env python3
"""A scrub on real servers: what is removed, planted and altered behind a daemon's back is found, told, and made right.

FENSI_TEST_SCRUB_S: how long LastingTest damages an index, in seconds. FENSI_TEST_SEED: of its damage."""
import json
import os
import random
import re
import sys
import tempfile
import time
import unittest

from lib import graph, stack
from lib.captured import Captured, Writer
from lib.program import fensi
from lib.wait import until

sys.path.append(os.path.join(stack.ROOT, "tests", "support"))
from over_unix import OverUnix, listens  # noqa: E402

EDGES = 2_000
DAMAGED = 100
ROWS = 2_000


def ask(socket, page):
    connection = OverUnix(socket)
    connection.request("GET", page)
    text = connection.getresponse().read().decode()
    connection.close()
    return text


def last_pass(socket):
    return json.loads(ask(socket, "/status"))["indexes"][0]["scrub"]["last_pass"] if listens(socket) else None


class ScrubTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Captured(scratch.name, "scrub")
        self.table.create()
        self.addCleanup(self.table.remove_peer)
        self.socket = os.path.join(scratch.name, "admin.sock")

    def verify(self):
        done = fensi("verify", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--json", "--recheck_s=1")
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def test_damage_behind_a_daemons_back_is_found_told_and_made_right(self):
        follows = graph.Graph(self.table.source, EDGES)
        cells = [(follower, "f1:" + followed, timestamp, "follows") for (follower, followed), timestamp in follows.living.items()]
        with self.table.capture():
            with self.table.daemon("first") as daemon:
                self.assertEqual(self.table.load(cells).wait(), 0)
                self.table.wait_indexed("mark")
                self.assertEqual(daemon.stop(), 0)
            self.damage(cells)
            found = self.verify()
            self.assertEqual((found["missing"], found["orphan"], found["content_differs"]), (DAMAGED, DAMAGED, DAMAGED))
            with self.table.daemon("second", "--scrub_rows_per_second=2000", "--scrub_repair",
                                   "--admin=unix:" + self.socket) as daemon:
                until("a pass", lambda: last_pass(self.socket), 120, 0.5)
                self.check_told(daemon)
                until("the index is right again", lambda: self.verify()["good"] == self.verify()["entries"], 60, 1)
                self.assertEqual(daemon.stop(20), 0)
            last = self.verify()
            self.assertEqual((last["missing"], last["orphan"], last["content_differs"]), (0, 0, 0))

    def check_told(self, daemon):
        told = last_pass(self.socket)
        self.assertEqual((told["found"], told["missing"], told["orphan"], told["differs"]), (3 * DAMAGED, DAMAGED, DAMAGED, DAMAGED))
        self.assertIn('fensi_scrub_last_pass_findings{index="%s"} 300' % self.table.index, ask(self.socket, "/metrics"))
        self.assertIn(", 300 differences (100 missing, 100 orphan, 100 with another value)", daemon.messages())

    def damage(self, cells):
        """Removes, alters and adds cells of the index."""
        entries = [(column[3:], "f1:" + follower) for follower, column, _, _ in cells]
        added = [(followed, "f1:nobody%d" % i) for i, (followed, _) in enumerate(entries[DAMAGED:2 * DAMAGED])]
        self.table.change(*["delete_column %s %s" % entry for entry in entries[:DAMAGED]],
                          *["put %s %s altered" % entry for entry in entries[-DAMAGED:]],
                          *["put %s %s 1" % entry for entry in added], table=self.table.index)


class TwoDaemonsTest(unittest.TestCase):
    """Without marks: a scrub follows the lag of the partitions then."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Captured(scratch.name, "scrubs")
        self.table.create()
        self.addCleanup(self.table.remove_peer)

    def daemon(self, name, *more):
        return self.table.daemon(name, "--kafka_session_timeout_ms=6000", "--admin=unix:" + self.socket(name), *more)

    def socket(self, name):
        return os.path.join(self.table.folder, name + ".sock")

    def compared(self, name):
        """Source rows and index cells that this daemon compared."""
        if not listens(self.socket(name)):
            return 0, 0
        counted = dict(re.findall(r'fensi_scrub_compared_total\{index="[^"]*",of="(\w+)"\} (\d+)', ask(self.socket(name), "/metrics")))
        return int(counted.get("source_rows", 0)), int(counted.get("index_cells", 0))

    def test_of_two_daemons_one_scrubs_and_the_other_goes_on_where_it_was_killed(self):
        """A piece is what is read in 20 s: all rows of the source, then all cells of the index."""
        cells = [("r%04d" % i, "f1:u%04d" % i, 1000 + i, "x") for i in range(ROWS)]
        words = ("--scrub_rows_per_second=%d" % (ROWS // 20 + 10),)
        with self.table.capture(), self.daemon("one") as one:
            self.assertEqual(self.table.load(cells).wait(), 0)
            self.table.wait_indexed("mark")
            self.assertEqual(one.stop(), 0)
            rows = len(self.table.transposed())
            names = ("two", "three")
            with self.daemon("two", *words) as two, self.daemon("three", *words) as three:
                until("a piece", lambda: any(self.compared(name)[0] for name in names), 180, 0.5)
                worker, other = sorted(names, key=self.compared, reverse=True)
                self.assertEqual((self.compared(worker)[0], self.compared(other)), (rows, (0, 0)))
                killed, left = (two, three) if worker == "two" else (three, two)
                killed.kill()
                told = until("the pass that the other one ended", lambda: last_pass(self.socket(other)), 180, 0.5)
                self.assertEqual((told["source_rows"], told["index_cells"], told["found"]), (rows, rows, 0))
                self.assertEqual(self.compared(other), (0, rows), "the rows of the source were compared again")
                self.assertEqual(left.stop(20), 0)


class LastingTest(unittest.TestCase):
    """Two daemons scrub and repair while an application writes, somebody damages the index, and daemons are killed."""
    SECONDS = int(os.environ.get("FENSI_TEST_SCRUB_S", "300"))
    SEED = int(os.environ.get("FENSI_TEST_SEED", "0")) or int(time.time())

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Captured(scratch.name, "damage", watermark_interval_ms=1000)
        self.table.create()
        self.addCleanup(self.table.remove_peer)
        self.random = random.Random(self.SEED)
        print("FENSI_TEST_SEED=%d" % self.SEED, flush=True)

    def daemon(self, name):
        return self.table.daemon(name, "--kafka_session_timeout_ms=6000", "--scrub_rows_per_second=5000", "--scrub_repair",
                                 "--admin=unix:" + os.path.join(self.table.folder, name + ".sock"))

    def damage(self):
        """Some of what a row of ours has in the index, or should not have."""
        row, other = self.random.randrange(ROWS), self.random.randrange(ROWS)
        return self.random.choice(["delete_column u%04d f1:r%04d" % (row, row), "put u%04d f1:r%04d altered" % (row, row),
                                   "put u%04d f1:r%04d planted" % (other, row)])

    def last_pass(self):
        """Of all daemons that answer, the latest."""
        passes = []
        for name in os.listdir(self.table.folder):
            try:
                passes.append(last_pass(os.path.join(self.table.folder, name)) if name.endswith(".sock") else None)
            except OSError:
                continue  # of one that was killed
        return max((one for one in passes if one), key=lambda one: one["ended_ms"], default={"began_ms": 0, "found": 0})

    def verify(self):
        done = fensi("verify", self.table.mapping, self.table.index, "--store", stack.hbase_url(), "--json", "--recheck_s=2")
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        return json.loads(done.stdout.splitlines()[-1])

    def damage_for_long(self, daemons):
        done, found, end, kill_at = 0, 0, time.monotonic() + self.SECONDS, time.monotonic() + 60
        while time.monotonic() < end:
            wanted = [self.damage() for _ in range(20)]
            self.table.change(*wanted, table=self.table.index)
            done, found = done + len(wanted), max(found, self.last_pass()["found"])
            if time.monotonic() > kill_at:
                killed = self.random.choice(sorted(daemons))
                daemons[killed].kill()
                daemons[killed + "x"] = self.daemon(killed + "x")
                del daemons[killed]
                kill_at = time.monotonic() + 60
            time.sleep(3)
        print("%d damages, at most %d found in a pass" % (done, found), flush=True)
        self.assertGreater(found, 0)

    def test_whatever_is_damaged_beside_an_application_is_right_in_the_end(self):
        cells = [("r%04d" % i, "f1:u%04d" % i, 1000 + i, "x") for i in range(ROWS)]
        daemons = {}
        with self.table.capture():
            try:
                daemons.update({name: self.daemon(name) for name in ("one", "two")})
                self.assertEqual(self.table.load(cells).wait(), 0)
                writer = Writer(self.table.source, 50)
                self.damage_for_long(daemons)
                writer.stop()
                ended = time.time() * 1000
                until("a pass that found nothing", lambda: self.last_pass()["began_ms"] > ended and self.last_pass()["found"] == 0, 600, 1)
                last = self.verify()
                self.assertEqual((last["missing"], last["orphan"], last["content_differs"], last["undecided"]), (0, 0, 0, 0))
                self.assertGreater(self.table.assert_index_is_transposed(), ROWS)
                self.assertEqual([daemon.stop(20) for daemon in daemons.values()], [0] * len(daemons))
            finally:
                for daemon in daemons.values():
                    if daemon.is_up():
                        daemon.kill()


if __name__ == "__main__":
    unittest.main(verbosity=2)
