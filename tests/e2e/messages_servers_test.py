#!/usr/bin/env python3
"""What is missing on servers that answer is said in words, with the command that makes it and the right exit code."""
import os
import tempfile
import unittest

from lib import stack
from lib.program import fensi
from lib.stream import Stream
from messages_test import GOOD_EVENT, NO_TIME


class MessagesServersTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.stream = Stream(self._folder.name, "messages")
        self.kafka = os.environ["FENSI_TEST_KAFKA"]

    def assert_says(self, done, code, *texts):
        self.assertEqual(done.returncode, code, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_missing_tables_and_the_command_that_makes_them_are_named(self):
        stack.admin("topic", self.stream.topic, 1)
        done = fensi("run", *self.stream.run_words("--until_end"))
        self.assert_says(done, 78, "table %s is missing" % self.stream.index, "fensi create " + self.stream.mapping)

    def test_a_missing_topic_and_the_command_that_makes_it_are_named(self):
        store = "embedded:" + os.path.join(self.stream.folder, "store")
        done = fensi("run", self.stream.mapping, "--source", stack.kafka_url(), "--store", store)
        self.assert_says(done, 78, "topic %s does not exist" % self.stream.topic, "fensi create " + self.stream.mapping)

    def test_reading_what_does_not_exist_names_it(self):
        self.assert_says(fensi("scan", "nothing", "--store", stack.hbase_url()), 78, "has no table 'nothing'")
        self.assert_says(fensi("tail", "nothing", "--kafka", self.kafka), 78, "topic nothing does not exist")

    def test_publish_names_the_lines_that_are_no_events_and_writes_the_rest(self):
        stack.admin("topic", self.stream.topic, 1)
        path = os.path.join(self.stream.folder, "events.jsonl")
        with open(path, "w", encoding="utf-8") as out:
            out.write(NO_TIME + GOOD_EVENT)
        with open(path, encoding="utf-8") as events:
            done = fensi("publish", self.stream.topic, "--kafka", self.kafka, stdin=events)
        self.assert_says(done, 1, 'line 1 is left out: cells[0]: "ts" is missing', "1 line refused")
        self.assertEqual(fensi("tail", self.stream.topic, "--kafka", self.kafka, "--until_end").stdout, GOOD_EVENT)

    def test_an_undecodable_message_is_a_dead_letter_and_the_rest_goes_on(self):
        self.stream.create()
        self.stream.publish(['{"table":"%s","row":"a","cells":[{"type":"put","column":"f1:b","ts":5,"value":"x"}]}\n'
                             % self.stream.source])
        stack.admin("produce", self.stream.topic, 0, "k", "nonsense")
        done = self.stream.run_to_end(code=1)
        self.assertIn("1 dead letter in topic %s.dead" % self.stream.index, done.stderr)
        self.assertEqual(stack.admin("count", self.stream.index), "1 rows 1 cells")
        self.assertEqual(self.stream.lag(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
