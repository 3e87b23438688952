#!/usr/bin/env python3
"""The gateway and Kafka are each away for a minute under load, and with FENSI_TEST_HBASE_AWAY HBase itself for longer: the daemon stays up, says so, and catches up; the alert of the
server fires, no other does, and it ends."""
import contextlib
import os
import tempfile
import time
import unittest

from lib import graph, reading, stack
from lib.captured import captured
from lib.program import Load, free_address
from lib.prometheus import Prometheus
from lib.stream import PER_SECOND, Stream
from lib.wait import until

EVENTS = 100 * PER_SECOND  # longer than the outage
AWAY_S = 60
# A call of HBase's own protocol, which waits for ZooKeeper or for hbase:meta, says so after a minute.
HBASE_AWAY_S = 100
FASTER = 4  # four minutes, for the alerts
# A machine under load takes another 20 s to stop Kafka and to start it: the default of 45 s might be over.
SESSION = "--kafka_session_timeout_ms=120000"
SILENT_S = int(os.environ.get("FENSI_TEST_SILENT_S", "0"))


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
        """Stops the server for a time, which is the length of the outage and no waiting for luck."""
        before = len(daemon.messages())
        stack.devstack("stop", server)
        time.sleep(HBASE_AWAY_S if server == "hbase" else AWAY_S)
        self.assertTrue(daemon.is_up())
        said, fired = daemon.messages()[before:], self.prometheus.firing()
        stack.devstack("start", server)
        return said, fired

    def outage_of(self, server, address, name, capture=None, store=None):
        place = free_address()
        targets = {"fensi-run": place, **({"fensi-capture": capture[0]} if capture else {})}
        expected = {("FensiServerUnreachable", self.stream.index, name), *([("FensiCaptureKafkaUnreachable", "", "")] if capture else [])}
        load = Load(self.stream.topic, list(self.follows.events()), PER_SECOND)
        with contextlib.ExitStack() as work:
            if capture:
                work.enter_context(capture[1]())
            daemon = work.enter_context(self.stream.daemon("daemon", SESSION, "--admin=" + place, store=store))
            self.prometheus = work.enter_context(Prometheus(self._folder.name, targets, FASTER))
            until("progress", lambda: self.stream.committed() > 0)
            self.assertEqual(self.prometheus.firing(), set())
            rebalances = self.stream.rebalances()
            said, fired = self.away(server, daemon)
            self.assertIn(address, said)
            self.assertEqual(fired, expected)
            load.finish()
            self.stream.wait_caught_up()
            self.assertEqual(self.stream.rebalances(), rebalances)
            until("the alert ends", lambda: not self.prometheus.firing(), 60)
            self.assertEqual(self.prometheus.fired(), expected)
            self.assertEqual(daemon.stop(), 0)
        reading.assert_equal(reading.by_admin(self.stream.index), self.follows.index())

    @unittest.skipUnless("FENSI_TEST_HBASE_AWAY" in os.environ, "a long test")
    def test_hbase_away(self):
        self.outage_of("hbase", stack.hbase_url(), "store")

    def test_gateway_away(self):
        self.outage_of("gateway", os.environ["FENSI_TEST_HBASE"], "store", store=stack.gateway_url())

    def test_kafka_away(self):
        table, place = captured(self, "outage"), free_address()
        table.create()
        self.addCleanup(table.remove_peer)
        self.outage_of("kafka", stack.kafka_url().removeprefix("kafka://"), "kafka",
                       (place, lambda: table.capture("capture", "--admin=" + place)))

    @unittest.skipUnless(SILENT_S, "a long test: past the time in which a member of the group must be heard")
    def test_kafka_silent(self):
        load = Load(self.stream.topic, list(self.follows.events()), PER_SECOND)
        with self.stream.daemon("daemon") as daemon:
            until("progress", lambda: self.stream.committed() > 0)
            with stack.silent("kafka"):
                time.sleep(SILENT_S)  # the length of the silence and no waiting for luck
                self.assertTrue(daemon.is_up())
                self.assertIn(stack.kafka_url().removeprefix("kafka://"), daemon.messages())
            load.finish()
            self.stream.wait_caught_up()
            self.assertEqual(daemon.stop(), 0)
        reading.assert_equal(reading.by_admin(self.stream.index), self.follows.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
