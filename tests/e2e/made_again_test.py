#!/usr/bin/env python3
"""A topic that is deleted and created again, in each of the ways in which that can be done: under a living and a stopped daemon, gone
for a moment or longer, filled to below and beyond the offsets of before, with fewer, as many and more partitions. The index stops with
78 and the remedy, and nothing is committed in the topic that is there now. One daemon has an index for each way."""
import itertools
import json
import os
import tempfile
import time
import unittest

from lib import stack
from lib.graph import write_mapping
from lib.program import Daemon, fensi, fensi_ok
from lib.topics import create_again
from lib.wait import until

STOPPED = 78
PAUSES = [float(text) for text in os.environ.get("FENSI_TEST_PAUSES", "1,5").split(",")]
BEFORE, PARTITIONS = 40, 2
FILLS, COUNTS = {"below": 4, "beyond": 200}, (1, 2, 3)


class Way:
    """One index, and what becomes of its topic."""

    def __init__(self, folder, fill, partitions):
        self.name = "%s_%d" % (fill, partitions)
        self.source = "source_%s_%x" % (self.name, int(time.time() * 1000))
        self.index = "index_" + self.source
        self.topic, self.group = self.source, "fensi-" + self.index
        self.mapping = write_mapping(folder, self.source, self.index)
        self.fill, self.partitions = FILLS[fill], partitions
        self.file = os.path.join(folder, self.name + ".jsonl")
        stack.admin("topic", self.topic, PARTITIONS)

    def publish(self, word, count):
        """Rows of their own by their word."""
        with open(self.file, "w", encoding="utf-8") as out:
            for i in range(count):
                cell = {"type": "put", "column": "f1:b", "ts": i + 1, "value": "follows"}
                out.write(json.dumps({"table": self.source, "row": "%s%d" % (word, i), "cells": [cell]}) + "\n")
        with open(self.file, encoding="utf-8") as events:
            fensi_ok("publish", self.topic, "--kafka", os.environ["FENSI_TEST_KAFKA"], stdin=events)

    def delete(self):
        stack.admin("forget", self.topic, "no-such-group")

    def create(self):
        create_again(self.topic, self.partitions)

    def committed(self):
        lines = [line.split() for line in stack.admin("lag", self.group, self.topic).split("\n")]
        return sum(0 if committed == "-" else int(committed) for _, committed, _, _ in lines)


class MadeAgainTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.store = "embedded:" + os.path.join(self.folder, "store")
        self.ways = [Way(self.folder, fill, count) for fill, count in itertools.product(FILLS, COUNTS)]
        for way in self.ways:
            way.publish("before", BEFORE)

    def words(self, *more):
        letters = "file:" + os.path.join(self.folder, "dead.jsonl")
        return (*[way.mapping for way in self.ways], "--source", stack.kafka_url(), "--store", self.store,
                "--dead_letters", letters, *more)

    def make_again(self, pause):
        """Deletes all topics, and creates and fills them `pause` seconds after that."""
        for way in self.ways:
            way.delete()
        time.sleep(pause)
        for way in self.ways:
            way.create()
        for way in self.ways:
            way.publish("after", way.fill)

    def assert_stopped(self, messages, code):
        self.assertEqual(code, STOPPED, messages)
        for way in self.ways:
            lines = [line for line in messages.splitlines() if "index %s stopped" % way.index in line]
            self.assertTrue(lines, "%s goes on\n%s" % (way.name, messages[-6000:]))
            self.assertTrue(any("fensi replay" in line or "build the index again" in line for line in lines), lines)
            self.assertEqual(way.committed(), 0, "%s: committed in the topic that is there now" % way.name)

    def under_a_living_daemon(self, pause):
        with Daemon(self.folder, "daemon", *self.words()) as daemon:
            for way in self.ways:
                until("%s has committed all" % way.name, lambda way=way: way.committed() == BEFORE, 120)
            self.make_again(pause)
            until("all stopped", lambda: daemon.process.poll() is not None, 120)
            self.assert_stopped(daemon.messages(), daemon.process.returncode)
        # Nor does one that starts go on, as it would if the offsets had been committed again.
        self.stopped_at_start()

    def stopped_at_start(self):
        done = fensi("run", *self.words("--until_end"))
        self.assert_stopped(done.stderr, done.returncode)

    def test_under_a_living_daemon(self):
        self.under_a_living_daemon(PAUSES[0])

    @unittest.skipIf(len(PAUSES) < 2, "one pause was asked for")
    def test_under_a_living_daemon_after_a_longer_pause(self):
        self.under_a_living_daemon(PAUSES[1])

    def test_under_a_stopped_daemon(self):
        fensi_ok("run", *self.words("--until_end"))
        self.make_again(PAUSES[0])
        self.stopped_at_start()


if __name__ == "__main__":
    unittest.main(verbosity=2)
