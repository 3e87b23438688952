"""What `fensi wait` promises is tested by every test that waits for now: all of them do so by wait_complete of
tests/e2e/lib/complete.py."""

import re
import sys

import tree

HELPER = "tests/e2e/lib/complete.py"
# The rest of a call of the program whose first word is wait.
CALL = re.compile(r"""fensi(?:_ok)?\(\s*["']wait["'](.*)""")


def main():
    faults = []
    for path in tree.files("tests/e2e", (".py",)):
        for number, line in enumerate((tree.ROOT / path).read_text(encoding="utf-8").splitlines(), 1):
            call = CALL.search(line)
            # A time of before everything only asks whether there are marks.
            if call and "--until=0" not in call.group(1) and str(path) != HELPER:
                faults.append(f"{path}:{number}: waits past wait_complete ({HELPER}), which compares what the index has then")
    print("\n".join([*faults, f"waits: {len(faults)} faults"]))
    return 1 if faults else 0


sys.exit(main())
