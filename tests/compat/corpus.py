"""A corpus: what one version of fensi wrote and promised, in tests/compat/VERSION.

    indexes/          the mapping files of its store
    store.tar.gz      an embedded store, left by processes that were killed
    before.jsonl      rows of its source that no stream told of
    told.jsonl        the events that are in it for good
    untold.jsonl      those of a run that was killed, and further ones
    letters.jsonl     the dead letters until then
    mappings.tar.gz   mappings/: the examples of that version, and functions.yaml, in which each function stands with its example
    fingerprints.txt  FILE INDEX FINGERPRINT, of all of these
    formats/          bytes of everything that is kept, as tests/formats/golden had them
    messages.txt      what is said in proto/, as a FileDescriptorSet
    flags.txt         COMMAND --FLAG, with "=" where it takes a value
    flags/            of each command all flags with the values that they had of themselves, as files of flags
    metrics.txt       NAME KIND LABELS
    SHA256SUMS        of all these files, as sha256sum writes it: none changes or goes unseen
"""
import collections
import gzip
import hashlib
import io
import json
import os
import pathlib
import re
import subprocess
import tarfile

ROOT = pathlib.Path(os.environ.get("FENSI_ROOT") or pathlib.Path(__file__).resolve().parents[2])
FENSI = os.environ.get("FENSI_BIN", str(ROOT / "build/release/bin/fensi"))
SOURCE_ROWS = pathlib.Path(FENSI).with_name("source_rows")
FOLDER = ROOT / "tests/compat"
STORE = "--store=embedded:data"
SUMS = "SHA256SUMS"
# What a corpus has of these at least, so that none is written from a page that could not be read.
LEAST_FLAGS, LEAST_METRICS, LEAST_FILES_OF_FLAGS, LEAST_SET_FLAGS, LEAST_FORMATS = 300, 50, 20, 100, 20
KILLED = 99  # the code of --fault …=exit_before
Outcome = collections.namedtuple("Outcome", "code out err")


def kept():
    """Corpora, the newest last."""
    found = [path for path in FOLDER.iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", path.name)]
    return sorted(found, key=lambda path: number(path.name))


def number(version):
    return tuple(map(int, version.split(".")))


def read(path):
    return (ROOT / path).read_text(encoding="utf-8")


def lines(path):
    return path.read_text(encoding="utf-8").splitlines(keepends=True)


def sums(folder):
    """The lines that SHA256SUMS of a corpus has to have."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    return [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder)}\n" for path in files]


class Program:
    """fensi in a folder of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def call(self, *words, codes=(0,), stdin=""):
        done = subprocess.run([FENSI, *map(str, words)], cwd=self.folder, input=stdin, text=True, capture_output=True, timeout=100,
                              check=False)
        assert done.returncode in codes, f"fensi {words}: {done.returncode}\n{done.stderr[-3000:]}"
        return Outcome(done.returncode, done.stdout, done.stderr)

    def make_source(self, events):
        """The cells of table `s`, as its clients wrote them."""
        self.make_cells(line for line in events if json.loads(line)["table"] == "s")

    def make_cells(self, events):
        """As they are, in whatever table."""
        subprocess.run([SOURCE_ROWS, "embedded:data"], cwd=self.folder, input="".join(events), text=True, check=True, timeout=100)

    def run(self, events, *words, codes=(0, 1)):
        (self.folder / "events.jsonl").write_text("".join(events), encoding="utf-8")
        return self.call("run", *words, "--source=file:events.jsonl", STORE, codes=codes)

    def cells(self, table):
        shown = map(json.loads, self.call("scan", table, STORE, "--json").out.splitlines())
        return {(cell["row"], cell["column"]): cell["value"] for cell in shown}

    def tables(self):
        return [json.loads(line)["table"] for line in self.call("tables", STORE, "--json").out.splitlines()]


def unpack(packed, folder):
    with tarfile.open(packed) as files:
        files.extractall(folder)


def pack(files, path):
    """`files`: name in the archive -> bytes. Nothing of this machine and hour goes in."""
    with open(path, "wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            for name, content in sorted(files.items()):
                entry = tarfile.TarInfo(name)
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))


def fingerprints(folder):
    """(file, index) -> fingerprint, of all mapping files in its folders. Definitions with tables of this machine are left out."""
    found = {}
    for path in sorted(pathlib.Path(folder).glob("*/*.yaml")):
        told = Program(path.parent).call("check", path.name, "--json").out.splitlines()
        indexes = [one for one in map(json.loads, told) if "index" in one and not one["machine_tables"]]
        found.update({(f"{path.parent.name}/{path.name}", one["index"]): one["fingerprint"] for one in indexes})
    return found


def functions():
    """name -> (example, steps, result) of the functions, by docs/mapping.md; a second form of one is name_2."""
    table = read("docs/mapping.md").partition("<!-- functions -->")[2].partition("<!-- end of functions -->")[0]
    row = re.compile(r"^\| `(\w+).*\| (`.*?`|``) `(\\\|.*)` → `(.*?)` \|$", re.MULTILINE)
    found, forms = {}, collections.Counter()
    for name, example, steps, result in row.findall(table):
        forms[name] += 1
        found[name if forms[name] == 1 else f"{name}_{forms[name]}"] = (example[1:-1], steps.replace("\\|", "|"), result)
    assert len(found) == len(re.findall(r"^\| `\w", table, re.MULTILINE)), "a row of functions that is not understood"
    return found


def flags():
    """(command, flag), with "=" where it takes a value, by docs/commands.md."""
    for section in read("docs/commands.md").split("\n## fensi ")[1:]:
        command = section.split("\n", 1)[0]
        for cell in re.findall(r"^\| (`-.*?) \|", section, re.MULTILINE):
            for flag, value in re.findall(r"`(--?\w+)(=?)", cell):
                yield command, flag + value


def metrics():
    return [" ".join(row) for row in re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \|", read("docs/metrics.md"), re.MULTILINE)]


def values_of_flags(command):
    """Flags of a command that say what counts when nobody says it, as lines of a file."""
    shown = Program(ROOT).call(command, "--print_flags").out.splitlines()
    return [line.removeprefix("#") for line in shown if re.fullmatch(r"#?--\w+=.+", line)]
