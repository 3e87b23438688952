"""`fensi wait`: how it ends, and what it says then. What owners of partitions say in the meta table is planted."""
import signal
import subprocess
import time

import harness
from follow import MAPPING, cell, event
from planted_meta import TABLE, WithPlantedMeta, planting, planting_state

MARK = {"i:incarnation": "{f1:incarnation}", "i:complete/1111111111111111": "{f1:complete}"}
META = planting("meta", MARK)
OTHERS = planting("meta", MARK | {"i:table": "{f1:table}", "i:state_table": "{f1:table}_state"})
STATE = planting_state("state", {"i:incarnation": "{f1:of_state}", "i:pause": "{f1:paused}"})
FAR = 33_000_000_000_000  # in the year 3015


class Wait(WithPlantedMeta, harness.CliTest):
    STORE = "--store=embedded:data"
    LINE = ("wait", "guanzhu.yaml", "fensi", STORE)

    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("meta.yaml", META)
        self.file("state.yaml", STATE)
        self.say()

    def say(self, complete=None, of_state="1111111111111111", store=STORE):
        """Without a time: there is the table, and nothing in it. `of_state`: the incarnation that the state table has."""
        said = {} if complete is None else {"f1:incarnation": "1111111111111111", "f1:complete": str(complete), "f1:of_state": of_state, "f1:table": "others"}
        line = event("fensi", *(cell("put", column, 10, value) for column, value in said.items()), table="said") if said else ""
        for mapping in ("meta.yaml", "state.yaml"):
            self.plant(mapping, line, store)

    def test_a_paused_index_is_named_at_once_and_at_the_end(self):
        self.say(1_482_192_000_123)
        self.plant("state.yaml", event("fensi", cell("put", "f1:paused", 11, "me, today: an upgrade"), table="said"), self.STORE)
        outcome = self.fensi(*self.LINE, "--until", str(FAR), "--timeout_s=1")
        self.assertEqual(outcome.code, 75, outcome.err)
        paused = "index fensi is paused (me, today: an upgrade). To continue: 'fensi resume MAPPING fensi … --execute'"
        self.assertTrue(outcome.err.startswith("fensi: wait: " + paused), outcome.err)
        self.assertIn("is 2016-12-20T00:00:00.123Z, before 3015", outcome.err)
        self.assertEqual(outcome.err.count(paused), 2, outcome.err)

    def test_an_eight_digit_day_is_no_time(self):
        self.refuses(64, *self.LINE, "--until", "20161220", says="Write --until=2016-12-20")

    def test_an_index_that_is_complete_enough_ends_with_0_and_the_time(self):
        self.say(1_482_192_000_123)
        for until in ("1482192000122", "2016-12-20", "2016-12-20T00:00:00Z", "0"):
            outcome = self.succeeds(*self.LINE, "--until", until)
            self.assertEqual(outcome.out, "2016-12-20T00:00:00.123Z\n")

    def test_one_that_is_not_ends_with_75_and_says_how_far_it_is(self):
        self.say(1_482_192_000_123)
        for until in ("1482192000123", "now"):
            outcome = self.fensi(*self.LINE, "--until", until, "--timeout_s", "1")
            self.assertEqual((outcome.code, outcome.out), (75, ""))
            self.assertIn("the watermark of index fensi is 2016-12-20T00:00:00.123Z, before ", outcome.err)

    def test_a_mark_of_an_index_that_was_made_again_counts_for_nothing(self):
        self.say(FAR, of_state="2222222222222222")
        outcome = self.fensi(*self.LINE, "--until", "now", "--timeout_s", "0")
        self.assertEqual((outcome.code, outcome.out), (78, ""), outcome.err)
        self.assertIn("has no watermark", outcome.err)

    def test_a_mark_of_another_index_of_that_name_is_refused_with_both_definitions(self):
        self.file("meta.yaml", OTHERS)
        self.say(FAR, store="--store=embedded:others")
        outcome = self.fensi(*self.LINE[:3], "--store=embedded:others", "--until", "now")
        self.assertEqual((outcome.code, outcome.out), (78, ""), outcome.err)
        self.assertIn("this name is taken by another index. The table records: index table others, state table others_state", outcome.err)
        self.assertIn("Your mapping file has: index table fensi, state table fensi_state", outcome.err)

    def test_now_is_the_time_at_which_it_began_and_the_skew_of_the_clocks(self):
        self.say(int(time.time() * 1000) + 6_000)
        self.succeeds(*self.LINE, "--until", "now", "--timeout_s", "20")
        self.assertEqual(self.fensi(*self.LINE, "--until", "now", "--timeout_s", "0", "--clock_skew_ms", "120000").code, 75)

    def test_a_clock_that_is_ten_minutes_behind_the_servers_proves_nothing(self):
        self.say(int(time.time() * 1000) + 600_000)
        outcome = self.fensi(*self.LINE, "--until", "now", "--timeout_s", "1")
        self.assertEqual((outcome.code, outcome.out), (78, ""), outcome.err)
        self.assertIn("--until now proves nothing. Compare the clocks of this machine", outcome.err)

    def test_an_index_without_marks_ends_with_78_and_the_remedy(self):
        outcome = self.fensi(*self.LINE, "--until", "now", "--timeout_s", "0")
        self.assertEqual(outcome.code, 78)
        self.assertIn(f"has no watermark in table {TABLE}", outcome.err)
        self.assertIn("fensi capture --plan", outcome.err)

    def test_without_the_table_it_ends_with_78(self):
        outcome = self.fensi(*self.LINE, "--until", "now", "--meta_table", "absent")
        self.assertEqual(outcome.code, 78)
        self.assertIn("absent", outcome.err)

    def test_what_is_no_time_is_refused(self):
        for until in ("earliest", "latest", "soon", "-1"):
            outcome = self.fensi(*self.LINE, "--until", until)
            self.assertEqual(outcome.code, 64, outcome.err)
            self.assertIn("--until", outcome.err)
        self.assertEqual(self.fensi(*self.LINE).code, 64)

    def test_a_mark_that_is_not_understood_is_named(self):
        self.say("soon")
        outcome = self.fensi(*self.LINE, "--until", "now")
        self.assertEqual(outcome.code, 70)
        self.assertIn("complete/1111111111111111", outcome.err)

    def test_a_stop_ends_it_with_75(self):
        self.say(1)
        process = subprocess.Popen([harness.FENSI, *self.LINE, "--meta_table", TABLE, "--until", str(FAR)], cwd=self.dir, stderr=subprocess.PIPE, text=True)
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        _, messages = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 75, messages)


harness.main()
