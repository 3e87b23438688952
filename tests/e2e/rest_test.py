#!/usr/bin/env python3
"""A pause under load, by HTTP through one daemon: two daemons of an index write nothing while it rests, and keep their partitions; one that is killed and
started again rests, too; after `fensi resume` nothing is missing, orphaned or wrong."""
import contextlib
import json
import os
import sys
import tempfile
import time
import unittest

from lib import reading, stack
from lib.mixed import MixedLoad
from lib.program import fensi, fensi_ok
from lib.proxy import WRITES, Proxy
from lib.wait import until

sys.path.append(os.path.join(stack.ROOT, "tests", "support"))
from over_unix import OverUnix, listens  # noqa: E402

PER_SECOND = 1500
WATCHED_S = 4
SESSION = ("--kafka_session_timeout_ms", "6000")
NAMES = ("one", "other")


class RestTest(unittest.TestCase):
    def setUp(self):
        exits = contextlib.ExitStack()
        self.addCleanup(exits.close)
        self.folder = exits.enter_context(tempfile.TemporaryDirectory())
        self.proxy = exits.enter_context(Proxy())
        self.load = MixedLoad(self.folder, "rest", PER_SECOND)
        self.stream = self.load.stream
        self.daemons = {name: exits.enter_context(self.start(name)) for name in NAMES}
        self.exits = exits

    def start(self, name):
        return self.stream.daemon(name, "--admin=unix:" + self.socket(name), "--admin_control", *SESSION, store=self.proxy.url())

    def socket(self, name):
        return os.path.join(self.folder, name + ".sock")

    def steer(self, command, *words):
        return fensi_ok(command, self.stream.mapping, self.stream.index, "--store", stack.hbase_url(), *words, "--execute")

    def post(self, wish):
        """To one daemon; its answer, and whether it heeds the wish already."""
        connection = OverUnix(self.socket("one"))
        connection.request("POST", "/indexes/%s/%s" % (self.stream.index, wish), headers={"X-Fensi": "1"})
        answer = connection.getresponse()
        told = json.loads(answer.read())
        connection.close()
        return answer.status, told.get("applied", told)

    def state(self):
        """Of the index, when both daemons say the same."""
        said = {fensi("status", "--daemon=unix:" + self.socket(name)).stdout.splitlines()[1].split()[1] for name in NAMES}
        return said.pop() if len(said) == 1 else ""

    def writes(self, seconds):
        self.proxy.calls()
        time.sleep(seconds)
        return sum(name in WRITES for _, name in self.proxy.calls())

    def test_nothing_is_written_while_it_rests_and_all_is_right_afterwards(self):
        until("both have partitions", lambda: self.stream.owners() == set(NAMES), 300)
        until("they work", lambda seen=self.stream.committed(): self.stream.committed() > seen, 300)
        self.assertGreater(self.writes(1), 0)
        before = self.stream.rebalances()
        self.assertEqual(self.post("pause?reason=" + "%20".join("the test wants it".split())), (200, True))
        until("both rest", lambda: self.state() == "paused", 120)
        self.assertEqual(self.writes(WATCHED_S), 0)
        self.assertEqual(self.stream.owners(), set(NAMES))
        self.assertEqual(self.stream.rebalances(), before)
        shown = fensi("status", "--daemon=unix:" + self.socket("one")).stdout
        self.assertIn(" by HTTP, ", shown)
        self.assertIn(": the test wants it, at unix:", shown)

        self.daemons["one"].kill()
        os.unlink(self.socket("one"))
        self.exits.enter_context(self.start("one"))
        until("it is there again", lambda: listens(self.socket("one")) and self.state() == "paused", 120)
        self.assertEqual(self.writes(WATCHED_S), 0)

        self.steer("resume")
        until("both work", lambda: self.state() == "running", 120)
        self.steer("pause", "--reason=for a moment", "--wait", "--daemon=" + ",".join("unix:" + self.socket(name) for name in NAMES))
        self.assertEqual(self.state(), "paused", "who waited finds both at rest")
        self.assertEqual(self.writes(1), 0)
        self.steer("resume")
        until("both work again", lambda: self.state() == "running", 120)
        self.load.finish()
        reading.assert_equal(reading.values(reading.by_admin(self.stream.index)), self.load.changes.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
