#!/usr/bin/env python3
"""Servers die under two daemons and a load of everything at once: the gateway and Kafka are killed five times or stopped
for 20 s, HBase is killed twice; nothing is missing, orphaned or wrong."""
import random
import tempfile
import time
import unittest

from lib import mixed, reading, stack
from lib.program import Feed, Load
from lib.stream import Stream
from lib.wait import until

PER_SECOND = 1000
AWAY_S = 20
SESSION = ("--kafka_session_timeout_ms", "10000")


class ServersDieTest(unittest.TestCase):
    def tearDown(self):
        stack.devstack("up")

    def under_load(self, harm, times):
        """Harms the servers several times under load, and waits for progress after each."""
        with tempfile.TemporaryDirectory() as folder:
            stream = Stream(folder, "die", mixed.MAPPING)
            stream.create()
            changes = mixed.Mixed(stream.source, random.SystemRandom().randrange(1_000_000))
            feed = Feed(changes.events(), 0)
            load = Load(stream.topic, feed, PER_SECOND)
            with stream.daemon("one", *SESSION) as one, stream.daemon("two", *SESSION) as two:
                until("progress", lambda: stream.committed() > 0, 300)
                for _ in range(times):
                    harm()
                    self.assertTrue(one.is_up() and two.is_up())
                    until("progress", lambda seen=stream.committed(): stream.committed() > seen or stream.lag() == 0, 600)
                feed.enough()
                load.finish()
                stream.wait_caught_up(1200)
                self.assertEqual((one.stop(), two.stop()), (0, 0))
            reading.assert_equal(reading.values(reading.by_admin(stream.index)), changes.index())

    @staticmethod
    def kill(server):
        stack.devstack("kill", server)
        stack.devstack("start", server)

    @staticmethod
    def stop_for_a_while(server):
        stack.devstack("stop", server)
        time.sleep(AWAY_S)
        stack.devstack("start", server)

    def test_gateway_killed(self):
        self.under_load(lambda: self.kill("gateway"), 5)

    def test_gateway_away(self):
        self.under_load(lambda: self.stop_for_a_while("gateway"), 1)

    def test_broker_killed(self):
        self.under_load(lambda: self.kill("kafka"), 5)

    def test_broker_away(self):
        self.under_load(lambda: self.stop_for_a_while("kafka"), 1)

    def test_hbase_killed(self):
        self.under_load(lambda: self.kill("hbase"), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
