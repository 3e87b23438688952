"""The conditions of `when:`: one line is tests joined by `and` and `or`, decided from left to right as far as needed."""
import dataclasses
import re
from decimal import Decimal

import template
from values import ABSENT

COMPARES = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
            ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}


@dataclasses.dataclass(frozen=True)
class Test:
    left: tuple   # a template, or one part of a number
    how: str      # is, not, a comparison, in, not in, matches, not matches
    right: object = None  # bytes, a number, a template, a tuple of bytes, or a regular expression

    def text(self):
        left = template.text(self.left)
        if self.how in ("is", "not"):
            return left if self.how == "is" else f"not {left}"
        return f"{left} {self.how} {self._right()}"

    def _right(self):
        if "in" in self.how.split():
            return "[" + ", ".join(map(_quoted, self.right)) + "]"
        if isinstance(self.right, str):
            return f"/{self.right}/"
        if isinstance(self.right, bytes):
            return _quoted(self.right)
        return str(self.right) if isinstance(self.right, (int, Decimal)) else template.text(self.right)

    def holds(self, scope):
        left = _value(self.left, scope)
        if self.how in ("is", "not"):
            return (left is ABSENT) == (self.how == "not")
        if left is ABSENT:
            return False
        if "in" in self.how.split():
            return (left in self.right) == (self.how == "in")
        if isinstance(self.right, str):
            return bool(re.search(self.right.encode(), left)) == (self.how == "matches")
        right = _value(self.right, scope) if isinstance(self.right, tuple) else self.right
        return right is not ABSENT and COMPARES[self.how](left, right)


@dataclasses.dataclass(frozen=True)
class Line:
    groups: tuple  # of tuples of tests: any group all of whose tests hold

    def text(self):
        return " or ".join(" and ".join(test.text() for test in group) for group in self.groups)

    def holds(self, scope):
        return any(all(test.holds(scope) for test in group) for group in self.groups)


def _value(side, scope):
    """A reference alone keeps its type."""
    return side[0].value(scope) if len(side) == 1 else template.value(side, scope)


def _quoted(value):
    return '"' + "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\x{b:02X}" for b in value) + '"'
