"""An index on an embedded store, and how a test damages it.

The source table is made by an index of its own (`copy`), and the damage by another one (`plant`) that writes to the table of
the first: an embedded store takes cells from `fensi run` only.
"""
import harness
from follow import COPY, MAPPING, cell, event, follow

PLANT = """source: plant
indexes:
  plant:
    table: fensi
    row: '{f1:row}'
    columns: { 'f1:{f1:qualifier}': '{f1:value | default ""}' }
    unique: true
"""
FILES = {"copy.yaml": COPY, "guanzhu.yaml": MAPPING, "plant.yaml": PLANT}  # the source table is there first
COLUMNS = ("row", "qualifier", "value")


class DamagedIndex(harness.CliTest):
    STORE = "--store=embedded:data"
    LINE = ("verify", "guanzhu.yaml", "fensi", STORE, "--recheck_s=0")
    ROWS = STREAMED = 30  # of the source; the first of them came by the stream of the index, too
    FOLLOWED = 7

    def setUp(self):
        super().setUp()
        for name, text in FILES.items():
            self.file(name, text)
        for name in FILES:  # a new index wants an empty table
            self.run_index(name, "")
        follows = [follow(f"r{i:03}", f"m{i % self.FOLLOWED}", 10) for i in range(self.ROWS)]
        self.run_index("guanzhu.yaml", "".join(follows[:self.STREAMED]))
        self.run_index("copy.yaml", "".join(follows).replace('"guanzhu"', '"raw"'))

    def run_index(self, mapping, events):
        self.succeeds("run", mapping, "--source=file:" + self.file("events.jsonl", events), self.STORE)

    def planted(self, name, row, qualifier, value, ts):
        cells = {"f1:row": row, "f1:qualifier": qualifier, "f1:value": value}
        return event(name, *(cell("put", column, ts, value) for column, value in cells.items()), table="plant")

    def removed(self, name, ts):
        return event(name, *(cell("delete_column", "f1:" + column, ts) for column in COLUMNS), table="plant")

    def damage(self):
        """One entry altered, one planted, one removed."""
        self.run_index("plant.yaml", self.planted("p1", "m0", "r000", "altered", 100) + self.planted("p2", "m0", "r001", "", 100) +
                       self.planted("p3", "m2", "r002", "", 100))
        self.run_index("plant.yaml", self.removed("p3", 200))
