"""The types and encodings of other systems, one by one as docs/mapping.md tells them: doubles, exact decimals, ISO 8601, Phoenix,
OrderedBytes, identifiers."""
import base64
import ipaddress
import re
import struct
import unicodedata
import uuid
from decimal import Decimal
from fractions import Fraction

import calendar_math
from values import ABSENT, INT_MAX, INT_MIN, Unmappable, int64, need

MOST_PLACES = 10000
NUMBER = re.compile(rb"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
BASE32 = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class Real(int):
    """A double, as a whole number that grows with it: -0.0 lies before 0.0."""

    @classmethod
    def of(cls, real):
        need(real == real)
        bits, = struct.unpack(">q", struct.pack(">d", real))
        return cls(bits if bits >= 0 else bits ^ INT_MAX)

    def real(self):
        rank = int(self)
        return struct.unpack(">d", struct.pack(">q", rank if rank >= 0 else rank ^ INT_MAX))[0]

    def __add__(self, steps):
        return Real(max(Real.of(float("-inf")), min(Real.of(float("inf")), int(self) + steps)))

    def __sub__(self, steps):
        return self + -steps

    def __str__(self):
        real = self.real()
        return {float("inf"): "Infinity", float("-inf"): "-Infinity"}.get(real) or repr(real)


def exact(text):
    need(NUMBER.fullmatch(text))
    exponent = re.search(rb"[eE](.*)", text)
    need(not exponent or abs(int(exponent[1])) <= 2 * MOST_PLACES)
    return placed(Decimal(text.decode()))


def placed(number):
    """Without zeros at its end, and its point not too far away."""
    sign, digits, exponent = number.as_tuple()
    text = "".join(map(str, digits)).lstrip("0")
    if not text:
        return Decimal(0)
    kept = text.rstrip("0")
    exponent += len(text) - len(kept)
    need(abs(len(kept) + exponent) <= MOST_PLACES)
    return Decimal((sign, tuple(map(int, kept)), exponent))


def real_of_text(text):
    infinite = re.fullmatch(rb"([+-]?)Infinity", text)
    if infinite:
        return Real.of(float(infinite[1] + b"inf"))
    need(NUMBER.fullmatch(text))
    real = float(text)
    if real in (float("inf"), float("-inf")) or (real == 0 and re.search(rb"[1-9]", re.split(rb"[eE]", text)[0])):
        exact(text)
    return Real.of(real)


def ieee(width, order):
    def read(value):
        need(len(value) == width)
        return Real.of(struct.unpack(order + (">d" if width == 8 else ">f")[1], value)[0])
    return read


def to_ieee(width):
    def write(real):
        try:
            out = struct.pack(">d" if width == 8 else ">f", real.real())
        except OverflowError:
            raise Unmappable() from None
        need(struct.unpack(">d" if width == 8 else ">f", out)[0] == real.real())
        return out
    return write


def little(width, signed):
    def read(value):
        need(len(value) == width)
        return int64(int.from_bytes(value, "little", signed=signed))
    return read


def _flipped(out, width):
    bits = int.from_bytes(out, "big")
    top = 1 << (8 * width - 1)
    return ((bits ^ (2 * top - 1)) if bits & top else bits | top).to_bytes(width, "big")


def _varuint(n):
    if n < 241:
        return bytes([n])
    if n < 2288:
        return bytes([(n - 240) // 256 + 241, (n - 240) % 256])
    return bytes([249, (n - 2288) // 256, (n - 2288) % 256])


def _turned(data):
    return bytes(255 - b for b in data)


def numeric(number):
    """OrderedBytes.encodeNumeric, of any length."""
    if number == 0:
        return b"\x15"
    sign, digits, exponent = number.as_tuple()
    point = len(digits) + exponent
    text = ("0" if point % 2 else "") + "".join(map(str, digits))
    text += "0" if len(text) % 2 else ""
    pairs = [int(text[i:i + 2]) for i in range(0, len(text), 2)]
    body = bytes([2 * pair + 1 for pair in pairs[:-1]] + [2 * pairs[-1]])
    hundred = (point + 1) // 2
    if sign:
        body = _turned(body)
        head = b"\x08" + _turned(_varuint(hundred)) if hundred > 10 else bytes([0x13 - hundred]) if hundred > 0 else \
            b"\x14" + _varuint(-hundred)
    else:
        head = b"\x22" + _varuint(hundred) if hundred > 10 else bytes([0x17 + hundred]) if hundred > 0 else \
            b"\x16" + _turned(_varuint(-hundred))
    return head + body


def _take_numeric(data):
    """The number in front, and what stands behind it; by trying where it ends."""
    need(data)
    head = data[0]
    if head == 0x15:
        return Decimal(0), data[1:]
    need(0x08 <= head <= 0x22)
    negative = head < 0x15
    rest = data[1:]
    if head in (0x08, 0x14, 0x16, 0x22):
        turned = head in (0x08, 0x16)
        here = _turned(rest[:3]) if turned else rest[:3]
        need(here)
        size = 1 if here[0] < 241 else 2 if here[0] < 249 else 3
        need(here[0] <= 249 and len(here) >= size)
        hundred = here[0] if size == 1 else 240 + 256 * (here[0] - 241) + here[1] if size == 2 else \
            2288 + 256 * here[1] + here[2]
        hundred = hundred if head in (0x08, 0x22) else -hundred
        rest = rest[size:]
    else:
        hundred = 0x13 - head if negative else head - 0x17
        need(1 <= hundred <= 10)
    body = _turned(rest) if negative else rest
    end = next((i for i, b in enumerate(body) if b % 2 == 0), None)
    need(end is not None and all(b <= 199 for b in body[:end + 1]))
    text = "".join("%02d" % (b // 2) for b in body[:end + 1])
    number = placed(Decimal((int(negative), tuple(map(int, text)), 2 * hundred - len(text))))
    need(numeric(number) == data[:len(data) - len(rest) + end + 1])
    return number, rest[end + 1:]


def ordered(value, width=8):
    if isinstance(value, Decimal):
        return numeric(value)
    if isinstance(value, Real):
        return _flipped(to_ieee(width)(value), width)
    half = 1 << (8 * width - 1)
    need(-half <= value < half)
    return (value + half).to_bytes(width, "big")


def big_decimal(value):
    need(5 <= len(value) <= 4204)
    return unscaled(value[4:], int.from_bytes(value[:4], "big", signed=True))


def unscaled(value, scale):
    need(1 <= len(value) <= 4200)
    number = int.from_bytes(value, "big", signed=True)
    digits = tuple(map(int, str(abs(number))))
    return placed(Decimal((int(number < 0), digits, -scale)))


def plain(value):
    if isinstance(value, Decimal):
        return format(value, "f").encode()
    real = value.real()
    if real in (float("inf"), float("-inf")):
        return str(value).encode()
    sign, figures, exponent = Decimal(repr(real)).normalize().as_tuple()
    if real == 0:
        return b"-0" if sign else b"0"
    figures = "".join(map(str, figures))
    power = len(figures) - 1 + exponent
    science = figures[0] + ("." + figures[1:] if len(figures) > 1 else "") + "e%+03d" % power
    fixed = format(Decimal("".join(figures) + "e%d" % exponent), "f")
    if len(fixed) > len(science):
        return ("-" * sign + science).encode()
    return (format(real, ".0f") if exponent >= 0 else "-" * sign + fixed).encode()


def varint(value):
    need(value and all(b >= 128 for b in value[:-1]) and value[-1] < 128 and len(value) <= 10)
    bits = sum((b & 127) << (7 * i) for i, b in enumerate(value))
    need(bits < 2**64)
    return bits


def vlong(value):
    need(value)
    first = int.from_bytes(value[:1], "big", signed=True)
    if first >= -112:
        need(len(value) == 1)
        return first
    size = -112 - first if first >= -120 else -120 - first
    need(len(value) == size + 1)
    bits = int.from_bytes(value[1:], "big")
    return _signed64(bits if first >= -120 else ~bits & (2**64 - 1))


def _signed64(bits):
    return bits - 2**64 if bits >= 2**63 else bits


ISO = re.compile(rb"(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?"
                 rb"(?:([Zz])|([+-])(\d\d)(?:(?::(\d\d)(?::(\d\d))?)|(\d\d))?)?(?:(?<=[Zz0-9])\[[^\]]*\])?)?")


def iso_time(value, zone="UTC"):
    found = ISO.fullmatch(value)
    need(found)
    day, minute, second, fraction, zulu, sign, *offset = found.groups()
    need(not value.endswith(b"]") or zulu or sign)
    ms = calendar_math.read(day, "%Y-%m-%d")
    if minute:
        ms += calendar_math.read(minute, "%H:%M")
        ms += calendar_math.read(second, "%S") if second else 0
        ms += int((fraction + b"00")[:3]) if fraction else 0
    if not zulu and not sign:
        return calendar_math.instant(ms, zone)
    hours, minutes, seconds, packed = (int(part or 0) for part in (offset or (0, 0, 0, 0)))
    need(hours < 24 and minutes < 60 and packed < 60 and seconds < 60)
    east = ((hours * 60 + minutes + packed) * 60 + seconds) * 1000
    need(east <= 18 * 3600_000)
    return ms - (0 if zulu else east if sign == b"+" else -east)


WHOLE = {"BIGINT": 8, "INTEGER": 4, "SMALLINT": 2, "TINYINT": 1, "DATE": 8, "TIME": 8, "TIMESTAMP": 12}
UNSIGNED = {"UNSIGNED_LONG": 8, "UNSIGNED_INT": 4, "UNSIGNED_SMALLINT": 2, "UNSIGNED_TINYINT": 1, "UNSIGNED_DATE": 8,
            "UNSIGNED_TIME": 8, "UNSIGNED_TIMESTAMP": 12}


def _phoenix_decimal(data):
    need(1 <= len(data) <= 21)
    if len(data) == 1:
        need(data == b"\x80")
        return Decimal(0)
    negative = data[0] < 128
    body = data[1:-1] if negative and data[-1] == 102 else data[1:]
    pairs = [101 - b if negative else b - 1 for b in body]
    need(all(0 <= pair <= 99 for pair in pairs))
    hundred = 255 - data[0] - 193 if negative else (data[0] & 127) - 65
    digits = "".join("%02d" % pair for pair in pairs)
    return placed(Decimal((int(negative), tuple(map(int, digits or "0")), 2 * hundred + 2 - len(digits))))


def phoenix(value, kind, order="ASC"):
    if not value:
        return ABSENT
    data = _turned(value) if order == "DESC" else value
    if kind == "BOOLEAN":
        need(data in (b"\x00", b"\x01"))
        return b"true" if data == b"\x01" else b"false"
    if kind in WHOLE or kind in UNSIGNED:
        width = WHOLE.get(kind) or UNSIGNED[kind]
        need(len(data) == width)
        number = int.from_bytes(data[:8], "big")
        half = 1 << (8 * min(width, 8) - 1)
        need(kind in WHOLE or number < half)
        return number - half if kind in WHOLE else number
    if kind in ("DOUBLE", "FLOAT"):
        width = 8 if kind == "DOUBLE" else 4
        need(len(data) == width)
        bits = (int.from_bytes(data, "big") - 1) % (1 << 8 * width)
        top = 1 << (8 * width - 1)
        return ieee(width, ">")((bits ^ top if bits & top else bits ^ (2 * top - 1)).to_bytes(width, "big"))
    if kind in ("UNSIGNED_DOUBLE", "UNSIGNED_FLOAT"):
        real = ieee(8 if kind == "UNSIGNED_DOUBLE" else 4, ">")(data)
        need(real >= 0)
        return real
    if kind == "DECIMAL":
        return _phoenix_decimal(data)
    return data.rstrip(b" ") if kind == "CHAR" else data


FIXED = {"INT8": (0x29, 1), "INT16": (0x2a, 2), "INT32": (0x2b, 4), "INT64": (0x2c, 8), "FLOAT32": (0x30, 4), "FLOAT64": (0x31, 8)}


def _blob(body):
    need(body)
    if body == b"\x00":
        return b""
    need(all(b >= 128 for b in body[:-1]) and body[-1] < 128)
    bits = "".join(format(b & 127, "07b") for b in body)
    size = len(bits) // 8
    need("1" not in bits[8 * size:])
    return bytes(int(bits[8 * i:8 * i + 8], 2) for i in range(size))


def ordered_bytes(value, kind, order="ASC"):
    data = _turned(value) if order == "DESC" else value
    need(data)
    if data[0] == 5:
        return ABSENT
    if kind == "NUMERIC":
        number, rest = _take_numeric(data)
        need(not rest)
        return number
    body = data[1:]
    if kind in FIXED:
        header, width = FIXED[kind]
        need(data[0] == header and len(body) == width)
        bits = int.from_bytes(body, "big")
        top = 1 << (8 * width - 1)
        if kind.startswith("INT"):
            return bits - top
        return ieee(width, ">")((bits ^ top if bits & top else bits ^ (2 * top - 1)).to_bytes(width, "big"))
    need(data[0] == {"STRING": 0x34, "BLOB": 0x37, "BLOB_COPY": 0x38}[kind])
    if kind == "BLOB":
        return _blob(body)
    if kind == "STRING" or order == "DESC":
        need(body.find(b"\x00") == len(body) - 1 and body)
        return body[:-1]
    return body


def _uuid(value):
    form = rb"[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}|[0-9a-fA-F]{32}"
    need(re.fullmatch(form, value))
    return uuid.UUID(value.decode()).bytes


def ulid(value):
    text = value.decode("latin-1").upper().replace("I", "1").replace("L", "1").replace("O", "0")
    need(len(value) == 26 and value.isascii() and all(c in BASE32 for c in text) and value[:1] <= b"7")
    number = 0
    for c in text:
        number = number * 32 + BASE32.index(c)
    return number.to_bytes(16, "big")


def ulid_text(value):
    need(len(value) == 16)
    number = int.from_bytes(value, "big")
    return "".join(BASE32[number >> 5 * (25 - i) & 31] for i in range(26)).encode()


def ip(value):
    try:
        need(b"%" not in value)
        return ipaddress.ip_address(value.decode("ascii")).packed
    except ValueError:
        raise Unmappable() from None


def ip6(value):
    packed = ip(value)
    return packed if len(packed) == 16 else bytes(10) + b"\xff\xff" + packed


def unhex(value):
    need(re.fullmatch(rb"([0-9a-fA-F]{2})*", value))
    return bytes.fromhex(value.decode())


def unbase64(value):
    text = value
    if len(text) % 4 == 0:
        for _ in range(2):
            text = text[:-1] if text.endswith(b"=") else text
    need(re.fullmatch(rb"[A-Za-z0-9+/_-]*", text) and len(text) % 4 != 1)
    whole = text.replace(b"-", b"+").replace(b"_", b"/") + b"=" * (-len(text) % 4)
    out = base64.b64decode(whole)
    need(base64.b64encode(out) == whole)
    return out


def mask(value, bits):
    number = int.from_bytes(value, "big")
    off = max(8 * len(value) - bits, 0)
    return (number >> off << off).to_bytes(len(value), "big")


URL = re.compile(rb"(?:([^:/?#]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?", re.S)
URL_NAME = rb"(?:[A-Za-z0-9._~!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*"
AUTHORITY = re.compile(rb"(?:(?:" + URL_NAME + rb"|:)*@)?(\[[^\]]*\]|" + URL_NAME + rb")(?::([0-9]*))?")
LATER_ADDRESS = re.compile(rb"[vV][0-9A-Fa-f]+\.[A-Za-z0-9._~!$&'()*+,;=:-]+")


def _host(host):
    """In lower case; of percent-encoded bytes those that need it, in capitals."""
    if host.startswith(b"[") and not LATER_ADDRESS.fullmatch(host[1:-1]):
        try:
            need(b"%" not in host)
            ipaddress.IPv6Address(host[1:-1].decode("ascii"))
        except ValueError:
            raise Unmappable() from None

    def decoded(encoded):
        byte = bytes.fromhex(encoded[1].decode())
        return byte.lower() if re.fullmatch(rb"[A-Za-z0-9._~-]", byte) else b"%" + encoded[1].upper()
    return b"".join(re.sub(rb"%(..)", decoded, piece) if piece.startswith(b"%") else piece.lower()
                    for piece in re.findall(rb"%..|[^%]+", host))


def url(value, part):
    scheme, authority, path, query, fragment = URL.fullmatch(value).groups()
    need(scheme is None or re.fullmatch(rb"[A-Za-z][A-Za-z0-9+.-]*", scheme))
    found = {"scheme": scheme and scheme.lower(), "path": path, "query": query, "fragment": fragment}
    if authority is not None:
        named = AUTHORITY.fullmatch(authority)
        need(named)
        found.update(host=_host(named[1]), port=named[2])
    return found.get(part) or ABSENT


POSITION = re.compile(rb" *([^, ]+) *, *([^, ]+) *| *(?i:POINT) *\( *([^ )]+) +([^ )]+) *\) *")


def geohash(value, characters):
    """Digits of five bits; each bit halves what is left of the longitude, the next of the latitude."""
    found = POSITION.fullmatch(value)
    need(found)
    first, second, longitude, latitude = found.groups()
    north, east = real_of_text(first or latitude).real(), real_of_text(second or longitude).real()
    need(abs(north) <= 90 and abs(east) <= 180)
    bits = 5 * characters
    size = 2 ** ((bits + 1) // 2), 2 ** (bits // 2)
    column = min(int((Fraction(east) + 180) * size[0] // 360), size[0] - 1)
    row = min(int((Fraction(north) + 90) * size[1] // 180), size[1] - 1)
    columns, rows = format(column, f"0{(bits + 1) // 2}b"), format(row, f"0{bits // 2}b")
    number = int("".join(a + b for a, b in zip(columns, rows + " ")).strip(), 2)
    return bytes(b"0123456789bcdefghjkmnpqrstuvwxyz"[number >> shift & 31] for shift in range(bits - 5, -1, -5))


def _text(change):
    def changed(value):
        try:
            return change(value.decode()).encode()
        except UnicodeDecodeError:
            raise Unmappable() from None
    return changed


FUNCTIONS = {
    "f64": ieee(8, ">"), "f32": ieee(4, ">"), "f64_le": ieee(8, "<"), "f32_le": ieee(4, "<"),
    "real": real_of_text, "number": exact, "big_decimal": big_decimal, "unscaled": unscaled, "plain": plain,
    "to_f64": to_ieee(8), "to_f32": to_ieee(4), "ordered": ordered,
    **{f"i{8 * w}_le": little(w, True) for w in (2, 4, 8)}, **{f"u{8 * w}_le": little(w, False) for w in (2, 4, 8)},
    "varint": lambda v: _signed64(varint(v)),
    "zigzag": lambda v: (varint(v) >> 1) ^ -(varint(v) & 1),
    "vlong": vlong,
    "invert": _turned,
    "iso_time": iso_time,
    "from_us": lambda v: v // 1000, "from_ns": lambda v: v // 1000000, "from_days": lambda v: int64(v * 86400000),
    "phoenix": phoenix, "ordered_bytes": ordered_bytes,
    "uuid": _uuid, "ulid": ulid, "ulid_text": ulid_text, "ip": ip, "ip6": ip6, "unhex": unhex,
    "base64": base64.b64encode, "base64url": lambda v: base64.urlsafe_b64encode(v).rstrip(b"="), "unbase64": unbase64,
    "mask": mask, "url": url, "geohash": geohash,
    "snowflake": lambda v, epoch=1288834974657: int64((v >> 22) + epoch),
    "nfc": _text(lambda text: unicodedata.normalize("NFC", text)),
    "nfkc": _text(lambda text: unicodedata.normalize("NFKC", text)),
    "fold": _text(str.casefold),
}


def _fields(value):
    """Each field of OrderedBytes in its turn."""
    while value:
        down = value[0] >= 128
        data = _turned(value) if down else value
        if data[0] in (0x05, 0x07, 0x23, 0x26):
            size = 1
        elif data[0] in dict(FIXED.values()):
            size = 1 + dict(FIXED.values())[data[0]]
        elif data[0] == 0x34 or (data[0] == 0x38 and down):
            size = data.find(b"\x00") + 1
        elif data[0] == 0x38:
            size = len(data)
        elif data[0] == 0x37:
            size = 1 + next((i for i, b in enumerate(data[1:], 1) if b < 128), len(data))
        else:
            size = len(data) - len(_take_numeric(data)[1])
        need(0 < size <= len(value))
        yield value[:size]
        value = value[size:]


def ordered_field(value, index):
    for n, field in enumerate(_fields(value)):
        if n == index:
            return field
    return ABSENT


def _widths(types):
    for column in re.split(r",(?![^(]*\))", types.upper()):
        words = column.split()
        kind = re.sub(r"^(VARCHAR|DECIMAL)\([0-9,]+\)$", r"\1", words[words[0] == "SALTED"])
        sized = re.fullmatch(r"(?:CHAR|BINARY)\((\d+)\)", kind)
        fixed = {**WHOLE, **UNSIGNED, "DOUBLE": 8, "FLOAT": 4, "UNSIGNED_DOUBLE": 8, "UNSIGNED_FLOAT": 4, "BOOLEAN": 1}
        yield int(sized[1]) if sized else fixed.get(kind, 0), words[-1] == "DESC"


def _key_field(value, width, down, last):
    """The bytes of the field in front, and what follows its separator: a descending one ends with 0xFF also as the last, and a
    null with a zero byte in both orders."""
    if width:
        need(width <= len(value))
        return value[:width], value[width:]
    if down and value[:1] == b"\x00":
        return b"", value[1:]
    if last and not down:
        return value, b""
    field, _, rest = value.partition(b"\xff" if down else b"\x00")
    return field, rest


def phoenix_key(value, types, index):
    fields = list(_widths(types))
    if index >= len(fields):
        return ABSENT
    if types.upper().split()[0] == "SALTED":
        need(value)
        value = value[1:]
    found = None
    for n, (width, down) in enumerate(fields):
        if n > index and not value:
            break
        field, value = _key_field(value, width, down, n + 1 == len(fields))
        found = field if n == index else found
    need(not value)
    return found or ABSENT


def _uuid_text(value):
    need(len(value) == 16)
    return str(uuid.UUID(bytes=value)).encode()


def _ip_text(value):
    need(len(value) in (4, 16))
    mapped = len(value) == 16 and value[:12] == bytes(10) + b"\xff\xff"
    if mapped:
        return b"::ffff:" + str(ipaddress.ip_address(value[12:])).encode()
    return str(ipaddress.ip_address(value)).encode()


def _ulid_time(value):
    return int.from_bytes((value if len(value) == 16 else ulid(value))[:6], "big")


FUNCTIONS.update(uuid_text=_uuid_text, ip_text=_ip_text, ulid_time=_ulid_time, ordered_field=ordered_field,
                 phoenix_key=phoenix_key, lower_unicode=_text(str.lower), upper_unicode=_text(str.upper))
