"""Each rule of the tree finds what it is there for: small trees with one fault each."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

RULES = pathlib.Path(__file__).resolve().parent
NO_EXCEPTIONS = "CIRCLES = set()\nWORDS = set()\n"


def said(rule, files, exceptions=NO_EXCEPTIONS, arguments=(), **environment):
    """(exit code, output) of a rule over a tree of these files, which is where it is called with its arguments."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = pathlib.Path(folder, "tree", name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755 if text.startswith("#!") else 0o644)
        for script in ("tree.py", "sources.py", rule):
            pathlib.Path(folder, script).write_text((RULES / script).read_text())
        pathlib.Path(folder, "exceptions.py").write_text(exceptions)
        tree = os.path.join(folder, "tree")
        done = subprocess.run([sys.executable, f"{folder}/{rule}", *arguments], cwd=tree,
                              env=dict(os.environ, FENSI_ROOT=tree, **environment), capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr


def including(*targets):
    return "".join(f'#include "{target}"\n' for target in targets)


MODULES = "base hbase mapping store meta consumer indexer sweep capture metrics admin operations daemon cli"
LISTS = {"CMakeLists.txt": f"foreach(folder proto {MODULES})\n  add_subdirectory(${{folder}})\nendforeach()\n",
         ".clang-tidy": f"HeaderFilterRegex: '/({MODULES.replace(' ', '|')})/.*\\.h$'\n"}


class Waits(unittest.TestCase):
    def test_a_wait_that_compares_nothing(self):
        code, text = said("waits.py", {"tests/e2e/a_test.py": 'fensi("wait", *words, "--until", "now")\n'})
        self.assertEqual((code, "a_test.py:1: waits past wait_complete" in text), (1, True), text)
        code, text = said("waits.py", {"tests/e2e/a_test.py": 'fensi_ok("wait", "m", "i", "--until=0")\nwait_complete("m")\n',
                                       "tests/e2e/lib/complete.py": 'fensi("wait", mapping, *words)\n'})
        self.assertEqual(code, 0, text)


class Callbacks(unittest.TestCase):
    TEST = ("TEST(A, B) {\n  int before = 0;\n  FakeHBase server;\n  int late = 0;\n"
            "  server.react = [%s](const Call& call) {\n    if (call.known) { return 1; }\n    return %s;\n  };\n}\n")

    def test_a_variable_that_is_gone_before_the_server(self):
        code, text = said("callbacks.py", {"tests/a_test.cc": self.TEST % ("&", "++late")})
        self.assertEqual((code, "a_test.cc:5: a callback of 'server' uses 'late'" in text), (1, True), text)
        handler = self.TEST.replace("FakeHBase", "World").replace("server.react", "server.handler().on_call") % ("&", "late")
        self.assertEqual(said("callbacks.py", {"tests/a_test.cc": handler})[0], 1)

    def test_one_that_outlives_it_or_is_copied(self):
        for captures, used in (("&", "++before"), ("&, late", "late"), ("late", "late")):
            code, text = said("callbacks.py", {"tests/a_test.cc": self.TEST % (captures, used)})
            self.assertEqual(code, 0, text)


class PythonNames(unittest.TestCase):
    GOOD = ("import os\nfrom lib import stack\nfrom lib.program import FENSI, run\n\nROWS = [each for each in os.environ if stack]\n\n"
            "class A:\n    LIMIT = 1\n\n    def size(self):\n        return len(ROWS) + run(FENSI, __file__)\n")
    LIB = {"tests/lib/program.py": "FENSI = 1\n\ndef run(*words):\n    return words\n", "tests/lib/stack.py": "from stack import jars\njars()\n",
           "deploy/stack/jars.py": ""}

    def test_names_that_are_there(self):
        code, text = said("python_names.py", {**self.LIB, "tests/a_test.py": self.GOOD})
        self.assertEqual((code, text), (0, "names of Python: 0 faults\n"))

    def test_a_name_that_nothing_defines(self):
        code, text = said("python_names.py", {**self.LIB, "tests/a_test.py": self.GOOD.replace("import os\n", "")})
        self.assertEqual((code, "tests/a_test.py: nothing defines os" in text), (1, True), text)
        code, text = said("python_names.py", {**self.LIB, "tests/a_test.py": self.GOOD.replace("len(ROWS)", "len(LIMIT)")})
        self.assertEqual((code, "tests/a_test.py: nothing defines LIMIT" in text), (1, True), text)

    def test_an_import_of_what_a_file_has_no_more(self):
        code, text = said("python_names.py", {**self.LIB, "tests/a_test.py": self.GOOD.replace("FENSI, run", "FENSI, run, free_port")})
        self.assertEqual((code, "tests/a_test.py:3: lib.program has no free_port" in text), (1, True), text)


class Prose(unittest.TestCase):
    GOOD = "# A page\n\nThe daemon reads the topic and writes the index.\n\n- Start the daemon with `fensi run`.\n\n```\nWho; what; of.\n```\n"

    def check(self, text, words):
        code, output = said("prose.py", {"docs/a.md": self.GOOD + text}, arguments=["docs/a.md"])
        self.assertIn(words, output)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, output)

    def test_a_page_that_is_easy_to_read(self):
        self.check("\n| a cell | another |\n|---|---|\n| of; what; who | one |\n", "1 pages, 0 faults")
        self.check("\n    who; what; of; it\n\n    and this; is that; none; of these\n", "1 pages, 0 faults")

    def test_sentences_that_are_too_long(self):
        self.check("\n" + " ".join(["word"] * 60) + ".\n", "words a sentence")
        self.check("\n" + "The daemon reads the topic. " * 60 + "\n" + " ".join(["word"] * 36) + ".\n", " 0 faults")
        self.check("\n" + "The daemon reads the topic. " * 20 + "\n" + " ".join(["word"] * 36) + ".\n", "long sentences")

    def test_words_that_hide_their_noun(self):
        self.check("\nIt tells those of them what it has of that.\n", "pronouns of 1,000 words")
        self.check("\nOf all daemons a single daemon writes.\n", "headless sentences")
        self.check("\nThe daemon writes; the capture reads.\n", "semicolons a sentence")
        self.check("\n| a |\n|---|\n| " + "word " * 41 + "|\n", "words in a cell: 41")


class Structure(unittest.TestCase):
    def check(self, files, words, exceptions=NO_EXCEPTIONS):
        code, text = said("structure.py", {**LISTS, **files}, exceptions)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_a_sound_tree(self):
        self.check({"store/store.h": "", "store/open.h": "", "store/open.cc": including("store/hbase/x.h"),
                    "store/hbase/x.h": including("store/store.h"), "cli/commands/run.cc": "Command RunCommand() {\n}\n",
                    "cli/commands/commands.cc": "RunCommand(), ", "cli/commands/commands.h": "",
                    "consumer/kafka/source.h": "", "indexer/a.h": including("consumer/kafka/source.h"),
                    "consumer/codec/json.h": "", "cli/b.h": including("consumer/codec/json.h")}, " 0 faults")

    def test_what_lies_behind_a_face(self):
        self.check({"store/hbase/x.h": "", "cli/a.h": including("store/hbase/x.h")}, "cli/a.h includes store/hbase/x.h")
        self.check({"store/hbase/x.h": "", "cli/a.h": "#include <store/hbase/x.h>\n"}, "cli/a.h includes store/hbase/x.h")
        self.check({"consumer/kafka/group/x.h": "", "cli/a.h": including("consumer/kafka/group/x.h")}, "is not of that module's face")

    def test_circles_of_folders_and_of_the_files_of_a_face(self):
        self.check({"indexer/plan/a.h": including("indexer/state/b.h"), "indexer/state/b.h": "",
                    "indexer/state/c.h": including("indexer/plan/a.h")}, "indexer/plan includes indexer/state")
        self.check({"store/a.h": including("store/x/x.h"), "store/x/x.h": including("store/b.h"),
                    "store/b.h": including("store/a.h")}, "store/b includes store/a, from which a way leads back")

    def test_circles_of_faces_that_are_folders(self):
        circle = {"consumer/codec/a.h": including("consumer/kafka/b.h"), "consumer/kafka/b.h": "", "consumer/codec/d.h": ""}
        self.check({**circle, "consumer/kafka/c.h": including("consumer/codec/d.h")}, "consumer/codec includes consumer/kafka")
        self.check({**circle, "consumer/kafka/group/c.h": including("consumer/codec/d.h")}, "consumer/codec includes consumer/kafka")
        self.check({"consumer/kafka/a.h": including("consumer/kafka/group/b.h"), "consumer/kafka/c.h": "",
                    "consumer/kafka/group/b.h": including("consumer/kafka/c.h")}, " 0 faults")

    def test_a_module_that_a_list_leaves_out(self):
        self.check({"store/a.h": "", "codecs/a.h": ""}, "codecs/ is no module of tests/rules/sources.py")
        for name, text in LISTS.items():
            words = f"{name} and tests/rules/sources.py do not agree on the module "
            self.check({"store/a.h": "", name: text.replace("sweep", "")}, words + "sweep")
            self.check({"store/a.h": "", name: text.replace("sweep", "sweep codecs" if " " in text else "sweep|codecs")}, words)

    def test_files_that_no_rule_reads(self):
        for name in ("store/a.cpp", "store/a.hpp", "base/a.inc", "tests/x/a.cxx", "cli/a.hh"):
            self.check({"store/a.h": "", name: ""}, f"{name}: C++ stands in .h and .cc")

    def test_an_exception(self):
        circle = {"indexer/plan/a.h": including("indexer/state/b.h"), "indexer/state/b.h": including("indexer/plan/a.h")}
        lists = 'CIRCLES = {("indexer/plan", "indexer/state")}\n'
        self.check(circle, " 0 faults", lists)
        self.check({"indexer/a.h": ""}, "('indexer/plan', 'indexer/state') is no longer", lists)


class Definitions(unittest.TestCase):
    def check(self, files, words):
        code, text = said("definitions.py", files)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_a_source_file_whose_functions_another_head_declares(self):
        self.check({"store/a.cc": ""}, "store/a.cc has no header of its name")
        text = "namespace {\nint Own() {\n}\n}  // namespace\nstatic int Its() {\n}\nint F(int x) {\n}\nbool operator==(A a, A b) {\n}\n"
        both = {"store/a.cc": text, "store/a.h": "int F(int);\nbool operator==(A, A);\n"}
        self.check(both, " 0 faults")
        self.check({**both, "store/a.h": "bool operator==(A, A);  // F is elsewhere"}, "F, which store/a.h does not name")
        self.check({**both, "store/a.h": "int F(int);\n"}, "operator==, which store/a.h does not name")

    def test_a_header_of_a_folder_serves_several_files(self):
        text = '#include "store/x/all.h"\nint F(int x) {\n}\n'
        self.check({"store/x/a.cc": text, "store/x/all.h": "int F(int);\n"}, " 0 faults")
        self.check({"store/x/a.cc": text, "store/x/all.h": "int G(int);\n"}, "F, which store/x/all.h does not name")
        self.check({"store/x/a.cc": "int F(int x) {\n}\n", "store/x/all.h": "int F(int);\n"}, "no header of its name")
        faces = {"store/a.cc": '#include "store/all.h"\nint F(int x) {\n}\n', "store/all.h": "int F(int);\n"}
        self.check(faces, "store/a.cc has no header of its name")

    def test_a_command_or_a_group_that_no_table_names(self):
        for folder, table in (("cli/commands", "commands"), ("mapping/functions", "table")):
            files = {f"{folder}/{table}.cc": "int All() { return One(); }\n", f"{folder}/{table}.h": "All"}
            self.check({**files, f"{folder}/a.cc": "int One() {\n}\n"}, " 0 faults")
            self.check({**files, f"{folder}/a.cc": "int Two() {\n}\n"}, f"Two, which {folder}/{table}.cc does not name")
            self.check({**files, f"{folder}/a.cc": "namespace x {\n}\n"}, "what it defines, which")

    def test_a_class_in_two_source_files(self):
        one, other = "b::T A::F() {\n}\nA::A() {}\n", "// A::F() is elsewhere\nint A::G() {\n  B::H();\n}\n"
        both = {"store/a.h": "", "store/a.cc": one, "store/b.h": "", "store/b.cc": other}
        self.check(both, "A is cut over store/a.cc and store/b.cc")
        for method in ("bool A::operator==(const A& a) const {", "A& A::operator=(A&& a) = default", "int A::operator()() {",
                       "A::operator bool() const {", "template <typename T>\nint A<T>::G() {"):
            self.check({**both, "store/b.cc": method + "\n}\n"}, "A is cut over store/a.cc and store/b.cc")
        self.check({**both, "store/b.cc": other.replace("A::G", "B::G")}, " 0 faults")


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

    def test_folders_that_are_one_unit(self):
        one, other = ("namespace {\n\nint Twice(int x) {\n  return %d * x;\n}\n\n}  // namespace\n" % n for n in (2, 3))
        for units, ends in (('UNITS ". deeper"', 1), ('UNITS ". other" "deeper"', 0)):
            code, text = said("file_local_names.py", {"store/a.cc": one, "store/deeper/b.cc": other,
                                                      "store/CMakeLists.txt": f"fensi_library(fensi_store {units} SOURCES a.cc)\n"})
            self.assertEqual((code, f", {ends} names twice" in text), (ends, True), text)

    def test_names_of_the_test_library(self):
        ours = {"tests/support/a.h": "namespace fensi::testing {\nvoid Ours();\nusing ::testing::Not;\n}\n"}
        for line, ends in (("using testing::Not;", 1), ("using ::testing::Not;", 0), ("testing::Ours();", 0)):
            code, text = said("file_local_names.py", {"store/a.cc": "", **ours, "tests/a_test.cc": line + "\n"})
            self.assertEqual((code, f", {ends} half named" in text), (ends, True), text)

    def test_what_is_no_clash(self):
        text = "namespace {\nint Twice() { return 2; }\n}  // namespace\n"
        self.assertEqual(self.names_twice(text, text.replace("Twice", "Thrice")), 0)
        self.assertEqual(self.names_twice(text, "int Twice();  // namespace {\nint Twice() { return 2; }\n"), 0)
        alias = "namespace {\nusing Twice = int;\n}  // namespace\n"
        self.assertEqual(self.names_twice(alias, alias), 0)
        self.assertEqual(self.names_twice(alias, alias.replace("int", "long")), 1)

    def test_units_that_tidy_reads_together(self):
        own = "namespace {\n\nint Twice(int x) {\n  return 2 * x;\n}\n\n}  // namespace\n"
        for other, joins in (("int Four() { return x.Twice + y->Twice + z::Twice(2); }\n", True), (own, False),
                             ("int Four() { return Twice(2); }\n", False), ("// Twice\nint Four() { return 4; }\n", True)):
            with tempfile.TemporaryDirectory() as tree:
                for name, text in (("a.cc", own), ("b.cc", other)):
                    pathlib.Path(tree, name).write_text(text)
                code = ("import pathlib, file_local_names\na, b = pathlib.Path('a.cc'), pathlib.Path('b.cc')\n"
                        "print(file_local_names.can_join([a], [b]), file_local_names.can_join([b], [a]))\n")
                done = subprocess.run([sys.executable, "-c", code], cwd=RULES, env=dict(os.environ, FENSI_ROOT=tree),
                                      capture_output=True, text=True, check=False)
                self.assertEqual(done.stdout, f"{joins} {joins}\n", other + done.stderr)

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


class Shape(unittest.TestCase):
    LONG = 'LONG_FILES = {"store/a.cc"}\n'

    def check(self, files, words, exceptions="LONG_FILES = set()\n"):
        code, text = said("shape.py", files, exceptions)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_the_longest_file(self):
        self.check({"store/a.cc": "\n" * 500}, " 0 faults")
        self.check({"store/a.cc": "\n" * 501}, "store/a.cc has 501 lines")
        self.check({"store/a.cc": "\n" * 501}, " 0 faults", self.LONG)
        self.check({"store/a.cc": "\n" * 500}, "exceptions.py: store/a.cc is not too long any more", self.LONG)

    def test_the_longest_chain_of_includes(self):
        chain = {f"store/{i}.h": including(f"store/{i + 1}.h") for i in range(16)}
        self.check({**chain, "store/16.h": ""}, " 0 faults")
        self.check({**chain, "store/16.h": including("store/17.h"), "store/17.h": ""}, "18 files in a chain of includes")

    def test_too_many_headers(self):
        self.check({f"store/{i}.h": "\n" * 26 for i in range(570)}, "570 headers")
        self.check({f"store/{i}.h": "\n" * 25 for i in range(97)}, "97 headers of at most 25 lines")


class Includes(unittest.TestCase):
    def check(self, files, words):
        code, text = said("includes.py", files)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_modules_and_third_parties(self):
        self.check({"mapping/a.h": including("base/b.h"), "base/b.h": ""}, " 0 faults")
        self.check({"mapping/a.h": including("store/b.h"), "store/b.h": ""}, "mapping/ may not include store/b.h")
        self.check({"mapping/a.h": including("base/clock.h"), "base/clock.h": ""}, "mapping is pure and may not include base/clock.h")
        for path, target, home in (("cli/a.cc", "rocksdb/db.h", "store/embedded"), ("store/a.cc", "rocksdb/db.h", "store/embedded"),
                                   ("store/embedded/a.cc", "thrift/TOutput.h", "store/hbase"),
                                   ("capture/a.cc", "zookeeper/zookeeper.h", "hbase/zookeeper/session.cc"),
                                   ("consumer/codec/a.cc", "librdkafka/rdkafka.h", "consumer/kafka"),
                                   ("mapping/yaml/a.cc", "google/protobuf/descriptor.h", "mapping/functions"),
                                   ("store/a.h", "absl/base/thread_annotations.h", "base/mutex.h"),
                                   ("capture/rpc/link.cc", "boost/asio/steady_timer.hpp", "capture/rpc/timer.h")):
            self.check({path: f"#include <{target}>\n"}, f"{path}:1: only {home} may include {target}")
        self.check({"capture/rpc/timer.h": "#include <boost/asio/steady_timer.hpp>\n"}, " 0 faults")
        for target in ("curl/curl.h", "tbb/task.h", "absl/strings/str_cat.h", "malloc.h"):
            self.check({"cli/a.cc": f"#include <{target}>\n"}, f"no line of HOMES says who may include {target}")

    def test_nothing_includes_the_command_line(self):
        self.check({"cli/a.h": "", "daemon/x/a.cc": including("cli/a.h")}, "daemon/ may not include cli/a.h")
        self.check({"cli/a.h": "", "operations/x/a.cc": including("cli/a.h")}, "operations/ may not include cli/a.h")
        self.check({"daemon/x/a.h": "", "operations/x/a.cc": including("daemon/x/a.h")}, "operations/ may not include daemon/x/a.h")
        self.check({"capture/a.h": "", "operations/x/a.cc": including("capture/a.h")}, "operations/ may not include capture/a.h")
        self.check({"cli/a.cc": including("cli/b.h", "operations/x/a.h", "daemon/x/a.h"), "cli/b.h": "", "operations/x/a.h": "",
                    "daemon/x/a.h": including("operations/x/a.h")}, " 0 faults")

    def test_flags_outside_the_command_line(self):
        for path in ("operations/x/a.cc", "daemon/x/a.h", "store/a.cc"):
            for line in ("if (FLAGS_store.empty()) return;", "DECLARE_string(store);", 'DEFINE_bool(x, false, "");'):
                self.check({path: f"{line}\n"}, f"{path}:1: ")
                self.check({path: f"// {line}\n"}, " 0 faults")
        self.check({"cli/x/a.cc": "FLAGS_store.empty();\n"}, " 0 faults")

    def test_a_page_with_another_table_of_third_parties(self):
        page = (RULES.parents[1] / "docs/architecture.md").read_text(encoding="utf-8")
        row = "| RocksDB | `store/embedded` |\n"
        self.check({"store/a.h": "", "docs/architecture.md": page}, " 0 faults")
        for wrong in ("", row.replace("store/embedded", "store"), row + "| curl | `store` |\n"):
            self.check({"store/a.h": "", "docs/architecture.md": page.replace(row, wrong)}, "is not that of HOMES")

    def test_includes_that_are_no_file_from_the_root(self):
        files = {"store/a.h": "", "store/hbase/b.h": "", "proto/state.proto": ""}
        for line in ('"../store/a.h"', '"./a.h"', '"a.h"', '"store/gone.h"', '"store/../store/a.h"', "<store/hbase/b.h>",
                     '"proto/gone.pb.h"'):
            self.check({**files, "store/c.cc": f"#include {line}\n"}, f"{line[1:-1]} is no file from the root")
        self.check({**files, "store/c.cc": including("store/hbase/b.h", "proto/state.pb.h")}, " 0 faults")
        for line in ("#include STORE", "#include_next <string>", "# import <string>"):
            self.check({**files, "store/c.cc": f"{line}\n"}, "store/c.cc:1: only #include with a name")
        self.check({"store/hbase/b.h": including("THBaseService.h")}, " 0 faults")
        self.check({"store/a.h": including("THBaseService.h")}, "only store/hbase may include THBaseService.h")

    def test_locks_that_nobody_checks(self):
        for line in ("std::mutex mu_;", "std::recursive_mutex mu_;", "std::timed_mutex mu_;", "std::shared_mutex mu_;",
                     "std::condition_variable_any c_;", "s::mutex mu_;", "mutex mu_;",
                     "std::binary_semaphore s_;", "std::atomic_flag f_;", "pthread_mutex_t mu_;", "void F() ABSL_NO_THREAD_SAFETY_ANALYSIS;"):
            self.check({"store/a.h": f"#include <shared_mutex>\n{line}\n"}, "store/a.h:2: Mutex and Condition of base/mutex.h")
        self.check({"base/mutex.h": "  std::mutex mu_;  // the one place\n"}, " 0 faults")
        self.check({"store/embedded/embedded_store.h": "#include <shared_mutex>\nstd::shared_mutex mu_;\n"}, " 0 faults")
        self.check({"store/embedded/embedded_store.h": "std::mutex mu_;\n"}, "Mutex and Condition")


class StandardHeaders(unittest.TestCase):
    def test_headers_of_the_standard_library(self):
        use = "std::atomic<int> n;  // std::map is only spoken of\n"
        code, text = said("standard_headers.py", {"store/a.cc": use, "store/a.h": ""})
        self.assertEqual((code, text.splitlines()[0]), (1, "store/a.cc: std::atomic without #include <atomic>"))
        self.assertEqual(said("standard_headers.py", {"store/a.cc": use, "store/a.h": "#include <atomic>\n"})[0], 0)


class FunctionsByName(unittest.TestCase):
    def check(self, files, words):
        table = 'F A() {\n  return {{"hex",\n   kCategory}, {"last", Category::kPieces}, Hash<16>("md5", X)};\n}\n'
        code, text = said("functions_by_name.py", {"mapping/functions/a.cc": table, **files})
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.startswith("3 functions") else 1, text)

    def test_a_name_in_quotes_wherever_it_stands(self):
        none = "3 functions, none is known by its name"
        self.check({}, none)
        self.check({"mapping/lint/a.cc": '// not "hex"\nx("a hex", "hexes");\n', "cli/a.cc": 'x("hex");\n'}, none)
        for use in ('if (f->name == "hex") {}', 'kNames{"hex", "b"};', 'constexpr std::string_view kHex = "hex";',
                    'name.starts_with("hex")', 'FindFunction(\n    "hex")', '{"hex", 3}', 'case Of("hex"):'):
            for path in ("mapping/lint/a.cc", "mapping/a.h", "mapping/functions/b.cc"):
                self.check({path: use + "\n"}, "the function 'hex' is known by its name")

    def test_a_part_of_a_name(self):
        more = {"mapping/functions/b.cc": '{"floor_day", kCategory}\n'}
        for part in ("floor_", "_day"):
            code, text = said("functions_by_name.py", {**more, "mapping/lint/a.cc": f'name.starts_with("{part}")\n'})
            self.assertIn(f"mapping/lint/a.cc:1: the function '{part}' is known by its name", text)
            self.assertEqual(code, 1)

    def test_places_that_are_listed(self):
        path = "mapping/lint/lint.cc"
        self.check({path: 'x("hex");\n'}, f"{path}:1: the function 'hex'")
        self.check({path: ""}, f"{path} no longer spells 'split'")


class EveryFileHasATarget(unittest.TestCase):
    FILES = {"CMakeLists.txt": "foreach(folder store)\n  add_subdirectory(${folder})\nendforeach()\nadd_subdirectory(tests)\n",
             "store/CMakeLists.txt": "fensi_library(fensi_store SOURCES a.cc x/b.cc)\n", "store/a.cc": "", "store/x/b.cc": "",
             "tests/CMakeLists.txt": "foreach(folder sweep)\n  add_subdirectory(${folder})\nendforeach()\n",
             "tests/sweep/CMakeLists.txt": "fensi_test(a SOURCES a_test.cc)\n"
                                           "fensi_script_test(b COMMAND python3 tests/sweep/b_test.py)\n",
             "tests/sweep/a_test.cc": "", "tests/sweep/b_test.py": "from lib import c\n", "tests/sweep/lib/c.py": "",
             "tests/run": "#!/bin/sh\ntests/tidy\n", "tests/tidy": "#!/bin/sh\n", ".ci/run": "exec tests/run"}

    def check(self, changes, words):
        code, text = said("every_file_has_a_target.py", {**self.FILES, **changes})
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_a_sound_tree(self):
        self.check({}, " 0 faults")

    def test_a_file_that_belongs_to_nothing(self):
        for name in ("store/c.cc", "store/x/a.cc", "tests/sweep/c_test.cc"):
            self.check({name: ""}, f"{name}: belongs to no CMakeLists.txt")
        self.check({"store/CMakeLists.txt": "fensi_library(fensi_store SOURCES a.cc)  # x/b.cc\n"}, "store/x/b.cc: belongs to no")

    def test_a_list_that_nobody_adds(self):
        words = "tests/sweep/CMakeLists.txt: the CMakeLists.txt above it does not add its folder"
        for text in ("", "foreach(folder store)\n  add_subdirectory(${folder})\nendforeach()\n", "# add_subdirectory(sweep)\n"):
            self.check({"tests/CMakeLists.txt": text}, words)
        self.check({"CMakeLists.txt": "add_subdirectory(tests)\n"}, "store/CMakeLists.txt: the CMakeLists.txt above")

    def test_a_script_that_nothing_runs(self):
        for name, text in (("tests/sweep/c_test.py", ""), ("tests/sweep/c.sh", ""), ("tests/sweep/c", "#!/bin/sh\n")):
            self.check({name: text}, f"{name}: nothing runs it")
        self.check({"tests/sweep/c_test.py": "import d\n", "tests/sweep/d.py": "import c_test\n"}, "tests/sweep/d.py: nothing runs it")
        self.check({"tests/sweep/table": "a b\n"}, " 0 faults")

    def test_a_golden_file_that_no_test_reads(self):
        files = {"tests/formats/golden/mark.1.txt": "", "tests/formats/golden/mark.2.txt": "", "tests/formats/CMakeLists.txt": "a.cc",
                 "tests/CMakeLists.txt": self.FILES["tests/CMakeLists.txt"] + "add_subdirectory(formats)\n"}
        self.check({**files, "tests/formats/a.cc": 'Golden("mark", format)'}, " 0 faults")
        self.check({**files, "tests/formats/a.cc": 'Golden("mark", kNow)'}, "golden/mark.1.txt: no test reads it")
        self.check({**files, "tests/formats/a.cc": ""}, "golden/mark.2.txt: no test reads it")

    def test_a_test_that_is_put_aside(self):
        for text in ("TEST(A, DISABLED_B) {}", "TEST(A, B) { GTEST_SKIP(); }", "int a;\n#if 0\nTEST(A, B) {}\n#endif"):
            self.check({"tests/sweep/a_test.cc": text}, "puts a test aside")
        for text in ("@unittest.skip('later')", "@unittest.expectedFailure", "@unittest.skipIf(True, 'later')",
                     "@unittest.skipUnless(False, 'later')", "self.skipTest('later')", "raise unittest.SkipTest"):
            self.check({"tests/sweep/b_test.py": f"from lib import c\n{text}\n"}, "puts a test aside")
        for text in ("set_tests_properties(a PROPERTIES DISABLED ON)", "set_tests_properties(a PROPERTIES DISABLED YES)",
                     "if(FALSE)\nendif()", "if(NO)\nendif()"):
            self.check({"tests/sweep/CMakeLists.txt": self.FILES["tests/sweep/CMakeLists.txt"] + text + "\n"}, "puts a test aside")


class Format(unittest.TestCase):
    def test_a_file_that_is_written_otherwise(self):
        files = {".clang-format": "BasedOnStyle: Google\n", "store/a.cc": "int F() { return 1; }\n"}
        self.assertEqual(said("format.py", files), (0, "1 files, 0 not formatted\n"))
        for name in ("store/b.h", "tests/b.cc"):
            code, text = said("format.py", {**files, name: "int  F( ){return 1;}\n"})
            self.assertEqual(code, 1)
            self.assertIn(f"{name}: not formatted", text)


class MappingSymbols(unittest.TestCase):
    def said(self, *symbols, objects=10):
        """Of an archive of which `nm` says that its first object needs these symbols."""
        lines = "".join(f"a{i}.o:\n                 U memcpy@GLIBC_2.14\n" for i in range(objects))
        lines += "".join(f"                 U {symbol}\n" for symbol in symbols)
        nm = f"#!/bin/sh\ncat <<'END'\n{lines}END\n"
        return said("mapping_symbols.py", {"nm": nm}, arguments=("x.a",), PATH=".:" + os.environ["PATH"])

    def test_what_asks_the_system(self):
        self.assertEqual(self.said("absl::StrCat()", "std::chrono::duration")[0], 0)
        for symbol in ("open64@GLIBC_2.2.5", "getenv", "std::chrono::_V2::steady_clock::now()", "std::random_device::_M_getval()",
                       "pthread_create@GLIBC_2.34", "std::basic_ifstream<char, std::char_traits<char> >::basic_ifstream()"):
            code, text = self.said(symbol)
            self.assertEqual((code, text.splitlines()[0]), (1, f"a9.o: mapping is pure and may not use {symbol}"))

    def test_an_archive_that_holds_too_little(self):
        self.assertEqual(self.said(objects=9)[0], 1)


class LogLines(unittest.TestCase):
    def check(self, files, words):
        code, text = said("log_lines.py", files)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith(" 0 faults") else 1, text)

    def test_lines_that_do_not_go_through_the_log(self):
        self.check({"daemon/indexes/a.cc": 'Log("ended", "x: " + status.words());\n'}, " 0 faults")
        self.check({"daemon/indexes/a.cc": "#include <glog/logging.h>\n"}, "daemon/indexes/a.cc: lines are written by Log")
        self.check({"store/a.cc": 'LOG(INFO) << "x";\n'}, "store/a.cc: lines are written by Log")
        self.check({"store/a.cc": 'std::fputs("x", stderr);\n'}, "store/a.cc:1: only cli/program/output.cc, cli/program/terminal_console.cc")
        self.check({"store/a.cc": 'std::cerr << "x";\n'}, "store/a.cc:1: only cli/program/output.cc, cli/program/terminal_console.cc")
        self.check({"cli/program/output.cc": "std::fputs(text, stderr);\n"}, " 0 faults")

    def test_a_daemon_that_speaks_as_a_command(self):
        for path in ("daemon/indexes/a.cc", "daemon/capture/a.cc", "daemon/admin/a.cc", "cli/commands/capture.cc"):
            self.check({path: 'Say("x");\n'}, f"{path}:1: a daemon says it by Log")
        self.check({"cli/commands/drop.cc": 'Say("x");\n', "operations/jobs/unless_stopped.h": "Say(told);\n"}, " 0 faults")

    def test_words_that_have_forgotten_what_they_quote(self):
        self.check({"daemon/indexes/a.cc": 'Log("ended",\n    "x" + (ok ? "" : status.message()));\n'}, "daemon/indexes/a.cc:1: words() of an error")
        self.check({"capture/a.cc": "notices_({kLate, Words(status.message())});\n"}, "capture/a.cc:1: words() of an error")
        self.check({"daemon/indexes/a.cc": 'Log("ended", text);\nreturn status.message();\n'}, " 0 faults")


class Pages(unittest.TestCase):
    def check(self, rule, files, words):
        code, text = said(rule, files)
        self.assertIn(words, text)
        self.assertEqual(code, 0 if words.endswith((" 0 faults", " switches")) else 1, text)

    def walk(self, *steps, walks=3):
        steps = "\n".join(steps) + "\n\n"
        return {"docs/architecture.md": "## Three walks\n\n" + "".join(f"### {i}\n\n{steps}" for i in range(walks)),
                "a.cc": "void Top() { Inner(); }\n", "b.cc": "void Inner() {}\n", "c.cc": "void Other() {}\n"}

    def test_walks(self):
        top, inner = "1. `a.cc` `Top`: x", "2. `b.cc` `Inner`: x"
        self.check("walks.py", self.walk(top, inner), " 0 faults")
        self.check("walks.py", self.walk(top, "2. `c.cc` `Other`: x"), "more than one hop")
        self.check("walks.py", self.walk(top, "2. `c.cc` `Inner`: x"), "c.cc has no Inner")
        self.check("walks.py", self.walk(top, "2. `d.cc` `Inner`: x"), "there is no file d.cc")
        self.check("walks.py", self.walk(top, "2. then the rest"), "no step: 2. then")
        self.check("walks.py", self.walk(top, inner.replace("2", "3")), "step 2 has the number 3")
        self.check("walks.py", self.walk(top, inner, walks=2), "3 walks of some steps are promised, and there are [2, 2] steps")
        self.check("walks.py", self.walk(top), "there are [1, 1, 1] steps")

    def test_switches(self):
        one, other = ("FENSI" + name for name in ("_A", "_B"))  # not as words: this file is no use of them
        page = f"| `{one}` | x |\n"
        self.check("switches.py", {"tests/README.md": page, "tests/run": f"${one}"}, " switches")
        self.check("switches.py", {"tests/README.md": page, "tests/run": f"${one} ${other}"}, f"{other} has no row")
        self.check("switches.py", {"tests/README.md": page, "tests/run": f"${one} ${other}", "cli/flags/flag_table.h": "FLAG(string, b, \"\"\n"}, "1 switches")
        for path in ("sweep/a.cc", "meta/a.cc", "metrics/a.cc", "admin/a.h", "new/a", "CMakeLists.txt"):
            self.check("switches.py", {"tests/README.md": page, "tests/run": f"${one}", path: other}, f"{path}: the switch {other} has no row")
        self.check("switches.py", {"tests/README.md": page, "tests/run": f"${one} ${one}2"}, f"{one}2 has no row")
        self.check("switches.py", {"tests/README.md": page, "tests/run": ""}, f"nothing knows the switch {one}")

    def test_words(self):
        page = {"docs/glossary.md": "## Words that went\n\n| not | but |\n|---|---|\n| `Lane` | x |\n"}
        self.check("words.py", {**page, "store/a.h": "class Lanes;"}, " 0 faults")
        self.check("words.py", {**page, "store/a.h": "int old_Lane_;"}, "store/a.h: the word Lane went")
        self.check("words.py", {**page, "store/a.h": "class Lane;"}, "store/a.h: the word Lane went")
        for name in ("PollLane", "kLane", "lane_", "poll_lane", "LANE_OF", "lane"):
            self.check("words.py", {**page, "store/a.h": f"int {name};"}, "store/a.h: the word Lane went")
        self.check("words.py", {**page, "store/poll_lane.h": ""}, "store/poll_lane.h: the word Lane went")
        two = {"docs/glossary.md": page["docs/glossary.md"].replace("Lane", "WorkBoard")}
        self.check("words.py", {**two, "store/a.h": "int my_work_board_;"}, "store/a.h: the word WorkBoard went")
        self.check("words.py", {**two, "store/a.h": "int work, board; // a work board"}, " 0 faults")
        self.check("words.py", {**page, "store/a.h": "int planes; // a lane of a road"}, " 0 faults")
        self.check("words.py", {**page, "store/a.h": "// Lane/N: a number\nchar kKey[] = \"Lane\";"}, " 0 faults")
        self.check("words.py", {**page, "store/a.h": "Fail(\"Lane lost\");"}, "store/a.h: the word Lane went")

    def test_public_words(self):
        page = {"docs/glossary.md": "## Public words that went\n\n| not | but |\n|---|---|\n| `--old` | `--new` |\n| `fensi olds` | x |\n| `old_key` | y |\n\n"
                                    "## Words that went\n\n| not | but |\n|---|---|\n| `Lane` | x |\n", "store/b.h": ""}
        self.check("words.py", {**page, "store/a.cc": 'Say("--older, --new, fensi oldsters, my_old_key");'}, " 0 faults")
        for name, text in (("store/a.cc", 'Say("use --old");'), ("docs/a.md", "`fensi olds list`"), ("deploy/examples/a.yaml", "old_key: 1\n"),
                           ("tests/cli/a_test.py", "call('--old=1')\n"), ("README.md", "fensi olds\n"), ("daemon/a.cc", 'Log("old_key", "x");')):
            self.check("words.py", {**page, name: text}, f"{name}:1: the public word ")
        for name in ("indexer/plan/event_check.h", "CHANGELOG.md", "docs/decisions/0001-a.md"):
            self.check("words.py", {**page, name: "--old"}, " 0 faults")

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
        self.check("pages.py", self.pages(**{**named, "docs/architecture.md": "`store/x`, `store/x/y`, `store/xy`",
                                             "store/xy/a.h": "", "store/xyz/a.h": ""}), "store/xyz: docs/architecture.md does not")
        self.check("pages.py", self.pages(**{**named, "docs/architecture.md": "`store/x/ya`", "store/x/ya/b.h": ""}), "store/x/y: docs")
        self.check("pages.py", self.pages(**{"docs/b.md": ""}), "docs/b.md: docs/README.md does not name it")
        self.check("pages.py", self.pages(**{"docs/decisions/0002-u.md": "# 2. U\n"}), "does not begin with its number")
        self.check("pages.py", self.pages(**{"docs/decisions/0001-t.md": "# 1. T\n\nDate: 2026-11-22. Status: accepted.\n"}),
                   "another number, title, date or status")

    def test_what_pages_name_of_the_tree(self):
        tree = {"store/x/a.cc": "", "docs/README.md": "[a](a.md) [d](decisions/README.md) [e](architecture.md)"}
        with_page = lambda text, **more: self.pages(**{**tree, "docs/architecture.md": "`store/x`\n\n" + text, **more})
        row = "| `store/` | tables (`x`, `x/a`) | base |\n"
        self.check("pages.py", with_page(row + "`store/x/a` `store/x/NAME.cc` `store/x/a.cc --all` `left/right`"), " 0 faults")
        self.check("pages.py", with_page("`store/y/b.cc`"), "docs/architecture.md: there is no store/y/b.cc")
        self.check("pages.py", with_page("`tests/gone --fast`"), "docs/architecture.md: there is no tests/gone")
        self.check("pages.py", with_page(row.replace("`x/a`", "`y`")), "docs/architecture.md: there is no store/y")
        self.check("pages.py", with_page("| `gone/` | nothing | base |\n"), "docs/architecture.md: there is no gone/")
        self.check("pages.py", with_page("", **{"tests/README.md": "| `gone/` | nothing |\n"}), "tests/README.md: there is no gone/")

    def promises(self, row, prose="", guarantees="## Delivery\n\nAt least once.\n"):
        return {"docs/traceability.md": f"## Delivery\n\n| claim | test |\n|---|---|\n{row}\n\n{prose}\n", "docs/consistency.md": guarantees,
                "tests/x/CMakeLists.txt": "lasting_test(c_test c.py)\n",
                "tests/x/a_test.cc": "TEST_F(Suite, OneHolds) {}\n// TEST(Suite, Gone)\n", "tests/x/b_test.py": ""}

    def test_promises(self):
        page = "docs/traceability.md"
        check = lambda row, words, **more: self.check("promises_are_tested.py", self.promises(row, **more), words)
        for name in ("Suite", "Suite.OneHolds", "Suite.One…", "b_test.py", "b_test", "c_test"):
            check(f"| a | `{name}` |", " 0 faults")
        for name in ("Other", "Suite.Gone", "Suite.One", "Suite.Two…", "OneHolds…", "d_test", "c_test.py", "a thing"):
            check(f"| a | `{name}` |", f"{page} names `{name}`, which is no test")
        check("| a | `Suite` |", f"{page} names `Suite.Two…`, which is no test", prose="As (`Suite.Two…`) says.")
        check("| a | `Suite` |", f"{page} names `OneHolds…`, which is no test", prose="As (`OneHolds…`) says.")
        for row in ("| a | none |", "|a|none|", "| a | none"):
            check(row, f"{page}: no test behind: {row}")
        check("| a | `Suite` |", f'docs/consistency.md: {page} has no section "Reads" with a row', guarantees="## Delivery\n\n## Reads\n")
        check("", f'docs/consistency.md: {page} has no section "Delivery" with a row')

    def test_messages(self):
        def page(quoted, event="a `file_lost`", level="info"):
            rows = "".join(f"| {cell} | `no text` of `index_ended` |\n" for cell in (quoted, event))
            return {"docs/troubleshooting.md": "| message or symptom | fix |\n|---|---|\n" + rows,
                    "docs/logs.md": f"| `file_lost` | warning |\n| `index_ended` | {level} |\n",
                    "store/a.cc": 'Say("the table is " \n    "not there \\"x\\"", "file_lost", "is_no_event");\n'}
        for good in ("`table is not there`", "`there \"x`", "a `table … there` and `file_lost`", "`fensi status` of `table`", "`--x=1` `table`"):
            self.check("messages.py", page(good), " 0 faults")
        for bad in ("`table is here`", "`is_no_event`", "`table is not there` and `nowhere`"):
            self.check("messages.py", page(bad), "which the program does not say")
        self.check("messages.py", page("`there`", event="no event"), "has no row for the event `file_lost` of docs/logs.md")
        for level in ("warning", "error"):
            self.check("messages.py", page("`there`", level=level), "has no row for the event `index_ended` of docs/logs.md")

    def test_one_message_for_one_condition(self):
        home, condition = "operations/access/kafka.cc", "no daemon runs the index"
        check = lambda files, words: self.check("one_message.py", {home: 'Say("index: no daemon runs it, because");\n', **files}, words)
        check({"cli/a.cc": 'Say("no daemon runs the index");  // it says: "no daemon runs it"\n'}, "2 literals, 38 faults")
        for own in ('Say("no daemon runs it");\n', 'Say("no daemon "\n    "runs it");\n', 'Say("nobody runs index x");\n'):
            check({"cli/a.cc": "\n" + own}, f"cli/a.cc:2: says '{condition}' in words of its own; call the function in {home}")
        check({home: 'Say("x");\n'}, f"{home} does not say '{condition}': correct its key words")

    def test_a_translation(self):
        english = "[zh](docs/zh/README.md)\n\n# A\n\nSay `x` ([b](b.md)).\n\n    run x\n\n- e\n\n## C\n"
        chinese = "[en](../../README.md)\n\n# 甲\n\n说 `x`\uff08[乙](../../b.md)\uff09\u3002\n\n    run x\n\n- 戊\n\n## 丙\n"
        check = lambda other, words: self.check("translation.py", {"README.md": english, "docs/zh/README.md": other}, words)
        code, text = said("translation.py", {"README.md": english, "docs/zh/README.md": chinese})
        self.assertEqual(code, 0, text)
        check(chinese.replace("## 丙", "丙"), "headings: not in docs/zh/README.md")
        check(chinese.replace("run x", "run y"), "code: not in docs/zh/README.md:     run x")
        check(chinese.replace("`x`", "x"), "inline code: not in docs/zh/README.md: x")
        check(chinese.replace("b.md", "c.md"), "links: only in docs/zh/README.md: c.md")
        check(chinese.replace("[乙]", "![乙]"), "images: only in docs/zh/README.md")
        check(chinese + "\n## 丁\n", "headings: another order or number")
        check(chinese + "\n己\n", "docs/zh/README.md: below '## C' are paragraph, but in English nothing")
        check(chinese.replace("- 戊", "- 戊\n- 己"), "docs/zh/README.md: below '# A' are paragraph, list of 2, but in English paragraph, list of 1")
        check(chinese.replace("[en](../../README.md)", "en"), "docs/zh/README.md does not point to README.md")
        self.check("translation.py", {"README.md": "# A\n", "docs/zh/README.md": chinese}, "README.md does not point to docs/zh/README.md")

    def test_links_of_a_translation(self):
        files = {"docs/limits.md": "[zh](zh/limits.md)\n\n# A\n\n[b](reading.md#more-of-b), [c](c.md#c)\n",
                 "docs/zh/limits.md": "[en](../limits.md)\n\n# 甲\n\n[乙](reading.md#多)\u3001[丙](../c.md#c)\n",
                 "docs/reading.md": "[zh](zh/reading.md)\n\n# B\n\n## More of B\n",
                 "docs/zh/reading.md": "[en](../reading.md)\n\n# 乙\n\n## 多\n"}
        code, text = said("translation.py", files)
        self.assertEqual(code, 0, text)
        check = lambda old, new, words: self.check(
            "translation.py", {**files, "docs/zh/limits.md": files["docs/zh/limits.md"].replace(old, new)}, words)
        check("reading.md#多", "../reading.md#more-of-b", "docs/zh/limits.md: links to docs/reading.md, and not to docs/zh/reading.md")
        check("reading.md#多", "reading.md#乙", "links: only in docs/zh/limits.md: docs/reading.md#b")
        self.check("translation.py", {**files, "docs/zh/other.md": "# 丁\n"}, "docs/zh/other.md: PAIRS does not name it")

    def test_words_and_marks_of_a_translation(self):
        glossary = "## Words of the Chinese pages\n\n| word | 中文 | not |\n|---|---|---|\n| watermark | 水位线 | 水位, 水印 |\n| cell | 单元格 | |\n"
        def files(text):
            return {"docs/glossary.md": glossary, "README.md": "[zh](docs/zh/README.md)\n\n# A\n\nB `x, y`\n",
                    "docs/zh/README.md": f"[en](../../README.md)\n\n# 甲\n\n{text} `x, y`\n"}
        code, text = said("translation.py", files("**水位线\u3002** 1,000 not 12:30"))
        self.assertEqual(code, 0, text)
        self.check("translation.py", files("水印"), "docs/zh/README.md: says 水印, and docs/glossary.md says 水位线")
        self.check("translation.py", files("水位线的水位"), "docs/zh/README.md: says 水位, and docs/glossary.md says 水位线")
        for wrong in ("甲,乙", "TTL,乙", "甲: 乙", "甲(乙\uff09"):
            self.check("translation.py", files(wrong), "has punctuation that is not Chinese")
        self.check("translation.py", files("1\uff0c000"), "'1\uff0c000' is a number with a Chinese comma")
        self.check("translation.py", files("**甲\u3002**乙"), "'**甲\u3002**' needs a space behind it")


class EveryRule(unittest.TestCase):
    def test_has_its_cases_here(self):
        here = pathlib.Path(__file__).read_text(encoding="utf-8")
        rules = [path.name for path in RULES.glob("*.py") if re.search(r"^def main\(", path.read_text(encoding="utf-8"), re.MULTILINE)]
        self.assertEqual([rule for rule in rules if f'"{rule}"' not in here], [])
        self.assertGreater(len(rules), 12)


class MutationLines(unittest.TestCase):
    """What tests/mutation/run.py --lines says, of one mutation in a small tree."""

    FILES = {"docs/maintenance.md": "| M1 | a rule |\n| M1 (d) | more of it |\n", "a.cc": "int x = 1;  // y = 2;\nx = 3;\n",
             "tests/CMakeLists.txt": "foreach(kind unit)\n  fensi_test(${kind}_test SOURCES a_test.cc)\nendforeach()\n",
             "tests/a_test.cc": "TEST(Suite, Holds) {}\nTEST_P(Many, Hold) {}\n// TEST(Suite, Gone) {}\n",
             "tests/s_test.py": "class Script:\n    def test_it(self):\n"}

    def said(self, files=(), rule="M1", before="x = 3;", after="", binary="unit_test", filter_="Suite.*"):
        mutation = (rule, "what", "a.cc", before, after, binary, filter_)
        words = f"import sys\nsys.path.insert(0, {str(RULES.parent / 'mutation')!r})\nimport lines\nfrom rules import Mutation\n" \
                f"print(*lines.faults([Mutation(*{mutation!r})]), sep='\\n')\n"
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**self.FILES, **dict(files)}.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, "-c", words], env=dict(os.environ, FENSI_ROOT=folder, PYTHONDONTWRITEBYTECODE="1"),
                                  capture_output=True, text=True, check=False)
        return done.stdout.strip() + done.stderr

    def test_a_sound_one(self):
        for filter_ in ("Suite.*", "*", "Suite.Holds:Many/*", "*Hold/value", "*/value", "All/Many.Hold/*", "*-Suite.*"):
            self.assertEqual(self.said(filter_=filter_), "", filter_)
        self.assertEqual(self.said(binary="tests/s_test.py", filter_="Script.test_it"), "")
        self.assertEqual(self.said(before="int x = 1;  // y = 2;"), "")

    def test_a_line_that_is_gone_or_no_code(self):
        self.assertIn("its line is no longer in a.cc", self.said(before="z = 3;"))
        self.assertIn("its line is only a comment of a.cc", self.said(before="y = 2;"))
        self.assertIn("it changes nothing", self.said(after="x = 3;"))

    def test_tests_that_are_not_there(self):
        for filter_ in ("Other.*", "Suite.Gone", "Suite.Holds:Gone.*", "Suite.Holds/value"):
            self.assertIn(f"unit_test has no test {filter_}", self.said(filter_=filter_))
        self.assertIn("no test program or script other_test", self.said(binary="other_test"))
        self.assertIn("no test program or script tests/t_test.py", self.said(binary="tests/t_test.py"))
        self.assertIn("tests/s_test.py has no test Script.test_that", self.said(binary="tests/s_test.py", filter_="Script.test_that"))

    def test_rules_without_a_mutation(self):
        self.assertIn("no mutation takes M1 out", self.said(rule="drop"))
        self.assertIn("M9: docs/maintenance.md has no such rule", self.said(rule="M9"))
        self.assertEqual(self.said(rule="M1.2"), "")


if __name__ == "__main__":
    unittest.main(verbosity=2)
