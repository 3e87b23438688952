"""Templates as data: how they are spelt in a mapping file, and what they give for a row."""
import dataclasses
import re
from decimal import Decimal

from functions import FUNCTIONS
from values import ABSENT


@dataclasses.dataclass(frozen=True)
class Call:
    name: str
    words: tuple = ()

    def text(self):
        return " ".join([self.name, *map(self.word, self.words)])

    def word(self, word):
        if self.name == "match" and isinstance(word, str):
            return f"/{word}/"
        if isinstance(word, int):
            return str(word)
        if isinstance(word, Decimal):
            return str(word)
        text = word if isinstance(word, str) else "".join(chr(b) if 32 <= b < 127 else f"\\x{b:02X}" for b in word)
        quoted = text.replace("\\", "\\\\").replace('"', '\\"') if isinstance(word, str) else text
        return text if re.fullmatch("[A-Za-z0-9_.%]+", text) else f'"{quoted}"'


class Joined(str):
    """A reference that is a template in parentheses."""

    def __new__(cls, parts):
        spelt = "".join(part.text().replace(")", "\\x29") if isinstance(part, Literal) else part.text() for part in parts)
        self = super().__new__(cls, f"({spelt})")
        self.parts = parts
        return self


@dataclasses.dataclass(frozen=True)
class Part:
    """A reference and what is done to it."""
    reference: str
    calls: tuple = ()

    def text(self):
        return "{" + " | ".join([self.reference, *(call.text() for call in self.calls)]) + "}"

    def values(self, scope):
        """The value in front of the first call, and behind every one."""
        joined = isinstance(self.reference, Joined)
        value = joined_value(self.reference.parts, scope) if joined else scope.get(self.reference, ABSENT)
        yield value
        for call in self.calls:
            if call.name == "default":
                value = call.words[0] if value is ABSENT else value
            elif value is not ABSENT:
                value = FUNCTIONS[call.name](value, *call.words)
            yield value

    def value(self, scope):
        *_, last = self.values(scope)
        return last

    def value_as_time(self, scope):
        """What the last call, `time`, makes a text of."""
        return list(self.values(scope))[-2]


@dataclasses.dataclass(frozen=True)
class Literal:
    bytes: bytes

    def text(self):
        text = "".join(chr(b) if 32 <= b < 127 and b != 92 else f"\\x{b:02X}" for b in self.bytes)
        return text.replace("{", "{{").replace("}", "}}").replace("'", "''")

    def value(self, _):
        return self.bytes


def text(template):
    return "".join(part.text() for part in template)


def value(template, scope):
    """Of all parts in their order, as far as the first that is absent; the parts behind it may be unmappable."""
    values = [part.value(scope) for part in template]
    return ABSENT if ABSENT in values else b"".join(values)


joined_value = value
