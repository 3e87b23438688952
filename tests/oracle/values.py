"""What a template works with: bytes, whole numbers (also for times), absent and unmappable values; bytes as people type them."""

ABSENT = None
INT_MIN, INT_MAX = -2**63, 2**63 - 1


class Unmappable(Exception):
    """The index has no entry for this row, or for this bound column or item."""


def need(holds):
    if not holds:
        raise Unmappable()


def int64(number):
    need(INT_MIN <= number <= INT_MAX)
    return number


def escaped(value):
    """As `fensi` reads and prints bytes: printable ASCII as it is, \\xNN for all else."""
    return "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02X}" for b in value)


def unescaped(text):
    out, at = bytearray(), 0
    while at < len(text):
        if text.startswith("\\x", at):
            out.append(int(text[at + 2:at + 4], 16))
            at += 4
        else:
            out += text[at].encode()
            at += 1
    return bytes(out)
