"""The follow graph, its changes, and the index it must have: computed from the edges alone, not by the program.

The source table `guanzhu` has a row for each follower with one column f1:<followed> for each user he follows; the index
has a row for each followed user with one column f1:<follower>, whose value is the timestamp of the source cell as text."""
import json
import os
import sys

from .stack import ROOT

sys.path.insert(0, os.path.join(ROOT, "deploy"))
from graph_to_events import edges  # noqa: E402

GRAPH_FILE = os.path.join(ROOT, "tests", "data", "slashdot-follow.csv.gz")
MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    each: f1:*
    row: '{qualifier}'
    columns: { 'f1:{row}': '{ts | decimal}' }
    table: %(index)s
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6'] } }
"""


class Graph:
    """The living edges (follower, followed) -> timestamp, and the events that led to them."""

    def __init__(self, table, limit=None):
        self._table = table
        self._clock = 0
        self.living = {}
        for follower, followed, timestamp in edges(GRAPH_FILE):
            if len(self.living) == limit:
                break
            self.living[follower, followed] = timestamp
            self._clock = timestamp

    def events(self):
        """One line for each edge, in the order of the file."""
        for (follower, followed), timestamp in self.living.items():
            yield self._event(follower, _put(followed, timestamp))

    def stray(self, follower):
        """The line of an event that is no part of the graph."""
        return self._event(follower, _put("1", self._clock))

    def change(self):
        """Removes 5 % of the edges, moves 5 % to another user, deletes the row of the user who follows most; returns
        the lines of the events."""
        keys = list(self.living)
        lines = [self.unfollow(*key) for key in keys[::20]]
        lines += [self.move(*key) for key in keys[10::20]]
        lines.append(self.leave(self._most_active()))
        return lines

    def unfollow(self, follower, followed):
        del self.living[follower, followed]
        return self._event(follower, _marker(followed, self._tick()))

    def move(self, follower, followed):
        """One atomic mutation: the column of one user goes, that of another comes."""
        del self.living[follower, followed]
        other = self._not_followed_by(follower, int(followed))
        timestamp = self._tick()
        self.living[follower, other] = timestamp
        return self._event(follower, _marker(followed, timestamp), _put(other, timestamp))

    def leave(self, follower):
        for key in [key for key in self.living if key[0] == follower]:
            del self.living[key]
        return self._event(follower, {"type": "delete_family", "family": "f1", "ts": self._tick()})

    def index(self):
        """The index cells that must be there: (row, column) -> (timestamp, value)."""
        return {(followed, "f1:" + follower): (timestamp, str(timestamp))
                for (follower, followed), timestamp in self.living.items()}

    def _tick(self):
        self._clock += 1
        return self._clock

    def _most_active(self):
        counts = {}
        for follower, _ in self.living:
            counts[follower] = counts.get(follower, 0) + 1
        return max(counts, key=counts.get)

    def _not_followed_by(self, follower, seed):
        candidate = seed
        while True:
            candidate = candidate * 7919 % 82168 + 1
            if (follower, str(candidate)) not in self.living:
                return str(candidate)

    def _event(self, follower, *cells):
        return json.dumps({"table": self._table, "row": follower, "cells": cells}, separators=(",", ":")) + "\n"


def _put(followed, timestamp):
    return {"type": "put", "column": "f1:" + followed, "ts": timestamp, "value": "follows"}


def _marker(followed, timestamp):
    return {"type": "delete_column", "column": "f1:" + followed, "ts": timestamp}


def write_lines(path, lines):
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(lines)
    return path


def write_mapping(folder, source, index, text=MAPPING):
    return write_lines(os.path.join(folder, index + ".yaml"), [text % {"source": source, "index": index}])
