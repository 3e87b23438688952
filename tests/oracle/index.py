"""What docs/mapping.md derives from the visible cells of one source row."""
import dataclasses

import template
from values import ABSENT, Unmappable, need

DAY_MS = 86400 * 1000


@dataclasses.dataclass(frozen=True)
class Entry:
    table: str
    row: bytes
    column: bytes
    value: bytes
    source: bytes = dataclasses.field(compare=False, default=b"")  # the source row
    newest: int = dataclasses.field(compare=False, default=0)      # of the source row's cells
    scope: dict = dataclasses.field(compare=False, default=None)

    @property
    def cell(self):
        return self.table, self.row, self.column


@dataclasses.dataclass(frozen=True)
class Index:
    name: str
    row: tuple
    columns: tuple              # (qualifier template, value template), all of family f
    table: tuple = ()           # the template of a period table behind the name
    keep_days: int = 0
    each: tuple = ()            # ("columns", pattern...) or ("items", part)
    when: tuple = ()
    exists: str = ""
    law: str = ""               # shared, unique
    ttl_days: int = 0
    create: tuple = ()          # further lines

    def text(self):
        lines = [f"  {self.name}:", f"    table: '{self.name}{'_' + template.text(self.table) if self.table else ''}'",
                 f"    row: '{template.text(self.row)}'", "    columns:"]
        lines += [f"      'f:{template.text(q)}': '{template.text(v)}'" for q, v in self.columns]
        lines += [f"    retention: {self.keep_days}d"] if self.keep_days else []
        lines += self._each() + (["    when:"] if self.when else []) + [f"      - '{_yaml(w.text())}'" for w in self.when]
        lines += [f"    requires: '{self.exists}'"] if self.exists else []
        lines += [f"    {self.law}: true"] if self.law else []
        ttl = f"ttl: {self.ttl_days}d" if self.ttl_days else "versions: 1"
        return "\n".join(lines + ["    create:", f"      families: {{ f: {{ {ttl} }} }}", *self.create]) + "\n"

    def _each(self):
        if not self.each:
            return []
        if self.each[0] == "items":
            return [f"    each: '{_yaml(self.each[1].text())}'"]
        return ["    each: [" + ", ".join(f"'{pattern}'" for pattern in self.each[1:]) + "]"]

    def entries(self, row, cells, now=0):
        """`cells`: column ("f:name") -> (value, time), the visible ones. Of equal cells the later one wins."""
        scope = {"row": row}
        for column, (value, ts) in cells.items():
            scope[column], scope[column + "@ts"] = value, ts
        newest = max((ts for _, ts in cells.values()), default=0)
        found = {}
        for bound in self._bounds(scope, cells):
            try:
                for entry in self._of(bound, row, newest, now):
                    found[entry.cell] = entry
            except Unmappable:
                pass
        return found

    def _bounds(self, scope, cells):
        if not self.each:
            return [scope]
        if self.each[0] == "columns":
            wanted = sorted(column for column in cells if any(_matches(column, p) for p in self.each[1:]))
            return [{**scope, "family": b"f", "qualifier": column[2:].encode(), "value": cells[column][0],
                     "ts": cells[column][1]} for column in wanted]
        try:
            items = self.each[1].value(scope) or []
        except Unmappable:
            return []
        return [{**scope, "item": item} for item in sorted({item.strip(b" \t\n\r\f\v") for item in items} - {b""})]

    def _of(self, scope, source, newest, now):
        row, suffix = template.value(self.row, scope), template.value(self.table, scope)
        cells = [(template.value(q, scope), template.value(v, scope)) for q, v in self.columns]
        if self.exists and self.exists not in scope or not all(line.holds(scope) for line in self.when):
            return
        if ABSENT in (row, suffix) or any(qualifier is ABSENT for qualifier, _ in cells):
            return
        need(0 < len(row) <= 32767)
        if self.table and not now - self.keep_days * DAY_MS <= self.table[0].value_as_time(scope) <= now + DAY_MS:
            return
        table = self.name + ("_" + suffix.decode() if self.table else "")
        for qualifier, value in cells:
            if value is not ABSENT:
                yield Entry(table, row, b"f:" + qualifier, value, source, newest, scope)


def _yaml(text):
    return text.replace("'", "''")


def _matches(column, pattern):
    return column.startswith(pattern[:-1]) if pattern.endswith("*") else column == pattern


def mapping(indexes, source="s"):
    return f"source: {source}\nindexes:\n" + "".join(index.text() for index in indexes)
