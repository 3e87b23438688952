"""A source table in HBase whose edits `fensi capture` writes to Kafka, and the index that `fensi run` makes of them."""
import json
import os
import subprocess
import tempfile
import threading
import time

from . import reading, stack
from .graph import GRAPH_FILE, MAPPING, edges
from .program import FENSI, Daemon, fensi_ok
from .stream import Stream
from .wait import until

LOADER = os.path.join(os.path.dirname(FENSI), "thrift_loader")
SPLITS = ("2", "4", "6")


class Writer(threading.Thread):
    """An application that puts one follow after the other into the source table until it is stopped."""

    def __init__(self, source, per_second):
        super().__init__(daemon=True)
        self._per_second = per_second
        self._stopped = threading.Event()
        self._loader = subprocess.Popen([LOADER, stack.hbase_url(), source, str(per_second)], stdin=subprocess.PIPE, text=True)
        self.start()

    def run(self):
        begin = time.monotonic()
        for count, (follower, followed, timestamp) in enumerate(edges(GRAPH_FILE), 1):
            self._loader.stdin.write("%s\tf1:%s\t%d\tfollows\n" % (follower, followed, timestamp))
            if count % 100 == 0:
                self._loader.stdin.flush()
                if self._stopped.wait(max(0, begin + count / self._per_second - time.monotonic())):
                    return

    def stop(self):
        """Everything that was put is acknowledged when this returns."""
        self._stopped.set()
        self.join()
        self._loader.stdin.close()
        assert self._loader.wait() == 0, "the loader failed"


def captured(test, prefix, watermark_interval_ms=0):
    """Names in a folder that goes with the test."""
    scratch = tempfile.TemporaryDirectory()
    test.addCleanup(scratch.cleanup)
    return Captured(scratch.name, prefix, watermark_interval_ms)


class Captured(Stream):
    """Names of its own, like Stream's; the peer and its znode, too. `watermark_interval_ms`: of the captures; marks are messages, and a topic
    with them never stands still."""

    def __init__(self, folder, prefix, watermark_interval_ms=0, mapping=MAPPING):
        super().__init__(folder, prefix, mapping)
        self._watermark_interval_ms = str(watermark_interval_ms)
        self.peer = self.source.replace("_", "")
        self.znode = "/fensi_" + self.peer

    def create(self, *peer_words):
        """Table with replicated family, index, peer. `peer_words`: SERIAL."""
        stack.admin("create", self.source, "f1,REPLICATION_SCOPE=1,VERSIONS=10",
                    *["@" + split.encode().hex() for split in SPLITS])
        super().create()
        self.add_peer(*peer_words)

    def add_peer(self, *words):
        zookeeper = os.environ["FENSI_TEST_ZOOKEEPER"]
        stack.admin("add_peer", self.peer, zookeeper + ":" + self.znode, *words,
                    "hbase.replication.source.maxthreads=1", self.source)

    def remove_peer(self):
        if any(line.startswith(self.peer + " ") for line in stack.admin("peers").split("\n")):
            stack.admin("remove_peer", self.peer)

    def capture_words(self, *more):
        return (self.source, "--zookeeper", os.environ["FENSI_TEST_ZOOKEEPER"], "--znode", self.znode, "--kafka",
                os.environ["FENSI_TEST_KAFKA"], "--watermark_interval_ms", self._watermark_interval_ms, *(() if "--listen" in more else ("--listen", "127.0.0.1:0")), *more)

    def capture(self, name="capture", *more):
        """The running capture, registered in ZooKeeper."""
        daemon = Daemon(self.folder, name, *self.capture_words(*more), command="capture")
        begin = len(daemon.messages())
        try:
            until("the capture is ready", lambda: ", ready" in daemon.messages()[begin:] or not daemon.is_up(), 120)
            assert daemon.is_up(), daemon.messages()
        except AssertionError:
            daemon.kill()
            raise
        return daemon

    def load(self, cells, per_second=0):
        """Puts (row, column, timestamp, value) through Thrift2 in the background; wait_for() its end."""
        path = os.path.join(self.folder, "cells.tsv")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines("%s\t%s\t%d\t%s\n" % cell for cell in cells)
        with open(path, encoding="utf-8") as lines:
            return subprocess.Popen([LOADER, stack.hbase_url(), self.source, str(per_second)], stdin=lines)

    def change(self, *operations, table=None):
        """Runs the operations on the source, or another table, by HBase's Java client, one after the other."""
        done = subprocess.run([os.path.join(stack.ROOT, "deploy", "devstack"), "client", table or self.source],
                              input="\n".join(operations) + "\n", text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=300)
        assert done.returncode == 0, done.stdout[-4000:]

    def regions(self):
        """Start keys as text, of all regions of the source table."""
        lines = stack.admin("regions", self.source).split("\n")
        return [bytes.fromhex(line.split("[")[1].split(",")[0]).decode() for line in lines]

    def wait_indexed(self, mark, seconds=600):
        """Puts a row behind everything else of each region, and waits until the index has all of them and no lag."""
        starts = self.regions()
        self.change(*["put %s!%s f1:%s x" % (start, mark, mark) for start in starts])
        until("the index has mark " + mark, lambda: len(self._followers(mark)) == len(starts), seconds, 1)
        self.wait_caught_up(seconds)

    def _followers(self, mark):
        return fensi_ok("lookup", self.mapping, self.index, mark, "--store", stack.hbase_url()).stdout.splitlines()

    def transposed(self):
        """The index as it must be, computed from what HBase's own client reads of the source: each value is the timestamp
        of the source cell."""
        return {(column[3:], "f1:" + row): str(timestamp)
                for (row, column), (timestamp, _) in reading.by_admin(self.source).items()}

    def assert_index_is_transposed(self):
        expected = self.transposed()
        # The timestamp of an index cell is the version of its row's state, which may be ahead of the source's.
        reading.assert_equal({cell: value for cell, (_, value) in reading.by_admin(self.index).items()}, expected)
        return len(expected)

    def raw_cells(self):
        """Every cell and marker that HBase still holds: (row, column, timestamp, kind)."""
        path = os.path.join(self.folder, "raw")
        stack.admin("dump", self.source, path, "raw")
        with open(path, encoding="ascii") as lines:
            fields = [line.rstrip("\n").split("\t") for line in lines]
        return {(bytes.fromhex(f[0]).decode(), bytes.fromhex(f[1]).decode() + ":" + bytes.fromhex(f[2]).decode(), int(f[3]),
                 f[4].lower().replace("_", "")) for f in fields}

    def topic_cells(self):
        """The same of all events in the topic, each once."""
        cells = set()
        for line in self.events():
            event = json.loads(line)
            for cell in event.get("cells", ()):  # a bulk load has none
                column = cell.get("column") or cell["family"] + ":"
                cells.add((event["row"], column, cell["ts"], cell["type"].replace("_", "")))
        return cells

    def written(self):
        """Messages in the topic."""
        return sum(end for _, end, _ in self.partitions())

    def events_text(self):
        return "\n".join(self.events())

    def events(self):
        return fensi_ok("tail", self.topic, "--kafka", os.environ["FENSI_TEST_KAFKA"], "--until_end").stdout.splitlines()


class Late(Captured):
    """A table that was written before anybody followed it: what it had then was never replicated."""

    def create(self, *peer_words):
        stack.admin("create", self.source, "f1,VERSIONS=10", *["@" + split.encode().hex() for split in SPLITS])
        Stream.create(self)

    def follow(self):
        stack.admin("alter", self.source, "f1", "REPLICATION_SCOPE", "1")
        self.add_peer()
