"""Tables of documents and of times as text, as people have them: `fensi init` proposes, its indexes are loaded without a change by
hand, and `fensi lookup` finds what Python computes from the same rows by itself. FENSI_TEST_ROWS rows (3,000), a third a table.

What init does not propose is indexed by a template of docs/mapping.md. Prints what init recognised, and how sure it said it is."""
import collections
import json
import os
import random
import re
from datetime import timedelta
from decimal import Decimal

import harness
from document_tables import EPOCH, Changes, Documents, Times
from follow import cell, event

ROWS = int(os.environ.get("FENSI_TEST_ROWS", "3000")) // 3
harness.DEADLINE_S = 900  # of one command, on a busy machine
STORE = "--store=embedded:data"
SAMPLE = 500
DELETED = 11  # one row in so many was deleted again

TEXT, NUMBER, EXACT, TIME, LIST = "text", "number", "exact", "time", "list"
ENDS = {TEXT: "terminated", LIST: "terminated", NUMBER: "int | ordered", EXACT: "number | ordered | terminated", TIME: "iso_time | ordered"}
SAYS = {TEXT: "text of", NUMBER: "numbers of", EXACT: "numbers with a point", TIME: "times in ISO 8601", LIST: "text of"}


class Fact:
    """Something that people look for: where it is, what kind it is, what init says of it (None: it cannot know), and how a mapping
    by hand ends its template."""

    def __init__(self, name, at, kind, says="", end=""):
        self.name, self.at, self.kind = name, at, kind
        self.says = SAYS[kind] if says == "" else says
        self.template = "{%s | %s}" % ("item" if kind == LIST else at, end or ENDS[kind])

    def path(self):
        """The names that lead to a field of a document."""
        quoted = re.fullmatch(r'.*"\[\\"(.*)\\"\]"', self.at)
        return [quoted[1]] if quoted else self.at.split(" ")[-1].replace("[*]", "").split(".")

    def lines(self):
        each = "    each: '{%s}'\n" % self.at if self.kind == LIST else ""
        return each + "    row: '%s{row}'\n" % self.template


def field(path):
    return ("d:change | json " if path.split(".")[0] in ("after", "source", "op", "ts_ms") else "d:doc | json ") + path


FACTS = {
    Changes: [
        Fact("op", field("op"), TEXT), Fact("ts_ms", field("ts_ms"), TIME, "milliseconds since 1970", "int | decimal 13"),
        Fact("id", field("after.id"), NUMBER), Fact("customer", field("after.customer"), TEXT), Fact("status", field("after.status"), TEXT),
        Fact("amount", field("after.amount"), EXACT), Fact("fee", field("after.fee"), TEXT), Fact("note", field("after.note"), TEXT),
        Fact("ordered_at", field("after.ordered_at"), TIME, "microseconds since 1970", "int | from_us | ordered"),
        Fact("shipped_at", field("after.shipped_at"), TIME, "milliseconds since 1970", "int | decimal 13"),
        Fact("due", field("after.due"), NUMBER), Fact("due_day", field("after.due"), TIME, None, "int | from_days | ordered"),
        Fact("changed", field("after.changed"), TIME), Fact("rate", field("after.rate"), EXACT), Fact("pos", field("source.pos"), NUMBER)],
    Times: [
        *(Fact(name, "t:" + name, TIME) for name in ("utc", "fraction", "offset", "blank", "local")), Fact("day", "t:day", TEXT),
        Fact("ms", "t:ms", TIME, "milliseconds since 1970", "int | decimal 13"),
        Fact("s", "t:s", TIME, "seconds since 1970", "int | from_s | ordered"),
        Fact("us", "t:us", TIME, "microseconds since 1970", "int | from_us | ordered"),
        Fact("ns", "t:ns", TIME, "nanoseconds since 1970", "int | from_ns | ordered"), Fact("http", "t:http", TEXT), Fact("page", "t:page", TEXT)],
    Documents: [
        *(Fact(name, field('"[\\"%s\\"]"' % name), TEXT) for name in ("http.method", "user name", "名字")),
        *(Fact(name, field(name), TEXT) for name in ("user.name", "user.address.city", "user.address.zip")),
        Fact("items.sku", "d:doc | json_list items[*].sku", LIST), Fact("tags", "d:doc | json_list tags", LIST),
        Fact("total", field("total"), EXACT), Fact("count", field("count"), NUMBER), Fact("serial", field("serial"), EXACT, "beyond 64 bits"),
        Fact("score", field("score"), EXACT), Fact("at", field("at"), TIME)],
}
# What init recognises and proposes no index for: the one note that there is.
WITHOUT_INDEX = {Changes: {"note"}, Times: set(), Documents: set()}


def iso(millis):
    return (EPOCH + timedelta(milliseconds=millis)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def plain(number):
    return format(number, "f") if isinstance(number, Decimal) else str(number)


def with_all_proposals(text):
    """Without the comment signs of the indexes that init offers."""
    return re.sub(r"(?m)^  #   ", "    ", re.sub(r"(?m)^  # ([\w-]+:)$", r"  \1", text))


def indexes_of(text):
    """The lines of each index by its name."""
    return dict(re.findall(r"(?m)^  ([\w-]+):\n((?:    .*\n)+)", text.split("\ntests:")[0]))


class DocumentTables(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.random = random.Random(20240229)

    def events(self, table, name):
        """Each row is put; of a third of the changes an older document first; every eleventh is deleted."""
        def put(i, cells, ts):
            return event(table.key(i), *(cell("put", column, ts, value.replace("\\", "\\x5C")) for column, value in cells.items()), table=name)
        if name != "raw":  # the same changes again, which take long to make
            text = self.read("raw.jsonl").replace('"table": "raw"', '"table": "%s"' % name)
            return "--source=file:" + self.file(name + ".jsonl", text)
        with open(os.path.join(self.dir, name + ".jsonl"), "w", encoding="utf-8") as out:
            for i in range(table.count):
                if i % 3 == 1:
                    out.write(put(i, table.cells(i + 1), 1000))
                out.write(put(i, table.cells(i), 2000))
                if i % DELETED == DELETED - 1:
                    out.write(event(table.key(i), {"type": "delete_family", "family": table.FAMILY, "ts": 3000}, table=name))
        return "--source=file:%s.jsonl" % name

    def make_source_table(self, table):
        mapping = "source: raw\nindexes:\n  copy-%s:\n    table: %s\n    each: '%s:*'\n    row: '{row}'\n    columns: { '%s:{qualifier}': '{value}' }\n" % (
            table.NAME, table.NAME, table.FAMILY, table.FAMILY)
        self.succeeds("run", self.file("copy.yaml", mapping), self.events(table, "raw"), STORE)

    def proposed(self, table, kind):
        """The file of init with all its indexes, and of each fact the index that begins with it and what init says of it."""
        text = self.succeeds("init", table.NAME, STORE, "--sample=%d" % SAMPLE).out
        mapping = self.file(table.NAME + ".yaml", with_all_proposals(text))
        self.assertEqual(self.succeeds("check", mapping).err, "")
        self.succeeds("test", mapping)
        return mapping, indexes_of(self.read(mapping)), text

    @staticmethod
    def index_for(fact, indexes):
        at = "each: '{%s}'\n    row: '{item" % fact.at if fact.kind == LIST else "row: '{%s" % fact.at
        for name, lines in indexes.items():
            if re.search(re.escape(at) + r"( \||\})", lines.replace("{row | salt 16}", "")):
                return name
        return None

    @staticmethod
    def said(fact, text):
        """What init says of the values of the fact; nothing: it does not name them."""
        shown = r"#     \.%s " % re.escape(".".join(fact.path())) if " | json" in fact.at else r"#   %s " % re.escape(fact.at)
        line = re.search("(?m)^" + shown + ".*$", text)
        return line[0] if line else ""

    def choose(self, table, facts):
        """(fact, mapping, index) for each, from init where it proposes the fact as what it is, else by hand."""
        mapping, indexes, text = self.proposed(table, facts)
        chosen, by_hand, outcomes = [], "", {}
        for fact in facts:
            said, index = self.said(fact, text), self.index_for(fact, indexes)
            right = bool(fact.says) and fact.says in said
            sure = re.search(r"\((almost sure|probable|a guess)", said)
            if fact.says:
                outcomes[fact.name] = "recognised" if right and index else "no index" if right else "as something else" if said else "not seen"
                print("%-10s %-18s %-20s %s" % (table.NAME, fact.name, outcomes[fact.name], sure[1] if sure else ""), flush=True)
            if not (right and index):
                index = "hand-" + re.sub(r"\W", "-", "%s-%d" % (table.NAME, facts.index(fact)))
                by_hand += "  %s:\n    table: %s\n%s    columns: { 'i:': '' }\n    ignore_warnings: [growing-key]\n" % (index, index.replace("-", "_"), fact.lines())
            chosen.append((fact, table.NAME + ("-hand.yaml" if index.startswith("hand-") else ".yaml"), index))
        print("%-10s %s" % (table.NAME, dict(collections.Counter(outcomes.values()))), flush=True)
        self.assertEqual({name: outcome for name, outcome in outcomes.items() if outcome != "recognised"},
                         dict.fromkeys(WITHOUT_INDEX[type(table)], "no index"))
        if by_hand:
            self.succeeds("check", self.file(table.NAME + "-hand.yaml", "source: %s\nindexes:\n%s" % (table.NAME, by_hand)))
        return chosen

    def load(self, table, chosen):
        """Changes by `fensi backfill`, the others by `fensi run`; each index is proved by `fensi verify`: the first one row by row, the
        others by sums."""
        if not isinstance(table, Changes):
            mappings = sorted({mapping for _, mapping, _ in chosen})
            self.succeeds("run", *mappings, self.events(table, table.NAME), STORE)
        for number, (_, mapping, index) in enumerate(chosen):
            if isinstance(table, Changes):
                self.succeeds("backfill", mapping, index, STORE, "--execute")
            self.succeeds("verify", mapping, index, STORE, "--recheck_s=0", "--method=" + ("digest" if number > 0 else "lookup"))

    def part(self, fact, mapping, index, value):
        """As the lookup takes it: of a field that is the only one of its document in the key, a document with it."""
        parts = re.search(r"(?m)^index %s$(?:\n .*)*?\n  key parts +(.*)" % re.escape(index), self.succeeds("check", mapping).out)[1]
        if " | json " not in fact.at or " | json " in parts.partition(", ")[0]:
            return value.replace("\\", "\\x5C")
        document = value if fact.kind == TEXT else Decimal(value)
        for name in reversed(fact.path()):
            document = {name: document}
        return json.dumps(document, default=str).replace("\\", "\\x5C")

    def found(self, mapping, index, *words):
        lines = self.succeeds("lookup", mapping, index, *words, STORE, "--json").lines
        return [json.loads(line)["parts"]["row"] for line in lines]

    def check_equal(self, chosen, values):
        """Values that are there, and one that is not."""
        fact, mapping, index = chosen
        present = sorted({str(value) for value in values})
        for asked in self.random.sample(present, min(3, len(present))):
            kept = Decimal(asked) if fact.kind in (NUMBER, EXACT) else asked
            expected = sorted(row for value, row in zip(values, values.rows) if value == kept)
            got = self.found(mapping, index, self.part(fact, mapping, index, asked))
            self.assertEqual(sorted(got), expected, (index, asked))
        self.assertEqual(self.found(mapping, index, self.part(fact, mapping, index, "999999998")), [], index)

    def check_ranges(self, chosen, values):
        fact, mapping, index = chosen
        ordered = sorted(set(values))
        for share in (50, 7):
            low, high = (ordered[min(len(ordered) - 1, n)] for n in (len(ordered) // share, 2 * len(ordered) // share))
            bounds = (iso(low), iso(high)) if fact.kind == TIME else (plain(low), plain(high))
            got = self.found(mapping, index, "--from=" + bounds[0], "--to=" + bounds[1])
            expected = {row: value for value, row in zip(values, values.rows) if low <= value < high}
            self.assertEqual(sorted(got), sorted(expected), (index, bounds))
            if index.startswith("hand-"):  # others may have a salt
                self.assertEqual([expected[row] for row in got], sorted(expected.values()), (index, bounds))

    def check_fact(self, chosen, rows):
        """`rows`: what is known of each row that is left, by its key."""
        fact = chosen[0]
        pairs = [(value, key) for key, facts in rows.items() for value in (facts[fact.name] if fact.kind == LIST else [facts[fact.name]])
                 if value is not None]
        values = Values(sorted(set(pairs)))
        if fact.kind != TIME:
            self.check_equal(chosen, values)
        if fact.kind in (NUMBER, EXACT, TIME):
            self.check_ranges(chosen, values)

    def check_table(self, kind):
        table = kind(ROWS, "2024-02-29")
        self.make_source_table(table)
        chosen = self.choose(table, FACTS[kind])
        self.load(table, chosen)
        rows = {table.key(i): table.facts(i) for i in range(table.count) if i % DELETED != DELETED - 1}
        for each in chosen:
            self.check_fact(each, rows)

    def test_change_events_in_a_cell(self):
        self.check_table(Changes)

    def test_times_as_text(self):
        self.check_table(Times)

    def test_documents_with_any_names(self):
        self.check_table(Documents)


class Values(list):
    """Values, beside the rows that have them."""

    def __init__(self, pairs):
        super().__init__(value for value, _ in pairs)
        self.rows = [row for _, row in pairs]


if __name__ == "__main__":
    harness.main()
