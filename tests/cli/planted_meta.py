"""What owners of partitions say in the meta table, planted by an index that writes there: an embedded store takes cells from
`fensi run` only. Its source is table `said`, whose rows are the names of indexes."""


def planting(index, columns):
    """The text of a mapping file."""
    lines = "".join("      '%s': '%s'\n" % column for column in columns.items())
    return """source: said
indexes:
  %s:
    table: fensi_meta
    row: 'index:{row}'
    columns:
%s""" % (index, lines)


def planting_state(index, columns):
    """The same for the own row of index `fensi` in its state table."""
    return planting(index, columns).replace("table: fensi_meta", "table: fensi_state").replace("'index:{row}'", "'{row}'")
