"""`fensi forecast`: what it prints of an embedded store, and how it ends if there is nothing to forecast from."""
import json
import os
import re

import harness
from follow import cell, event

SOURCE = "source: raw\nindexes:\n  source: { table: orders, state_table: source_state, row: '{row}', columns: { 'o:seller': '{o:seller}' } }\n"
MAPPING = """source: orders
indexes:
  by-seller: { table: by_seller, row: '{o:seller | terminated}{row}', columns: { 'o:x': '' } }
  by-number: { table: by_number, row: '{o:seller | int | decimal 13}{row}', columns: { 'o:x': '' } }
"""
STORE = "--store=embedded:data"


def keys_of(value):
    """Of objects in objects, too."""
    if isinstance(value, list):
        return set().union(*map(keys_of, value))
    if isinstance(value, dict):
        return set(value) | keys_of(list(value.values()))
    return set()


def keys_of_the_page():
    """Words in the first cells of the tables, and the keys that the other words of the section name."""
    with open(os.path.join(os.environ["FENSI_ROOT"], "docs/sizing.md"), encoding="utf-8") as page:
        section = page.read().split("### Keys of `--format=json`")[1].split("\n## ")[0]
    cells = " ".join(re.findall(r"^\| (`.+?) \|", section, re.MULTILINE))
    nested = " ".join(re.findall(r"(?:object with|bounds|has) (`[^.|]+)", section))
    return set(re.findall(r"`(\w+)`", cells + " " + nested))


class Forecast(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("m.yaml", MAPPING)
        self.file("source.yaml", SOURCE)

    def fill(self, rows):
        lines = "".join(event("r%04d" % row, cell("put", "o:seller", 10, "s%d" % (row % 7)), table="raw") for row in range(rows))
        self.succeeds("run", "source.yaml", "--source=file:" + self.file("e.jsonl", lines), STORE)

    def test_a_sample_has_intervals_and_is_compared_with_the_tables(self):
        self.fill(300)
        words = ("m.yaml", "by-seller", STORE, "--sample=100", "--format=json")
        found = json.loads(self.succeeds("forecast", *words).out)
        self.assertEqual(found["source_rows"], {"value": 300.0, "low": 300.0, "high": 300.0})
        self.assertEqual((found["sampled_rows"], found["counted"], found["confidence"]), (100, True, 0.95))
        self.assertLessEqual(found["entries"]["low"], 300)
        self.assertEqual(len(found["hot_keys"]), 7)
        self.refuses(78, "forecast", *words, "--compare", says="Compare after 'fensi backfill")
        self.succeeds("create", "m.yaml", STORE, "--index=by-seller", "--execute")
        self.succeeds("run", "m.yaml", "--index=by-seller", "--source=file:/dev/null", STORE)
        self.succeeds("backfill", "m.yaml", "by-seller", STORE, "--execute")
        comparison = json.loads(self.succeeds("forecast", *words, "--compare").out)
        self.assertEqual(keys_of_the_page(), keys_of([found, comparison]))
        self.assertEqual([(one["figure"], one["inside"]) for one in comparison["compared"]],
                         [("entries", True), ("index bytes", True), ("states", True), ("state bytes", True)])

    def test_rates_give_the_time_of_a_backfill(self):
        self.fill(20)
        out = self.succeeds("forecast", "m.yaml", "by-seller", STORE, "--scan_rate=10", "--write_rate=4").out
        self.assertIn("backfill, reads   2 s at 10 rows/s\n", out)
        self.assertIn("backfill, writes  10 s at 4 cells/s; the slower of both counts\n", out)

    def test_bad_input_is_named(self):
        self.fill(20)
        self.refuses(78, "forecast", "m.yaml", "by-number", STORE, says="20 of 20 sampled rows of orders cannot be mapped")
        self.file("m.yaml", MAPPING.replace("source: orders", "source: other"))
        self.refuses(78, "forecast", "m.yaml", STORE, says="other")
        self.file("m.yaml", MAPPING.replace("o:seller", "o:absent"))
        self.refuses(78, "forecast", "m.yaml", "by-seller", STORE, says="has no row with a column that index by-seller watches")
        self.refuses(64, "forecast", "m.yaml", says="--store is missing")
        self.refuses(64, "forecast", "m.yaml", STORE, "--format=tsv", says="--format must be json")
        self.refuses(64, "forecast", "m.yaml", "by-sellr", STORE, says="by-seller")


harness.main()
