#!/usr/bin/env python3
"""The counters of all daemons together are the stream, exactly: after a rebalance, and after a restart that had its time."""
import json
import os
import re
import tempfile
import unittest
import urllib.request

from lib import stack
from lib.program import free_address
from lib.stream import Stream
from lib.wait import until

ROWS = 500


class CountsTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.stream = Stream(scratch.name, "counts")
        self.stream.create()
        self.ended = {}  # what daemons that are gone had counted

    def daemon(self, name):
        place = free_address()
        daemon = self.stream.daemon(name, "--admin=" + place)
        self.addCleanup(lambda: daemon.is_up() and daemon.kill())
        until(name + " serves", lambda: os.path.exists(daemon.log_file) and place in daemon.messages(), 120)
        daemon.place = place
        return daemon

    def counts(self, daemon):
        """{series without its labels but op: value}"""
        with urllib.request.urlopen("http://%s/metrics" % daemon.place, timeout=30) as answer:
            text = answer.read().decode()
        found = re.findall(r'^fensi_(events|mutations|skipped_events)_total\{index="\w+"(?:,op="(\w+)")?\} (\d+)$', text, re.M)
        return {kind + op: int(value) for kind, op, value in found}

    def all_counts(self, *daemons):
        told = [self.ended, *(self.counts(each) for each in daemons)]
        return {key: sum(each.get(key, 0) for each in told) for key in ("events", "mutationsput", "mutationsdelete", "skipped_events")}

    def publish(self, kind, ts):
        cell = {"type": kind, "column": "f1:b", "ts": ts, **({"value": "x"} if kind == "put" else {})}
        self.stream.publish(json.dumps({"table": self.stream.source, "row": "r%d" % row, "cells": [cell]}) + "\n" for row in range(ROWS))
        self.stream.publish([json.dumps({"table": "other", "row": "r", "cells": [cell]}) + "\n"])

    def assert_counted(self, *daemons, events, puts, deletes, skipped):
        wanted = {"events": events, "mutationsput": puts, "mutationsdelete": deletes, "skipped_events": skipped}
        self.stream.wait_caught_up()
        until("all is counted", lambda: self.all_counts(*daemons) == wanted or None, 60)

    def stop(self, daemon):
        self.ended = self.all_counts(daemon)
        self.assertEqual(daemon.stop(), 0)

    def test_rebalances_and_restarts_neither_lose_nor_double_a_count(self):
        one = self.daemon("one")
        self.publish("put", 1000)
        self.assert_counted(one, events=ROWS + 1, puts=ROWS, deletes=0, skipped=1)
        two = self.daemon("two")
        until("they share the partitions", lambda: self.stream.owners() >= {"one", "two"}, 120)
        self.publish("put", 2000)  # the value of an entry is the time of its source cell
        self.assert_counted(one, two, events=2 * (ROWS + 1), puts=2 * ROWS, deletes=0, skipped=2)
        self.stop(one)
        until("two has all of them", lambda: self.stream.owners() == {"two"}, 120)
        self.publish("delete_column", 3000)
        self.assert_counted(two, events=3 * (ROWS + 1), puts=2 * ROWS, deletes=ROWS, skipped=3)
        self.stop(two)
        three = self.daemon("three")
        self.publish("put", 4000)
        self.assert_counted(three, events=4 * (ROWS + 1), puts=3 * ROWS, deletes=ROWS, skipped=4)
        self.assertEqual(three.stop(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
