#!/usr/bin/env python3
"""Takes each rule of maintenance, and of some commands, out of a copy of the code and shows that a test fails then. Slow: it builds once a rule.

    tests/mutation/run.py [RULE...]     M4 M8.1 drop …; none: all
    tests/mutation/run.py --lines       only looks whether each line that would be changed is still there, and the tests that must fail then
    tests/mutation/run.py --histories N [RULE...]
                                        prints after how many random histories of the model, at most N, each rule that is taken out is missed
"""
import contextlib
import os
import re
import shutil
import subprocess
import sys

import lines
from rules import MODEL, MUTATIONS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
COPY = os.path.join(ROOT, "build", "mutation")
LONGEST_S = 1800
IN_A_REALM = {"hbase_kerberos_test"}
# As deep below the tree as build/release is, so that the compiler cache knows the unchanged files.
BUILD = os.path.join(COPY, "build", "release")


def run(*words, **options):
    return subprocess.run(words, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def must(result):
    if result.returncode != 0:
        sys.exit("%s\nfailed: %s" % (result.stdout[-4000:], " ".join(result.args)))


def copy_tree():
    shutil.rmtree(COPY, ignore_errors=True)
    shutil.copytree(ROOT, COPY, ignore=shutil.ignore_patterns("build", ".git"))
    must(run("cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release", "-DFENSI_TESTS=ON"))


def build(binaries):
    return build_targets({"fensi" if binary.endswith(".py") else binary for binary in binaries})


def build_targets(targets):
    return run("cmake", "--build", BUILD, "-j", os.environ.get("FENSI_JOBS", str(os.cpu_count())), "--target", *sorted(targets))


def failed_tests(mutation):
    """Names of the tests that fail; a death of the whole binary counts as one."""
    bins = os.path.join(BUILD, "bin")
    words = [os.path.join(bins, mutation.binary), "--gtest_filter=" + mutation.filter]
    if mutation.binary in IN_A_REALM:
        words = [sys.executable, os.path.join(COPY, "tests", "support", "kerberos_realm.py"), *words]
    if mutation.binary.endswith(".py"):
        words = [sys.executable, os.path.join(COPY, mutation.binary), *mutation.filter.split()]
    try:
        result = run(*words, timeout=LONGEST_S, env=dict(os.environ, FENSI_HISTORIES="1000", FENSI_MAPPINGS="60000", FENSI_ROOT=COPY,
                                                         FENSI_BIN=os.path.join(bins, "fensi")))
    except subprocess.TimeoutExpired:  # without the rule it waits for ever
        return ["the test program, by its time"]
    found = sorted(set(re.findall(r"^(?:\[  FAILED  \] |(?:FAIL|ERROR): \w+ \(__main__\.)([\w./]+\.[\w./]+)", result.stdout, re.MULTILINE)))
    return found or (["the test program"] if result.returncode != 0 else [])


def histories_until_found(most):
    """After how many random histories the model finds a difference; None: it finds none."""
    words = [os.path.join(BUILD, "bin", MODEL), "--gtest_filter=Model.HoldsOnRandomHistories"]
    result = run(*words, env=dict(os.environ, FENSI_MODEL_HISTORIES=str(most), FENSI_ROOT=COPY))
    found = re.search(r"after (\d+) histories", result.stdout)
    if found is None and result.returncode < 0:
        sys.exit("%s\nthe model died: %s" % (result.stdout[-2000:], " ".join(words)))
    return found and int(found.group(1))


def print_histories(most, rules):
    """One line for each mutation of the code that the model runs."""
    copy_tree()
    must(build({MODEL}))
    if (found := histories_until_found(most)) is not None:
        sys.exit("the model finds a difference after %d histories without any change" % found)
    print("no change: none in %d histories" % most, flush=True)
    for mutation in MUTATIONS:
        if mutation.file.startswith("indexer/") and (not rules or mutation.rule in rules):
            with applied(mutation):
                built = build({MODEL})
                found = histories_until_found(most) if built.returncode == 0 else "it does not build"
            print("%-5s %s: %s" % (mutation.rule, mutation.what, "not in %d" % most if found is None else found), flush=True)


def read(path):
    with open(path, encoding="utf-8") as source:
        return source.read()


@contextlib.contextmanager
def applied(mutation):
    """The copy has the change until the `with` block is left."""
    path = os.path.join(COPY, mutation.file)
    text = read(path)
    try:
        with open(path, "w", encoding="utf-8") as source:
            source.write(text.replace(mutation.before, mutation.after))
        yield
    finally:
        with open(path, "w", encoding="utf-8") as source:
            source.write(text)


def try_mutation(mutation):
    """Empty when a test failed as it must, else what is wrong."""
    with applied(mutation):
        built = build({mutation.binary})
        if built.returncode != 0:
            return "it does not build:\n" + built.stdout[-2000:]
        failed = failed_tests(mutation)
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
    copy_tree()
    must(build({mutation.binary for mutation in wanted}))
    problems = ["%s fails without any change: %s" % (mutation.filter, failed) for mutation in wanted
                if (failed := failed_tests(mutation))]
    for mutation in wanted:
        if problem := try_mutation(mutation):
            problems.append("%s (%s): %s" % (mutation.rule, mutation.what, problem))
    print("\n".join(problems) or "%d mutations, each found by a test" % len(wanted))
    sys.exit(1 if problems or not wanted else 0)


if __name__ == "__main__":
    main()
