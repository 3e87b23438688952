#!/usr/bin/env python3
"""Checks a history of registers that an index follows: check_history.py HISTORY.json. It needs nothing but Python.

The history is a list of operations {process, type, f, register, value, time}: an `invoke`, and its end `ok`, `fail` or `info` (it may have
happened). One process writes a register, with numbers that grow: `write` sets the number, `delete` removes the register at a number. `read-index`
and `read-source` show the numbers of a register, [] for none. `final-index` and `final-source` are reads after everything was applied.

An index may lag, so it may show an old number. It must not do what this program counts:
  nonmonotonic         a read shows an older number than a read that had ended before it began
  lost                 the last read is older than the last acknowledged write, or is not what the source has
  resurrected          a read shows a number from before a delete that an earlier read has shown
  missing while moved  a read shows nothing of a register, and no delete explains that
  invented             a read shows a number that was not written before the read ended
  extra                the last read shows more than one number
"""
import bisect
import collections
import json
import sys

KINDS = ("nonmonotonic", "lost", "resurrected", "missing while moved", "invented", "extra")
Read = collections.namedtuple("Read", "f began ended value")


def operations(history):
    """{register: (writes {number: time of invocation}, deletes likewise, acknowledged numbers, reads in order of their end)}."""
    open_since, found = {}, {}
    for op in history:
        writes, deletes, acknowledged, reads = found.setdefault(op["register"], ({}, {}, set(), []))
        if op["type"] == "invoke":
            open_since[op["process"]] = op["time"]
            if op["f"] in ("write", "delete"):
                (writes if op["f"] == "write" else deletes)[op["value"]] = op["time"]
        elif op["type"] == "ok" and op["f"] in ("write", "delete"):
            acknowledged.add(op["value"])
        elif op["type"] == "ok":
            reads.append(Read(op["f"], open_since[op["process"]], op["time"], op["value"]))
    return found


class Newest:
    """The newest state that is known at a time, by reads that had ended before it."""

    def __init__(self):
        self._ended, self._states = [], []

    def note(self, ended, state):
        self._ended.append(ended)
        self._states.append(max(state, self._states[-1] if self._states else 0))

    def before(self, time):
        count = bisect.bisect_left(self._ended, time)
        return self._states[count - 1] if count else 0


def check_reads(writes, deletes, reads):
    """The faults of the reads of one register in an index: kind -> how many. A state is the number of a write or of a delete."""
    found, shown, gone = collections.Counter(), Newest(), Newest()
    for read in reads:
        least = state = shown.before(read.began)
        if read.value:
            state = max(read.value)
            found["invented"] += any(writes.get(number, read.ended) >= read.ended for number in read.value)
            older = "resurrected" if state < gone.before(read.began) else "nonmonotonic"
            found[older] += state < least
        elif least and least not in deletes:  # the oldest delete that explains it
            state = min((number for number, began in deletes.items() if number > least and began < read.ended), default=0)
            found["missing while moved"] += state == 0
        shown.note(read.ended, state)
        gone.note(read.ended, 0 if read.value or state not in deletes else state)
    return found


def check_last(writes, deletes, acknowledged, reads):
    found, last = collections.Counter(), {read.f: read.value for read in reads if read.f.startswith("final")}
    index, source, newest = last.get("final-index"), last.get("final-source"), max(acknowledged, default=0)
    if index is None:
        return found
    older = max(index, default=0) < newest and not any(number >= newest for number in deletes)
    if older or (source is not None and (max(source, default=0) not in index) != (not source)):
        found["lost"] += 1
    if len(index) > 1 or (source == [] and index):
        found["extra"] += 1
    return found


def check(history):
    """{kind: how many}, of all kinds."""
    found = collections.Counter({kind: 0 for kind in KINDS})
    for writes, deletes, acknowledged, reads in operations(history).values():
        found += check_reads(writes, deletes, [read for read in reads if read.f == "read-index"])
        found += check_last(writes, deletes, acknowledged, reads)
    return {kind: found[kind] for kind in KINDS}


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as text:
        FAULTS = check(json.load(text))
    print(", ".join("%s: %d" % fault for fault in FAULTS.items()))
    sys.exit(1 if any(FAULTS.values()) else 0)
