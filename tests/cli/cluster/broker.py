"""A Kafka broker in this process, of one node: topics, idempotent producers, consumer groups, and the administration that fensi asks for,
each call in one old version. What it keeps can be taken and put back between two tests."""
import copy
import socket
import struct
import threading
import time

from cluster.groups import Groups
from cluster.kafka_wire import Reader, array, crc32c, string, tagged_versions

PRODUCE, FETCH, LIST_OFFSETS, METADATA, OFFSET_COMMIT, OFFSET_FETCH, COORDINATOR = 0, 1, 2, 3, 8, 9, 10
JOIN, HEARTBEAT, LEAVE, SYNC, DESCRIBE_GROUPS, VERSIONS, CREATE, DELETE, PRODUCER_ID = 11, 12, 13, 14, 15, 18, 19, 20, 22
DESCRIBE_CONFIGS, DELETE_GROUPS = 32, 42
SPOKEN = {PRODUCE: 3, FETCH: 4, LIST_OFFSETS: 1, METADATA: 4, OFFSET_COMMIT: 2, OFFSET_FETCH: 1, COORDINATOR: 0, JOIN: 5, HEARTBEAT: 3,
          LEAVE: 1, SYNC: 3, DESCRIBE_GROUPS: 0, VERSIONS: 0, CREATE: 2, DELETE: 1, PRODUCER_ID: 0, DESCRIBE_CONFIGS: 0, DELETE_GROUPS: 0}
OUT_OF_RANGE, UNKNOWN_TOPIC, TOPIC_EXISTS, UNSUPPORTED = 1, 3, 36, 35
WRITES = {PRODUCE: "produce", CREATE: "createTopic", DELETE: "deleteTopic", DELETE_GROUPS: "deleteGroup", OFFSET_COMMIT: "commit"}
LONGEST_POLL_S = 0.05


class Partition:
    def __init__(self):
        self.batches, self.end, self.produced = [], 0, {}  # produced: of each producer {first sequence: offset}

    def append(self, batch):
        producer, epoch, sequence = struct.unpack_from(">qhi", batch, 43)
        known = self.produced.setdefault((producer, epoch), {})
        if producer >= 0 and sequence in known:
            return known[sequence]
        offset = self.end
        known[sequence] = offset
        self.end += struct.unpack_from(">i", batch, 23)[0] + 1
        self.batches.append((offset, self.end, int(time.time() * 1000), struct.pack(">q", offset) + batch[8:]))
        return offset

    def read(self, offset):
        """Whole batches: the reader passes what it did not ask for."""
        return b"".join(batch for _, end, _, batch in self.batches if end > offset)

    def at(self, moment):
        """Latest -1, earliest -2, or the first batch of that time or later."""
        if moment == -2:
            return 0
        return next((first for first, _, told, _ in self.batches if moment >= 0 and told >= moment), self.end if moment == -1 else -1)


class Broker:
    """One address for each process under test, so that a test can say what becomes of its n-th write: see gateway.Seat."""

    def __init__(self):
        self._mu = threading.Condition()
        self.topics, self._producers = {}, 0
        self.groups = Groups(self._mu)

    def snapshot(self):
        with self._mu:
            return copy.deepcopy(self.topics), self.groups.offsets()

    def restore(self, snapshot):
        with self._mu:
            self.topics = copy.deepcopy(snapshot[0])
            self.groups.restore(snapshot[1])
            self._mu.notify_all()

    def append_raw(self, topic, partition, key, value):
        """As a producer of somebody else's."""
        def varint(number):
            number, out = number << 1, b""
            while number > 127:
                out, number = out + bytes([number & 127 | 128]), number >> 7
            return out + bytes([number])
        record = b"\0\0\0" + varint(len(key)) + key + varint(len(value)) + value + b"\0"
        now = int(time.time() * 1000)
        checked = struct.pack(">hiqqqhii", 0, 0, now, now, -1, -1, -1, 1) + varint(len(record)) + record
        body = struct.pack(">ibI", 0, 2, crc32c(checked)) + checked
        with self._mu:
            self.topics[topic][partition].append(struct.pack(">qi", 0, len(body)) + body)

    def seat(self):
        return BrokerSeat(self)

    def call(self, key, reader, port):
        handler = {PRODUCE: self._produce, FETCH: self._fetch, LIST_OFFSETS: self._list_offsets, CREATE: self._create, DELETE: self._delete,
                   PRODUCER_ID: self._producer_id, DESCRIBE_CONFIGS: self._describe_configs, OFFSET_COMMIT: self.groups.commit,
                   OFFSET_FETCH: self.groups.fetch, JOIN: self.groups.join, SYNC: self.groups.sync, HEARTBEAT: self.groups.heartbeat,
                   LEAVE: self.groups.leave, DESCRIBE_GROUPS: self.groups.describe, DELETE_GROUPS: self.groups.delete}
        with self._mu:
            if key == METADATA:
                return self._metadata(reader, port)
            if key == COORDINATOR:
                return struct.pack(">hi", 0, 1) + string("127.0.0.1") + struct.pack(">i", port)
            return handler[key](reader)

    def _partition(self, topic, partition):
        partitions = self.topics.get(topic, ())
        return partitions[partition] if partition < len(partitions) else None

    def _metadata(self, reader, port):
        asked = reader.nullable_array(reader.string)
        def one(name):
            partitions = self.topics.get(name, ())
            found = struct.pack(">h", 0 if name in self.topics else UNKNOWN_TOPIC) + string(name) + b"\0"
            return found + array(range(len(partitions)), lambda n: struct.pack(">hiiiiii", 0, n, 1, 1, 1, 1, 1))
        broker = struct.pack(">i", 1) + string("127.0.0.1") + struct.pack(">i", port) + string(None)
        return (struct.pack(">i", 0) + array([broker], bytes) + string("small-cluster") + struct.pack(">i", 1)
                + array(sorted(self.topics) if asked is None else asked, one))

    def _by_topic(self, reader, read, answer):
        """An answer for each partition of each topic: what `answer` makes of what `read` reads."""
        topics = reader.array(lambda: (reader.string(), reader.array(lambda: (reader.int32(), read()))))
        return array(topics, lambda topic: string(topic[0]) + array(
            topic[1], lambda asked: struct.pack(">i", asked[0]) + answer(self._partition(topic[0], asked[0]), asked[1])))

    def _produce(self, reader):
        reader.string(), reader.int16(), reader.int32()

        def append(partition, batch):
            offset = -1 if partition is None else partition.append(batch)
            return struct.pack(">hqq", UNKNOWN_TOPIC if partition is None else 0, offset, -1)
        answer = self._by_topic(reader, reader.bytes, append)
        self._mu.notify_all()
        return answer + struct.pack(">i", 0)

    def _fetch(self, reader):
        _, wait_ms, _, _, _ = reader.int32(), reader.int32(), reader.int32(), reader.int32(), reader.int8()
        at = reader.position()

        def records(partition, asked):
            if partition is None or asked[0] > partition.end:
                return struct.pack(">hqqii", UNKNOWN_TOPIC if partition is None else OUT_OF_RANGE, -1, -1, -1, 0)
            found = partition.read(asked[0])
            return struct.pack(">hqqii", 0, partition.end, partition.end, -1, len(found)) + found

        def read_all():
            reader.seek(at)
            return self._by_topic(reader, lambda: (reader.int64(), reader.int32()), records)
        found = read_all()
        if not self._has_news(reader, at):
            self._mu.wait(min(wait_ms / 1000, LONGEST_POLL_S))
            found = read_all()
        return struct.pack(">i", 0) + found

    def _has_news(self, reader, at):
        reader.seek(at)
        topics = reader.array(lambda: (reader.string(), reader.array(lambda: (reader.int32(), reader.int64(), reader.int32()))))
        found = [(self._partition(topic, number), offset) for topic, asked in topics for number, offset, _ in asked]
        return any(partition is None or partition.end != offset for partition, offset in found)

    def _list_offsets(self, reader):
        reader.int32()

        def offset(partition, moment):
            return struct.pack(">hqq", UNKNOWN_TOPIC if partition is None else 0, -1, -1 if partition is None else partition.at(moment))
        return self._by_topic(reader, reader.int64, offset)

    def _create(self, reader):
        def topic():
            name, partitions, _ = reader.string(), reader.int32(), reader.int16()
            reader.array(lambda: (reader.int32(), reader.array(reader.int32)))
            reader.array(lambda: (reader.string(), reader.string()))
            return name, partitions
        wanted = reader.array(topic)
        fresh = [(name, partitions, name not in self.topics) for name, partitions in wanted]
        self.topics.update({name: [Partition() for _ in range(partitions)] for name, partitions, is_new in fresh if is_new})
        return struct.pack(">i", 0) + array(fresh, lambda of: string(of[0]) + struct.pack(">h", 0 if of[2] else TOPIC_EXISTS) + string(None))

    def _delete(self, reader):
        gone = [(name, self.topics.pop(name, None)) for name in reader.array(reader.string)]
        return struct.pack(">i", 0) + array(gone, lambda of: string(of[0]) + struct.pack(">h", UNKNOWN_TOPIC if of[1] is None else 0))

    def _producer_id(self, _):
        self._producers += 1
        return struct.pack(">ihqh", 0, 0, self._producers, 0)

    def _describe_configs(self, reader):
        asked = reader.array(lambda: (reader.int8(), reader.string(), reader.nullable_array(reader.string)))
        configs = {"cleanup.policy": "delete", "retention.ms": "-1", "retention.bytes": "-1", "max.message.bytes": "1048588"}

        def one(of):
            error = 0 if of[1] in self.topics else UNKNOWN_TOPIC
            return struct.pack(">h", error) + string(None) + struct.pack(">b", of[0]) + string(of[1]) + array(
                configs.items() if not error else (), lambda config: string(config[0]) + string(config[1]) + b"\0\0\0")
        return struct.pack(">i", 0) + array(asked, one)


class BrokerSeat:
    """As gateway.Seat, for Kafka."""

    def __init__(self, broker):
        self._broker, self._mu = broker, threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.address = "127.0.0.1:%d" % self.port
        self.begin(None)
        threading.Thread(target=self._accept, daemon=True).start()

    def begin(self, on_write, on_call=None):
        self.writes, self.on_write, self.on_call = [], on_write, on_call

    def close(self):
        self._listener.close()

    def _accept(self):
        while True:
            try:
                client = self._listener.accept()[0]
            except OSError:
                return
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client):
        with client, client.makefile("rb") as stream:
            try:
                while size := stream.read(4):
                    request = stream.read(struct.unpack(">i", size)[0])
                    key, version, number = struct.unpack_from(">hhi", request)
                    answer = self._answer(key, version, request)
                    if answer is None:
                        return
                    client.sendall(struct.pack(">ii", len(answer) + 4, number) + answer)
            except (OSError, struct.error):
                return  # of a process that has ended

    def _answer(self, key, version, request):
        if key == VERSIONS:
            if version > 3:
                return struct.pack(">h", UNSUPPORTED) + array(SPOKEN.items(), lambda of: struct.pack(">hhh", of[0], 0, of[1]))
            return tagged_versions(SPOKEN) if version == 3 else struct.pack(">h", 0) + array(
                SPOKEN.items(), lambda of: struct.pack(">hhh", of[0], of[1], of[1]))
        reader = Reader(request, 8)
        client = reader.string()
        said = []

        def apply():
            said.append(self._broker.call(key, reader, self.port))
        if self.on_call and not self.on_call(key, client):
            return None
        if self.on_write is None or key not in WRITES:
            apply()
            return said[0]
        with self._mu:
            self.writes.append(WRITES[key])
            number = len(self.writes)
        return said[0] if self.on_write(number, WRITES[key], apply) and said else None
