"""What a page shows of commands: blocks of lines for a shell, each perhaps with a block of what they print."""
import difflib
import re

# A line of three dots stands for any number of lines, as a reader takes it.
ANYTHING = "…"
MARK = "--- end of a block ---"
VARIES = [(re.compile(r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z"), "TIME"), (re.compile(r" in \d+ s\b"), " in N s"),
          (re.compile(r" \([\d,]+/s\)|, [\d,]+/s$", re.M), "")]


def blocks(page, kind):
    """(lines for the shell, what they print or None) of each block of the kind, in the order of the page."""
    pairs = re.findall(r"^```%s\n(.*?)^```$(?:\n\n^```text\n(.*?)^```$)?" % re.escape(kind), page, re.M | re.S)
    return [(script, printed or None) for script, printed in pairs]


def marked(pairs):
    """One script of all blocks, whose output can be told apart."""
    return "".join("%s\necho '%s'\n" % (script, MARK) for script, _ in pairs)


def settled(text, names):
    """Without what differs from run to run; `names`: what is called so here, and how the page calls it."""
    for here, there in names.items():
        text = text.replace(here, there)
    for pattern, stands_for in VARIES:
        text = pattern.sub(stands_for, text)
    return text


def difference(shown, printed, names):
    """Between a block of a page and what was printed; empty: there is none."""
    shown, printed = settled(shown, names), settled(printed, names)
    pattern = "".join("(?:.*\n)*?" if line == ANYTHING else re.escape(line) + "\n" for line in shown.splitlines())
    if re.fullmatch(pattern, printed):
        return ""
    return "\n".join(difflib.unified_diff(shown.splitlines(), printed.splitlines(), "as shown", "as printed", lineterm="", n=99))


def differences(pairs, output, names):
    """Of all blocks, when `output` is what their marked script printed."""
    parts = output.split(MARK + "\n")
    found = [difference(shown, part, names) for (_, shown), part in zip(pairs, parts) if shown is not None]
    return [text for text in found if text]
