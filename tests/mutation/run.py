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
import queue
import re
import shutil
import subprocess
import sys
import time

import lines
from rules import MODEL, MUTATIONS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
# A test that needs more than so many times its usual time waits for what will never come.
TIMES, LEAST_S = 20, 60
IN_A_REALM = {"hbase_kerberos_test"}


def run(*words, **options):
    return subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def must(result):
    if result.returncode != 0:
        sys.exit("%s\nfailed: %s" % (result.stdout[-4000:], " ".join(result.args)))


class Copy:
    """A copy of the tree, which one thread changes, builds and tests."""

    def __init__(self, number):
        self.root = os.path.join(ROOT, "build", "mutation%d" % number)
        # As deep below the tree as build/release is, so that the compiler cache knows files that another copy has compiled.
        self.build_folder = os.path.join(self.root, "build", "release")
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(ROOT, self.root, ignore=shutil.ignore_patterns("build", ".git"))
        # A changed file is compiled once and runs for a moment, so both together take less time with little optimisation.
        changed = ";".join(sorted({os.path.join(self.root, mutation.file) for mutation in MUTATIONS}))
        must(run("cmake", "-G", "Ninja", "-S", self.root, "-B", self.build_folder, "-DCMAKE_BUILD_TYPE=Release", "-DFENSI_QUICK=ON",
                 "-DFENSI_TESTS=ON", "-DFENSI_UNIT_TESTS_SANITIZED=OFF", "-DCMAKE_UNITY_BUILD=ON", "-DFENSI_APART=" + changed))

    def program(self, name):
        return os.path.join(self.build_folder, "bin", name)

    def build(self, binaries, jobs=1):
        targets = {"fensi" if binary.endswith(".py") else binary for binary in binaries}
        return run("cmake", "--build", self.build_folder, "-j", str(jobs), "--target", *sorted(targets))

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

    def failed_tests(self, mutation, limit_s=1800):
        """Names of the tests that fail; a death of the whole binary counts as one."""
        words = [self.program(mutation.binary), "--gtest_filter=" + mutation.filter]
        if mutation.binary in IN_A_REALM:
            words = [sys.executable, os.path.join(self.root, "tests", "support", "kerberos_realm.py"), *words]
        if mutation.binary.endswith(".py"):
            words = [sys.executable, os.path.join(self.root, mutation.binary), *mutation.filter.split()]
        settings = dict(os.environ, FENSI_HISTORIES="1000", FENSI_MAPPINGS="60000", FENSI_ROOT=self.root, FENSI_BIN=self.program("fensi"))
        try:
            result = run(*words, timeout=limit_s, env=settings)
        except subprocess.TimeoutExpired:
            return ["the test program, by its time"]
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


def print_histories(most, rules):
    """One line for each mutation of the code that the model runs."""
    copy = Copy(0)
    must(copy.build({MODEL}, jobs=os.cpu_count()))
    if (found := copy.histories_until_found(most)) is not None:
        sys.exit("the model finds a difference after %d histories without any change" % found)
    print("no change: none in %d histories" % most, flush=True)
    for mutation in MUTATIONS:
        if mutation.file.startswith("indexer/") and (not rules or mutation.rule in rules):
            with copy.applied(mutation):
                built = copy.build({MODEL}, jobs=os.cpu_count())
                found = copy.histories_until_found(most) if built.returncode == 0 else "it does not build"
            print("%-5s %s: %s" % (mutation.rule, mutation.what, "not in %d" % most if found is None else found), flush=True)


def try_mutation(copy, mutation, usual_s):
    """Empty when a test failed as it must, else what is wrong."""
    with copy.applied(mutation):
        built = copy.build({mutation.binary})
        if built.returncode != 0:
            return "it does not build:\n" + built.stdout[-2000:]
        failed = copy.failed_tests(mutation, max(LEAST_S, TIMES * usual_s))
    print("%-5s %s: %d tests fail%s" % (mutation.rule, mutation.what, len(failed), ", ".join([""] + failed[:4])), flush=True)
    return "" if failed else "no test of %s %s fails" % (mutation.binary, mutation.filter)


def try_on_free(copies, mutation, usual_s):
    """In a copy that nobody uses."""
    copy = copies.get()
    try:
        problem = try_mutation(copy, mutation, usual_s)
    finally:
        copies.put(copy)
    return problem and "%s (%s): %s" % (mutation.rule, mutation.what, problem)


def usual_times(copy, wanted):
    """({(binary, filter): seconds without a change}, what fails without one)"""
    usual, problems = {}, []
    for mutation in wanted:
        if (test := (mutation.binary, mutation.filter)) not in usual:
            begun = time.monotonic()
            if failed := copy.failed_tests(mutation):
                problems.append("%s fails without any change: %s" % (mutation.filter, failed))
            usual[test] = time.monotonic() - begun
    return usual, problems


def main():
    if found := lines.faults(MUTATIONS):
        sys.exit("\n".join(found))
    if sys.argv[1:] == ["--lines"]:
        return
    if sys.argv[1:2] == ["--histories"]:
        print_histories(int(sys.argv[2]), sys.argv[3:])
        return
    wanted = [mutation for mutation in MUTATIONS if not sys.argv[1:] or mutation.rule in sys.argv[1:]]
    copies = queue.SimpleQueue()
    for number in range(os.cpu_count()):
        copy = Copy(number)
        must(copy.build({mutation.binary for mutation in wanted}, jobs=os.cpu_count()))
        copies.put(copy)
    usual, problems = usual_times(copy, wanted)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        tried = [threads.submit(try_on_free, copies, mutation, usual[mutation.binary, mutation.filter]) for mutation in wanted]
        problems += [problem for each in tried if (problem := each.result())]
    print("\n".join(problems) or "%d mutations, each found by a test" % len(wanted))
    sys.exit(1 if problems or not wanted else 0)


if __name__ == "__main__":
    main()
