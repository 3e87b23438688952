#!/usr/bin/env python3
"""SIGTERM under load: at most 5 s, exit code 0, and the next run applies nothing again."""
import re
import tempfile
import time
import unittest

from lib import graph, reading
from lib.program import Feed, Load
from lib.stream import Stream
from lib.wait import until

PER_SECOND = 4000
STOPS = 3
ALLOWED_S = 5


class StopTest(unittest.TestCase):
    def stop_under_load(self, stream, daemon):
        until("progress", lambda seen=stream.committed(): stream.committed() > seen)
        begin = time.monotonic()
        self.assertEqual(daemon.stop(), 0)
        return time.monotonic() - begin

    def applied(self, daemon):
        """(events, puts) of all runs, as each says at its end; every edge is a column of its own and put once."""
        said = re.findall(r": ([\d,]+) events? in .*: ([\d,]+) puts?, ", daemon.messages())
        return [sum(int(numbers[i].replace(",", "")) for numbers in said) for i in (0, 1)]

    def test_a_stop_under_load_is_quick_and_nothing_is_applied_twice(self):
        with tempfile.TemporaryDirectory() as folder:
            stream = Stream(folder, "stop")
            stream.create()
            feed = Feed(graph.Graph(stream.source).events(), 0)
            load = Load(stream.topic, feed, PER_SECOND)
            took = []
            for _ in range(STOPS):
                with stream.daemon("daemon") as daemon:
                    took.append(self.stop_under_load(stream, daemon))
            with stream.daemon("daemon") as daemon:
                feed.enough()
                load.finish()
                stream.wait_caught_up()
                self.assertEqual(daemon.stop(), 0)
            print("stops took %s s" % ["%.1f" % seconds for seconds in took])
            self.assertLess(max(took), ALLOWED_S)
            self.assertEqual(self.applied(daemon), [feed.count, feed.count])
            reading.assert_equal(reading.by_admin(stream.index), graph.Graph(stream.source, feed.count).index())


if __name__ == "__main__":
    unittest.main(verbosity=2)
