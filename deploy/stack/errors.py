"""The one exception of the stack: a message for a person, shown without a traceback."""


class StackError(Exception):
    """What happened, where, and what to do about it."""
