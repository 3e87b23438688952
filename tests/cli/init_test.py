"""`fensi init`: a first mapping file that `fensi check` and `fensi test` accept."""
import json
import os
import re
import subprocess

import harness
from follow import COPY, MAPPING, cell, event, follow


class Init(harness.CliTest):
    STORE = "--store=embedded:data"

    def index(self, *events):
        self.succeeds("run", self.file("m.yaml", MAPPING), "--source=file:" + self.file("e.jsonl", "".join(events)), self.STORE)

    def init(self, table, *flags):
        """Made of the table, checked and tested."""
        text = self.succeeds("init", table, self.STORE, *flags).out
        path = self.file("starter.yaml", text)
        checked = self.succeeds("check", path)
        self.assertEqual(checked.err, "")
        self.succeeds("test", path)
        return text

    def test_of_a_table_passes_check_and_test(self):
        self.index(follow("a", "b", 1), follow("c", "b", 2), follow("a", "d", 3))
        text = self.init("fensi")
        self.assertIn("source: fensi\n", text)
        self.assertIn("each: 'f1:*'\n", text)
        self.assertIn("  - name: a row of the sample\n", text)

    def test_warns_of_a_key_that_would_collect_too_much(self):
        raw = (event(f"r{i:02}", cell("put", "f1:from", 1, "all" if i % 3 else f"u{i}"), table="raw") for i in range(60))
        self.succeeds("run", self.file("copy.yaml", COPY), "--source=file:" + self.file("raw.jsonl", "".join(raw)), self.STORE)
        outcome = self.succeeds("init", "guanzhu", self.STORE)
        self.assertIn("# Costs: 60 rows of 60 of the sample make 60 entries", outcome.out)
        self.assertIn("# WARNING: more than one entry in a hundred", outcome.out)
        self.assertEqual(outcome.err, "fensi: warning: index guanzhu-by-from: key 'all' would collect about 67 % of the entries "
                         "(40 of 60 in the sample). Add a part to its row key, or a condition ('when:')\n")

    def test_of_recorded_events_and_of_csv_is_as_of_their_rows(self):
        rows = [follow(f"u{i}", f"v{i % 7}", i + 1) for i in range(30)]
        gone = event("u3", cell("delete_column", "f1:from", 99))
        self.file("events.jsonl", "".join(rows) + gone + event("x", cell("put", "f1:from", 1, "y"), table="other"))
        self.file("events.csv", "who,from\n" + "".join(f"u{i},v{i % 7}\n" for i in range(30) if i != 3))
        self.index()
        self.succeeds("run", self.file("copy.yaml", COPY), "--source=file:" + self.file("raw.jsonl", "".join(rows + [gone]).replace("guanzhu", "raw")), self.STORE)
        told = self.init_of("guanzhu", "--source=file:events.jsonl")
        self.assertIn("from 29 rows of this table", told)
        def cells(text):  # without the timestamps, which CSV has from its file
            return re.sub(r"\bts: \d+|[@=]\d{10,}", "", text)
        self.assertEqual(cells(self.init_of("guanzhu", self.STORE)), cells(told))
        self.assertIn("from 29 rows", self.init_of("guanzhu", "--source=file:events.csv", "--csv_row=who", "--csv_family=f1"))
        self.assertIn("from 5 rows", self.init_of("guanzhu", "--source=file:events.csv", "--csv_row=who", "--csv_family=f1", "--sample=5"))

    def init_of(self, table, *flags):
        text = self.succeeds("init", table, *flags).out
        self.assertEqual(self.succeeds("check", self.file("starter.yaml", text)).err, "")
        self.succeeds("test", "starter.yaml")
        return text

    def test_of_files_without_its_events_or_without_any_source_is_refused(self):
        self.file("events.jsonl", follow("a", "b", 1))
        self.refuses(78, "init", "orders", "--source=file:events.jsonl", says="no event of table orders. They have events of guanzhu")
        self.refuses(64, "init", "orders", says="--store is missing: give the store of the table, or --source=file:PATH")
        self.refuses(64, "init", "orders", self.STORE, "--source=file:events.jsonl", says="--store cannot be combined with --source")
        self.refuses(64, "init", "orders", self.STORE, "--csv_row=id", says="--csv_row requires --source")
        self.refuses(64, "init", "guanzhu", "--source=file:" + self.file("bad.jsonl", "{\n"), says="bad.jsonl:1: not JSON")

    def test_numbers_are_found_by_range_as_the_file_promises(self):
        for numbers, first, behind, found in ((("-7", "-5", "9", "42", "100"), -6, 43, ["-5", "9", "42"]), (("17", "42", "65"), 18, 65, ["42"])):
            self.file("raw.jsonl", "".join(event(f"r{n}", cell("put", "f1:from", 1, n), table="raw") for n in numbers))
            store = f"--store=embedded:n{len(numbers)}"
            self.succeeds("run", self.file("copy.yaml", COPY), "--source=file:raw.jsonl", store)
            path = self.file("starter.yaml", self.succeeds("init", "guanzhu", store).out)
            events = self.file("events.jsonl", self.read("raw.jsonl").replace('"table": "raw"', '"table": "guanzhu"'))
            self.succeeds("run", path, "--source=file:" + events, store)
            lines = self.succeeds("lookup", path, "guanzhu-by-from", f"--from={first}", f"--to={behind}", "--json", store).lines
            self.assertEqual([json.loads(line)["parts"]["f1:from"] for line in lines], found)

    def test_of_a_table_without_rows_passes_check(self):
        self.index()
        self.assertIn("The table has no rows yet", self.init("fensi"))

    def test_of_a_state_table_passes_check_and_test(self):
        self.index(follow("a", "b", 1), follow("c", "b", 2))
        self.init("fensi_state")

    def test_looks_at_as_many_rows_as_it_is_told(self):
        self.index(*(follow(f"r{i}", f"u{i}", 1) for i in range(50)))
        self.assertIn("from 7 rows of this table", self.init("fensi", "--sample=7"))
        self.assertIn("from 50 rows of this table", self.init("fensi"))

    def test_never_overwrites_a_file_unasked(self):
        self.index(follow("a", "b", 1))
        arguments = ("init", "fensi", self.STORE, "--output=new.yaml")
        self.assertEqual(self.succeeds(*arguments).out, "")
        made = self.read("new.yaml")
        self.file("new.yaml", "mine")
        self.refuses(64, *arguments, says=("new.yaml exists", "--overwrite"))
        self.assertEqual(self.read("new.yaml"), "mine")
        self.succeeds(*arguments, "--overwrite")
        self.assertEqual(self.read("new.yaml"), made)

    def test_refuses_what_makes_no_sense(self):
        self.index(follow("a", "b", 1))
        self.refuses(78, "init", "nowhere", self.STORE, says="no table 'nowhere'")
        self.refuses(64, "init", "fensi", self.STORE, "--overwrite", says="--overwrite requires --output")
        self.refuses(64, "init", "fensi", self.STORE, "--sample=0", says="--sample=0: must be from 1 to 10000")
        self.refuses(64, "init", "fensi", self.STORE, "--output=no/where.yaml", says="No such file or directory")

    def test_a_file_that_cannot_be_written_to_its_end_is_not_left(self):
        self.index(follow("a", "b", 1))
        words = " ".join((harness.FENSI, "init", "fensi", self.STORE, "--output=new.yaml"))
        done = subprocess.run(["bash", "-c", "trap '' XFSZ; ulimit -f 0; " + words], cwd=self.dir, capture_output=True)
        self.assertEqual(done.returncode, 70, done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.dir, "new.yaml")))


harness.main()
