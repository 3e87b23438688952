#!/usr/bin/env python3
"""SIGSTOP of a daemon with writes in flight until another has taken over, then SIGCONT: it writes nothing more of what
it had planned, and nothing is missing, orphaned or wrong. FENSI_TEST_ROUNDS times.

With FENSI_TEST_UNFENCED=1 the paused daemon does not heed the end of its right to write, and must be seen to write on:
otherwise this test would show nothing."""
import os
import tempfile
import time
import unittest

from lib import reading
from lib.mixed import MixedLoad
from lib.proxy import WRITES, Proxy
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "1"))
UNFENCED = os.environ.get("FENSI_TEST_UNFENCED") == "1"
PER_SECOND = 1500
SESSION = ("--kafka_session_timeout_ms", "6000")
HEEDS_NOTHING = ("--unlock_faults", "--fault", "fence:*=lose")
# How long after waking a write of the old plan may still be sent.
ALLOWED_MS = 2000
# Of two members, the first by name gets the only partition: who sleeps gets it when nobody else is there, so that all it
# writes between waking and that is of the old plan.
SLEEPER, OTHER = "sleeper", "other"
HELD_S, WATCHED_S = 3, 3


def millis():
    return int(time.clock_gettime(time.CLOCK_BOOTTIME) * 1000)


class PauseTest(unittest.TestCase):
    def writes_after_waking(self, stream, sleeper, proxy):
        """Pauses the sleeper with a write in flight, and wakes it when the other one works on its partition; the answer
        it waits for comes only when it must have noticed. Gives back how many ms after waking it sent each write."""
        until("the sleeper works", lambda seen=stream.committed(): stream.committed() > seen, 300)
        proxy.hold_a_write()
        sleeper.pause()
        with stream.daemon(OTHER, *SESSION) as other:
            until("the other one owns all", lambda: stream.owners() == {OTHER}, 300)
            until("the other one works on it", lambda seen=stream.committed(): stream.committed() > seen, 300)
            proxy.calls()
            woken = millis()
            sleeper.resume()
            time.sleep(HELD_S)
            proxy.release()
            time.sleep(WATCHED_S)
            writes = [when - woken for when, name in proxy.calls() if name in WRITES]
            self.assertEqual(stream.owners(), {OTHER})
            self.assertEqual(other.stop(), 0)
        until("the sleeper owns all again", lambda: stream.owners() == {SLEEPER}, 300)
        return writes

    def late_writes(self, stream, sleeper, proxy):
        writes = self.writes_after_waking(stream, sleeper, proxy)
        late = [when for when in writes if when > ALLOWED_MS]
        print("%s: %d writes after waking, %d of them later than %d ms, the last after %s ms" % (
            "unfenced" if UNFENCED else "fenced", len(writes), len(late), ALLOWED_MS, max(writes, default="-")))
        return len(late)

    def run_under_load(self, play, *more):
        """Gives back what the index holds and what it must hold."""
        with tempfile.TemporaryDirectory() as folder, Proxy() as proxy:
            load = MixedLoad(folder, "pause", PER_SECOND, partitions=1)
            stream = load.stream
            with stream.daemon(SLEEPER, *SESSION, *more, store=proxy.url()) as sleeper:
                play(stream, sleeper, proxy)
                load.finish()
                self.assertEqual(sleeper.stop(), 0)
            return reading.values(reading.by_admin(stream.index)), load.changes.index()

    @unittest.skipIf(UNFENCED, "the other test is asked for")
    def test_a_paused_daemon_changes_nothing_after_it_lost_its_partition(self):
        def play(*actors):
            for _ in range(ROUNDS):
                self.assertEqual(self.late_writes(*actors), 0)

        reading.assert_equal(*self.run_under_load(play))

    @unittest.skipUnless(UNFENCED, "the other test is asked for")
    def test_without_the_fence_it_writes_on(self):
        """The write that was caught may be the last one of its plan; not every time."""
        found = []

        def play(*actors):
            while sum(found) == 0 and len(found) < ROUNDS:
                found.append(self.late_writes(*actors))

        reading.differences(*self.run_under_load(play, *HEEDS_NOTHING))
        self.assertGreater(sum(found), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
