#!/usr/bin/env python3
"""kill -9 during a load of everything at once, each time with writes that were sent and not acknowledged.

FENSI_TEST_ROUNDS kills (3), FENSI_TEST_EVENTS events or more (30,000), FENSI_TEST_DAEMONS daemons in the group (1)."""
import os
import tempfile
import unittest

from lib import reading
from lib.mixed import MixedLoad
from lib.proxy import Proxy
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "3"))
EVENTS = int(os.environ.get("FENSI_TEST_EVENTS", "30000"))
DAEMONS = int(os.environ.get("FENSI_TEST_DAEMONS", "1"))
PER_SECOND = 2000
# A killed member's partitions are given to the next one only after its session.
SESSION = ("--kafka_session_timeout_ms", "6000")


class KillTest(unittest.TestCase):
    def kill_in_flight(self, stream, proxy):
        with stream.daemon("victim", *SESSION, store=proxy.url()) as victim:
            until("the victim works", lambda: "victim" in stream.owners(), 300)
            unacknowledged = proxy.hold_a_write()
            victim.kill()
        proxy.release()
        return unacknowledged

    def others(self, stream):
        return [stream.daemon("other%d" % i, *SESSION) for i in range(DAEMONS - 1)]

    def test_killed_with_unacknowledged_writes_nothing_is_missing_orphaned_or_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            load = MixedLoad(folder, "kill", PER_SECOND, EVENTS)
            stream = load.stream
            others = self.others(stream)
            with Proxy() as proxy:
                unacknowledged = [self.kill_in_flight(stream, proxy) for _ in range(ROUNDS)]
                with stream.daemon("survivor", *SESSION) as survivor:
                    load.finish()
                    self.assertEqual([daemon.stop() for daemon in [survivor, *others]], [0] * DAEMONS)
            print("%d events (%s), %d kills, unacknowledged writes at each: %s" % (
                load.feed.count, load.changes.shares(), ROUNDS, unacknowledged))
            reading.assert_equal(reading.values(reading.by_admin(stream.index)), load.changes.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
