"""The tree that packages are made from, and how it is built."""
import functools
import os
import platform
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
BUILD = os.path.join(ROOT, "build", "release")
FENSI = os.path.join(BUILD, "bin", "fensi")


def run(*command, **more):
    """What it prints; CalledProcessError, with all that it said, when it fails."""
    return subprocess.run(command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch())}, **more).stdout


@functools.cache
def epoch():
    """The time that packages carry, so that the same tree makes the same bytes: of the last commit, or of the changelog."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    asked = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False)
    return int(asked.stdout) if asked.returncode == 0 else int(os.path.getmtime(os.path.join(ROOT, "CHANGELOG.md")))


@functools.cache
def version():
    with open(os.path.join(ROOT, "CMakeLists.txt"), encoding="utf-8") as text:
        return re.search(r"project\(fensi VERSION (\S+)", text.read()).group(1)


def name():
    """fensi-VERSION-linux-ARCH"""
    return f"fensi-{version()}-linux-{platform.machine()}"


def install(sets):
    subprocess.run([os.path.join(ROOT, "deploy", "install"), *sets], check=True)


def build():
    """Only the program and what it tells of itself; the tests of a release build are left as they are."""
    subprocess.run([os.path.join(ROOT, "deploy", "configure"), "--once", "release", "-DFENSI_TESTS=OFF"], check=True)
    run("cmake", BUILD, "-DFENSI_QUICK=OFF")  # the quickstart may have configured it
    run("cmake", "--build", BUILD, "--target", "fensi", "fensi_told")
