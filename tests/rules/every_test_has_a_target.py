"""Every source file and script under tests/ is named by a CMakeLists.txt, or imported by one that is."""

import re
import sys

import tree


def expanded(text):
    """The text with the words of each foreach(variable word...) in place of the variable."""
    out = text
    for variable, words, body in re.findall(r"foreach\((\w+)([^)]*)\)(.*?)endforeach", text, re.DOTALL):
        out += "".join(body.replace("${" + variable + "}", word) for word in words.split())
    return out


def named(path, lists):
    """Is the file named by a CMakeLists.txt of its folder or of one above it, or by tests' own Python files?"""
    for folder in path.parents:
        text = lists.get(folder / "CMakeLists.txt", "")
        relative = path.relative_to(folder)
        if re.search(r"(?<![\w./-])" + re.escape(str(relative)) + r"(?![\w.-])", text):
            return True
        if re.search(r"(?<![\w.-])" + re.escape(str(path)) + r"(?![\w.-])", text):
            return True
    return False


def imported(path, scripts):
    name = path.parent.name if path.stem == "__init__" else path.stem
    statement = re.compile(rf"^\s*(import|from)\b.*\b{re.escape(name)}\b", re.MULTILINE)
    return any(statement.search(text) for other, text in scripts.items() if other != path)


def main():
    lists = {path: expanded((tree.ROOT / path).read_text()) for path in tree.files("tests", ("CMakeLists.txt",))}
    scripts = {path: (tree.ROOT / path).read_text() for path in tree.files("tests", (".py",))}
    programs = {path: (tree.ROOT / path).read_text() for path in tree.files("tests/bench", ("",)) if not path.suffix}
    sources = tree.files("tests", (".cc",))
    orphans = [path for path in sources if not named(path, lists)]
    orphans += [path for path in scripts if not named(path, lists) and not imported(path, scripts | programs)]
    for path in orphans:
        print(f"{path}: belongs to no CMakeLists.txt, so it never runs")
    print(f"{len(sources) + len(scripts)} files, {len(orphans)} without a target")
    sys.exit(1 if orphans or not sources else 0)


main()
