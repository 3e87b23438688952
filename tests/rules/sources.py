"""C++ files as the rules read them: they are formatted by clang-format, so that lines and indents can be trusted."""

import functools
import re

import tree

# The one list of the modules: structure.py compares it with the tree, with CMakeLists.txt and with .clang-tidy.
MODULES = ("base", "hbase", "mapping", "store", "meta", "consumer", "indexer", "sweep", "capture", "metrics", "admin", "operations", "daemon", "cli")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)

_NOT_CODE = re.compile(
    r'R"(?P<tag>\w*)\((?:.|\n)*?\)(?P=tag)"|//[^\n]*|/\*(?:.|\n)*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'')


def code_of(path):
    """The file's text without comments, and with empty literals; its lines stay where they are."""
    return _NOT_CODE.sub(_without, (tree.ROOT / path).read_text(encoding="utf-8"))


def _without(match):
    return ("" if match.group(0)[0] == "/" else '""') + "\n" * match.group(0).count("\n")


def includes_of(path):
    return INCLUDE.findall((tree.ROOT / path).read_text(encoding="utf-8"))


def of_modules(suffixes=(".h", ".cc")):
    return [path for module in MODULES for path in tree.files(module, suffixes)]


_TYPE = re.compile(r"^(?:template <.*>\s*)?(?:struct|class|enum class|enum|using)\s+(\w+)\b(?!::)")
_OTHER = re.compile(r"^(?!using\b|namespace\b|friend\b|enum\b)(?:[\w:<>,*&\[\] ]+?[\s*&])(\w+)\s*(?:\(|=|\{|\[|;)")
_MAY_BE_REPEATED = re.compile(r"^(?:using\s+\w+\s*=.*|using enum .*|(?:struct|class)\s+\w+);$")


@functools.cache
def file_local_names(path):
    """What the file declares in namespaces without a name, or as static: name -> (line, what may be said again in these words)."""
    texts = (tree.ROOT / path).read_text(encoding="utf-8").splitlines()
    names, inside = {}, False
    for number, line in enumerate(code_of(path).splitlines(), 1):
        if line.startswith("namespace {"):
            inside = True
        elif texts[number - 1].rstrip() == "}  // namespace":
            inside = False
        elif line[:1].isalpha() and (inside or line.startswith("static ")):
            match = _TYPE.match(line) or _OTHER.match(line)
            if match:
                names.setdefault(match.group(1), (number, line if _MAY_BE_REPEATED.match(line) else ""))
    return names


_FREE = re.compile(r"^(?!static |using |typedef |namespace |extern )[A-Za-z][\w:<>,*& \[\]]*?[ *&]((?:operator *[^\s\w(]+|\w+))\(")


def functions_for_others(path):
    """Names of the functions that the file defines in a namespace with a name, and not as static."""
    texts = (tree.ROOT / path).read_text(encoding="utf-8").splitlines()
    names, inside = [], False
    for text, line in zip(texts, code_of(path).splitlines()):
        inside = line.startswith("namespace {") or inside and text.rstrip() != "}  // namespace"
        match = None if inside else _FREE.match(line)
        if match and not line.rstrip().endswith(";"):
            names.append(match.group(1))
    return names


_BLOCK = re.compile(r"^(\s*)(.*)\{$")
_NO_FUNCTION = re.compile(r"^(?:if|for|while|switch|catch|do|else|try|namespace|class|struct|enum|union|extern|return)\b|^[\w.\->]+ = |^\[|^case\b")


def functions(path):
    """(name, first line, number of lines) of each function with a body of more than a line."""
    lines = code_of(path).splitlines()
    first = 0
    for i, line in enumerate(lines):
        text = line.strip()
        block = _BLOCK.match(line)
        if block and not text.startswith("}"):
            head = " ".join(part.strip() for part in lines[first:i + 1])
            indent = len(lines[first]) - len(lines[first].lstrip())
            if "(" in head and not _NO_FUNCTION.match(head) and ("::" in head or indent in (0, 2)):
                end = next((j for j in range(i + 1, len(lines)) if re.match(rf"^ {{{indent}}}\}}", lines[j])), i)
                yield _name(head), first + 1, end - first + 1
        if not text or text[-1] in "{};:>" and not text.endswith("->") or text.startswith("#"):
            first = i + 1


def _name(head):
    return re.split(r"[\s*&]", head.split("(")[0].strip())[-1] or head
