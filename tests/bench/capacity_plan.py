"""What follows from the measured capacity of a daemon: the numbers beside the rules of docs/sizing.md, "Plan the capacity"."""
import dataclasses
import math

HOUR_S, DAY_S = 3600, 86_400
LEAST_RETENTION_DAYS = 7
MACHINE = "machine"
FULL = 0.9  # of all cores


@dataclasses.dataclass
class Measured:
    """Of one daemon at work: `capacity` in events/s; the others for an event."""
    capacity: float
    put: float
    removed: float
    states_read: float
    rows_read: float
    peak_mib: float


@dataclasses.dataclass
class Wish:
    """What somebody plans for. `inflow`: events/s of the whole stream."""
    inflow: float
    outage_h: float = 24
    indexes: int = 1
    connections: int = 4


def limit(cores, count):
    """What keeps the rate from being higher, in words. `cores`: how many were busy, by process, and of the machine, which has `count`."""
    if cores[MACHINE] >= FULL * count:
        ours = {name: busy for name, busy in cores.items() if name != MACHINE}
        others = cores[MACHINE] - sum(ours.values())
        if others > (1 - FULL) * count:
            return "the machine is full, with %.1f cores for the bench itself and strangers" % others
        return "the machine is full, %s has most of it" % max(ours, key=ours.get)
    return "the machine has %.1f idle cores: processes wait for each other" % (count - cores[MACHINE])


def daemons(measured, wish):
    """Enough to apply twice the inflow."""
    return max(1, math.ceil(2 * wish.inflow / measured.capacity))


def catch_up_s(backlog, capacity, inflow):
    """Infinite if the capacity is not above the inflow."""
    return backlog / (capacity - inflow) if capacity > inflow else math.inf


def retention_days(measured, wish):
    capacity = daemons(measured, wish) * measured.capacity
    outage_s = wish.outage_h * HOUR_S
    needed_s = outage_s + catch_up_s(outage_s * wish.inflow, capacity, wish.inflow)
    return max(LEAST_RETENTION_DAYS, math.ceil(needed_s / DAY_S))


def lag_threshold(measured):
    """KEDA's: the events that a daemon applies in a minute."""
    return int(measured.capacity * 60)


def rows(measured, wish):
    """(plan, rule, here)"""
    count = daemons(measured, wish)
    capacity = count * measured.capacity
    written, read = measured.put + measured.removed + 1, measured.states_read + measured.rows_read
    outage_events = wish.outage_h * HOUR_S * wish.inflow
    return [
        ("daemons", "enough to apply twice the inflow",
         "%d for %s events/s; one applies %s" % (count, number(wish.inflow), number(measured.capacity))),
        ("partitions", "at least twice the daemons that you may ever want", "%d or more" % (2 * count)),
        ("HBase", "events × (entries put + removed + 1 state) writes, and reads of states and rows",
         "%s cells/s written, %s rows/s read" % (number(wish.inflow * written), number(wish.inflow * read))),
        ("gateway workers", "daemons × indexes × `--connections`",
         "%d of the `hbase.thrift.maxWorkerThreads` of all gateways together" % (count * wish.indexes * wish.connections)),
        ("region servers, with `hbase://`", "daemons × indexes connections to each server",
         "%d to each, with at most 32 calls in flight each" % (count * wish.indexes)),
        ("memory", "peak of the process × 1.5, as the limit of a container", "%.0f MiB; the peak was %.0f MiB"
         % (1.5 * measured.peak_mib, measured.peak_mib)),
        ("retention", "the longest outage plus the time to catch up, at least %d days" % LEAST_RETENTION_DAYS,
         "%d days for an outage of %s h" % (retention_days(measured, wish), number(wish.outage_h))),
        ("catch up", "backlog ÷ (capacity − inflow)",
         "%.1f h after %s h" % (catch_up_s(outage_events, capacity, wish.inflow) / HOUR_S, number(wish.outage_h))),
        ("KEDA's `lagThreshold`", "the events that a daemon applies in a minute", str(lag_threshold(measured))),
    ]


def number(value):
    return "{:,.0f}".format(value) if value >= 10 or value == int(value) else "%.2g" % value


def table(measured, wish):
    lines = ["| plan | rule | here |", "|---|---|---|"] + ["| %s |" % " | ".join(row) for row in rows(measured, wish)]
    return "\n".join(lines)
