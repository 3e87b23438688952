"""E1: the soak. Six kinds of indexes of one table that HBase's own client changes in every way, a capture, daemons, and a fault each four to
five seconds. At the end HBase's own client reads all tables, and each index is compared with what the source says."""
import contextlib
import threading
import time

from lib import changes, reading, stack
from lib.stream import Stream

from . import memory, mutants
from .draw import WEIGHTS, faults, order
from .figure import Figure, Outcome, attempt, many
from .slope import recoveries, summary
from .world import FENSI, Harm, World, do_all

ROWS, PER_SECOND, CLIENTS = 20_000, 5_000, 4
MOST_EVENTS, MOST_FAULTS = 40_000_000, 1_800  # the target
RECOVERED_S = 1.0  # a lag of so many seconds of events counts as none
CONTROL_S = 600
STACK_TTL_S = 30 * 24 * 3600
# Rules whose absence shows in the tables at the end of such a load.
RULES = (("M1", "a family's marker hides nothing"), ("M4", "a step may keep the version"), ("M6", "a removal deletes one version"),
         ("M8", "version deletes and late puts are no doubt"))
SPLIT = "create: { families: { f1: { versions: 1%s } }, split: { keys: ['2', '4', '6'] } }"
OTHERS = """\
  %(index)s_q:
    table: %(index)s_q
    each: f1:*
    row: '{qualifier | without -}-{row}'
    columns: { 'f1:v': '{value}' }
    """ + SPLIT % "" + """
  %(index)s_u:
    table: %(index)s_u
    unique: true
    row: '{f1:from | without -}-{row}'
    columns: { 'f1:note': '{f1:note | default none}' }
    """ + SPLIT % "" + """
  %(index)s_t:
    table: %(index)s_t
    row: '{f1:from}'
    columns: { 'f1:{row}': '{f1:from@ts | decimal}' }
    """ + SPLIT % ", ttl: 30d" + """
"""
MAPPING = changes.MAPPING + changes.MIRROR + changes.WIDE_MIRROR + OTHERS
SUFFIXES = ("", "_m", "_e", "_q", "_u", "_t")


def expected(visible):
    """suffix -> {(row, column): value} of what HBase shows of the source: {(row, column): (timestamp, value)}."""
    follows = {row: found for (row, column), found in visible.items() if column == "f1:from"}
    notes = {row: visible.get((row, "f1:note"), (0, "none"))[1] for row in follows}
    return {
        "": {(key, "f1:" + row): "%d/%s" % (timestamp, notes[row]) for row, (timestamp, key) in follows.items()},
        "_m": {(row, "f1:follows"): key for row, (_, key) in follows.items()},
        "_e": {cell: value for cell, (_, value) in visible.items()},
        "_q": {("%s-%s" % (column[3:], row), "f1:v"): value for (row, column), (_, value) in visible.items()},
        "_u": {("%s-%s" % (key, row), "f1:note"): notes[row] for row, (_, key) in follows.items()},
        "_t": {(key, "f1:" + row): str(timestamp) for row, (timestamp, key) in follows.items()},
    }


def create(table):
    """The source has the TTL of the index that has one."""
    stack.admin("create", table.source, "f1,REPLICATION_SCOPE=1,VERSIONS=10,TTL=%d" % STACK_TTL_S,
                *["@" + split.encode().hex() for split in ("2", "4", "6")])
    Stream.create(table)
    table.add_peer()


class Sampler:
    """Lag and memory in a thread: (seconds since the begin, value), until stop()."""

    def __init__(self, table, witness):
        self._table, self._witness, self._ended = table, witness, threading.Event()
        self.began, self.lags, self.memory = time.monotonic(), [], []
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self):
        while not self._ended.wait(0.5):
            with contextlib.suppress(AssertionError, OSError, ValueError):  # servers are away
                self.lags.append((time.monotonic() - self.began, self._table.lag()))
            if self._witness.is_up():
                self.memory.append(memory.sample(self._witness.process.pid, time.monotonic() - self.began))

    def stop(self):
        self._ended.set()
        self._thread.join()


def compare(table):
    """suffix -> (missing, orphaned, wrong)."""
    wanted = expected(reading.by_admin(table.source))
    return {suffix: [len(each) for each in reading.differences(reading.values(reading.by_admin(table.index + suffix)), wanted[suffix])]
            for suffix in SUFFIXES}


def weights():
    """A stack with one region server has no second one to kill."""
    several = len(stack.admin("servers").split("\n")) > 1
    return {kind: weight for kind, weight in WEIGHTS.items() if several or kind != "kill a region server"}


def play(run, seconds, program, name):
    """What happened, as a dictionary."""
    with contextlib.ExitStack() as at_end:
        world = World(at_end, name, MAPPING, program=program, families=create)
        world.create()
        world.start()
        world.herd.start({"witness": lambda: world.daemon("witness")})
        sampler = Sampler(world.table, world.herd["witness"])
        at_end.callback(sampler.stop)
        clients = changes.ChangingClients(world.table.source, ROWS, PER_SECOND, CLIENTS, seed=run.seed)
        tables = [world.table.source, *(world.table.index + suffix for suffix in SUFFIXES)]
        harm = Harm(world, tables, lambda choice: "%x" % (choice % 16))
        done = do_all(harm, faults(run.seed, seconds, weights()), seconds, run.say, clients.check)
        clients.stop()
        harm.heal()
        for suffix in SUFFIXES:
            world.wait(world.table.index + suffix, 1800)
        sampler.stop()
        peak = memory.peak_mib(world.herd["witness"].process.pid) if world.herd["witness"].is_up() else 0
        return {"events": clients.count(), "seconds": seconds, "faults": len(done), "left_out": dict(harm.left_out), "ended": harm.ended,
                "compared": compare(world.table), "witness": {**memory.slopes(sampler.memory), "peak_mib": peak},
                "recoveries": {kind: summary(found) for kind, found in recoveries(done, sampler.lags, RECOVERED_S * clients.count() / seconds).items()}}


def wrong_cells(found):
    return [sum(each) for each in zip(*found["compared"].values())]


def without_a_rule(run):
    """(label, wrong cells) of a daemon without a rule that the seed draws."""
    each = mutants.named(*order(run.seed, RULES)[0])
    with mutants.without(run.say, each, mutants.PROGRAM) as program:
        found = play(run, max(60, min(CONTROL_S, 0.1 * run.seconds)), program, "damaged")
    return mutants.label(each), sum(wrong_cells(found))


def make(run):
    found = play(run, 0.85 * run.seconds, FENSI, "soak")
    missing, orphaned, wrong = wrong_cells(found)
    slowest = {kind: each for kind, each in found["recoveries"].items() if each["max"] is not None}
    text = "%s events, %s faults, %d kinds of indexes: %d missing, %d orphaned, %d wrong" % (
        many(found["events"]), many(found["faults"]), len(SUFFIXES), missing, orphaned, wrong)
    if slowest:
        kind, each = max(slowest.items(), key=lambda pair: pair[1]["max"])
        text += "; slowest recovery %.0f s (%s)" % (each["max"], kind)
    if found["ended"]:
        text += "; %d processes ended by themselves" % len(found["ended"])
    damaged, failed = attempt(run, without_a_rule, run)
    rule, cells = damaged or ("", 0)
    faults_found = missing + orphaned + wrong
    return Outcome(text, faults_found, faults_found == 0 and not found["ended"] and found["events"] >= MOST_EVENTS and found["faults"] >= MOST_FAULTS,
                   failed or "without %s: %s wrong cells" % (rule, many(cells)), cells > 0, {**found, "rule": rule, "wrong_cells": cells})


FIGURE = Figure("E1", "soak: events, faults, missing, orphaned and wrong cells", "40,000,000 events, 1,800 faults, 0 missing, 0 orphaned, 0 wrong",
                "a rule taken out: wrong cells", 85, make, servers=True, programs=("fensi", "fault_proxy", "thrift_loader"))
