"""One condition has one message and one remedy, which one function makes: the file of that function has the key words of the message in a
literal, and no other file of the product has them. Texts of tests and pages may quote the message."""

import re
import sys

import sources
import tree

# condition: (the file of its function, the key words of its message). Literals that follow one another count as one.
CONDITIONS = {
    "a flag without the flag that it needs": ("operations/access/flag_faults.cc", r"\brequires $|belongs? to --\w+, which is not given"),
    "flags that exclude one another": ("operations/access/flag_faults.cc", r"cannot be combined with|do(es)? not go with"),
    "flags of which one is missing": ("operations/access/flag_faults.cc", r"require each other|--\w+ go together"),
    "bounds without a row between them": ("operations/access/flag_faults.cc", r"less than --stop_row|no row lies from"),
    "a file that would be replaced": ("operations/access/flag_faults.cc", r"replace what it holds: --overwrite|--overwrite replaces"),
    "no daemon runs the index": ("operations/access/kafka.cc", r"no daemon runs it|nobody runs index"),
    "a thread cannot be started": ("base/unattended.h", r"cannot start a thread|no thread can be had"),
    "an answer of HBase cannot be decoded": ("hbase/errors.cc", r"cannot read the answer to|the answer of (\w+ )*cannot be read"),
    "a table that does not exist": ("base/shown_text.cc", r"there is no table "),
    "a table that is not enabled": ("hbase/errors.cc", r"is disabled, or "),
    "a write with an unknown outcome": ("hbase/errors.cc", r"whether (HBase changed the row|the row was changed)"),
    "the gateway wants SPNEGO": ("store/gateway_security.h", r"\(SPNEGO\)"),
    "a stored value of another version": ("meta/versioned_meta_row.cc", r"which this version of fensi (cannot read|does not understand)"),
    "requests with another number of partitions": ("consumer/kafka/client/topic_facts.cc", r"owners of other rows|who does not own its row"),
    "a topic with too small a limit": ("consumer/kafka/client/topic_facts.cc", r"max\.message\.bytes\), and a "),
    "a consumer that did not leave": ("consumer/kafka/group/membership.cc", r"get its partitions after|after the session timeout|waits for the session timeout"),
    "a peer without the table": ("capture/peers.cc", r"append_peer_tableCFs"),
    "a serial peer": ("capture/peers.cc", r"set_peer_serial"),
    "an index that was created again": ("indexer/remedies.cc", r"was dropped and (created|made) again meanwhile"),
    "a cell that is too new": ("indexer/remedies.cc", r"above which fensi cannot put\. Stop every|nothing can be put above"),
    "versions that are used up": ("indexer/remedies.cc", r"the versions of the |version would pass|deletes would pass"),
    "a gap in the stream": ("indexer/remedies.cc", r"(Changes are lost to the index|has lost changes)|--from earliest --execute"),
    "a dry run": ("operations/console/console.cc", r"dry run|nothing was changed\. (Run|To)|To apply this plan"),
    "a missing right on a table": ("hbase/errors.cc", r"[Gg]rant the right( to this user)? in the HBase shell"),
    "a user whom Kafka refuses": ("consumer/kafka/client/refusal.cc", r"Kafka (refuses|does not accept) the user"),
    "an unreachable server": ("base/shown_text.cc", r"is (unreachable|away) since"),
    "tables of another index": ("operations/tables/taken_names.cc", r"(may be those of|may belong to) another"),
    "a table of fensi that would be captured": ("daemon/capture/own_tables.cc", r"cannot be captured, because fensi|cannot be captured: it is "),
    "an index without its record": ("operations/tables/taken_names.cc", r"has no record of the index, although"),
    "a stream of another Kafka cluster": ("indexer/index_meta.cc", r"is at the address now"),
    "a capture of another Kafka cluster": ("capture/zookeeper/agreement.cc", r"would be spread over both"),
    "edits of another HBase cluster": ("capture/zookeeper/registration.cc", r"belongs to cluster|would mix both"),
    "a message of another version": ("consumer/codec/message.cc", r"to the version of the writer|this program reads version"),
    "a peer that is no server of HBase": ("hbase/security/gss.cc", r"Check that --store names a server of HBase$"),
    "a paused index": ("indexer/meta_row.cc", r"is paused \("),
    "a source row that is too large": ("sweep/compare/finding.h", r"too large to be compared"),
    "cells without a known row": ("sweep/compare/orphan_detector.cc", r"too many for one comparison|too many to be proved"),
    "an index that is late": ("operations/status/standing.cc", r"its oldest event waits for"),
    "another program at the address": ("admin/client.h", r"no 'fensi run' or 'fensi capture'"),
}

_TEXT = r'"(?:\\.|[^"\\\n])*"'
_LITERALS = re.compile(rf"//[^\n]*|({_TEXT}(?:\s*{_TEXT})*)")


def literals(path):
    """(line, text) of each literal outside of comments."""
    code = (tree.ROOT / path).read_text(encoding="utf-8")
    for match in _LITERALS.finditer(code):
        if match.group(1):
            yield code.count("\n", 0, match.start()) + 1, re.sub(r'"\s*"', "", match.group(1))[1:-1]


def main():
    faults, made, count = [], set(), 0
    for path in sources.of_modules():
        for line, text in literals(path):
            count += 1
            for condition, (home, words) in CONDITIONS.items():
                if not re.search(words, text):
                    continue
                if str(path) == home:
                    made.add(condition)
                else:
                    faults.append(f"{path}:{line}: says '{condition}' in words of its own; call the function in {home}")
    faults += [f"{home} does not say '{condition}': correct its key words in tests/rules/one_message.py"
               for condition, (home, _) in CONDITIONS.items() if condition not in made]
    print(*faults, sep="\n")
    print(f"{len(CONDITIONS)} conditions, {count} literals, {len(faults)} faults")
    sys.exit(1 if faults or not count else 0)


main()
