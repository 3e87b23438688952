"""The status page as a daemon serves it: whole, the same as in the tree, closed to what others might plant, and in two languages.
How it behaves in a browser: tests/e2e/page_test.py."""
import html.parser
import os
import posixpath
import re
import subprocess
import sys

import harness
from follow import MAPPING

ROOT = os.environ["FENSI_ROOT"]
sys.path.append(os.path.join(ROOT, "tests", "support"))
from over_unix import OverUnix  # noqa: E402

FOLDER = os.path.join(ROOT, "admin", "page")
FOREIGN = ("uPlot.iife.min.js", "uPlot.min.css", "uPlot.LICENSE")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
         ".LICENSE": "text/plain; charset=utf-8"}
# What would take a text for markup or for a program.
DANGEROUS = r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc|setTimeout\(['\"]|javascript:"


def source(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as text:
        return text.read()


class Markup(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags = []  # (tag, attributes)
        self.inline = ""  # text within script and style
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._within = tag

    def handle_endtag(self, tag):
        self._within = ""

    def handle_data(self, data):
        self.inline += data.strip() if self._within in ("script", "style") else ""


class Served(harness.CliTest):
    def setUp(self):
        super().setUp()
        process = subprocess.Popen([harness.FENSI, "run", self.file("guanzhu.yaml", MAPPING), "--source=file:-", "--store=embedded:data",
                                    "--admin=unix:admin.sock"], cwd=self.dir, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.kill)
        self.wait_for_admin(process)

    def get(self, target):
        connection = OverUnix(os.path.join(self.dir, "admin.sock"))
        connection.request("GET", target)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer, text

    def test_every_file_is_what_the_tree_has_with_its_type_and_strict_headers(self):
        self.assertIn("index.html", os.listdir(FOLDER))
        for name in sorted(os.listdir(FOLDER)):
            answer, text = self.get("/" if name == "index.html" else "/page/" + name)
            self.assertEqual((name, answer.status, text == source(name)), (name, 200, True))
            self.assertEqual(answer.getheader("Content-Type"), TYPES[os.path.splitext(name)[1]])
            self.assertEqual((answer.getheader("Cache-Control"), answer.getheader("X-Content-Type-Options")), ("no-store", "nosniff"))
            self.assertEqual(answer.getheader("Referrer-Policy"), "no-referrer")
            policy = dict(part.strip().split(" ", 1) for part in answer.getheader("Content-Security-Policy").split(";"))
            self.assertEqual((policy["default-src"], policy["script-src"], policy["style-src"]), ("'none'", "'self'", "'self'"))
            self.assertEqual((policy["connect-src"], policy["frame-ancestors"], policy["form-action"]), ("'self'", "'none'", "'none'"))

    def test_whatever_the_page_names_is_served_by_the_daemon(self):
        named = [attrs[key] for _, attrs in Markup(self.get("/")[1]).tags for key in ("src", "href") if key in attrs]
        named = [each for each in named if not each.startswith("data:")]
        self.assertGreater(len(named), 5)
        scripts = [each for each in named if each.endswith(".js")]
        for script in scripts:  # grows
            for other in re.findall(r'^import .* from "(.*)";', source(os.path.basename(script)), re.M):
                if posixpath.join("page", posixpath.normpath(other)) not in scripts:
                    scripts.append(posixpath.join("page", posixpath.normpath(other)))
        self.assertGreater(len(scripts), 5)
        for target in {*named, *scripts}:
            self.assertEqual((target, self.get("/" + target)[0].status), (target, 200))


class Written(harness.CliTest):
    def test_no_script_and_no_style_stands_in_the_page_itself(self):
        markup = Markup(source("index.html"))
        self.assertEqual(markup.inline, "")
        attributes = {key for _, attrs in markup.tags for key in attrs}
        self.assertEqual({key for key in attributes if key.startswith("on") or key == "style"}, set())

    def test_nothing_is_asked_of_other_hosts(self):
        for name in os.listdir(FOLDER):
            text = source(name)
            if name == "uPlot.iife.min.js":
                text = text.replace("/*! https://github.com/leeoniya/uPlot (v1.6.32) */", "", 1)
            self.assertEqual((name, re.findall(r"https?://|wss?://|url\((?!#)|@import|[\"']//", text)), (name, []))

    def test_what_a_daemon_says_becomes_text_and_nothing_else(self):
        for name in os.listdir(FOLDER):
            if name.endswith(".js"):
                self.assertEqual((name, re.findall(DANGEROUS, source(name))), (name, []))

    def test_it_follows_the_light_of_the_system_and_narrow_screens(self):
        css = source("page.css")
        self.assertRegex(css, r"prefers-color-scheme: dark")
        self.assertRegex(css, r"max-width: 720px")
        light, dark = (set(re.findall(r"(--[\w-]+):", part)) for part in re.findall(r":root \{(.*?)\}", css, re.S))
        self.assertEqual(light, dark)
        self.assertEqual(set(re.findall(r"var\((--[\w-]+)\)", css)) - light, set())

    def test_each_word_is_there_in_both_languages(self):
        parts = re.search(r"  en: \{\n(.*?)\n  \},\n  zh: \{\n(.*?)\n  \},\n", source("words.js"), re.S).groups()
        english, chinese = (dict(re.findall(r'^    (\w+): "(.*)",$', part, re.M)) for part in parts)
        self.assertEqual([len(part.splitlines()) for part in parts], [len(english), len(chinese)], "one a line")
        self.assertEqual(list(english), list(chinese))
        for key, text in english.items():
            self.assertEqual((key, set(re.findall(r"\{\w+\}", text))), (key, set(re.findall(r"\{\w+\}", chinese[key]))))
        code = "".join(source(name) for name in os.listdir(FOLDER) if name not in FOREIGN and name != "words.js")
        used = set(re.findall(r'\bsay\("(\w+)"|\b(?:key|word): "(\w+)"|data-word="(\w+)"|goneWhy = "(\w+)"', code))
        used = {word for words in used for word in words if word}
        self.assertGreater(len(used), 50)
        self.assertEqual(used - set(english) - {"fensi"}, set())
        of_daemons = {"starting", "running", "waiting", "paused", "mismatch", "stopped", "finished",
                      "undecodable", "unmappable", "rejected", "source_required", "outside_retention"}
        built = {f"{verb}_{part}" for verb in ("pause", "resume") for part in ("title", "meaning")} | {"server_kafka", "server_store"}
        self.assertEqual({key for key in english if f'"{key}"' not in code} - of_daemons - built, set(), "nobody says it")


harness.main()
