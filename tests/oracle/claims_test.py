"""What `fensi check` claims of mappings, and a search for counterexamples by an oracle that was written from docs/mapping.md alone.

FENSI_ORACLE_SEED (1), FENSI_ORACLE_MAPPINGS (how many accepted ones, 2000), FENSI_ORACLE_ROWS (source rows for each file, 30),
FENSI_ORACLE_SHOWN (false claims, 3).
"""
import collections
import unittest

import claims
from case import SEED, Case, number

INDEXES = 250  # drawn for each file


class Claims(unittest.TestCase):
    def test_of_accepted_mappings_have_no_counterexample(self):
        wanted, false, seen = number("MAPPINGS", 2000), [], collections.Counter()
        while seen["accepted"] < wanted and len(false) < number("SHOWN", 3):
            case = Case(self, SEED * 1_000_000 + seen["files"], INDEXES, laws=("unique",))
            case.rows = {}
            seen.update(files=1, drawn=INDEXES)
            for why in claims.broken(case, number("ROWS", 30)):
                false.append(f"within {seen['accepted'] + len(case.indexes)} mappings: {why}")
            seen["accepted"] += len(case.indexes)
            case.folder.cleanup()
        print(dict(seen), dict(claims.figures), flush=True)
        self.assertFalse(false, f"{len(false)} false claims:\n" + "\n".join(false[:number("SHOWN", 3)]))


if __name__ == "__main__":
    unittest.main(verbosity=2)
