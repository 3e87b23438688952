#!/usr/bin/env python3
"""A rebalance storm: one, three, one … daemons every 5 s for FENSI_TEST_STORM_S (300) seconds over a slow store."""
import os
import random
import tempfile
import time
import unittest

from lib import reading
from lib.mixed import MixedLoad
from lib.proxy import Proxy

STORM_S = int(os.environ.get("FENSI_TEST_STORM_S", "300"))
PER_SECOND, EVERY_S, SLOW_MS = 500, 5, 50
SESSION = ("--kafka_session_timeout_ms", "10000")


class StormTest(unittest.TestCase):
    def storm(self, stream, proxy):
        """Two more daemons come, and go after some seconds; whether by a stop or by a kill is left to chance."""
        rounds, end = 0, time.monotonic() + STORM_S
        while time.monotonic() < end:
            with stream.daemon("second", *SESSION, store=proxy.url()) as second, \
                    stream.daemon("third", *SESSION, store=proxy.url()) as third:
                time.sleep(EVERY_S)
                for daemon in (second, third):
                    if random.random() < 0.5:
                        self.assertEqual(daemon.stop(), 0)
            time.sleep(EVERY_S)
            rounds += 1
        return rounds

    def test_a_rebalance_storm_over_a_slow_store(self):
        with tempfile.TemporaryDirectory() as folder, Proxy() as proxy:
            load = MixedLoad(folder, "storm", PER_SECOND)
            stream = load.stream
            proxy.tell("delay", "replies", SLOW_MS)
            with stream.daemon("first", *SESSION, store=proxy.url()) as first:
                print("%d rounds" % self.storm(stream, proxy))
                load.finish(1200)
                print("%d rebalances" % stream.rebalances())
                self.assertEqual(first.stop(), 0)
            reading.assert_equal(reading.values(reading.by_admin(stream.index)), load.changes.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
