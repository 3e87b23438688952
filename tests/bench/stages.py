"""Where the time of a change goes between HBase's log and the index, from the histograms that capture and daemon show at /metrics.
Means add up; of the shares at 99 % each counts for itself. What a capture shows counts calls, what a daemon shows events and batches: the
stages are true where a call and a batch have one event each, as of a steady load that the servers bear easily."""
import dataclasses
import re

CAPTURE_DELAY, CALL, EVENT_DELAY, PHASE = ("fensi_capture_delay_seconds", "fensi_capture_call_seconds", "fensi_event_delay_seconds",
                                           "fensi_phase_seconds")
WRITES = ("write_puts", "write_states")
PHASES = ("decode", "read_state", "plan", "read_source", "write_intents", "changelog", "write_puts", "write_deletes", "write_states", "dead_letters")


@dataclasses.dataclass
class Histogram:
    """Cumulative counts by upper bound in seconds, ascending, with that of all at the end (its bound is infinite)."""
    buckets: list
    total: float

    @property
    def count(self):
        return self.buckets[-1][1] if self.buckets else 0

    def since(self, before):
        if not before.buckets:
            return self
        return Histogram([(bound, count - old) for (bound, count), (_, old) in zip(self.buckets, before.buckets)],
                         self.total - before.total)

    def mean_ms(self):
        return 1000 * self.total / self.count if self.count else 0.0

    def at_ms(self, share):
        """Where that share of all lies, as if each bucket were full evenly. None: above all bounds, or there is nothing."""
        wanted, low, below = share * self.count, 0.0, 0
        for bound, count in self.buckets[:-1]:
            if count and count >= wanted:
                return 1000 * (low + (bound - low) * (wanted - below) / max(1, count - below))
            low, below = bound, count
        return None


def histogram(text, name, label=""):
    """The one series of that name whose labels have the text."""
    lines = [(labels, float(value)) for labels, value in re.findall(r"^%s_bucket\{([^}]*)\} (\S+)" % name, text, re.M) if label in labels]
    buckets = [(float(re.search(r'(?:^|,)le="([^"]+)"', labels).group(1).replace("+Inf", "inf")), value) for labels, value in lines]
    totals = [float(value) for labels, value in re.findall(r"^%s_sum(\{[^}]*\})? (\S+)" % name, text, re.M) if label in labels]
    return Histogram(sorted(buckets), sum(totals))


class Shown:
    """What was observed between two looks at /metrics of a capture and of a daemon."""

    def __init__(self, before, after):
        self._before, self._after = before, after
        self.delay, self.call = self._of(0, CAPTURE_DELAY), self._of(0, CALL)
        self.since_write = self._of(1, EVENT_DELAY, 'since="write"')
        self.since_append = self._of(1, EVENT_DELAY, 'since="append"')
        self.phases = {phase: self._of(1, PHASE, 'phase="%s"' % phase) for phase in PHASES}

    def _of(self, process, name, label=""):
        return histogram(self._after[process], name, label).since(histogram(self._before[process], name, label))


def means(shown):
    """(stage, milliseconds). Kafka's time of a message is when the capture handed it over; HBase's and Kafka's times are whole
    milliseconds, so that a stage may be short of, or have, half of one too much."""
    handed = shown.since_write.mean_ms() - shown.since_append.mean_ms()
    arrived = shown.delay.mean_ms() - shown.call.mean_ms()
    acknowledged = shown.call.mean_ms() - (handed - arrived)
    phases = {phase: found.mean_ms() for phase, found in shown.phases.items()}
    batch = sum(phases.values())
    rest = batch - sum(phases[phase] for phase in WRITES)
    return [("HBase: in its log -> the call has come to the capture", arrived),
            ("capture: -> handed to Kafka", handed - arrived),
            ("Kafka: -> acknowledged to the capture", acknowledged),
            ("daemon: -> its batch begins (fetch, queue)", shown.since_append.mean_ms() - acknowledged - batch),
            ("daemon: plans and reads", rest),
            *(("gateway: " + phase, phases[phase]) for phase in WRITES)]


def table(shown):
    """Lines."""
    whole = shown.since_write.mean_ms()
    lines = ["%-58s %8s %6s" % ("stage", "mean ms", "share")]
    lines += ["%-58s %8.2f %5.0f%%" % (stage, took, 100 * took / whole if whole else 0) for stage, took in means(shown)]
    lines.append("%-58s %8.2f   (%d events)" % ("in HBase's log -> acknowledged in the index", whole, shown.since_write.count))
    lines.append("%-58s %8s %8s" % ("each for itself, by its histogram", "p50 ms", "p99 ms"))
    lines += ["%-58s %8s %8s" % (name, number(found.at_ms(0.5)), number(found.at_ms(0.99))) for name, found in parts(shown)]
    return lines


def parts(shown):
    return [("in HBase's log -> acknowledged by Kafka", shown.delay), ("the capture's calls, frame to answer", shown.call),
            ("handed to Kafka -> acknowledged in the index", shown.since_append),
            *(("the daemon's " + phase, shown.phases[phase]) for phase in WRITES),
            ("in HBase's log -> acknowledged in the index", shown.since_write)]


def number(value):
    return "-" if value is None else "%.1f" % value


def percentiles(line):
    """{"p50": ms, ...} of what capture_bench printed."""
    return {name: float(value) for name, value in re.findall(r"(p\d+) ([\d.]+) ms", line)}
