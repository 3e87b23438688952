  /** The index is not to be read as it is. `accept` of Reader lets a program read it all the same. */
  public static class NotReadyException extends FensiException {
    NotReadyException(String text) {
      super("index " + NAME + ": " + text);
    }
  }

  /** Rows from before the stream may be missing. */
  public static final class StillBuildingException extends NotReadyException {
    StillBuildingException(String text) {
      super(text);
    }
  }

  /** Nothing is written at the moment. */
  public static final class PausedException extends NotReadyException {
    PausedException(String text) {
      super(text);
    }
  }

  /** The index is gone, or about to go. */
  public static final class DroppedException extends NotReadyException {
    DroppedException(String text) {
      super(text);
    }
  }

  /** fensi_meta has no such index. */
  public static final class UnknownIndexException extends NotReadyException {
    UnknownIndexException(String text) {
      super(text);
    }
  }

  /** This file is of another definition than the index. */
  public static final class OtherDefinitionException extends NotReadyException {
    OtherDefinitionException(String text) {
      super(text);
    }
  }

  /** The alias names another index. */
  public static final class AliasMovedException extends NotReadyException {
    AliasMovedException(String text) {
      super(text);
    }
  }

  /** HBase does not let this user read a table. */
  public static final class MissingRightException extends FensiException {
    MissingRightException(String table, Throwable refusal) {
      super("index " + NAME + ": HBase refuses to let this user read table " + table + ": an administrator grants it in HBase's "
          + "shell by: grant '<user>', 'R', '" + table + "' (" + String.valueOf(refusal.getMessage()).split("\n", 2)[0] + ")");
      initCause(refusal);
    }
  }

  /** The continuation token is of another index or query. */
  public static final class BadTokenException extends FensiException {
    BadTokenException(String text) {
      super(text);
    }
  }

  /** Entries of some index rows. `token`: of the next page, null if this was the last. */
  public static final class Page {
    public final List<Entry> entries;
    public final String token;
    /** Entries whose source row did not say so. */
    public final int stale;

    Page(List<Entry> entries, String token, int stale) {
      this.entries = entries;
      this.token = token;
      this.stale = stale;
    }
  }

  /** The refusal for a missing right behind an error of HBase's client; null: it is another error. */
  private static Throwable refusalIn(Throwable error) {
    for (Throwable each = error; each != null; each = each.getCause()) {
      if (each instanceof AccessDeniedException) return each;
      if (!(each instanceof RetriesExhaustedWithDetailsException)) continue;
      for (Throwable one : ((RetriesExhaustedWithDetailsException) each).getCauses()) {
        Throwable refusal = refusalIn(one);
        if (refusal != null) return refusal;
      }
    }
    return null;
  }

  /** The error; or throws that a right on the table is missing. */
  private static IOException explained(String table, IOException error) {
    Throwable refusal = refusalIn(error);
    if (refusal != null) throw new MissingRightException(table, refusal);
    return error;
  }

  /** A row that was read, of one salt. */
  private static final class Read {
    final String table;
    final byte[] salt, rest;
    final Result result;

    Read(String table, byte[] salt, Result result) {
      this.table = table;
      this.salt = salt;
      this.result = result;
      this.rest = part(result.getRow(), salt.length, Integer.MAX_VALUE);
    }
  }

  /** Reads the index. Borrows the connection. Not for several threads at once: each makes its own. */
  public static final class Reader {
    private final Connection connection;
    private final Set<Class<?>> accepted = new HashSet<>();
    private String alias, metaTable = "fensi_meta";
    private long checkMillis = 5000, checked;
    private boolean known, checkedAgain, source, keepStale;
    private Long completeTo;
    private int caching = 500;

    public Reader(Connection connection) {
      this.connection = connection;
    }

    /** Refuses to read (AliasMovedException) while the alias names another index. */
    public Reader alias(String name) {
      alias = name;
      return this;
    }

    /** Reads although the index is so. Each call adds a kind: PausedException.class, or NotReadyException.class for all. */
    public Reader accept(Class<? extends NotReadyException> kind) {
      accepted.add(kind);
      return this;
    }

    public Reader metaTable(String name) {
      metaTable = name;
      return this;
    }

    /** How long what fensi_meta says is kept; 5 s if it is not called. */
    public Reader checkEvery(long millis) {
      checkMillis = millis;
      return this;
    }

    /** Reads the source row of each entry, too. Entries that it does not say are left out. */
    public Reader withSource() {
      source = true;
      return this;
    }

    /** With the source: entries that it does not say are kept, with holds = false. */
    public Reader keepStale() {
      keepStale = true;
      return this;
    }

    /** The index that the alias names now; null: there is no such alias. */
    public String namedByAlias() throws IOException {
      String name = row(metaTable, "alias:" + alias).getOrDefault("index", "");
      return name.isEmpty() ? null : name;
    }

    /** The watermark in milliseconds: every change that HBase acknowledged before is in the index. Null: unknown. */
    public Long completeTo() throws IOException {
      known = false;
      check();
      return completeTo;
    }

    /** Throws a NotReadyException. What fensi_meta says is at most some seconds old. */
    public void check() throws IOException {
      if (known && (System.nanoTime() - checked) / 1000000 < checkMillis) return;
      readState();
      known = true;
      checked = System.nanoTime();
    }

    /** All tables of a dropped index are missing. */
    private void checkOnceAgain() throws IOException {
      if (checkedAgain) return;
      checkedAgain = true;
      known = false;
      check();
    }

    /**
     * At most `limit` index rows that match, in the order of their keys, all salts merged: up to 4,096 of them, and behind more
     * in the order of the salts. `token`: null, or of the page before.
     */
    public Page page(Query query, int limit, String token) throws IOException {
      if (limit < 1) throw new IllegalArgumentException("limit is " + limit + ": a page has at least one row");
      check();
      checkedAgain = false;
      After after = token == null ? null : new After(query, token);
      List<Entry> entries = new ArrayList<>();
      Read last = null;
      int rows = 0;
      for (String table : query.tables) {
        if (after != null && !after.table.equals(table)) continue;
        try (Rows merged = new Rows(query, table, after, (int) Math.min(limit + 1L, caching))) {
          for (Read read = merged.next(); read != null; read = merged.next()) {
            List<Entry> found = query.matches(table, read.result);
            if (found.isEmpty()) continue;
            if (rows == limit) return joined(entries, After.tokenOf(query, last));
            entries.addAll(found);
            last = read;
            rows++;
          }
        }
        after = null;
      }
      return joined(entries, null);
    }

    private void refuse(NotReadyException error) {
      for (Class<?> kind : accepted) {
        if (kind.isInstance(error)) return;
      }
      throw error;
    }

    private Map<String, String> row(String table, String row) throws IOException {
      Map<String, String> said = new HashMap<>();
      try (Table meta = connection.getTable(TableName.valueOf(table))) {
        Result result = meta.get(new Get(Bytes.toBytes(row)).addFamily(latin("i")));
        for (Cell cell : result.isEmpty() ? new Cell[0] : result.rawCells()) {
          said.put(Bytes.toString(CellUtil.cloneQualifier(cell)), Bytes.toString(CellUtil.cloneValue(cell)));
        }
      } catch (IOException e) {
        throw explained(table, e);
      }
      return said;
    }

    private void readState() throws IOException {
      Map<String, String> named = alias == null ? new HashMap<String, String>() : row(metaTable, "alias:" + alias);
      String other = named.getOrDefault("index", "");
      if (alias != null && !other.equals(NAME)) {
        refuse(new AliasMovedException("alias " + alias + " names " + (other.isEmpty() ? "no index" : other)
            + " now: read with the code of that index ('fensi code' prints it)"));
      }
      Map<String, String> said = row(metaTable, "index:" + NAME);
      String incarnation = said.getOrDefault("incarnation", ""), digest = said.getOrDefault("fingerprint", "");
      if (incarnation.isEmpty()) {
        refuse(new UnknownIndexException("table " + metaTable + " has no row index:" + NAME + ": metaTable() names another table, and "
            + "'fensi run' with the mapping file makes the row; accept(UnknownIndexException.class) reads without any check"));
        completeTo = null;
        return;
      }
      if (incarnation.startsWith("dropped")) refuse(new DroppedException("it was dropped: read another one"));
      if (!named.getOrDefault("incarnation", incarnation).equals(incarnation)) {
        refuse(new AliasMovedException("alias " + alias + " names it as it was before it was created again: 'fensi switch' "
            + "names the one of today"));
      }
      String phase = said.getOrDefault("phase/" + incarnation, "building");
      if (phase.equals("retired") || !said.getOrDefault("dropping/" + incarnation, "").isEmpty()) {
        refuse(new DroppedException("it is being dropped: read another one"));
      }
      if (!digest.equals(DIGEST)) {
        refuse(new OtherDefinitionException("it has definition " + (digest.isEmpty() ? "(none)" : digest) + ", this file is of "
            + DIGEST + ": generate the file again from the mapping file of the index ('fensi code')"));
      }
      if (!phase.equals("live") && !phase.equals("retired")) {
        refuse(new StillBuildingException("it is " + phase + ": rows from before its stream may be missing until 'fensi backfill' "
            + "has ended; accept(StillBuildingException.class) reads what there is"));
      }
      String paused = paused(said.get("state_table"));
      if (!paused.isEmpty()) {
        refuse(new PausedException("it is paused (" + paused + "): 'fensi resume' lets it go on; accept(PausedException.class) "
            + "reads what it had then"));
      }
      String complete = said.get("complete/" + incarnation);
      completeTo = complete == null ? null : (Long) Long.parseLong(complete);
    }

    private String paused(String stateTable) {
      if (stateTable == null) return "";
      try {
        return row(stateTable, "fensi").getOrDefault("pause", "").replace('\n', ' ').trim();
      } catch (IOException | MissingRightException e) {
        return "";  // without the right to read states it is not told
      }
    }

    private Page joined(List<Entry> entries, String token) throws IOException {
      if (!source) return new Page(entries, token, 0);
      Map<String, List<Entry>> byRow = new LinkedHashMap<>();
      for (Entry entry : entries) {
        Known row = entry.known.get("row");
        if (row != null && row.exact) byRow.computeIfAbsent(Bytes.toStringBinary(row.value), key -> new ArrayList<>()).add(entry);
      }
      List<Get> gets = new ArrayList<>();
      for (List<Entry> of : byRow.values()) gets.add(new Get(of.get(0).known.get("row").value));
      Result[] results = new Result[0];
      try (Table table = connection.getTable(TableName.valueOf(SOURCE))) {
        if (!gets.isEmpty()) results = table.get(gets);
      } catch (IOException e) {
        throw explained(SOURCE, e);
      }
      int at = 0, stale = 0;
      for (List<Entry> of : byRow.values()) {
        for (Entry entry : of) {
          entry.source = results[at];
          entry.holds = holds(entry, results[at]);
        }
        at++;
      }
      List<Entry> kept = new ArrayList<>();
      for (Entry entry : entries) {
        boolean isStale = Boolean.FALSE.equals(entry.holds);
        stale += isStale ? 1 : 0;
        if (keepStale || !isStale) kept.add(entry);
      }
      return new Page(kept, token, stale);
    }

    /** The rows of one table: the lanes of all salts, merged by what follows the salt. */
    private final class Rows implements Closeable {
      private final PriorityQueue<Lane> lanes = new PriorityQueue<>();
      private final List<Lane> all = new ArrayList<>();
      private Lane taken;

      Rows(Query query, String table, After after, int batch) throws IOException {
        try {
          for (int i = 0; i < query.lanes.size(); i++) {
            Lane lane = new Lane(table, query.salts.get(i), query.lanes.get(i), after, batch);
            all.add(lane);
            if (lane.advance()) lanes.add(lane);
          }
        } catch (TableNotFoundException e) {
          close();
          lanes.clear();
          if (PERIOD == null) throw e;
          checkOnceAgain();  // else nothing was written in that period, or it is over
        } catch (IOException | RuntimeException e) {
          close();
          throw e;
        }
      }

      /** Null: there are no more. */
      Read next() throws IOException {
        if (taken != null && taken.advance()) lanes.add(taken);
        taken = lanes.poll();
        return taken == null ? null : taken.read;
      }

      @Override
      public void close() throws IOException {
        for (Lane lane : all) lane.close();
      }
    }

    /** The keys of one salt. */
    private final class Lane implements Comparable<Lane>, Closeable {
      private final String name;
      private final Table table;
      private final byte[] salt, begin;
      private final Iterator<Range> ranges;
      private final int batch;
      private ResultScanner scanner;
      private Read read;

      Lane(String name, byte[] salt, List<Range> ranges, After after, int batch) throws IOException {
        this.name = name;
        this.table = connection.getTable(TableName.valueOf(name));
        this.salt = salt;
        this.ranges = ranges.iterator();
        this.batch = batch;
        this.begin = after == null ? new byte[0] : after.beginOf(salt);
      }

      boolean advance() throws IOException {
        try {
          return read();
        } catch (IOException e) {
          throw explained(name, e);
        }
      }

      private boolean read() throws IOException {
        while (true) {
          Result result = scanner == null ? null : scanner.next();
          if (result != null) {
            read = new Read(name, salt, result);
            return true;
          }
          if (!ranges.hasNext()) return false;
          Range range = ranges.next();
          if (range.stop.length > 0 && Bytes.compareTo(range.stop, begin) <= 0) continue;
          if (scanner != null) scanner.close();
          byte[] start = Bytes.compareTo(range.start, begin) < 0 ? begin : range.start;
          scanner = table.getScanner(new Scan().withStartRow(start).withStopRow(range.stop).setCaching(batch));
        }
      }

      @Override
      public int compareTo(Lane other) {
        int order = Bytes.compareTo(read.rest, other.read.rest);
        return order != 0 ? order : Bytes.compareTo(salt, other.salt);
      }

      @Override
      public void close() throws IOException {
        if (scanner != null) scanner.close();
        table.close();
      }
    }
  }

  /** Where a page ended. */
  private static final class After {
    final String table;
    private final byte[] salt, row;

    After(Query query, String token) {
      try {
        String[] words = new String(Base64.getUrlDecoder().decode(token), StandardCharsets.UTF_8).split(" ", -1);
        table = words[1];
        salt = unhex(latin(words[2]));
        row = unhex(latin(words[3]));
        if (salt == null || row == null) throw new IllegalArgumentException(token);
        if (!words[0].equals(markOf(query)) || !query.tables.contains(table)) {
          throw new BadTokenException("the token is of another index or query: begin without one");
        }
      } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
        throw new BadTokenException("this is no token of a page: begin without one");
      }
    }

    /** The first key of a lane behind the last one that was read, which may be of another lane. */
    byte[] beginOf(byte[] laneSalt) {
      byte[] same = Bytes.add(laneSalt, part(row, salt.length, row.length));
      return Bytes.compareTo(laneSalt, salt) <= 0 ? rowAfter(same) : same;
    }

    static String tokenOf(Query query, Read read) {
      String text = markOf(query) + " " + read.table + " " + Bytes.toString(hex(read.salt)) + " "
          + Bytes.toString(hex(read.result.getRow()));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String markOf(Query query) {
      return Bytes.toString(hex(hash("SHA-256", text(DIGEST + query.askedFor())))).substring(0, 16);
    }
  }
