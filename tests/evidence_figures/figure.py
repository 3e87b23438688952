"""What a figure is, what it gives back, and what it is given for a run."""
import contextlib
import dataclasses
import os
import threading
import time
import typing

from . import BIN, ROOT

WHOLE_MINUTES = 180
MET, MISSED, NOT_PROVEN, NOT_RUN, FAILED = "met", "missed", "not proven", "not run", "failed"


@dataclasses.dataclass
class Outcome:
    """`faults`: what the figure counts, which should be 0. `seen`: the control showed its faults. None: it did not run."""
    text: str
    faults: int = 0
    met: bool = False
    control: str = ""
    seen: typing.Optional[bool] = None
    numbers: dict = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Figure:
    """`minutes`: its share of the whole run. `short`: it is part of the short form. `control`: what must show faults, "" for none.
    `programs`: what it runs of the build, without the programs of its control that are built in a copy."""
    name: str
    title: str
    target: str
    control: str
    minutes: float
    make: typing.Callable[["Run"], Outcome]
    servers: bool = False
    short: bool = False
    programs: tuple = ("fensi",)

    def verdict(self, outcome):
        """A figure whose control saw nothing proves nothing, whatever it is."""
        if self.control and not outcome.seen:
            return NOT_PROVEN
        return MET if outcome.met else MISSED


class Load:
    """The load of the machine while a `with` block lasts."""

    def __init__(self, every_s=5):
        self._every_s, self._ended, self._found = every_s, threading.Event(), []

    def __enter__(self):
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()

    def _sample(self):
        self._found.append(os.getloadavg()[0])
        while not self._ended.wait(self._every_s):
            self._found.append(os.getloadavg()[0])

    def mean(self):
        return round(sum(self._found) / len(self._found), 1)


class Run:
    """One run of a figure: its seed, its time, and a folder of its own for what it leaves. `kept`: the figures that are finished."""

    def __init__(self, figure, seed, seconds, folder, short=False, kept=None):
        self.figure, self.seed, self.seconds, self.short = figure, seed, seconds, short
        self.folder = os.path.join(folder, figure.name)
        self.kept = kept or {}
        os.makedirs(self.folder, exist_ok=True)
        self._began = time.monotonic()

    def say(self, text):
        print("%s  %4.0f s  %s" % (self.figure.name, time.monotonic() - self._began, text), flush=True)

    def left_s(self, share=1.0):
        """Of this share of its time."""
        return share * self.seconds - (time.monotonic() - self._began)

    def program(self, name):
        return os.path.join(BIN, name)

    def path(self, *names):
        path = os.path.join(self.folder, *names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return path


def attempt(run, part, *words):
    """(what a part of a figure gives back, "") or (None, what went wrong). A control that fails proves nothing, and takes no figure with it."""
    try:
        return part(*words), ""
    except (Exception, SystemExit) as problem:  # pylint: disable=broad-except
        said = " ".join(str(problem).split()) or type(problem).__name__
        run.say("FAILED: " + said)
        return None, "failed: " + said[:120]


def check_programs(figures):
    """SystemExit with what to do if a program is missing: a figure that fails for that is not tried again."""
    names = sorted({name for figure in figures for name in figure.programs if not os.path.exists(os.path.join(BIN, name))})
    if names:
        raise SystemExit("tests/evidence: %s has no %s. Nothing was measured. Build what is missing:\n"
                         "    deploy/configure release -DFENSI_TESTS=ON -DFENSI_BENCHES=ON -DFENSI_UNIT_TESTS_SANITIZED=OFF\n"
                         "    cmake --build --preset release --target %s" % (relative(BIN), ", ".join(names), " ".join(targets_of(names))))


def targets_of(programs):
    return [name.partition(".")[0] for name in programs]


@contextlib.contextmanager
def servers(folder, large):
    """Those of FENSI_TEST_STACK if that is set, otherwise a stack of its own with two region servers."""
    from lib import stack  # pylint: disable=import-outside-toplevel
    if os.environ.get("FENSI_TEST_STACK"):
        yield
        return
    with stack.own_stack(os.path.join(folder, "stack"), "--regionservers", "2", *(["--large"] if large else [])):
        yield


def relative(path):
    return os.path.relpath(path, ROOT)


def many(number):
    """For people: 40,123,456."""
    return "{:,}".format(number)
