"""Regions that change places at random, with two region servers."""
import collections
import contextlib
import random
import threading
import time

from . import stack


class Unsteady:
    """Moves, splits and merges regions of the tables. HBase refuses some of it, such as a merge of regions that still refer to their
    parents' files."""

    def __init__(self, tables, keys, seed):
        """The keys of the tables are numbers below `keys` in decimal."""
        self._tables, self._keys, self._random = tables, keys, random.Random(seed)
        self.done = collections.Counter()

    def harm_for(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self._harm(self._random.choice(["move", "move", "split", "merge"]))
            time.sleep(0.3)  # between two of them

    @contextlib.contextmanager
    def in_background(self, harm):
        """A thread that runs harm(self). What goes wrong there fails at the end of the block."""
        problems = []

        def run():
            try:
                harm(self)
            except Exception as problem:  # pylint: disable=broad-except
                problems.append(problem)
        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        yield thread
        thread.join()
        if problems:
            raise problems[0]

    def move_without_waiting(self):
        """A server that dies meanwhile holds it up for minutes."""
        threading.Thread(target=self._harm, args=("move",), daemon=True).start()

    def regions(self, count, patience_s=1800):
        """Splits or merges those of the first table until it has so many."""
        end = time.monotonic() + patience_s
        while (now := self._count()) != count:
            assert time.monotonic() < end, "%s regions, and %d are wanted" % (now, count)
            if now is None:
                time.sleep(1)  # until the admin process has another connection
                continue
            if now < count:
                self._harm("split", self._tables[0])
            else:
                self._merge_pairs(now - count)

    def _merge_pairs(self, most):
        """Each second region with the next one; then without references, which would make HBase refuse to merge again."""
        starts = [line.split("[")[1].split(",")[0] for line in stack.admin("regions", self._tables[0]).splitlines()]
        for start in starts[:-1:2][:most]:
            self._try("merge", self._tables[0], start + "00")
        self._compact()

    def _count(self):
        """None: a move that failed beside it has closed the connection of the admin process."""
        try:
            return len(stack.admin("regions", self._tables[0]).splitlines())
        except AssertionError:
            self.done["refused"] += 1
            return None

    def _compact(self):
        """Of hundreds of regions it may take longer than the admin process waits."""
        try:
            stack.admin("compact", self._tables[0])
        except AssertionError:
            self.done["refused"] += 1

    def _harm(self, what, table=None):
        self._try(what, table or self._random.choice(self._tables), str(self._random.randrange(self._keys)).encode().hex())

    def _try(self, what, table, key):
        try:
            stack.admin(what, table, key)
            self.done[what] += 1
        except AssertionError:
            self.done["refused"] += 1


def one_again():
    """As others find the stack."""
    stack.devstack("stop", "regionserver")
    stack.devstack("up")
