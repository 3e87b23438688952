"""A history as EDN, the form of Jepsen and its checkers: values are pairs of a register and what was written or read."""


def _value(value):
    if value is None:
        return "nil"
    return "[%s]" % " ".join(map(str, value)) if isinstance(value, list) else str(value)


def edn(history):
    lines = ("{:index %d, :process %d, :type :%s, :f :%s, :value [\"%s\" %s], :time %d}"
             % (number, op["process"], op["type"], op["f"], op["register"], _value(op["value"]), op["time"]) for number, op in enumerate(history))
    return "[" + "\n ".join(lines) + "]\n"
