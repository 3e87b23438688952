"""Tables that Apache Phoenix makes and fills, the indexes over them, and what Phoenix' SQL says that they must show."""
import datetime
import json
import os
import random
import re
import struct
from decimal import Decimal

from . import stack
from .phoenix import array, items_of
from .program import fensi_ok

EPOCH = datetime.datetime(1970, 1, 1)
# The table is asked and not an index of Phoenix over it: in one, Phoenix 5.2.1 takes a null of an INCLUDE column for a value.
SELECT = "SELECT /*+ NO_INDEX */"
RANGES, VALUES = 3, 4  # of each index, how many are looked up


def written_time(text):
    """Milliseconds as fensi is given and shows them."""
    return (EPOCH + datetime.timedelta(milliseconds=int(text.split(".")[0]))).isoformat(timespec="milliseconds") + "Z"


def single(text):
    return struct.unpack("f", struct.pack("f", float(text)))[0]


# What a text of Phoenix or of fensi stands for, so that 19.90 is 19.9. fensi keeps a timestamp without its nanoseconds.
MEANING = {"int": int, "decimal": Decimal, "real": float, "single": single, "text": str, "time": lambda text: int(text.split(".")[0])}


def bytes_of(shown):
    """Of a value that fensi shows."""
    return re.sub(rb"\\x([0-9A-F]{2})", lambda code: bytes.fromhex(code[1].decode()), shown.encode())


class Column:
    """Of an index: the template of its value, the SQL of the same, and what both give."""

    def __init__(self, sql, template, kind):
        self.sql, self.template, self.kind = sql, template, kind

    def meaning(self, text):
        return None if text is None else MEANING[self.kind](text)

    def bound(self, text):
        """A value of Phoenix as `fensi lookup` is given it."""
        if self.kind == "time":
            return written_time(text)
        return text.replace("\\", "\\x5C").replace("\0", "\\x00") if self.kind == "text" else text

    def exact(self, text):
        """The same as a bound: fensi compares doubles, where Phoenix compares floats."""
        return repr(single(text)) if self.kind == "single" else self.bound(text)


class Index:
    """`key`: the column whose value is the first part of the row template, or that behind the one in `front`. No `where`: each row has an
    entry."""

    def __init__(self, table, name, row, order, columns, key, where="", front=None, lines="", ranges=RANGES):
        self.name, self.mapping = name, table.mapping
        self._table, self._row, self._order, self._where, self._lines = table, row, order, where, lines
        self.columns, self._key, self._front, self._ranges = columns, key, front, ranges

    def text(self):
        # Where {row} is not in the row key, it is here: a lookup can then be given the fields of Phoenix' key.
        end = "" if "{row}" in self._row else "{row}"
        columns = "".join("      'i:%02d%s': '%s'\n" % (number, end, column.template) for number, column in enumerate(self.columns))
        return ("  %s:\n    table: %s\n    row: '%s'\n    columns:\n%s    create: { families: { i: { versions: 1 } } }\n"
                "    ignore_warnings: [growing-key, key-width]\n%s" % (self.name, self.name, self._row, columns, self._lines))

    def _asked(self, condition="", *values):
        conditions = " AND ".join(filter(None, (self._where, condition)))
        return self._table.phoenix.run("%s %s FROM %s%s ORDER BY %s" % (
            SELECT, ", ".join(column.sql for column in self.columns), self._table.name, conditions and " WHERE " + conditions, self._order), *values)

    def _said(self, *question):
        return [tuple(column.meaning(text) for column, text in zip(self.columns, row)) for row in self._asked(*question)]

    def _looked_up(self, *words):
        flags = [word for word in words if word.startswith("--")]
        parts = [word[1:] for word in words if not word.startswith("--")]
        rows = {}
        for line in fensi_ok("lookup", "--store", stack.hbase_url(), "-o", "jsonl", *flags, "--", self.mapping, self.name, *parts).stdout.splitlines():
            cell = json.loads(line)
            rows.setdefault(cell["row"], {})[int(cell["column"][2:4])] = bytes_of(cell["value"]).decode()
        return [tuple(column.meaning(cells.get(number)) for number, column in enumerate(self.columns)) for cells in rows.values()]

    def all(self):
        """What the index shows, and what Phoenix says; both in their order."""
        return self._looked_up(), self._said()

    def shown(self):
        return dict.fromkeys(self._looked_up(), True)

    def said(self):
        return dict.fromkeys(self._said(), True)

    def parts(self):
        """Lookups of values and of ranges: (words, what the index shows, what Phoenix says)."""
        chance = random.Random(self.name)
        front = chance.choice(self._values(self._front)) if self._front else None
        words = ["=" + self._front.bound(front)] if front else []
        given = [front] if front else []
        condition = self._front.sql + " = ? AND " if front else ""
        values = self._values(self._key)
        for value in chance.sample(values, min(len(values), VALUES)):
            question = (condition + self._key.sql + " = ?", *given, value)
            yield value, self._looked_up(*words, "=" + self._key.bound(value)), self._said(*question)
        for _ in range(self._ranges):
            low, high = sorted(chance.sample(range(len(values)), 2))
            bounds = ["--from=" + self._key.exact(values[low]), "--to=" + self._key.exact(values[high])]
            question = (condition + "%s >= ? AND %s < ?" % (self._key.sql, self._key.sql), *given, values[low], values[high])
            yield bounds, self._looked_up(*words, *bounds), self._said(*question)

    def _values(self, column):
        """All of a column, in Phoenix' order. Phoenix takes an empty text for a null, also that of a CHAR of blanks."""
        conditions = " AND ".join(filter(None, (self._where, column.sql + " IS NOT NULL")))
        rows = self._table.phoenix.run("%s DISTINCT %s FROM %s WHERE %s ORDER BY %s" % (SELECT, column.sql, self._table.name, conditions, column.sql))
        return [value for value, in rows if value]


class ArrayIndex(Index):
    """An entry for each item of an ARRAY, the first column. Phoenix gives arrays, and says which have an item."""

    def __init__(self, table, name, row, order, columns, array_column, lines):
        super().__init__(table, name, row, order, columns, columns[0], lines=lines)
        self._array = array_column

    def _asked_for(self, expressions, condition, *values):
        return self._table.phoenix.run("%s %s FROM %s WHERE %s ORDER BY %s" % (
            SELECT, ", ".join(expressions), self._table.name, condition, self._order), *values)

    def _rest(self, row):
        return tuple(column.meaning(text) for column, text in zip(self.columns[1:], row))

    def _sql(self):
        return [column.sql for column in self.columns[1:]]

    def _said(self):
        rows = self._asked_for([self._array, *self._sql()], self._array + " IS NOT NULL")
        entries = [(self.columns[0].meaning(item), place, self._rest(row[1:]))
                   for place, row in enumerate(rows) for item in set(items_of(row[0])) if item is not None]
        return [(item, *rest) for item, _, rest in sorted(entries)]

    def parts(self):
        chance = random.Random(self.name)
        items = sorted({entry[0] for entry in self._said()})
        for item in chance.sample(items, VALUES):
            rows = self._asked_for(self._sql(), "? = ANY(%s)" % self._array, item)
            yield item, self._looked_up("=" + self.columns[0].bound(str(item))), [(item, *self._rest(row)) for row in rows]


class Table:
    """Of Phoenix. `source`: its name in HBase."""
    name = source = ""

    def __init__(self, connection, folder):
        self.phoenix = connection
        self.mapping = os.path.join(folder, self.name + ".yaml")
        self.random = random.Random(self.name)
        self.indexes = []  # from make() on

    def make(self, rows):
        """The table with so many rows, and the indexes over it."""
        self.create()
        self.fill(rows)
        self.indexes = self.make_indexes()

    def write_mapping(self):
        with open(self.mapping, "w", encoding="utf-8") as out:
            out.write("source: %s\nindexes:\n%s" % (self.source, "".join(index.text() for index in self.indexes)))
        return self.mapping

    def replicate(self):
        self.phoenix.run("ALTER TABLE %s SET REPLICATION_SCOPE = 1" % self.name)

    def upsert(self, columns, rows):
        self.phoenix.run("UPSERT INTO %s(%s) VALUES (%s)" % (self.name, ", ".join(columns), ", ".join("?" * len(columns))),
                         *[value for row in rows for value in row])


# Values of each kind, at the ends of their ranges and between.

def whole(bits, unsigned=False):
    least, most = (0, 2 ** (bits - 1) - 1) if unsigned else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
    some = [least, most, 0, 1, 10, 32, 100] + ([] if unsigned else [-1, -10, least + 1])
    return lambda chance: chance.choice(some) if chance.random() < 0.4 else chance.randint(least, most) >> chance.randrange(bits)


def real(some, unsigned=False, limit=300):
    def draw(chance):
        if chance.random() < 0.4:
            return chance.choice(some)
        number = chance.uniform(0 if unsigned else -1, 1) * 10.0 ** chance.uniform(-limit, limit)
        return repr(number if limit > 38 else single(number))
    return draw


DECIMALS = ["0", "0.00", "1", "-1", "10", "100", "-100", "0.1", "-0.1", "19.9", "19.90", "-19.9", "0.000000000000000000000000000001",
            "-0.000000000000000000000000000001", "12345678901234567890.12345678", "-12345678901234567890.12345678",
            "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "1000000000000000000000000000000"]


def decimal(digits=30, scale=20, some=()):
    def draw(chance):
        if some and chance.random() < 0.4:
            return chance.choice(some)
        number = chance.randint(-10 ** chance.randint(1, digits), 10 ** chance.randint(1, digits))
        return format(Decimal(number).scaleb(-chance.randint(0, scale)), "f")
    return draw


TIMES = [0, 1, -1, 999, -1000, 1_482_125_382_074, -62_135_596_800_000, 253_402_300_799_999, 951_782_400_000]


def instant(unsigned=False, nanos=False):
    def draw(chance):
        number = chance.choice(TIMES) if chance.random() < 0.3 else chance.randint(-2 ** 43, 2 ** 43) >> chance.randrange(20)
        return "%d%s" % (abs(number) if unsigned else number, ".%d" % chance.randint(1, 999_999) if nanos and chance.random() < 0.5 else "")
    return draw


def text(letters, longest):
    return lambda chance: "".join(chance.choice(letters) for _ in range(chance.randint(1, longest)))


class Types(Table):
    """A column of each type. Qualifiers are the names of the columns."""
    name = source = "TYPES"
    FLOATS = ["0", "1", "-1", "0.1", "-0.1", "2.5", "3.4028235E38", "-3.4028235E38", "1.4E-45"]
    DOUBLES = ["0", "1", "-1", "0.1", "-0.1", "19.9", "1.7976931348623157E308", "-1.7976931348623157E308", "4.9E-324"]
    COLUMNS = [  # name, type, kind of values, and what draws one
        ("N_BIGINT", "BIGINT", "int", whole(64)), ("N_INTEGER", "INTEGER", "int", whole(32)), ("N_SMALLINT", "SMALLINT", "int", whole(16)),
        ("N_TINYINT", "TINYINT", "int", whole(8)), ("U_LONG", "UNSIGNED_LONG", "int", whole(64, True)),
        ("U_INT", "UNSIGNED_INT", "int", whole(32, True)), ("U_SMALLINT", "UNSIGNED_SMALLINT", "int", whole(16, True)),
        ("U_TINYINT", "UNSIGNED_TINYINT", "int", whole(8, True)), ("R_FLOAT", "FLOAT", "single", real(FLOATS, limit=37)),
        ("R_DOUBLE", "DOUBLE", "real", real(DOUBLES)), ("U_FLOAT", "UNSIGNED_FLOAT", "single", real(["0", "0.1"], True, 37)),
        ("U_DOUBLE", "UNSIGNED_DOUBLE", "real", real(["0", "0.1"], True)), ("PRICE", "DECIMAL", "decimal", decimal(some=DECIMALS)),
        ("MONEY", "DECIMAL(12,2)", "decimal", decimal(9, 2)), ("T_DATE", "DATE", "time", instant()), ("T_TIME", "TIME", "time", instant()),
        ("T_STAMP", "TIMESTAMP", "time", instant(nanos=True)), ("U_DATE", "UNSIGNED_DATE", "time", instant(True)),
        ("U_TIME", "UNSIGNED_TIME", "time", instant(True)), ("U_STAMP", "UNSIGNED_TIMESTAMP", "time", instant(True)),
        ("FLAG", "BOOLEAN", "text", lambda chance: chance.choice(["true", "false"])), ("CODE", "CHAR(5)", "text", text("ab cz09", 5)),
        ("WORD", "VARCHAR", "text", text("ab\x00\x01 \\~äß粉𝄞", 6)),
    ]
    STEPS = {"int": "decimal", "single": "plain", "real": "plain", "decimal": "plain", "time": "millis | decimal"}

    def create(self):
        columns = ", ".join("%s %s" % column[:2] for column in self.COLUMNS)
        self.phoenix.run("CREATE TABLE TYPES (ID BIGINT NOT NULL PRIMARY KEY, %s, F.NOTE VARCHAR) COLUMN_ENCODED_BYTES = 0" % columns)

    def make_indexes(self):
        identity = Column("ID", "{row | phoenix BIGINT | decimal}", "int")
        indexes, values = [], [identity]
        for name, sql_type, kind, _ in self.COLUMNS:
            reading = "0:%s | phoenix %s" % (name, sql_type.split("(")[0])
            steps = self.STEPS.get(kind)
            # Of the same millisecond, fensi keeps the order of the rows.
            sql = "CAST(%s AS DATE)" % name if name == "T_STAMP" else name
            column = Column(sql, "{%s}" % " | ".join(filter(None, (reading, steps))), kind)
            values.append(column)
            end = {"text": " | terminated", "decimal": " | ordered | terminated"}.get(kind, " | ordered")
            indexes.append(Index(self, "types_" + name.lower(), "{%s%s}{row}" % (reading, end), "%s, ID" % sql, [column, identity], column,
                                 name + " IS NOT NULL", ranges=0 if name == "FLAG" else RANGES))
        note = Column("F.NOTE", "{F:NOTE | phoenix VARCHAR}", "text")
        # Each row has the cell _0, also one whose columns are all null.
        indexes.append(Index(self, "types", "{row | phoenix BIGINT | ordered}", "ID", [*values, note], identity, lines="    requires: '0:_0'\n"))
        return indexes

    def rows(self, ids):
        for number in ids:
            sparse = self.random.random()
            values = [None if self.random.random() < sparse / 2 else draw(self.random) for *_, draw in self.COLUMNS]
            yield [number, *values, self.random.choice([None, "x", "y"])]

    def names(self):
        return ["ID", *(column[0] for column in self.COLUMNS), "F.NOTE"]

    def fill(self, rows):
        self.upsert(self.names(), self.rows(range(-rows // 2, rows // 2)))
        self.upsert(["ID"], [[1_000_000]])

    def change(self):
        self.upsert(self.names(), self.rows(range(-40, 40)))
        self.upsert(self.names(), self.rows(range(2000, 2040)))
        self.upsert(["ID", "PRICE", "WORD"], [[number, None, None] for number in range(2000, 2005)])
        self.phoenix.run("UPSERT INTO TYPES(ID, PRICE, U_INT) SELECT ID, MONEY + 1, 7 FROM TYPES WHERE ID % 5 = 0 AND MONEY IS NOT NULL")
        self.phoenix.run("UPSERT INTO TYPES(ID, N_SMALLINT) VALUES (60, 1) ON DUPLICATE KEY UPDATE N_SMALLINT = N_TINYINT, T_DATE = NULL")
        self.phoenix.run("DELETE FROM TYPES WHERE ID % 7 = 0")
        self.phoenix.run("DELETE FROM TYPES WHERE ID IN (2011, 2012)")
        self.upsert(["ID", "PRICE"], [[2012, "-0.5"]])


class Orders(Table):
    """A salted table whose key has fields of every kind, with an index of Phoenix' own beside fensi's."""
    name = source = "ORDERS"
    KEY = 'SALTED VARCHAR(20), DECIMAL(20,4) DESC, TIMESTAMP DESC, VARCHAR DESC, BIGINT'

    def create(self):
        self.phoenix.run("CREATE TABLE ORDERS (CUSTOMER VARCHAR(20) NOT NULL, AMOUNT DECIMAL(20,4) NOT NULL, PLACED TIMESTAMP NOT NULL, "
                         "LABEL VARCHAR, NO BIGINT NOT NULL, STATE CHAR(3), PAID DECIMAL CONSTRAINT PK PRIMARY KEY "
                         "(CUSTOMER, AMOUNT DESC, PLACED DESC, LABEL DESC, NO)) SALT_BUCKETS = 4, COLUMN_ENCODED_BYTES = 0")
        self.phoenix.run("CREATE INDEX ORDERS_BY_STATE ON ORDERS(STATE) INCLUDE (PAID)")

    def make_indexes(self):
        field = 'row | phoenix_key "%s" %%d | phoenix %%s' % self.KEY
        parts = [field % (number, each) for number, each in enumerate(("VARCHAR", "DECIMAL DESC", "TIMESTAMP DESC", "VARCHAR DESC", "BIGINT"))]
        # Phoenix 5.2.1 merges the parts of a salted table wrongly by a descending VARCHAR; an expression has it compare the texts.
        customer, amount, placed, label, number = (
            Column(sql, "{%s%s}" % (part, step), kind) for sql, part, step, kind in zip(
                ("CUSTOMER", "AMOUNT", "CAST(PLACED AS DATE)", "LABEL || ''", "NO"), parts, ("", " | plain", " | millis | decimal", "", " | decimal"),
                ("text", "decimal", "time", "text", "int")))
        paid = Column("PAID", "{0:PAID | phoenix DECIMAL | plain}", "decimal")
        columns = [customer, amount, placed, label, number, paid, Column("STATE", "{0:STATE | phoenix CHAR}", "text")]
        end = "{%s | ordered}" % parts[4]
        always = "    requires: '0:_0'\n"
        return [
            Index(self, "orders_paid", "{0:PAID | phoenix DECIMAL | ordered | terminated}" + end, "PAID, NO", columns, paid, "PAID IS NOT NULL"),
            Index(self, "orders_customer", "{%s | terminated}{%s | ordered | invert}%s" % (parts[0], parts[2], end),
                  "CUSTOMER, CAST(PLACED AS DATE) DESC, NO", columns, placed, front=customer, lines=always),
            Index(self, "orders_amount", "{%s | ordered | terminated}%s" % (parts[1], end), "AMOUNT, NO", columns, amount, lines=always),
            Index(self, "orders_placed", "{%s | ordered}%s" % (parts[2], end), "CAST(PLACED AS DATE), NO", columns, placed, lines=always),
            Index(self, "orders_label", "{%s | terminated}%s" % (parts[3], end), label.sql + ", NO", columns, label, "LABEL IS NOT NULL", lines=always),
        ]

    def rows(self, numbers):
        customers = [text("abcä粉~ ", 8)(random.Random(seed)).strip() + str(seed) for seed in range(8)]
        amount, paid, placed, label = decimal(12, 4), decimal(some=DECIMALS), instant(nanos=True), text("abc~ä\x01", 4)
        for number in numbers:
            chance = self.random
            yield [chance.choice(customers), amount(chance), placed(chance), label(chance) if chance.random() < 0.7 else None, number,
                   chance.choice(["new", "old", "no", None]), paid(chance) if chance.random() < 0.8 else None]

    NAMES = ("CUSTOMER", "AMOUNT", "PLACED", "LABEL", "NO", "STATE", "PAID")

    def fill(self, rows):
        self.upsert(self.NAMES, self.rows(range(rows)))

    def change(self):
        self.upsert(self.NAMES, self.rows(range(5000, 5050)))
        self.phoenix.run("DELETE FROM ORDERS WHERE NO % 6 = 0")
        # Not UPSERT SELECT: in a salted table Phoenix 5.2.1 gives descending fields behind the first one other values.
        key = self.NAMES[:5]
        for condition, state, paid in (("NO % 5 = 0", "new", "-0.5"), ("NO % 9 = 0", None, None)):
            rows = self.phoenix.run("SELECT %s FROM ORDERS WHERE %s" % (", ".join(key), condition))
            self.upsert(self.NAMES, [[*row, state, paid] for row in rows])


class Log(Table):
    """A table of a schema with encoded qualifiers, stored nulls, arrays, and a local index, whose rows are in the table itself."""
    name, source = "SHOP.LOG", "SHOP:LOG"
    KEY = "DATE DESC, CHAR(2), VARCHAR"
    NAMES = ("DAY", "CODE", "NAME", "AMOUNT", "SCORES", "WORDS", "F.NOTE")
    SCORES = [0, -1, 9, 10, 13, 32, 100, 2 ** 31 - 1, -2 ** 31, -1_996_488_704, 538_976_288]  # bytes that are blanks, too

    def create(self):
        self.phoenix.run("CREATE SCHEMA IF NOT EXISTS SHOP")
        self.phoenix.run("CREATE TABLE SHOP.LOG (DAY DATE NOT NULL, CODE CHAR(2) NOT NULL, NAME VARCHAR, AMOUNT DECIMAL, SCORES INTEGER ARRAY, "
                         "WORDS VARCHAR ARRAY, F.NOTE VARCHAR CONSTRAINT PK PRIMARY KEY (DAY DESC, CODE, NAME)) STORE_NULLS = true")
        self.phoenix.run("CREATE LOCAL INDEX LOG_BY_AMOUNT ON SHOP.LOG(AMOUNT)")

    def reference(self, column):
        """As docs/mapping.md says: a column by its bytes."""
        [(family, qualifier)] = self.phoenix.run("SELECT COLUMN_FAMILY, COLUMN_QUALIFIER FROM SYSTEM.CATALOG WHERE TABLE_SCHEM = 'SHOP' AND "
                                                 "TABLE_NAME = 'LOG' AND COLUMN_NAME = ?", column)
        return '%s:"%s"' % (family, "".join("\\x%02X" % byte for byte in qualifier.encode("latin-1")))

    def make_indexes(self):
        field = 'row | phoenix_key "%s" %%d | phoenix %%s' % self.KEY
        amount = Column("AMOUNT", "{%s | phoenix DECIMAL | plain}" % self.reference("AMOUNT"), "decimal")
        key = [Column("DAY", "{%s | millis | decimal}" % field % (0, "DATE DESC"), "time"), Column("CODE", "{%s}" % field % (1, "CHAR"), "text"),
               Column("NAME", "{%s}" % field % (2, "VARCHAR"), "text")]
        columns = [*key, amount, Column("NOTE", "{%s | phoenix VARCHAR}" % self.reference("NOTE"), "text")]
        in_order = "DAY DESC, CODE, NAME"
        each = "    each: '{%s | phoenix_array %s}'\n"
        return [
            Index(self, "log_amount", "{%s | phoenix DECIMAL | ordered | terminated}{row}" % self.reference("AMOUNT"), "AMOUNT, " + in_order,
                  columns, amount, "AMOUNT IS NOT NULL"),
            Index(self, "log_day", "{%s | ordered}{%s | terminated}{%s | default \"\" | terminated}" % (
                field % (0, "DATE DESC"), field % (1, "CHAR"), field % (2, "VARCHAR")), "DAY, CODE, NAME", columns, key[0],
                  lines="    requires: '0:\"\\x00\\x00\\x00\\x00\"'\n"),
            ArrayIndex(self, "log_scores", "{item | phoenix INTEGER | ordered}{row}", in_order,
                       [Column("", "{item | phoenix INTEGER | decimal}", "int"), *key], "SCORES", each % (self.reference("SCORES"), "INTEGER")),
            ArrayIndex(self, "log_words", "{item | phoenix VARCHAR | terminated}{row}", in_order,
                       [Column("", "{item | phoenix VARCHAR}", "text"), *key], "WORDS", each % (self.reference("WORDS"), "VARCHAR")),
        ]

    def rows(self, count):
        chance = self.random
        for _ in range(count):
            scores = [chance.choice(self.SCORES) for _ in range(chance.randrange(5))]
            words = [text("ab粉", 3)(chance) for _ in range(chance.randrange(1, 5))]
            yield [instant()(chance), text("abc", 2)(chance), text("abcä", 6)(chance) if chance.random() < 0.7 else None,
                   decimal(some=DECIMALS)(chance) if chance.random() < 0.8 else None, array(scores) if chance.random() < 0.8 else None,
                   array(words) if chance.random() < 0.8 else None, chance.choice([None, "x"])]

    def fill(self, rows):
        self.upsert(self.NAMES, self.rows(rows))

    def change(self):
        self.upsert(self.NAMES, self.rows(50))
        self.phoenix.run("UPSERT INTO SHOP.LOG(DAY, CODE, NAME, AMOUNT) SELECT DAY, CODE, NAME, AMOUNT + 1 FROM SHOP.LOG WHERE CODE < 'b'")
        self.phoenix.run("UPSERT INTO SHOP.LOG(DAY, CODE, NAME, AMOUNT, WORDS) SELECT DAY, CODE, NAME, NULL, NULL FROM SHOP.LOG WHERE CODE > 'c'")
        self.phoenix.run("DELETE FROM SHOP.LOG WHERE CODE > 'bb' AND CODE < 'c'")
