"""Runs that are compared: how long each took, what it and the servers spent on it, and the table and picture of the medians."""
import dataclasses
import os
import statistics
import subprocess
import time

from watched import cpu_seconds

RAW = "raw putMultiple, %d cells a row"
COLUMNS, ROWS = "a column for each follow", "a row for each follow"
MODES = ("stateful", "stateless")
AGAIN = ", newer times after a restart"
WRITER = "HBase's Java client writes the source, no index"
COPROCESSOR = "HBase's Java client writes the source, prePut coprocessor"


def plain_name(kind, when=""):
    return "plain Java consumer, copies puts only; %s%s" % (kind, when)


def fensi_name(mode, kind, when=""):
    return "fensi, %s; %s%s" % (mode, kind, when)


@dataclasses.dataclass
class Run:
    """One run of one contestant: items, seconds, CPU seconds by process, peak memory of the contestant in MiB."""
    items: int
    seconds: float
    cpu: dict
    peak_mib: float

    @property
    def rate(self):
        return self.items / self.seconds


def measured(servers, items, words, **options):
    """Runs the words to their end. `servers`: name to process id. Gives back the Run, and what the words printed."""
    before = {name: cpu_seconds(pid) for name, pid in servers.items()}
    begin = time.monotonic()
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, **options)  # pylint: disable=consider-using-with
    printed = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    seconds = time.monotonic() - begin
    if process.returncode != 0:
        raise subprocess.CalledProcessError(process.returncode, words)
    cpu = {"own": usage.ru_utime + usage.ru_stime}
    cpu.update((name, cpu_seconds(pid) - before[name]) for name, pid in servers.items())
    return Run(items, seconds, cpu, usage.ru_maxrss / 1024), printed


class Comparison:
    """The runs of all contestants, in the order in which each came first."""

    def __init__(self):
        self._runs = {}

    def add(self, name, run):
        self._runs.setdefault(name, []).append(run)
        print("  %-62s %9.0f/s" % (name, run.rate), flush=True)

    def rate(self, name):
        return statistics.median(run.rate for run in self._runs[name])

    def figures(self):
        """By name: the median of the rate, and of the CPU time of an item in microseconds, by process."""
        return {name: {"rate": self.rate(name), "cpu_us": {process: self._cpu_us(name, process) for process in runs[0].cpu}}
                for name, runs in self._runs.items()}

    def _cpu_us(self, name, process):
        return statistics.median(1e6 * run.cpu.get(process, 0) / run.items for run in self._runs[name])

    def names(self):
        return list(self._runs)

    def table(self, measure, plain, called="raw", servers=("gateway", "hbase", "kafka")):
        """Lines. `measure`: the contestant that the others are shares of, and how it is called; `plain`: for a contestant the one that
        does the same without fensi; `servers`: those whose CPU time is shown."""
        head = "%-62s %9s %19s %8s %8s   %s" % ("", "median/s", "least .. most", "of " + called, "x plain",
                                                "CPU us an item: own, %s   peak MiB" % ", ".join(servers))
        return [head, *(self._line(name, measure, plain.get(name), servers) for name in self._runs)]

    def _line(self, name, measure, plain, servers):
        runs = self._runs[name]
        rates = [run.rate for run in runs]
        cpu = ["%7.1f" % self._cpu_us(name, process) for process in ("own", *servers)]
        return "%-62s %9.0f %8.0f .. %7.0f %8.2f %8s   %s %26.0f" % (
            name, self.rate(name), min(rates), max(rates), self.rate(name) / self.rate(measure),
            "%.2f" % (self.rate(name) / self.rate(plain)) if plain else "", " ".join(cpu), max(run.peak_mib for run in runs))


BAR, LETTER, WIDTH, RIGHT = 26, 7.2, 420, 110  # LETTER: of a name, in pixels, on average
STYLE = """\
text { font: 13px system-ui, sans-serif; fill: #24292f } .title { font-weight: 600 } .note { fill: #57606a; font-size: 12px }
.other { fill: #8c959f } .fensi { fill: #0969da }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .note { fill: #8d96a0 } .other { fill: #6e7681 } .fensi { fill: #4493f8 } }
"""


def picture(comparison, title, note):
    """The medians as an SVG with a bar for each contestant."""
    names = comparison.names()
    most = max(comparison.rate(name) for name in names)
    left = 24 + round(LETTER * max(map(len, names)))
    height = 52 + BAR * len(names) + 14
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s">'
             % (left + WIDTH + RIGHT, height, title), "<style>%s</style>" % STYLE,
             '<text class="title" x="12" y="20">%s</text>' % title, '<text class="note" x="12" y="38">%s</text>' % note]
    for number, name in enumerate(names):
        top, rate = 52 + BAR * number, comparison.rate(name)
        length = WIDTH * rate / most
        lines += ['<text x="%d" y="%d" text-anchor="end">%s</text>' % (left - 10, top + 16, name),
                  '<rect class="%s" x="%d" y="%d" width="%.1f" height="%d" rx="2"/>'
                  % ("fensi" if name.startswith("fensi") else "other", left, top + 3, length, BAR - 8),
                  '<text x="%.1f" y="%d">%s</text>' % (left + length + 8, top + 16, "{:,.0f}".format(rate))]
    return "\n".join([*lines, "</svg>", ""])
