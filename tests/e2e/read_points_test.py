#!/usr/bin/env python3
"""What M8.5 rests on: a read shows each change of its region with a sequence id up to the region's read point, while regions move, split and
merge, files are flushed and merged, and region servers are killed. Writers and readers run beside; afterwards each read is compared with the
changes that the capture brought. Controls: read points that are shifted up must be found wrong. FENSI_TEST_ROUNDS deaths (1)."""
import bisect
import collections
import json
import os
import random
import subprocess
import tempfile
import time
import unittest

from lib import stack
from lib.captured import Captured
from lib.program import FENSI
from lib.stream import PER_SECOND
from lib.unsteady import Unsteady, one_again
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "1"))
ROWS, READERS = 100, 4
HARM_S, AWAY_S, PATIENCE_S = 12, 8, 600
SHIFTS = (1, 5, 25)
COLUMN = "f1:n"
READER = os.path.join(os.path.dirname(FENSI), "point_reader")


def numbers_of(events):
    """By region and row: the ascending sequence ids, and beside each the highest value that was put up to it."""
    changes = collections.defaultdict(list)
    for event in events:
        for cell in event["cells"]:
            changes[event["region"], event["row"]].append((event["seq"], int(cell["value"])))
    told = {}
    for place, ones in changes.items():
        ones.sort()
        ids, highest, top = [], [], -1
        for number, value in ones:
            top = max(top, value)
            ids.append(number)
            highest.append(top)
        told[place] = ids, highest
    return told


def violations(reads, told, shift):
    """Reads that lack a change with a sequence id up to their read point and `shift`."""
    wrong = []
    for region, point, row, value in reads:
        ids, highest = told.get((region, row), ((), ()))
        at = bisect.bisect_right(ids, point + shift)
        if at and highest[at - 1] > value:
            wrong.append((region, point, row, value, highest[at - 1]))
    return wrong


class ReadPointsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        stack.devstack("start", "regionserver")
        self.addCleanup(one_again)
        self.folder = scratch.name
        self.table = Captured(scratch.name, "points")
        self.table.create()

    def harm(self, unsteady):
        for number in range(ROUNDS):
            unsteady.harm_for(HARM_S)
            stack.admin("flush", self.table.source)
            if number % 2 == 0:
                stack.admin("compact", self.table.source)
            unsteady.move_without_waiting()
            stack.devstack("kill", "regionserver")
            time.sleep(AWAY_S)  # how long it is away and no waiting for luck
            stack.devstack("start", "regionserver")
        unsteady.harm_for(HARM_S)

    def write_and_read(self, unsteady):
        """The number of puts, and the reads."""
        path, count = os.path.join(self.folder, "reads"), 0
        loader = [os.path.join(os.path.dirname(FENSI), "thrift_loader"), stack.hbase_url(), self.table.source, str(PER_SECOND)]
        words = [READER, stack.hbase_url(), self.table.source, COLUMN, str(ROWS), str(READERS)]
        some = random.Random(1)
        with open(path, "w", encoding="ascii") as out, subprocess.Popen(words, stdin=subprocess.PIPE, stdout=out) as reader:
            with subprocess.Popen(loader, stdin=subprocess.PIPE, text=True) as writer, unsteady.in_background(self.harm) as harmed:
                while harmed.is_alive():
                    for _ in range(PER_SECOND // 20):
                        count += 1
                        writer.stdin.write("%d\t%s\t%d\t%d\n" % (some.randrange(ROWS), COLUMN, count, count))
                    writer.stdin.flush()
                writer.stdin.close()
            self.assertEqual(writer.returncode, 0)
            reader.stdin.close()
        self.assertEqual(reader.returncode, 0)
        with open(path, encoding="ascii") as lines:
            return count, [(region, int(point), row, int(value)) for region, point, row, value in map(str.split, lines)]

    def test_a_read_shows_what_its_read_point_covers(self):
        seed = random.SystemRandom().randrange(1_000_000)
        unsteady = Unsteady([self.table.source], ROWS, seed)
        with self.table.capture():
            count, reads = self.write_and_read(unsteady)
            cells = len(self.table.raw_cells())
            until("every put is in the topic", lambda: len(self.table.topic_cells()) >= cells, PATIENCE_S, 2)
            events = [json.loads(line) for line in self.table.events()]
        told = numbers_of(events)
        matched = sum((region, row) in told for region, _, row, _ in reads)
        found = {shift: len(violations(reads, told, shift)) for shift in (0, *SHIFTS)}
        print("seed %d: %d puts, %d reads, %d of them of regions with changes of the row, %d regions, %s" %
              (seed, count, len(reads), matched, len({region for region, _ in told}), dict(unsteady.done)))
        print("violations by shift of the read point: %s" % found)
        self.assertEqual(violations(reads, told, 0), [])
        self.assertGreater(matched, 10_000)
        self.assertGreater(found[SHIFTS[-1]], 1_000, "the control sees nothing")


if __name__ == "__main__":
    unittest.main(verbosity=2)
