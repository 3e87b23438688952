#!/usr/bin/env python3
"""A transactional producer that commits each event by itself, followed into an index by a running daemon."""
import os
import subprocess
import tempfile
import threading
import time
import unittest

from lib import graph, reading
from lib.program import FENSI
from lib.stream import Stream
from lib.wait import until

LOADER = os.path.join(os.path.dirname(FENSI), "transaction_loader")
COMMITS = int(os.environ.get("FENSI_TEST_EVENTS", "1500"))
PER_SECOND = 200
ABORTED_EACH = 10
# Each transaction has two offsets, also one that is aborted.
OFFSETS = 2 * (COMMITS + COMMITS // ABORTED_EACH)


class TransactionsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.stream = Stream(folder.name, "transactions")
        self.stream.create()
        self.follows = graph.Graph(self.stream.source, COMMITS)

    def lines(self):
        """The edges, and between them edges that nobody ever follows: their transactions are aborted."""
        for count, line in enumerate(self.follows.events()):
            if count % ABORTED_EACH == 0:
                yield "!" + self.follows.stray("nobody%d" % count)
            yield line

    def produce(self):
        """Gives back the loader; it is fed by a thread of its own."""
        loader = subprocess.Popen([LOADER, os.environ["FENSI_TEST_KAFKA"], self.stream.topic, str(PER_SECOND)],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

        def feed():
            with loader.stdin as lines:
                lines.writelines(self.lines())
        threading.Thread(target=feed, daemon=True).start()
        return loader

    def test_each_event_in_a_transaction_of_its_own_is_followed_at_once(self):
        with self.stream.daemon("daemon") as daemon:
            until("an owner", lambda: self.stream.owners() == {"daemon"})
            begin, lags = time.monotonic(), []
            loader = self.produce()
            while loader.poll() is None:
                lags.append(self.stream.lag())
                time.sleep(0.5)  # between two looks
            took = time.monotonic() - begin
            self.assertEqual(loader.returncode, 0)
            with loader.stdout as text:
                self.assertEqual(int(text.read()), COMMITS)
            self.stream.wait_caught_up(60)
            print("%d commits in %.1f s; %d offsets behind at most, caught up %.1f s after the last" % (
                COMMITS, took, max(lags), time.monotonic() - begin - took))
            # A daemon that waited for the last of them would have all of the offsets before it then.
            self.assertLess(min(lags[len(lags) // 2:]), OFFSETS // 2)
            self.assertEqual(daemon.stop(), 0)
            self.assertNotIn("dead letter", daemon.messages())
        reading.assert_equal(reading.by_admin(self.stream.index), self.follows.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
