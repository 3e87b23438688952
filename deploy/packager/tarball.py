"""The tarball: the program with its loader and every library that it needs, so that it takes nothing from the machine."""
import glob
import os
import re
import shutil
import subprocess
import tempfile

from packager import bill, tree

HOME = "/opt/fensi"


def libraries(program):
    """[(the name by which it is asked for, its file)], and the loader's file."""
    found, loader = {}, None
    for line in tree.run("ldd", program).splitlines():
        named = re.match(r"\s+(\S+) => (/\S+)", line)
        if named:
            found[named.group(1)] = named.group(2)
        elif re.match(r"\s+/\S*ld-linux", line):
            loader = line.split()[0]
        elif "not found" in line:
            raise OSError(f"a library of {program} is missing:{line}")
    if loader is None:
        raise OSError(f"{program} has no loader among what ldd says of it")
    return sorted(found.items()), loader


def copy_libraries(program, folder):
    """{name: the package of Debian that it is from}."""
    os.makedirs(folder)
    found, loader = libraries(program)
    files = {**dict(found), os.path.basename(loader): loader}
    for name, path in files.items():
        shutil.copyfile(os.path.realpath(path), os.path.join(folder, name))
        os.chmod(os.path.join(folder, name), 0o755 if path == loader else 0o644)
    owners = bill.owners(list(files.values()))
    return {name: owners[path] for name, path in files.items()}


def copy_licences(packages, folder):
    """The copyright file of each, and the common texts that these name."""
    for package in packages:
        os.makedirs(os.path.join(folder, package))
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", os.path.join(folder, package, "copyright"))
    texts = "".join(open(path, encoding="utf-8", errors="replace").read() for path in glob.glob(f"{folder}/*/copyright"))
    os.makedirs(os.path.join(folder, "common-licenses"))
    for name in sorted(set(re.findall(r"/usr/share/common-licenses/([\w.+-]*\w)", texts))):
        if os.path.exists(f"/usr/share/common-licenses/{name}"):
            shutil.copyfile(f"/usr/share/common-licenses/{name}", os.path.join(folder, "common-licenses", name))


def copy_zones(folder):
    """The time zones that a mapping may name, once each."""
    skipped = lambda path, names: [name for name in names if name in ("posix", "right", "localtime", "posixrules")]
    shutil.copytree("/usr/share/zoneinfo", folder, symlinks=True, ignore=skipped)


def make_tree(scratch):
    """scratch/fensi, which is what /opt/fensi becomes."""
    home = os.path.join(scratch, "fensi")
    tree.run("cmake", "--install", tree.BUILD, "--prefix", home, "--strip")
    program = os.path.join(home, "bin", "fensi")
    owners = copy_libraries(tree.FENSI, os.path.join(home, "lib"))
    loader = next(name for name in owners if name.startswith("ld-linux"))
    # An rpath, not a runpath: it counts for the libraries of libraries, and before LD_LIBRARY_PATH. Without /proc nobody knows
    # ORIGIN. The loader has no such way to be found, so that elsewhere than in HOME it is started by hand.
    tree.run("patchelf", "--set-interpreter", f"{HOME}/lib/{loader}", "--force-rpath", "--set-rpath", f"$ORIGIN/../lib:{HOME}/lib", program)
    copy_licences(sorted({owner.name for owner in owners.values()}), os.path.join(home, "share", "licenses"))
    copy_zones(os.path.join(home, "share", "zoneinfo"))
    bill.write(owners, os.path.join(home, "share", "doc", "fensi", "fensi.spdx.json"))
    # The rights of who makes it are nobody else's.
    tree.run("chmod", "-R", "u=rwX,go=rX", home)
    return home


def make(out):
    """Its path; beside it stands its SBOM."""
    path = os.path.join(out, tree.name() + ".tar.gz")
    with tempfile.TemporaryDirectory(dir=out) as scratch:
        home = make_tree(scratch)
        shutil.copyfile(os.path.join(home, "share/doc/fensi/fensi.spdx.json"), os.path.join(out, tree.name() + ".spdx.json"))
        archive = os.path.join(scratch, "archive.tar")
        tree.run("tar", "--create", "--file", archive, "--directory", scratch, "--sort=name", "--owner=0", "--group=0",
                 "--numeric-owner", f"--mtime=@{tree.epoch()}", "fensi")
        with open(archive + ".gz", "wb") as packed:
            subprocess.run(["gzip", "-6nc", archive], stdout=packed, check=True)
        os.replace(archive + ".gz", path)
    return path
