"""Random histories of a source table against the entries that a model of HBase derives: 0 missing, 0 orphaned, 0 wrong.

FENSI_ORACLE_SEED (1), FENSI_ORACLE_CASES (6 mapping files), FENSI_ORACLE_INDEXES (40 drawn for each), FENSI_ORACLE_EVENTS
(150; every third case has twelve times as many, more than a batch), FENSI_ORACLE_SHOWN (5).
"""
import collections
import shutil
import unittest

import index as oracle
import random_history
from case import SEED, Case, differences, number
from hbase import Table
from random_history import Run
from shrink import shortest

KILLED = 99


class Histories(unittest.TestCase):
    figures = collections.Counter()

    def test_end_as_the_model_derives(self):
        wrong = []
        for n in range(number("CASES", 6)):
            case = Case(self, SEED * 1000 + n, number("INDEXES", 40), laws=())
            wrong += [f"case {n}: {text}" for text in self.of(case, self.steps(case.r, case.now, n))]
        print(dict(self.figures), flush=True)
        self.assertFalse(wrong, f"{len(wrong)} differences; the first:\n" + "\n".join(wrong[:number("SHOWN", 5)]))

    def steps(self, r, now, n):
        ordered = r.random() < 0.2
        made = random_history.changes(r, number("EVENTS", 150) * (12 if n % 3 == 2 else 1), now, not ordered)
        if ordered:
            return made + [Run()] + made + [Run()]
        return random_history.in_runs(r, random_history.told(r, made))

    def of(self, case, steps):
        table = replay(case.program, "m.yaml", steps, self.figures)
        self.figures["indexes"] += len(case.indexes)
        rows = table.visible()
        for index in case.indexes:
            self.figures["entries"] += len({c for row, cells in rows.items() for c in index.entries(row, cells, case.now)})
            found = differences(index, rows, case.now, case.program)
            if found:
                yield f"{len(found)}: {found[0]}\n{index.text()}{self.shrunk(case, index, steps)}"

    def shrunk(self, case, index, steps):
        case.program.write("one.yaml", oracle.mapping([index]))

        def fails(fewer):
            shutil.rmtree(f"{case.program.folder}/data", ignore_errors=True)
            table = replay(case.program, "one.yaml", fewer + [Run()], collections.Counter())
            return bool(differences(index, table.visible(), case.now, case.program))
        kept = shutil.move(f"{case.program.folder}/data", f"{case.program.folder}/kept")
        short = shortest(steps, fails) if fails(steps) else ["of this index alone it does not fail"]
        shutil.rmtree(f"{case.program.folder}/data", ignore_errors=True)
        shutil.move(kept, f"{case.program.folder}/data")
        return "\n".join(step.text().strip() if hasattr(step, "text") else str(step) for step in short)


def replay(program, mapping, steps, figures):
    table, part = Table(), []
    for step in steps:
        if not isinstance(step, Run):
            part.append(step)
            table.apply(step)
            continue
        words = ("--unlock_faults", f"--fault={step.fault}") if step.fault else ()
        code = program.run(mapping, [change.text() for change in part], *words, name=step.source,
                           codes=(0, 1, KILLED) if words else (0, 1))
        figures.update(runs=1, killed=code == KILLED, events=len(part))
        part = []
    return table


if __name__ == "__main__":
    unittest.main(verbosity=2)
