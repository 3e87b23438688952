"""Changes of every kind that HBase knows, made by its own Java client at a steady rate; and the index that must come of them,
from what the same client reads of the source at the end.

A source row is a user with the user he follows, f1:from, and a note; the index has a row for each followed user with a column
f1:<follower>, whose value is the timestamp of the follow and the note."""
import itertools
import os
import random
import subprocess
import threading
import time

from . import reading, stack
from .complete import wait_complete
from .followers import followers
from .program import fensi

MAPPING = followers("{f1:from@ts | decimal}/{f1:note | default none}")
# Beside it, kept by the other scheme: a row for each user with whom he follows, at the time of that.
MIRROR = """\
  %(index)s_m:
    table: %(index)s_m
    row: '{row}'
    columns: { 'f1:follows': '{f1:from}' }
    mode: stateless
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6'] } }
"""
# The same of every column, so that a delete of a family concerns columns that only the index remembers.
WIDE_MIRROR = """\
  %(index)s_e:
    table: %(index)s_e
    each: f1:*
    row: '{row}'
    columns: { 'f1:{qualifier}': '{value}' }
    mode: stateless
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6'] } }
"""
KEYS = 700
LATEST_MS = 3000  # how late a put or delete may be stamped
# Of a row R; K a key, N a note, T a whole second that many share. The weights add up to 100.
KINDS = {
    "put R f1:from K": 34,
    "put R f1:from K T": 14,
    "put R f1:note N": 8,
    "put R f1:note N T": 4,
    "delete_column R f1:note ; put R f1:from K": 8,           # one atomic mutation
    "delete_column R f1:from T ; put R f1:from K T": 6,       # HBase hides the put of the same millisecond
    "delete_latest R f1:from": 5,
    "delete_version R f1:from T": 5,
    "delete_column R f1:from": 4,
    "delete_column R f1:from T": 4,
    "delete_family R f1:": 2,
    "delete_family R f1: T": 2,
    "delete_family_version R f1: T": 2,
    "delete_row R": 2,
}


class Changes:
    """Lines for HBase's client without end. `rows` of them, some far more often than others."""

    def __init__(self, rows, seed):
        self._random = random.Random(seed)
        self._rows = rows
        self._weights = list(itertools.accumulate(1 / (rank + 200) for rank in range(rows)))
        self._kinds = list(itertools.accumulate(KINDS.values()))
        self._begin = int(time.time() * 1000)
        print("seed %d" % seed)

    def __iter__(self):
        while True:
            rows = self._random.choices(range(self._rows), cum_weights=self._weights, k=1000)
            kinds = self._random.choices(list(KINDS), cum_weights=self._kinds, k=1000)
            yield from map(self._line, rows, kinds)

    def _line(self, row, kind):
        shared = int(time.time() * 1000) - self._random.randrange(LATEST_MS)
        # Nothing of before the beginning: below deletes of that time HBase's own answer depends on its compactions.
        words = {"R": name(row), "K": str(self._random.randrange(KEYS)), "N": "n%d" % self._random.randrange(50),
                 "T": str(max(self._begin, shared // 1000 * 1000))}
        return " ".join(words.get(word, word) for word in kind.split()) + "\n"


def name(row):
    """Spread over the regions."""
    return "%x-%d" % (row * 7 % 16, row)


def old_cells(rows):
    """What the rows have before anybody changes them: (row, column, timestamp, value), as Captured.load takes it."""
    old = [(name(row), [("f1:from", str(row % KEYS)), ("f1:note", "old")][:1 + row % 2]) for row in range(rows)]
    return [(row, column, 1_700_000_000_000, value) for row, columns in old for column, value in columns]


class ChangingClients:
    """Clients that change rows of the table until stop()."""

    def __init__(self, source, rows, per_second, clients=2, seed=None):
        seed = random.SystemRandom().randrange(1_000_000) if seed is None else seed
        self._stopped = threading.Event()
        self._counts = [0] * clients
        self._processes = [self._client(source) for _ in range(clients)]
        self._threads = [threading.Thread(target=self._feed, args=(i, Changes(rows, seed + i), per_second / clients), daemon=True)
                         for i in range(clients)]
        for thread in self._threads:
            thread.start()

    @staticmethod
    def _client(source):
        return subprocess.Popen([os.path.join(stack.ROOT, "deploy", "devstack"), "client", source], stdin=subprocess.PIPE,
                                text=True)

    def _feed(self, number, changes, per_second):
        begin, stdin = time.monotonic(), self._processes[number].stdin
        for count, line in enumerate(changes, 1):
            stdin.write(line)
            self._counts[number] = count
            if count % 50 == 0:
                stdin.flush()
                if self._stopped.wait(max(0, begin + count / per_second - time.monotonic())):
                    return

    def count(self):
        return sum(self._counts)

    def check(self):
        """A client that failed ends the test at once."""
        assert all(process.poll() is None for process in self._processes), "a client failed: its log is above"

    def stop(self):
        """All that was written is acknowledged when this returns."""
        self._stopped.set()
        for thread, process in zip(self._threads, self._processes):
            thread.join()
            process.stdin.close()
            assert process.wait() == 0, "a client failed"


def index_of(source):
    """The index cells that must be there: (row, column) -> value."""
    visible = reading.by_admin(source)
    return {(key, "f1:" + row): "%d/%s" % (timestamp, visible.get((row, "f1:note"), (0, "none"))[1])
            for row, (timestamp, key) in _follows(visible).items()}


def mirror_of(source):
    """Of the mirror beside it: (row, column) -> (timestamp, value)."""
    return {(row, "f1:follows"): found for row, found in _follows(reading.by_admin(source)).items()}


def wide_mirror_of(source):
    """Of the one of every column, the same."""
    return reading.by_admin(source)


def wait_complete_of(table, index):
    """`fensi wait` of the index, or of one of the mirrors beside it, and what it promises."""
    of = {"_m": lambda: reading.values(mirror_of(table.source)), "_e": lambda: reading.values(wide_mirror_of(table.source))}
    source_of = of.get(index[len(table.index):], lambda: index_of(table.source))
    return wait_complete(table.mapping, index, stack.hbase_url(), "--until", "now", "--timeout_s", "300", source_of=source_of)


def assert_mirror(table, index):
    """Without its source table an index is kept with states, whatever its mapping says."""
    done = fensi("convert", table.mapping, index, "--store", stack.hbase_url(), "--kafka", os.environ["FENSI_TEST_KAFKA"])
    assert "nothing to do: index %s is stateless" % index in done.stderr, done.stdout + done.stderr


def assert_exact(table):
    """All that was written is indexed, and what `fensi verify`, and HBase's own client, say of the source; `table`: with both mirrors,
    and somebody runs them. Gives back how many entries each has."""
    indexes = [table.index + kind for kind in ("", "_m", "_e")]
    for index in indexes:
        verify = ("verify", table.mapping, index, "--store", stack.hbase_url(), "--recheck_s=1")
        for run in (lambda index=index: wait_complete_of(table, index), lambda verify=verify: fensi(*verify)):
            done = run()
            assert done.returncode == 0, "%s: exit code %d\n%s%s" % (index, done.returncode, done.stdout[-4000:], done.stderr[-4000:])
    for index in indexes[1:]:
        assert_mirror(table, index)
    expected = [index_of(table.source), *(reading.values(of(table.source)) for of in (mirror_of, wide_mirror_of))]
    for index, cells in zip(indexes, expected):
        reading.assert_equal(reading.values(reading.by_admin(index)), cells)
    return [len(cells) for cells in expected]


def _follows(visible):
    return {row: found for (row, column), found in visible.items() if column == "f1:from"}
