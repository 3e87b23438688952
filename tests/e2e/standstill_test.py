#!/usr/bin/env python3
"""Lag and freshness of `/status` in seconds, against a clock of the test's own: while nothing stands still, and while HBase's
gateway or Kafka does (SIGSTOP)."""
import itertools
import json
import os
import sys
import tempfile
import time
import unittest

from lib import stack
from lib.program import Feed, Load
from lib.stream import Stream
from lib.wait import until

sys.path.append(os.path.join(stack.ROOT, "tests", "support"))
from over_unix import OverUnix, listens  # noqa: E402

PER_SECOND = 400  # the pipe to `fensi publish` holds back what is a fraction of a second of them
STANDS_S = 20
# An event is asked for, fetched, written and told of within that on a machine that does other things, too.
SLACK_S = 4


class StandstillTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.stream = Stream(scratch.name, "stands")
        self.stream.create()
        self.socket = os.path.join(scratch.name, "admin.sock")

    def events(self):
        for number in itertools.count():
            cell = {"type": "put", "column": "f1:b%d" % (number % 7), "ts": number + 1, "value": ""}
            yield json.dumps({"table": self.stream.source, "row": "r%d" % number, "cells": [cell]}) + "\n"

    def index(self):
        connection = OverUnix(self.socket)
        connection.request("GET", "/status")
        (told,) = json.loads(connection.getresponse().read())["indexes"]
        connection.close()
        return told

    def age(self):
        """Seconds since the time up to which all of the log is applied."""
        until_ms = self.index()["fresh_until_ms"]
        return time.time() - until_ms / 1000 if until_ms else float("inf")

    def moves(self):
        until("it is up to date", lambda: self.age() < SLACK_S, 120)
        for _ in range(10):
            time.sleep(0.5)
            self.assertLess(self.age(), SLACK_S)
            self.assertLess(self.index()["lag_seconds"] or 0, SLACK_S)

    def stands(self, server):
        """What was the age when it stopped, and each second since; the lags."""
        ages, lags = [], []
        with stack.silent(server):
            begin = time.monotonic()
            while time.monotonic() - begin < STANDS_S:
                time.sleep(1)
                passed = time.monotonic() - begin
                ages.append(self.age() - passed)
                lags.append((self.index()["lag_seconds"] or 0) - passed)
            words = {partition["state"] for partition in self.index()["partitions"]}
        # From a while after on: each second that it stands is one of age, no more and no less.
        for age in ages[5:]:
            self.assertGreater(age, -1)
            self.assertLess(age, SLACK_S)
        return lags[5:], words

    def test_each_second_counts_and_no_other(self):
        feed = Feed(self.events(), 1)
        with self.stream.daemon("one", "--admin=unix:" + self.socket, store=stack.gateway_url()) as daemon:
            load = Load(self.stream.topic, feed, PER_SECOND)
            until("something is applied", lambda: listens(self.socket) and self.index()["events"] > 0, 120)
            self.moves()
            lags, words = self.stands("gateway")
            for lag in lags:  # the oldest event that waits is about as old
                self.assertGreater(lag, -SLACK_S)
                self.assertLess(lag, SLACK_S)
            self.assertIn("behind", words)
            self.moves()
            _, words = self.stands("kafka")
            self.assertEqual(words, {"unknown"}, "the end of the log is not known")
            self.moves()
            feed.enough()
            load.finish()
            self.stream.wait_caught_up()
            until("nothing waits", lambda: self.index()["lag_records"] == 0, 60)
            self.assertEqual(daemon.stop(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
