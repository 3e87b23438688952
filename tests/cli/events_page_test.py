"""docs/events.md: its events are run one after the other, and the index is as it shows it after each piece."""
import json
import os
import re
import shutil
import subprocess
import sys

import harness


def blocks():
    with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "events.md"), encoding="utf-8") as page:
        return re.findall(r"^```(\w+)\n(.*?)^```$", page.read(), re.M | re.S)


class EventsPage(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = os.path.join(os.environ["FENSI_ROOT"], "deploy", "examples", "followers.yaml")

    def run_events(self, name, text):
        return self.fensi("run", self.mapping, "--source=file:" + self.file(name, text), "--store=embedded:data")

    def test_each_piece_makes_the_index_that_is_shown(self):
        events, shown = "", 0
        for number, (kind, text) in enumerate(blocks()):
            if kind == "json":
                events += text
            elif kind == "scan":
                outcome = self.run_events("events-%d.jsonl" % number, events)
                self.assertEqual(outcome.code, 0, outcome.err)
                self.assertEqual(self.fensi("scan", "followers", "--store=embedded:data").out, text)
                shown += 1
        self.assertGreaterEqual(shown, 4)

    def test_the_program_for_envelopes_makes_events_of_them(self):
        ((_, program),) = [block for block in blocks() if block[0] == "python"]
        def envelope(op, pos, before, after):
            return json.dumps({"op": op, "source": {"pos": pos}, "before": before, "after": after}) + "\n"
        first, second, third = {"who": "a", "to": "b"}, {"who": "a", "to": None}, {"who": "\\x41粉", "to": 7}
        lines = [envelope("c", 1, None, first), envelope("r", 2, None, third), envelope("u", 3, first, second), envelope("c", 4, None, {"who": "d", "to": "e"}),
                 envelope("d", 5, {"who": "d", "to": "e"}, None), envelope("u", 6, second, {"who": "a", "to": "c"})]
        made = subprocess.run([sys.executable, "-c", program], input="".join(lines), capture_output=True, text=True, check=True).stdout
        outcome = self.run_events("envelopes.jsonl", made)
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertEqual(self.fensi("scan", "followers", "--store=embedded:data").out, "7\tf:\\x5Cx41粉\t2\t2\nc\tf:a\t6\t6\n")

    def made_of(self, *envelopes):
        """What the program prints of these lines, and what it says."""
        ((_, program),) = [block for block in blocks() if block[0] == "python"]
        lines = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in envelopes)
        return subprocess.run([sys.executable, "-c", program], input=lines, capture_output=True, text=True, check=False)

    def index_of(self, *envelopes):
        made = self.made_of(*envelopes)
        self.assertEqual(made.returncode, 0, made.stderr)
        outcome = self.run_events("envelopes.jsonl", made.stdout)
        self.assertEqual(outcome.code, 0, outcome.err)
        cells = [line.split("\t")[:2] for line in self.fensi("scan", "followers", "--store=embedded:data").out.splitlines()]
        shutil.rmtree(os.path.join(self.dir, "data"))
        return [(row, column) for row, column in cells]

    def test_the_program_for_envelopes_keeps_every_change(self):
        def of(op, before, after, pos=1, file="mysql-bin.000001"):
            return {"op": op, "source": {"file": file, "pos": pos}, "before": before, "after": after}
        first, moved, other_key = {"who": "a", "to": "b"}, {"who": "a", "to": "c"}, {"who": "z", "to": "b"}
        created = of("c", None, first, 1_073_741_000)
        self.assertEqual(self.index_of(created, of("u", first, moved, 219, "mysql-bin.000002")), [("c", "f:a")])
        self.assertEqual(self.index_of(created, of("d", first, None, 4, "mysql-bin.000002"), "null", "", "  "), [])
        self.assertEqual(self.index_of(created, of("d", first, None, 4, "mysql-bin.001000"), "null", of("c", None, first, 9, "mysql-bin.001000")), [("b", "f:a")])
        self.assertEqual(self.index_of(created, of("u", first, other_key, 4, "mysql-bin.000002")), [("b", "f:z")])
        self.assertEqual(self.index_of(created, of("u", None, {"who": "a", "to": None}, 4, "mysql-bin.000002")), [])
        self.assertEqual(self.index_of(of("c", None, first, 1, "mysql-bin.9999999"), of("d", first, None, 2 ** 32, "mysql-bin.9999999")), [])

    def test_the_program_for_envelopes_ends_at_what_is_no_change_of_a_row(self):
        for envelope, says in (({"op": "t", "source": {"pos": 1}, "before": None, "after": None}, "op 't' is no change of a row"),
                               ({"op": "d", "source": {"pos": 1}, "before": None, "after": None}, "names no row")):
            made = self.made_of(envelope)
            self.assertEqual((made.returncode, made.stdout), (1, ""))
            self.assertIn(says, made.stderr)

    def test_each_refused_line_is_refused_in_these_words(self):
        ((_, text),) = [block for block in blocks() if block[0] == "refused"]
        lines = text.splitlines()
        self.assertGreaterEqual(len(lines), 12)
        for number, (event, reason) in enumerate(zip(lines[::2], lines[1::2])):
            name = "refused-%d.jsonl" % number
            self.assertEqual(self.run_events(name, event + "\n").code, 1)
            self.assertIn(reason.replace('"', '\\"'), self.read("fensi.dead.jsonl").splitlines()[-1])


if __name__ == "__main__":
    harness.main()
