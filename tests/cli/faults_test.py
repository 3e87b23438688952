"""The fault switches of the program: locked by default, silent in the help, and what they break comes out exact."""
import json
import os
import shutil

import harness
from follow import MAPPING, follow, unfollow

EVENTS = [follow("a", "b", 1), follow("c", "b", 2), follow("a", "d", 3), unfollow("c", 4), follow("e", "d", 5)]
LEFT = [("d", "f1:a"), ("d", "f1:e")]
EXIT = 99  # the code of a fault that ends the process


class FaultsTest(harness.CliTest):
    def setUp(self):
        super().setUp()
        self.file("guanzhu.yaml", MAPPING)
        self.file("events.jsonl", "".join(EVENTS))

    def run_words(self, *faults):
        words = ("run", "guanzhu.yaml", "--source=file:events.jsonl", "--store=embedded:data")
        return (*words, "--unlock_faults", *(f"--fault={fault}" for fault in faults)) if faults else words

    def entries(self):
        lines = self.succeeds("scan", "fensi", "--store=embedded:data", "--json").lines
        return [(cell["row"], cell["column"]) for cell in map(json.loads, lines)]

    def fresh_store(self):
        shutil.rmtree(os.path.join(self.dir, "data"), ignore_errors=True)


class Switches(FaultsTest):
    def test_are_refused_unless_unlocked(self):
        self.refuses(64, *self.run_words(), "--fault=put:1=fail", says="--fault requires --unlock_faults")

    def test_are_not_in_the_help_nor_suggested(self):
        self.assertNotIn("fault", self.succeeds("help", "run").out.replace("default", ""))
        self.assertNotIn("--fault", self.refuses(64, *self.run_words(), "--fau=x", says="unknown flag").err)

    def test_a_plan_that_means_nothing_is_refused(self):
        for plan, reason in (("put", "has no ':' before a '='"), ("pot:1=fail", "names an unknown call"),
                             ("put:0=fail", "needs a number N from 1 on, or *"), ("put:1=burn", "names no known action"),
                             ("put:1=delay:x", "names no known action")):
            self.refuses(64, *self.run_words(plan), says=reason)


class Faults(FaultsTest):
    def test_of_every_store_call_are_met_by_another_attempt(self):
        for call in ("put", "state", "delete", "get"):
            for action in ("fail", "lose", "delay:10"):
                self.fresh_store()
                self.succeeds(*self.run_words(f"{call}:1={action}", f"{call}:2={action}"))
                self.assertEqual(self.entries(), LEFT, (call, action))

    def test_at_every_point_where_the_process_ends_are_undone_by_the_next_run(self):
        for call in ("begin", "get", "put", "delete", "state", "done"):
            for action in ("exit_before", "exit_after"):
                self.fresh_store()
                self.refuses(EXIT, *self.run_words(f"{call}:1={action}"), says="fault: the process ends")
                self.succeeds(*self.run_words())
                self.assertEqual(self.entries(), LEFT, (call, action))

    def test_of_the_fence_bring_the_batch_again_or_are_not_applied(self):
        for action in ("fail", "lose"):
            self.fresh_store()
            self.succeeds(*self.run_words(f"fence:1={action}", f"fence:3={action}"))
            self.assertEqual(self.entries(), LEFT, action)

    def test_of_a_commit_bring_the_batch_again(self):
        for action in ("fail", "lose"):
            self.fresh_store()
            self.succeeds(*self.run_words(f"done:1={action}"))
            self.assertEqual(self.entries(), LEFT, action)


class EveryFault(FaultsTest):
    """Every call of a run over several files that workers share, with every action: the program ends with a code of its own, and the next run
    is exact."""
    ALL = os.environ.get("FENSI_LONG") is not None
    CALLS = ("put", "state", "delete", "get", "scan", "describe", "next", "begin", "done", "close", "fence") if ALL else ("begin", "done")
    ACTIONS = ("fail", "lose", "delay:2", "exit_before", "exit_after") if ALL else ("fail", "lose")
    MOST = 200  # calls of one kind

    def setUp(self):
        super().setUp()
        for i, event in enumerate(EVENTS):
            self.file(f"part{i}.jsonl", event)

    def run_words(self, *faults):
        return [word.replace("events.jsonl", "part*.jsonl") for word in super().run_words(*faults)] + ["--workers=4"]

    def meets(self, call, number, action):
        """Answers whether the run came to that call, as far as the action tells it."""
        self.fresh_store()
        outcome = self.fensi(*self.run_words(f"{call}:{number}={action}"))
        where = (call, number, action, outcome.err)
        self.assertIn(outcome.code, (EXIT,) if action.startswith("exit") and outcome.code != 0 else (0, 69), where)
        if outcome.code != 0:
            self.succeeds(*self.run_words())
        self.assertEqual(self.entries(), LEFT, where)
        return outcome.code == EXIT

    def meets_all(self):
        met = {}
        for call in self.CALLS:
            met[call] = next(n for n in range(1, self.MOST) if not self.meets(call, n, "exit_before")) - 1
            for action in self.ACTIONS:
                for number in range(1, met[call] + 1):
                    self.meets(call, number, action)
        return met

    def test_ends_with_a_code_of_its_own_and_the_next_run_is_exact(self):
        met = self.meets_all()
        self.assertGreaterEqual(met["begin"], len(EVENTS), met)


harness.main()
