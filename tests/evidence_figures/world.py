"""What the figures on real servers share: a captured table, its captures and daemons, and the faults that are done to them."""
import collections
import contextlib
import tempfile
import threading
import time

from lib import stack
from lib.captured import Captured
from lib.herd import Herd
from lib.program import FENSI, fensi
from lib.proxy import Proxy

WATERMARK_MS = 1000
PAUSED_S, HELD_S, AWAY_S = 10, 7, 2
STARTS = 5
PATIENT = ("--kafka_session_timeout_ms=6000", "--workers=2", "--connections=2")


class World:
    """One table with its indexes, a capture and daemons. The daemon "b" reaches HBase by the gateway, behind a proxy that breaks its
    connections, and the others by HBase's own protocol. `program`: another build of the daemons."""

    def __init__(self, at_end, name, mapping, daemons=("a", "b"), program=FENSI, families=None):
        folder = at_end.enter_context(tempfile.TemporaryDirectory(prefix="fensi-evidence-"))
        self.table = Captured(folder, name, WATERMARK_MS, mapping)
        self.daemons, self._program, self._families = daemons, program, families
        self._at_end = at_end

    def create(self):
        """`families`: of the source table, instead of one that is replicated."""
        if self._families is None:
            self.table.create()
        else:
            self._families(self.table)
        self._at_end.callback(self._remove_peer)

    def start(self):
        self.proxy = self._at_end.enter_context(Proxy())
        self.herd = self._at_end.enter_context(Herd())
        self.herd.start({"capture": lambda: self.table.capture("capture")})
        self.herd.start({name: lambda name=name: self.daemon(name) for name in self.daemons})

    def daemon(self, name):
        store = self.proxy.url() if name == "b" else None
        return self.table.daemon(name, *PATIENT, store=store, program=self._program)

    def _remove_peer(self):
        with contextlib.suppress(AssertionError, OSError):
            self.table.remove_peer()

    def wait(self, index=None, seconds=600):
        """Until the index has all that was acknowledged. What is true then is compared by the figure itself."""
        done = fensi("wait", self.table.mapping, index or self.table.index, "--store", stack.hbase_url(), "--until", "now", "--timeout_s",
                     str(seconds), timeout_s=seconds + 60)
        if done.returncode != 0:
            raise RuntimeError("fensi wait: exit code %d: %s" % (done.returncode, done.stderr[-600:]))


class Harm:
    """Does faults. Those of servers and of the capture last, so they run in threads, one of each at a time, and one that comes meanwhile is
    left out."""

    def __init__(self, world, tables, keys):
        """`tables`: whose regions change. `keys(choice)`: a row of them."""
        self._world, self._tables, self._keys = world, tables, keys
        self._server, self._capture = threading.Lock(), threading.Lock()
        self._threads = []
        self.done, self.left_out = collections.Counter(), collections.Counter()
        self.ended = []

    def do(self, fault):
        """True: it was done, or has begun."""
        word = fault.kind.split()[0]
        try:
            happened = {"kill": self._kill, "pause": self._pause, "reset": self._reset, "hold": self._hold}.get(word, self._region)(fault)
        except AssertionError as problem:
            self._note_end(self._world.daemons, str(problem))
            happened = False
        (self.done if happened else self.left_out)[fault.kind] += 1
        return happened

    def _note_end(self, names, problem):
        """A process that ended by itself is no fault of ours; it is printed, and started again."""
        for name in names:
            if not self._world.herd[name].is_up():
                self.ended.append("%s: %s" % (name, problem[-800:]))
                self._world.herd.start_again(name)

    def _victim(self, fault):
        return self._world.daemons[fault.choice % len(self._world.daemons)]

    def _kill(self, fault):
        if fault.kind == "kill a daemon":
            self._world.herd.kill(self._victim(fault))
        elif fault.kind == "kill a capture":
            return self._in_background(self._capture, self._kill_capture)
        else:
            return self._in_background(self._server, self._kill_server, fault.kind)
        return True

    def _kill_capture(self):
        """The next one is ready only when ZooKeeper has forgotten the one before."""
        try:
            self._world.herd.kill("capture")
        except AssertionError as problem:
            self._note_end(("capture",), str(problem))

    def _pause(self, fault):
        daemon = self._world.herd[self._victim(fault)]
        daemon.pause()
        self._later(PAUSED_S, daemon.resume)
        return True

    def _reset(self, _):
        self._world.proxy.tell("reset")
        return True

    def _hold(self, _):
        self._world.proxy.hold()
        self._later(HELD_S, self._world.proxy.release)
        return True

    def _kill_server(self, kind):
        servers = {"kill the gateway": ("gateway",), "kill a region server": ("regionserver",), "kill Kafka": ("kafka",),
                   "kill HBase": ("regionserver", "hbase")}[kind]
        for server in servers:
            stack.devstack("kill", server, check=False)
        time.sleep(AWAY_S)
        for server in reversed(servers):
            self._start_server(server)

    def _start_server(self, server):
        """A loaded machine may need more than one try."""
        if all(stack.devstack("start", server, check=False) for _ in range(STARTS)):
            self.ended.append("%s: does not start again" % server)

    def _region(self, fault):
        word = {"move a region": "move", "split a region": "split", "merge regions": "merge", "flush": "flush",
                "major compaction": "compact"}[fault.kind]
        table = self._tables[fault.choice % len(self._tables)]
        key = [self._keys(fault.choice).encode().hex()] if word in ("move", "split", "merge") else []
        return self._in_background(self._server, stack.admin, word, table, *key)

    def _in_background(self, lock, action, *words):
        """HBase refuses some changes, such as a merge of regions that still refer to files of their parents."""
        if not lock.acquire(blocking=False):
            return False

        def work():
            try:
                with contextlib.suppress(AssertionError, OSError):
                    action(*words)
            finally:
                lock.release()
        self._start(threading.Thread(target=work, daemon=True))
        return True

    def _later(self, seconds, action):
        timer = threading.Timer(seconds, action)
        timer.daemon = True
        self._start(timer)

    def _start(self, thread):
        self._threads = [each for each in self._threads if each.is_alive()] + [thread]
        thread.start()

    def heal(self):
        """Returns when nothing is broken any more."""
        for thread in self._threads:
            thread.join()
        self._world.proxy.tell("heal")


def do_all(harm, faults, seconds, say=None, check=lambda: None):
    """Each at its time, until the seconds are over: [(second, kind)] of those that happened. `check` raises if the rest is of no use."""
    began, done = time.monotonic(), []
    for fault in faults:
        time.sleep(max(0, fault.at_s - (time.monotonic() - began)))
        check()
        at_s = time.monotonic() - began
        if harm.do(fault):
            done.append((at_s, fault.kind))
        if say and len(done) % 20 == 0:
            say("%d faults, %d left out" % (len(done), sum(harm.left_out.values())))
    time.sleep(max(0, seconds - (time.monotonic() - began)))
    return done
