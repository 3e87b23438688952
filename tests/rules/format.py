"""Every C++ file is as clang-format writes it by .clang-format."""

import shutil
import subprocess
import sys

import tree


def main():
    tool = shutil.which("clang-format")
    if tool is None:
        sys.exit("clang-format is missing: deploy/install test")
    files = [str(tree.ROOT / path) for path in tree.files(".", (".cc", ".h"))]
    done = subprocess.run([tool, "--dry-run", "-Werror", *files], stderr=subprocess.PIPE, text=True, check=False)
    faults = sorted({line.split(":")[0] for line in done.stderr.splitlines() if ": error:" in line})
    for path in faults:
        print(f"{path}: not formatted; run: clang-format -i {path}")
    print(f"{len(files)} files, {len(faults)} not formatted")
    sys.exit(1 if faults or done.returncode != 0 or not files else 0)


main()
