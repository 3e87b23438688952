EXACT, GOOD, NONE = 0, 1, 2  # how exact a step can be read backwards
BYTES, INTEGER, TIME, REAL = "bytes", "integer", "time", "real"
UP, DOWN, SIGNED, UNSIGNED, UNORDERED = "up", "down", "signed", "unsigned", "unordered"
LEAST, MOST = -(1 << 63), (1 << 63) - 1


class FensiError(Exception):
    """What every error of this file is."""


class BadPart(FensiError, ValueError):
    """A value or a bound that this part of the key cannot have: correct the value."""


class NotAKey(FensiError, ValueError):
    """These bytes are no row key of this index: check which table they come from."""


class _Refused(Exception):
    """A function has no result for a value."""


class _Absent(_Refused):
    """There is no such piece: as if the column were missing."""


class Step:
    """One function of a template, with what is known of it."""

    def __init__(self, name, taken, given, inverse, order, *arguments):
        self.name, self.taken, self.given, self.inverse, self.order = name, taken, given, inverse, order
        self.arguments = arguments

    def __eq__(self, other):
        return (self.name, self.arguments, self.taken) == (other.name, other.arguments, other.taken)


def _argument(step, number, default=None):
    return step.arguments[number] if number < len(step.arguments) else default


def _fits(number, what="leaves the 64-bit range"):
    if not LEAST <= number <= MOST:
        raise _Refused(f"{number} {what}")
    return number


def _of_width(value, width):
    if len(value) != width:
        raise _Refused(f"{value!r} has {len(value)} bytes, not {width}")
    return value


# Doubles are kept as their rank: a whole number that grows with the double.

def _rank(real):
    bits = struct.unpack(">q", struct.pack(">d", real))[0]
    return bits ^ MOST if bits < 0 else bits


def _real(rank):
    return struct.unpack(">d", struct.pack(">q", rank ^ MOST if rank < 0 else rank))[0]


def _float_bytes(real):
    try:
        return struct.pack(">f", real)
    except OverflowError:
        return struct.pack(">f", math.copysign(math.inf, real))


def _real_bytes(real, width):
    return struct.pack(">d", real) if width == 8 else _float_bytes(real)


def _real_in(value):
    return struct.unpack(">d" if len(value) == 8 else ">f", value)[0]


def _rank_given(step, number):
    """The rank of a number from an application. A step that reads floats takes the nearest float."""
    real = float(number)
    return _rank(_real_in(_float_bytes(real)) if step.name.startswith("f32") else real)


def _read_real(width, little):
    def apply(step, value):
        value = _of_width(value, width)
        real = _real_in(value[::-1] if little else value)
        if math.isnan(real):
            raise _Refused(f"{value!r} is NaN, which has no place among numbers")
        return _rank(real)
    return apply


def _unread_real(width, little):
    def invert(step, rank):
        value = _real_bytes(_real(rank), width)
        if _real_in(value) != _real(rank):
            return NONE, None
        return EXACT, value[::-1] if little else value
    return invert


def _write_real(width):
    def apply(step, rank):
        value = _real_bytes(_real(rank), width)
        if _real_in(value) != _real(rank):
            raise _Refused(f"{_real(rank)} is not a number of {8 * width} bits")
        return value
    return apply


def _unwrite_real(width):
    def invert(step, value):
        if len(value) != width or math.isnan(_real_in(value)):
            return NONE, None
        return EXACT, _rank(_real_in(value))
    return invert


def _ordered_real(real, width):
    if width == 8:
        return (_rank(real) ^ -(1 << 63)).to_bytes(8, "big", signed=True)
    bits = int.from_bytes(_float_bytes(real), "big")
    return (bits ^ 0xFFFFFFFF if bits >> 31 else bits | 1 << 31).to_bytes(4, "big")


def _ordered(step, number):
    width = _argument(step, 0, 8)
    if step.taken == REAL:
        if width == 4 and _real_in(_float_bytes(_real(number))) != _real(number):
            raise _Refused(f"{_real(number)} is not a number of 32 bits")
        return _ordered_real(_real(number), width)
    bits = number + (1 << 8 * width - 1)
    if not 0 <= bits < 1 << 8 * width:
        raise _Refused(f"{number} does not fit {width} bytes")
    return bits.to_bytes(width, "big")


def _unordered(step, value):
    width = _argument(step, 0, 8)
    if step.taken != REAL:
        if len(value) > 8:
            return NONE, None
        number = int.from_bytes(value, "big") - (1 << 8 * width - 1)
        return EXACT, (number + (1 << 63)) % (1 << 64) - (1 << 63)
    if len(value) != width:
        return NONE, None
    bits = int.from_bytes(value, "big")
    if width == 8:
        rank = bits - (1 << 63)
        real = _real(rank)
    else:
        real = _real_in((bits ^ 1 << 31 if bits >> 31 else bits ^ 0xFFFFFFFF).to_bytes(4, "big"))
        rank = 0 if math.isnan(real) else _rank(real)
    return (NONE, None) if math.isnan(real) else (EXACT, rank)


def _ordered_below(step, rank):
    """At a bound, which need not be a number of this width: the result at or below it."""
    if _argument(step, 0, 8) == 8:
        return (rank + (1 << 63)).to_bytes(8, "big")
    real = _real(rank) if _rank(-math.inf) <= rank <= _rank(math.inf) else math.copysign(math.inf, rank)
    value = _float_bytes(real)
    if _real_in(value) > real:  # rounded up: the float before it
        bits = int.from_bytes(value, "big")
        bits = 0x80000001 if bits == 0 else bits + 1 if bits >> 31 else bits - 1
        value = bits.to_bytes(4, "big")
    return _ordered_real(_real_in(value), 4)


def _int(step, value):
    text = value[1:] if len(value) > 1 and value[:1] == b"+" and value[1:2] != b"-" else value
    if not re.fullmatch(rb"-?[0-9]+", text):
        raise _Refused(f"{value!r} is not a whole number")
    if len(text.lstrip(b"-0")) > 19:  # Python refuses to read very many digits
        raise _Refused(f"{value!r} does not fit 64 bits")
    return _fits(int(text), "does not fit 64 bits")


def _decimal(step, number):
    digits, width = str(number).encode(), _argument(step, 0)
    if width is None:
        return digits
    if len(digits) > width or number < 0:
        raise _Refused(f"{number} has more than {width} digits, or is negative")
    return digits.rjust(width, b"0")


def _undecimal(step, value):
    if not re.fullmatch(rb"[+-]?[0-9]+", value) or len(value.lstrip(b"+-0")) > 19:
        return NONE, None
    return _ranged(EXACT, int(value))


def _to_be(step, number):
    width = step.arguments[0]
    if width < 8 and not 0 <= number < 1 << 8 * width:
        raise _Refused(f"{number} does not fit {width} bytes without sign")
    return (number % (1 << 64)).to_bytes(8, "big")[8 - width:]


def _unto_be(step, value):
    if len(value) > 8:
        return NONE, None
    number = int.from_bytes(value, "big")
    return EXACT, number - (1 << 64) if number > MOST else number


def _reader(width, signed, order):
    def apply(step, value):
        return _fits(int.from_bytes(_of_width(value, width), order, signed=signed), "is above the largest number")

    def invert(step, number):
        bits = number % (1 << 64)
        value = bits.to_bytes(8, "big")[8 - width:]
        return EXACT, value if order == "big" else value[::-1]
    return apply, invert


def _terminated(step, value):
    return value.replace(b"\0", b"\0\1") + b"\0\0"


def _unterminated(step, value):
    if not value.endswith(b"\0\0"):
        return NONE, None
    out, at = bytearray(), 0
    while at < len(value) - 2:
        out.append(value[at])
        at += 1 if value[at] else 2
    return EXACT, bytes(out)


def _unhex(step, value):
    if not re.fullmatch(rb"([0-9a-fA-F]{2})*", value):
        return NONE, None
    return EXACT, bytes.fromhex(value.decode())


def _uuid(step, value):
    digits = value
    if len(value) == 36:
        if [at for at in range(36) if value[at:at + 1] == b"-"] != [8, 13, 18, 23]:
            raise _Refused(f"{value!r} is no UUID")
        digits = value.replace(b"-", b"")
    if not re.fullmatch(rb"[0-9a-fA-F]{32}", digits):
        raise _Refused(f"{value!r} is no UUID")
    return bytes.fromhex(digits.decode())


def _uuid_text(step, value):
    digits = _of_width(value, 16).hex()
    return "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:])).encode()


def _back(function, inverse):
    """A function that another one turns back."""
    def invert(step, value):
        try:
            return inverse, function(step, value)
        except _Refused:
            return NONE, None
    return invert


def _slice(step, value):
    start, stop = step.arguments[0], _argument(step, 1, len(value))
    stop = min(stop, len(value))
    return value[min(start, stop):stop]


def _unslice(step, value):
    if len(step.arguments) < 2 or step.arguments[0] != 0:
        return NONE, None
    return _uncut(step, value)


def _uncut(step, value):
    return EXACT if len(value) < step.arguments[-1] else GOOD, value


def _split(step, value):
    pieces = value.split(step.arguments[0])
    if len(step.arguments) == 1:
        return pieces
    if step.arguments[1] >= len(pieces):
        raise _Absent(f"{value!r} has no such piece: give the whole value, as the source has it")
    return pieces[step.arguments[1]]


def _at_separator(first):
    def apply(step, value):
        before, separator, after = value.partition(step.arguments[0])
        if not separator:
            raise _Absent(f"{value!r} has no such piece: give the whole value, as the source has it")
        return before if first else after
    return apply


def _pad(step, value):
    return value.rjust(step.arguments[0], step.arguments[1])


def _unpad(step, value):
    if step.inverse == EXACT:  # zeros in front of the digits of a number
        return EXACT, value.lstrip(b"0") or value[-1:]
    filled = len(value) == step.arguments[0] and value.startswith(step.arguments[1])
    return GOOD if filled else EXACT, value


def _without(step, value):
    if step.arguments[0] in value:
        raise _Refused(f"{value!r} contains {step.arguments[0]!r}")
    return value


def _reverse_domain(step, value):
    return b".".join(reversed(value.split(b".")))


def _uncase(first):
    def invert(step, value):
        return GOOD if any(first <= c < first + 26 for c in value) else EXACT, value
    return invert


def _floor(number, unit):
    if unit < 0 or not LEAST <= number // unit * unit <= MOST:
        raise _Refused(f"{number} is out of range")
    return number // unit * unit


def _descending(step, number):
    if number < 0:
        raise _Refused(f"{number} is negative")
    return MOST - number


def _undescending(step, number):
    return (NONE, None) if number < 0 else (EXACT, MOST - number)


def _ranged(inverse, number):
    return (inverse, number) if LEAST <= number <= MOST else (NONE, None)


def _unmul(step, number):
    factor = step.arguments[0]
    if factor == 0 or (factor == -1 and number == LEAST) or number % factor:
        return NONE, None
    return EXACT, number // factor


def _beginning(unit):
    """The time at which a unit begins; the least of all times lies in its unit."""
    def invert(step, number):
        time = number * (unit or step.arguments[0])
        return (NONE, None) if time > MOST else (GOOD, max(time, LEAST))
    return invert


def _unitwise(unit):
    def invert(step, number):
        return (NONE, None) if number % unit else (EXACT, number // unit)
    return invert


def _divided(unit):
    return lambda step, number: number // unit


def _times(unit):
    return lambda step, number: _fits(number * unit, "is outside the range of times")


def _hash(algorithm):
    return lambda step, value: hashlib.new(algorithm, value, usedforsecurity=False).digest()


def _murmur3(step, value):
    mask, h = 0xFFFFFFFF, 0

    def mix(k):
        k = k * 0xCC9E2D51 & mask
        return ((k << 15 | k >> 17) & mask) * 0x1B873593 & mask
    whole = len(value) // 4 * 4
    for at in range(0, whole, 4):
        h ^= mix(int.from_bytes(value[at:at + 4], "little"))
        h = ((h << 13 | h >> 19) & mask) * 5 + 0xE6546B64 & mask
    if len(value) > whole:
        h ^= mix(int.from_bytes(value[whole:], "little"))
    h ^= len(value)
    h = (h ^ h >> 16) * 0x85EBCA6B & mask
    h = (h ^ h >> 13) * 0xC2B2AE35 & mask
    return (h ^ h >> 16).to_bytes(4, "big")


def _xxh64(value):
    a, b, c, d, e = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
    mask, at, size = (1 << 64) - 1, 0, len(value)

    def turn(x, by):
        return (x << by | x >> 64 - by) & mask

    def mix(lane, piece):
        return turn(lane + piece * b & mask, 31) * a & mask

    def piece(width):
        return int.from_bytes(value[at:at + width], "little")
    if size >= 32:
        lanes = [a + b & mask, b, 0, -a & mask]
        while at <= size - 32:
            for lane in range(4):
                lanes[lane] = mix(lanes[lane], piece(8))
                at += 8
        h = sum(turn(lane, by) for lane, by in zip(lanes, (1, 7, 12, 18))) & mask
        for lane in lanes:
            h = ((h ^ mix(0, lane)) * a + d) & mask
    else:
        h = e
    h = h + size & mask
    while at <= size - 8:
        h = turn(h ^ mix(0, piece(8)), 27) * a + d & mask
        at += 8
    if at <= size - 4:
        h = turn(h ^ piece(4) * a & mask, 23) * b + c & mask
        at += 4
    while at < size:
        h = turn(h ^ value[at] * e & mask, 11) * a & mask
        at += 1
    h = (h ^ h >> 33) * b & mask
    h = (h ^ h >> 29) * c & mask
    return h ^ h >> 32


def _salt(step, value):
    salts = step.arguments[0]
    return (_xxh64(value) % salts).to_bytes(1 if salts <= 256 else 2, "big")
