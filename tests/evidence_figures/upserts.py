"""E4: Apache Phoenix' own test of its global indexes, on fensi: writers upsert a few rows, with nulls, and the index is exact after them."""
import contextlib
import os
import subprocess
import time

from lib import reading, stack

from .figure import Figure, Outcome, many
from .world import World

# The key of the index is the first column, the others are included, as in ConcurrentMutationsExtendedIT.
MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    table: %(index)s
    row: '{f1:v1 | without -}-{row}'
    columns: { 'f1:v2': '{f1:v2 | default null}', 'f1:v3': '{f1:v3 | default null}' }
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6'] } }
"""
WRITERS, UPSERTS, ROWS, VALUES = 10, 10_000, 499, 23
SHORT_UPSERTS = 1_000
MOST_S, LONGEST_S = 2, 350  # ours; how long Phoenix' test waits
CLIENT = os.path.join("tests", "e2e", "client", "ConcurrentUpserts.java")


def index_of(source):
    """(row, column) -> value, by what HBase's own client reads of the source."""
    keys = {row: value for (row, column), (_, value) in source.items() if column == "f1:v1"}
    return {("%s-%s" % (key, row), column): source.get((row, column), (0, "null"))[1] for row, key in keys.items() for column in ("f1:v2", "f1:v3")}


def write(table, upserts, seed):
    words = (table.source, WRITERS, upserts, ROWS, VALUES, seed)
    command, options = stack.java_command(CLIENT, *map(str, words))
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=1800, **options)


def converge(table, acknowledged):
    """(seconds from the last acknowledgement until a comparison began that found no difference, the last differences, cells). Nobody writes
    meanwhile."""
    expected = index_of(reading.by_admin(table.source))
    while True:
        at = time.monotonic() - acknowledged
        found = reading.differences(reading.values(reading.by_admin(table.index)), expected)
        if not any(found) or at > LONGEST_S:
            return at, [len(each) for each in found], len(expected)
        time.sleep(0.1)


def make(run):
    upserts = SHORT_UPSERTS if run.short else UPSERTS
    with contextlib.ExitStack() as at_end:
        world = World(at_end, "upserts", MAPPING)
        world.create()
        world.start()
        began = time.monotonic()
        write(world.table, upserts, run.seed)
        acknowledged = time.monotonic()
        seconds, found, cells = converge(world.table, acknowledged)
    text = "%d writers × %s upserts in %.0f s: of %s cells %d missing, %d extra, %d invalid, after %.1f s" % (
        WRITERS, many(upserts), acknowledged - began, many(cells), *found, seconds)
    return Outcome(text, sum(found), sum(found) == 0 and seconds <= MOST_S, "", None,
                   {"upserts": WRITERS * upserts, "seconds": acknowledged - began, "converged_s": seconds, "missing": found[0], "extra": found[1], "invalid": found[2]})


FIGURE = Figure("E4", "Phoenix' own test", "0 missing, 0 extra, 0 invalid, within %d s" % MOST_S, "", 4, make, servers=True, short=True, programs=("fensi", "fault_proxy", "thrift_loader"))
