#!/usr/bin/env python3
"""kill -9 during a load of everything at once, each time with writes that were sent and not acknowledged.

FENSI_TEST_ROUNDS kills (3), FENSI_TEST_EVENTS events or more (30,000), FENSI_TEST_DAEMONS daemons in the group (1),
FENSI_TEST_PARTITIONS partitions (4): one has a backlog at each kill, so that its batches have grown.
With FENSI_TEST_MIRROR: one daemon keeps an index with states and two mirrors of one table that HBase's own client changes in every way, and
it dies between any two of its writes, too. Between kills the clients rest, each index must be exactly the source, and tables are flushed and
compacted."""
import contextlib
import os
import random
import tempfile
import unittest

from lib import changes, reading, stack, stream
from lib.captured import Captured
from lib.mixed import MixedLoad
from lib.proxy import Proxy
from lib.wait import until

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "3"))
EVENTS = int(os.environ.get("FENSI_TEST_EVENTS", "30000"))
DAEMONS = int(os.environ.get("FENSI_TEST_DAEMONS", "1"))
MIRROR = "FENSI_TEST_MIRROR" in os.environ
PARTITIONS = int(os.environ.get("FENSI_TEST_PARTITIONS", str(stream.PARTITIONS)))
PER_SECOND = 2000 if PARTITIONS > 1 else 10_000
BEFORE_A_KILL = 0 if PARTITIONS > 1 else 20_000  # three batches of 5,000, and a larger one
# A killed member's partitions are given to the next one only after its session.
SESSION = ("--kafka_session_timeout_ms", "6000")
# In the middle of a call to the store; between the writes and the commit of a batch; behind a put to an index; behind one of what the
# index remembers.
DEATHS = ("in flight", "done:%d=exit_before", "put:%d=exit_after", "state:%d=exit_after")
KILLS_BETWEEN_RESTS = len(DEATHS)
FAULT_EXIT = 99
ROWS = 3000


@unittest.skipIf(MIRROR, "the other test is asked for")
class KillTest(unittest.TestCase):
    def kill_in_flight(self, load, proxy):
        until("a backlog", lambda: load.stream.lag() >= 3 * BEFORE_A_KILL, 300)
        begin = load.stream.committed()
        with load.stream.daemon("victim", *SESSION, store=proxy.url()) as victim:
            until("the victim works", lambda: "victim" in load.stream.owners(), 300)
            until("it has committed", lambda: load.stream.committed() >= begin + BEFORE_A_KILL, 300)
            unacknowledged = proxy.hold_a_write()
            victim.kill()
        proxy.release()
        return unacknowledged

    def others(self, load):
        return [load.stream.daemon("other%d" % i, *SESSION) for i in range(DAEMONS - 1)]

    def test_killed_with_unacknowledged_writes_nothing_is_missing_orphaned_or_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            load = MixedLoad(folder, "kill", PER_SECOND, EVENTS, PARTITIONS)
            others = self.others(load)
            with Proxy() as proxy:
                unacknowledged = [self.kill_in_flight(load, proxy) for _ in range(ROUNDS)]
                with load.stream.daemon("survivor", *SESSION) as survivor:
                    load.finish()
                    self.assertEqual([daemon.stop() for daemon in [survivor, *others]], [0] * DAEMONS)
            print("%d events (%s), %d kills, unacknowledged writes at each: %s" % (
                load.feed.count, load.changes.shares(), ROUNDS, unacknowledged))
            reading.assert_equal(reading.values(reading.by_admin(load.stream.index)), load.changes.index())


@unittest.skipUnless(MIRROR, "the other test is asked for")
class BesideMirrorsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.table = Captured(scratch.name, "killm", watermark_interval_ms=1000, mapping=changes.MAPPING + changes.MIRROR + changes.WIDE_MIRROR)
        self.table.create()
        self.addCleanup(self.table.remove_peer)
        self.indexes = [self.table.index + kind for kind in ("", "_m", "_e")]
        self.changed = 0
        self.random = random.SystemRandom()

    def kill(self, proxy, death):
        """`death`: one of DEATHS."""
        faults = () if death == "in flight" else ("--unlock_faults", "--fault", death % self.random.randrange(5, 60))
        with self.table.daemon("victim", *SESSION, *faults, store=proxy.url()) as victim:
            if faults:
                self.assertEqual(victim.process.wait(300), FAULT_EXIT, victim.messages()[-4000:])
                return
            until("the victim works", lambda: "victim" in self.table.owners(), 300)
            proxy.hold_a_write()
            victim.kill()
        proxy.release()

    @contextlib.contextmanager
    def clients(self):
        clients = changes.ChangingClients(self.table.source, ROWS, PER_SECOND)
        try:
            yield clients
        finally:
            clients.stop()
            self.changed += clients.count()

    def rest(self):
        with self.table.daemon("survivor", *SESSION) as survivor:
            self.assertGreater(min(changes.assert_exact(self.table)), ROWS // 4)
            self.assertEqual(survivor.stop(), 0)

    def compact(self, number):
        """Flush and major compaction: of the indexes, of the source, of both, of none."""
        tables = ([], [self.table.source])[number % 4 in (1, 2)] + ([], self.indexes)[number % 4 in (0, 2)]
        for table in tables:
            stack.admin("compact", table)

    def test_each_index_is_exactly_the_source_after_every_few_kills(self):
        with self.table.capture(), Proxy() as proxy, contextlib.ExitStack() as members:
            for i in range(DAEMONS - 1):
                members.enter_context(self.table.daemon("other%d" % i, *SESSION))
            rests = -(-ROUNDS // KILLS_BETWEEN_RESTS)
            for number in range(rests):
                with self.clients() as clients:
                    deaths = list(DEATHS)
                    self.random.shuffle(deaths)
                    for death in deaths[:ROUNDS - number * KILLS_BETWEEN_RESTS]:
                        self.kill(proxy, death)
                    until("enough changes", lambda clients=clients: clients.count() >= EVENTS // rests, 600)
                self.rest()
                print("%d changes, killed %d times" % (self.changed, min(ROUNDS, (number + 1) * KILLS_BETWEEN_RESTS)), flush=True)
                self.compact(number)


if __name__ == "__main__":
    unittest.main(verbosity=2)
