#!/usr/bin/env python3
"""Servers die, and daemons with them, under a load of everything at once: the gateway and Kafka are killed five times or
stopped for 20 s, HBase is killed twice; each time one of two daemons is killed while the server is away. Nothing is
missing, orphaned or wrong."""
import tempfile
import time
import unittest

from lib import reading, stack
from lib.mixed import MixedLoad
from lib.wait import until

EVENTS, PER_SECOND = 200_000, 2_000
AWAY_S = 20
SESSION = ("--kafka_session_timeout_ms", "10000")


class ServersDieTest(unittest.TestCase):
    def tearDown(self):
        stack.devstack("up")

    def harm(self, stream, server, way, away_s, store):
        """One daemon dies with the server, another one goes on."""
        with stream.daemon("victim", *SESSION, store=store) as victim:
            until("the victim works", lambda: "victim" in stream.owners(), 300)
            stack.devstack(way, server)
            time.sleep(away_s)
            self.assertTrue(victim.is_up())
            victim.kill()
        stack.devstack("start", server)

    def under_load(self, server, way, times, away_s=0):
        """Harms the server several times under load, and waits for progress after each."""
        store = stack.gateway_url() if server == "gateway" else stack.hbase_url()
        with tempfile.TemporaryDirectory() as folder:
            load = MixedLoad(folder, "die", PER_SECOND, EVENTS)
            stream = load.stream
            with stream.daemon("one", *SESSION, store=store) as one:
                until("progress", lambda: stream.committed() > 0, 300)
                for _ in range(times):
                    self.harm(stream, server, way, away_s, store)
                    self.assertTrue(one.is_up())
                    until("progress", lambda seen=stream.committed(): stream.committed() > seen or stream.lag() == 0, 600)
                load.finish(1200)
                self.assertEqual(one.stop(), 0)
            print("%s: %s %d times, %d events (%s)" % (server, way, times, load.feed.count, load.changes.shares()))
            reading.assert_equal(reading.values(reading.by_admin(stream.index)), load.changes.index())

    def test_gateway_killed(self):
        self.under_load("gateway", "kill", 5)

    def test_gateway_away(self):
        self.under_load("gateway", "stop", 1, AWAY_S)

    def test_broker_killed(self):
        self.under_load("kafka", "kill", 5)

    def test_broker_away(self):
        self.under_load("kafka", "stop", 1, AWAY_S)

    def test_hbase_killed(self):
        self.under_load("hbase", "kill", 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
