#!/usr/bin/env python3
"""SIGSTOP of a daemon with writes in flight until another has taken over, then SIGCONT: it writes nothing more of what
it had planned, and nothing is missing, orphaned or wrong. FENSI_TEST_ROUNDS times."""
import os
import random
import tempfile
import time
import unittest

from lib import mixed, reading
from lib.program import Feed, Load
from lib.proxy import WRITES, Proxy
from lib.stream import Stream
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "1"))
PER_SECOND = 1500
SESSION = ("--kafka_session_timeout_ms", "6000")
# How long after waking a write of the old plan may still be sent.
ALLOWED_MS = 2000
HELD_S = 3


def millis():
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)


class PauseTest(unittest.TestCase):
    def pause_past_the_session(self, stream, sleeper, proxy):
        """Wakes the sleeper when all it had belongs to the other one, and gives it the answers it waits for only when
        it must have noticed; gives back when it was woken."""
        proxy.hold_a_write()
        sleeper.pause()
        until("the other one owns all", lambda: stream.owners() == {"other"}, 300)
        until("the other one works on it", lambda seen=stream.committed(): stream.committed() > seen, 300)
        proxy.calls()
        woken = millis()
        sleeper.resume()
        time.sleep(HELD_S)  # the answers come later than a write is allowed
        proxy.release()
        return woken

    def late_writes(self, stream, proxy, woken):
        """Writes of the old plan that came too late. A new assignment begins with reads."""
        calls = []

        def belongs_to_both():
            calls.extend(proxy.calls())
            return stream.owners() == {"other", "sleeper"} and any(name == "getMultiple" for _, name in calls)

        until("the sleeper has partitions again", belongs_to_both, 300)
        first_read = next(i for i, (_, name) in enumerate(calls) if name == "getMultiple")
        writes = [when - woken for when, name in calls[:first_read] if name in WRITES]
        late = [when for when in writes if when > ALLOWED_MS]
        print("woken: %d writes of the old plan, %d of them after %d ms" % (len(writes), len(late), ALLOWED_MS))
        return late

    def test_a_paused_daemon_changes_nothing_after_it_lost_its_partitions(self):
        with tempfile.TemporaryDirectory() as folder, Proxy() as proxy:
            stream = Stream(folder, "pause", mixed.MAPPING)
            stream.create()
            changes = mixed.Mixed(stream.source, random.SystemRandom().randrange(1_000_000))
            feed = Feed(changes.events(), 0)
            load = Load(stream.topic, feed, PER_SECOND)
            with stream.daemon("sleeper", *SESSION, store=proxy.url()) as sleeper, \
                    stream.daemon("other", *SESSION) as other:
                for _ in range(ROUNDS):
                    until("both work", lambda: stream.owners() == {"sleeper", "other"}, 300)
                    woken = self.pause_past_the_session(stream, sleeper, proxy)
                    self.assertEqual(self.late_writes(stream, proxy, woken), [])
                feed.enough()
                load.finish()
                stream.wait_caught_up()
                self.assertEqual((sleeper.stop(), other.stop()), (0, 0))
            reading.assert_equal(reading.values(reading.by_admin(stream.index)), changes.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
