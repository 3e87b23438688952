"""Daemons while they work: what they say of themselves at /metrics, what the kernel says of them, and what follows of both without the
time in which they began."""
import contextlib
import dataclasses
import os
import re
import socket
import sys
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")
LONGEST_S = 3600
LEAST_PAUSE_S = 0.1


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    """User and system time of a process; proc(5), fields 14 and 15."""
    with open("/proc/%d/stat" % pid, encoding="ascii", errors="replace") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def busy_seconds():
    """CPU seconds of the whole machine in which it did something; proc(5), /proc/stat: all but idle and iowait."""
    with open("/proc/stat", encoding="ascii") as stat:
        fields = [int(field) for field in stat.readline().split()[1:9]]
    return (sum(fields) - fields[3] - fields[4]) / TICKS


def require_mode(index, log):
    """Ends the benchmark when the log of a daemon says that its index is stateful although its mapping says so."""
    if "is stateful, although" in log:
        sys.exit("index %s is stateful:\n%s" % (index, log[-3000:]))


def server_pids():
    """Of the development stack in the environment."""
    folder = os.path.join(os.environ["FENSI_TEST_STACK"], "run")
    pids = {}
    for name in ("gateway", "hbase", "kafka"):
        with open(os.path.join(folder, name + ".pid"), encoding="ascii") as text:
            pids[name] = int(text.read().split()[0])
    return pids


@dataclasses.dataclass
class Sample:
    """At a moment: events that are applied, bytes of those that wait or are in hand, and CPU seconds since the start by name of the
    process."""
    seconds: float
    events: float
    held: float
    cpu: dict


@dataclasses.dataclass
class Steady:
    """What lies between two samples, for an event."""
    rate: float
    cpu_us: dict


def first_of(samples):
    """The sample in which the first messages were there."""
    return next((sample for sample in samples if sample.held > 0 or sample.events > 0), None)


def steady(samples, total):
    """From when the first messages were there to when all was applied: the start is not in it. None where that was one moment. (From
    the first event that is applied it would be too quick: what other workers have in hand by then is not counted, but half done.)"""
    first, last = first_of(samples), next((sample for sample in samples if sample.events >= total), None)
    if last is None or last.events <= first.events:
        return None
    events = last.events - first.events
    return Steady(events / (last.seconds - first.seconds),
                  {name: 1e6 * (spent - first.cpu[name]) / events for name, spent in last.cpu.items()})


def pause_s(samples):
    """Until the next look: each costs the daemon some milliseconds."""
    begun = first_of(samples) or samples[-1]
    return max(LEAST_PAUSE_S, (samples[-1].seconds - begun.seconds) / 50)


def require_applied(name, watched, total):
    """Each event of these benchmarks makes one put; none is skipped, none refused, and nothing is so unclear that the source is asked."""
    watched.look()
    puts, asked = watched.count("mutations_total", 'op="put"'), watched.count("source_reads_total")
    if puts != total or asked:
        sys.exit("%s: %d events made %d puts and %d reads of the source" % (name, total, puts, asked))


def followed(folder, name, total, words, servers=None):
    """What a daemon does that goes on when all of its events are applied; it is stopped then: a Steady, and its peak of memory in MiB.
    It has to keep its index by the mode that its mapping says."""
    from lib.program import Daemon  # pylint: disable=import-outside-toplevel
    watched = Watched(lambda admin: Daemon(folder, name, *words, admin), servers)
    with watched.daemon:
        samples = watched.until(total)
        peak = watched.peak_mib()
        require_applied(name, watched, total)
        require_mode(name, watched.daemon.messages())
        if watched.daemon.stop() != 0:
            sys.exit("%s did not end well:\n%s" % (name, watched.daemon.messages()[-3000:]))
    found = steady(samples, total)
    if found is None:
        sys.exit("%s: %d events were applied at once; take more" % (name, total))
    return found, peak


class Watched:
    """A daemon that was started with the word that `start` is given. `servers`: other processes, name to id, whose CPU time is looked at, too."""

    def __init__(self, start, servers=None):
        self._port, self._servers, self._text = free_port(), dict(servers or {}), ""
        self.daemon = start("--admin=127.0.0.1:%d" % self._port)

    def look(self):
        with contextlib.suppress(OSError):  # it starts
            with urllib.request.urlopen("http://127.0.0.1:%d/metrics" % self._port, timeout=10) as answer:
                self._text = answer.read().decode()

    def text(self):
        self.look()
        return self._text

    def count(self, name, label="", prefix="fensi_"):
        """The sum of the series of that name whose labels have the text."""
        series = re.findall(r"^%s(\{[^}]*\})? (\S+)" % (prefix + name), self._text, re.M)
        return sum(float(value) for labels, value in series if label in labels)

    def sample(self):
        self.look()
        cpu = {"own": self.count("cpu_seconds_total", prefix="process_")}
        cpu.update((name, cpu_seconds(pid)) for name, pid in self._servers.items())
        return Sample(time.monotonic(), self.count("events_total"), self.count("held_bytes"), cpu)

    def until(self, total):
        """Samples until so many events are applied. The daemon has to go on then. A look costs it time, too: they become rarer, and
        are still so many that the last one is late by a fiftieth."""
        samples, deadline = [], time.monotonic() + LONGEST_S
        while not samples or samples[-1].events < total:
            self.require_up()
            if time.monotonic() > deadline:
                sys.exit("%d of %d events are applied after %d s" % (samples[-1].events, total, LONGEST_S))
            samples.append(self.sample())
            time.sleep(pause_s(samples))
        return samples

    def require_up(self):
        if not self.daemon.is_up():
            sys.exit("a daemon ended:\n" + self.daemon.messages()[-3000:])

    def peak_mib(self):
        with open("/proc/%d/status" % self.daemon.process.pid, encoding="ascii") as lines:
            return int(re.search(r"VmHWM:\s+(\d+) kB", lines.read()).group(1)) / 1024
