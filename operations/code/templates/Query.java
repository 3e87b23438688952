  /** An index cell, with the source values that it was made of. */
  public static final class Entry {
    public final String table;
    public final byte[] row, family, qualifier, value;
    public final long timestamp;
    /** The source values by name, as bytes, as far as the cell tells them. */
    public final Map<String, Known> known;
    /** The cells of the source row, if it was read and is known; empty: there is none. */
    public Result source;
    /** Whether the source row says so now; null: it cannot be told. */
    public Boolean holds;

    Entry(String table, Cell cell, Map<String, Known> known) {
      this.table = table;
      this.row = CellUtil.cloneRow(cell);
      this.family = CellUtil.cloneFamily(cell);
      this.qualifier = CellUtil.cloneQualifier(cell);
      this.value = CellUtil.cloneValue(cell);
      this.timestamp = cell.getTimestamp();
      this.known = known;
    }

    /** A source value: a Long or Double if the source has a number in bytes, else bytes; null: it is not known. */
    public Object get(String name) {
      return known.containsKey(name) ? valueOf(known.get(name)) : null;
    }

    /** The same as text of UTF-8. */
    public String text(String name) {
      Object value = get(name);
      return value instanceof byte[] ? new String((byte[]) value, StandardCharsets.UTF_8) : value == null ? null : value.toString();
    }
  }

  private static Object valueOf(Known known) {
    Part part = null;
    int steps = 0;
    for (KeyPart keyPart : KEY) {
      if (part == null && keyPart.name.equals(known.name)) {
        part = ROW[keyPart.part];
        steps = keyPart.steps;
      }
    }
    for (Column column : COLUMNS) {
      for (Part[] template : new Part[][] {column.qualifier, column.value}) {
        for (Part one : template) {
          if (part == null && !one.isLiteral() && one.reference.name.equals(known.name) && reads(one, 0)) part = one;
        }
      }
    }
    if (part == null || !reads(part, steps)) return known.value;
    if (part.typeAt(steps) == Type.TIME) return whole(known.value);
    try {
      long number = (Long) apply(part.steps[steps], known.value);
      return part.steps[steps].given == Type.REAL ? (Object) real(number) : (Object) number;
    } catch (Refused refused) {
      return known.value;
    }
  }

  private static boolean reads(Part part, int steps) {
    return part.typeAt(steps) == Type.TIME || (steps < part.steps.length && part.steps[steps].readsNumber());
  }

  /** Which tables and ranges to scan, and which of their cells match. Made by `prefix` and `between`. */
  public static final class Query {
    private final byte[][] pieces;
    private final Prefixes prefixes;
    private final int given;
    private Part bounded;
    private Bounds bounds;
    private int typedAt, judged = -1;
    private PartBounds judge;
    private List<Interval> scanned;
    private final List<List<Range>> lanes = new ArrayList<>();  // one for each salt
    private final List<byte[]> salts = new ArrayList<>();
    /** The tables, in the order of their periods. */
    public final List<String> tables;
    /** All ranges, in the order of their keys. */
    public final List<Range> ranges;
    /** True: every cell in the ranges matches. False: there may be others, which a page leaves out. */
    public final boolean exact;

    Query(List<Object> parts, Object start, Object stop) {
      if (parts.size() > KEY.length) {
        throw new BadPartException(parts.size() + " parts were given, the row key has " + KEY.length);
      }
      given = parts.size();
      pieces = piecesOf(parts);
      prefixes = new Prefixes(pieces);
      if (start != null || stop != null) bound(start, stop);
      for (int at = 0; at < ROW.length; at++) {
        if (!ROW[at].isLiteral() && pieces[at] != null && !ROW[at].readable) throw noBorders(ROW[at]);
      }
      tables = tablesBetween(start, stop);
      List<Range> all = new ArrayList<>();
      if (bounds == null || !bounds.empty()) {
        addLanes();
        for (List<Range> lane : lanes) all.addAll(lane);
      }
      ranges = Collections.unmodifiableList(merged(all));
      exact = suffices();
    }

    private static BadPartException noBorders(Part part) {
      return new BadPartException("where " + part.text + " begins and ends cannot be told from the row keys");
    }

    private void bound(Object start, Object stop) {
      if (PERIOD == null && given == KEY.length) {
        throw new BadPartException("all parts are given: nothing is left between start and stop");
      }
      if (PERIOD == null) {
        boundPart(KEY[given], start, stop);
        return;
      }
      if (PERIOD.keyPart >= 0) {
        try {
          boundPart(KEY[PERIOD.keyPart], start, stop);
          return;
        } catch (BadPartException e) {
          judged = -1;
          judge = null;
          scanned = null;
        }
      }
      bounded = PERIOD.time;
      typedAt = 0;
      bounds = new Bounds(bounded, 0, start, stop, PERIOD.units);
    }

    private void boundPart(KeyPart keyPart, Object start, Object stop) {
      typedAt = keyPart.steps;
      bounded = ROW[keyPart.boundedPart];
      BadPartException refused = new BadPartException(
          ROW[keyPart.part].text + " neither keeps the order of its values nor can be read back: bounds say nothing");
      boolean told = false;
      for (int at : keyPart.decides) {
        boolean alike = false;
        for (int one : keyPart.alike) alike = alike || one == at;
        PartBounds one = null;
        if (alike) one = new PartBounds(ROW[at], new Bounds(ROW[at], typedAt, start, stop, keyPart.units));
        if (alike ? !one.tells() : ROW[at].invertible(typedAt) != EXACT) continue;
        if (!ROW[at].readable) refused = noBorders(ROW[at]);
        told = told || ROW[at].readable;
        if (alike) judgeBy(at, one);
      }
      if (!told) throw refused;
      if (judged >= 0) bounded = ROW[judged];
      bounds = new Bounds(bounded, typedAt, start, stop, keyPart.units);
    }

    private void judgeBy(int at, PartBounds one) {
      if (at == prefixes.open) scanned = one.intervals;
      if (!ROW[at].readable || (judge != null && (!one.exact || judge.exact))) return;
      judged = at;
      judge = one;
    }

    private void addLanes() {
      Map<byte[], List<Range>> bySalt = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      for (int i = 0; i < prefixes.keys.size(); i++) {
        bySalt.computeIfAbsent(prefixes.salts.get(i), salt -> new ArrayList<>()).addAll(rangesOf(prefixes.keys.get(i)));
      }
      for (Map.Entry<byte[], List<Range>> lane : bySalt.entrySet()) {
        salts.add(lane.getKey());
        lanes.add(merged(lane.getValue()));
      }
    }

    private List<Range> rangesOf(byte[] prefix) {
      if (prefixes.open == ROW.length) return Collections.singletonList(new Range(prefix, rowAfter(prefix)));
      if (scanned == null) return Collections.singletonList(new Range(prefix, prefixEnd(prefix)));
      List<Range> out = new ArrayList<>();
      for (Interval interval : scanned) {
        byte[] low = Bytes.add(prefix, interval.low);
        byte[] start = interval.withoutLow ? prefixEnd(low) : low;
        if (interval.withoutLow && start.length == 0) continue;  // no key lies behind bytes of FF alone
        out.add(new Range(start, stopOf(prefixes.open, prefix, interval)));
      }
      return out;
    }

    private boolean suffices() {
      for (int at = 0; at < ROW.length; at++) {
        if (ROW[at].isLiteral() || pieces[at] == null) continue;
        if (at >= prefixes.open || (!ROW[at].endsItself && prefixes.open < ROW.length)) return false;
      }
      if (bounds == null) return true;
      if (judged != prefixes.open || scanned == null || !judge.exact || !judge.inOrder) return false;
      Part part = ROW[prefixes.open];
      return prefixes.open + 1 == ROW.length || part.fixed || part.terminated;
    }

    /** What tells this query from others of the index. */
    private String askedFor() {
      StringBuilder out = new StringBuilder().append(given);
      for (byte[] piece : pieces) out.append(' ').append(piece == null ? "-" : Bytes.toStringBinary(piece));
      for (Bound bound : bounds == null ? new ArrayList<Bound>() : bounds.both) {
        String value = bound.value instanceof byte[] ? Bytes.toStringBinary((byte[]) bound.value) : bound.value.toString();
        out.append(bound.isStart ? " from " : " to ").append(bound.step).append(' ').append(value);
      }
      return out.append(tables).append(ranges).toString();
    }

    private Placement judgeRow(byte[] row) {
      if (given == 0 && bounds == null) return Placement.INSIDE;
      byte[][] found = cut(ROW, row);
      if (found == null) return Placement.OUTSIDE;
      for (int at = 0; at < ROW.length; at++) {
        if (!ROW[at].isLiteral() && pieces[at] != null && !Arrays.equals(pieces[at], found[at])) return Placement.OUTSIDE;
      }
      if (judge == null) return bounds == null ? Placement.INSIDE : Placement.UNSURE;
      return judge.judge(found[judged]);
    }

    private Object valueIn(Map<String, Known> known) {
      Known found = known.get(bounded.reference.name);
      if (found == null || !found.exact) return null;
      try {
        return bounded.run(0, typedAt, bounded.reference.isTime() ? (Object) whole(found.value) : found.value);
      } catch (Refused refused) {
        return null;
      }
    }

    private boolean includes(Cell cell, Map<String, Known> known, Map<String, Boolean> ofRows) {
      Object value = valueIn(known);
      if (value != null) return bounds.include(value);
      int numberAt = bounded.firstNumber(typedAt);
      Numbers numbers = numberAt < 0 ? null : numberIn(bounded, numberAt, cell);
      Placement placement = numbers == null ? Placement.UNSURE : bounds.judge(numbers, numberAt);
      if (placement != Placement.UNSURE) return placement == Placement.INSIDE;
      Known source = known.get("row");
      Boolean of = source == null || !source.exact ? null : ofRows.get(Bytes.toStringBinary(source.value));
      return of == null || of;
    }

    /** The entries of one index row that were asked for. */
    public List<Entry> matches(String table, Result result) {
      List<Entry> entries = new ArrayList<>();
      Placement placement = result.isEmpty() ? Placement.OUTSIDE : judgeRow(result.getRow());
      if (placement == Placement.OUTSIDE) return entries;
      List<Map<String, Known>> known = new ArrayList<>();
      Map<String, Boolean> ofRows = new HashMap<>();
      for (Cell cell : result.rawCells()) known.add(knownIn(CellUtil.cloneRow(cell), cell));
      boolean ofColumn = placement == Placement.UNSURE && bounded.reference.kind.startsWith("column");
      for (Map<String, Known> one : known) {
        Object value = ofColumn ? valueIn(one) : null;
        Known source = one.get("row");
        if (value == null || source == null || !source.exact) continue;
        ofRows.putIfAbsent(Bytes.toStringBinary(source.value), bounds.include(value));
      }
      for (int i = 0; i < known.size(); i++) {
        Cell cell = result.rawCells()[i];
        if (placement == Placement.INSIDE || includes(cell, known.get(i), ofRows)) entries.add(new Entry(table, cell, known.get(i)));
      }
      return entries;
    }
  }

  private static byte[][] piecesOf(List<Object> given) {
    byte[][] pieces = new byte[ROW.length][];
    for (int at = 0; at < ROW.length; at++) pieces[at] = ROW[at].isLiteral() ? ROW[at].literal : null;
    for (int i = 0; i < given.size(); i++) {
      Object typed = typed(KEY[i], given.get(i));
      for (int at : KEY[i].decides) pieces[at] = ROW[at].encode(KEY[i].steps, typed);
    }
    return pieces;
  }

  /** The value behind the part's first steps, of what an application gives. */
  private static Object typed(KeyPart keyPart, Object value) {
    Part part = ROW[keyPart.part];
    Step step = keyPart.steps < part.steps.length ? part.steps[keyPart.steps] : null;
    if (value instanceof Integer) value = ((Integer) value).longValue();
    String name = "<" + keyPart.name + ">";
    if (part.reference.kind.equals("stored") && !(value instanceof byte[])) {
      throw new BadPartException(name + " is a stored form: give byte[], what " + part.reference.name + " gives, not " + shown(value));
    }
    if (keyPart.width >= 0 && ((byte[]) value).length != keyPart.width) {
      throw new BadPartException(name + " is a stored form of " + keyPart.width + " bytes, not of " + ((byte[]) value).length
          + ": give all of them, or between(start, stop) for all that begin alike, not " + shown(value));
    }
    if (part.typeAt(keyPart.steps) == Type.TIME) {
      if (value instanceof Instant) return wholeMillis(keyPart.name, (Instant) value);
      if (value instanceof Long) return value;
      throw new BadPartException(name + " is a time: give an Instant or milliseconds, not " + shown(value));
    }
    if (value instanceof Instant) value = numberOf(keyPart, part, (Instant) value);
    boolean reads = step != null && step.readsNumber();
    if (reads && value instanceof Number) return bytesOfNumber(name, step, (Number) value);
    if (reads && value instanceof String) {
      throw new BadPartException(name + " is read by " + step.name + ": give a number or bytes, not '" + value + "'");
    }
    if (step != null && step.name.equals("uuid_text") && value instanceof String) {
      try {
        return uuid(text(value));
      } catch (Refused refused) {
        throw new BadPartException(name + ": " + refused.getMessage());
      }
    }
    return text(value);
  }

  private static Object numberOf(KeyPart keyPart, Part part, Instant moment) {
    long since = wholeMillis(keyPart.name, moment);
    if (keyPart.units == 0 || part.firstNumber(keyPart.steps) != keyPart.steps + 1) {
      throw new BadPartException("<" + keyPart.name + "> is no time that this file can write: give the value as the source has it");
    }
    if (since % keyPart.units != 0) {
      throw new BadPartException("<" + keyPart.name + "> counts units of " + keyPart.units + " ms, and " + moment + " lies between two of them");
    }
    long number = since / keyPart.units;
    return part.steps[keyPart.steps].readsNumber() ? (Object) number : Long.toString(number);
  }

  private static byte[] bytesOfNumber(String name, Step step, Number value) {
    Long number = step.given == Type.REAL ? (Long) rankGiven(step, value) : value instanceof Long ? (Long) value : null;
    Inverted inverted = number == null ? NOT_INVERTED : inverse(step, number);
    try {
      if (inverted.inverse != NONE && apply(step, inverted.value).equals(number)) return (byte[]) inverted.value;
    } catch (Refused refused) {
      // the same as a number that does not come back
    }
    throw new BadPartException(name + " is read by " + step.name + ", and " + value + " does not fit");
  }

  /** What the known pieces determine: for each prefix its salt, and the first part that is not in them. */
  private static final class Prefixes {
    List<byte[]> keys = new ArrayList<>(Collections.singletonList(new byte[0])), salts = keys;
    int open = 0;

    Prefixes(byte[][] pieces) {
      boolean leading = true;
      for (; open < ROW.length; open++) {
        leading = leading && ROW[open].salts.length > 0;
        byte[][] choices = pieces[open] != null ? new byte[][] {pieces[open]} : ROW[open].salts;
        if (choices.length == 0 || (long) choices.length * keys.size() > 4096) return;
        List<byte[]> longer = new ArrayList<>(), salted = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
          for (byte[] choice : choices) {
            longer.add(Bytes.add(keys.get(i), choice));
            salted.add(leading ? Bytes.add(salts.get(i), choice) : salts.get(i));
          }
        }
        keys = longer;
        salts = salted;
      }
    }
  }

  private static List<String> tablesBetween(Object start, Object stop) {
    if (PERIOD == null) return Collections.singletonList(TABLE);
    if (start == null || stop == null) {
      throw new BadPartException("the index has a table per period: give start and stop, as Instants or numbers");
    }
    if (!PERIOD.ofTimeAlone) throw new BadPartException("the table's name has more parts than the time: name its tables yourself");
    Part time = PERIOD.time;
    Bounds bounds = new Bounds(time, 0, start, stop, PERIOD.units);
    if (bounds.empty()) return Collections.emptyList();
    long[] ends = new long[2];
    for (Bound bound : bounds.both) {
      if (time.numberOrder(bound.step, time.steps.length) == Order.UNORDERED) {
        throw new BadPartException("the table's name does not keep the order of its times: bounds do not tell its tables");
      }
      try {
        long at = (Long) bound.value - (bound.isStart ? 0 : 1);
        ends[bound.isStart ? 0 : 1] = (Long) time.run(bound.step, time.steps.length, at);
      } catch (Refused refused) {
        throw new BadPartException(refused.getMessage());
      }
    }
    return tablesFrom(Math.min(ends[0], ends[1]), Math.max(ends[0], ends[1]));
  }

  private static List<String> tablesFrom(long at, long last) {
    Set<String> tables = new LinkedHashSet<>();
    if (last / PERIOD.stepMillis - at / PERIOD.stepMillis > 20000000) throw new BadPartException("the bounds are too far apart: ask for a shorter time");
    while (true) {
      String name = tableAt(at);
      if (!name.isEmpty()) tables.add(name);
      if (tables.size() > 10000) throw new BadPartException("there can be more than 10,000 tables between the bounds: ask for a shorter time");
      if (at == last) return new ArrayList<>(tables);
      long step = PERIOD.stepMillis;
      for (Part part : PERIOD.table) {
        for (Step one : part.steps) {
          boolean changed = one.name.equals("time") && one.bytes(1) != null && offset(one, 1, at) != offset(one, 1, at + PERIOD.stepMillis);
          if (changed) step = Math.min(step, 1000);
        }
      }
      at = last - at > step ? at + step : last;
    }
  }

  private static String tableAt(long millis) {
    byte[] name = new byte[0];
    for (Part part : PERIOD.table) {
      try {
        name = Bytes.add(name, part.isLiteral() ? part.literal : (byte[]) part.run(PERIOD.time.steps.length, part.steps.length, millis));
      } catch (Refused refused) {
        return "";
      }
    }
    return new String(name, StandardCharsets.UTF_8);
  }

  /** Null: the row is no key of this index. Else what reads the key, and for each column that may have written the cell that too. */
  private static List<Decoder> decoders(byte[] row, Cell cell) {
    Decoder key = new Decoder();
    if (!key.add(ROW, row)) return null;
    List<Decoder> decoders = new ArrayList<>(Collections.singletonList(key));
    for (int i = 0; cell != null && i < COLUMNS.length; i++) {
      Decoder decoder = new Decoder();
      decoder.made.addAll(key.made);
      if (!Arrays.equals(COLUMNS[i].family, CellUtil.cloneFamily(cell))) continue;
      if (!decoder.add(COLUMNS[i].qualifier, CellUtil.cloneQualifier(cell))) continue;
      if (decoder.add(COLUMNS[i].value, CellUtil.cloneValue(cell))) decoders.add(decoder);
    }
    return decoders;
  }

  private static Map<String, Known> knownIn(byte[] row, Cell cell) {
    List<Decoder> decoders = decoders(row, cell);
    if (decoders == null) return new HashMap<>();
    Map<String, Known> both = null;
    for (Decoder decoder : decoders.subList(1, decoders.size())) {
      Map<String, Known> known = decoder.known();
      if (known != null) both = both == null ? known : inBoth(both, known);
    }
    if (both == null) both = decoders.get(0).known();
    return both == null ? new HashMap<String, Known>() : both;
  }

  private static Map<String, Known> inBoth(Map<String, Known> one, Map<String, Known> other) {
    Map<String, Known> both = new LinkedHashMap<>();
    for (Known known : one.values()) {
      Known same = other.get(known.name);
      if (same == null || !Arrays.equals(same.value, known.value)) continue;
      both.put(known.name, new Known(known.name, known.value, known.exact && same.exact));
    }
    return both;
  }

  private static Numbers numberIn(Part part, int numberAt, Cell cell) {
    List<Decoder> decoders = decoders(CellUtil.cloneRow(cell), cell);
    Numbers both = null;
    for (int i = 1; decoders != null && i < decoders.size(); i++) {
      Numbers numbers = decoders.get(i).numbersOf(part, numberAt);
      if (numbers == null) return null;
      both = both == null ? numbers : new Numbers(Math.min(both.least, numbers.least), Math.max(both.most, numbers.most), 0);
    }
    return both;
  }
