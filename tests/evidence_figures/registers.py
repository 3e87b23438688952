"""E5: registers in Jepsen's form. Clients write and read while daemons are killed, paused and cut off, and a checker that anybody can
read judges the history (check_history.py). The history is left as JSON and as EDN."""
import collections
import contextlib
import json
import os
import subprocess

from lib import reading, stack

from . import mutants
from .check_history import check
from .draw import faults
from .edn import edn
from .figure import Figure, Outcome, attempt, many
from .world import FENSI, Harm, World, do_all

MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    table: %(index)s
    row: '{row}'
    columns: { 'f1:{f1:n}': '' }
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6'] } }
"""
CLIENTS, REGISTERS, PAUSE_MS = 20, 5, 10
PARTITIONS = {"pause a daemon": 40, "hold connections": 30, "reset connections": 10, "kill a daemon": 20}
MOVED = "missing while moved"
BY_HAND = 3
LEAST_S = 20  # shorter, and hardly a fault comes
CLIENT = os.path.join("tests", "e2e", "client", "Registers.java")


class Clients:
    """The Java program at work, its history in a file."""

    def __init__(self, table, path, seed):
        command, options = stack.java_command(CLIENT, table.source, table.index, str(CLIENTS), str(REGISTERS), str(seed), str(PAUSE_MS))
        self._path = path
        with open(path, "w", encoding="utf-8") as out:
            self._process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=out, **options)

    def end(self):
        """The clients write no more."""
        self._process.stdin.write("end\n")
        self._process.stdin.flush()

    def history(self):
        """After a last read of all."""
        self._process.stdin.close()
        if self._process.wait(300) != 0:
            raise RuntimeError("the clients ended with %d" % self._process.returncode)
        with open(self._path, encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    def kill(self):
        self._process.kill()
        self._process.wait()


def without_some(history, table):
    """The history with last reads from which entries were removed by hand, and how many."""
    entries = sorted(reading.by_admin(table.index))[:BY_HAND]
    table.change(*["delete_column %s %s" % entry for entry in entries], table=table.index)
    rest = {row for row, _ in reading.by_admin(table.index)}
    return [dict(op, value=[]) if op["f"] == "final-index" and op["type"] == "ok" and op["register"] not in rest else op
            for op in history], len(entries)


def play(run, seconds, program, name, by_hand=False):
    """The history; with `by_hand` also one after entries were removed."""
    with contextlib.ExitStack() as at_end:
        world = World(at_end, name, MAPPING, program=program)
        world.create()
        world.start()
        clients = Clients(world.table, run.path(name + ".log"), run.seed)
        at_end.callback(clients.kill)
        harm = Harm(world, [world.table.index], lambda choice: str(choice % 8))
        done = do_all(harm, faults(run.seed, seconds, PARTITIONS), seconds)
        clients.end()
        harm.heal()
        world.wait()
        history = clients.history()
        removed = without_some(history, world.table) if by_hand else (history, 0)
        return history, collections.Counter(kind for _, kind in done), harm.ended, removed


def save(run, name, history):
    with open(run.path(name + ".json"), "w", encoding="utf-8") as out:
        out.write("[" + ",\n".join(json.dumps(op, separators=(",", ":")) for op in history) + "]\n")
    with open(run.path(name + ".edn"), "w", encoding="utf-8") as out:
        out.write(edn(history))
    os.remove(run.path(name + ".log"))


def ends(history):
    """How often calls ended as ok, info and fail."""
    found = collections.Counter(op["type"] for op in history)
    return {kind: found[kind] for kind in ("ok", "info", "fail")}


def without_the_order(run):
    """What the checker counts when removals are written before puts."""
    each = mutants.named("M7", "removals are written before puts")
    with mutants.without(run.say, each, mutants.PROGRAM) as program:
        history, *_ = play(run, max(60, min(180, run.left_s())), program, "reversed")
    save(run, "reversed", history)
    return check(history)


def make(run):
    seconds = max(LEAST_S, 0.6 * run.seconds)
    history, done, ended, (damaged, removed) = play(run, seconds, FENSI, "registers", by_hand=True)
    save(run, "registers", history)
    found, counted = check(history), ends(history)
    wrong, lost = sum(found.values()), check(damaged)["lost"] - found["lost"]
    text = "%s: %s ok, %d info, %d fail of %d clients and %d registers, %d faults" % (
        "valid" if wrong == 0 else ", ".join("%s %d" % fault for fault in found.items() if fault[1]), many(counted["ok"]), counted["info"],
        counted["fail"], CLIENTS, CLIENTS * REGISTERS, sum(done.values()))
    if ended:
        text += "; %d processes ended by themselves" % len(ended)
    control, seen, numbers = "%d entries removed by hand: %d lost" % (removed, lost), lost == removed > 0, {}
    if not run.short:
        numbers, failed = attempt(run, without_the_order, run)
        control += "; removals before puts: " + (failed or "%s %d" % (MOVED, numbers[MOVED]))
        seen = bool(seen and numbers and numbers[MOVED] > 0)
    return Outcome(text, wrong, wrong == 0 and not ended, control, seen,
                   {"check": found, "calls": counted, "faults": done, "ended": ended, "removed": removed, "lost": lost, "reversed": numbers})


FIGURE = Figure("E5", "registers in Jepsen's form", "valid", "removals before puts: %s" % MOVED, 10, make, servers=True, short=True,
                programs=("fensi", "fault_proxy", "thrift_loader"))
