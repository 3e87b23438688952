"""Programs from which one rule is taken out: tests/mutation builds them in a copy of the tree."""
import contextlib
import functools
import os
import time

import run as mutation
from rules import MUTATIONS

PROGRAM = "fensi"
# What the simulation of E3 plays: how states and entries are planned, written, and asked again.
CORE = ("indexer/plan/", "indexer/state/", "indexer/mirror/", "indexer/ambiguity_resolver.cc", "indexer/stateful_maintainer.cc",
        "indexer/index_writer.cc", "indexer/reread_schedule", "indexer/conversion.cc")


def of_core():
    return [each for each in MUTATIONS if each.file.startswith(CORE)]


def named(rule, what):
    """The mutation of these words. They are unique together."""
    (found,) = [each for each in MUTATIONS if (each.rule, each.what) == (rule, what)]
    return found


def label(each):
    return "%s %s" % (each.rule, each.what)


@functools.lru_cache(maxsize=1)
def copy():
    """The copy of the tree. The first build in it compiles much, each later one a file."""
    return mutation.Copy()


@contextlib.contextmanager
def without(say, each, target):
    """The program of the copy while the rule is out. RuntimeError: it does not build."""
    begin = time.monotonic()
    with copy().applied(each):
        built = copy().build({target})
        if built.returncode != 0:
            raise RuntimeError("without %s %s does not build:\n%s" % (label(each), target, built.stdout[-2000:]))
        say("built without %s after %.0f s" % (label(each), time.monotonic() - begin))
        yield copy().program(target)
