"""What can be said of a mutation without building: its line is there and is code, what it becomes is something else, and
its filter names a test. And every rule of docs/maintenance.md has one."""
import fnmatch
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(__file__))), "rules"))
import tree  # noqa: E402

TARGET = re.compile(r"(?:\w*test|add_executable)\((\w+)([^)]*)\)")
TEST = re.compile(r"\b(?:TYPED_)?(TEST\w*|RC_GTEST\w*)\(\s*(\w+),\s*(\w+)")
RULE = re.compile(r"^\| (M\d+)\b", re.MULTILINE)


def read(path):
    file = tree.ROOT / path
    return file.read_text(encoding="utf-8") if file.is_file() else ""


def is_code(text, before):
    """Does it stand somewhere that is not all comment?"""
    without = re.sub(r"//[^\n]*|/\*(?:.|\n)*?\*/", lambda comment: "\0" * len(comment.group(0)), text)
    starts = [match.start() for match in re.finditer(re.escape(before), text)]
    return any(without[start:start + len(before)].strip("\0 \n") for start in starts)


def targets():
    """{test program: its source files}, as the CMake files say."""
    found = {}
    for path in tree.files("tests", ("CMakeLists.txt",)):
        for name, words in TARGET.findall(tree.expanded(read(path))):
            found.setdefault(name, []).extend(path.parent / word for word in re.findall(r"[\w./]+\.cc\b", words))
    return found


def named_by(pattern, macro, name):
    """Does a pattern of GoogleTest's filter name the test? Those with parameters have a word before and one behind."""
    patterns = [pattern]
    if macro == "TEST_P":
        behind = pattern.partition("/")[2]
        patterns += [part for part in (pattern.rpartition("/")[0], behind, behind.rpartition("/")[0]) if part]
    return any(fnmatch.fnmatchcase(name, each) for each in patterns)


def tests_named(mutation, sources_of):
    """Are there such tests in the script, or in the sources of the program?"""
    if mutation.binary.endswith(".py"):
        text = read(mutation.binary)
        return all(re.search(rf"\b(?:class|def) {re.escape(part)}\b", text)
                   for word in mutation.filter.split() if not word.startswith("-") for part in word.split("."))
    tests = [(macro, f"{suite}.{name}") for path in sources_of[mutation.binary]
             for macro, suite, name in TEST.findall(re.sub(r"//.*", "", read(path)))]
    wanted = [pattern for pattern in mutation.filter.partition("-")[0].split(":") if pattern]
    return all(any(named_by(pattern, *test) for test in tests) for pattern in wanted)


def faults_of(mutation, sources_of):
    text = read(mutation.file)
    if mutation.before not in text or not mutation.before:
        yield f"its line is no longer in {mutation.file}"
    elif not is_code(text, mutation.before):
        yield f"its line is only a comment of {mutation.file}"
    if mutation.before == mutation.after:
        yield "it changes nothing"
    if mutation.binary not in sources_of and not (mutation.binary.endswith(".py") and read(mutation.binary)):
        yield f"there is no test program or script {mutation.binary}"
    elif not tests_named(mutation, sources_of):
        yield f"{mutation.binary} has no test {mutation.filter}"


def faults(mutations):
    sources_of = targets()
    found = [f"{mutation.rule} ({mutation.what}): {fault}" for mutation in mutations for fault in faults_of(mutation, sources_of)]
    rules = set(RULE.findall(read("docs/maintenance.md")))
    tried = {mutation.rule.split(".")[0] for mutation in mutations}
    found += [f"docs/maintenance.md: no mutation takes {rule} out" for rule in sorted(rules - tried)]
    return found + [f"{rule}: docs/maintenance.md has no such rule" for rule in sorted(tried - rules) if re.match(r"M\d", rule)]
