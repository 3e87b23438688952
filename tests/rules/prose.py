"""Pages that were rewritten stay readable: sentences are short, name their subject and have no chains of clauses.

tests/rules/prose.py [PAGE…]  checks these pages, or those of READABLE
tests/rules/prose.py --all    prints the figures of every page, also of those that are not rewritten yet

Measured are paragraphs and list items: no code blocks, tables or headings, and inline code counts as one word."""

import re
import statistics
import sys

import tree

# A page that was rewritten is added and never taken out.
READABLE = (
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
    "docs/README.md",
    "docs/admin-http.md",
    "docs/alternatives.md",
    "docs/architecture.md",
    "docs/benchmarks.md",
    "docs/capture.md",
    "docs/concepts.md",
    "docs/configuration.md",
    "docs/consistency.md",
    "docs/cookbook.md",
    "docs/decisions/0001-state-for-every-index.md",
    "docs/decisions/0002-origin.md",
    "docs/decisions/0003-rejected-rows.md",
    "docs/decisions/0004-fencing.md",
    "docs/decisions/0005-capture-as-a-replication-peer.md",
    "docs/decisions/0006-outside-of-mapping.md",
    "docs/decisions/0007-formats.md",
    "docs/decisions/0008-raw-reads.md",
    "docs/decisions/0009-verify.md",
    "docs/decisions/0010-metrics.md",
    "docs/decisions/0011-backfill.md",
    "docs/decisions/0012-marks.md",
    "docs/decisions/0013-repair.md",
    "docs/decisions/0014-switch.md",
    "docs/decisions/0015-scrub.md",
    "docs/decisions/0016-log.md",
    "docs/decisions/0017-digest.md",
    "docs/decisions/0018-images-do-not-wait.md",
    "docs/decisions/0019-mirror.md",
    "docs/decisions/0020-gateway-layers.md",
    "docs/decisions/0021-upgrade.md",
    "docs/decisions/0022-buckets.md",
    "docs/decisions/0023-pace.md",
    "docs/decisions/0024-memstores.md",
    "docs/decisions/0025-kerberos-of-region-servers.md",
    "docs/decisions/0026-topic-identity.md",
    "docs/decisions/0027-table-identity.md",
    "docs/decisions/0028-native-hbase-client.md",
    "docs/decisions/README.md",
    "docs/events.md",
    "docs/evidence.md",
    "docs/exit-codes.md",
    "docs/faq.md",
    "docs/glossary.md",
    "docs/installing.md",
    "docs/librdkafka.md",
    "docs/limits.md",
    "docs/logs.md",
    "docs/maintenance.md",
    "docs/mapping.md",
    "docs/metrics.md",
    "docs/moving.md",
    "docs/operations.md",
    "docs/prepare.md",
    "docs/read-your-writes.md",
    "docs/reading.md",
    "docs/recovery.md",
    "docs/redefinition.md",
    "docs/security.md",
    "docs/sizing.md",
    "docs/status.md",
    "docs/traceability.md",
    "docs/troubleshooting.md",
    "docs/tutorial.md",
    "docs/versions.md",
    "tests/README.md",
)

LONG = 35  # words of a sentence
LIMITS = {
    "words a sentence": 17,
    "of nine in ten": 28,
    "long sentences": 0.02,
    "pronouns of 1,000 words": 65,
    "semicolons a sentence": 0.02,
    "headless sentences": 0.005,
    "words in a cell": 40,
}

PRONOUNS = {
    "it", "its", "they", "them", "their", "theirs", "he", "him", "his", "she", "her", "this", "that", "these", "those", "one",
    "ones", "who", "whose", "whom", "what", "whatever", "whoever", "which", "such", "same", "other", "others", "another", "some",
    "somebody", "nobody", "anybody", "everybody", "something", "nothing", "anything", "everything", "both", "each", "all", "none", "so",
}
HEADLESS = re.compile(r"^(?:Who|What|Whoever|Whatever|Of|By|Beside)\b(?![^.]*\?$)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+\.)\s+")


def without_code(text):
    return re.sub(r"^(```|~~~).*?^\1\s*$", "\n", text, flags=re.MULTILINE | re.DOTALL)


def prose_of(text):
    """The paragraphs and list items of a Markdown page, each as one line."""
    text = re.sub(r"<!--.*?-->", "", without_code(text), flags=re.DOTALL)
    blocks, block = [], []
    for line in [*text.splitlines(), ""]:
        bare = line.strip().lstrip("> ")
        code = line.startswith("    ") and not block  # after an empty line
        ends = not bare or code or bare.startswith(("#", "|", "<", "![", "---"))
        if block and (ends or ITEM.match(line)):
            blocks.append(" ".join(block))
            block = []
        if not ends:
            block.append(ITEM.sub("", line).strip().lstrip("> "))
    return blocks


def plain(text):
    text = re.sub(r"`[^`]*`", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"[*_]{1,3}([^*_]+)[*_]{1,3}", r"\1", text)


def sentences_of(text):
    found = []
    for block in prose_of(text):
        found += [part.strip() for part in re.split(r"(?<=[.!?])\s+(?=[A-Z\"(])|(?<=:)$", plain(block)) if part.strip()]
    return [sentence for sentence in found if len(words_in(sentence)) >= 3]


def words_in(text):
    return re.findall(r"[A-Za-z0-9][\w'’./-]*", text)


def cells_of(text):
    return [plain(cell) for line in without_code(text).splitlines() if line.lstrip().startswith("|") for cell in re.split(r"(?<!\\)\|", line)]


def figures(text):
    """name -> figure of a page, or None where it has no sentence."""
    sentences = sentences_of(text)
    if not sentences:
        return None
    lengths = sorted(len(words_in(sentence)) for sentence in sentences)
    words = [word.lower() for sentence in sentences for word in words_in(sentence)]
    return {
        "words a sentence": statistics.mean(lengths),
        "of nine in ten": lengths[min(len(lengths) - 1, len(lengths) * 9 // 10)],
        "long sentences": sum(length > LONG for length in lengths) / len(lengths),
        "pronouns of 1,000 words": 1000 * sum(word in PRONOUNS for word in words) / len(words),
        "semicolons a sentence": sum(sentence.count(";") for sentence in sentences) / len(sentences),
        "headless sentences": sum(bool(HEADLESS.match(sentence)) for sentence in sentences) / len(sentences),
        "words in a cell": max((len(words_in(cell)) for cell in cells_of(text)), default=0),
    }


def faults_of(page):
    found = figures((tree.ROOT / page).read_text(encoding="utf-8"))
    for name, limit in LIMITS.items():
        if found and found[name] > limit:
            yield f"{page}: {name}: {found[name]:.3g}, and at most {limit} are allowed"


def print_all():
    for page in tree.files(".", (".md",)):
        found = figures((tree.ROOT / page).read_text(encoding="utf-8"))
        if found:
            print(f"{page}: " + ", ".join(f"{name} {figure:.3g}{'!' if figure > LIMITS[name] else ''}" for name, figure in found.items()))


def main(readable):
    faults = [fault for page in readable for fault in faults_of(page)]
    for fault in faults:
        print(fault)
    print(f"{len(readable)} pages, {len(faults)} faults")
    sys.exit(1 if faults or not readable else 0)


if __name__ == "__main__":
    if sys.argv[1:] == ["--all"]:
        print_all()
    else:
        main(sys.argv[1:] or READABLE)
