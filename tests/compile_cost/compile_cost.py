#!/usr/bin/env python3
"""How much processor time a build of the program from nothing takes, without a compiler cache.

  compile_cost.py build COMMAND…   runs the build, and notes its cost if there was no program before
  compile_cost.py check            compares the noted cost with LIMIT_S; builds in a folder of its own if none is noted

Seconds of a processor, not of a clock. LIMIT_S is for a machine that compiles reference.cc in REFERENCE_S; a slower one, or
one with other work beside it, gets as much more as it takes longer for that file."""
import json
import os
import resource
import subprocess
import sys
import tempfile

LIMIT_S = 480
REFERENCE_S = 4.0
ROOT = os.environ.get("FENSI_ROOT") or os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
NOTE = os.path.join(ROOT, "build", "release", "compile_cost.json")
PROGRAM = os.path.join(ROOT, "build", "release", "bin", "fensi")


def processor_seconds(*command, **environment):
    """Of a command and all that it started."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def reference_seconds():
    source = os.path.join(ROOT, "tests", "compile_cost", "reference.cc")
    return processor_seconds("g++", "-std=c++20", "-O2", "-c", source, "-o", os.devnull)


def measured(*command):
    """The cost of a build. The machine is looked at before and behind it."""
    references = [reference_seconds()]
    seconds = processor_seconds(*command, CCACHE_RECACHE="1")
    references.append(reference_seconds())
    return {"seconds": round(seconds, 1), "reference_seconds": round(sum(references) / 2, 2)}


def build(*command):
    if os.path.exists(PROGRAM):
        os.execvp(command[0], command)
    cost = measured(*command)
    with open(NOTE, "w", encoding="utf-8") as out:
        json.dump(cost, out)


def noted():
    if os.path.exists(NOTE):
        with open(NOTE, encoding="utf-8") as text:
            return json.load(text)
    with tempfile.TemporaryDirectory(prefix="fensi-compile-cost-") as folder:
        subprocess.run(["cmake", "--preset", "release", "-B", folder, "-DFENSI_TESTS=OFF"], cwd=ROOT, check=True,
                       stdout=subprocess.DEVNULL)
        return measured("cmake", "--build", folder, "--target", "fensi")


def check():
    cost = noted()
    limit = LIMIT_S * max(1.0, cost["reference_seconds"] / REFERENCE_S)
    print("The program took %.0f s of a processor to build from nothing; the limit is %.0f s (%d s on a machine that compiles "
          "reference.cc in %.1f s, and this one took %.1f s)"
          % (cost["seconds"], limit, LIMIT_S, REFERENCE_S, cost["reference_seconds"]))
    return 0 if cost["seconds"] <= limit else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["build"] and len(sys.argv) > 2:
        build(*sys.argv[2:])
    elif sys.argv[1:] == ["check"]:
        sys.exit(check())
    else:
        sys.exit(__doc__)
