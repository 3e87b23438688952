"""E7: memory, open files and threads of one process that applies events at a steady rate, as slopes by least squares without the
begin, and the peak. The store is embedded, so nothing else is needed. The soak of E1 adds a daemon that nobody harms."""
import collections
import contextlib
import os
import subprocess
import tempfile
import threading
import time

from lib.graph import write_mapping
from lib.mixed import MAPPING, Mixed
from lib.program import FENSI

from .figure import Figure, Outcome
from .slope import after_warming, least_squares

PER_SECOND = 1_000
LEAK_BYTES = 1_000  # of an event
MOST_SLOPE, MOST_PEAK = 1.0, 256  # MiB an hour, MiB
HOUR_S = 3600
LEAST_S, BRIEF_S = 25, 120  # caches fill in the first seconds
Sample = collections.namedtuple("Sample", "seconds mib files threads")


def sample(pid, seconds):
    with open("/proc/%d/status" % pid, encoding="ascii") as text:
        fields = dict(line.split(":", 1) for line in text)
    return Sample(seconds, int(fields["VmRSS"].split()[0]) / 1024, len(os.listdir("/proc/%d/fd" % pid)), int(fields["Threads"]))


def peak_mib(pid):
    with open("/proc/%d/status" % pid, encoding="ascii") as text:
        return next(int(line.split()[1]) for line in text if line.startswith("VmHWM")) / 1024


def slopes(samples):
    """Of an hour."""
    steady = after_warming(samples, 0.2 if samples and samples[-1].seconds > BRIEF_S else 0.5)
    return {name: HOUR_S * least_squares([(each.seconds, getattr(each, name)) for each in steady]) for name in ("mib", "files", "threads")}


def feed(process, lines, ended):
    """Events at a steady rate. Gives back how many."""
    began, count = time.monotonic(), 0
    with contextlib.suppress(BrokenPipeError):
        for count, line in enumerate(lines, 1):
            process.stdin.write(line)
            if count % 50 == 0:
                process.stdin.flush()
                if ended.wait(max(0, began + count / PER_SECOND - time.monotonic())):
                    break
    return count


def watch(seed, seconds, settings):
    """(samples, peak in MiB, events) of `fensi run` for so long, with more settings of its environment."""
    with tempfile.TemporaryDirectory(prefix="fensi-evidence-") as folder:
        mapping = write_mapping(folder, "follows", "followers", MAPPING)
        words = [FENSI, "run", mapping, "--source=file:-", "--store=embedded:" + os.path.join(folder, "store"), "--admin=none"]
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen(words, stdin=subprocess.PIPE, stderr=log, stdout=log, text=True, env={**os.environ, **settings})
        ended, counts = threading.Event(), []
        feeder = threading.Thread(target=lambda: counts.append(feed(process, Mixed("follows", seed).events(), ended)), daemon=True)
        feeder.start()
        began, samples = time.monotonic(), []
        while time.monotonic() < began + seconds and process.poll() is None:
            samples.append(sample(process.pid, time.monotonic() - began))
            time.sleep(min(1, seconds / 60))
        if process.poll() is not None:
            with open(os.path.join(folder, "log"), encoding="utf-8") as text:
                raise RuntimeError("fensi run ended with %d: %s" % (process.returncode, text.read()[-1500:]))
        peak = peak_mib(process.pid)
        ended.set()
        feeder.join()
        process.stdin.close()
        process.wait(120)
    return samples, peak, counts[0]


def leaking(run, seconds):
    """(slope in MiB an hour that a leak of 1 kB an event must add, the slope with it)"""
    rate = PER_SECOND * LEAK_BYTES
    settings = {"LD_PRELOAD": run.program("leak.so"), "FENSI_TEST_LEAK_BYTES_S": str(rate)}
    samples, *_ = watch(run.seed, seconds, settings)
    return rate * HOUR_S / (1 << 20), slopes(samples)["mib"]


def of_soak(kept):
    """What the daemon of the soak had that nobody harmed: its slopes and its peak; None if the soak was not run."""
    return kept.get("E1", {}).get("numbers", {}).get("witness")


def shown(found, peak):
    return "%+.1f MiB/h, %+.1f files/h, %+.1f threads/h, peak %.0f MiB" % (found["mib"], found["files"], found["threads"], peak)


def make(run):
    """The daemon of the soak counts if there is one: it ran for longer."""
    samples, peak, events = watch(run.seed, max(LEAST_S, 0.65 * run.seconds), {})
    found, soak = slopes(samples), of_soak(run.kept)
    run.say("%d events, %+.1f MiB an hour" % (events, found["mib"]))
    wanted, leak = leaking(run, max(LEAST_S, 0.25 * run.seconds))
    text = "%s over %.0f s with %d events" % (shown(found, peak), samples[-1].seconds, events)
    if soak:
        text = "the daemon of the soak: %s; %s" % (shown(soak, soak["peak_mib"]), text)
    slope, highest = (soak["mib"], soak["peak_mib"]) if soak else (found["mib"], peak)
    return Outcome(text, 0, slope <= MOST_SLOPE and highest <= MOST_PEAK, "1 kB an event leaks: %+.0f MiB/h, and %+.0f are planted" % (leak, wanted),
                   leak - found["mib"] > wanted / 2, {"slopes": found, "peak_mib": peak, "events": events, "leak": leak, "planted": wanted,
                                                      "samples": [tuple(round(each, 2) for each in one) for one in samples[::10]]})


FIGURE = Figure("E7", "memory, open files, threads", "at most 1 MiB/h and 256 MiB", "a leak of 1 kB an event is found", 6, make, short=True,
                programs=("fensi", "leak.so"))
