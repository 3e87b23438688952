#!/usr/bin/env python3
"""Daemons with names of their own (--instance) under load: one that is killed and started again moves nothing, of two with one name the
older ends and names both, and one that is gone for good is replaced after the session timeout; the index is exact."""
import contextlib
import tempfile
import unittest

from lib import reading
from lib.mixed import MixedLoad
from lib.wait import until

PER_SECOND = 1000
SESSION_S = 20


class InstanceTest(unittest.TestCase):
    def setUp(self):
        self.exits = contextlib.ExitStack()
        self.addCleanup(self.exits.close)
        folder = self.exits.enter_context(tempfile.TemporaryDirectory())
        self.load = MixedLoad(folder, "instance", PER_SECOND)
        self.stream = self.load.stream

    def start(self, name, instance):
        return self.exits.enter_context(
            self.stream.daemon(name, "--instance", instance, "--kafka_session_timeout_ms=%d" % (1000 * SESSION_S)))

    def works(self, names):
        """They own all partitions, and get on with each."""
        until("%s have partitions" % names, lambda: self.stream.owners() == names, 300)
        seen = [committed for committed, _, _ in self.stream.partitions()]
        until("%s work" % names, lambda: all(now > then for (now, _, _), then in zip(self.stream.partitions(), seen)), 120)

    def test_names_outlive_their_daemons(self):
        one = self.start("one", "fensi-0")
        self.start("other", "fensi-1")
        self.works({"one", "other"})
        before, places = self.stream.rebalances(), [owner for _, _, owner in self.stream.partitions()]
        one.kill()
        one = self.start("one", "fensi-0")
        self.works({"one", "other"})
        self.assertEqual([owner for _, _, owner in self.stream.partitions()], places)
        self.assertEqual(self.stream.rebalances(), before)

        twin = self.start("twin", "fensi-0")
        self.assertEqual(one.process.wait(60), 78)
        for words in ("another member of group " + self.stream.group, "--instance=fensi-0", "this daemon is on ", "the other daemon is on 127.0.0.1"):
            self.assertIn(words, one.messages())
        self.works({"one", "other"})  # the broker goes on to show the client that had the name first
        self.assertEqual(self.stream.rebalances(), before)

        twin.kill()
        until("the other has all", lambda: self.stream.owners() == {"other"}, SESSION_S + 30)
        self.load.finish()
        reading.assert_equal(reading.values(reading.by_admin(self.stream.index)), self.load.changes.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
