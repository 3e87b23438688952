#!/usr/bin/env python3
"""Two daemons share the partitions; one is killed while it has writes that no offset vouches for. FENSI_TEST_ROUNDS times."""
import collections
import os
import tempfile
import unittest

from lib import graph, reading
from lib.program import Load
from lib.stream import Stream, partition_of
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "1"))
# In one round: what the servers can take; in the long form slow enough to last 90 s and more.
EVENTS, PER_SECOND = (300_000, 25_000) if ROUNDS == 1 else (270_000, 3_000)


def written_beyond_the_commit(stream, owner):
    """Events of this owner's partitions that are in the index although their offset is not committed."""
    partitions = stream.partitions()
    written = collections.Counter(partition_of(column[3:]) for _, column in reading.by_admin(stream.index))
    return sum(max(0, written[i] - committed) for i, (committed, _, who) in enumerate(partitions) if who == owner)


class CrashTest(unittest.TestCase):
    def crash_once(self, stream, survivor, victim):
        """Kills the victim with writes in flight, which is asserted while the other one stands still."""
        until("progress", lambda beyond=stream.committed(): stream.committed() > beyond, 120)
        victim.kill()
        survivor.pause()
        ahead = written_beyond_the_commit(stream, "victim")
        survivor.resume()
        return ahead

    def crash_in_flight(self, stream, survivor, load):
        """Repeats until the kill hit a moment between writes and commit; fails when the load ends before that."""
        while True:
            with stream.daemon("victim") as victim:
                until("both own partitions", lambda: stream.owners() == {"survivor", "victim"}, 120)
                self.assertTrue(load.is_alive() or stream.lag() > 0, "the load ended before a kill hit writes in flight")
                if self.crash_once(stream, survivor, victim) > 0:
                    return

    def test_killed_with_writes_in_flight_nothing_is_lost(self):
        with tempfile.TemporaryDirectory() as folder:
            stream = Stream(folder, "crash")
            stream.create()
            follows = graph.Graph(stream.source, EVENTS)
            load = Load(stream.topic, list(follows.events()), PER_SECOND)
            with stream.daemon("survivor") as survivor:
                for _ in range(ROUNDS):
                    self.crash_in_flight(stream, survivor, load)
                with stream.daemon("victim") as restarted:
                    load.finish()
                    stream.wait_caught_up()
                    self.assertEqual((survivor.stop(), restarted.stop()), (0, 0))
            reading.assert_equal(reading.by_admin(stream.index), follows.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
