"""Which HBase and which Kafka a stack runs."""
import re

DEFAULT = {"hbase": "2.6.1", "kafka": "4.1.0"}
NAMES = {"hbase": "HBase", "kafka": "Kafka"}
# Kafka needed a ZooKeeper before; HBase 1 has another client than the one for which the admin process is written.
OLDEST = {"hbase": (2, 0), "kafka": (3, 3)}


def why_not(product, version):
    """Why this cannot be the version of a stack's server; empty if it can. Whether there is one, only Maven knows."""
    if not re.fullmatch(r"[0-9]{1,4}(\.[0-9]{1,4}){1,3}([-.][0-9A-Za-z]{1,20}){0,2}", version):
        return "%r is not a version, as %s is" % (version, DEFAULT[product])
    oldest = OLDEST[product]
    if tuple(int(part) for part in re.findall("[0-9]+", version)[:2]) < oldest:
        return "%s %s is too old; a stack can have %d.%d or newer" % (NAMES[product], version, *oldest)
    return ""


def chosen(asked):
    return {product: asked.get(product) or version for product, version in DEFAULT.items()}


def differ(asked, kept):
    return any(version not in (None, kept[product]) for product, version in asked.items())


def stored(fields):
    """Those of stack.json; one that names none was made when there were only these. ValueError or TypeError: damaged."""
    versions = {**DEFAULT, **fields.get("versions", {})}
    if set(versions) != set(DEFAULT) or any(why_not(*item) for item in versions.items()):
        raise ValueError(versions)
    return versions


def text(versions):
    return " and ".join("%s %s" % (NAMES[product], version) for product, version in versions.items())
