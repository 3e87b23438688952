"""A source row as HBase keeps it: what is visible follows from the set of cells that were told, in whatever order."""
import collections


class Row:
    def __init__(self):
        self.puts = collections.defaultdict(dict)        # column -> time -> (rank, value)
        self.columns = collections.defaultdict(int)      # column -> newest delete_column
        self.families = collections.defaultdict(int)     # family -> newest delete_family
        self.versions = collections.defaultdict(set)     # column or family -> times of single versions

    def apply(self, cell, rank):
        """`rank` orders puts of one column and time."""
        column, ts = cell["column"], cell["ts"]
        if cell["type"] == "put":
            old = self.puts[column].get(ts)
            if old is None or old[0] <= rank:
                self.puts[column][ts] = rank, cell["bytes"]
        elif cell["type"] == "delete_column":
            self.columns[column] = max(self.columns[column], ts)
        elif cell["type"] == "delete_family":
            self.families[column] = max(self.families[column], ts)
        else:
            self.versions[column].add(ts)

    def visible(self):
        """column -> (value, time)"""
        out = {}
        for column, puts in self.puts.items():
            shown = [ts for ts in puts if not self._deleted(column, ts)]
            if shown:
                out[column] = puts[max(shown)][1], max(shown)
        return out

    def _deleted(self, column, ts):
        family = column.split(":")[0]
        return (ts <= self.columns.get(column, 0) or ts <= self.families.get(family, 0)
                or ts in self.versions.get(column, ()) or ts in self.versions.get(family, ()))


class Table:
    def __init__(self):
        self.rows = collections.defaultdict(Row)
        self.told = 0

    def apply(self, change):
        """A change without a sequence id comes behind all that were told before."""
        self.told += 1
        for n, cell in enumerate(change.cells):
            self.rows[change.row].apply(cell, (change.seq or self.told, n))

    def visible(self):
        return {row: cells for row, cells in ((key, row.visible()) for key, row in self.rows.items()) if cells}
