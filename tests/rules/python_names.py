"""A name in a Python file that nothing defines, and one that is imported from a file of ours which has none of that name: both are found
when the line runs, which for some is once a week."""

import ast
import builtins
import symtable
import sys

import tree

FOLDERS = ("deploy", "tests", "admin")
OF_EVERY_MODULE = {"__file__", "__name__", "__doc__"}


def defined(table):
    return {each.get_name() for each in table.get_symbols() if each.is_assigned() or each.is_imported() or each.is_namespace()}


def unknown(table, known):
    """Names that this scope or one inside it takes from the module, which has not got them."""
    for each in table.get_symbols():
        name = each.get_name()
        of_module = each.is_global() or table.get_type() == "module"
        if of_module and each.is_referenced() and name not in known and name not in OF_EVERY_MODULE and not hasattr(builtins, name):
            yield name
    for inner in table.get_children():
        yield from unknown(inner, known)


def not_there(path, text):
    """Imports of names that a file beside this one, or below it, does not have."""
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ImportFrom) or not node.module or node.level > 1:
            continue
        folder = (tree.ROOT / path).parent.joinpath(*node.module.split("."))
        module = folder.with_suffix(".py")
        if not module.exists():
            continue
        known = defined(symtable.symtable(module.read_text(encoding="utf-8"), str(module), "exec"))
        for each in node.names:
            of_deploy = tree.ROOT.joinpath("deploy", *node.module.split("."), each.name + ".py")  # which is on the path, too
            if each.name not in known and not of_deploy.exists():
                yield node.lineno, f"{node.module} has no {each.name}"


def main():
    faults = []
    for folder in FOLDERS:
        for path in tree.files(folder, (".py",)):
            text = (tree.ROOT / path).read_text(encoding="utf-8")
            table = symtable.symtable(text, str(path), "exec")
            faults += [f"{path}: nothing defines {name}" for name in sorted(set(unknown(table, defined(table))))]
            faults += [f"{path}:{line}: {what}" for line, what in not_there(path, text)]
    print("\n".join([*faults, f"names of Python: {len(faults)} faults"]))
    return 1 if faults else 0


sys.exit(main())
