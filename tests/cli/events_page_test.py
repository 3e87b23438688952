"""docs/events.md: its events are run one after the other, and the index is as it shows it after each piece."""
import json
import os
import re
import subprocess
import sys

import harness
from follow import MAPPING_WITH_TIME


def blocks():
    with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "events.md"), encoding="utf-8") as page:
        return re.findall(r"^```(\w+)\n(.*?)^```$", page.read(), re.M | re.S)


class EventsPage(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.mapping = self.file("guanzhu.yaml", MAPPING_WITH_TIME)

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
                self.assertEqual(self.fensi("scan", "fensi", "--store=embedded:data").out, text)
                shown += 1
        self.assertGreaterEqual(shown, 4)

    def test_the_program_for_envelopes_makes_events_of_them(self):
        ((_, program),) = [block for block in blocks() if block[0] == "python"]
        def envelope(op, pos, before, after):
            return json.dumps({"op": op, "source": {"pos": pos}, "before": before, "after": after}) + "\n"
        first, second, third = {"who": "a", "from": "b"}, {"who": "a", "from": None}, {"who": "\\x41粉", "from": 7}
        lines = [envelope("c", 1, None, first), envelope("r", 2, None, third), envelope("u", 3, first, second), envelope("c", 4, None, {"who": "d", "from": "e"}),
                 envelope("d", 5, {"who": "d", "from": "e"}, None), envelope("u", 6, second, {"who": "a", "from": "c"})]
        made = subprocess.run([sys.executable, "-c", program], input="".join(lines), capture_output=True, text=True, check=True).stdout
        outcome = self.run_events("envelopes.jsonl", made)
        self.assertEqual(outcome.code, 0, outcome.err)
        self.assertEqual(self.fensi("scan", "fensi", "--store=embedded:data").out, "7\tf1:\\x5Cx41粉\t2\t2\nc\tf1:a\t6\t6\n")

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
