"""`fensi check`: what an index does, and what is wrong with a file."""
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess

import harness
from follow import MAPPING_WITH_TIME as GOOD

ZONED = """source: guanzhu
indexes:
  days:
    table: days
    row: '{f1:from@ts | time %Y%m%d Asia/Shanghai}{row}'
    columns: { 'f:n': '{f1:from}' }
    ignore_warnings: [growing-key]
"""


class Check(harness.CliTest):
    def test_shows_state_and_key_of_each_index(self):
        out = self.succeeds("check", self.file("m.yaml", GOOD)).out
        for text in ("index fensi\n", "  source      guanzhu, topic guanzhu\n",
                     "  state       one cell per source row, table fensi_state\n", "  watches     f1:from\n",
                     "  key parts   f1:from\n", "  group       fensi-fensi, dead letters fensi.dead\n"):
            self.assertIn(text, out)

    def test_json_is_one_object_an_index(self):
        lines = self.succeeds("check", "--json", self.file("m.yaml", GOOD)).lines
        self.assertEqual(len(lines), 1)
        index = json.loads(lines[0])
        self.assertEqual((index["index"], index["group"]), ("fensi", "fensi-fensi"))
        self.assertRegex(index["fingerprint"], "^[0-9a-f]{32}$")

    def test_shows_the_tables_of_the_machine_and_has_them_in_the_fingerprint(self):
        """A zone of these rules, whatever its file is like; another release of an unused zone changes nothing."""
        path = self.file("m.yaml", ZONED)
        fingerprints = {}
        for name, zones in (("as it is", ("Asia/Shanghai", "Asia/Tokyo")), ("another release", ("Asia/Tokyo", "Asia/Tokyo")),
                            ("of others", ("Asia/Shanghai", "Europe/Berlin"))):
            folder = pathlib.Path(self.dir, name)
            (folder / "Asia").mkdir(parents=True)
            for to, zone in zip(("Asia/Shanghai", "Asia/Tokyo"), zones):
                shutil.copy(f"/usr/share/zoneinfo/{zone}", folder / to)
            here = {"TZDIR": str(folder)}
            index = json.loads(self.succeeds("check", "--json", path, variables=here).lines[0])
            fingerprints[name] = index["fingerprint"]
            table, = index["machine_tables"]
            self.assertRegex(table, "^time zone Asia/Shanghai: [0-9a-f]{32}$")
            self.assertIn(f"  depends on  {table}\n", self.succeeds("check", path, variables=here).out)
        self.assertEqual(fingerprints["as it is"], fingerprints["of others"])
        self.assertNotEqual(fingerprints["as it is"], fingerprints["another release"])

    def test_json_has_the_diagnostics_too(self):
        path = self.file("m.yaml", GOOD.replace("decimal", "decmal") + "    ignore_warnings: [growing-kye]\n")
        outcome = self.refuses(78, "check", "--json", path, says="check: 2 errors in 1 mapping file")
        found = [json.loads(line) for line in outcome.lines]
        self.assertEqual([(one["diagnostic"], one["line"], one["code"]) for one in found],
                         [("error", 7, "unknown-function"), ("error", 8, "bad-choice")])
        self.assertIn("did you mean 'decimal'?", found[0]["hints"])
        self.assertNotIn("m.yaml:7", outcome.err)

    def test_shows_each_condition_as_it_was_understood(self):
        path = self.file("m.yaml", GOOD + "    when: ['{f1:state}!=blocked', '{f1:n|int} in [ 2,1 ] or not {f1:x}']\n")
        conditions = ['{f1:state} != "blocked"', "{f1:n | int} in [1, 2] or not {f1:x}"]
        out = self.succeeds("check", path).out
        for condition in conditions:
            self.assertIn(f"  when        {condition}\n", out)
        self.assertEqual(json.loads(self.succeeds("check", "--json", path).lines[0])["when"], conditions)

    def test_reads_no_pipe_and_no_device_that_a_file_names(self):
        os.mkfifo(os.path.join(self.dir, "pipe.proto"))
        os.symlink("/dev/zero", os.path.join(self.dir, "zero.proto"))
        for name in ("pipe.proto", "zero.proto"):
            path = self.file("m.yaml", f"protos: {name}\n" + GOOD)
            self.refuses(78, "check", path, says=(f"{name}: is not a regular file", "[bad-proto]"))

    def test_reads_no_more_of_an_endless_file_than_it_needs(self):
        self.refuses(78, "check", "/dev/zero", says="the file has more than 1048576 bytes")

    def test_says_what_an_event_costs(self):
        out = self.succeeds("check", self.file("m.yaml", GOOD)).out
        self.assertIn("  each event  at most 1 read of state (none for rows written lately); 1 write of state, 1 put and 1 "
                      "removal for each entry that changes\n", out)

    def test_says_which_indexes_can_be_mirrors_and_what_they_cost(self):
        text = "source: t\nindexes:\n  i:\n    table: i\n    row: '%s'\n    columns: { 'f:{row}': '{f:k}' }\n%s"
        for row, scheme, line in (
                ("{row}", "", "  class       stateful; 'mode: stateless' is possible: each index cell follows one source cell, "
                              "at its timestamp, or above it after an ambiguous event\n"),
                ("{row}", "stateless", "  class       stateless: each index cell follows one source cell, at its timestamp, or above it after an ambiguous event\n"),
                ("{f:k}", "stateful", "  class       stateful: the row key '{f:k}' has values of the source, so that an "
                                   "entry moves if a value changes\n")):
            path = self.file("m.yaml", text % (row, scheme and f"    mode: {scheme}\n"))
            out = self.succeeds("check", path).out
            self.assertIn(line, out)
            self.assertEqual(scheme == "stateless", "  state       none per event, table i_state\n  each event  1 put or 1 delete "
                             "marker" in out)
            self.assertEqual(json.loads(self.succeeds("check", "--json", path).lines[0])["mode"], scheme or "stateful")
        self.refuses(78, "check", self.file("m.yaml", text % ("{f:k}", "    mode: stateless\n")), says="[not-stateless]")

    def test_a_changelog_is_named_and_needs_a_topic_as_its_source(self):
        path = self.file("m.yaml", "source: t\nindexes:\n  i:\n    table: i\n    row: '{row}'\n    columns: { 'f:k': '{f:k}' }\n"
                                   "    changelog: { topic: i.rows }\n")
        self.assertIn("  changelog   topic i.rows, Debezium's form\n", self.succeeds("check", path).out)
        self.assertEqual(json.loads(self.succeeds("check", "--json", path).lines[0])["changelog_topic"], "i.rows")
        self.file("events.jsonl", "")
        self.refuses(78, "run", path, "--source=file:events.jsonl", "--store=embedded:data", says="index i has a changelog in Kafka")

    def test_a_missing_file_is_named(self):
        outcome = self.refuses(78, "check", "nowhere.yaml", says="check: nowhere.yaml: No such file or directory")
        self.assertEqual(outcome.out, "")

    def folder(self, **texts):
        os.mkdir(os.path.join(self.dir, "mappings"))
        return [self.file("mappings/" + name.replace("_", "."), text) for name, text in texts.items()]

    def test_a_folder_is_the_files_in_it(self):
        self.folder(b_yaml=GOOD.replace("fensi", "other"), a_yml=GOOD, _hidden_yaml="x", notes_txt="x")
        os.mkdir(os.path.join(self.dir, "mappings", "sub.yaml"))
        self.assertEqual([line for line in self.succeeds("check", "mappings").lines if line.startswith("index")],
                         ["index fensi", "index other"])
        self.refuses(64, "check", "mappings/sub.yaml", says="mappings/sub.yaml: the folder has no mapping file (*.yaml, *.yml)")
        self.refuses(64, "check", "mappings", "mappings/a.yml", says="mappings/a.yml is given twice")

    def test_alternatives_are_checked_each_by_itself(self):
        self.folder(a_yaml=GOOD, b_yaml=GOOD, c_yaml=GOOD.replace("decimal", "decmal"))
        os.remove(os.path.join(self.dir, "mappings/c.yaml"))
        self.refuses(78, "check", "mappings", says=("b.yaml:", "check each file alone with 'fensi check --each'"))
        self.assertEqual(self.succeeds("check", "mappings", "--each").out.count("index fensi\n"), 2)
        self.file("mappings/aa.yaml", GOOD.replace("decimal", "decmal"))
        outcome = self.refuses(78, "check", "mappings", "gone.yaml", "--each",
                               says=("aa.yaml:7:", "gone.yaml: No such file", "check: 2 of 4 mapping files refused"))
        self.assertEqual(outcome.out.count("index fensi\n"), 2)

    def test_colours_are_for_terminals_and_who_asks(self):
        path = self.file("m.yaml", GOOD.replace("decimal", "decmal"))
        for flags, variables, terminal, colours in (
                ((), {}, False, False), (("--color=always",), {"NO_COLOR": "1"}, False, True), ((), {}, True, True),
                ((), {"NO_COLOR": "1"}, True, False), ((), {"NO_COLOR": ""}, True, True),
                ((), {"TERM": "dumb"}, True, False), (("--color=never",), {}, True, False)):
            said = self.said("check", path, *flags, terminal=terminal, **variables)
            self.assertEqual("\x1b[1;31merror:\x1b[0m" in said, colours, (flags, variables, terminal))
            self.assertIn("m.yaml:7:", re.sub("\x1b[^m]*m", "", said))
            self.assertEqual("\x1b" in said, colours)
        self.refuses(64, "check", path, "--color=sometimes", says="--color=sometimes: colours are auto, always or never")

    def said(self, *words, terminal, **variables):
        """What stands on standard error, which may be a terminal."""
        leader, follower = pty.openpty() if terminal else os.pipe()
        environment = {**os.environ, "TERM": "xterm", **variables}
        if "NO_COLOR" not in variables:
            environment.pop("NO_COLOR", None)
        subprocess.run([harness.FENSI, *words], cwd=self.dir, env=environment, stdout=subprocess.DEVNULL,
                       stderr=follower, timeout=harness.DEADLINE_S, check=False)
        text = os.read(leader, 1 << 16).decode()
        os.close(leader)
        os.close(follower)
        return text

    def test_a_bad_mapping_shows_place_line_caret_and_count(self):
        path = self.file("m.yaml", GOOD.replace("decimal", "decmal"))
        outcome = self.refuses(78, "check", path, says=("m.yaml:7:", "error:", "did you mean 'decimal'?", "^",
                                                        "check: 1 error in 1 mapping file"))
        self.assertEqual(outcome.out, "")

    def test_all_faults_of_all_files_are_reported_at_once(self):
        first = self.file("a.yaml", GOOD.replace("decimal", "decmal").replace("table: fensi", "tabel: fensi"))
        second = self.file("b.yaml", "indexes: {}\n")
        outcome = self.refuses(78, "check", first, second, says=("a.yaml:", "b.yaml:", "in 2 mapping files"))
        self.assertGreaterEqual(outcome.err.count("error:"), 3)

    def test_one_index_name_in_two_files_is_refused(self):
        self.refuses(78, "check", self.file("a.yaml", GOOD), self.file("b.yaml", GOOD), says="fensi")

    def test_one_mistake_is_one_message(self):
        named_twice = self.refuses(78, "check", self.file("m.yaml", GOOD), self.file("n.yaml", GOOD), says="check: 1 error in 1 of 2 mapping files")
        self.assertEqual(named_twice.err.count(": error: "), 1)
        tests = "tests:\n  - { name: t, given: [ { put: a, 'f1:from': b, ts: 1 } ], expect: { fensi: {} } }\n"
        faulty = self.file("m.yaml", GOOD.replace("decimal", "decmal") + tests)
        self.refuses(78, "check", faulty, says="check: 1 error in 1 mapping file")
        unknown = self.file("m.yaml", GOOD + tests.replace("fensi: {}", "fnesi: {}"))
        self.refuses(78, "check", unknown, says="there is no index 'fnesi' in this file")

    def test_a_file_that_is_given_twice_is_told_by_whatever_name(self):
        path = self.file("m.yaml", GOOD)
        os.symlink(path, os.path.join(self.dir, "link.yaml"))
        self.refuses(64, "check", path, path, says="m.yaml is given twice")
        self.refuses(64, "check", path, "link.yaml", says="link.yaml is the same file as m.yaml")

    def test_json_tells_of_a_file_that_cannot_be_read(self):
        outcome = self.refuses(78, "check", "--json", "nothing.yaml", says="nothing.yaml: No such file or directory")
        self.assertEqual(json.loads(outcome.out), {"diagnostic": "error", "file": "nothing.yaml", "code": "unreadable",
                                                   "message": "nothing.yaml: No such file or directory. Correct the path of the mapping file"})

    def test_the_output_that_cannot_be_written_is_an_error(self):
        path = self.file("m.yaml", GOOD)
        with open("/dev/full", "wb") as full:
            done = subprocess.run([harness.FENSI, "check", path], stdout=full, stderr=subprocess.PIPE, cwd=self.dir,
                                  timeout=harness.DEADLINE_S, check=False)
        self.assertEqual(done.returncode, 70)
        self.assertIn(b"cannot write to standard output", done.stderr)

    def test_a_file_of_windows_is_read_as_any_other(self):
        plain = self.succeeds("check", "--json", self.file("m.yaml", GOOD)).out
        for text in ("\ufeff" + GOOD, GOOD.replace("\n", "\r\n"), "\ufeff" + GOOD.replace("\n", "\r\n")):
            with open(os.path.join(self.dir, "m.yaml"), "w", encoding="utf-8", newline="") as out:
                out.write(text)
            self.assertEqual(self.succeeds("check", "--json", "m.yaml").out, plain)
        minified = '{"source":"t","indexes":{"i":{"table":"i","row":"{f1:from}","columns":{"f1:{row}":""}}}}'
        self.succeeds("check", self.file("min.yaml", "\ufeff" + minified))
        self.refuses(78, "check", self.file("cr.yaml", "\ufeff" + GOOD.replace("\n", "\r")), says="cr.yaml:1:16: error: the line has a control character")

    def test_tables_of_fensi_are_no_tables_of_an_index(self):
        self.file("e.jsonl", "")
        run = ("run", "m.yaml", "--source=file:e.jsonl", "--store=embedded:data")
        for table, flag in (("fensi_meta", ()), ("default:fensi_meta", ()), ("ours", ("--meta_table=ours",)), ("ours", ("--meta_table=default:ours",))):
            self.file("m.yaml", GOOD.replace("table: fensi", f"table: '{table}'"))
            for command in (("check", "m.yaml"), run, ("create", "m.yaml", "--store=embedded:data")):
                self.refuses(78, *command, *flag, says="already belongs to fensi itself")
            self.file("m.yaml", GOOD.replace("source: guanzhu", f"source: '{table}'"))
            self.refuses(78, "check", "m.yaml", *flag, says="already belongs to fensi itself")
        self.succeeds(*run[:1], self.file("m.yaml", GOOD.replace("table: fensi", "table: ours")), *run[2:])

    def test_online_without_servers_is_refused(self):
        self.refuses(64, "check", self.file("m.yaml", GOOD), "--online", says="--online needs --store or --kafka")

    def test_online_names_missing_tables_and_a_missing_source(self):
        self.file("e.jsonl", "")
        self.succeeds("run", self.file("other.yaml", GOOD.replace("fensi", "other")), "--source=file:e.jsonl",
                      "--store=embedded:data")
        path = self.file("m.yaml", GOOD)
        outcome = self.refuses(78, "check", path, "--online", "--store=embedded:data", says="2 errors in the tables and topics")
        self.assertIn("online error: index fensi, table fensi: is missing. Create the table with 'fensi create MAPPING --execute'\n", outcome.out)
        self.assertIn("online warning: index fensi, source table guanzhu: is not in this store", outcome.out)
        self.succeeds("run", path, "--source=file:e.jsonl", "--store=embedded:data")
        self.succeeds("check", path, "--online", "--store=embedded:data")

    def test_online_says_before_a_run_that_a_definition_is_not_that_of_the_index(self):
        self.file("e.jsonl", "")
        self.succeeds("run", self.file("m.yaml", GOOD), "--source=file:e.jsonl", "--store=embedded:data")
        path = self.file("m.yaml", GOOD.replace("decimal", "to_be 8"))
        self.refuses(78, "run", path, "--source=file:e.jsonl", "--store=embedded:data", says="its definition changed")
        checked = self.refuses(78, "check", path, "--online", "--store=embedded:data", says="1 error in the tables and topics")
        self.assertIn("online error: index fensi, table fensi_state: index fensi: its definition changed since", checked.out)
        self.assertIn("f1:{row} = {f1:from@ts | decimal}\nand now it is:\n", checked.out)


harness.main()
