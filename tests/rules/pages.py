"""Pages hang together: links lead somewhere, every page is in the index of its folder, every decision has date and status,
and every folder stands on the page that shows the way."""

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
        if rest and f"`{folder}" not in architecture and not re.search(f"`{rest}/?`", rows.get(module, "")):
            yield f"{folder}: docs/architecture.md does not name it"
    for name in sorted({path.parts[1] for path in tree.files("tests", (".cc", ".py")) if len(path.parts) > 2}):
        if f"`{name}/" not in tests:
            yield f"tests/{name}: tests/README.md does not name it"


def main():
    paths = tree.files(".", (".md",))
    faults = [fault for path in paths for fault in broken_links(path)]
    faults += [fault for folder, index in INDEXES.items() for fault in missing_in_index(folder, index)]
    faults += decisions()
    faults += unnamed_folders()
    for fault in faults:
        print(fault)
    print(f"{len(paths)} pages, {len(faults)} faults")
    sys.exit(1 if faults or len(paths) < 5 else 0)


main()
