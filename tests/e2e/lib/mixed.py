"""A load of everything at once: rows by Zipf, 15 % deletes, 25 % changed keys; and the index it must end in, computed
from the events alone.

The source table has a row for each user with one column f1:from, the user he follows; the index has a row for each
followed user with one column f1:<follower>, whose value is the timestamp of the source cell as text."""
import itertools
import json
import random

from .followers import followers
from .program import Feed, Load
from .stream import PARTITIONS, Stream

MAPPING = followers("{f1:from@ts | decimal}")
ROWS, KEYS = 3000, 700
# Some of the changes meet no entry and make one: 25 % of all events are left.
DELETES, CHANGES = 0.15, 0.30


class Mixed:
    """`living` is row -> (key, timestamp), after the events that were drawn so far."""

    def __init__(self, table, seed):
        self._table, self._random = table, random.Random(seed)
        self._weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(ROWS)))
        self._clock = 1_700_000_000_000
        self.living = {}
        self._count, self._deletes, self._changes = 0, 0, 0
        print("seed %d" % seed)

    def events(self):
        """Lines without end, in the order of the source."""
        while True:
            for row in self._random.choices(range(ROWS), cum_weights=self._weights, k=1000):
                yield self._event("u%d" % row)

    def index(self):
        """The cells that must be there: (row, column) -> value."""
        return {(key, "f1:" + row): str(timestamp) for row, (key, timestamp) in self.living.items()}

    def shares(self):
        """For people: what the load was made of."""
        return "%.1f %% deletes, %.1f %% changed keys" % tuple(
            100 * part / max(1, self._count) for part in (self._deletes, self._changes))

    def _event(self, row):
        self._clock += 1
        self._count += 1
        cell = {"column": "f1:from", "ts": self._clock}
        chance = self._random.random()
        if chance < DELETES:
            self.living.pop(row, None)
            self._deletes += 1
            cell["type"] = "delete_column"
        else:
            old = self.living.get(row)
            changed = old is None or chance < DELETES + CHANGES
            self._changes += old is not None and changed
            key = str(self._random.randrange(KEYS)) if changed else old[0]
            self.living[row] = (key, self._clock)
            cell.update(type="put", value=key)
        event = {"table": self._table, "row": row, "cells": [cell], "seq": self._clock}
        return json.dumps(event, separators=(",", ":")) + "\n"


class MixedLoad:
    """A stream of its own with this load, which begins at once and goes on until finish()."""

    def __init__(self, folder, prefix, per_second, at_least=0, partitions=PARTITIONS):
        self.stream = Stream(folder, prefix, MAPPING, partitions)
        self.stream.create()
        self.changes = Mixed(self.stream.source, random.SystemRandom().randrange(1_000_000))
        self.feed = Feed(self.changes.events(), at_least)
        self._load = Load(self.stream.topic, self.feed, per_second)

    def finish(self, seconds=600):
        """Waits until the index has all of it."""
        self.feed.enough()
        self._load.finish()
        self.stream.wait_caught_up(seconds)
