"""What owners of partitions say in the meta table, planted by an index that writes there: an embedded store takes cells from
`fensi run` only. Its source is table `said`, whose rows are the names of indexes."""

TABLE = "planted_meta"  # no mapping may write the meta table that its command knows, so this one is the meta table of other commands


def planting(index, columns):
    """The text of a mapping file."""
    lines = "".join("      '%s': '%s'\n" % column for column in columns.items())
    return """source: said
indexes:
  %s:
    table: %s
    row: 'index:{row}'
    columns:
%s""" % (index, TABLE, lines)


def planting_state(index, columns):
    """The same for the own row of index `fensi` in its state table."""
    return planting(index, columns).replace("table: " + TABLE, "table: fensi_state").replace("'index:{row}'", "'{row}'")


class WithPlantedMeta:
    """A CliTest whose commands have TABLE as their meta table."""
    def fensi(self, *arguments, variables=None, **options):
        return super().fensi(*arguments, variables={"FENSI_META_TABLE": TABLE, **(variables or {})}, **options)

    def plant(self, mapping, events, store):
        outcome = super().fensi("run", mapping, "--source=file:" + self.file("planted.jsonl", events), store)
        self.assertEqual(outcome.code, 0, outcome.err)
