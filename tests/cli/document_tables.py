"""Three tables as people have them, made by a seed: change events of Debezium kept as documents, times as text, and documents with
any names. Each row is what a program in Python would write with json, base64 and datetime."""
import base64
import json
import random
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from zoneinfo import ZoneInfo

UTC = timezone.utc
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = datetime(2023, 1, 1, tzinfo=UTC)
ZONES = [ZoneInfo(name) for name in ("Asia/Shanghai", "America/New_York", "Europe/Berlin", "Asia/Kolkata", "Australia/Lord_Howe")]
NAMES = ("Ann", "Bob O'Neil", "关注", "Zoë", "Ångström", "Иван", "Łukasz", "محمد", "🙂 smile", "Müller, \"Hans\"", "tab\\slash")
STATES = ("open", "paid", "sent", "back")
CITIES = ("北京", "São Paulo", "Tromsø", "New York", "Köln", "Rīga")
METHODS = ("GET", "PUT", "POST", "DELETE")


def micros(at):
    return (at - EPOCH) // timedelta(microseconds=1)


def millis(at):
    """Since 1970, cut as the index's own times are."""
    return micros(at) // 1000


def unscaled(number, scale):
    """Base64 as Debezium writes a decimal of this scale by default."""
    whole = int(number.scaleb(scale))
    width = (whole + (whole < 0)).bit_length() // 8 + 1
    return base64.b64encode(whole.to_bytes(width, "big", signed=True)).decode()


def text_with_fraction(at, digits):
    """As Instant.toString and others: `digits` of the fraction, 0 none."""
    whole, offset = at.strftime("%Y-%m-%dT%H:%M:%S"), at.strftime("%z")
    fraction = "." + ("%06d" % at.microsecond)[:digits] if digits else ""
    return whole + fraction + ("Z" if at.tzinfo is UTC else offset[:3] + ":" + offset[3:])


class Rows:
    """The rows of one table: `cells(i)` are the cells of row i by column, `facts(i)` what the test knows of it by itself."""

    def __init__(self, count, seed):
        self.count, self.seed = count, seed

    def random(self, i):
        return random.Random("%s %s %d" % (type(self).__name__, self.seed, i))

    def key(self, i):
        return "%s%07d" % (self.PREFIX, i)


class Changes(Rows):
    """Envelopes of a connector for MySQL, one document a row: the newest change of each order."""
    PREFIX, NAME, FAMILY = "o", "changes", "d"

    def row_of_database(self, i, state):
        r = self.random(i)
        at = FIRST + timedelta(microseconds=r.randrange(60 * 10**12))
        return {"id": i, "customer": r.choice(NAMES) + " %d" % r.randrange(self.count), "status": state,
                "amount": str(Decimal(r.randrange(-10**5, 10**7)).scaleb(-2)), "fee": unscaled(Decimal(r.randrange(-3 * 10**4, 10**6)).scaleb(-2), 2),
                "ordered_at": micros(at), "shipped_at": millis(at) + r.randrange(10**9) if i % 5 else None,
                "due": (at - EPOCH).days + r.randrange(90), "changed": text_with_fraction(at, r.choice((0, 3, 6))),
                "rate": r.choice((0.5, 1.25, 2e-05, 3.75, 1e3)) * r.randrange(1, 999), "paid": i % 3 == 0, "note": "" if i % 7 else "关注 it's"}

    def envelope(self, i):
        updated = i % 3 == 1
        before = self.row_of_database(i, "open") if updated else None
        after = self.row_of_database(i, STATES[i % 4] if updated else "open")
        ts = 1_700_000_000_000 + i * 7
        source = {"version": "2.5.0.Final", "connector": "mysql", "name": "shop", "ts_ms": ts, "snapshot": "false", "db": "shop",
                  "sequence": None, "table": "orders", "server_id": 223344, "gtid": None, "file": "mysql-bin.%06d" % (3 + i // 5000),
                  "pos": 154 + i % 5000 * 311, "row": 0, "thread": 7, "query": None}
        return {"before": before, "after": after, "source": source, "op": "u" if updated else "c", "ts_ms": ts + 12, "transaction": None}

    def cells(self, i):
        return {"d:change": json.dumps(self.envelope(i), ensure_ascii=i % 2 == 0)}

    def facts(self, i):
        envelope = self.envelope(i)
        after = envelope["after"]
        return {**after, "op": envelope["op"], "ts_ms": envelope["ts_ms"], "amount": Decimal(after["amount"]), "pos": envelope["source"]["pos"],
                "ordered_at": after["ordered_at"] // 1000, "due_day": after["due"] * 86_400_000, "rate": Decimal(json.dumps(after["rate"])),
                "changed": millis(datetime.fromisoformat(after["changed"]))}


class Times(Rows):
    """Instants as text, as several programs write them: one kind a column."""
    PREFIX, NAME, FAMILY = "v", "times", "t"

    def instant(self, i):
        return FIRST + timedelta(microseconds=self.random(i).randrange(60 * 10**12))

    def cells(self, i):
        r, at = self.random(-1 - i), self.instant(i)
        zone = ZONES[i % len(ZONES)]
        local = at.astimezone(ZONES[2]).replace(tzinfo=None)
        return {"t:utc": text_with_fraction(at, 0), "t:fraction": text_with_fraction(at, r.choice((0, 1, 3, 6))),
                "t:offset": text_with_fraction(at.astimezone(zone), r.choice((0, 3, 6))),
                "t:blank": text_with_fraction(at, 6).replace("T", " ").replace("Z", "+00"),
                "t:local": local.isoformat(timespec="milliseconds"), "t:day": at.strftime("%Y-%m-%d"),
                "t:ms": str(millis(at)), "t:s": str(micros(at) // 10**6), "t:us": str(micros(at)), "t:ns": str(micros(at) * 1000),
                "t:http": at.strftime("%a, %d %b %Y %H:%M:%S GMT"), "t:page": r.choice(NAMES) + "/%d" % r.randrange(self.count)}

    def facts(self, i):
        cells = self.cells(i)
        def parsed(name):
            return millis(datetime.fromisoformat(cells["t:" + name].replace(" ", "T")))
        local = millis(datetime.fromisoformat(cells["t:local"]).replace(tzinfo=UTC))
        return {"utc": parsed("utc"), "fraction": parsed("fraction"), "offset": parsed("offset"), "blank": parsed("blank"), "local": local,
                "day": cells["t:day"], "ms": int(cells["t:ms"]), "s": int(cells["t:s"]) * 1000, "us": int(cells["t:us"]) // 1000,
                "ns": int(cells["t:ns"]) // 10**6, "http": cells["t:http"], "page": cells["t:page"]}


class Documents(Rows):
    """Requests of a shop as a service logs them."""
    PREFIX, NAME, FAMILY = "d", "documents", "d"

    def document(self, i):
        r = self.random(i)
        at = FIRST + timedelta(milliseconds=r.randrange(60 * 10**9))
        items = [{"sku": "sku-%d" % r.randrange(self.count), "qty": r.randrange(1, 9), "price": str(Decimal(r.randrange(1, 10**5)).scaleb(-2))}
                 for _ in range(i % 4)]
        return {"http.method": METHODS[i % 4], "user name": r.choice(NAMES) + " %d" % r.randrange(self.count), "名字": r.choice(CITIES) + str(i % 97),
                "user": {"name": "user%d" % r.randrange(self.count), "address": {"city": r.choice(CITIES), "zip": "%05d" % r.randrange(10**5)}},
                "items": items, "tags": sorted({"tag%d" % r.randrange(200) for _ in range(i % 3)}), "total": str(Decimal(r.randrange(-10**4, 10**6)).scaleb(-2)),
                "count": str(r.randrange(-50, 10**4)), "serial": r.randrange(10**18, 10**20), "score": r.random() * 10.0 ** r.randrange(-8, 4),
                "active": i % 2 == 0, "at": text_with_fraction(at.astimezone(ZONES[i % len(ZONES)]), 3), "nothing": None}

    def cells(self, i):
        indent = 1 if i % 10 == 0 else None
        return {"d:doc": json.dumps(self.document(i), ensure_ascii=i % 2 == 0, indent=indent)}

    def facts(self, i):
        document = self.document(i)
        user = document["user"]
        return {"http.method": document["http.method"], "user name": document["user name"], "名字": document["名字"], "user.name": user["name"],
                "user.address.city": user["address"]["city"], "user.address.zip": user["address"]["zip"],
                "items.sku": [item["sku"] for item in document["items"]], "tags": document["tags"], "total": Decimal(document["total"]),
                "count": int(document["count"]), "serial": document["serial"], "score": Decimal(json.dumps(document["score"])),
                "at": millis(datetime.fromisoformat(document["at"]))}
