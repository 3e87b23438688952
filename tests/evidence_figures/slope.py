"""Numbers about numbers: a slope by least squares, percentiles, and how long a fault shows."""
import math


def least_squares(points):
    """The slope of the line that fits the points (x, y) best; 0 if all have one x."""
    if not points:
        return 0.0
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    return sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0


def after_warming(points, share=0.2):
    """Without the first part of the time."""
    if not points:
        return []
    begin = points[0][0] + share * (points[-1][0] - points[0][0])
    return [point for point in points if point[0] >= begin]


def percentile(values, share):
    """The smallest value that is not below this share of them; None of none."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else None


def recoveries(faults, samples, lag):
    """{kind: seconds from each fault until a sample had this lag or less}. `faults`: (seconds, kind). `samples`: (seconds, lag), in
    order. A fault after which none had is counted with None."""
    found = {}
    for at_s, kind in faults:
        behind = next((i for i, (seconds, _) in enumerate(samples) if seconds >= at_s), len(samples))
        ended = next((seconds for seconds, now in samples[behind:] if now <= lag), None)
        found.setdefault(kind, []).append(None if ended is None else ended - at_s)
    return found


def summary(values):
    """{"p50", "p95", "max", "count", "never"} of seconds, None among them being never."""
    known = [value for value in values if value is not None]
    figures = {"p50": percentile(known, 0.5), "p95": percentile(known, 0.95), "max": max(known, default=None)}
    return {**{name: None if value is None else round(value, 2) for name, value in figures.items()}, "count": len(values),
            "never": len(values) - len(known)}
