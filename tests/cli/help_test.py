"""What a person sees who does not know the program yet."""
import collections
import os
import re

import harness

PAGES = ["concepts", "tutorial", "faq", "mapping", "configuration", "events", "consistency", "limits", "troubleshooting", "exit-codes",
         "versions", "glossary", "operations", "status.md", "admin-http", "logs", "prepare", "capture.md", "redefinition", "moving", "recovery", "sizing", "security", "metrics",
         "cookbook", "read-your-writes", "installing", "alternatives",
         "benchmarks", "librdkafka", "maintenance", "architecture"]


class Help(harness.CliTest):
    def commands(self):
        lines = self.succeeds("help").lines
        return [line.split()[0] for line in lines if line.startswith("  ")]

    def test_without_a_command_shows_the_first_ones_and_points_to_help(self):
        outcome = self.refuses(64, says=("a command is missing", "'fensi help' lists all commands and pages", "README.md"))
        self.assertIn("\n  run         ", outcome.err)
        self.assertLess(len(outcome.err.splitlines()), 20)

    def test_every_page_that_a_message_or_a_page_of_the_program_names_is_there(self):
        root = os.environ["FENSI_ROOT"]
        named = set()
        for folder in ("cli", "indexer", "capture", "consumer", "mapping", "store", "sweep", "meta", "docs"):
            for path, _, files in os.walk(os.path.join(root, folder)):
                for name in files:
                    if not name.endswith((".cc", ".h", ".md")):
                        continue
                    with open(os.path.join(path, name), encoding="utf-8") as text:
                        named.update(re.findall(r"['`]fensi help ([a-z0-9.-]+)['`]", text.read()))
        self.assertIn("redefinition", named)
        for topic in named:
            text = self.succeeds("help", topic).out
            self.assertFalse(text.startswith("fensi help "), topic + " is only searched for")

    def test_other_words_are_searched_for(self):
        text = self.succeeds("help", "REPLICATION_SCOPE").out
        self.assertIn("\nfensi help consistency\n", "\n" + text)
        text = self.succeeds("help", "in-sync", "replicas").out
        self.assertIn("fensi help capture.md\n", text)
        self.assertLess(len(text.splitlines()), 40)
        self.refuses(64, "help", "replicas", "xyzzy", says="no command, flag, function or page has all of these words")

    def test_lists_every_command_with_a_summary(self):
        lines = [line for line in self.succeeds("help").lines if line.startswith("  ")]
        self.assertTrue({"check", "help", "run", "version"} <= set(self.commands()))
        for line in lines:
            self.assertGreater(len(line.split()), 3, line)

    def test_is_the_same_by_flag(self):
        self.assertEqual(self.succeeds("--help").out, self.succeeds("help").out)

    def test_of_every_command_has_usage_and_examples(self):
        for command in self.commands():
            text = self.succeeds("help", command).out
            self.assertTrue(text.startswith(f"usage: fensi {command}"), text)
            self.assertIn(f"\nexamples:\n  ", text)
            self.assertIn(f"fensi {command}", text.split("examples:")[1])

    def test_of_a_command_is_shown_by_its_flag_whatever_else_is_wrong(self):
        text = self.succeeds("help", "run").out
        self.assertEqual(self.succeeds("run", "--nonsense", "--help").out, text)
        self.assertEqual(self.succeeds("run", "-h").out, text)

    def test_describes_every_flag(self):
        for command in self.commands():
            text = self.succeeds("help", command).out
            flags = [line for line in text.split("examples:")[0].splitlines() if line.startswith("  --")]
            for flag in flags:
                after = text.split("\n" + flag + "\n")[1].splitlines()[0]
                self.assertTrue(after.startswith("      ") and len(after) > 12, f"{command}: {flag}")

    def test_of_an_unknown_command_suggests_one(self):
        self.refuses(64, "help", "chekc", says="unknown command 'chekc'; did you mean 'check'?")

    def test_of_a_topic_is_its_page_without_marks(self):
        for name in PAGES:
            with open(os.path.join(os.environ["FENSI_ROOT"], "docs", name.removesuffix(".md") + ".md"), encoding="utf-8") as page:
                markdown = page.read()
            text = self.succeeds("help", name).out
            self.assertTrue(text.startswith(markdown.split("\n")[0][2:].replace("`", "") + "\n==="), text[:80])
            # Targets of links, names of code blocks, and heads of tables of two columns go.
            kept = re.sub(r"\]\([^)]*\)|^```.*$|^\|.*\|\n(?=\| ?-)", " ", markdown, flags=re.M)
            words = lambda page: collections.Counter(re.findall(r"\w+", page))
            self.assertEqual(words(kept) - words(text), collections.Counter(), name)
            prose = [line for line in text.splitlines() if not line.startswith("    ")]
            self.assertFalse([line for line in prose if "`" in line or "**" in line or "](" in line or line.startswith("> ")])
            self.assertFalse([line for line in prose if len(line.encode()) > 100 and " " in line.strip()])

    def test_steps_of_a_page_begin_lines_of_their_own(self):
        text = self.succeeds("help", "versions").out
        self.assertIn("\n1. Readers first. ", text)
        self.assertIn("\n2. Replace the daemons ", text)

    def test_code_keeps_its_lines(self):
        for name in PAGES:
            with open(os.path.join(os.environ["FENSI_ROOT"], "docs", name.removesuffix(".md") + ".md"), encoding="utf-8") as page:
                code = re.findall(r"(?:^\n|(?<=^```\n))((?: {4}.*\n)+)", page.read(), re.M)
            text = "\n" + self.succeeds("help", name).out
            for block in code:
                self.assertIn("\n" + block, text, name)
        self.assertIn("\n    fensi verify MAPPING INDEX ", self.succeeds("help", "Start here").out)

    def test_a_cell_of_a_wide_table_has_the_head_of_its_column(self):
        text = self.succeeds("help", "bulk_load").out
        for head in ("cause", "fix", "fixed when"):
            self.assertIn("\n      %s: " % head, text)
        self.assertIn("All rows of this table are late", " ".join(self.succeeds("help", "server_unreachable").out.split()))

    def test_of_a_word_is_what_the_pages_say_of_it(self):
        for word, text in (("69", "a server cannot be reached"), ("marker", "a cell that is a delete"),
                           ("retention", "period table"), ("unknown_delete", "read")):
            self.assertIn(text, self.succeeds("help", word).out)

    def test_of_a_heading_is_its_whole_section(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "operations.md"), encoding="utf-8") as page:
            sections = re.findall(r"^(#+) (Fensi\w+)\n(.*?)(?=^#|\Z)", page.read(), re.M | re.S)
        self.assertGreater(len(sections), 10)
        for _, name, body in sections:
            text = self.succeeds("help", name).out
            self.assertIn(f"of 'fensi help operations':\n{name}\n---", text)
            last = re.findall(r"\w+", re.sub(r"\]\([^)]*\)", "", body))[-1]
            self.assertIn(last, re.findall(r"\w+", text.strip().split(f"{name}\n---")[1]), name)
            self.assertEqual(len(re.findall(r"^Fensi\w+\n---", text, re.M)), 1, name)
        self.assertIn("Diagnosis:", self.succeeds("help", "FensiIndexMismatch").out)
        self.assertIn("\nWhy these words\n---", self.succeeds("help", "Why", "these", "words").out)
        self.assertEqual(self.succeeds("help", "fensiindexmismatch").out, self.succeeds("help", "FensiIndexMismatch").out)

    def test_of_a_log_event_is_each_row_that_names_it_in_its_first_cell(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "troubleshooting.md"), encoding="utf-8") as page:
            cells = re.findall(r"^\| ((?:\\\||[^|])+) \|", page.read(), re.M)
        events = {event for cell in cells for event in re.findall(r"`([a-z]+(?:_[a-z]+)+)`", cell)}
        self.assertIn("bulk_load", events)
        for event in sorted(events):
            self.assertIn("of 'fensi help troubleshooting':\n", self.succeeds("help", event).out, event)

    def test_links_keep_their_target(self):
        text = " ".join(self.succeeds("help", "troubleshooting").out.split())
        self.assertIn("FensiIndexMismatch (fensi help FensiIndexMismatch)", text)
        self.assertNotIn("(fensi help troubleshooting)", text.replace("'fensi help troubleshooting'", ""))
        topics = set()
        for name in PAGES:
            page = " ".join(self.succeeds("help", name).out.split())
            self.assertNotRegex(page, r"\(fensi help [\w.-]+#")
            topics.update(re.findall(r"\(fensi help (\"[^\"]+\"|[\w.-]+)\)", page))
        self.assertGreater(len([topic for topic in topics if topic.startswith("\"")]), 20)
        for topic in topics:
            self.assertFalse(self.succeeds("help", topic.strip("\"")).out.startswith("fensi help "), topic + " is only searched for")

    def test_a_flag_has_one_default_and_each_command_its_own(self):
        texts = {}
        for command in self.commands():
            for flag in re.split(r"^  --", self.succeeds("help", command).out.split("\nexamples:")[0], flags=re.M)[1:]:
                self.assertLess(len(re.findall(r"\(default", flag)), 2, f"{command}: --{flag}")
                texts[command, flag.split()[0]] = " ".join(flag.split())
        for command, flag, words in (("verify", "sample", "(default: all rows)"), ("forecast", "sample", "(default 1000)"),
                                     ("init", "sample", "(default 100)"), ("tail", "partition", "(default: all partitions)"),
                                     ("repair", "rows_per_second", "(default: 1000 to request"), ("verify", "rows_per_second", "(default 0)"),
                                     ("switch", "to", "the new index of the alias"), ("status", "admin_token_file", "token of the daemons")):
            self.assertIn(words, texts[command, flag])

    def test_of_every_exit_code_and_function_is_there(self):
        with open(os.path.join(os.environ["FENSI_ROOT"], "docs", "exit-codes.md"), encoding="utf-8") as page:
            codes = re.findall(r"^\| (\d+) \|", page.read(), re.M)
        functions = re.findall(r"^  (\w+).*\(.* -> .*\)$", self.succeeds("help", "functions").out, re.M)
        self.assertGreater(len(codes) + len(functions), 40)
        for topic in codes + functions:
            self.assertIn(topic, self.succeeds("help", topic).out.split())
        self.assertEqual([name for name in functions if name in self.commands() + PAGES], [])

    def test_the_page_of_commands_is_what_the_program_says(self):
        page = os.path.join(os.environ["FENSI_ROOT"], "docs", "commands.md")
        said = self.succeeds("help", "markdown").out
        if os.environ.get("FENSI_ACCEPT"):
            with open(page, "w", encoding="utf-8") as out:
                out.write(said)
        with open(page, encoding="utf-8") as text:
            self.assertEqual(text.read(), said, "FENSI_ACCEPT=1 writes it")

    def test_version_is_one_line_on_stdout(self):
        outcome = self.succeeds("version")
        self.assertRegex(outcome.out, r"^fensi \d+\.\d+\.\d+\n$")
        self.assertEqual(outcome.err, "")
        self.assertEqual(self.succeeds("--version").out, outcome.out)
        self.assertEqual(self.succeeds("-V").out, outcome.out)
        self.assertEqual(self.succeeds("-h").out, self.succeeds("help").out)


harness.main()
