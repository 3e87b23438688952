#!/usr/bin/env python3
"""Runs every command line of README.md and docs/tutorial.md and compares the output with the pages: `sh` blocks without servers. On
the running stack also the blocks `sh servers` of docs/events.md and `sh capture` of the tutorial, with what the tutorial enters in the
HBase shell, and the blocks of docs/redefinition.md and docs/read-your-writes.md.

    readme_test.py local | servers
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from lib import shown, stack

ROOT = os.environ["FENSI_ROOT"]
FENSI = os.environ["FENSI_BIN"]
# How the pages call the servers.
BROKER, ZOOKEEPER = "127.0.0.1:9092", "127.0.0.1:2181"
TUTORIAL, EVENTS = "docs/tutorial.md", "docs/events.md"


def page(name="README.md"):
    with open(os.path.join(ROOT, name), encoding="utf-8") as source:
        return source.read()


def own(text, scratch):
    """The pages write below /tmp; here that is a folder of this test's own."""
    return text.replace("/tmp/fensi-", scratch + "/fensi-")


def on_stack(text):
    """With the servers of this stack in the place of those of the page."""
    for there, variable in ((BROKER, "FENSI_TEST_KAFKA"), (ZOOKEEPER, "FENSI_TEST_ZOOKEEPER")):
        text = text.replace(there, "<%s>" % variable)
    return re.sub(r"<(FENSI_TEST_\w+)>", lambda name: os.environ[name[1]], text)


def run(script):
    """What it prints, and what it says, as both come on a terminal."""
    environment = dict(os.environ, PATH=os.path.dirname(FENSI) + ":" + os.environ["PATH"])
    with tempfile.TemporaryFile("w+", encoding="utf-8") as out:  # of a pipe nobody would see the end while a daemon runs
        code = subprocess.run(["timeout", "250", "stdbuf", "-oL", "bash", "-euo", "pipefail", "-c", script], cwd=ROOT,
                              env=environment, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT, check=False).returncode
        out.seek(0)
        printed = out.read()
    print(printed)
    if code != 0:
        sys.exit("a command of the pages failed with exit code %d" % code)
    return printed


def compare(pairs, output, names):
    found = shown.differences(pairs, output, names)
    if found:
        sys.exit("a page shows what is not so:\n" + "\n\n".join(found))


# A backfill is refused until the daemon has begun and its index has a mark.
PROOF = """
for try in $(seq 120); do
  if %(backfill)s; then break; else [ $? = 78 ]; fi
  sleep 0.5
done
%(verify)s
%(lookup)s
echo 'put a f:to b' | deploy/devstack client follows
for try in $(seq 240); do
  if %(lookup)s | grep f:a; then break; fi
  sleep 0.5
done
%(verify)s
%(curl)s
%(more)s
kill $(jobs -p)
wait
trap - EXIT
"""


def questions(log):
    """The lines for curl, with the daemon's own place in them: the ports of the page may be somebody else's."""
    lines = re.findall(r"^    (curl .*)$", page(TUTORIAL), re.M)
    assert lines, "the tutorial asks no daemon any more; this test must follow it"
    place = "$(grep -o 'http://[^/]*/metrics' %s | tail -n 1 | cut -d / -f 3)" % log
    return "\n".join(re.sub(r"127\.0\.0\.1:\d+", place, line).replace("curl ", "curl -sSf ") for line in lines)


# The index of docs/redefinition.md, and its successor.
FANS = """source: follows
indexes:
  fans: { table: fans, row: '{f:to}', columns: { 'f:{row}': 'first' } }
  fans-2: { table: fans_2, row: '{f:to}', columns: { 'f:{row}': 'second' } }
"""
ANEW = """
cd %(scratch)s
%(begin)s
for try in $(seq 120); do
  if %(backfill)s; then break; else [ $? = 78 ]; fi
  sleep 0.5
done
%(rest)s
fensi switch fans.yaml fans --remove --store hbase://127.0.0.1:2181/hbase --execute
"""


def other_pages(scratch, log):
    """What docs/read-your-writes.md and docs/redefinition.md show, run beside the capture and the daemon of the tutorial."""
    with open(os.path.join(scratch, "fans.yaml"), "w", encoding="utf-8") as out:
        out.write(FANS)
    shutil.copy(os.path.join(scratch, "fensi-followers.yaml"), os.path.join(scratch, "followers.yaml"))
    begin, filled, *rest = [block for block, _ in shown.blocks(page("docs/redefinition.md"), "sh")]
    assert len(rest) == 2, "docs/redefinition.md has other steps now; this test must follow it"
    ((waits, _),) = shown.blocks(page("docs/read-your-writes.md"), "sh")
    backfill, verify = filled.strip().split("\n")
    script = ANEW % {"scratch": scratch, "begin": begin.replace(" &", " 2>>%s &" % log), "backfill": backfill,
                     "rest": "\n".join([verify, *rest, waits])}
    return on_stack(script)


# What the tutorial enters in the HBase shell, and what does it here.
IN_SHELL = (
    (r"create '(\w+)', \{NAME => '(\w+)', REPLICATION_SCOPE => '1'\}",
     lambda table, family: stack.admin("create", table, family + ",REPLICATION_SCOPE=1")),
    (r"put '(\w+)', '(\w+)', '([\w:]+)', '(\w+)'",
     lambda table, row, column, value: run("echo 'put %s %s %s' | deploy/devstack client %s" % (row, column, value, table))),
    (r"""add_peer '\w+', CLUSTER_KEY => "<(\w+)>:/fensi", TABLE_CFS => \{"(\w+)" => \[\]\}, CONFIG => \{"([\w.]+)" => "(\d+)"\}""",
     lambda zookeeper, table, key, value: add_peer(os.environ[zookeeper] + ":/fensi", "%s=%s" % (key, value), table)),
)


def add_peer(cluster, setting, table):
    # A new peer gets all of a server's newest log: what an earlier run put into its table of this name would come, too.
    stack.admin("roll_logs")
    stack.admin("add_peer", "readme", cluster, setting, table)


def enter(line):
    """A line for the HBase shell."""
    line = line.replace(ZOOKEEPER, "<FENSI_TEST_ZOOKEEPER>")
    found = [(act, match.groups()) for match, act in ((re.fullmatch(pattern, line), act) for pattern, act in IN_SHELL) if match]
    assert len(found) == 1, "this test does not know the line of the HBase shell: " + line
    act, words = found[0]
    act(*words)


def text_of(path):
    with open(path, encoding="utf-8") as text:
        return text.read()


# What a daemon takes as it finds it: the first free ports, the version of Kafka's client.
FOUND = ((r"http://127\.0\.0\.1:\d+/metrics", "http://127.0.0.1:PORT/metrics"), (r" at \S+, ready$", " at ADDRESS, ready"),
         (r"librdkafka [\d.]+", "librdkafka"))


def as_anywhere(text):
    for pattern, stands_for in FOUND:
        text = re.sub(pattern, stands_for, text, flags=re.M)
    return text


def captured(names, scratch):
    """The tutorial from the empty table to the verified index, and another put."""
    stack.drop_tables("followers", "followers_state", "follows", "fans", "fans_state", "fans_2", "fans_2_state")
    stack.admin("forget", "follows", "fensi-followers")
    stack.admin("forget", "fans-2.requests", "fensi-fans-2")
    stack.admin("forget", "followers.requests", "no-such-group")
    lines = [line for block, _ in shown.blocks(page(TUTORIAL), "hbase") for line in block.splitlines()]
    assert [line.split()[0] for line in lines] == ["create", "put", "add_peer"], "the tutorial has other steps now; this test must follow it"
    log = os.path.join(scratch, "daemons.log")
    try:
        for line in lines:
            enter(line)
        pairs = shown.blocks(page(TUTORIAL), "sh capture")
        printed = "".join(text or "" for _, text in pairs)
        *commands, backfill, verify, lookup = own(on_stack("".join(block for block, _ in pairs)), scratch).strip().split("\n")
        assert " backfill " in backfill and " verify " in verify and " lookup " in lookup, "the tutorial ends with other steps now"
        started = "".join(re.sub(r" &$", " 2>>%s &" % log, line) + "\n" for line in commands)
        proof = PROOF % {"backfill": backfill, "verify": verify, "lookup": lookup, "curl": questions(log),
                         "more": other_pages(scratch, log)}
        out = run("trap 'kill $(jobs -p) || true' EXIT\n" + started + proof)
        there = set(as_anywhere(shown.settled(out + text_of(log), names)).splitlines())
        missing = [line for line in as_anywhere(shown.settled(printed, names)).splitlines() if line != shown.ANYTHING and line not in there]
        assert not missing, "the tutorial shows what was not printed: %s" % missing
        assert "f:a" in out, "what was put into HBase is not in the index"
        assert "0 differences among 2 source rows" in out, "the index is not what its source says"
        assert "fensi_build_info" in out, "the daemon shows no metrics"
        assert "b\tf:a\t" in out and "\tsecond\n" in out, "the successor is not read by the alias"
        assert "index fans is gone" in out, "the former index is still there"
    finally:
        stack.admin("remove_peer", "readme")


def on_servers(scratch):
    # The names are not new in each run, so what an earlier run left on these servers goes first.
    stack.drop_tables("followers", "followers_state")
    stack.admin("forget", "follows", "fensi-followers")
    names = {os.environ["FENSI_TEST_KAFKA"]: BROKER,
             os.environ["FENSI_TEST_ZOOKEEPER"]: ZOOKEEPER, scratch + "/": "/tmp/"}
    pairs = shown.blocks(page(EVENTS), "sh servers")
    assert pairs, "docs/events.md has no command lines for servers any more; this test must follow it"
    compare(pairs, run(own(on_stack(shown.marked(pairs)), scratch)), names)
    captured(names, scratch)


def main():
    scratch = tempfile.mkdtemp(prefix="fensi-readme-")
    try:
        pairs = shown.blocks(page(), "sh")
        assert pairs and all(printed for _, printed in pairs), "README.md has lines of which it shows nothing"
        pairs += shown.blocks(page(TUTORIAL), "sh")
        compare(pairs, run(own(shown.marked(pairs), scratch)), {scratch + "/": "/tmp/"})
        if sys.argv[1] == "servers":
            on_servers(scratch)
        else:
            subprocess.run(["deploy/draw_picture.py", FENSI, "--check"], cwd=ROOT, check=True)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
