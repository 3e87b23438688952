"""The bill of materials (SBOM) of the tarball and the image: SPDX 2.3, as JSON."""
import collections
import datetime
import functools
import hashlib
import json
import os
import re
import subprocess

from packager import tree

Owner = collections.namedtuple("Owner", "name version source source_version architecture")

FORMAT = "${Package}\t${Version}\t${source:Package}\t${source:Version}\t${Architecture}\n"


@functools.cache
def of_package(package):
    return Owner(*tree.run("dpkg-query", "--show", f"--showformat={FORMAT}", package).split("\n")[0].split("\t"))


def spellings(path):
    """As the database may know it: where /lib is /usr/lib, either."""
    real = os.path.realpath(path)
    return [real, real.removeprefix("/usr"), path, "/usr" + path]


def owners(paths):
    """{path: the package of Debian that it came with}. Asked at once: each question reads the whole database."""
    asked = sorted({known for path in paths for known in spellings(path)})
    said = subprocess.run(["dpkg-query", "--search", *asked], capture_output=True, text=True, check=False).stdout
    found = {known: re.split("[:,]", package)[0] for package, known in re.findall(r"^(\S+?): (/.*)$", said, re.MULTILINE)}
    unknown = [path for path in paths if not any(known in found for known in spellings(path))]
    if unknown:
        raise OSError(f"{', '.join(unknown)}: of no package, so that nobody knows the licence")
    return {path: of_package(next(found[known] for known in spellings(path) if known in found)) for path in paths}


def distribution():
    with open("/etc/os-release", encoding="utf-8") as text:
        words = dict(line.rstrip().split("=", 1) for line in text if "=" in line)
    return f"{words['ID']}-{words.get('VERSION_ID', '').strip(chr(34))}"


def entry(package, libraries):
    """A package of Debian, by the libraries that were taken from it, or none of a package that was compiled in."""
    purl = f"pkg:deb/debian/{package.name}@{package.version}?arch={package.architecture}&distro={distribution()}"
    return {"SPDXID": reference(package.name), "name": package.name, "versionInfo": package.version,
            "supplier": "Organization: Debian", "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
            "licenseConcluded": "NOASSERTION", "licenseDeclared": "NOASSERTION", "copyrightText": "NOASSERTION",
            "sourceInfo": f"source package {package.source} {package.source_version}",
            "comment": "in lib/: " + ", ".join(libraries) if libraries else "compiled in from headers, or used to build",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


def reference(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def headers():
    """Packages of headers that the program is compiled with, as this machine has them."""
    with open(os.path.join(tree.ROOT, "deploy", "packages-build.txt"), encoding="utf-8") as text:
        names = [line.strip() for line in text]
    return [of_package(name) for name in names if re.fullmatch(r"[\w.+-]+-dev", name)]


def program():
    with open(tree.FENSI, "rb") as built:
        digest = hashlib.sha256(built.read()).hexdigest()
    return {"SPDXID": "SPDXRef-fensi", "name": "fensi", "versionInfo": tree.version(), "supplier": "NOASSERTION",
            "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": "Apache-2.0",
            "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION", "primaryPackagePurpose": "APPLICATION",
            "comment": f"bin/fensi, before it was stripped: SHA-256 {digest}"}


def document(libraries):
    """libraries: {name: its Owner}."""
    taken = collections.defaultdict(list)
    for library, package in sorted(libraries.items()):
        taken[package].append(library)
    built = [package for package in headers() if package not in taken]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-fensi")]
    relations += [("SPDXRef-fensi", "CONTAINS", reference(package.name)) for package in taken]
    relations += [(reference(package.name), "BUILD_DEPENDENCY_OF", "SPDXRef-fensi") for package in built]
    made = datetime.datetime.fromtimestamp(tree.epoch(), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    packages = [program(), *(entry(package, names) for package, names in taken.items()), *(entry(package, []) for package in built)]
    digest = hashlib.sha256(json.dumps(packages).encode()).hexdigest()
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": tree.name(),
            "documentNamespace": f"https://fensi.example/spdx/{tree.name()}-{digest}",
            "creationInfo": {"created": made, "creators": [f"Tool: fensi-deploy-package-{tree.version()}"]},
            "packages": packages,
            "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations]}


def write(libraries, path):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(document(libraries), out, indent=1)
        out.write("\n")
