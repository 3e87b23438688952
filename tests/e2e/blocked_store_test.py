#!/usr/bin/env python3
"""The store answers nothing for FENSI_TEST_BLOCKED_S (75) seconds under load: the daemon stays a member, its memory
stays bounded, and it catches up while more arrives; how quickly is printed."""
import itertools
import os
import tempfile
import time
import unittest

from lib import graph, reading
from lib.program import Feed, Load
from lib.proxy import Proxy
from lib.stream import Stream
from lib.wait import until

# A call that is given up, and five sessions of a member that nobody hears of.
BLOCKED_S = int(os.environ.get("FENSI_TEST_BLOCKED_S", "75"))
SESSION = ("--kafka_session_timeout_ms", "15000")
PER_SECOND = 2000
# Queue 4 MB, full after half of the time, fetched ahead and in hand; states 16 MB; and what the program and its libraries need.
MEMORY = ("--max_queued_mb", "4", "--state_cache_mb", "16")
MOST_MB = 300


def memory_mb(daemon, kind="VmRSS"):
    with open("/proc/%d/status" % daemon.process.pid, encoding="ascii") as lines:
        return next(int(line.split()[1]) // 1024 for line in lines if line.startswith(kind))


class BlockedStoreTest(unittest.TestCase):
    def block(self, daemon, proxy):
        """The time is the length of the outage and no waiting for luck."""
        before = memory_mb(daemon)
        proxy.tell("hold", "requests")
        proxy.hold()
        end = time.monotonic() + BLOCKED_S
        while time.monotonic() < end:
            self.assertTrue(daemon.is_up())
            time.sleep(1)
        print("memory: %d MB before, %d MB at most" % (before, memory_mb(daemon, "VmHWM")))
        self.assertLess(memory_mb(daemon, "VmHWM"), MOST_MB)
        self.assertIn("the store has not answered", daemon.messages())

    def catch_up_rate(self, stream, proxy):
        """The load goes on: who were no quicker than it would never come to the end."""
        committed, begin = stream.committed(), time.monotonic()
        print("behind by %d events" % stream.lag())
        proxy.tell("release", "requests")
        proxy.release()
        until("the backlog is gone", lambda: stream.lag() < PER_SECOND * 2, 600, 0.5)
        return (stream.committed() - committed) / (time.monotonic() - begin)

    def test_a_blocked_store_costs_neither_membership_nor_memory(self):
        with tempfile.TemporaryDirectory() as folder, Proxy() as proxy:
            stream = Stream(folder, "blocked")
            stream.create()
            lines = list(graph.Graph(stream.source).events())
            feed = Feed(itertools.cycle(lines), 0)
            load = Load(stream.topic, feed, PER_SECOND)
            with stream.daemon("daemon", *MEMORY, *SESSION, store=proxy.url()) as daemon:
                until("progress", lambda: stream.committed() > 0)
                rebalances = stream.rebalances()
                self.block(daemon, proxy)
                rate = self.catch_up_rate(stream, proxy)
                print("caught up at %d events/s, %d arrive" % (rate, PER_SECOND))
                feed.enough()
                load.finish()
                stream.wait_caught_up()
                self.assertEqual(stream.rebalances(), rebalances)
                self.assertEqual(daemon.stop(), 0)
            reading.assert_equal(reading.by_admin(stream.index), graph.Graph(stream.source, min(feed.count, len(lines))).index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
