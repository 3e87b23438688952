#!/usr/bin/env python3
"""The whole follow graph through `fensi run` into the embedded store, and again after every kind of change."""
import os
import tempfile
import unittest

from lib import graph, reading
from lib.program import fensi_ok

INDEX = "fensi"


class GraphEmbeddedTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = self._folder.name
        self.store = "embedded:" + os.path.join(self.folder, "store")
        self.mapping = graph.write_mapping(self.folder, "guanzhu", INDEX)

    def run_events(self, name, lines):
        path = graph.write_lines(os.path.join(self.folder, name), lines)
        fensi_ok("run", self.mapping, "--source", "file:" + path, "--store", self.store)

    def test_the_index_is_the_transposed_graph_and_stays_so(self):
        follows = graph.Graph("guanzhu")
        self.run_events("follows.jsonl", follows.events())
        reading.assert_equal(reading.by_scan(INDEX, self.store), follows.index())
        self.run_events("changes.jsonl", follows.change())
        reading.assert_equal(reading.by_scan(INDEX, self.store), follows.index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
