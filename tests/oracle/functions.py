"""The functions of templates, one by one as docs/mapping.md tells them. Absent values never come here."""
import hashlib
import re
import zlib

import calendar_math
import hashes
import json_paths
import typed
from values import ABSENT, INT_MAX, Unmappable, int64, need

BLANKS = b" \t\n\r\f\v"


def piece(value, separator, index=None):
    pieces = value.split(separator)
    if index is None:
        return pieces
    return pieces[index] if index < len(pieces) else ABSENT


def match(value, regex, group=0):
    found = re.search(regex.encode(), value)
    return found[group] if found else ABSENT


def fixed(value, width):
    need(len(value) == width)
    return value


def without(value, byte):
    need(byte not in value)
    return value


def whole_number(value):
    need(re.fullmatch(rb"[+-]?[0-9]+", value))
    return int64(int(value))


def binary(width, signed):
    return lambda value: int64(int.from_bytes(fixed(value, width), "big", signed=signed))


def to_be(number, width):
    try:
        return number.to_bytes(width, "big", signed=width == 8)
    except OverflowError:
        raise Unmappable() from None


def decimal(number, width=0):
    text = str(number).encode()
    need(not width or (number >= 0 and len(text) <= width))
    return text.rjust(width, b"0")


def descending(number):
    need(number >= 0)
    return INT_MAX - number


FUNCTIONS = {
    "first": lambda v, n: v[:n],
    "last": lambda v, n: v[-n:],
    "slice": lambda v, a, b=None: v[a:b],
    "split": piece,
    "before": lambda v, s: v.split(s, 1)[0] if s in v else ABSENT,
    "after": lambda v, s: v.split(s, 1)[1] if s in v else ABSENT,
    "match": match,
    "lower": bytes.lower,
    "upper": bytes.upper,
    "trim": lambda v: v.strip(BLANKS),
    "replace": bytes.replace,
    "pad": lambda v, n, b: v.rjust(n, b),
    "fixed": fixed,
    "reverse": lambda v: v[::-1],
    "reverse_domain": lambda v: b".".join(v.split(b".")[::-1]),
    "terminated": lambda v: v.replace(b"\x00", b"\x00\x01") + b"\x00\x00",
    "without": without,
    "int": whole_number,
    **{f"i{8 * w}": binary(w, True) for w in (1, 2, 4, 8)},
    **{f"u{8 * w}": binary(w, False) for w in (1, 2, 4, 8)},
    "to_be": to_be,
    "decimal": decimal,
    "hex": lambda v: v.hex().encode(),
    "add": lambda v, n: int64(v + n),
    "sub": lambda v, n: int64(v - n),
    "mul": lambda v, n: int64(v * n),
    "div": lambda v, n: v // n,
    "mod": lambda v, n: v % n,
    "floor": lambda v, n: int64(v // n * n),
    "descending": descending,
    "from_ms": lambda v: v,
    "from_s": lambda v: int64(v * 1000),
    "parse_time": calendar_math.read,
    "time": calendar_math.written,
    "seconds": lambda v: v // 1000,
    "millis": lambda v: v,
    "floor_hour": lambda v: int64(v // 3600000 * 3600000),
    "floor_day": lambda v: int64(v // 86400000 * 86400000),
    "md5": lambda v: hashlib.md5(v).digest(),
    "sha1": lambda v: hashlib.sha1(v).digest(),
    "sha256": lambda v: hashlib.sha256(v).digest(),
    "crc32": lambda v: zlib.crc32(v).to_bytes(4, "big"),
    "murmur3": hashes.murmur3,
    "xxh64": hashes.xxh64,
    "salt": lambda v, n: (int.from_bytes(hashes.xxh64(v), "big") % n).to_bytes(1 if n <= 256 else 2, "big"),
    "json": json_paths.json_value,
    "json_list": json_paths.json_list,
    "json_text": json_paths.json_text,
    **typed.FUNCTIONS,
}
