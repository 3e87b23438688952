"""Times of any year as text and back, without the limits of Python's datetime."""
import datetime
import re
import zoneinfo

from values import need

DAY = 86400 * 1000
FIRST_S = -62135596800 + 2 * 86400
LAST_S = 253402300800 - 2 * 86400
WIDTHS = {"Y": 4, "m": 2, "d": 2, "H": 2, "M": 2, "S": 2, "L": 3}


def leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_days(year, month):
    return 29 if month == 2 and leap(year) else (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)[month - 1]


def days_before_year(year):
    """Days from 1970-01-01 to the first of January."""
    def before(y):
        return 365 * y + (y - 1) // 4 - (y - 1) // 100 + (y - 1) // 400
    return before(year) - before(1970)


def civil(days):
    year = 1970 + (days // 366 if days >= 0 else days // 365 - 1)
    while days_before_year(year + 1) <= days:
        year += 1
    rest, month = days - days_before_year(year), 1
    day_of_year = rest + 1
    while rest >= month_days(year, month):
        rest -= month_days(year, month)
        month += 1
    return year, month, rest + 1, day_of_year


def offset_ms(zone, ms):
    """What the clocks there show beyond UTC at an instant."""
    if zone == "UTC":
        return 0
    if "/" in zone:
        # Beyond the years that Python knows nothing changes for a day.
        seconds = min(max(ms // 1000, FIRST_S), LAST_S)
        local = datetime.datetime.fromtimestamp(seconds, zoneinfo.ZoneInfo(zone))
        return int(local.utcoffset().total_seconds()) * 1000
    return (1 if zone[0] == "+" else -1) * (int(zone[1:3]) * 60 + int(zone[4:6])) * 60000


def instant(local, zone):
    """When the clocks there showed it, the first time."""
    if "/" not in zone:
        return local - offset_ms(zone, local)
    seconds = min(max(local // 1000, FIRST_S), LAST_S)
    shown = datetime.datetime(1970, 1, 1, tzinfo=zoneinfo.ZoneInfo(zone)) + datetime.timedelta(seconds=seconds)
    ms = local - int(shown.utcoffset().total_seconds()) * 1000
    need(ms + offset_ms(zone, ms) == local)  # otherwise they were set forward over it
    return ms


def written(ms, form, zone="UTC"):
    ms += offset_ms(zone, ms)
    need(days_before_year(0) * DAY <= ms < days_before_year(10000) * DAY)
    (year, month, day, of_year), rest = civil(ms // DAY), ms % DAY
    fields = {"Y": f"{year:04}", "m": f"{month:02}", "d": f"{day:02}", "H": f"{rest // 3600000:02}",
              "M": f"{rest // 60000 % 60:02}", "S": f"{rest // 1000 % 60:02}", "L": f"{rest % 1000:03}",
              "j": f"{of_year:03}", "y": f"{year % 100:02}", "%": "%"}
    return re.sub("%(.)", lambda field: fields[field[1]], form).encode()


def read(text, form, zone="UTC"):
    pattern = re.sub("%(.)|(.)", lambda m: f"(?P<{m[1]}>[0-9]{{{WIDTHS[m[1]]}}})" if m[1] else re.escape(m[2]), form)
    found = re.fullmatch(pattern.encode(), text, re.DOTALL)
    need(found)
    f = {"Y": 1970, "m": 1, "d": 1, "H": 0, "M": 0, "S": 0, "L": 0, **{k: int(v) for k, v in found.groupdict().items()}}
    need(1 <= f["m"] <= 12 and 1 <= f["d"] <= month_days(f["Y"], f["m"]))
    need(f["H"] < 24 and f["M"] < 60 and f["S"] < 60)
    days = days_before_year(f["Y"]) + sum(month_days(f["Y"], m) for m in range(1, f["m"])) + f["d"] - 1
    return instant(days * DAY + f["H"] * 3600000 + f["M"] * 60000 + f["S"] * 1000 + f["L"], zone)
