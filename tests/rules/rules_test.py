"""Each rule of the tree finds what it is there for: small trees with one fault each."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

RULES = pathlib.Path(__file__).resolve().parent
NO_EXCEPTIONS = "CIRCLES = set()\nHEADERS = set()\nWORDS = set()\n"


def said(rule, files, exceptions=NO_EXCEPTIONS):
    """(exit code, output) of a rule over a tree of these files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, "tree", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for script in ("tree.py", "sources.py", rule):
            pathlib.Path(folder, script).write_text((RULES / script).read_text())
        pathlib.Path(folder, "exceptions.py").write_text(exceptions)
        done = subprocess.run([sys.executable, f"{folder}/{rule}"], env=dict(os.environ, FENSI_ROOT=f"{folder}/tree"),
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def including(*targets):
    return "".join(f'#include "{target}"\n' for target in targets)


class Structure(unittest.TestCase):
    def check(self, files, words, exceptions=NO_EXCEPTIONS):
        code, text = said("structure.py", files, exceptions)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_a_sound_tree(self):
        self.check({"store/store.h": "", "store/open.h": "", "store/open.cc": including("store/hbase/x.h"),
                    "store/hbase/x.h": including("store/store.h"), "cli/commands/run.cc": including("store/open.h"),
                    "consumer/kafka/source.h": "", "indexer/a.h": including("consumer/kafka/source.h"),
                    "consumer/codec/json.h": "", "cli/b.h": including("consumer/codec/json.h")}, " 0 faults")

    def test_what_lies_behind_a_face(self):
        self.check({"store/hbase/x.h": "", "cli/a.h": including("store/hbase/x.h")}, "cli/a.h includes store/hbase/x.h")
        self.check({"consumer/kafka/group/x.h": "", "cli/a.h": including("consumer/kafka/group/x.h")}, "is not of that module's face")

    def test_circles_of_folders_and_of_the_files_of_a_face(self):
        self.check({"indexer/plan/a.h": including("indexer/state/b.h"), "indexer/state/b.h": "",
                    "indexer/state/c.h": including("indexer/plan/a.h")}, "indexer/plan includes indexer/state")
        self.check({"store/a.h": including("store/x/x.h"), "store/x/x.h": including("store/b.h"),
                    "store/b.h": including("store/a.h")}, "store/b includes store/a, from which a way leads back")

    def test_a_source_file_without_header(self):
        self.check({"store/a.cc": ""}, "store/a.cc has no header of its name")

    def test_a_class_in_two_source_files(self):
        one, other = "b::T A::F() {\n}\nA::A() {}\n", "// A::F() is elsewhere\nint A::G() {\n  B::H();\n}\n"
        both = {"store/a.h": "", "store/a.cc": one, "store/b.h": "", "store/b.cc": other}
        self.check(both, "A is cut over store/a.cc and store/b.cc")
        self.check({**both, "store/b.cc": other.replace("A::G", "B::G")}, " 0 faults")

    def test_a_module_that_clang_tidy_does_not_see(self):
        modules = "base|mapping|store|meta|consumer|indexer|sweep|capture|metrics|admin|cli"
        seen = lambda names: {"store/a.h": "", ".clang-tidy": f"HeaderFilterRegex: '/({names})/.*\\.h$'\n"}
        self.check(seen(modules), " 0 faults")
        self.check(seen(modules.replace("sweep|", "")), "HeaderFilterRegex leaves out sweep/")

    def test_an_exception_that_is_not_needed(self):
        lists = 'CIRCLES = {("store/a", "store/b")}\nHEADERS = {"store/c.cc"}\n'
        for words in ("('store/a', 'store/b') is no longer", "store/c.cc needs no"):
            self.check({"store/a.h": ""}, words, lists)

    def test_an_exception_that_is_needed(self):
        self.check({"store/c.cc": ""}, " 0 faults", 'CIRCLES = set()\nHEADERS = {"store/c.cc"}\n')


class FileLocalNames(unittest.TestCase):
    def names_twice(self, one, other, **more):
        code, text = said("file_local_names.py", {"store/a.cc": one, "store/b.cc": other, **more})
        self.assertEqual(code, 0 if ", 0 names twice" in text else 1, text)
        return int(text.split(" names twice")[0].split()[-1])

    def test_functions_types_and_constants(self):
        for line in ("int Twice(int x) {\n  return 2 * x;\n}", "struct Twice {\n  int x;\n};", "constexpr int Twice = 2;",
                     "enum class Twice { kA };", "std::vector<int> Twice(\n    int x) {\n  return {x};\n}"):
            text = f"namespace {{\n\n{line}\n\n}}  // namespace\n"
            self.assertEqual(self.names_twice(text, text), 1, line)
        self.assertEqual(self.names_twice("static int Twice() { return 2; }\n", "static int Twice() { return 2; }\n"), 1)

    def test_what_is_no_clash(self):
        text = "namespace {\nint Twice() { return 2; }\n}  // namespace\n"
        self.assertEqual(self.names_twice(text, text.replace("Twice", "Thrice")), 0)
        self.assertEqual(self.names_twice(text, "int Twice();  // namespace {\nint Twice() { return 2; }\n"), 0)
        alias = "namespace {\nusing Twice = int;\n}  // namespace\n"
        self.assertEqual(self.names_twice(alias, alias), 0)
        self.assertEqual(self.names_twice(alias, alias.replace("int", "long")), 1)

    def test_names_of_heads_that_other_files_of_the_unit_include(self):
        def times(own, declared, space="fensi::store", included="store/h.h"):
            head = f"namespace fensi::store {{\n{declared}\n}}\n"
            one = f"namespace {space} {{\nnamespace {{\n{own}\n}}  // namespace\n}}\n"
            return self.names_twice(one, f'#include "{included}"\n', **{"store/h.h": head, "store/i.h": '#include "store/h.h"\n'})
        for own, declared in (("struct Twice {", "struct Twice {"), ("int Twice(int x) {\n}", "int Twice(int x);"),
                              ("struct Twice {", "class Twice;")):
            self.assertEqual(times(own, declared), 1, declared)
            self.assertEqual(times(own, declared, included="store/i.h"), 1)
            self.assertEqual(times(own, declared, space="fensi::other"), 0)
        self.assertEqual(times("struct Twice {", "struct Other {\n  int Twice(int x);"), 0)

    def test_of_tests_only_files_of_one_target(self):
        text = "namespace {\nint Twice() { return 2; }\n}  // namespace\n"
        files = {"tests/x/a.cc": text, "tests/x/b.cc": text}
        together, apart = "fensi_test(t SOURCES a.cc\n  b.cc)\n", "fensi_test(t SOURCES a.cc)\nfensi_test(u SOURCES b.cc)\n"
        self.assertEqual(self.names_twice("", "", **files, **{"tests/x/CMakeLists.txt": together}), 1)
        self.assertEqual(self.names_twice("", "", **files, **{"tests/x/CMakeLists.txt": apart}), 0)


class FunctionLength(unittest.TestCase):
    def check(self, lengths, code):
        body = "".join(f"int F{i}() {{\n" + "  x();\n" * (length - 2) + "}\n\n" for i, length in enumerate(lengths))
        self.assertEqual(said("function_length.py", {"store/a.cc": f"namespace fensi {{\n\n{body}}}  // namespace fensi\n"})[0], code)

    def test_the_longest(self):
        self.check([5] * 20 + [60], 0)
        self.check([5] * 20 + [61], 1)

    def test_nine_of_ten(self):
        self.check([20] * 10 + [30], 0)
        self.check([21] * 10 + [5], 1)

    def test_methods_within_a_class(self):
        inside = "struct S {\n  int F() const {\n" + "    x();\n" * 60 + "  }\n};\n"
        self.assertEqual(said("function_length.py", {"store/a.h": inside})[0], 1)


class Includes(unittest.TestCase):
    def check(self, files, words):
        code, text = said("includes.py", files)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_modules_and_third_parties(self):
        self.check({"mapping/a.h": including("base/b.h")}, " 0 faults")
        self.check({"mapping/a.h": including("store/b.h")}, "mapping/ may not include store/b.h")
        self.check({"cli/a.cc": "#include <rocksdb/db.h>\n"}, "only store/ may include rocksdb/db.h")
        self.check({"store/a.h": "#include <absl/base/thread_annotations.h>\n"}, "only base/ may include")
        timer = "#include <boost/asio/steady_timer.hpp>\n"
        self.check({"capture/rpc/timer.h": timer}, " 0 faults")
        self.check({"capture/rpc/link.cc": timer}, "only capture/rpc/timer.h may include boost/asio/steady_timer.hpp")

    def test_locks_that_nobody_checks(self):
        self.check({"store/a.h": "  std::mutex mu_;\n"}, "store/a.h:1: Mutex and Condition of base/mutex.h")
        self.check({"base/mutex.h": "  std::mutex mu_;  // the one place\n"}, " 0 faults")

    def test_headers_of_the_standard_library(self):
        use = "std::atomic<int> n;  // std::map is only spoken of\n"
        self.check({"store/a.cc": use, "store/a.h": ""}, "store/a.cc: std::atomic without #include <atomic>")
        self.check({"store/a.cc": use, "store/a.h": "#include <atomic>\n"}, " 0 faults")


class Pages(unittest.TestCase):
    def check(self, rule, files, words):
        code, text = said(rule, files)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith((" 0 faults", " switches")) else 1, text)

    def walk(self, *steps):
        return {"docs/architecture.md": "## Three walks\n\n### A\n\n" + "\n".join(steps) + "\n",
                "a.cc": "void Top() { Inner(); }\n", "b.cc": "void Inner() {}\n", "c.cc": "void Other() {}\n"}

    def test_walks(self):
        top = "1. `a.cc` `Top`: x"
        self.check("walks.py", self.walk(top, "2. `b.cc` `Inner`: x"), " 0 faults")
        self.check("walks.py", self.walk(top, "2. `c.cc` `Other`: x"), "more than one hop")
        self.check("walks.py", self.walk(top, "2. `c.cc` `Inner`: x"), "c.cc has no Inner")
        self.check("walks.py", self.walk(top, "2. `d.cc` `Inner`: x"), "there is no file d.cc")
        self.check("walks.py", self.walk(top, "2. then the rest"), "no step: 2. then")

    def test_switches(self):
        one, other = ("FENSI" + name for name in ("_A", "_B"))  # not as words: this file is no use of them
        page = f"| `{one}` | x |\n"
        self.check("switches.py", {"tests/README.md": page, "tests/run": f"${one}"}, " switches")
        self.check("switches.py", {"tests/README.md": page, "tests/run": f"${one} ${other}"}, f"{other} has no row")
        self.check("switches.py", {"tests/README.md": page, "tests/run": ""}, f"nothing knows the switch {one}")

    def test_words(self):
        page = {"docs/glossary.md": "## Words that went\n\n| not | but |\n|---|---|\n| `Lane` | x |\n"}
        self.check("words.py", {**page, "store/a.h": "class Lanes;"}, " 0 faults")
        self.check("words.py", {**page, "store/a.h": "int old_Lane_;"}, "store/a.h: the word Lane went")
        self.check("words.py", {**page, "store/a.h": "class Lane;"}, "store/a.h: the word Lane went")
        self.check("words.py", {**page, "store/a.h": "// Lane/N: a number\nchar kKey[] = \"Lane\";"}, " 0 faults")
        self.check("words.py", {**page, "store/a.h": "Fail(\"Lane lost\");"}, "store/a.h: the word Lane went")

    def pages(self, **changes):
        files = {"docs/README.md": "[a](a.md) [d](decisions/README.md)", "docs/a.md": "# A b\n\n[x](#a-b) [y](README.md)",
                 "README.md": "", "CHANGELOG.md": "",
                 "docs/decisions/README.md": "| 1 | [T](0001-t.md) | 2026-11-21 | accepted |",
                 "docs/decisions/0001-t.md": "# 1. T\n\nDate: 2026-11-21. Status: accepted.\n"}
        return {**files, **changes}

    def test_pages(self):
        self.check("pages.py", self.pages(), " 0 faults")
        self.check("pages.py", self.pages(**{"README.md": "[x](nowhere.md)"}), "README.md: the link nowhere.md leads nowhere")
        self.check("pages.py", self.pages(**{"README.md": "[x](docs/a.md#c)"}), "docs/a.md has no heading #c")
        self.check("pages.py", self.pages(**{"store/x/a.cc": ""}), "store/x: docs/architecture.md does not name it")
        self.check("pages.py", self.pages(**{"tests/x/a_test.cc": ""}), "tests/x: tests/README.md does not name it")
        named = {"docs/README.md": "[a](a.md) [d](decisions/README.md) [e](architecture.md)", "docs/architecture.md": "`store/x`",
                 "store/x/a.cc": "", "store/x/y/b.cc": ""}
        self.check("pages.py", self.pages(**named), "store/x/y: docs/architecture.md does not name it")
        self.check("pages.py", self.pages(**{**named, "docs/architecture.md": "`store/x`, `store/x/y`"}), " 0 faults")
        self.check("pages.py", self.pages(**{"docs/b.md": ""}), "docs/b.md: docs/README.md does not name it")
        self.check("pages.py", self.pages(**{"docs/decisions/0002-u.md": "# 2. U\n"}), "does not begin with its number")
        self.check("pages.py", self.pages(**{"docs/decisions/0001-t.md": "# 1. T\n\nDate: 2026-11-22. Status: accepted.\n"}),
                   "another number, title, date or status")

    def test_a_translation(self):
        english = "[zh](README.zh-CN.md)\n\n# A\n\nSay `x` ([b](b.md)).\n\n    run x\n\n## C\n"
        chinese = "# 甲\n\n说 `x`([乙](b.md))。\n\n    run x\n\n## 丙\n"
        check = lambda other, words: self.check("translation.py", {"README.md": english, "README.zh-CN.md": other}, words)
        code, text = said("translation.py", {"README.md": english, "README.zh-CN.md": chinese})
        self.assertEqual(code, 0, text)
        check(chinese.replace("## 丙", "丙"), "headings: not in README.zh-CN.md")
        check(chinese.replace("run x", "run y"), "code: not in README.zh-CN.md:     run x")
        check(chinese.replace("`x`", "x"), "inline code: not in README.zh-CN.md: x")
        check(chinese.replace("b.md", "c.md"), "links: only in README.zh-CN.md: c.md")
        check(chinese + "\n## 丁\n", "headings: another order or number")


if __name__ == "__main__":
    unittest.main(verbosity=2)
