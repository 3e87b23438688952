"""The command line of deploy/package."""
import argparse
import os
import subprocess
import sys
import time

from packager import debian, image, tarball, tree

KINDS = {"deb": debian.make, "tarball": tarball.make, "image": image.make}

ABOUT = """Makes packages of the program in build/release, in build/packages. On a fresh Debian 12 it installs what is missing
(root or sudo) and builds; a release build that is there is used, and brought up to date.

  deb      fensi_VERSION_ARCH.deb: for Debian 12, with its libraries as dependencies
  tarball  fensi-VERSION-linux-ARCH.tar.gz: for /opt/fensi of any Linux, with its libraries; and an SBOM beside it
  image    fensi-VERSION-linux-ARCH.oci.tar: the tarball's tree as an OCI image"""


def arguments(words):
    parser = argparse.ArgumentParser(prog="deploy/package", description=ABOUT, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", metavar="KIND", nargs="+", choices=sorted(KINDS), help="deb, tarball or image")
    parser.add_argument("--out", metavar="FOLDER", default=os.path.join(tree.ROOT, "build", "packages"))
    parser.error = lambda fault: sys.exit(complain(f"{fault}; see deploy/package --help", 64))
    return parser.parse_args(words)


def complain(fault, code):
    print(f"deploy/package: {fault}", file=sys.stderr)
    return code


def main(words):
    given = arguments(words)
    out = os.path.abspath(given.out)
    try:
        tree.install(["build", "package", *(["image"] if "image" in given.kinds else [])])
        tree.build()
        os.makedirs(out, exist_ok=True)
        for kind in dict.fromkeys(given.kinds):
            begin = time.monotonic()
            path = KINDS[kind](out)
            print(f"{path}  ({os.path.getsize(path) / 1e6:.1f} MB, {time.monotonic() - begin:.1f} s)")
    except subprocess.CalledProcessError as error:
        sys.stderr.write((error.stdout or "") + (error.stderr or ""))
        return complain(f"this failed: {' '.join(map(str, error.cmd))}", 1)
    except OSError as error:
        return complain(str(error), 1)
    return 0
