#!/usr/bin/env python3
"""Two daemons of one group under load, exchanged one after the other: from an older version to this one, and back.

The older one is FENSI_TEST_OLDER, a program, or a commit or tag of which it is built: without it the tag of the newest corpus, or the
commit that wrote it.
FENSI_TEST_ROUNDS there and back (1), FENSI_TEST_EVENTS events or more (30,000)."""
import contextlib
import os
import subprocess
import sys
import tempfile
import unittest

import corpus

sys.path.append(str(corpus.ROOT / "tests/e2e"))
from lib import reading  # noqa: E402
from lib.mixed import MixedLoad  # noqa: E402
from lib.program import FENSI  # noqa: E402
from lib.proxy import Proxy  # noqa: E402
from lib.wait import until  # noqa: E402

ROUNDS = int(os.environ.get("FENSI_TEST_ROUNDS", "1"))
EVENTS = int(os.environ.get("FENSI_TEST_EVENTS", "30000"))
PER_SECOND = 1000
AT_LEAST = 2000  # events that each pair of daemons applies
SESSION = ("--kafka_session_timeout_ms", "6000")


def git(*words):
    return subprocess.run(["git", "-C", str(corpus.ROOT), *words], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


def older_program():
    asked = os.environ.get("FENSI_TEST_OLDER")
    return os.path.abspath(asked) if asked and os.path.isfile(asked) else built(older_commit(asked))


def older_commit(asked):
    newest = corpus.kept()[-1]
    tags = git("tag", "--list", "v" + newest.name)
    # The store tells when it was written: other files of it were packed since.
    named = asked or tags or git("log", "-1", "--format=%H", "--", str(newest / "store.tar.gz"))
    return git("rev-parse", "--verify", named + "^{commit}")


def built(commit):
    """The program of that commit, built beside this one."""
    folder = corpus.ROOT / "build/compat" / commit[:12]
    folder.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(["git", "-C", str(corpus.ROOT), "archive", commit], stdout=subprocess.PIPE) as archive:
        subprocess.run(["tar", "-x", "-C", str(folder)], stdin=archive.stdout, check=True)
    assert archive.returncode == 0
    environment = {**os.environ, "FENSI_REVISION": commit}
    subprocess.run([folder / "deploy/configure", "release"], env=environment, check=True)
    jobs = os.environ.get("FENSI_JOBS") or str(os.cpu_count())
    subprocess.run(["cmake", "--build", folder / "build/release", "--target", "fensi", "-j", jobs], env=environment, check=True)
    return str(folder / "build/release/bin/fensi")


class Member:
    """A daemon behind a proxy of its own."""

    def __init__(self, ending, stream, name, program):
        self.name, self._proxy = name, ending.enter_context(Proxy())
        self._daemon = ending.enter_context(stream.daemon(name, *SESSION, store=self._proxy.url(), program=program))
        until(name + " works", lambda: name in stream.owners(), 300)

    def kill_in_flight(self):
        """With writes that were sent and not acknowledged, unless it was reading all the time. Gives back how many."""
        held = self._proxy.try_to_hold_a_write()
        self._daemon.kill()
        self._proxy.release()
        return held

    def stop(self):
        code = self._daemon.stop()
        assert code == 0, "%s ended with %d\n%s" % (self.name, code, self._daemon.messages()[-4000:])


class Rolling(unittest.TestCase):
    def test_there_and_back_under_load_with_kills_nothing_is_missing_orphaned_or_wrong(self):
        programs = {"old": older_program(), "new": FENSI}
        for name, program in programs.items():
            print(name, subprocess.run([program, "version"], stdout=subprocess.PIPE, text=True, check=True).stdout.split("\n")[0], flush=True)
        with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as ending:
            load = MixedLoad(folder, "roll", PER_SECOND, EVENTS)
            self.stream, self.ending, self.programs, self.count, self.held = load.stream, ending, programs, 0, []
            members = [self.member("old"), self.member("old")]
            self.works()
            for _ in range(ROUNDS):
                for version in ("new", "old"):
                    self.exchange(members, version)
            load.finish()
            for member in members:
                member.stop()
            print("%d events (%s), %d exchanged, of them killed with so many unacknowledged writes: %s" % (
                load.feed.count, load.changes.shares(), 4 * ROUNDS, self.held))
            reading.assert_equal(reading.values(reading.by_admin(load.stream.index)), load.changes.index())

    def member(self, version):
        self.count += 1
        return Member(self.ending, self.stream, "%s%d" % (version, self.count), self.programs[version])

    def exchange(self, members, version):
        """The first dies, the second is asked to end; between the two both versions are members of one group."""
        self.held.append(members.pop(0).kill_in_flight())
        members.append(self.member(version))
        self.works()
        members.pop(0).stop()
        members.append(self.member(version))
        self.works()

    def works(self):
        before = self.stream.committed()
        until("%d events more" % AT_LEAST, lambda: self.stream.committed() >= before + AT_LEAST, 300, 0.5)


if __name__ == "__main__":
    unittest.main(verbosity=2)
