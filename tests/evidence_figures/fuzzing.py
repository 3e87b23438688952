"""E8: hostile bytes. Each fuzz target runs under the address and undefined-behaviour sanitizers, and the lines that its inputs reach are
counted. The control takes one bound out of a decoder. The short form replays the corpora."""
import json
import os
import re
import shutil
import subprocess
import time

import run as mutation
from rules import Mutation

from . import ROOT, mutants
from .figure import Figure, Outcome, attempt, many

CORPORA = {
    "fuzz_mapping_parser": ("deploy/examples", "tests/mapping/bad"),
    "fuzz_mapping_evaluation": ("tests/fuzz/corpus/mapping_evaluation",),
    "fuzz_stream_messages": ("tests/fuzz/corpus/stream_messages",),
    "fuzz_capture_frame": ("tests/fuzz/corpus/capture_frame",),
    "fuzz_capture_cells": ("tests/fuzz/corpus/capture_cells",),
    "fuzz_admin_request": ("tests/fuzz/corpus/admin_request",),
}
# The sources whose lines count as decoders.
DECODERS = ("base/field_reader", "base/bytes", "capture/rpc/frame", "capture/rpc/call", "capture/wal/", "consumer/codec/", "hbase/wire/cell_block",
            "consumer/message_reassembler")
LEAST_COVERED = 0.85
BOUND = Mutation("bound", "a tag may be longer than its cell", "hbase/wire/cell_block.cc",
                 "if (length == 0 || length > tags.size() - kTagsLengthBytes) return false;", "if (length > tags.size()) return true;", "fuzz_capture_cells", "")
MOST_S = 60  # until the bound is missed


def corpus(name):
    return [os.path.join(ROOT, folder) for folder in CORPORA[name]]


def executions(text):
    """Of libFuzzer, or of a replay, which runs each input and its first half."""
    found = re.search(r"^stat::number_of_executed_units: (\d+)", text, re.M)
    replayed = re.search(r"^(\d+) inputs", text, re.M)
    return int(found.group(1)) if found else 2 * int(replayed.group(1)) if replayed else 0


def call(*words, **settings):
    return subprocess.run(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", check=False, cwd=ROOT,
                          env={**os.environ, **settings})


def fuzz(folder, name, seconds, seed):
    """(executions, whether it crashed)"""
    done = call(os.path.join(ROOT, "tests", "fuzz", "run"), os.path.join(folder, name), str(max(1, round(seconds))), *corpus(name),
                FENSI_FUZZ_SECONDS=str(max(1, round(seconds))), FENSI_FUZZ_SEED=str(seed))
    return executions(done.stdout), done.returncode != 0


def replay(folder, name):
    done = call(os.path.join(folder, name), *corpus(name))
    return executions(done.stdout), done.returncode != 0


def built(preset, *more):
    """The folder of the fuzz targets of a preset."""
    for words in (("deploy/configure", preset, "-DFENSI_TESTS=ON", *more), ("cmake", "--build", "--preset", preset, "--target", *CORPORA)):
        done = call(*words)
        if done.returncode != 0:
            raise RuntimeError("%s failed:\n%s" % (" ".join(words), done.stdout[-2000:]))
    return os.path.join(ROOT, "build", preset, "bin")


def covered(run):
    """(lines reached, lines) of the decoders, by replays of the corpora that were compiled by GCC with --coverage."""
    folder = os.path.join(ROOT, "build", "coverage")
    flags = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=--coverage -O0", "-DFENSI_TESTS=ON", "-DCMAKE_UNITY_BUILD=OFF")
    for words in (("cmake", "-G", "Ninja", "-S", ROOT, "-B", folder, *flags), ("cmake", "--build", folder, "--target", *CORPORA)):
        done = call(*words)
        if done.returncode != 0:
            raise RuntimeError("%s failed:\n%s" % (" ".join(words), done.stdout[-2000:]))
    for name in CORPORA:
        replay(os.path.join(folder, "bin"), name)
    reached = {}
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".gcda"):
                done = call("gcov", "--json-format", "--stdout", os.path.join(path, name))
                count_lines(done.stdout, reached)
    run.say("%d lines of decoders" % len(reached))
    shutil.rmtree(folder)
    return sum(reached.values()), len(reached)


def count_lines(text, reached):
    """Adds {(file, line): whether it was reached} of gcov's JSON, one object a line."""
    for line in text.splitlines():
        if not line.startswith("{"):
            continue
        for file in json.loads(line)["files"]:
            path = os.path.relpath(os.path.join(ROOT, file["file"]), ROOT)
            if path.startswith(DECODERS):
                for each in file["lines"]:
                    at = path, each["line_number"]
                    reached[at] = reached.get(at, False) or each["count"] > 0


def without_a_bound(run):
    """Seconds until the target crashes without the bound, or None."""
    copy = mutants.copy()
    with copy.applied(BOUND):
        for words in (("cmake", "--preset", "asan", "-DFENSI_TESTS=ON"), ("cmake", "--build", "--preset", "asan", "--target", BOUND.binary)):
            done = mutation.run(*words, cwd=copy.root)
            if done.returncode != 0:
                raise RuntimeError("%s failed:\n%s" % (" ".join(words), done.stdout[-2000:]))
        began = time.monotonic()
        _, crashed = fuzz(os.path.join(copy.root, "build", "asan", "bin"), BOUND.binary, MOST_S, run.seed)
    return time.monotonic() - began if crashed else None


def make_short(run):
    folder = os.path.dirname(run.program("fuzz_capture_cells"))
    found = {name: replay(folder, name) for name in CORPORA}
    total, crashes = sum(count for count, _ in found.values()), [name for name, (_, crashed) in found.items() if crashed]
    return Outcome("%s executions of %d targets, replayed: %d crashes" % (many(total), len(found), len(crashes)), len(crashes),
                   numbers={"targets": found})


def make(run):
    if run.short:
        return make_short(run)
    folder, found = built("asan"), {}
    for name in CORPORA:
        found[name] = fuzz(folder, name, run.seconds / len(CORPORA), run.seed)
        run.say("%s: %s executions%s" % (name, many(found[name][0]), ", CRASHED" if found[name][1] else ""))
    total, crashes = sum(count for count, _ in found.values()), [name for name, (_, crashed) in found.items() if crashed]
    lines, no_lines = attempt(run, covered, run)
    reached, all_lines = lines or (0, 0)
    took, failed = attempt(run, without_a_bound, run)
    text = "%s executions of %d targets: %d crashes; the corpora reach " % (many(total), len(found), len(crashes))
    text += no_lines or "%d of %d lines of the decoders, %.0f %%" % (reached, all_lines, 100 * reached / max(1, all_lines))
    return Outcome(text, len(crashes), not crashes and 0 < LEAST_COVERED * all_lines <= reached,
                   "a bound taken out: " + (failed or ("not found in %d s" % MOST_S if took is None else "found after %.0f s" % took)), took is not None,
                   {"targets": found, "lines": all_lines, "reached": reached, "found_after_s": took})


FIGURE = Figure("E8", "hostile bytes", "0 crashes, 85 % of the decoders' lines", "a bound taken out is found", 10, make, short=True, programs=tuple(CORPORA))
