"""What an earlier version has written and promised, tests/compat/VERSION: read, continued and exact."""
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import corpus
import history
import promised

MOST_BYTES = 300_000
MAPPINGS = ("s.yaml", "late.yaml", "k.yaml")
FOLLOW = "by_value", "late", "tags", "days", "plain", "plain_tags"  # indexes of the source that is in the store


class OfEachVersion(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="fensi-compat-"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.assertTrue(corpus.kept(), "no corpus at all")

    def each(self):
        for kept in corpus.kept():
            with self.subTest(kept.name):
                yield kept

    def mappings(self, kept):
        corpus.unpack(kept / "mappings.tar.gz", self.dir / kept.name)
        return self.dir / kept.name / "mappings"

    def test_no_file_has_changed_gone_or_come(self):
        """Only tests/compat/write makes a corpus, and none of a version that was released."""
        for kept in self.each():
            self.assertEqual(corpus.lines(kept / corpus.SUMS), corpus.sums(kept), f"{kept} is not as tests/compat/write left it")

    def test_a_change_of_any_file_is_noticed(self):
        for kept in self.each():
            for path in (path for path in kept.rglob("*") if path.is_file() and path.name != corpus.SUMS):
                changed = self.dir / "changed"
                shutil.copytree(kept, changed)
                with open(changed / path.relative_to(kept), "a", encoding="utf-8") as file:
                    file.write(" ")
                self.assertNotEqual(corpus.sums(changed), corpus.lines(kept / corpus.SUMS), path)
                (changed / path.relative_to(kept)).unlink()
                self.assertNotEqual(corpus.sums(changed), corpus.lines(kept / corpus.SUMS), path)
                shutil.rmtree(changed)

    def test_fingerprints_are_the_same(self):
        """Else every such index would stop at the upgrade."""
        for kept in self.each():
            before = {tuple(line.split()[:2]): line.split()[2] for line in corpus.lines(kept / "fingerprints.txt")}
            self.assertGreater(len(before), 50)
            shutil.copytree(kept / "indexes", self.dir / kept.name / "indexes")
            self.assertEqual(corpus.fingerprints(self.mappings(kept).parent), before)

    def test_functions_give_what_they_gave(self):
        for kept in self.each():
            self.assertIn("1 test passed", corpus.Program(self.mappings(kept)).call("test", "functions.yaml").out)

    def test_bytes_of_what_is_kept_are_the_same(self):
        """A format may go when a newer one, and the one after that, took its place."""
        golden = {path.name: path.read_bytes() for path in (corpus.ROOT / "tests/formats/golden").iterdir()}
        numbers = {}
        for name in golden:
            what, number, _ = name.split(".")
            numbers[what] = max(numbers.get(what, 0), int(number))
        for kept in self.each():
            before = {path.name: path.read_bytes() for path in (kept / "formats").iterdir()}
            self.assertGreater(len(before), corpus.LEAST_FORMATS)
            for name, content in before.items():
                what, number, _ = name.split(".")
                if numbers.get(what, 0) < int(number) + 2:
                    self.assertEqual(golden.get(name), content, f"{name}: another form is another format (docs/versions.md)")

    def test_files_of_flags_mean_what_they_meant(self):
        for kept in self.each():
            removed = promised.removed_since(corpus.read("CHANGELOG.md"), kept.name)
            files = sorted((kept / "flags").iterdir())
            self.assertGreater(len(files), corpus.LEAST_FILES_OF_FLAGS)
            self.assertGreater(sum(len(corpus.lines(path)) for path in files), corpus.LEAST_SET_FLAGS)
            for path in files:
                lines = [line.strip() for line in corpus.lines(path)]
                lines = [line for line in lines if not promised.is_named(line.partition("=")[0], removed)]
                (self.dir / "flags").write_text("\n".join(lines), encoding="utf-8")
                shown = corpus.Program(self.dir).call(path.stem, "--flagfile=flags", "--print_flags").out.splitlines()
                self.assertEqual([line for line in lines if line not in shown], [], path)

    def test_is_no_larger_than_it_has_to_be(self):
        for kept in self.each():
            self.assertLess(sum(path.stat().st_size for path in kept.rglob("*") if path.is_file()), MOST_BYTES)


class Store(unittest.TestCase):
    """An embedded store that processes of that version left when they were killed."""

    def each(self, corpora=()):
        for kept in corpora or corpus.kept():
            with self.subTest(kept.name), tempfile.TemporaryDirectory(prefix="fensi-compat-") as folder:
                corpus.unpack(kept / "store.tar.gz", folder)
                for path in (kept / "indexes").iterdir():
                    shutil.copy(path, folder)
                yield kept, corpus.Program(folder)

    def events(self, kept, *names):
        return [line for name in names for line in corpus.lines(kept / (name + ".jsonl"))]

    def test_has_every_kind_of_what_is_kept(self):
        kinds = set()
        for _, program in self.each():
            for table in program.tables():
                if table.endswith("_state") or table == "fensi_meta":
                    kinds |= {re.match(r"[smi]|d:[di]", column)[0] + ("" if row != "fensi" else " of the index")
                              for row, column in program.cells(table)}
        self.assertEqual(kinds, {"s", "m", "d:d", "d:i", "i", "i of the index"})

    def test_of_this_version_can_be_written(self):
        with tempfile.TemporaryDirectory(prefix="fensi-compat-") as folder:
            made = pathlib.Path(folder) / "made"
            subprocess.run([corpus.ROOT / "tests/compat/write", made], check=True, timeout=250)
            newest = {path.relative_to(corpus.kept()[-1]) for path in corpus.kept()[-1].rglob("*")}
            self.assertLessEqual({"store.tar.gz", "fingerprints.txt", "messages.txt"}, {path.name for path in newest})
            self.assertEqual(corpus.lines(made / corpus.SUMS), corpus.sums(made))
            self.goes_on_exact([made])

    def test_goes_on_exact(self):
        self.goes_on_exact(corpus.kept())

    def goes_on_exact(self, corpora):
        for kept, program in self.each(corpora):
            self.go_on(kept, program)
            self.check(program, history.entries(self.events(kept, "before", "told", "untold")))

    def go_on(self, kept, program):
        """The killed backfill to its end, what was refused once more, the killed run and what came behind it."""
        self.assertIn("is open", program.call("backfill", "late.yaml", "late", corpus.STORE).out)
        program.make_source(self.events(kept, "untold"))
        program.call("backfill", "late.yaml", "late", corpus.STORE, "--resume", "--rows_per_second=0")
        program.call("backfill", "late.yaml", "late", corpus.STORE, "--execute")
        letters = [json.loads(line) for line in self.events(kept, "letters")]
        self.assertTrue(letters)
        program.run([letter["original"] + "\n" for letter in letters], "s.yaml", "--index=days")
        program.run(self.events(kept, "untold"), *MAPPINGS)

    def check(self, program, wanted):
        held = {table: program.cells(table) for table in program.tables() if table in wanted or re.fullmatch(r"days_\d+", table)}
        self.assertGreater(sum(map(len, wanted.values())), 200)
        for table in sorted(wanted.keys() | held.keys()):
            self.assertEqual(held.get(table, {}), wanted.get(table, {}), table)
        for index in FOLLOW:
            mapping = "late.yaml" if index == "late" else "s.yaml"
            said = program.call("verify", mapping, index, corpus.STORE, "--recheck_s=0", codes=(0, 1, 2))
            self.assertEqual(said.code, 0, said.out + said.err)


if __name__ == "__main__":
    unittest.main(verbosity=2)
