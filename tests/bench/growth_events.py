"""Events of rows in random order, each with a name of its own, as many as one likes: nothing is kept of them, so that ten millions are
made as quickly as they are written."""

FIRST_TIMESTAMP, ROUND_MS = 1_482_125_382_000, 1_000_000_000
STRIDE = 2_654_435_761  # prime, so that every row comes once again
EVENT = '{"table":"%s","row":"%08x-%08x","cells":[{"type":"put","column":"f1:to","ts":%d,"value":"%08x"}]}\n'


def mixed(number):
    """A number of 32 bits for each number of 32 bits, none of them twice, in an order that looks random."""
    number = (number ^ number >> 16) * 0x7FEB352D & 0xFFFFFFFF
    number = (number ^ number >> 15) * 0x846CA68B & 0xFFFFFFFF
    return number ^ number >> 16


def lines(table, count, again=False):
    """A follow each. `again`: the same rows once more, in another order and with later times."""
    begin = FIRST_TIMESTAMP + (ROUND_MS if again else 0)
    for number in range(count):
        follower = mixed(number * STRIDE % count if again else number)
        followed = mixed(follower ^ 0x5BD1E995)
        yield EVENT % (table, follower, followed, begin + number, followed)
