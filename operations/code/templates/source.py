class _Source:
    """What a source row says the index should hold, for the check of an entry."""

    def __init__(self, index, row, cells):
        self.index, self.row = index, row
        self.columns = {(cell.family, cell.qualifier): cell for cell in cells}
        self.unknown = False

    def holds(self, entry):
        """None: this file cannot tell."""
        if not self.columns:
            return False
        if self.index.required is not None and self.index.required not in self.columns:
            return False
        place = (entry.table, entry.row, entry.family, entry.qualifier)
        agrees = self._entries().get(place) == entry.value
        if agrees and not self.index.conditions:
            return True
        return None if self.unknown or agrees else False

    def _entries(self):
        templates = [self.index.row, *(one for column in self.index.columns for one in (column.qualifier, column.value))]
        templates += [self.index.period.table] if self.index.period is not None else []
        kinds = {part.reference.kind for template in templates for part in template if part.reference is not None}
        self.unknown = self.index.of_items or bool(kinds & {"stored", "stored_time", "item"})
        if self.unknown:
            return {}
        bound = sorted(cell for cell in self.columns.values() if self._is_watched(cell)) if self.index.watched else [None]
        entries = {}
        for cell in bound:
            entries.update(self._entries_of(cell))
        return entries

    def _is_watched(self, cell):
        return any(cell.family == family and (cell.qualifier.startswith(name) if prefix else cell.qualifier == name)
                   for family, name, prefix in self.index.watched)

    def _entries_of(self, cell):
        entries = {}
        try:
            row, table = self._run(self.index.row, cell), self.index.table
            if self.index.period is not None:
                table = self._run(self.index.period.table, cell).decode()
            for column in self.index.columns:
                qualifier = self._run(column.qualifier, cell)
                try:
                    entries[table, row, column.family, qualifier] = self._run(column.value, cell)
                except _Absent:
                    continue  # this column alone is left out
        except _Refused:
            return {}
        return entries

    def _run(self, template, cell):
        return b"".join(part.literal if part.reference is None else self._run_part(part, cell) for part in template)

    def _run_part(self, part, cell):
        value = self._fetch(part.reference, cell)
        for step in part.steps:
            if step.name == "default":
                value = step.arguments[0] if value is None else value
            elif value is not None:
                try:
                    value = _FUNCTIONS[step.name][0](step, value)
                except _Absent:
                    value = None
        if value is None:
            raise _Absent(part.text)
        return value

    def _fetch(self, reference, cell):
        if reference.kind == "row":
            return self.row
        if reference.kind in ("column", "column_time"):
            found = self.columns.get(reference.column)
            return found and (found.value if reference.kind == "column" else found.timestamp)
        return {"family": cell.family, "qualifier": cell.qualifier, "value": cell.value, "time": cell.timestamp}[reference.kind]
