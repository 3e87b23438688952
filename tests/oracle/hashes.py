"""The hashes that Python does not have, from their authors' descriptions."""

M32, M64 = 2**32 - 1, 2**64 - 1
P1, P2, P3, P4, P5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rotated(x, by, bits):
    return ((x << by) | (x >> (bits - by))) & (2**bits - 1)


def murmur3(data):
    """x86_32 with seed 0, big-endian."""
    h, whole = 0, len(data) // 4 * 4
    for at in range(0, whole, 4):
        h ^= _scrambled(int.from_bytes(data[at:at + 4], "little"))
        h = (rotated(h, 13, 32) * 5 + 0xE6546B64) & M32
    if data[whole:]:
        h ^= _scrambled(int.from_bytes(data[whole:], "little"))
    h ^= len(data)
    for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35), (16, 1)):
        h = ((h ^ (h >> shift)) * factor) & M32
    return h.to_bytes(4, "big")


def _scrambled(k):
    return (rotated((k * 0xCC9E2D51) & M32, 15, 32) * 0x1B873593) & M32


def _round(lane, word):
    return (rotated((lane + word * P2) & M64, 31, 64) * P1) & M64


def _stripes(data):
    lanes = [(P1 + P2) & M64, P2, 0, -P1 & M64]
    at = 0
    while at + 32 <= len(data):
        lanes = [_round(lane, int.from_bytes(data[at + 8 * i:at + 8 * i + 8], "little")) for i, lane in enumerate(lanes)]
        at += 32
    h = sum(rotated(lane, by, 64) for lane, by in zip(lanes, (1, 7, 12, 18))) & M64
    for lane in lanes:
        h = ((h ^ _round(0, lane)) * P1 + P4) & M64
    return h, at


def xxh64(data):
    """Seed 0, big-endian."""
    h, at = _stripes(data) if len(data) >= 32 else (P5, 0)
    h = (h + len(data)) & M64
    while at + 8 <= len(data):
        h = (rotated(h ^ _round(0, int.from_bytes(data[at:at + 8], "little")), 27, 64) * P1 + P4) & M64
        at += 8
    if at + 4 <= len(data):
        h = (rotated(h ^ (int.from_bytes(data[at:at + 4], "little") * P1 & M64), 23, 64) * P2 + P3) & M64
        at += 4
    for byte in data[at:]:
        h = (rotated(h ^ (byte * P5 & M64), 11, 64) * P1) & M64
    for shift, factor in ((33, P2), (29, P3), (32, 1)):
        h = ((h ^ (h >> shift)) * factor) & M64
    return h.to_bytes(8, "big")
