"""`fensi convert` of an index in an embedded store: from states to a mirror, and on."""
import json

import harness
from follow import COPY, follow, unfollow

KEPT = """source: guanzhu
indexes:
  mine:
    table: mine
    row: '{row}'
    columns: { 'f1:follows': '{f1:from}' }
    mode: stateful
"""
OCCUPANT = """source: guanzhu
indexes:
  other:
    table: mine
    row: '{row}'
    columns: { 'f1:x': '{f1:from}' }
"""
MIRROR = KEPT.replace("mode: stateful", "mode: stateless")
STORE = "--store=embedded:data"


class Convert(harness.CliTest):
    def setUp(self):
        super().setUp()
        for name, text in (("kept.yaml", KEPT), ("mirror.yaml", MIRROR), ("copy.yaml", COPY)):
            self.file(name, text)
        self.copy(*[follow(f"r{i}", "b", 10) for i in range(5)])

    def copy(self, *events):
        """The source table has what they say."""
        self.run_file("copy.yaml", [event.replace('"guanzhu"', '"raw"') for event in events])

    def run_file(self, mapping, events, code=0):
        outcome = self.fensi("run", mapping, "--source=file:" + self.file("events.jsonl", "".join(events)), STORE)
        self.assertEqual(outcome.code, code, outcome.err)
        return outcome

    def happens(self, mapping, *events):
        self.copy(*events)
        self.run_file(mapping, events)

    def index(self):
        cells = [json.loads(line) for line in self.succeeds("scan", "mine", STORE, "--json").lines]
        return {cell["row"]: cell["value"] for cell in cells}

    def states(self):
        return [line for line in self.succeeds("scan", "mine_state", STORE, "--json").lines if json.loads(line)["column"][:2] in ("s:", "d:", "m:")]

    def test_an_index_is_moved_and_goes_on_as_a_mirror(self):
        self.run_file("kept.yaml", [follow(f"r{i}", "b", 10) for i in range(5)])
        refused = self.run_file("mirror.yaml", [], code=78)
        self.assertIn("fensi convert MAPPING mine … --execute", refused.err)
        shown = self.succeeds("convert", "mirror.yaml", "mine", STORE)
        self.assertEqual(shown.lines, ["index mine: kept with states", "  5 states, up to version 10: to be removed",
                                       "  0 states ambiguous: to be read again from guanzhu"])
        self.assertIn("nothing was changed", shown.err)
        self.happens("kept.yaml", follow("r0", "c", 20))
        moved = self.succeeds("convert", "mirror.yaml", "mine", STORE, "--execute")
        self.assertIn("5 states removed; index mine is stateless. Start its 'fensi run'", moved.err)
        self.assertEqual(moved.lines, ["index mine: kept with states", "  5 states, up to version 20", "  0 states ambiguous"])
        self.assertEqual(self.states(), [])
        self.happens("mirror.yaml", unfollow("r1", 30), follow("r2", "d", 30), follow("r9", "e", 40))
        self.assertEqual(self.index(), {"r0": "c", "r2": "d", "r3": "b", "r4": "b", "r9": "e"})
        self.succeeds("verify", "mirror.yaml", "mine", STORE, "--recheck_s=0")
        self.assertIn("began as stateless", self.run_file("kept.yaml", [], code=78).err)

    def test_a_second_time_there_is_nothing_to_do(self):
        self.run_file("mirror.yaml", [follow("r0", "b", 10)])
        for more in ((), ("--execute",)):
            self.assertIn("nothing to do: index mine is stateless", self.succeeds("convert", "mirror.yaml", "mine", STORE, *more).err)
        self.assertEqual(self.index(), {"r0": "b"})

    def test_a_mirror_without_its_source_is_said_to_be_none_at_each_start(self):
        alone = "--store=embedded:alone"
        events = "--source=file:" + self.file("events.jsonl", follow("r0", "b", 10))
        for _ in range(2):
            said = self.succeeds("run", "mirror.yaml", events, alone).err
            self.assertIn("index mine is stateful, although its mapping says 'mode: stateless', because its source table guanzhu was not in "
                          "the store when the index began", said)
        self.succeeds("run", "copy.yaml", "--source=file:" + self.file("raw.jsonl", follow("r0", "b", 10).replace('"guanzhu"', '"raw"')), alone)
        self.assertIn("is stateful, although", self.succeeds("run", "mirror.yaml", events, alone).err)
        self.assertNotIn("is stateful", self.succeeds("run", "kept.yaml", events, alone).err)
        checked = self.succeeds("check", "mirror.yaml", "--online", alone)
        self.assertIn("source table guanzhu: was not in this store when the index began: the index is then stateful", checked.out)
        self.assertNotIn("is stateful", self.run_file("mirror.yaml", []).err)

    def test_what_a_run_refuses_of_a_scheme_is_an_error_before_it(self):
        for begun, wished, says in (("mirror.yaml", "kept.yaml", "began as stateless, and its mapping is now of 'mode: stateful'"),
                                    ("kept.yaml", "mirror.yaml", "began as stateful, and its mapping is now of 'mode: stateless'")):
            self.run_file(begun, [])
            self.succeeds("check", begun, "--online", STORE)
            checked = self.refuses(78, "check", wished, "--online", STORE, says="1 error in the tables and topics")
            self.assertIn("online error: index mine, table ", checked.out)
            self.assertIn(says, checked.out)
            self.assertIn(says, self.run_file(wished, [], code=78).err)
            self.succeeds("drop", begun, "mine", STORE, "--execute")
            self.succeeds("create", begun, STORE, "--execute")

    def test_the_life_of_cells_is_a_fault_of_mirrors_alone(self):
        alone = "--store=embedded:alone"
        events = "--source=file:" + self.file("events.jsonl", follow("r0", "b", 10))
        short = MIRROR + "    create: { families: { f1: { ttl: 3d } } }\n"
        self.succeeds("run", self.file("short.yaml", short), events, alone)
        self.succeeds("run", "copy.yaml", "--source=file:" + self.file("raw.jsonl", follow("r0", "b", 10).replace('"guanzhu"', '"raw"')), alone)
        says = "source table guanzhu: family 'f1' keeps cells for ever, the index's family 'f1' 259200 s"
        self.assertIn("online warning: index mine, " + says, self.succeeds("check", "short.yaml", "--online", alone).out)
        self.run_file("mirror.yaml", [])
        self.assertIn("online error: index mine, " + says, self.refuses(78, "check", "short.yaml", "--online", STORE, says="correct them as shown above").out)

    def test_nothing_is_said_of_what_an_index_is_whose_beginning_is_another(self):
        self.run_file("mirror.yaml", [])
        self.succeeds("drop", "copy.yaml", "copy", STORE, "--execute")
        self.file("other.yaml", MIRROR.replace("f1:follows", "f1:after"))
        checked = self.refuses(78, "check", "other.yaml", "--online", STORE, says="1 error").out
        self.assertIn("online warning: index mine, source table guanzhu: is not in this store. Check 'source:'", checked)
        self.assertIn("its definition changed", checked)

    def test_a_mirror_that_is_refused_is_not_said_to_be_none(self):
        alone = "--store=embedded:occupied"
        events = "--source=file:" + self.file("events.jsonl", follow("r0", "b", 10))
        self.succeeds("create", "mirror.yaml", alone, "--execute")
        self.succeeds("run", self.file("occupant.yaml", OCCUPANT), events, alone)
        said = self.refuses(78, "run", "mirror.yaml", events, alone, says=["is not empty"]).err
        self.assertNotIn("is stateful", said)

    def test_the_source_of_a_mirror_that_went_is_a_fault_before_the_run(self):
        self.run_file("mirror.yaml", [follow("r0", "b", 10)])
        self.succeeds("drop", "copy.yaml", "copy", STORE, "--execute")
        checked = self.fensi("check", "mirror.yaml", "--online", STORE)
        self.assertEqual(checked.code, 78)
        self.assertIn("online error: index mine, source table guanzhu: is not in this store, but was when the index began", checked.out)

    def test_what_cannot_be_moved_is_refused_with_the_reason(self):
        self.run_file("kept.yaml", [follow("r0", "b", 10)])
        self.file("value.yaml", MIRROR.replace("'{row}'\n", "'{f1:from}'\n"))
        self.file("other.yaml", MIRROR.replace("f1:follows", "f1:after"))
        for mapping, says in (("kept.yaml", "lacks 'mode: stateless'"), ("value.yaml", "[not-stateless]"), ("other.yaml", "its definition changed")):
            for more in ((), ("--execute",)):
                self.refuses(78, "convert", mapping, "mine", STORE, *more, says=says)
        self.refuses(64, "convert", "mirror.yaml", "mine", "--store=thrift://127.0.0.1:1", says="--kafka=HOST:PORT is missing")
        self.refuses(64, "convert", "mirror.yaml", "min", STORE, says="no index 'min'")
        self.run_file("kept.yaml", [follow("r1", "b", 10)])

    def test_an_index_that_nobody_began_is_begun_by_a_run(self):
        self.succeeds("create", "mirror.yaml", STORE, "--execute")
        self.refuses(78, "convert", "mirror.yaml", "mine", STORE, says="has not begun")


if __name__ == "__main__":
    harness.main()
