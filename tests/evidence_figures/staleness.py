"""E6: from HBase's acknowledgement of a put until a reader sees its entry, at rates of other puts, around a kill, and after quiet times.
The control is a store that answers 50 ms later."""
import contextlib
import os
import re
import subprocess
import threading
import time

from lib import stack
from lib.graph import MAPPING
from lib.herd import Herd
from lib.proxy import Proxy

from .figure import Figure, Outcome, attempt
from .world import PATIENT, World

RATES = (0, 1_000, 5_000, 20_000)  # other puts a second
SPACING_MS, QUIET_MS = 20, 10_000
PUTS, QUIET_PUTS, WARMING_PUTS = 2_000, 10, 2_000
DELAY_MS = 50
MOST_P99_MS = 100
LATEST_S = 120  # of capture_bench
PARTS = ("p50", "p99", "p99.9", "max")
TARGET = "p99 at most %d ms when idle" % MOST_P99_MS


def percentiles(line):
    """{"p50": ms, ...} of what capture_bench prints."""
    return {name: float(value) for name, value in re.findall(r"\b(p[\d.]+|max) ([\d.]+) ms", line.split(";")[0])}


def measure(run, table, puts, pause_ms=SPACING_MS):
    """Empty: a put was not visible after LATEST_S."""
    words = [run.program("capture_bench"), stack.hbase_url(), table.source, table.index, str(puts), str(pause_ms)]
    return percentiles(subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE).stdout)


def settings():
    """HBase's for replication: the figure is worth nothing without them."""
    with open(os.path.join(os.environ["FENSI_TEST_STACK"], "conf", "hbase", "hbase-site.xml"), encoding="utf-8") as site:
        return dict(re.findall(r"<name>(replication\.\S+?)</name>\s*<value>(\S+?)</value>", site.read()))


def cells(count):
    """Of other rows."""
    now = int(time.time() * 1000)
    return (("%08d" % (i * 2654435761 % 10**8), "f1:q%d" % (i % 100_003), now + i, "0123456789") for i in range(count))


@contextlib.contextmanager
def beside(table, rate, seconds):
    """Other puts at a rate. Gives a list that has the rate as it came at the end."""
    came = []
    if not rate:
        yield came
        return
    loader = table.load(cells(int(rate * seconds)), rate)
    try:
        before, began = table.written(), time.monotonic()
        yield came
        came.append(round((table.written() - before) / (time.monotonic() - began)))
    finally:
        loader.kill()
        loader.wait()


def drain(table):
    """Until the daemons have everything, or the time is over. A backlog of one measurement must not be in the next one."""
    end = time.monotonic() + 300
    while table.lag() > 0 and time.monotonic() < end:
        time.sleep(0.5)


def under_load(run, world, puts, rates):
    found = {}
    for rate in rates:
        with beside(world.table, rate, 3 * puts * SPACING_MS / 1000 + 30) as came:
            found["%d/s" % rate if rate else "idle"] = figures = measure(run, world.table, puts)
        figures["rate"] = came[0] if came else 0
        run.say("beside %d puts/s: %s" % (rate, figures))
        drain(world.table)
    return found


def around_a_kill(run, world, puts):
    killer = threading.Timer(puts * SPACING_MS / 2000, lambda: world.herd.kill("a"))
    killer.start()
    try:
        return measure(run, world.table, puts)
    finally:
        killer.join()


def with_a_slow_store(run, puts):
    """(p50 in ms through a proxy, and with DELAY_MS more in it)"""
    found = []
    for delay_ms in (0, DELAY_MS):
        with contextlib.ExitStack() as at_end:
            world = World(at_end, "slow%d" % delay_ms, MAPPING, daemons=())
            world.create()
            proxy, herd = at_end.enter_context(Proxy()), at_end.enter_context(Herd())
            if delay_ms:
                proxy.tell("delay", "requests", delay_ms)
            herd.start({"capture": lambda table=world.table: table.capture(),
                        "slow": lambda table=world.table, url=proxy.url(): table.daemon("slow", *PATIENT, store=url)})
            measure(run, world.table, max(20, puts // 10))
            found.append(measure(run, world.table, puts).get("p50", 1000 * LATEST_S))
    return found


def one(name, figures):
    if "p50" not in figures:
        return "%s later than %d s" % (name, LATEST_S)
    return "%s %s" % (name, "/".join("%.0f" % figures[part] for part in PARTS))


def shown(found):
    return "%s in ms: %s" % ("/".join(PARTS), ", ".join(one(name, each) for name, each in found.items()))


def make(run):
    scale = min(1.0, run.seconds / 600)
    puts = max(50, int(PUTS * scale))
    with contextlib.ExitStack() as at_end:
        world = World(at_end, "stale", MAPPING, daemons=("a", "c"))
        world.create()
        world.start()
        measure(run, world.table, max(50, int(WARMING_PUTS * scale)))
        found = under_load(run, world, puts, RATES)
        found["kill"] = around_a_kill(run, world, puts)
        found["quiet"] = measure(run, world.table, max(1, int(QUIET_PUTS * scale)), QUIET_MS)
        run.say("around a kill: %s; after quiet times: %s" % (found["kill"], found["quiet"]))
    slowed, failed = attempt(run, with_a_slow_store, run, max(30, puts // 4))
    plain, slow = slowed or (0, 0)
    return Outcome(shown(found), 0, found["idle"].get("p99", 1000 * LATEST_S) <= MOST_P99_MS,
                   failed or "a store %d ms slower: p50 %.0f ms, and %.0f ms without" % (DELAY_MS, slow, plain),
                   slow - plain >= 0.8 * DELAY_MS, {"figures": found, "settings": settings(), "plain_ms": plain, "slow_ms": slow, "puts": puts})


FIGURE = Figure("E6", "staleness: put to visible", TARGET, "a store delayed by %d ms shows %d ms more" % (DELAY_MS, DELAY_MS), 10, make, servers=True,
                programs=("fensi", "fault_proxy", "thrift_loader", "capture_bench"))
