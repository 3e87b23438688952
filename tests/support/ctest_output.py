"""What ctest wrote: which tests failed, what each of them wrote, and the lines that say why."""
import re

REPORTED = re.compile(r"(Address|Leak|Thread|UndefinedBehavior)Sanitizer|runtime error: |libFuzzer: ")
LIST = "The following tests FAILED:"
FAILED = re.compile(r"^\s*\d+ - (\S+) \((.*)\)", re.M)
OUTPUT_OF = r"^\s*\d+/\d+ Test +#\d+: %s \.+[^\n]*\n(.*?)(?=^\s*\d+/\d+ Test +#\d+: |^\d+%% tests passed|\Z)"
# ctest writes it when it starts a test, in the midst of what others wrote.
STARTED = re.compile(r"^ +Start +\d+: \S+\n", re.M)
GTEST_FAILURE = re.compile(r"^\S+:\d+: Failure$")
GTEST_CASE = re.compile(r"^\[ RUN +\] ")
# The head of a test in the output of tests/failures, which tests/sanitize prints.
HEAD = "==== %s (%s)"
IS_HEAD = re.compile(r"^==== \S+ \(.*\)$")
LINES_OF_A_FAILURE = 6
LINES_OF_A_REPORT = 40
LAST_LINES = 20
MOST_LINES = 120


def failed(output):
    """test -> how it failed, from ctest's closing list. An earlier list is that of a ctest that was a test."""
    _, _, closing = output.rpartition(LIST)
    return dict(FAILED.findall(closing)) if LIST in output else {}


def output_of(test, output):
    found = re.search(OUTPUT_OF % re.escape(test), output, re.M | re.S)
    return STARTED.sub("", found.group(1)) if found else ""


def failure_lines(lines):
    """Numbers of the lines of each failed assertion, with its case."""
    case = []
    for number, line in enumerate(lines):
        if GTEST_CASE.match(line):
            case = [number]
        if GTEST_FAILURE.match(line):
            yield from (*case, *range(number, number + 1 + LINES_OF_A_FAILURE))


def report_lines(lines):
    """Numbers of the lines of a sanitizer's first report."""
    for number, line in enumerate(lines):
        if REPORTED.search(line):
            return range(number, number + LINES_OF_A_REPORT)
    return ()


def summary_lines(lines):
    """Numbers of the lines from the first head on: they say why already."""
    first = next((number for number, line in enumerate(lines) if IS_HEAD.match(line)), len(lines))
    return range(first, len(lines))


def why(output):
    """The lines that say why a test failed: failed assertions and the first report of a sanitizer, or else the last lines."""
    lines = output.strip().splitlines()
    last = range(max(0, len(lines) - LAST_LINES), len(lines))
    wanted = summary_lines(lines) or {*failure_lines(lines), *report_lines(lines)} or last
    chosen = [lines[number] for number in sorted(wanted) if number < len(lines)]
    left_out = len(chosen) - MOST_LINES
    return chosen[:MOST_LINES] + (["(%d more such lines)" % left_out] if left_out > 0 else [])
