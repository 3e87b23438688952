"""Consumer groups of the broker: who is a member, who has which partitions, and what was committed."""
import struct
import time

from cluster.kafka_wire import array, sized, string

ILLEGAL_GENERATION, UNKNOWN_MEMBER, REBALANCING, NOT_FOUND, NOT_EMPTY, FENCED = 22, 25, 27, 69, 68, 82


class Member:
    def __init__(self, instance, metadata, session_s):
        self.instance, self.metadata, self.session_s = instance, metadata, session_s
        self.seen, self.generation, self.assignment = time.monotonic(), 0, b""


class Group:
    def __init__(self):
        self.members, self.generation, self.protocol, self.leader = {}, 0, "", ""
        self.rebalancing = self.assigned = False
        self.offsets = {}  # (topic, partition) -> (offset, metadata)
        self.made = 0

    def expel_the_silent(self):
        now = time.monotonic()
        for name in [name for name, member in self.members.items() if now - member.seen > member.session_s]:
            self.remove(name)

    def remove(self, name):
        if self.members.pop(name, None) is not None:
            self.rebalancing, self.assigned = True, False

    def fault(self, name, generation, instance):
        self.expel_the_silent()
        if name not in self.members:
            fenced = instance and any(member.instance == instance for member in self.members.values())
            return FENCED if fenced else UNKNOWN_MEMBER
        self.members[name].seen = time.monotonic()
        if generation != self.generation:
            return REBALANCING if self.rebalancing else ILLEGAL_GENERATION
        return 0

    def state(self):
        self.expel_the_silent()
        if not self.members:
            return "Empty" if self.offsets else "Dead"
        return "Stable" if self.assigned else "PreparingRebalance"


class Groups:
    """Called with the broker's mutex, `mu`, whose waiters are woken."""

    def __init__(self, mu):
        self._mu, self._groups = mu, {}

    def offsets(self):
        return {name: dict(group.offsets) for name, group in self._groups.items() if group.offsets}

    def restore(self, offsets):
        self._groups = {}
        for name, committed in offsets.items():
            self._group(name).offsets = dict(committed)

    def is_stable(self, name):
        with self._mu:
            return self._group(name).state() == "Stable"

    def _group(self, name):
        return self._groups.setdefault(name, Group())

    def join(self, reader):
        group = self._group(reader.string())
        session_s, _ = reader.int32() / 1000, reader.int32()
        name, instance, _ = reader.string(), reader.string(), reader.string()
        protocol, metadata = reader.array(lambda: (reader.string(), reader.bytes()))[0]
        group.expel_the_silent()
        if name and name not in group.members:
            return struct.pack(">ihi", 0, UNKNOWN_MEMBER, -1) + string("") * 3 + array((), bytes)
        for known in [known for known, member in group.members.items() if instance and member.instance == instance and known != name]:
            group.remove(known)
        if not name:
            group.made += 1
            name = "member-%d" % group.made
        member = group.members.setdefault(name, Member(instance, metadata, session_s))
        member.metadata, member.seen, member.generation = metadata, time.monotonic(), -1  # it waits for the next one
        group.rebalancing, group.assigned, group.protocol = True, False, protocol
        self._await_all(group, name)
        return self._joined(group, name)

    def _await_all(self, group, name):
        """The last one who joins begins the generation."""
        while group.rebalancing and name in group.members:
            group.members[name].seen = time.monotonic()
            group.expel_the_silent()
            if all(member.generation == -1 for member in group.members.values()):
                group.generation += 1
                group.leader, group.rebalancing = min(group.members), False
                for member in group.members.values():
                    member.generation, member.seen = group.generation, time.monotonic()
                self._mu.notify_all()
                return
            self._mu.wait(0.05)

    @staticmethod
    def _joined(group, name):
        members = group.members.items() if name == group.leader else ()
        return (struct.pack(">ihi", 0, 0 if name in group.members else UNKNOWN_MEMBER, group.generation) + string(group.protocol)
                + string(group.leader) + string(name)
                + array(members, lambda of: string(of[0]) + string(of[1].instance) + sized(of[1].metadata)))

    def sync(self, reader):
        group = self._group(reader.string())
        generation, name, instance = reader.int32(), reader.string(), reader.string()
        given = dict(reader.array(lambda: (reader.string(), reader.bytes())))
        fault = group.fault(name, generation, instance)
        if not fault and name == group.leader:
            for member, assignment in given.items():
                if member in group.members:
                    group.members[member].assignment = assignment
            group.assigned = True
            self._mu.notify_all()
        while not fault and not group.assigned:
            self._mu.wait(0.05)
            fault = group.fault(name, generation, instance)
        return struct.pack(">ih", 0, fault) + sized(b"" if fault else group.members[name].assignment)

    def heartbeat(self, reader):
        group = self._group(reader.string())
        generation, name, instance = reader.int32(), reader.string(), reader.string()
        fault = group.fault(name, generation, instance)
        return struct.pack(">ih", 0, fault or (REBALANCING if group.rebalancing else 0))

    def leave(self, reader):
        group = self._group(reader.string())
        group.remove(reader.string())
        self._mu.notify_all()
        return struct.pack(">ih", 0, 0)

    def commit(self, reader):
        group = self._group(reader.string())
        generation, name, _ = reader.int32(), reader.string(), reader.int64()
        fault = group.fault(name, generation, None) if generation >= 0 else 0

        def one(topic, partition, offset, metadata):
            if not fault:
                group.offsets[topic, partition] = offset, metadata or ""
            return struct.pack(">ih", partition, fault)
        topics = reader.array(lambda: (reader.string(), reader.array(lambda: (reader.int32(), reader.int64(), reader.string()))))
        return array(topics, lambda topic: string(topic[0]) + array(topic[1], lambda of: one(topic[0], *of)))

    def fetch(self, reader):
        group = self._group(reader.string())

        def one(topic, partition):
            offset, metadata = group.offsets.get((topic, partition), (-1, ""))
            return struct.pack(">iq", partition, offset) + string(metadata) + struct.pack(">h", 0)
        topics = reader.array(lambda: (reader.string(), reader.array(reader.int32)))
        return array(topics, lambda topic: string(topic[0]) + array(topic[1], lambda partition: one(topic[0], partition)))

    def describe(self, reader):
        def one(name):
            group = self._group(name)
            state = group.state()
            return struct.pack(">h", 0) + string(name) + string(state) + string("consumer") + string(group.protocol) + array(
                group.members.items(), lambda of: string(of[0]) + string("fensi") + string("/127.0.0.1") + sized(of[1].metadata)
                + sized(of[1].assignment))
        return array(reader.array(reader.string), one)

    def delete(self, reader):
        def one(name):
            state = self._group(name).state()
            fault = NOT_FOUND if state == "Dead" else 0 if state == "Empty" else NOT_EMPTY
            if not fault:
                del self._groups[name]
            return string(name) + struct.pack(">h", fault)
        return struct.pack(">i", 0) + array(reader.array(reader.string), one)
