"""What a person sees who does not know the program yet."""
import collections
import os
import re

import harness

PAGES = ["mapping", "configuration", "events", "promise", "faults", "exit-codes", "versions", "glossary"]


class Help(harness.CliTest):
    def commands(self):
        lines = self.succeeds("help").lines
        return [line.split()[0] for line in lines if line.startswith("  ")]

    def test_without_a_command_points_to_help(self):
        self.refuses(64, says=("a command is missing", "see 'fensi help'"))

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
                after = text.split(flag + "\n")[1].splitlines()[0]
                self.assertTrue(after.startswith("      ") and len(after) > 12, f"{command}: {flag}")

    def test_of_an_unknown_command_suggests_one(self):
        self.refuses(64, "help", "chekc", says="unknown command 'chekc'; did you mean 'check'?")

    def test_of_a_topic_is_its_page_without_marks(self):
        for name in PAGES:
            with open(os.path.join(os.environ["FENSI_ROOT"], "docs", name + ".md"), encoding="utf-8") as page:
                markdown = page.read()
            text = self.succeeds("help", name).out
            self.assertTrue(text.startswith(markdown.split("\n")[0][2:] + "\n==="), text[:80])
            # Targets of links, names of code blocks and heads of tables go.
            kept = re.sub(r"\]\([^)]*\)|^```\w*$|^\|.*\|\n(?=\|-)", " ", markdown, flags=re.M)
            words = lambda page: collections.Counter(re.findall(r"\w+", page))
            self.assertEqual(words(kept) - words(text), collections.Counter(), name)
            prose = [line for line in text.splitlines() if not line.startswith("    ")]
            self.assertFalse([line for line in prose if "`" in line or "**" in line or "](" in line])
            self.assertFalse([line for line in prose if len(line.encode()) > 100 and " " in line.strip()])

    def test_of_a_word_is_what_the_pages_say_of_it(self):
        for word, text in (("69", "a server cannot be reached"), ("marker", "a cell that is a delete"),
                           ("keep", "period table"), ("unknown_delete", "read")):
            self.assertIn(text, self.succeeds("help", word).out)

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
