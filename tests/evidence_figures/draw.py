"""Faults drawn by a seed: the same seed gives the same faults at the same times, whatever happens meanwhile."""
import dataclasses
import random

# Of a hundred faults.
WEIGHTS = {
    "kill a daemon": 35,
    "pause a daemon": 15,
    "kill a capture": 10,
    "reset connections": 10,
    "hold connections": 10,
    "kill the gateway": 4,
    "kill a region server": 4,
    "move a region": 2,
    "split a region": 2,
    "merge regions": 1,
    "flush": 2,
    "major compaction": 1,
    "kill Kafka": 2,
    "kill HBase": 2,
}
LEAST_S, MOST_S = 4.0, 5.0  # between two


@dataclasses.dataclass(frozen=True)
class Fault:
    """`at_s`: from the beginning. `choice`: a number by which the fault finds its victim."""
    at_s: float
    kind: str
    choice: int


def faults(seed, seconds, weights=None, least_s=LEAST_S, most_s=MOST_S):
    """In order, all before the end."""
    draw, weights = random.Random(seed), weights or WEIGHTS
    at_s, found = draw.uniform(least_s, most_s), []
    while at_s < seconds:
        (kind,) = draw.choices(list(weights), list(weights.values()))
        found.append(Fault(round(at_s, 3), kind, draw.randrange(1 << 30)))
        at_s += draw.uniform(least_s, most_s)
    return found


def order(seed, items):
    """All of them in the order that the seed draws."""
    shuffled = list(items)
    random.Random(seed).shuffle(shuffled)
    return shuffled


def seed_of(seed, name):
    """Of one figure, so that it does not depend on which others run."""
    return random.Random("%d/%s" % (seed, name)).randrange(1, 1_000_000)
