"""Pages hang together: links lead somewhere, every page is in the index of its folder, every decision has date and status,
every folder stands on the page that shows the way, and what a page names of the tree is there."""

import re
import sys

import sources
import tree

LINK = re.compile(r"\]\((?!https?://)([^)#\s]*)(#[^)]*)?\)")
HEAD = re.compile(r"\A# (\d+)\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\. Status: (accepted|replaced by \d+)\.\n")
INDEXES = {"docs": "docs/README.md", "docs/decisions": "docs/decisions/README.md"}


def read(path):
    return (tree.ROOT / path).read_text(encoding="utf-8")


def anchors(path):
    """Of the headings, as GitHub makes them."""
    words = re.findall(r"^#+ (.+)$", read(path), re.MULTILINE)
    return {"#" + re.sub(r"[^\w\- ]", "", word.lower()).replace(" ", "-") for word in words}


def broken_links(path):
    text = re.sub(r"^( {4}|```).*?$", "", read(path), flags=re.MULTILINE)
    for target, anchor in LINK.findall(text):
        to = (tree.ROOT / path.parent / target).resolve() if target else tree.ROOT / path
        if not to.exists():
            yield f"{path}: the link {target} leads nowhere"
        elif anchor and to.suffix == ".md" and anchor not in anchors(to):
            yield f"{path}: {target or path} has no heading {anchor}"


def missing_in_index(folder, index):
    linked = {target for target, _ in LINK.findall(read(index))}
    for path in tree.files(folder, (".md",)):
        if str(path.parent) == folder and str(path) != index and path.name not in linked:
            yield f"{path}: {index} does not name it"


def decisions():
    index = read(INDEXES["docs/decisions"])
    for path in tree.files("docs/decisions", (".md",)):
        if path.name == "README.md":
            continue
        head = HEAD.match(read(path))
        if not head or int(head.group(1)) != int(path.name[:4]):
            yield f"{path}: it does not begin with its number, its date and its status as docs/decisions/README.md shows"
            continue
        number, title, date, status = head.groups()
        if f"| {number} | [{title}]({path.name}) | {date} | {status} |" not in index:
            yield f"{path}: docs/decisions/README.md has another number, title, date or status"


def unnamed_folders():
    """A folder of a module, by its path, or in the row of its module by its name; a folder of tests by its name."""
    architecture = read("docs/architecture.md") if (tree.ROOT / "docs/architecture.md").exists() else ""
    tests = read("tests/README.md") if (tree.ROOT / "tests/README.md").exists() else ""
    rows = {name: row for name, row in re.findall(r"^\| `(\w+)/` \| (.*)$", architecture, re.MULTILINE)}
    for folder in sorted({path.parent for path in tree.files(".", (".h", ".cc")) if path.parts[0] in sources.MODULES}):
        module, rest = folder.parts[0], "/".join(folder.parts[1:])
        if rest and not re.search(f"`{folder}[/`]", architecture) and not re.search(f"`{rest}/?`", rows.get(module, "")):
            yield f"{folder}: docs/architecture.md does not name it"
    for name in sorted({path.parts[1] for path in tree.files("tests", (".cc", ".py")) if len(path.parts) > 2}):
        if f"`{name}/" not in tests:
            yield f"tests/{name}: tests/README.md does not name it"


# `folder/…/file`, perhaps without its suffix, and perhaps with a word behind it; not with a NAME that stands for many.
PATH = re.compile(r"`((?!\S*[A-Z]{4})[\w.-]+(?:/[\w.-]+)+)/?(?:[ :,][^`]*)?`")
OUR_FOLDERS = {*sources.MODULES, "proto", "tests", "docs", "deploy", "cmake", ".ci"}


def is_there(path, *bases):
    return any((tree.ROOT / base / (path + suffix)).exists() for base in bases for suffix in ("", ".h", ".cc", ".py"))


def dead_paths(path):
    for name in PATH.findall(read(path)):
        if name.split("/")[0] in OUR_FOLDERS and not is_there(name, "", path.parent):
            yield f"{path}: there is no {name}"


def dead_folders():
    """Of the tables that show the way: a module, and what its row names; a folder of tests."""
    for page, base in (("docs/architecture.md", ""), ("tests/README.md", "tests")):
        rows = re.findall(r"^\| ((?:`[\w/]+/`(?:, )?)+) \| (.*)$", read(page) if (tree.ROOT / page).exists() else "", re.MULTILINE)
        for folders, row in rows:
            names = re.findall(r"`([\w/]+)/`", folders)
            inside = [] if base else re.findall(r"`([\w/]+?)/?`", row)
            yield from (f"{page}: there is no {name}/" for name in names if not is_there(name, base))
            yield from (f"{page}: there is no {names[0]}/{name}" for name in inside if not is_there(name, names[0], ""))


def main():
    paths = tree.files(".", (".md",))
    faults = [fault for path in paths for fault in broken_links(path)]
    faults += [fault for folder, index in INDEXES.items() for fault in missing_in_index(folder, index)]
    faults += decisions()
    faults += unnamed_folders()
    faults += [fault for path in paths if path.name != "CHANGELOG.md" for fault in dead_paths(path)]
    faults += dead_folders()
    for fault in faults:
        print(fault)
    print(f"{len(paths)} pages, {len(faults)} faults")
    sys.exit(1 if faults or len(paths) < 5 else 0)


main()
