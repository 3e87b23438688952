"""The values of Kafka's protocol, as its old versions write them."""
import struct


class Reader:
    def __init__(self, data, at):
        self._data, self._at = data, at

    def position(self):
        return self._at

    def seek(self, at):
        self._at = at

    def _take(self, form):
        value = struct.unpack_from(form, self._data, self._at)[0]
        self._at += struct.calcsize(form)
        return value

    def int8(self):
        return self._take(">b")

    def int16(self):
        return self._take(">h")

    def int32(self):
        return self._take(">i")

    def int64(self):
        return self._take(">q")

    def _slice(self, size):
        if size < 0:
            return None
        self._at += size
        return self._data[self._at - size:self._at]

    def string(self):
        found = self._slice(self.int16())
        return None if found is None else found.decode()

    def bytes(self):
        return self._slice(self.int32())

    def nullable_array(self, item):
        count = self.int32()
        return None if count < 0 else [item() for _ in range(count)]

    def array(self, item):
        return self.nullable_array(item) or []


def string(text):
    return struct.pack(">h", -1) if text is None else struct.pack(">h", len(text.encode())) + text.encode()


def sized(data):
    return struct.pack(">i", len(data)) + data


def array(items, encode):
    return struct.pack(">i", len(items)) + b"".join(encode(item) for item in items)


def tagged_versions(spoken):
    """The answer to a question for versions in its third version, whose arrays are compact."""
    listed = b"".join(struct.pack(">hhh", key, version, version) + b"\0" for key, version in spoken.items())
    return struct.pack(">hB", 0, len(spoken) + 1) + listed + struct.pack(">i", 0) + b"\0"


def crc32c(data):
    value = 0xffffffff
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0x82f63b78 if value & 1 else 0)
    return value ^ 0xffffffff
