#!/usr/bin/env python3
"""A daemon that works for an hour while regions of its tables move between two region servers each second: its open files, threads
and memory stay as they were after the first fifth, and the index is exact. FENSI_TEST_SOAK_S: for so many seconds (3600)."""
import collections
import os
import random
import tempfile
import time
import unittest

from lib import reading, stack
from lib.mixed import KEYS, MixedLoad
from lib.program import fensi, free_address

SOAK_S = int(os.environ.get("FENSI_TEST_SOAK_S", "3600"))
PER_SECOND = 500
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
        self.place = free_address()
        self.moves = collections.Counter()

    def move(self, tables):
        try:
            stack.admin("move", random.choice(tables), str(random.randrange(KEYS)).encode().hex())
            self.moves["moved"] += 1
        except AssertionError:
            self.moves["refused"] += 1

    def samples(self, daemon):
        tables = [table for table in stack.admin("tables").split("\n") if self.load.stream.index in table]
        end, found = time.monotonic() + SOAK_S, []
        while time.monotonic() < end:
            self.move(tables)
            self.assertEqual(fensi("status", "--daemon=" + self.place).returncode, 0)
            found.append(sample(daemon.process.pid))
            time.sleep(EVERY_S)
        return found

    def test_files_threads_and_memory_stay_as_they_were(self):
        stream = self.load.stream
        with stream.daemon("daemon", "--admin=" + self.place) as daemon:
            found = self.samples(daemon)
            self.load.finish()
            self.assertEqual(daemon.stop(), 0, daemon.messages())
        fifth = len(found) // 5
        fifths = [most(found[part * fifth:(part + 1) * fifth]) for part in range(5)]
        for number, part in enumerate(fifths, 1):
            print("fifth %d: %d files, %d threads, %d KiB" % (number, *part))
        print("%d events, regions %s" % (self.load.feed.count, dict(self.moves)), flush=True)
        self.assertGreater(self.moves["moved"], SOAK_S / 20)
        before, after = fifths[1], fifths[-1]
        self.assertLessEqual(after.files, before.files + MORE.files)
        self.assertLessEqual(after.threads, before.threads + MORE.threads)
        self.assertLessEqual(after.kib, before.kib * (1 + MORE_OF_MEMORY) + MORE.kib)
        reading.assert_equal(reading.values(reading.by_admin(stream.index)), self.load.changes.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
