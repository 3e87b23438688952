#!/usr/bin/env python3
"""Takes each rule of maintenance, and of some commands, out of a copy of the code and shows that a test fails then. Slow: it builds once a rule.

    tests/mutation/run.py [RULE...]     M4 M8.1 drop …; none: all
    tests/mutation/run.py --lines       only looks whether each line that would be changed is still there, and the tests that must fail then
    tests/mutation/run.py --histories N [RULE...]
                                        prints after how many random histories of the model, at most N, each rule that is taken out is missed
"""
import concurrent.futures
import contextlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import lines
from rules import MODEL, MUTATIONS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# A test that needs more than so many times its usual time waits for what will never come.
TIMES, LEAST_S = 20, 60
MOST_WAITING = 8  # copies of programs, of up to 60 MB
IN_A_REALM = {"hbase_kerberos_test"}


def run(*words, **options):
    return subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def must(result):
    if result.returncode != 0:
        sys.exit("%s\nfailed: %s" % (result.stdout[-4000:], " ".join(result.args)))


class Copy:
    """A copy of the tree, which is changed and built."""

    def __init__(self):
        self.root = os.path.join(ROOT, "build", "mutation")
        self.build_folder = os.path.join(self.root, "build", "release")
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns("build", ".git"))
        # A changed file is compiled once and runs for a moment, so both together take less time with little optimisation.
        changed = ";".join(sorted({os.path.join(self.root, mutation.file) for mutation in MUTATIONS}))
        must(run("cmake", "-G", "Ninja", "-S", self.root, "-B", self.build_folder, "-DCMAKE_BUILD_TYPE=Release", "-DFENSI_QUICK=ON",
                 "-DFENSI_TESTS=ON", "-DFENSI_UNIT_TESTS_SANITIZED=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DFENSI_APART=" + changed))

    def program(self, name):
        return os.path.join(self.build_folder, "bin", name)

    def build(self, binaries):
        return run("cmake", "--build", self.build_folder, "-j", os.environ.get("FENSI_JOBS", str(os.cpu_count())), "--target",
                   *sorted({program_of(binary) for binary in binaries}))

    @contextlib.contextmanager
    def applied(self, mutation):
        """The copy has the change until the `with` block is left."""
        path = os.path.join(self.root, mutation.file)
        text = read(path)
        try:
            with open(path, "w", encoding="utf-8") as source:
                source.write(text.replace(mutation.before, mutation.after))
            yield
        finally:
            with open(path, "w", encoding="utf-8") as source:
                source.write(text)

    def failed_tests(self, mutation, program, limit_s=1800):
        """Names of the tests that fail with a program; a death of the whole program counts as one."""
        words = [program, "--gtest_filter=" + mutation.filter]
        if mutation.binary in IN_A_REALM:
            words = [sys.executable, os.path.join(self.root, "tests", "support", "kerberos_realm.py"), *words]
        if mutation.binary.endswith(".py"):
            words = [sys.executable, os.path.join(self.root, mutation.binary), *mutation.filter.split()]
        settings = dict(os.environ, FENSI_HISTORIES="1000", FENSI_MAPPINGS="60000", FENSI_ROOT=self.root, FENSI_BIN=program)
        try:
            result = run(*words, timeout=limit_s, env=settings)
        except subprocess.TimeoutExpired:
            return ["the test program, by its time"]
        if re.search(r"^\[==========\] 0 tests from", result.stdout, re.MULTILINE):
            return ["no test has this name"]
        found = sorted(set(re.findall(r"^(?:\[  FAILED  \] |(?:FAIL|ERROR): \w+ \(__main__\.)([\w./]+\.[\w./]+)", result.stdout, re.MULTILINE)))
        return found or (["the test program"] if result.returncode != 0 else [])

    def histories_until_found(self, most):
        """After how many random histories the model finds a difference; None: it finds none."""
        words = [self.program(MODEL), "--gtest_filter=Model.HoldsOnRandomHistories"]
        result = run(*words, env=dict(os.environ, FENSI_MODEL_HISTORIES=str(most), FENSI_ROOT=self.root))
        found = re.search(r"after (\d+) histories", result.stdout)
        if found is None and result.returncode < 0:
            sys.exit("%s\nthe model died: %s" % (result.stdout[-2000:], " ".join(words)))
        return found and int(found.group(1))


def read(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


def program_of(binary):
    return "fensi" if binary.endswith(".py") else binary


def print_histories(most, rules):
    """One line for each mutation of the code that the model runs."""
    copy = Copy()
    must(copy.build({MODEL}))
    if (found := copy.histories_until_found(most)) is not None:
        sys.exit("the model finds a difference after %d histories without any change" % found)
    print("no change: none in %d histories" % most, flush=True)
    for mutation in MUTATIONS:
        if mutation.file.startswith("indexer/") and (not rules or mutation.rule in rules):
            with copy.applied(mutation):
                built = copy.build({MODEL})
                found = copy.histories_until_found(most) if built.returncode == 0 else "it does not build"
            print("%-5s %s: %s" % (mutation.rule, mutation.what, "not in %d" % most if found is None else found), flush=True)


def copied(copy, mutation, programs, name):
    """The path of the built program in a folder of its own, because the next build writes it again."""
    folder = os.path.join(programs, name)
    os.makedirs(folder, exist_ok=True)
    return shutil.copy(copy.program(program_of(mutation.binary)), folder)


class Trial:
    """Runs the tests of mutations beside one another; many of them wait most of their time."""

    def __init__(self, copy, wanted, programs):
        self._copy = copy
        self._programs = programs
        self._unchanged = {mutation.binary: copied(copy, mutation, programs, "unchanged") for mutation in wanted}
        self._usual = {}
        self._tests = concurrent.futures.ThreadPoolExecutor(os.cpu_count() + 1)
        self._tried = []
        self.problems = []

    def start(self, mutation):
        """Builds it; its tests run while the next one is built."""
        name = "%s (%s): " % (mutation.rule, mutation.what)
        usual = self._start_usual(mutation)
        with self._copy.applied(mutation):
            built = self._copy.build({mutation.binary})
        if built.returncode != 0:
            self.problems.append(name + "it does not build:\n" + built.stdout[-2000:])
            return
        program = copied(self._copy, mutation, self._programs, str(len(self._tried)))
        self._tried.append((name, self._tests.submit(self._survived, mutation, program, usual)))
        while sum(not each.done() for _, each in self._tried) > MOST_WAITING:
            time.sleep(0.1)

    def end(self):
        """What is wrong."""
        self.problems += [name + problem for name, each in self._tried if (problem := each.result())]
        for (_, name), each in self._usual.items():
            if failed := each.result()[1]:
                self.problems.append("%s fails without any change: %s" % (name, failed))
        return self.problems

    def _start_usual(self, mutation):
        """The test without a change, once: (seconds, what failed)."""
        test = (mutation.binary, mutation.filter)
        if test not in self._usual:
            self._usual[test] = self._tests.submit(self._run_unchanged, mutation)
        return self._usual[test]

    def _run_unchanged(self, mutation):
        begun = time.monotonic()
        failed = self._copy.failed_tests(mutation, self._unchanged[mutation.binary])
        return time.monotonic() - begun, failed

    def _survived(self, mutation, program, usual):
        """Empty when a test failed as it must."""
        failed = self._copy.failed_tests(mutation, program, max(LEAST_S, TIMES * usual.result()[0]))
        os.unlink(program)
        print("%-5s %s: %d tests fail%s" % (mutation.rule, mutation.what, len(failed), ", ".join([""] + failed[:4])), flush=True)
        return "" if failed else "no test of %s %s fails" % (mutation.binary, mutation.filter)


def main():
    if found := lines.faults(MUTATIONS):
        sys.exit("\n".join(found))
    if sys.argv[1:] == ["--lines"]:
        return
    if sys.argv[1:2] == ["--histories"]:
        print_histories(int(sys.argv[2]), sys.argv[3:])
        return
    wanted = [mutation for mutation in MUTATIONS if not sys.argv[1:] or mutation.rule in sys.argv[1:]]
    copy = Copy()
    must(copy.build({mutation.binary for mutation in wanted}))
    with tempfile.TemporaryDirectory(dir=os.path.join(ROOT, "build")) as programs:
        trial = Trial(copy, wanted, programs)
        for mutation in wanted:
            trial.start(mutation)
        problems = trial.end()
    print("\n".join(problems) or "%d mutations, each found by a test" % len(wanted))
    sys.exit(1 if problems or not wanted else 0)


if __name__ == "__main__":
    main()
