"""Avro's binary encoding, written from the specification and docs/mapping.md: reads a whole record first, then follows a path in it.

Schemas are as JSON has them, with named types inside. Random schemas, values and paths are drawn here, too."""
import struct
from decimal import Decimal

from values import ABSENT, Unmappable, need

MOST_ITEMS, MOST_DEPTH = 2**31 - 1, 1000
PRIMITIVES = ("null", "boolean", "int", "long", "float", "double", "bytes", "string")


class Decoder:
    def __init__(self, data, named):
        self.data, self.named, self.at = data, named, 0

    def whole(self, schema):
        value = self.value(schema, 0)
        need(self.at == len(self.data))
        return value

    def take(self, size):
        need(0 <= size <= len(self.data) - self.at)
        self.at += size
        return self.data[self.at - size:self.at]

    def long(self):
        bits, shift = 0, 0
        while True:
            byte = self.take(1)[0]
            bits |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
            need(shift < 70)
        need(bits < 2**64)
        return (bits >> 1) ^ -(bits & 1)

    def blocks(self, item):
        """Counts of the blocks, and the items, which take no bytes where `item` is none."""
        items, seen = [], 0
        while True:
            count, end = self.long(), None
            if count == 0:
                return items, seen
            if count < 0:
                need(-count <= MOST_ITEMS)
                count, size = -count, self.long()
                need(0 <= size <= len(self.data) - self.at)
                end = self.at + size
            seen += count
            need(seen <= MOST_ITEMS)
            if item:
                need(count <= len(self.data) - self.at)
                items += [item() for _ in range(count)]
            need(end in (None, self.at))

    def value(self, schema, depth):
        schema = self.named.get(schema, schema) if isinstance(schema, str) else schema
        if isinstance(schema, list):
            branch = self.long()
            need(0 <= branch < len(schema))
            return branch, self.value(schema[branch], depth)
        kind = schema if isinstance(schema, str) else schema["type"]
        if kind in ("record", "array", "map"):
            need(depth < MOST_DEPTH)
            return getattr(self, kind)(schema, depth + 1)
        return self.scalar(kind, schema)

    def record(self, schema, depth):
        return {field["name"]: self.value(field["type"], depth) for field in schema["fields"]}

    def array(self, schema, depth):
        item = None if schema["items"] == "null" else lambda: self.value(schema["items"], depth)
        return self.blocks(item)[0]

    def map(self, schema, depth):
        return dict(self.blocks(lambda: (self.take(self.long()), self.value(schema["values"], depth)))[0])

    def scalar(self, kind, schema):
        if kind == "null":
            return ABSENT
        if kind == "boolean":
            byte = self.take(1)[0]
            need(byte < 2)
            return b"true" if byte else b"false"
        if kind in ("int", "long"):
            number = self.long()
            need(kind == "long" or -2**31 <= number < 2**31)
            return str(number).encode()
        if kind in ("float", "double"):
            return bits_of(kind, self.take(4 if kind == "float" else 8))
        if kind == "enum":
            number = self.long()
            need(0 <= number < len(schema["symbols"]))
            return schema["symbols"][number].encode()
        return self.take(schema["size"] if kind == "fixed" else self.long())


def bits_of(kind, data):
    """What `real | to_f64 | hex` makes of the shortest digits; nothing where it is no number, which `real` refuses."""
    number, = struct.unpack("<f" if kind == "float" else "<d", data)
    if number != number:
        return Unmappable
    if kind == "float" and abs(number) != float("inf"):
        number = as_written(number, data)
    return struct.pack(">d", number).hex().encode()


def as_written(number, data):
    """The fewest digits that give the float, or all digits of a whole number where they take no more room than an exponent."""
    text = next(text for text in (f"{number:.{digits}g}" for digits in range(1, 10)) if struct.pack("<f", float(text)) == data)
    _, figures, exponent = Decimal(text).normalize().as_tuple()
    science = len(figures) + (len(figures) > 1) + len("e%+03d" % (len(figures) - 1 + exponent))
    return number if exponent > 0 and len(figures) + exponent <= science else float(text)


def taken(data, schema, named, path):
    """bytes, or absent; raises if the value is no such record."""
    at = Decoder(data, named).whole(schema)
    for kind, step in path:
        if kind == "branch":
            at = at[1] if at[0] == step else ABSENT
        elif kind == "index":
            at = at[step] if step < len(at) else ABSENT
        else:
            at = at.get(step, ABSENT)
        if at is ABSENT:
            return ABSENT
    need(at is not Unmappable)
    return at


class Draw:
    """Schemas with names R0, R1, …, values of them, and paths."""

    def __init__(self, r):
        self.r, self.named = r, {}

    def record(self, depth=0):
        name = f"R{len(self.named)}"
        schema = {"type": "record", "name": name, "fields": []}
        self.named[name] = schema
        for n in range(self.r.randint(1, 5)):
            schema["fields"].append({"name": f"f{n}", "type": self.schema(depth + 1)})
        if self.r.random() < 0.3:
            schema["fields"].append({"name": "again", "type": ["null", name]})
        return schema

    def schema(self, depth):
        kind = self.r.random()
        if depth > 3 or kind < 0.4:
            return self.r.choice(PRIMITIVES)
        if kind < 0.5:
            return {"type": "array", "items": self.schema(depth + 1)}
        if kind < 0.6:
            return {"type": "map", "values": self.schema(depth + 1)}
        if kind < 0.75:
            return self.record(depth)
        if kind < 0.8:
            return self.word("enum", symbols=["A", "B", "C"])
        if kind < 0.85:
            return self.word("fixed", size=self.r.choice((1, 4)))
        return self.union(depth)

    def word(self, kind, **more):
        name = f"R{len(self.named)}"
        self.named[name] = {"type": kind, "name": name, **more}
        return self.named[name]

    def union(self, depth):
        branches = self.r.sample(PRIMITIVES, self.r.randint(1, 4))
        for more in (lambda: self.record(depth + 1), lambda: {"type": "map", "values": "long"}, lambda: {"type": "array", "items": "long"}):
            if self.r.random() < 0.3:
                branches.append(more())
        return branches

    def resolved(self, schema):
        return self.named.get(schema, schema) if isinstance(schema, str) else schema

    def path(self, schema):
        """Steps, their texts, and the kind of what is there; nothing where a walk ends at none."""
        steps, words = [], []
        for _ in range(12):
            schema = self.resolved(schema)
            kind = "union" if isinstance(schema, list) else schema if isinstance(schema, str) else schema["type"]
            if kind == "null":
                return None
            if kind == "record":
                field = self.r.choice(schema["fields"])
                step, schema = ("field", field["name"]), field["type"]
            elif kind == "array":
                step, schema = ("index", self.r.randint(0, 2)), schema["items"]
            elif kind == "map":
                step, schema = ("key", self.r.choice((b"k", b"a.b", b"0"))), schema["values"]
            elif kind == "union":
                branch = self.r.randrange(len(schema))
                step, schema = ("branch", branch), schema[branch]
                at = self.resolved(schema)
                words.append(at if isinstance(at, str) else at.get("name", at["type"]))
            else:
                return steps, ".".join(word if word != "a.b" else "'a.b'" for word in words), kind
            steps.append(step)
            if step[0] != "branch":
                words.append(step[1].decode() if step[0] == "key" else str(step[1]))
        return None

    def encoded(self, schema, depth=0):
        schema, r = self.resolved(schema), self.r
        if isinstance(schema, list):
            branch = 0 if depth > 8 else r.randrange(len(schema))
            return long(branch) + self.encoded(schema[branch], depth + 1)
        kind = schema if isinstance(schema, str) else schema["type"]
        if kind == "record":
            return b"".join(self.encoded(field["type"], depth + 1) for field in schema["fields"])
        if kind == "array":
            return self.blocks([self.encoded(schema["items"], depth + 1) for _ in range(r.randint(0, 3))])
        if kind == "map":
            return self.blocks([sized(r.choice((b"k", b"a.b", b"0", b""))) + self.encoded(schema["values"], depth + 1)
                                for _ in range(r.randint(0, 3))])
        return self.scalar(kind, schema)

    def scalar(self, kind, schema):
        r = self.r
        if kind == "null":
            return b""
        if kind == "boolean":
            return bytes([r.randint(0, 1)])
        if kind in ("int", "long"):
            most = 2**31 if kind == "int" else 2**63
            return long(r.choice((0, -1, 1, -most, most - 1, r.randint(-most, most - 1))))
        if kind in ("float", "double"):
            code, more = ("<f", 4) if kind == "float" else ("<d", 8)
            return r.choice((lambda: r.randbytes(more), lambda: struct.pack(code, r.choice((0.1, -0.0, 1.5, float("inf"))))))()
        if kind == "enum":
            return long(r.randrange(len(schema["symbols"])))
        if kind == "fixed":
            return r.randbytes(schema["size"])
        return sized(r.choice((b"", b"a", b"\x00\xff", r.randbytes(5), b"x" * 200)))

    def blocks(self, items):
        """Cut at random, each with its size or not."""
        out = b""
        while items:
            count = self.r.randint(1, len(items))
            body = b"".join(items[:count])
            out += long(count) + body if self.r.random() < 0.5 else long(-count) + long(len(body)) + body
            items = items[count:]
        return out + b"\x00"

    def damaged(self, data):
        at = self.r.randint(0, len(data))
        return self.r.choice((lambda: data[:at], lambda: data + self.r.randbytes(1), lambda: data[:at] + self.r.randbytes(1) + data[at:],
                              lambda: data[:at] + self.r.randbytes(1) + data[at + 1:],
                              lambda: data[:at] + b"\xff\xff\xff\xff\x0f" + data[at:]))()


def long(number):
    bits = (number << 1 ^ number >> 63) % 2**64
    out = b""
    while bits >= 128:
        out += bytes([bits & 127 | 128])
        bits >>= 7
    return out + bytes([bits])


def sized(data):
    return long(len(data)) + data
