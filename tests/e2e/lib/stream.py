"""One index on the real servers: names of its own, its tables and topic, and what Kafka says of its group."""
import os
import time

from . import stack
from .graph import MAPPING, write_mapping
from .program import FENSI, Daemon, fensi, fensi_ok
from .wait import until

PARTITIONS = 4
# Changes a second of a load beside faults. The servers' work for them is most of the processor time of continuous integration.
PER_SECOND = 2_000 if "FENSI_LONG" in os.environ else 1_000


class Stream:
    """Names are new for each object, so that nothing of an earlier run is in the way on a stack that stayed up."""

    def __init__(self, folder, prefix, mapping=MAPPING, partitions=PARTITIONS):
        self._partitions = partitions
        stamp = "%s%x" % (prefix, int(time.time() * 1000))
        self.folder, self.source, self.index = folder, "guanzhu_" + stamp, "fensi_" + stamp
        self.topic, self.group = self.source, "fensi-" + self.index
        self.mapping = write_mapping(folder, self.source, self.index, mapping)

    def create(self):
        fensi_ok("create", self.mapping, "--store", stack.hbase_url(), "--kafka", os.environ["FENSI_TEST_KAFKA"],
                 "--partitions", str(self._partitions), "--execute")

    def publish(self, lines):
        path = os.path.join(self.folder, "events.jsonl")
        with open(path, "w", encoding="utf-8") as out:
            out.writelines(lines)
        with open(path, encoding="utf-8") as events:
            fensi_ok("publish", self.topic, "--kafka", os.environ["FENSI_TEST_KAFKA"], stdin=events)

    def run_words(self, *more, store=None):
        return (self.mapping, "--source", stack.kafka_url(), "--store", store or stack.hbase_url(), *more)

    def run_to_end(self, code=0):
        done = fensi("run", *self.run_words("--until_end"), timeout_s=1200)
        assert done.returncode == code, "exit code %d\n%s" % (done.returncode, done.stderr[-4000:])
        return done

    def daemon(self, name, *more, store=None, program=FENSI):
        words = self.run_words("--kafka_property", "client.id=" + name, *more, store=store)
        return Daemon(self.folder, name, *words, program=program)

    def partitions(self):
        """For each partition: (committed offset, end of the log, client id of its owner or "-")."""
        lines = [line.split() for line in stack.admin("lag", self.group, self.topic).split("\n")]
        return [(0 if committed == "-" else int(committed), int(end), owner) for _, committed, end, owner in lines]

    def committed(self):
        return sum(committed for committed, _, _ in self.partitions())

    def owners(self):
        """Client ids of the daemons that own partitions; "-": nobody."""
        return {owner for _, _, owner in self.partitions()}

    def lag(self):
        return sum(end - committed for committed, end, _ in self.partitions())

    def wait_caught_up(self, seconds=600):
        until("lag 0 of " + self.group, lambda: self.lag() == 0, seconds, 0.5)

    def rebalances(self):
        """How often the broker says that it rebalanced this group."""
        with open(os.path.join(os.environ["FENSI_TEST_STACK"], "log", "kafka.log"), encoding="utf-8", errors="replace") as log:
            return sum("to rebalance group " + self.group + " " in line for line in log)


def partition_of(row, partitions=PARTITIONS):
    """Where Java's default partitioner puts a key: murmur2, written down here independently."""
    data = row.encode()
    mask, m = 0xFFFFFFFF, 0x5BD1E995
    h = 0x9747B28C ^ len(data)
    whole = len(data) & ~3
    for i in range(0, whole, 4):
        k = int.from_bytes(data[i:i + 4], "little") * m & mask
        h = (h * m & mask) ^ ((k ^ k >> 24) * m & mask)
    if whole < len(data):
        h = (h ^ int.from_bytes(data[whole:], "little")) * m & mask
    h = (h ^ h >> 13) * m & mask
    return ((h ^ h >> 15) & 0x7FFFFFFF) % partitions
