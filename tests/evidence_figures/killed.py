"""E9: mutants. Each rule of tests/mutation is taken out of the program, and a test must fail then. All of them take a night, so a shorter
time tries those that the seed draws first. Survivors are listed by name."""
import collections

import run as mutation
from rules import MUTATIONS

from . import mutants
from .draw import order
from .figure import Figure, Outcome

SHOWN = 2  # on the page; evidence.json has all


def make(run):
    survivors, tried = [], []
    mutants.make_copy(run.say)
    for each in order(run.seed, MUTATIONS):
        if tried and run.left_s() < 0:
            break
        problem = mutation.try_mutation(each)
        tried.append(mutants.label(each))
        if problem:
            survivors.append(mutants.label(each))
        run.say("%d of %d: %s: %s" % (len(tried), len(MUTATIONS), tried[-1], problem[:200] or "killed"))
    text = "%d of %d mutants killed, of %d" % (len(tried) - len(survivors), len(tried), len(MUTATIONS))
    if survivors:
        text += "; survivors: " + "; ".join(survivors[:SHOWN]) + (" …" if len(survivors) > SHOWN else "")
    return Outcome(text, len(survivors), not survivors and len(tried) == len(MUTATIONS),
                   numbers={"tried": tried, "survivors": survivors, "by_rule": collections.Counter(name.split()[0] for name in tried)})


FIGURE = Figure("E9", "mutants", "all killed", "", 10, make)
