"""`fensi pause` and `fensi resume`: what they say, what they refuse, and what a run makes of them. Daemons: tests/e2e/rest_test.py."""
import subprocess

import harness
from follow import MAPPING, follow

STORE = "--store=embedded:data"
WHERE = ("guanzhu.yaml", "fensi", STORE)
WHY = "--reason=an upgrade, 升级"


class Pause(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("events.jsonl", follow("a", "b", 10))

    def run_file(self):
        return self.fensi("run", "guanzhu.yaml", STORE, "--source=file:events.jsonl")

    def test_a_run_of_a_file_does_not_begin_until_it_is_resumed(self):
        self.assertEqual(self.run_file().code, 0)
        outcome = self.succeeds("pause", *WHERE, WHY)
        self.assertEqual(outcome.out, "index fensi is not paused\n")
        self.assertIn("nothing was changed", outcome.err)
        self.assertEqual(self.run_file().code, 0)

        self.assertEqual(self.succeeds("pause", *WHERE, WHY, "--execute").out, "index fensi: the pause is requested\n")
        again = self.succeeds("pause", *WHERE, "--reason=another", "--execute")
        self.assertRegex(again.out, r"the pause was already requested \(\S+@\S+, 20\S+Z: an upgrade, 升级\), so fensi did not record this --reason\n")
        refused = self.run_file()
        self.assertEqual(refused.code, 78)
        self.assertRegex(refused.err, r"index fensi is paused \(.*: an upgrade, 升级\)\. To continue: 'fensi resume MAPPING fensi")

        planned = self.succeeds("resume", *WHERE)
        self.assertIn("nothing was changed", planned.err)
        self.assertIn("index fensi is paused (", planned.out)
        self.assertEqual(self.run_file().code, 78)
        self.assertRegex(self.succeeds("resume", *WHERE, "--execute").out, r"^index fensi was paused \(.*: an upgrade, 升级\)\n$")
        self.assertEqual(self.succeeds("resume", *WHERE, "--execute").out, "index fensi is not paused\n")
        self.assertEqual(self.run_file().code, 0)

    def test_an_index_that_was_never_begun_cannot_be_paused(self):
        self.refuses(78, "pause", *WHERE, WHY, "--execute", says="embedded")
        self.file("other.yaml", MAPPING.replace("fensi", "other"))
        self.assertEqual(self.run_file().code, 0)
        self.refuses(78, "pause", "other.yaml", "other", STORE, WHY, "--execute", says="has not begun in this store")
        self.refuses(64, "pause", "guanzhu.yaml", "fans", STORE, WHY, says="fensi")

    def test_who_waits_is_told_that_nobody_has_the_index(self):
        self.assertEqual(self.run_file().code, 0)
        self.refuses(64, "pause", *WHERE, WHY, "--wait_s=3", says="--wait_s requires --wait")
        self.refuses(69, "pause", *WHERE, WHY, "--execute", "--wait", "--daemon=unix:nobody", says="unix:nobody")
        unjudged = self.fensi("pause", *WHERE, WHY, "--execute", "--wait", "--wait_s=0", "--daemon=unix:nobody")
        self.assertEqual((unjudged.code, unjudged.out.count("\n")), (0, 1), unjudged.out)  # that the pause is requested, and no more
        self.assertIn("the pause was already requested", self.refuses(69, "pause", *WHERE, WHY, "--execute", "--wait", "--daemon=unix:nobody").out)

    def test_the_definition_is_that_of_the_index(self):
        self.assertEqual(self.run_file().code, 0)
        self.file("guanzhu.yaml", MAPPING.replace("{row}': ''", "{row}': 'x'"))
        self.refuses(78, "pause", *WHERE, WHY, says="definition")

    def test_a_reason_is_one_line_of_text(self):
        for why in ("", "two\nlines", "\x1b[31m", "x" * 1001, "back\\slash"):
            self.refuses(64, "pause", *WHERE, "--reason=" + why, says="--reason")
        self.refuses(64, "pause", *WHERE, says="--reason")

    def test_an_embedded_store_that_a_run_has_open_takes_none(self):
        self.assertEqual(self.run_file().code, 0)
        process = subprocess.Popen([harness.FENSI, "run", "guanzhu.yaml", STORE, "--source=file:-"], cwd=self.dir,
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.stdin.write(follow("c", "b", 11).encode())
            process.stdin.flush()
            self.wait_for(lambda: "c" in self.fensi("lookup", "guanzhu.yaml", "fensi", "b", STORE).out)
            self.refuses(69, "pause", *WHERE, WHY, "--execute", says="data")
        finally:
            process.kill()
            process.communicate()


harness.main()
