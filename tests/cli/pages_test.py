"""What all pages show: every block belongs to the test that holds it to be true, and every line for `fensi` is one that it takes."""
import glob
import html
import json
import os
import re
import shlex
import time

import harness

ROOT = os.environ["FENSI_ROOT"]
# Who reads the blocks of a page, by the words behind their three marks; "" has none.
HOLDERS = {
    "CONTRIBUTING.md": {"sh": "tests/e2e/contributing_test.py"},
    "README.md": {"sh": "tests/e2e/readme_test.py", "text": "tests/e2e/readme_test.py", "yaml": "tests/cli/pages_test.py"},
    "docs/changelog-topic.md": {kind: "tests/cli/pages_test.py" for kind in ("json", "sql", "")},
    "docs/configuration.md": {"": "tests/cli/configuration_test.py"},
    "docs/cookbook.md": {"yaml": "tests/cli/cookbook_test.py", "console": "tests/cli/cookbook_test.py"},
    "docs/events.md": {"json": "tests/cli/events_page_test.py", "python": "tests/cli/events_page_test.py", "scan": "tests/cli/events_page_test.py",
                       "refused": "tests/cli/events_page_test.py", "textproto": "tests/formats/stream_format_test.cc",
                       "sh servers": "tests/e2e/readme_test.py", "text": "tests/e2e/readme_test.py"},
    "docs/evidence.md": {"sh": "tests/evidence_figures/page_test.py"},
    "docs/installing.md": {"sh " + kind: "tests/packaging/machine_test.py"
                           for kind in ("make", "service", "look", "capture", "upgrade", "remove", "tarball", "image")},
    "docs/mapping.md": {"yaml": "tests/cli/pages_test.py"},
    "docs/moving.md": {kind: "tests/cli/howto_test.py" for kind in ("yaml", "sh", "sh differs", "text")},
    "docs/operations.md": {"sh": "tests/e2e/dead_letters_test.py", "": "tests/e2e/alerts_test.py"},
    "docs/zh/README.md": {kind: "tests/rules/translation.py" for kind in ("sh", "text", "yaml")},
    "docs/zh/operations.md": {kind: "tests/rules/translation.py" for kind in ("sh", "")},
    "docs/zh/reading.md": {kind: "tests/rules/translation.py" for kind in ("yaml", "console", "python", "text", "java", "sh", "go", "cpp")},
    "docs/zh/tutorial.md": {kind: "tests/rules/translation.py" for kind in ("sh", "sh capture", "hbase", "text")},
    "docs/reading.md": {"yaml": "tests/cli/code_test.py", "console": "tests/cli/code_test.py", "python": "tests/cli/code_test.py",
                        "text": "tests/cli/code_test.py", "java": "tests/cli/code_java_test.py",
                        "sh": "tests/cli/code_go_test.py", "go": "tests/cli/code_go_test.py",
                        "cpp": "tests/cli/code_cpp_test.py"},
    "docs/recovery.md": {kind: "tests/cli/howto_test.py" for kind in ("sh again", "sh differs", "sh restored", "sh copy", "text")},
    "docs/sizing.md": {kind: "tests/cli/howto_test.py" for kind in ("sh", "sh made", "text")},
    "docs/zh/sizing.md": {kind: "tests/rules/translation.py" for kind in ("sh", "sh made", "text")},
    "docs/read-your-writes.md": {"sh": "tests/e2e/readme_test.py", "java": "tests/cli/pages_test.py", "python": "tests/cli/pages_test.py"},
    "docs/tutorial.md": {kind: "tests/e2e/readme_test.py" for kind in ("sh", "sh capture", "hbase", "text")},
    "docs/redefinition.md": {"sh": "tests/e2e/readme_test.py", "sh move": "tests/e2e/switch_test.py", "sh convert": "tests/e2e/convert_test.py"},
}
DRAWN = {("docs/architecture.md", ""), ("docs/concepts.md", ""), ("docs/zh/concepts.md", "")}  # pictures made of letters
BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.M | re.S)
# Words that stand for others, and what is as good as they are.
STANDS_FOR = (("HOST:PORT", "host:1"), ("PARTITION/OFFSET", "0/1"), ("file:PATH", "file:x"), ("embedded:DIR", "embedded:x"), ("b1:9092", "host:1"),
              ("URL", "embedded:x"), ("help COMMAND", "help run"), ("help TOPIC", "help events"), ("=N", "=1"), (" N ", " 1 "))
# What a flag's value is called; a line of usage and no example.
MEANT = re.compile(r"…|\[|\||--[a-z_]+[= ](?:[A-Z]{2,}\b|\.\.\.)|\bSTORE\b")


def page(name):
    with open(os.path.join(ROOT, name), encoding="utf-8") as text:
        return text.read()


def pages():
    found = (glob.glob(pattern, root_dir=ROOT, recursive=True) for pattern in ("*.md", "docs/**/*.md", "deploy/**/*.md", "tests/**/*.md"))
    return sorted(name for names in found for name in names)


def blocks(name, kind):
    return [text for found, text in BLOCK.findall(page(name)) if found == kind]


def lines_of(text):
    """Command lines for fensi in blocks, in indented lines and in the text."""
    shown = "".join(block for _, block in BLOCK.findall(text)) + "\n".join(re.findall(r"^ +\S[^\n]*$", text, re.M))
    yield from re.findall(r"^ *(?:\$ )?(?:[A-Z_]+=\S+ )*(fensi [a-z][^\n]*)$", shown, re.M)
    yield from (re.sub(r"\s+", " ", line) for line in re.findall(r"`(fensi [a-z][^`]*)`", BLOCK.sub("", text)))


def words_of(line):
    """Of one command, without what a shell does with it."""
    line = re.split(r" (?:[<>|&]|2>)|;|&$|  #", line)[0]
    line = re.sub(r" --flagfile[= ]\S+", "", line)  # which is not here
    line = re.sub(r"\b(file:|thrift://|kafka://)(?=\s|$)", r"\1host:1", line)
    for word, value in STANDS_FOR:
        line = line.replace(word, value)
    return shlex.split(line)


class Pages(harness.CliTest):
    def test_every_block_has_a_test_that_holds_it(self):
        for name in pages():
            kinds = {kind for kind, _ in BLOCK.findall(page(name)) if (name, kind) not in DRAWN}
            self.assertEqual(kinds, set(HOLDERS.get(name, {})), f"{name}: say in HOLDERS which test holds its blocks")
            for holder in set(HOLDERS.get(name, {}).values()):
                self.assertIn(os.path.basename(name), page(holder), f"{holder} does not read {name}")

    def test_the_readers_of_a_changelog_name_the_fields_of_its_message(self):
        name = "docs/changelog-topic.md"
        (message,), (connect,) = map(json.loads, blocks(name, "json")), blocks(name, "")
        self.assertEqual(list(message), ["before", "after", "source", "op", "ts_ms"])
        self.assertEqual(list(message["before"]), list(message["after"]))
        for sql in blocks(name, "sql"):
            self.assertEqual(re.findall(r"[`\"]([^`\"]+)[`\"] (?:STRING|VARCHAR)", sql), list(message["after"]), sql)
            self.assertIn("'guanzhu_rows.changelog'", sql)
        for line in connect.splitlines():
            self.assertRegex(line, r"^[a-z._]+=[\w.]+$")

    def test_every_line_for_fensi_is_one_that_it_takes(self):
        commands = {line.split()[0] for line in self.succeeds("help").lines if line.startswith("  ")}
        helped = "".join(self.succeeds("help", command).out.split("examples:")[-1] for command in sorted(commands))
        seen, refused, tried = set(), [], 0
        for name, text in [("help", helped)] + [(name, page(name)) for name in pages() if name != "CHANGELOG.md"]:
            current = text.partition("\n## Public words that went")[0]  # of the glossary: commands of before
            for line in lines_of(html.unescape(current)):
                if MEANT.search(line) or line in seen:
                    continue
                seen.add(line)
                words = words_of(line)[1:]
                self.assertIn(words[0], commands, f"{name}: {line}")
                if words[0] in ("help", "version", "completion"):
                    self.assertEqual(self.fensi(*words).code, 0, f"{name}: {line}")
                    continue
                first, *rest = [word for word in words if word != "--print_flags"]
                outcome = self.fensi(first, "--print_flags", *rest)
                if outcome.code != 0 and rest[-1:] and rest[-1].startswith("--"):
                    value = {"--near": "0,0", "--radius": "1m", "--box": "0,0,1,1"}.get(rest[-1], "1")
                    outcome = self.fensi(first, "--print_flags", *rest, value)  # a flag is named, without a value
                tried += 1
                if (outcome.code, outcome.err) != (0, ""):
                    refused.append(f"{name}: {line}\n{outcome.err}")
        self.assertEqual(refused, [])
        self.assertGreater(tried, 120)

    def test_a_line_with_a_wrong_flag_would_be_found(self):
        self.assertEqual(list(lines_of("see `fensi scan\nt --stroe x` and\n\n    fensi run a\n")), ["fensi run a", "fensi scan t --stroe x"])
        self.refuses(64, *words_of("fensi scan t --stroe HOST:PORT > x")[1:], "--print_flags", says="unknown flag")

    def test_the_readme_shows_a_mapping_of_the_examples(self):
        (shown,) = blocks("README.md", "yaml")
        whole = page("deploy/examples/followers.yaml")
        self.assertIn(re.sub(r"\s+", " ", shown).strip(), re.sub(r"\s+", " ", re.sub(r"#[^\n]*", "", whole)))

    def test_the_mappings_of_the_language_page_are_good(self):
        first, tests, phoenix = blocks("docs/mapping.md", "yaml")
        self.file("first.yaml", first)
        self.assertEqual(self.succeeds("check", "first.yaml").err, "")
        self.assertIn("1 test passed", self.succeeds("test", "first.yaml").out)
        self.assertEqual(self.succeeds("check", self.file("phoenix.yaml", phoenix)).err, "")
        orders = page("deploy/examples/orders.yaml").split("\ntests:")[0]
        self.assertIn("1 test passed", self.succeeds("test", self.file("orders.yaml", orders + "\n" + tests)).out)

    def test_the_java_that_waits_for_an_index_is_the_one_that_the_test_of_freshness_runs(self):
        (shown,) = blocks("docs/read-your-writes.md", "java")
        def bare(text):
            return re.sub(r"\s+", " ", re.sub(r"/\*\*.*?\*/", "", text, flags=re.S)).strip()
        self.assertIn(bare(shown), bare(page("tests/e2e/client/Freshness.java")))

    def test_the_python_that_waits_for_an_index_waits_for_its_mark(self):
        (shown,) = blocks("docs/read-your-writes.md", "python")
        names = {"time": time}
        exec(shown, names)  # pylint: disable=exec-used
        asked = []
        def get_row(table, row):
            asked.append((table, row))
            mark = int(time.time() * 1000) + (5000 if len(asked) > 2 else -5000)
            return {b"i:incarnation": b"x", b"i:complete/x": str(mark).encode(), b"i:complete/old": b"9" * 13}
        self.assertTrue(names["await_index"](get_row, b"fensi", timeout_s=harness.DEADLINE_S))
        self.assertEqual((len(asked), asked[0]), (3, (b"fensi_meta", b"index:fensi")))
        self.assertFalse(names["await_index"](lambda *_: {}, b"fensi", timeout_s=0.2))


harness.main()
