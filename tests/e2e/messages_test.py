#!/usr/bin/env python3
"""What goes wrong without any server is said in words, with what to do and the right exit code."""
import os
import tempfile
import unittest

from lib import graph
from lib.program import Daemon, fensi

NOWHERE = "127.0.0.1:1"  # nobody listens there
GOOD_EVENT = '{"table":"guanzhu","row":"a","cells":[{"type":"put","column":"f1:b","ts":5,"value":"follows"}]}\n'
NO_TIME = '{"table":"guanzhu","row":"c","cells":[{"type":"put","column":"f1:b","value":"follows"}]}\n'
BAD_MAPPING = """\
source: guanzhu
indexes:
  fensi:
    table: fensi
    row: '{f1:from | md6}'
    columns: { 'f1:{row}': '' }
"""


class MessagesTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name
        self.mapping = graph.write_mapping(self.folder, "guanzhu", "fensi")
        self.store = "embedded:" + os.path.join(self.folder, "store")
        self.source = "file:" + self.write("events.jsonl", GOOD_EVENT)

    def write(self, name, text):
        return graph.write_lines(os.path.join(self.folder, name), [text])

    def assert_says(self, done, code, *texts):
        self.assertEqual(done.returncode, code, done.stderr)
        for text in texts:
            self.assertIn(text, done.stderr)
        for trace in ("terminate called", "what():", "*** "):
            self.assertNotIn(trace, done.stderr)

    def test_a_short_command_gives_up_on_a_gateway_that_is_not_there(self):
        done = fensi("scan", "fensi", "--store", "thrift://" + NOWHERE, "--connect_timeout_s", "1")
        self.assert_says(done, 69, NOWHERE, "refused")

    def test_a_short_command_gives_up_on_a_broker_that_is_not_there(self):
        self.assert_says(fensi("tail", "guanzhu", "--kafka", NOWHERE, "--connect_timeout_s", "1"), 69, NOWHERE)

    def test_a_daemon_gives_up_when_it_never_reached_its_servers(self):
        no_gateway = ("--source", self.source, "--store", "thrift://" + NOWHERE)
        no_broker = ("--source", "kafka://" + NOWHERE, "--store", self.store)
        with Daemon(self.folder, "gateway", self.mapping, *no_gateway) as first:
            with Daemon(self.folder, "broker", self.mapping, *no_broker) as second:
                for daemon in (first, second):
                    self.assertEqual(daemon.process.wait(180), 69)
                    self.assertIn(NOWHERE, daemon.messages())

    def test_a_mapping_with_an_error_is_refused_with_place_and_hint(self):
        path = self.write("bad.yaml", BAD_MAPPING)
        done = fensi("run", path, "--source", self.source, "--store", self.store)
        self.assert_says(done, 78, "bad.yaml:5:", "unknown function 'md6'", "^", "did you mean 'md5'?")

    def test_all_bad_flags_are_named_at_once(self):
        done = fensi("run", self.mapping, "--sourc", self.source, "--workers", "0")
        self.assert_says(done, 64, "--sourc: unknown flag; did you mean '--source'?", "--workers=0: must be from 1",
                         "--store is missing", "fensi help run")

    def test_a_file_that_is_not_there_is_named(self):
        done = fensi("run", self.mapping, "--source", "file:/no/such/file", "--store", self.store)
        self.assert_says(done, 78, "/no/such/file: No such file or directory")

    def test_a_bad_event_is_a_dead_letter_and_the_rest_goes_on(self):
        events = self.write("mixed.jsonl", NO_TIME + "nonsense\n" + GOOD_EVENT)
        letters = os.path.join(self.folder, "dead.jsonl")
        done = fensi("run", self.mapping, "--source", "file:" + events, "--store", self.store, "--dead_letters",
                     "file:" + letters)
        self.assert_says(done, 1, "2 dead letters in " + letters)
        with open(letters, encoding="utf-8") as source:
            first, second = source.readlines()
        self.assertIn('mixed.jsonl:1: cells[0]: \\"ts\\" is missing', first)
        self.assertIn("mixed.jsonl:2: not JSON", second)
        self.assertEqual(fensi("scan", "fensi", "--store", self.store).stdout, "b\tf1:a\t5\t5\n")


if __name__ == "__main__":
    unittest.main(verbosity=2)
