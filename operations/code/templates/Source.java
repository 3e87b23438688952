  /** What a source row says the index should hold. Null: this file cannot tell. */
  private static Boolean holds(Entry entry, Result source) {
    if (source.isEmpty()) return false;
    if (REQUIRED != null && source.getColumnLatestCell(REQUIRED[0], REQUIRED[1]) == null) return false;
    if (!CAN_TELL) return null;
    byte[] said = null;
    if (WATCHED.length == 0) {
      said = saidOf(entry, source, null, null);
    } else {
      for (Cell cell : source.rawCells()) {  // in the order of qualifiers: the last that gives the cell wins
        boolean covered = false;
        for (Watched watched : WATCHED) covered = covered || watched.covers(cell);
        if (covered) said = saidOf(entry, source, cell, said);
      }
    }
    if (said == null || !Arrays.equals(said, entry.value)) return false;
    return HAS_CONDITIONS ? null : true;
  }

  /** The value of the entry's cell, as far as this bound cell gives one; else `before`. */
  private static byte[] saidOf(Entry entry, Result source, Cell bound, byte[] before) {
    try {
      byte[] said = before;
      if (!Arrays.equals(run(ROW, source, bound), entry.row)) return before;
      if (PERIOD != null && !Bytes.toString(run(PERIOD.table, source, bound)).equals(entry.table)) return before;
      for (Column column : COLUMNS) {
        boolean same = Arrays.equals(column.family, entry.family);
        boolean here = Arrays.equals(run(column.qualifier, source, bound), entry.qualifier);
        try {
          byte[] value = run(column.value, source, bound);
          if (same && here) said = value;
        } catch (Absent absent) {
          continue;  // this column alone is left out
        }
      }
      return said;
    } catch (Refused refused) {
      return before;
    }
  }

  private static byte[] run(Part[] template, Result source, Cell bound) {
    byte[] out = new byte[0];
    for (Part part : template) out = Bytes.add(out, part.isLiteral() ? part.literal : (byte[]) run(part, source, bound));
    return out;
  }

  private static Object run(Part part, Result source, Cell bound) {
    Object value = fetch(part.reference, source, bound);
    for (Step step : part.steps) {
      if (step.name.equals("default")) {
        value = value == null ? step.arguments[0] : value;
      } else if (value != null) {
        try {
          value = apply(step, value);
        } catch (Absent absent) {
          value = null;
        }
      }
    }
    if (value == null) throw new Absent(part.text);
    return value;
  }

  private static Object fetch(Reference reference, Result source, Cell bound) {
    Cell cell = reference.family == null ? bound : source.getColumnLatestCell(reference.family, reference.qualifier);
    if (reference.kind.equals("row")) return source.getRow();
    if (cell == null) return null;
    switch (reference.kind) {
      case "column": case "value": return CellUtil.cloneValue(cell);
      case "family": return CellUtil.cloneFamily(cell);
      case "qualifier": return CellUtil.cloneQualifier(cell);
      default: return cell.getTimestamp();
    }
  }
