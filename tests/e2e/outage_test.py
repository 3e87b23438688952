#!/usr/bin/env python3
"""The gateway and Kafka are each away for 20 s under load: the daemon stays up, says so, and catches up."""
import tempfile
import time
import unittest

from lib import graph, reading, stack
from lib.program import Load
from lib.stream import Stream
from lib.wait import until

EVENTS, PER_SECOND = 200_000, 4_000
AWAY_S = 20


class OutageTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.stream = Stream(self._folder.name, "outage")
        self.stream.create()
        self.follows = graph.Graph(self.stream.source, EVENTS)

    def tearDown(self):
        stack.devstack("up")

    def away(self, server, daemon):
        """Stops the server for AWAY_S seconds, which is the length of the outage and no waiting for luck."""
        before = len(daemon.messages())
        stack.devstack("stop", server)
        time.sleep(AWAY_S)
        self.assertTrue(daemon.is_up())
        said = daemon.messages()[before:]
        stack.devstack("start", server)
        return said

    def outage_of(self, server, address):
        load = Load(self.stream.topic, list(self.follows.events()), PER_SECOND)
        with self.stream.daemon("daemon") as daemon:
            until("progress", lambda: self.stream.committed() > 0)
            rebalances = self.stream.rebalances()
            said = self.away(server, daemon)
            self.assertIn(address, said)
            load.finish()
            self.stream.wait_caught_up()
            self.assertEqual(self.stream.rebalances(), rebalances)
            self.assertEqual(daemon.stop(), 0)
        reading.assert_equal(reading.by_admin(self.stream.index), self.follows.index())

    def test_gateway_away(self):
        self.outage_of("gateway", stack.hbase_url().removeprefix("hbase://"))

    def test_kafka_away(self):
        self.outage_of("kafka", stack.kafka_url().removeprefix("kafka://"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
