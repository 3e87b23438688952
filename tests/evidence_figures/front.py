"""Runs figures one after the other, keeps each as it came, and writes the table."""
import argparse
import contextlib
import datetime
import os
import signal
import sys
import time
import traceback

from . import BIN, ROOT, page
from .book import Book
from .draw import seed_of
from .figure import FAILED, WHOLE_MINUTES, Load, Run, check_programs, relative, servers
from .figures import FIGURES
from .machine import commit, machine, versions

SHORT_MINUTES = 2  # and the starts of processes
DESCRIPTION = """Measures the figures of docs/evidence.md. Each has a control, a run with a fault in it, which must show faults.

    tests/evidence                              all of them, three hours
    tests/evidence --only E3 --minutes 5        one of them
    tests/evidence --short                      what continuous integration runs: four minutes, without builds

It writes evidence.json, and the table of docs/evidence.md. A figure is written as it came. A figure that is finished for this commit
and seed is not tried again: --seed draws others. After an interruption the same command continues with the figures that are missing.
"""


def names_in(text):
    known = [figure.name for figure in FIGURES]
    names = text.split(",")
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError("there is no %s; there are %s" % (name, ", ".join(known)))
    return names


def minutes_in(text):
    minutes = float(text)
    if minutes <= 0:
        raise argparse.ArgumentTypeError("%s is no number of minutes above 0" % text)
    return minutes


def parsed(words=None):
    parser = argparse.ArgumentParser("tests/evidence", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=minutes_in, help="for all figures of this run (%d; %d with --short). A build that has begun is not cut off" % (WHOLE_MINUTES, SHORT_MINUTES))
    parser.add_argument("--only", type=names_in, metavar="E3,E5", help="these figures")
    parser.add_argument("--seed", type=int, default=1, help="draws faults, histories and mutants (1)")
    parser.add_argument("--short", action="store_true", help="the figures that need no builds, and only their controls that need none")
    parser.add_argument("--out", default=os.path.join(ROOT, "build", "evidence"), help="folder of evidence.json and the histories")
    parser.add_argument("--no_page", action="store_true", help="leave docs/evidence.md as it is")
    parser.add_argument("--list", action="store_true", help="print what would run")
    options = parser.parse_args(words)
    options.minutes = options.minutes or (SHORT_MINUTES if options.short else WHOLE_MINUTES)
    return options


def chosen(options):
    """[(figure, seconds)]: the minutes are divided by the shares of the whole run."""
    figures = [figure for figure in FIGURES if (figure.name in options.only if options.only else not options.short or figure.short)]
    whole = sum(figure.minutes for figure in figures)
    return [(figure, 60 * options.minutes * figure.minutes / whole) for figure in figures]


def command_of(figure, options, seconds):
    return "tests/evidence --only %s --minutes %.3g --seed %d%s" % (figure.name, seconds / 60, options.seed, " --short" if options.short else "")


def make(run, prepare=lambda: None):
    """The entry of a figure. One that ends early is a failure, and not a reason to try again. `prepare`: starts what it needs."""
    began = time.time()
    with Load() as load:
        try:
            prepare()
            outcome = run.figure.make(run)
            entry = {"text": outcome.text, "faults": outcome.faults, "verdict": run.figure.verdict(outcome), "control": outcome.control,
                     "control_saw": outcome.seen, "numbers": outcome.numbers}
        except (Exception, SystemExit) as problem:  # pylint: disable=broad-except
            said = str(problem).strip() or type(problem).__name__
            entry = {"text": "failed: " + said[:160], "faults": 0, "verdict": FAILED, "control": "", "control_saw": None,
                     "numbers": {"trace": traceback.format_exc()[-4000:]}}
    return {**entry, "load": load.mean(), "seconds": round(time.time() - began), "planned_seconds": round(run.seconds),
            "began": datetime.datetime.fromtimestamp(began, datetime.timezone.utc).isoformat(timespec="seconds")}


def run_all(options, book):
    """Servers start before the first figure that needs them."""
    todo = [(figure, seconds) for figure, seconds in chosen(options) if figure.name not in book.finished()]
    for figure, _ in chosen(options):
        if figure.name in book.finished():
            print("%s  finished before: %s" % (figure.name, book.finished()[figure.name]["text"]))
    with contextlib.ExitStack() as at_end:
        running = []

        def start_servers():
            if not running:
                at_end.enter_context(servers(options.out, large=not options.short))
                running.append(True)
        for number, (figure, seconds) in enumerate(todo):
            left = sum(each for _, each in todo[number:]) / 60
            print("\n%s  %s: %.3g minutes; %d figures and %.3g minutes are left" % (figure.name, figure.title, seconds / 60, len(todo) - number, left),
                  flush=True)
            book.begin(figure.name)
            run = Run(figure, seed_of(options.seed, figure.name), seconds, options.out, options.short, book.finished())
            entry = make(run, start_servers if figure.servers else lambda: None)
            book.end(figure.name, command=command_of(figure, options, seconds), target=figure.target, **entry)
            print("%s  %s: %s" % (figure.name, entry["verdict"], entry["text"]), flush=True)


def main(words=None):
    options = parsed(words)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # its servers must not outlive it
    if options.list:
        for figure, seconds in chosen(options):
            print("%s  %5.1f minutes  %s; target: %s; control: %s" % (figure.name, seconds / 60, figure.title, figure.target, figure.control or "none"))
        return 0
    check_programs([figure for figure, _ in chosen(options)])
    os.makedirs(options.out, exist_ok=True)
    path = os.path.join(options.out, "evidence.json")
    book = Book(path, commit(), options.seed, machine=machine(), versions=versions(), programs=relative(BIN))
    try:
        run_all(options, book)
    except KeyboardInterrupt:
        print("\ninterrupted; the same command continues", file=sys.stderr)
        return 130
    finally:
        if not options.no_page and book.finished():
            page.write(FIGURES, book.text)
        print("\n" + "\n".join(lines for _, lines in page.blocks(FIGURES, book.text)) + "\n" + path, flush=True)
    return 0
