"""E3: random histories of the core in one thread, with a clock that moves and a death at any call (tests/indexer/model). A seed and a
number name a history. The control takes one rule after the other out and counts histories until the simulation notices."""
import os
import re
import statistics
import subprocess
import time

from . import mutants
from .draw import order
from .figure import Figure, Outcome, attempt, many

TEST = "model_property_test"
FILTER = "--gtest_filter=Model.HoldsOnRandomHistories"
CHUNK, SHORT_CHUNK = 5_000, 500
SEEDS_OF_ONE = 10_000_000  # of a seed of ours
MOST_HISTORIES = 10_000    # of a control, from each of its first seeds
FIRST_SEEDS = 3
OFTEN = 1_000
FAULTS = ("deaths before a call", "deaths after a call", "restarts", "events told again", "events told out of order",
          "pieces of the stream that are repeated", "reads that come too early", "compactions of the source", "compactions of the index", "splits")
SIMULATED = "simulated seconds"


def counts_in(text):
    """{what: how often} of what the test prints."""
    return {what: int(number) for number, what in re.findall(r"^ {2,}(\d+)  (\S.*)$", text, re.M)}


def found_after(text):
    """Histories until the first that is wrong; None: there was none."""
    found = re.search(r"^# seed \d+, after (\d+) histories", text, re.M)
    return int(found.group(1)) if found else None


def play(program, first, histories, findings=None, timeout_s=3600):
    settings = {"FENSI_MODEL_SEED": str(first), "FENSI_MODEL_HISTORIES": str(histories)}
    if findings:
        settings["FENSI_MODEL_FINDINGS"] = findings
    done = subprocess.run([program, FILTER], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=timeout_s,
                          env={**os.environ, **settings})
    return done.stdout


class Totals:
    """What all chunks together have counted. `findings`: the folder to which the test writes a file for each kind of failure."""

    def __init__(self, findings):
        self._findings = findings
        self.counts, self.histories, self.wrong = {}, 0, 0
        self.first_wrong = None

    def add(self, text, histories):
        kinds = {os.path.splitext(name)[0] for name in os.listdir(self._findings)}
        for what, number in counts_in(text).items():
            if what in kinds:
                self.wrong += number
            else:
                self.counts[what] = self.counts.get(what, 0) + number
        if self.first_wrong is None and (found := re.search(r"^# seed (\d+)", text, re.M)):
            self.first_wrong = int(found.group(1))
        if "histories of" not in text:
            raise RuntimeError("%s ended early:\n%s" % (TEST, text[-1500:]))
        self.histories += histories

    def faults(self):
        return sum(self.counts.get(what, 0) for what in FAULTS)

    def rare(self):
        return {what: number for what, number in sorted(self.counts.items()) if number < OFTEN}


def search(run, share):
    findings = run.path("findings", "")
    totals, first = Totals(findings), run.seed * SEEDS_OF_ONE
    chunk, began, said = SHORT_CHUNK if run.short else CHUNK, time.monotonic(), 0.0
    while totals.histories == 0 or run.left_s(share) > 0:
        totals.add(play(run.program(TEST), first + totals.histories, chunk, findings), chunk)
        if time.monotonic() > said + 30:
            run.say("%s histories, %d wrong" % (many(totals.histories), totals.wrong))
            said = time.monotonic()
    return totals, time.monotonic() - began


def until_found(program, first_seeds):
    """For each first seed the number of histories, or None."""
    return [found_after(play(program, first, MOST_HISTORIES)) for first in first_seeds]


def control(run):
    """{rule: [histories until it was found]} of as many rules as there is time for, in the order that the seed draws."""
    found, rules = {}, order(run.seed, mutants.of_core())
    for each in rules:
        if found and run.left_s() < 0:
            break
        firsts = [run.seed * SEEDS_OF_ONE + number * MOST_HISTORIES for number in range(FIRST_SEEDS)]
        try:
            with mutants.without(run.say, each, TEST) as program:
                found[mutants.label(each)] = until_found(program, firsts)
        except RuntimeError as problem:
            found[mutants.label(each)] = []
            run.say(str(problem)[:300])
        run.say("%d of %d rules: %s: %s" % (len(found), len(rules), mutants.label(each), found[mutants.label(each)]))
    return found, len(rules)


def of_control(found, rules):
    """(text, whether it saw faults)"""
    known = [number for numbers in found.values() for number in numbers if number is not None]
    missed = [rule for rule, numbers in found.items() if not any(number is not None for number in numbers)]
    if not found:
        return "", None
    text = "%d of %d rules taken out, %d found" % (len(found), rules, len(found) - len(missed))
    if known:
        text += " after %d histories (median), %d at most" % (statistics.median(known), max(known))
    if missed:
        text += "; not found: " + ", ".join(rule.split()[0] for rule in missed[:8]) + (" …" if len(missed) > 8 else "")
    return text, bool(known)


def make(run):
    totals, seconds = search(run, 0.9 if run.short else 0.5)
    hours = totals.counts.get(SIMULATED, 0) / 3600
    text = "%s histories of %s rows, %s simulated hours (%s a minute), %s faults: %d wrong" % (
        many(totals.histories), many(totals.counts.get("rows", 0)), many(round(hours, 1)), many(round(hours / seconds * 60, 1)),
        many(totals.faults()), totals.wrong)
    rare = totals.rare()
    if rare:
        text += "; %d of %d things happened less than %s times" % (len(rare), len(totals.counts), many(OFTEN))
    damaged, failed = (None, "") if run.short else attempt(run, control, run)
    found, rules = damaged or ({}, 0)
    said, seen = of_control(found, rules)
    return Outcome(text, totals.wrong, totals.wrong == 0 and totals.histories >= 2_000_000 and not rare, failed or said, seen,
                   {"histories": totals.histories, "seconds": round(seconds, 1), "wrong": totals.wrong, "first_wrong_seed": totals.first_wrong,
                    "counts": totals.counts, "rare": rare, "control": found})


FIGURE = Figure("E3", "simulation: histories, faults, wrong indexes", "2,000,000 histories, 0 wrong, each thing 1,000 times",
                "each rule taken out, one by one, is found", 30, make, short=True, programs=(TEST,))
