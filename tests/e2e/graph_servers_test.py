#!/usr/bin/env python3
"""The first FENSI_TEST_EDGES edges of the follow graph (200,000), through Kafka into HBase, read back by HBase's own client, and again
after every kind of change."""
import os
import tempfile
import unittest

from lib import graph, reading, stack
from lib.stream import Stream

EDGES = int(os.environ.get("FENSI_TEST_EDGES", "200000"))


class GraphServersTest(unittest.TestCase):
    def test_the_index_is_the_transposed_graph_and_stays_so(self):
        with tempfile.TemporaryDirectory() as folder:
            stream = Stream(folder, "graph")
            stream.create()
            follows = graph.Graph(stream.source, EDGES)
            stream.publish(follows.events())
            stream.run_to_end()
            reading.assert_equal(reading.by_admin(stream.index), follows.index())
            stream.publish(follows.change())
            stream.run_to_end()
            reading.assert_equal(reading.by_admin(stream.index), follows.index())
            reading.assert_equal(reading.by_scan(stream.index, stack.hbase_url()), follows.index())
            self.assertEqual(stream.lag(), 0)


if __name__ == "__main__":
    unittest.main(verbosity=2)
