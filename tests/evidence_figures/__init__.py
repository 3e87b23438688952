"""The figures of docs/evidence.md, one module for each: how it is made, and a control that must show faults. `tests/evidence` runs them."""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BIN = os.path.dirname(os.environ.setdefault("FENSI_BIN", os.path.join(ROOT, "build", "release", "bin", "fensi")))
os.environ.setdefault("FENSI_ROOT", ROOT)
for folder in ("e2e", "mutation", "bench"):
    sys.path.append(os.path.join(ROOT, "tests", folder))
