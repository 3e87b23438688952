"""What `fensi run` and `fensi capture` say goes through Log (daemon/log/log.h): only there it has a name, a window and no row keys.

Of an error Log takes its words(), not its message(), which has forgotten what it quotes; nor do Words take that."""

import re
import sys

import sources
import tree

# Who writes to stderr: commands that speak to who typed them, and the log itself.
WRITERS = {"cli/program/output.cc", "cli/program/terminal_console.cc"}
STDERR = re.compile(r"\b(?:stderr|std::cerr|std::clog|perror|syslog)\b")
BY_GLOG = "daemon/log/log.cc"
LIBRARY_LOG = re.compile(r"#include <glog/|\b(?:LOG|PLOG|VLOG|LOG_IF|ABSL_LOG)\(")

# What the two commands are made of, and others are not.
DAEMONS = re.compile(r"daemon/|cli/commands/(?:run|capture)\.cc$")
# A command that has done nothing yet says so; a daemon hands in what it logs.
SAYERS = {"operations/jobs/unless_stopped.h", "daemon/log/log.cc"}
SAY = re.compile(r"\bSay\(")

TOLD = re.compile(r"\b(?:Log|Words)\(")


def arguments(code, begin):
    """From behind the opening bracket to the one that closes it."""
    depth, at = 1, begin
    while at < len(code) and depth:
        depth += {"(": 1, ")": -1}.get(code[at], 0)
        at += 1
    return code[begin:at]


def faults_of(path):
    code = sources.code_of(path)
    where = lambda match: f"{path}:{code.count(chr(10), 0, match.start()) + 1}"
    text = (tree.ROOT / path).read_text(encoding="utf-8")
    if str(path) != BY_GLOG and (LIBRARY_LOG.search(code) or "#include <glog/" in text):
        yield f"{path}: lines are written by Log of daemon/log/log.h alone"
    if str(path) not in WRITERS:
        yield from (f"{where(match)}: only {', '.join(sorted(WRITERS))} write to stderr" for match in STDERR.finditer(code))
    if DAEMONS.match(str(path)) and str(path) not in SAYERS:
        yield from (f"{where(match)}: a daemon says it by Log" for match in SAY.finditer(code))
    for match in TOLD.finditer(code):
        if ".message()" in arguments(code, match.end()):
            yield f"{where(match)}: words() of an error, which know what they quote, and not its message()"


def main():
    paths = sources.of_modules()
    faults = [fault for path in paths for fault in faults_of(path)]
    for fault in faults:
        print(fault)
    print(f"{len(paths)} files, {len(faults)} faults")
    sys.exit(1 if faults or not paths else 0)


main()
