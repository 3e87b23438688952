"""E2: HBase's linked list, as its own IntegrationTestBigLinkedList builds it, walked by the index alone. Half of the nodes are there before
the index, and a backfill brings them beside the other half, while daemons and captures are killed."""
import contextlib
import itertools
import os
import subprocess
import threading
import time

from lib import linked_list, stack
from lib.captured import LOADER, Late
from lib.linked_list import LinkedList
from lib.program import fensi
from lib.wait import until

from .draw import faults
from .figure import Figure, Outcome, many
from .world import WATERMARK_MS, Harm, World

NODES_PER_SECOND = 4_000  # of the time of the figure
KILLS = {"kill a daemon": 50, "kill a capture": 20, "pause a daemon": 15, "reset connections": 15}
REMOVED = 100


def load(table, cells):
    """Cells go to the client as they are made, because ten million would fill the memory."""
    process = subprocess.Popen([LOADER, stack.hbase_url(), table.source, "0"], stdin=subprocess.PIPE, text=True, stderr=subprocess.DEVNULL)
    for cell in cells:
        process.stdin.write("%s\t%s\t%d\t%s\n" % cell)
    process.stdin.close()
    if process.wait() != 0:
        raise RuntimeError("the loader failed")


def walk(lists, found):
    """(undefined, unreferenced, broken) by entries (row, column) of the index: nodes that nothing follows, entries that do not lead from a node
    to a node, or a second way on from one, and lists whose walk does not close after all nodes although each has an entry."""
    nodes, index, strange = set(itertools.chain.from_iterable(each.nodes() for each in lists)), {}, 0
    for row, column in found:
        strange += row not in nodes or column[3:] not in nodes or row in index
        index[row] = column[3:]
    undefined = sum(node not in index for node in nodes)
    return undefined, strange, 0 if undefined else sum(not each.is_circle(index) for each in lists)


def entries(table):
    """(row, column) of the index, one after the other, by HBase's own client."""
    path = os.path.join(table.folder, "dump")
    stack.admin("dump", table.index, path, timeout_s=3600)
    with open(path, encoding="ascii") as lines:
        for line in lines:
            row, family, qualifier, *_ = line.split("\t")
            row, family, qualifier = (bytes.fromhex(each).decode("latin-1") for each in (row, family, qualifier))
            yield row, family + ":" + qualifier


def build(run, world, old, new):
    """Both lists are in the source and in the index when this returns."""
    table = world.table
    load(table, old.cells(1_700_000_000_000))
    table.follow()
    world.start()
    source = ("--source", stack.kafka_url())
    words = ("backfill", table.mapping, table.index, "--store", stack.hbase_url(), *source)
    until("a watermark", lambda: fensi(*words).returncode == 0, 300, 1)
    harm = Harm(world, [table.index], lambda choice: "%x" % (choice % 16))
    seconds = max(20, 0.5 * run.left_s())
    with contextlib.ExitStack() as at_end:
        writer = background(at_end, lambda: load(table, new.cells(int(time.time() * 1000))))
        filler = background(at_end, lambda: backfill(words))
        done = []
        for fault in faults(run.seed, seconds, KILLS):
            if writer.ended() and filler.ended():
                break
            time.sleep(max(0, fault.at_s - (time.monotonic() - writer.began)))
            done += [fault] if harm.do(fault) else []
    harm.heal()
    world.wait(seconds=1800)
    return done, harm.ended


def backfill(words):
    """It may be interrupted by a kill of the owner of a partition, and continues."""
    for _ in range(20):
        done = fensi(*words, "--execute", timeout_s=7200)
        if done.returncode == 0:
            return
    raise RuntimeError("fensi backfill: exit code %d: %s" % (done.returncode, done.stderr[-600:]))


class Background:
    """Work in a thread. Its problem is raised at the end of the block."""

    def __init__(self, work):
        self.began, self._problem = time.monotonic(), None

        def run():
            try:
                work()
            except BaseException as problem:  # pylint: disable=broad-except
                self._problem = problem
        self._thread = threading.Thread(target=run, daemon=True)
        self._thread.start()

    def ended(self):
        return not self._thread.is_alive()

    def join(self):
        self._thread.join()
        if self._problem is not None:
            raise self._problem


def background(at_end, work):
    found = Background(work)
    at_end.callback(found.join)
    return found


def remove_some(table):
    """HBase's client removes entries of the index by hand. Gives back how many."""
    victims = dict(itertools.islice(entries(table), 10 * REMOVED))
    chosen = list(itertools.islice(victims.items(), REMOVED))
    table.change(*["delete_column %s %s" % entry for entry in chosen], table=table.index)
    return len(chosen)


def make(run):
    size = max(2, int(run.seconds * NODES_PER_SECOND / 2) // linked_list.WIDTH) * linked_list.WIDTH
    old, new = LinkedList(size, run.seed), LinkedList(size, run.seed + 1)
    with contextlib.ExitStack() as at_end:
        world = World(at_end, "linked", linked_list.MAPPING, families=lambda table: table.create())
        world.table = Late(world.table.folder, "linked", WATERMARK_MS, linked_list.MAPPING)
        world.create()
        done, ended = build(run, world, old, new)
        undefined, unreferenced, broken = walk([old, new], entries(world.table))
        run.say("%d undefined, %d unreferenced, %d broken" % (undefined, unreferenced, broken))
        removed = remove_some(world.table)
        found = walk([old, new], entries(world.table))[0] - undefined
    wrong = undefined + unreferenced + broken
    text = "%s nodes, %d kills: %d undefined, %d unreferenced, %d of 2 circles broken" % (many(2 * size), len(done), undefined, unreferenced, broken)
    if ended:
        text += "; %d processes ended by themselves" % len(ended)
    return Outcome(text, wrong, wrong == 0 and not ended, "%d entries removed: %d found" % (removed, found),
                   found == removed > 0, {"nodes": 2 * size, "faults": len(done), "undefined": undefined, "unreferenced": unreferenced, "broken": broken,
                    "ended": ended})


FIGURE = Figure("E2", "HBase's linked list through the index", "0 undefined, 0 unreferenced", "%d entries removed: exactly %d found" % (REMOVED, REMOVED),
                15, make, servers=True, programs=("fensi", "fault_proxy", "thrift_loader"))
