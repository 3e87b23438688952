"""Records of random Avro schemas, whole and damaged, against a decoder that shares no code with fensi.

FENSI_ORACLE_SEED (1), FENSI_ORACLE_CASES (6 schemas), FENSI_ORACLE_ROWS (60 records of each).
"""
import collections
import json
import random
import tempfile
import unittest

import avro
from case import SEED, number
from program import Program, event, put
from values import ABSENT, Unmappable

ENDS = {"int": " | decimal", "long": " | decimal", "float": " | real | to_f64 | hex", "double": " | real | to_f64 | hex"}


class Avro(unittest.TestCase):
    figures = collections.Counter()

    def test_of_random_records(self):
        wrong = []
        for n in range(number("CASES", 6)):
            wrong += [f"case {n}: {text}" for text in self.differences(random.Random(SEED * 1000 + n))]
        print(dict(self.figures), flush=True)
        self.assertFalse(wrong, f"{len(wrong)} differences; the first:\n" + "\n".join(wrong[:5]))
        self.assertGreater(min(self.figures[kind] for kind in ("value", "absent", "unmappable")), 20)

    def differences(self, r):
        draw = avro.Draw(r)
        schema = draw.record()
        paths = {found[1]: found for found in (draw.path(schema) for _ in range(80)) if found}
        paths = list(paths.values())[:20]
        rows = {b"r%d" % n: draw.encoded(schema) if r.random() < 0.6 else draw.damaged(draw.encoded(schema))
                for n in range(number("ROWS", 60))}
        with tempfile.TemporaryDirectory(prefix="fensi-oracle-") as folder:
            program = Program(folder)
            program.write("r.avsc", json.dumps(schema, indent=1))
            program.write("m.yaml", self.mapping(paths))
            program.run("m.yaml", [event(row, [put("f:a", 1, data)], n + 1) for n, (row, data) in enumerate(rows.items()) if data])
            for n, path in enumerate(paths):
                held = {cell[1]: value[0] for cell, value in program.cells(f"i{n}").items()}
                for row, data in rows.items():
                    right = self.right(data, schema, draw.named, path[0])
                    if data and held.get(row) != right:
                        yield f"{path[1]} of {data.hex()} is {held.get(row)}, not {right}, by {json.dumps(schema)}"

    def mapping(self, paths):
        text = "source: s\navros: [r.avsc]\nindexes:\n"
        for n, (_, words, kind) in enumerate(paths):
            text += (f"  i{n}:\n    table: i{n}\n    row: '{{row}}'\n    requires: f:a\n    columns:\n"
                     f"      'f:v': '{{f:a | avro R0 \"{words}\"{ENDS.get(kind, '')} | default \"-\"}}'\n").replace("'a.b'", '[\\"a.b\\"]')
        return text.replace('.[\\"', '[\\"')

    def right(self, data, schema, named, path):
        """A cell, or nothing."""
        try:
            value = avro.taken(data, schema, named, path)
        except Unmappable:
            self.figures["unmappable"] += 1
            return None
        self.figures["absent" if value is ABSENT else "value"] += 1
        return b"-" if value is ABSENT else value


if __name__ == "__main__":
    unittest.main(verbosity=2)
