"""Situations in which other index builders were reported to go wrong, each from events to what a reader gets."""
import json
import random
import struct
from datetime import datetime, timezone

import harness
from follow import cell, event

FOLLOW = """source: guanzhu
indexes:
  fensi:
    table: fensi
    row: '{f1:from}'
    columns: { 'f1:{row}': '' }
"""
BY = """source: t
indexes:
  by:
    table: by
    row: '{%s}{row}'
    columns: { 'p:t': '{p:text | default ""}' }
"""
STORE = "--store=embedded:data"


def put(row, ts=1, table="t", **values):
    return event(row, *(cell("put", "p:" + name, ts, value) for name, value in values.items()), table=table)


def bytes_as_text(data):
    return "".join("\\x%02X" % byte for byte in data)


class FieldReports(harness.CliTest):
    def run_events(self, mapping, *events, store=STORE, code=0):
        return self.refuses(code, "run", *mapping.split(), "--source=file:" + self.file("e.jsonl", "".join(events)), store)

    def rows(self, table, store=STORE):
        return [json.loads(line)["row"] for line in self.succeeds("scan", table, store, "--json").lines]

    def values(self, table):
        return [json.loads(line)["value"] for line in self.succeeds("scan", table, STORE, "--json").lines]

    def found(self, *words):
        """The source rows that a lookup of index `by` names."""
        lines = self.succeeds("lookup", "m.yaml", "by", *words, STORE, "--json").lines
        return [json.loads(line)["parts"]["row"] for line in lines]

    def test_no_entry_outlives_its_row_at_the_borders_of_timestamps(self):
        self.file("m.yaml", FOLLOW)
        def change(kind, row, ts, *value):
            return event(row, cell(kind, "f1:from", ts, *value))
        self.run_events("m.yaml", change("put", "a", 0, "b"))
        self.assertEqual(self.rows("fensi"), ["b"])
        self.run_events("m.yaml", change("delete_column", "a", 0), change("put", "a", 0, "b"))
        self.assertEqual(self.rows("fensi"), [])
        self.run_events("m.yaml", change("put", "a", 1, "c"))
        for ts in (-1, 2**63 - 1, 2**63, 2**64):
            self.run_events("m.yaml", change("put", "n", ts, "refused"), code=1)
        for ts in range(2**63 - 20, 2**63 - 1):  # taken and deleted again, or refused
            self.fensi("run", "m.yaml", "--source=file:" + self.file("high.jsonl", change("put", "h", ts, "high") + change("delete_column", "h", ts)), STORE)
            self.assertEqual(self.rows("fensi"), ["c"])

    def test_doubles_are_in_the_order_of_numbers_as_bytes_and_as_text(self):
        numbers = sorted({round(random.Random(8).gauss(0, 1) * 10**n, 6) for n in range(-3, 12)} | {-10.0, -1.5, -0.25, 0.25, 2.5, 10.0})
        for reader, width, written in (("p:n | f64 | ordered", ">d", True), ("p:n | real | ordered", "", False), ("p:n | number | ordered | terminated", "", False)):
            self.file("m.yaml", BY.replace("by", "by%d" % len(reader)) % reader)
            events = [put("r%d" % i, n=bytes_as_text(struct.pack(width, n)) if written else repr(n), text=repr(n)) for i, n in enumerate(numbers)]
            random.Random(1).shuffle(events)
            self.run_events("m.yaml", *events)
            self.assertEqual(self.values("by%d" % len(reader)), [repr(n) for n in numbers])
            lines = self.succeeds("lookup", "m.yaml", "by%d" % len(reader), "--from=-2", "--to=9.75", STORE, "--json").lines
            self.assertEqual([json.loads(line)["value"] for line in lines], [repr(n) for n in numbers if -2 <= n < 9.75])

    def test_json_fields_with_any_name_are_found_and_numbers_keep_their_text(self):
        names = {"http.method": "GET", "a b": "blank", "it's": "quoted", "[0]": "bracket", "0": "digit", "名字": "关注", "x\"y": "double", "": "empty"}
        document = {"id": "ID", "price": "PRICE", **names, "in": {"x.y": [{"z w": "deep"}]}}
        text = json.dumps(document).replace('"ID"', "12345678901234567890").replace('"PRICE"', "19.90")
        def path(name):
            return "[%s]" % json.dumps(name, ensure_ascii=False)
        paths = {"id": "12345678901234567890", "price": "19.90", **{path(name): value for name, value in names.items()},
                 'in["x.y"][0]["z w"]': "deep"}
        for number, (where, value) in enumerate(paths.items()):
            steps = '"%s"' % where.replace("\\", "\\\\").replace('"', '\\"')
            mapping = (BY % ("p:doc | json %s | terminated" % steps.replace("'", "''"))).replace("by", "by%d" % number)
            self.file("m%d.yaml" % number, mapping)
            self.run_events("m%d.yaml" % number, put("p", doc=text.replace("\\", "\\x5C")))
            self.assertEqual(self.rows("by%d" % number), [value + "\\x00\\x00p"], where)

    def test_a_path_that_can_match_nothing_is_an_error(self):
        for wrong in ("a..b", "[http.method]", "a[?(@.x)]", "$..a", "a[*].b"):
            self.refuses(78, "check", self.file("bad.yaml", BY % ("p:doc | json \"%s\" | terminated" % wrong)), says="'path' of 'json'")

    def test_a_byte_order_mark_and_other_line_ends_change_nothing(self):
        text = FOLLOW + "tests:\n  - name: a\n    given: [{ put: a, 'f1:from': b, ts: 1 }]\n    expect: { fensi: { b: { 'f1:a': '' } } }\n"
        short = '{"source":"guanzhu","indexes":{"fensi":{"table":"fensi","row":"{f1:from}","columns":{"f1:{row}":"%s"}}}}'
        def check(name, data):
            with open(self.dir + "/" + name, "wb") as out:
                out.write(data)
            return self.fensi("check", name)
        mark, lines = b"\xef\xbb\xbf", text.replace("\n", "\r\n").encode()
        for data in (lines, mark + lines, mark + text.encode()):
            self.assertEqual(check("m.yaml", data).code, 0)
            self.succeeds("test", "m.yaml")
        self.assertEqual(check("m.yaml", text.replace("\n", "\r").encode()).code, 78)
        for data in (short % "", text + "nonsense: 1\n", (short % "").replace('"source"', '"sauce"')):
            plain, marked = check("m.yaml", data.encode()), check("m.yaml", mark + data.encode())
            self.assertEqual((plain.code, plain.err), (marked.code, marked.err))

    def test_a_table_has_one_name_with_and_without_the_default_namespace(self):
        for source in ("default:guanzhu", "guanzhu"):
            for table in ("default:guanzhu", "guanzhu"):
                store = "--store=embedded:%s-%s" % (source.replace(":", "-"), table.replace(":", "-"))
                self.file("m.yaml", FOLLOW.replace("source: guanzhu", "source: '%s'" % source))
                follow = event("a", cell("put", "f1:from", 1, "b"), table=table)
                self.run_events("m.yaml", follow, store=store)
                self.assertEqual(self.rows("fensi", store), ["b"])
                piped = self.succeeds("run", "m.yaml", "--source=file:-", store + "-piped", stdin=follow)
                self.assertEqual(self.rows("fensi", store + "-piped"), ["b"], piped.err)
                self.assertIn("put f1:a @1", self.succeeds("explain", "m.yaml", stdin=follow).out)
                self.succeeds("init", source, "--source=file:e.jsonl")

    def test_a_namespace_is_no_prefix_with_a_dot(self):
        for name, table in (("colon", "ns:t"), ("dot", "ns.t")):
            self.file(name + ".yaml", FOLLOW.replace("source: guanzhu", "source: '%s'" % table).replace("fensi", name))
        def of(table, value):
            return event("a", cell("put", "f1:from", 1, value), table=table)
        self.run_events("colon.yaml dot.yaml", of("ns:t", "c"), of("ns.t", "d"), event("a", {"type": "delete_family", "family": "f1", "ts": 1}, table="ns.t"))
        self.assertEqual((self.rows("colon"), self.rows("dot")), (["c"], []))

    def test_a_row_that_min_versions_keeps_beyond_its_ttl_is_not_promised_an_exact_end(self):
        create = "    expire: exact\n    create: { families: { f1: { ttl: 10s, versions: 1%s } } }\n"
        self.refuses(78, "check", self.file("m.yaml", FOLLOW + create % ", min_versions: 1"), says="min_versions")
        self.succeeds("check", self.file("m.yaml", FOLLOW + create % ""))

    def test_texts_of_one_instant_are_one_instant_whatever_their_offset(self):
        texts = ["2015-04-02T01:00:00Z", "2015-04-02T09:00:00+08:00", "2015-04-02T01:00:00.000Z", "2015-04-01T18:30:00.000-06:30",
                 "2015-04-02T01:00:00.001Z", "2015-04-02T00:59:59.999999Z", "2015-04-02T10:59:00+10:00", "2015-04-02T03:00:00.5+02"]
        self.file("m.yaml", BY % "p:at | iso_time | ordered")
        self.run_events("m.yaml", *(put("r%d" % i, at=text) for i, text in enumerate(texts)))
        def instant(text):
            at = datetime.fromisoformat(text)
            return int((at - datetime(1970, 1, 1, tzinfo=timezone.utc)).total_seconds() * 1000)
        instants = {"r%d" % i: instant(text if text[-3:] != "+02" else text + ":00") for i, text in enumerate(texts)}
        for first, behind in (("2015-04-02T01:00:00Z", "2015-04-02T01:00:00.001Z"), ("2015-04-02T00:59:59.999Z", "2015-04-02T09:00+08:00"),
                              ("2015-04-02", "2015-04-03")):
            low, high = (instant(bound if "T" in bound and bound[10:] else bound + "T00:00:00Z") for bound in (first, behind))
            expected = sorted((name for name, at in instants.items() if low <= at < high), key=lambda name: (instants[name], name))
            self.assertEqual(self.found("--from=" + first, "--to=" + behind), expected)


if __name__ == "__main__":
    harness.main()
