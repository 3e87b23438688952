"""The mapping of an index with a row for each followed user and a column f1:<follower>, in four regions."""


def followers(value):
    """A mapping file, but for the names of table and index; `value` is a template."""
    return """\
source: %%(source)s
indexes:
  %%(index)s:
    table: %%(index)s
    row: '{f1:from}'
    columns: { 'f1:{row}': '%s' }
    create: { families: { f1: { versions: 1 } }, split: { keys: ['2', '4', '6'] } }
""" % value
