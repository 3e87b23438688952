#!/usr/bin/env python3
"""Faults are done to the processes that the seed draws, each at its time, and what could not be done is counted. Servers are doubles here."""
import collections
import os
import sys
import threading
import time
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
from evidence_figures import draw, world  # noqa: E402


class Daemon:
    def __init__(self, said, name):
        self._said, self._name, self.up = said, name, True

    def is_up(self):
        return self.up

    def pause(self):
        self._said.append("pause " + self._name)

    def resume(self):
        self._said.append("resume " + self._name)


class FakeHerd:
    def __init__(self, said, names):
        self.said, self.daemons = said, {name: Daemon(said, name) for name in names}

    def __getitem__(self, name):
        return self.daemons[name]

    def kill(self, name):
        assert self.daemons[name].is_up(), name + " has ended: no memory"
        self.said.append("kill " + name)

    def start_again(self, name):
        self.daemons[name] = Daemon(self.said, name)
        self.said.append("start " + name)


class FakeProxy:
    def __init__(self, said):
        self._said = said

    def tell(self, *words):
        self._said.append("proxy " + " ".join(words))

    def hold(self):
        self._said.append("proxy hold")

    def release(self):
        self._said.append("proxy release")


class HarmTest(unittest.TestCase):
    def setUp(self):
        self.said, self.codes = [], {}
        self.world = mock.Mock(daemons=("a", "b"), herd=FakeHerd(self.said, ("capture", "a", "b")), proxy=FakeProxy(self.said))
        for name, value in (("PAUSED_S", 0.05), ("HELD_S", 0.05), ("AWAY_S", 0)):
            patch = mock.patch.object(world, name, value)
            patch.start()
            self.addCleanup(patch.stop)
        self.stack = mock.Mock()
        self.stack.devstack.side_effect = lambda *words, check=True: self.said.append("devstack " + " ".join(words)) or self.codes.pop(" ".join(words), 0)
        self.stack.admin.side_effect = lambda *words: self.said.append("admin " + " ".join(words))
        patch = mock.patch.object(world, "stack", self.stack)
        patch.start()
        self.addCleanup(patch.stop)
        self.harm = world.Harm(self.world, ["index", "source"], lambda choice: "%x" % (choice % 16))

    def do(self, kind, choice=0):
        return self.harm.do(draw.Fault(0, kind, choice))

    def test_every_kind_can_be_done(self):
        for kind in draw.WEIGHTS:
            self.assertTrue(self.do(kind, 3), kind)
            self.harm.heal()
        self.assertEqual(self.harm.done, collections.Counter(draw.WEIGHTS.keys()))
        self.assertEqual(sum(self.harm.left_out.values()), 0)
        for words in ("kill b", "pause b", "resume b", "kill capture", "proxy reset", "proxy hold", "proxy release", "devstack kill kafka",
                      "devstack start kafka", "admin move source 33", "admin split source 33", "admin merge source 33", "admin flush source",
                      "admin compact source"):
            self.assertIn(words, self.said)
        at = self.said.index("devstack kill hbase")
        self.assertEqual(self.said[at - 1:at + 3], ["devstack kill regionserver", "devstack kill hbase", "devstack start hbase", "devstack start regionserver"])

    def test_a_process_that_ended_by_itself_is_printed_and_started_again(self):
        self.world.herd["a"].up = False
        self.assertFalse(self.do("kill a daemon"))
        self.assertEqual(self.harm.ended, ["a: a has ended: no memory"])
        self.assertEqual((self.said, self.harm.left_out["kill a daemon"]), (["start a"], 1))

    def test_a_capture_that_ended_by_itself_is_printed_and_started_again(self):
        self.world.herd["capture"].up = False
        self.assertTrue(self.do("kill a capture"))
        self.harm.heal()
        self.assertEqual((self.harm.ended, self.said), (["capture: capture has ended: no memory"], ["start capture", "proxy heal"]))

    def test_one_server_at_a_time(self):
        away = threading.Event()
        self.stack.devstack.side_effect = lambda *words, check=True: away.wait(60) and 0
        self.assertTrue(self.do("kill Kafka"))
        self.assertFalse(self.do("kill HBase"))
        self.assertFalse(self.do("flush"))
        away.set()
        self.harm.heal()
        self.assertEqual((self.harm.done, self.harm.left_out), ({"kill Kafka": 1}, {"kill HBase": 1, "flush": 1}))

    def test_a_server_that_does_not_start_is_started_once_more(self):
        self.codes["start kafka"] = 1
        self.assertTrue(self.do("kill Kafka"))
        self.harm.heal()
        self.assertEqual((self.said.count("devstack start kafka"), self.harm.ended), (2, []))

    def test_a_server_that_never_starts_is_printed(self):
        self.stack.devstack.side_effect = lambda *words, check=True: 1
        self.assertTrue(self.do("kill Kafka"))
        self.harm.heal()
        self.assertEqual(self.harm.ended, ["kafka: does not start again"])

    def test_faults_end_when_the_rest_is_of_no_use(self):
        with self.assertRaisesRegex(AssertionError, "a client failed"):
            world.do_all(self.harm, [draw.Fault(0, "flush", 0)], 60, check=mock.Mock(side_effect=AssertionError("a client failed")))
        self.assertEqual(self.harm.done, {})

    def test_what_hbase_refuses_is_no_problem(self):
        self.stack.admin.side_effect = AssertionError("NOT splittable")
        self.assertTrue(self.do("split a region"))
        self.harm.heal()
        self.assertEqual(self.said[-1], "proxy heal")

    def test_faults_come_at_their_times(self):
        began = time.monotonic()
        done = world.do_all(self.harm, [draw.Fault(0.1, "kill a daemon", 0), draw.Fault(0.2, "kill a capture", 0)], 0.5)
        self.assertEqual([kind for _, kind in done], ["kill a daemon", "kill a capture"])
        self.assertGreaterEqual(done[0][0], 0.1)
        self.assertGreaterEqual(done[1][0], 0.2)
        self.assertGreaterEqual(time.monotonic() - began, 0.5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
