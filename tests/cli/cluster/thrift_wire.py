"""Thrift's binary protocol without generated code. A struct is {field id: (type, value)}, a list (type, [value]), a map (type, type, {}),
so that what was read can be written again as it was."""
import struct

STOP, BOOL, BYTE, DOUBLE, I16, I32, I64, STRING, STRUCT, MAP, SET, LIST = 0, 2, 3, 4, 6, 8, 10, 11, 12, 13, 14, 15
CALL, REPLY = 1, 2
_NUMBERS = {BOOL: ">?", BYTE: ">b", DOUBLE: ">d", I16: ">h", I32: ">i", I64: ">q"}


def _take(stream, size):
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return data


def _number(stream, kind):
    form = _NUMBERS[kind]
    return struct.unpack(form, _take(stream, struct.calcsize(form)))[0]


def read(stream, kind):
    if kind in _NUMBERS:
        return _number(stream, kind)
    if kind == STRING:
        return _take(stream, _number(stream, I32))
    if kind == STRUCT:
        fields = {}
        while (of := _number(stream, BYTE)) != STOP:
            field = _number(stream, I16)
            fields[field] = of, read(stream, of)
        return fields
    if kind == MAP:
        key, value = _number(stream, BYTE), _number(stream, BYTE)
        return key, value, {read(stream, key): read(stream, value) for _ in range(_number(stream, I32))}
    of = _number(stream, BYTE)
    return of, [read(stream, of) for _ in range(_number(stream, I32))]


def write(kind, value):
    if kind in _NUMBERS:
        return struct.pack(_NUMBERS[kind], value)
    if kind == STRING:
        return struct.pack(">i", len(value)) + value
    if kind == STRUCT:
        return b"".join(struct.pack(">bh", of, field) + write(of, inner) for field, (of, inner) in value.items()) + b"\0"
    if kind == MAP:
        key, of, items = value
        return struct.pack(">bbi", key, of, len(items)) + b"".join(write(key, k) + write(of, v) for k, v in items.items())
    of, items = value
    return struct.pack(">bi", of, len(items)) + b"".join(write(of, item) for item in items)


def read_call(stream):
    """The name, its number, and its arguments."""
    _number(stream, I32)
    name = read(stream, STRING).decode()
    number = _number(stream, I32)
    return name, number, read(stream, STRUCT)


def reply(name, number, result):
    encoded = name.encode()
    return struct.pack(">Ii", 0x80010000 | REPLY, len(encoded)) + encoded + struct.pack(">i", number) + write(STRUCT, result)


def get(fields, field, otherwise=None):
    return fields[field][1] if field in fields else otherwise
