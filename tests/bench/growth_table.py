"""What tests/bench/growth measured, as rows, and whether they are flat."""
import dataclasses

RAW_PUTS = "raw"  # in place of a mode: putMultiple alone
KINDS = ("new rows", "known rows, after a restart")


@dataclasses.dataclass
class Row:
    """One run of one daemon, or of raw puts. `rate`: events/s; `cpu_us`: of an event, by process."""
    store: str
    mode: str
    kind: str
    events: int
    rate: float
    cpu_us: dict
    peak_mib: float

    def group(self):
        return self.store, self.mode, self.kind


def groups(rows):
    """The rows that differ in their size only, the smallest first."""
    found = {}
    for row in rows:
        found.setdefault(row.group(), []).append(row)
    return {group: sorted(of_it, key=lambda row: row.events) for group, of_it in found.items()}


def flatness(rows):
    """What is left of the rate of the smallest size at the largest; None: there is one size only."""
    smallest, largest = min(rows, key=lambda row: row.events), max(rows, key=lambda row: row.events)
    return largest.rate / smallest.rate if largest.events > smallest.events else None


def table(rows):
    """Lines."""
    servers = list(dict.fromkeys(name for row in rows for name in row.cpu_us if name != "own"))
    lines = ["%-9s %-9s %-28s %10s %10s %8s   CPU us an event: %s" % ("store", "mode", "", "events", "events/s", "peak MiB",
                                                                     ", ".join(["own", *servers]))]
    for of_it in groups(rows).values():
        lines += [line(row, servers) for row in of_it]
        left = flatness(of_it)
        if left is not None:
            lines.append("%46s rate at the largest size: %.2f of that at the smallest" % ("", left))
    return lines


def line(row, servers):
    cpu = " ".join("%6.1f" % row.cpu_us[name] if name in row.cpu_us else "%6s" % "-" for name in ["own", *servers])
    return "%-9s %-9s %-28s %10d %10.0f %8.0f   %16s %s" % (row.store, row.mode, row.kind, row.events, row.rate, row.peak_mib, "", cpu)
