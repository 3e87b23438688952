"""What a changelog must say for names to go, and for a version to be one. Pure functions of texts."""
import re

from corpus import number

HEADING = re.compile(r"^## \[(.*?)\](?: - (.*))?$", re.MULTILINE)
UNRELEASED = "unreleased"


def headings(changelog):
    """(version, date or "unreleased"), the newest first."""
    return HEADING.findall(changelog)


def removed_since(changelog, version):
    """What stands under "Removed" in versions behind this one."""
    parts = HEADING.split(changelog)[1:]
    newer = [text for other, _, text in zip(*[iter(parts)] * 3) if re.fullmatch(r"[\d.]+", other) and number(other) > number(version)]
    return "\n".join(found for text in newer for found in re.findall(r"^### Removed\n(.*?)(?=^### |\Z)", text, re.MULTILINE | re.DOTALL))


def is_named(name, removed):
    return f"`{name}`" in removed


def gone_flags(before, now, removed):
    """Of lines "COMMAND --FLAG="."""
    for line in sorted(set(before) - set(now)):
        command, flag = line.split()
        if not is_named(flag.rstrip("="), removed) and not is_named("fensi " + command, removed):
            yield f"flag {line}"


def _metric(line):
    name, kind, labels = line.split(" ", 2)
    words = [label.partition(":") for label in labels.split(", ") if label]
    return name, (kind, {label: set(values.split()) for label, _, values in words})


def gone_metrics(before, now, removed):
    """Of lines "NAME KIND LABELS": names, kinds, labels and their words."""
    known = dict(map(_metric, now))
    for name, (kind, labels) in map(_metric, before):
        new_kind, new_labels = known.get(name, (None, {}))
        if kind != new_kind or any(label not in new_labels or words - new_labels[label] for label, words in labels.items()):
            if not is_named(name, removed):
                yield f"metric {name}: was {kind} {sorted(labels)}, and is {new_kind} {sorted(new_labels)}"


def corpus_faults(changelog, corpora, flags, metrics):
    """Of a released version while nothing is under way for the next one: its corpus was written at the release, and not long
    before. `corpora`: version -> (flags, metrics) of each; `flags` and `metrics`: those of the program of today."""
    for version, date in headings(changelog)[:1]:
        if date != UNRELEASED and version not in corpora:
            yield f"{version} is released and has no corpus"
        elif date != UNRELEASED and corpora[version] != (flags, metrics):
            yield f"the corpus of {version} was written before its release"


def version_faults(changelog, cmake, corpora):
    """`cmake`: the version in CMakeLists.txt. `corpora`: versions that have one."""
    found = headings(changelog)
    versions = [version for version, _ in found]
    bad = [version for version in versions if not re.fullmatch(r"\d+\.\d+\.\d+", version)]
    if bad or not found:
        return [f"a heading of CHANGELOG.md is '## [MAJOR.MINOR.PATCH] - DATE' or '- {UNRELEASED}', and not: {bad}"]
    faults = [f"CHANGELOG.md: {version} - {date} is no date" for version, date in found[1:] if not re.fullmatch(r"\d{4}-\d\d-\d\d", date)]
    if not re.fullmatch(r"\d{4}-\d\d-\d\d|" + UNRELEASED, found[0][1]):
        faults.append(f"CHANGELOG.md: {versions[0]} - {found[0][1]} is neither a date nor '{UNRELEASED}'")
    if [*map(number, versions)] != sorted({*map(number, versions)}, reverse=True):
        faults.append(f"CHANGELOG.md: the versions do not fall: {versions}")
    if versions[0] != cmake:
        faults.append(f"CMakeLists.txt has version {cmake}, and the newest heading of CHANGELOG.md is {versions[0]}")
    faults += [f"tests/compat has no corpus of {version}, which was released" for version, date in found
               if date != UNRELEASED and version not in corpora]
    return faults + [f"tests/compat/{version} is of no version in CHANGELOG.md" for version in corpora if version not in versions]
