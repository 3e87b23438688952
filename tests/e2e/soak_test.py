#!/usr/bin/env python3
"""Two daemons and a capture that work for an hour while regions of their tables move between two region servers each second: their open
files, threads and memory stay as they were after the first fifth, and both indexes are exact. One daemon has events only, the other one
the source table that the capture follows. FENSI_TEST_SOAK_S: for so many seconds (3600)."""
import collections
import os
import random
import tempfile
import time
import unittest

from lib import reading, stack
from lib.captured import captured
from lib.complete import wait_complete
from lib.mixed import KEYS, MixedLoad
from lib.program import fensi, free_address

SOAK_S = int(os.environ.get("FENSI_TEST_SOAK_S", "3600"))
PER_SECOND = 500
FOLLOWERS, FOLLOWED, FOLLOWS_PER_SECOND = 300, 300, 300
EVERY_S = 1
Sample = collections.namedtuple("Sample", "files threads kib")
# By how much the last fifth may be above the second one. A connection to each server and its thread may come and go. Memory
# that the allocator has not given back yet is the rest.
MORE = Sample(files=8, threads=4, kib=16 << 10)
MORE_OF_MEMORY = 0.05


def sample(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as text:
        fields = dict(line.split(":", 1) for line in text)
    return Sample(len(os.listdir("/proc/%d/fd" % pid)), int(fields["Threads"]), int(fields["VmRSS"].split()[0]))


def most(samples):
    return Sample(*map(max, zip(*samples)))


class SoakTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        stack.devstack("start", "regionserver")
        self.addCleanup(stack.devstack, "stop", "regionserver")
        self.load = MixedLoad(scratch.name, "soak", PER_SECOND)
        self.table = captured(self, "soaked", 500)
        self.table.create()
        self.moves = collections.Counter()
        self.places = [free_address(), free_address()]

    def follows(self):
        """Cells for the whole time, each of a pair again and again."""
        some, begin = random.Random(1), int(time.time() * 1000)
        for number in range(SOAK_S * FOLLOWS_PER_SECOND):
            yield "a%d" % some.randrange(FOLLOWERS), "f1:%d" % some.randrange(FOLLOWED), begin + number, "follows"

    def move(self, tables):
        try:
            stack.admin("move", random.choice(tables), str(random.randrange(KEYS)).encode().hex())
            self.moves["moved"] += 1
        except AssertionError:
            self.moves["refused"] += 1

    def samples(self, daemons):
        """{name: samples}, of all daemons at the same times."""
        names = self.load.stream.index, self.table.index, self.table.source
        tables = [table for table in stack.admin("tables").split("\n") if any(name in table for name in names)]
        end, found = time.monotonic() + SOAK_S, collections.defaultdict(list)
        while time.monotonic() < end:
            self.move(tables)
            for place in self.places:
                self.assertEqual(fensi("status", "--daemon=" + place).returncode, 0)
            for name, daemon in daemons.items():
                found[name].append(sample(daemon.process.pid))
            time.sleep(EVERY_S)
        return found

    def assert_flat(self, name, samples):
        fifth = len(samples) // 5
        fifths = [most(samples[part * fifth:(part + 1) * fifth]) for part in range(5)]
        for number, part in enumerate(fifths, 1):
            print("%s, fifth %d: %d files, %d threads, %d KiB" % (name, number, *part), flush=True)
        before, after = fifths[1], fifths[-1]
        self.assertLessEqual(after.files, before.files + MORE.files)
        self.assertLessEqual(after.threads, before.threads + MORE.threads)
        self.assertLessEqual(after.kib, before.kib * (1 + MORE_OF_MEMORY) + MORE.kib)

    def test_files_threads_and_memory_stay_as_they_were(self):
        stream, table = self.load.stream, self.table
        of_events, of_table = self.places
        with stream.daemon("daemon", "--admin=" + of_events) as daemon, table.capture() as capture, \
                table.daemon("follower", "--admin=" + of_table) as follower:
            daemons = {"daemon of events": daemon, "daemon of a table": follower, "capture": capture}
            with table.load(self.follows(), FOLLOWS_PER_SECOND) as loader:
                found = self.samples(daemons)
            self.assertEqual(loader.returncode, 0)
            self.load.finish()
            done = wait_complete(table.mapping, table.index, stack.hbase_url(), "--until=now", source_of=table.transposed)
            self.assertEqual(done.returncode, 0, done.stderr)
            for name, each in daemons.items():
                self.assertEqual(each.stop(), 0, name + "\n" + each.messages())
        print("%d events and %d follows, regions %s" % (self.load.feed.count, SOAK_S * FOLLOWS_PER_SECOND, dict(self.moves)), flush=True)
        self.assertGreater(self.moves["moved"], SOAK_S / 20)
        for name, samples in found.items():
            with self.subTest(name):
                self.assert_flat(name, samples)
        with self.subTest("indexes"):
            reading.assert_equal(reading.values(reading.by_admin(stream.index)), self.load.changes.index())
            table.assert_index_is_transposed()


if __name__ == "__main__":
    unittest.main(verbosity=2)
