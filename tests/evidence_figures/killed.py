"""E9: mutants. Each rule of tests/mutation is taken out of the program, and a test must fail then. All of them take hours, so a shorter
time tries those that the seed draws first. Survivors are listed by name."""
import collections
import os
import tempfile

import run as mutation
from rules import MUTATIONS

from . import ROOT, mutants
from .draw import order
from .figure import Figure, Outcome

SHOWN = 2  # on the page; evidence.json has all


def try_some(run, wanted):
    """([label of each that was tried], [what is wrong]): at least one, and then as many as there is time for."""
    tried = []
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "build")) as programs:
        trial = mutation.Trial(mutants.copy(), wanted, programs)
        for each in wanted:
            if tried and run.left_s() < 0:
                break
            trial.start(each)
            tried.append(mutants.label(each))
            if len(tried) % 20 == 0:
                run.say("%d of %d" % (len(tried), len(wanted)))
        return tried, trial.end()


def make(run):
    wanted = order(run.seed, MUTATIONS)
    mutation.must(mutants.copy().build({each.binary for each in wanted}))
    tried, problems = try_some(run, wanted)
    text = "%d of %d mutants killed, of %d" % (len(tried) - len(problems), len(tried), len(MUTATIONS))
    if problems:
        text += "; survivors: " + "; ".join(problem.split(": ")[0] for problem in problems[:SHOWN]) + (" …" if len(problems) > SHOWN else "")
    return Outcome(text, len(problems), not problems and len(tried) == len(MUTATIONS),
                   numbers={"tried": tried, "problems": problems, "by_rule": collections.Counter(name.split()[0] for name in tried)})


FIGURE = Figure("E9", "mutants", "all killed", "", 10, make, programs=())
