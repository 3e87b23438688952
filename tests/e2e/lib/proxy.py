"""The TCP fault proxy (tests/support) between the program under test and the gateway."""
import collections
import os
import subprocess
import threading
import time

from .program import FENSI
from .wait import until

Traffic = collections.namedtuple("Traffic", "requests requests_held replies replies_held")
WRITES = ("putMultiple", "deleteMultiple", "mutateRow")


class Proxy:
    """Passes connections on to the gateway, or to another port. Leaving the `with` block ends it and every connection through it."""

    def __init__(self, port=None):
        target = str(port or os.environ["FENSI_TEST_HBASE"].rpartition(":")[2])
        program = os.path.join(os.path.dirname(os.path.abspath(FENSI)), "fault_proxy")
        self._process = subprocess.Popen([program, target], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._lock = threading.Lock()
        self.port = int(self._process.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.kill()
        self._process.wait()
        self._process.stdout.close()

    def url(self):
        return "thrift://127.0.0.1:%d" % self.port

    def tell(self, *words):
        """One command (see tests/support/fault_proxy_main.cc); gives back what stands after "ok"."""
        with self._lock:
            self._process.stdin.write(" ".join(str(word) for word in words) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        assert answer.startswith("ok"), "proxy %s: %s" % (words, answer)
        return answer[2:].strip()

    def traffic(self):
        return Traffic(*(int(number) for number in self.tell("traffic").split()))

    def calls(self):
        """(milliseconds since boot, name) of the calls since the last question."""
        pairs = (call.partition(":") for call in self.tell("calls").split())
        return [(int(millis), name) for millis, _, name in pairs]

    def hold(self):
        self.tell("hold", "replies")

    def release(self):
        self.tell("release", "replies")

    def hold_a_write(self, seconds=120):
        """Returns when writes were passed on to the gateway and their answers are kept back: nobody vouches for them.
        Gives back how many."""
        return until("a write in flight", self.try_to_hold_a_write, seconds)

    def try_to_hold_a_write(self):
        """Also one that was sent before: on a slow machine all connections wait for answers, and nothing new is sent. Replies of
        reads may be what is caught; then nothing more comes, and they go on."""
        self.hold()
        for _ in range(40):
            time.sleep(0.05)  # an answer that was under way has passed
            writes = sum(name in WRITES for name in self.tell("unanswered").split())
            if writes:
                return writes
        self.release()
        return 0
