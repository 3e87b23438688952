"""Programs from which one rule is taken out: tests/mutation builds them in a copy of the tree."""
import contextlib
import os
import time

import run as mutation
from rules import MUTATIONS

from .machine import commit

PROGRAM = "fensi"
STAMP = ".evidence_commit"
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


def make_copy(say):
    """The copy of the tree, of this commit. The first build in it compiles much, those behind it a folder each."""
    stamp, now = os.path.join(mutation.COPY, STAMP), commit()
    if not now.endswith("+changes") and os.path.exists(stamp) and mutation.read(stamp) == now:
        return
    begin = time.monotonic()
    mutation.copy_tree()
    with open(stamp, "w", encoding="utf-8") as out:
        out.write(now)
    say("a copy of the tree after %.0f s" % (time.monotonic() - begin))


@contextlib.contextmanager
def without(say, each, target):
    """The folder of the programs of the copy while the rule is out. RuntimeError: it does not build."""
    begin = time.monotonic()
    with mutation.applied(each):
        built = mutation.build_targets({target})
        if built.returncode != 0:
            raise RuntimeError("without %s %s does not build:\n%s" % (label(each), target, built.stdout[-2000:]))
        say("built without %s after %.0f s" % (label(each), time.monotonic() - begin))
        yield os.path.join(mutation.BUILD, "bin")
