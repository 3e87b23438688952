"""The programs that `fensi code` prints, beside `fensi lookup` on the same index."""
import importlib.util
import json
import os
import pathlib
import re
import sys
import tempfile

import yaml

sys.path.insert(0, os.path.join(os.environ["FENSI_ROOT"], "tests", "oracle"))

import random_rows
from program import FENSI, Program, event, put
from random_index import COLUMNS
from values import escaped, unescaped

EXAMPLES = sorted(pathlib.Path(os.environ["FENSI_ROOT"], "deploy", "examples").glob("*.yaml"))
BESIDE = [path for path in EXAMPLES[0].parent.iterdir() if path.suffix in (".proto", ".avsc")]  # which examples name
RANGE = re.compile(r'(get|scan) "((?:[^"\\]|\\.)*)", (?:\{STARTROW => )?"((?:[^"\\]|\\.)*)"(?:, STOPROW => "((?:[^"\\]|\\.)*)")?')


def unquoted(text):
    return unescaped(text.replace('\\"', '"').replace("\\#", "#"))


class World(Program):
    """A folder with a mapping file m.yaml, an embedded store, and the code of its indexes."""

    def __init__(self, test):
        folder = tempfile.TemporaryDirectory(prefix="fensi-code-")
        test.addCleanup(folder.cleanup)
        super().__init__(folder.name)

    def python(self, index, mapping="m.yaml"):
        code, out, err = self.call("code", "python", mapping, index)
        assert code == 0, err
        return self.module(index, out)

    def module(self, name, text):
        path = os.path.join(self.folder, self.write(f"{re.sub('[^a-z0-9]', '_', name.lower())}.py", text))
        spec = importlib.util.spec_from_file_location("generated", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def answer(self, index, parts, bounds, mapping="m.yaml"):
        """What `fensi lookup --json` shows."""
        code, out, err = self.call("lookup", mapping, index, *bounds, "--store=embedded:data", "--json", "--", *parts)
        assert code in (0, 64), err
        return [] if code else lines_of(out)

    def scans(self, index, parts, bounds, mapping="m.yaml"):
        """(tables, ranges, whether they suffice), or the text of a refusal."""
        code, out, err = self.call("lookup", mapping, index, *bounds, "--print_scan", "--", *parts)
        if code:
            assert "unknown flag" not in err, err
            return err
        tables, ranges = [], []
        for line in out.splitlines():
            found = RANGE.match(line)
            if not found:
                continue
            kind, table, start, stop = found.groups()
            start = unquoted(start)
            stop = (start + b"\0" if len(start) < 32767 else None) if kind == "get" else unquoted(stop or "")
            tables += [unquoted(table).decode()] * (unquoted(table).decode() not in tables)
            ranges += [(start, stop)] * ((start, stop) not in ranges)
        return tables, ranges, "\n# " not in "\n" + out

    def store(self, module):
        return Store(self, module)


class Store:
    """An embedded store, as `Reader` wants it."""

    def __init__(self, world, module):
        self.world, self.cell, self.tables = world, module.Cell, {}

    def _rows(self, table):
        if table in self.tables:
            return self.tables[table]
        rows = self.tables[table] = {}
        for line in self.world.scan(table):
            family, qualifier = unescaped(line["column"]).split(b":", 1)
            cell = self.cell(family, qualifier, line["ts"], unescaped(line["value"]))
            rows.setdefault(unescaped(line["row"]), []).append(cell)
        return rows

    def has(self, table):
        return bool(self._rows(table))

    def get(self, table, rows):
        return {row: cells for row, cells in self._rows(table).items() if row in rows}

    def scan(self, table, start, stop):
        for row, cells in sorted(self._rows(table).items()):
            if start <= row and (not stop or row < stop):
                yield row, cells


def example_events(path, now):
    """The puts of an example's own tests. Times of 2016 become times of today where a table of that period would be over."""
    mapping = yaml.load(path.read_text(), Loader=yaml.BaseLoader)
    events, seq = [], 0
    for case in mapping.get("tests", []):
        for line in case.get("given", []):
            if "put" not in line:
                continue
            seq += 1
            if any(not isinstance(value, str) for value in line.values()):
                continue  # a message of protobuf: its parts are stored forms
            cells = [put(column, seq, unescaped(value)) for column, value in line.items() if ":" in column]
            if "retention" in str(mapping["indexes"]):
                cells = [{**cell, "value": re.sub(r"\b1\d{12}\b", str(now - seq * 3600_000), cell["value"])} for cell in cells]
            events.append(event(unescaped(line["put"]), cells, seq, mapping["source"]))
    return events


def json_of(entry):
    """As `fensi lookup --json` shows what an entry was made of."""
    return ({name: value if not isinstance(value, bytes) else entry.known[name].value for name, value in entry.parts.items()},
            sorted(name for name, known in entry.known.items() if not known.exact))


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def filled_world(test, case, r, rows=30):
    """A World in the folder of a drawn case, its indexes filled from random rows."""
    drawn = {random_rows.row_key(r): random_rows.cells(r, COLUMNS, case.now) for _ in range(rows)}
    place = World(test)
    place.folder = case.program.folder
    place.run("m.yaml", [event(row, [put(column, ts, value) for column, (value, ts) in cells.items()], at + 1)
                         for at, (row, cells) in enumerate(drawn.items()) if cells])
    return place


__all__ = ["BESIDE", "EXAMPLES", "FENSI", "Store", "World", "escaped", "event", "example_events", "filled_world", "json_of", "lines_of", "put", "unescaped"]
