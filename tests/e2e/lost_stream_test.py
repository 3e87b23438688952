#!/usr/bin/env python3
"""A change stream that lost or changed what an index has not seen: the index stops and says why, it never jumps; the
other index of the same daemon goes on."""
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

BOTH = 78  # the exit code when one of two indexes has to stop
# A running daemon learns of new partitions with the next metadata.
OFTEN = ("--kafka_property", "topic.metadata.refresh.interval.ms=500")


class Side:
    """One index with its topic of one partition, all in the embedded store."""

    def __init__(self, folder, name):
        self.source, self.index = "source_" + name, "index_" + name
        self.topic, self.group = self.source, "fensi-" + self.index
        self.mapping = write_mapping(folder, self.source, self.index)
        self.file = os.path.join(folder, name + ".jsonl")
        stack.admin("topic", self.topic, 1)
        self.published = 0

    def publish(self, count):
        with open(self.file, "w", encoding="utf-8") as out:
            for i in range(self.published, self.published + count):
                cell = {"type": "put", "column": "f1:b%d" % i, "ts": i + 1, "value": "follows"}
                out.write(json.dumps({"table": self.source, "row": "a", "cells": [cell]}) + "\n")
        with open(self.file, encoding="utf-8") as events:
            fensi_ok("publish", self.topic, "--kafka", os.environ["FENSI_TEST_KAFKA"], stdin=events)
        self.published += count

    def make_anew(self, count):
        """Deletes the topic (Kafka forgets it a moment later) and creates it with so many other messages."""
        stack.admin("forget", self.topic, "no-such-group")
        create_again(self.topic, 1)
        self.publish(count)


class LostStreamTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name
        self.store = "embedded:" + os.path.join(self.folder, "store")
        stamp = "%x" % int(time.time() * 1000)
        self.lost, self.other = Side(self.folder, "lost" + stamp), Side(self.folder, "other" + stamp)

    def words(self, *more):
        letters = "file:" + os.path.join(self.folder, "dead.jsonl")
        return (self.lost.mapping, self.other.mapping, "--source", stack.kafka_url(), "--store", self.store,
                "--dead_letters", letters, *more)

    def publish_both(self, count):
        for side in (self.lost, self.other):
            side.publish(count)

    def begin(self):
        """Both indexes have seen and committed ten events."""
        self.publish_both(10)
        fensi_ok("run", *self.words("--until_end"))

    def entries(self, side):
        return len(fensi_ok("scan", side.index, "--store", self.store).stdout.splitlines())

    def assert_stops(self, *says):
        """The next run stops the one index with these words, at what it has, and brings the other to its end."""
        had = self.entries(self.lost)
        self.other.publish(5)
        done = fensi("run", *self.words("--until_end"))
        self.assertEqual(done.returncode, BOTH, done.stderr)
        for text in ("index %s stopped" % self.lost.index, *says):
            self.assertIn(text, done.stderr)
        self.assertNotIn("index %s stopped" % self.other.index, done.stderr)
        self.assertEqual((self.entries(self.lost), self.entries(self.other)), (had, self.other.published))

    def test_offsets_that_retention_removed(self):
        self.begin()
        self.lost.publish(10)
        stack.admin("trim", self.lost.topic, 0, 15)
        self.assert_stops("Kafka has deleted the next offsets of the index (committed 10, log 15 to 20)", "fensi replay")

    def test_group_offsets_that_were_deleted(self):
        self.begin()
        self.lost.publish(10)
        until("the group is empty", lambda: self.forgotten(self.lost.group))
        self.assert_stops("the committed offset of the group was deleted, or has expired", "fensi replay")

    @staticmethod
    def forgotten(group):
        try:
            stack.admin("forget", "no-such-topic", group)
            return True
        except AssertionError as not_yet:
            print(not_yet)
            return False

    def test_a_topic_created_anew_with_less_in_it(self):
        self.begin()
        self.lost.make_anew(3)
        self.assert_stops("(committed ", "fensi replay")

    def test_a_topic_created_anew_with_more_in_it(self):
        self.begin()
        self.lost.make_anew(30)
        self.assert_stops("(committed ", "fensi replay")

    def test_partitions_added(self):
        self.begin()
        stack.admin("grow", self.lost.topic, 2)
        self.assert_stops("had 1 partitions and has 2 now, so rows changed their partition")

    def stop_while_running(self, change, *says):
        with Daemon(self.folder, "daemon", *self.words(*OFTEN)) as daemon:
            self.publish_both(10)
            committed = lambda side: stack.admin("lag", side.group, side.topic).split()[1] == str(side.published)
            until("both have committed", lambda: committed(self.lost) and committed(self.other))
            change()
            until("the index stops", lambda: "index %s stopped" % self.lost.index in daemon.messages(), 300)
            for text in says:
                self.assertIn(text, daemon.messages())
            self.other.publish(10)
            until("the other goes on", lambda: committed(self.other))
            self.assertEqual(daemon.stop(), BOTH)
        self.assertEqual((self.entries(self.lost), self.entries(self.other)), (10, self.other.published))

    def test_a_topic_created_anew_with_less_in_it_under_a_running_daemon(self):
        self.stop_while_running(lambda: self.lost.make_anew(3), "fensi replay")

    def test_partitions_added_under_a_running_daemon(self):
        self.stop_while_running(lambda: stack.admin("grow", self.lost.topic, 2), "had 1 partitions and has 2 now")


if __name__ == "__main__":
    unittest.main(verbosity=2)
