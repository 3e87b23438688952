"""A linked list in a table, as HBase's own IntegrationTestBigLinkedList builds it: each row names the one before it, f1:prev, and
in the end all of them are one circle. An index on f1:prev leads through it forward, and one lost entry breaks it."""
import random

from . import reading

MAPPING = """\
source: %(source)s
indexes:
  %(index)s:
    table: %(index)s
    row: '{f1:prev}'
    columns: { 'f1:{row}': '' }
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6', '8', 'a', 'c', 'e'] } }
"""
WIDTH = 1000


def index_of(source):
    """The index cells that must be there: (row, column) -> value."""
    return {(prev, "f1:" + row): "" for (row, _), (_, prev) in reading.by_admin(source).items()}


class LinkedList:
    """WIDTH nodes are written, then WIDTH that name these, and so on; the first are written again at last, so that they name
    the last ones, one further each: that makes one circle of them."""

    def __init__(self, nodes, seed=None):
        draw = random.Random(seed)
        self._steps = [["%016x" % draw.getrandbits(64) for _ in range(WIDTH)] for _ in range(nodes // WIDTH)]
        self.size = WIDTH * len(self._steps)

    def nodes(self):
        """Their rows."""
        return (row for step in self._steps for row in step)

    def is_circle(self, index):
        """Does the index lead from the first node to itself, through as many steps as there are nodes?"""
        node = start = self._steps[0][0]
        for count in range(1, self.size + 1):
            node = index.get(node)
            if node in (None, start):
                return node == start and count == self.size
        return False

    def cells(self, begin_ms):
        """In the order of writing: (row, column, timestamp, value)."""
        first, last = self._steps[0], self._steps[-1]
        before = ["none"] * WIDTH
        for number, step in enumerate(self._steps):
            yield from ((row, "f1:prev", begin_ms + number, prev) for row, prev in zip(step, before))
            before = step
        yield from ((row, "f1:prev", begin_ms + len(self._steps), prev) for row, prev in zip(first, last[1:] + last[:1]))

    def check(self, index):
        """Goes through the circle by the index alone: row -> the column that it has."""
        node = start = self._steps[0][0]
        for count in range(1, self.size + 1):
            assert node in index, "HOLE: after %d of %d nodes nothing follows %s" % (count, self.size, node)
            node = index[node]
            if node == start:
                break
        assert node == start and count == self.size, "the circle has %d nodes, not %d" % (count, self.size)
