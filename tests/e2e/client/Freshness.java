import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writers that note when HBase acknowledged each change, and readers that believe what docs/read-your-writes.md promises: an index
 * that says "complete to T" has every change that was acknowledged before T. Counts what it has not. Knows HBase's own client and
 * nothing of fensi but the two cells of the meta table that the page names.
 *
 * Arguments: the meta table, changes a second, rows of a table, and for each table SOURCE=INDEX=KIND. KIND: `busy` is written all
 * the time, `quiet` once in ten seconds, `idle` never. An index has for the source cell ROW, f1:from = V the cell V, f1:ROW with
 * the source cell's timestamp as text. Each line of standard input begins a phase of that name, for which ages of marks are told;
 * its end ends the program: 0 when nothing was missed, 1 when something was.
 */
public class Freshness {
  private static final byte[] FAMILY = Bytes.toBytes("f1");
  private static final byte[] FROM = Bytes.toBytes("from");
  private static final int WRITERS = 4, BATCH = 8, VALUES = 3, CHUNK = 500, SHOWN = 20, CONTROL = 10;
  private static final long SKEW_MS = 1000, PATIENCE_MS = 300_000, QUIET_MS = 10_000;
  /** Timestamps of cells tell nothing about when they were written: these lie years back. */
  private static final long FIRST_TIMESTAMP = 1_500_000_000_000L;

  private static Connection connection;
  private static Table meta;
  private static int perSecond, rows;
  private static volatile boolean writing = true, reading = true;
  private static volatile String phase = "start";
  private static final AtomicLong missed = new AtomicLong();
  private static volatile Throwable problem;
  private static final Map<String, List<Long>> ages = new ConcurrentSkipListMap<>();

  /** What was done to a source row: it became one of its values, or (-1) was deleted. */
  private static final class Change {
    final int value;
    final long begun;
    long acknowledged = Long.MAX_VALUE;  // guarded by the row

    Change(int value, long begun) {
      this.value = value;
      this.begun = begun;
    }
  }

  /** All changes of a source row, in their order: one after the other, each acknowledged before the next begins. */
  private static final class SourceRow {
    final String key;
    final String[] values = new String[VALUES];
    final List<Change> changes = new ArrayList<>();  // guarded by this

    SourceRow(int number) {
      key = number % 8 + "r" + number;
      for (int i = 0; i < VALUES; i++) {
        values[i] = (number + 3 * i) % 8 + "u" + i + "_" + number % 1000;
      }
    }

    synchronized Change begin(int value) {
      changes.add(new Change(value, System.currentTimeMillis()));
      return changes.get(changes.size() - 1);
    }

    synchronized void acknowledge(Change change, long now) {
      change.acknowledged = now;
    }

    /** The last change that was acknowledged before that time; -1: none. */
    synchronized int lastBefore(long time) {
      int last = changes.size() - 1;
      while (last >= 0 && changes.get(last).acknowledged >= time) {
        last--;
      }
      return last;
    }

    /** May an index that has everything up to the change `least` show this for a value, now? `shown` < 0: nothing. */
    synchronized boolean mayShow(int value, int least, long shown) {
      if (shown >= 0) {
        return shown >= least && shown < changes.size() && changes.get((int) shown).value == value;
      }
      for (int i = Math.max(least, 0); i < changes.size(); i++) {
        if (changes.get(i).value != value) {
          return true;
        }
      }
      return least < 0;
    }
  }

  private record Acknowledged(SourceRow row, long time) {}

  /** A source with its index, and what was written to it. */
  private static final class Pair {
    final Table source, index;
    final String name, kind;
    final SourceRow[] rows;
    final Queue<Acknowledged> due = new PriorityBlockingQueue<>(1000, Comparator.comparingLong(Acknowledged::time));
    final Queue<SourceRow> control = new ConcurrentLinkedQueue<>();
    final AtomicLong acknowledged = new AtomicLong(), checked = new AtomicLong(), unproven = new AtomicLong();
    final List<Long> waits = Collections.synchronizedList(new ArrayList<>());

    Pair(String words) throws IOException {
      String[] parts = words.split("=");
      source = connection.getTable(TableName.valueOf(parts[0]));
      index = connection.getTable(TableName.valueOf(parts[1]));
      name = parts[1];
      kind = parts[2];
      rows = new SourceRow[kind.equals("busy") ? Freshness.rows : 0];
      for (int i = 0; i < rows.length; i++) {
        rows[i] = new SourceRow(i);
      }
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 15);  // moves of regions take a second
    connection = ConnectionFactory.createConnection(conf);
    meta = connection.getTable(TableName.valueOf(arguments[0]));
    perSecond = Integer.parseInt(arguments[1]);
    rows = Integer.parseInt(arguments[2]);
    List<Pair> pairs = new ArrayList<>();
    for (String words : Arrays.copyOfRange(arguments, 3, arguments.length)) {
      pairs.add(new Pair(words));
    }
    List<Thread> writers = startWriters(pairs);
    List<Thread> readers = startReaders(pairs);
    followPhases();
    writing = false;
    join(writers);
    reading = false;
    join(readers);
    for (Pair pair : pairs) {
      checkAtTheEnd(pair);
    }
    report(pairs);
    System.exit(problem != null || missed.get() > 0 ? 1 : 0);
  }

  private static Thread start(Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (Throwable failure) {
        problem = failure;
        failure.printStackTrace();
      }
    });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void join(List<Thread> threads) throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static List<Thread> startWriters(List<Pair> pairs) {
    List<Thread> threads = new ArrayList<>();
    List<Pair> busy = pairs.stream().filter(pair -> pair.rows.length > 0).toList();
    for (Pair pair : busy) {
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        threads.add(start(() -> write(pair, number, (double) perSecond / busy.size() / WRITERS)));
      }
    }
    return threads;
  }

  private static List<Thread> startReaders(List<Pair> pairs) {
    List<Thread> threads = new ArrayList<>();
    for (Pair pair : pairs) {
      threads.add(start(() -> sampleAges(pair)));
      if (pair.rows.length > 0) {
        threads.add(start(() -> checkAll(pair)));
        threads.add(start(() -> control(pair)));
      }
      if (!pair.kind.equals("idle")) {
        threads.add(start(() -> readOwnWrites(pair)));
      }
    }
    return threads;
  }

  private static void followPhases() throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      phase = line;
    }
  }

  // Writers.

  /** Of the rows whose number has this remainder, so that no two writers change one row. */
  private static void write(Pair pair, int number, double rate) throws Exception {
    Random random = new Random(number);
    long begin = System.nanoTime();
    for (double written = 0; writing; ) {
      Set<SourceRow> chosen = new LinkedHashSet<>();
      for (int i = 1 + random.nextInt(BATCH); i > 0; i--) {
        chosen.add(pair.rows[random.nextInt(pair.rows.length / WRITERS) * WRITERS + number]);
      }
      change(pair, chosen, random);
      written += chosen.size();
      long due = begin + (long) (written / rate * 1e9);
      TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
    }
  }

  private static void change(Pair pair, Set<SourceRow> chosen, Random random) throws Exception {
    Map<SourceRow, Change> changes = new LinkedHashMap<>();
    List<Row> mutations = new ArrayList<>();
    for (SourceRow row : chosen) {
      Change change = row.begin(random.nextInt(5) == 0 ? -1 : random.nextInt(VALUES));
      mutations.add(mutation(row, change, row.changes.size() - 1, random.nextBoolean()));
      changes.put(row, change);
    }
    apply(pair.source, mutations);
    long now = System.currentTimeMillis();
    changes.forEach((row, change) -> {
      row.acknowledge(change, now);
      pair.due.add(new Acknowledged(row, now));
      if (pair.acknowledged.incrementAndGet() % CONTROL == 0) {
        pair.control.add(row);
      }
    });
  }

  private static Row mutation(SourceRow row, Change change, int number, boolean whole) {
    byte[] key = Bytes.toBytes(row.key);
    long timestamp = FIRST_TIMESTAMP + number;
    if (change.value >= 0) {
      return new Put(key).addColumn(FAMILY, FROM, timestamp, Bytes.toBytes(row.values[change.value]));
    }
    return whole ? new Delete(key).addFamily(FAMILY, timestamp) : new Delete(key).addColumns(FAMILY, FROM, timestamp);
  }

  /** Until HBase acknowledges all. What is sent twice has the same timestamps, and changes nothing. */
  private static void apply(Table table, List<Row> mutations) throws Exception {
    long deadline = System.currentTimeMillis() + PATIENCE_MS;
    while (true) {
      try {
        table.batch(mutations, new Object[mutations.size()]);
        return;
      } catch (IOException refused) {
        if (System.currentTimeMillis() > deadline) {
          throw refused;
        }
        Thread.sleep(50);
      }
    }
  }

  // Readers.

  /** Up to when the index says that it is complete; 0: it does not say. */
  private static long complete(String index) throws IOException {
    Result row = meta.get(new Get(Bytes.toBytes("index:" + index)).addFamily(Bytes.toBytes("i")));
    byte[] incarnation = row.getValue(Bytes.toBytes("i"), Bytes.toBytes("incarnation"));
    byte[] cell = incarnation == null ? null
        : row.getValue(Bytes.toBytes("i"), Bytes.toBytes("complete/" + Bytes.toString(incarnation)));
    return cell == null ? 0 : Long.parseLong(Bytes.toString(cell));
  }

  /** Each acknowledged change, as soon as the index says that it has it. */
  private static void checkAll(Pair pair) throws Exception {
    while (reading) {
      long complete = complete(pair.name);
      Set<SourceRow> due = new LinkedHashSet<>();
      while (!pair.due.isEmpty() && pair.due.peek().time() < complete) {
        due.add(pair.due.poll().row());
        pair.checked.incrementAndGet();
      }
      missed.addAndGet(check(pair, due, complete, true));
      Thread.sleep(100);
    }
  }

  /** The same at once, without asking the index: what is missed then shows that this program would see it. */
  private static void control(Pair pair) throws Exception {
    while (reading) {
      Set<SourceRow> due = new LinkedHashSet<>();
      for (SourceRow row = pair.control.poll(); row != null; row = pair.control.poll()) {
        due.add(row);
      }
      pair.unproven.addAndGet(check(pair, due, System.currentTimeMillis(), false));
      Thread.sleep(20);
    }
  }

  /** How many index cells show what they may not. */
  private static long check(Pair pair, Collection<SourceRow> due, long complete, boolean told) throws IOException {
    long wrong = 0;
    List<SourceRow> all = new ArrayList<>(due);
    for (int begin = 0; begin < all.size(); begin += CHUNK) {
      List<SourceRow> chunk = all.subList(begin, Math.min(all.size(), begin + CHUNK));
      int[] least = chunk.stream().mapToInt(row -> row.lastBefore(complete)).toArray();
      Result[] results = pair.index.get(gets(chunk));
      for (int i = 0; i < results.length; i++) {
        SourceRow row = chunk.get(i / VALUES);
        long shown = number(results[i], row);
        if (!row.mayShow(i % VALUES, least[i / VALUES], shown)) {
          wrong++;
          tell(told, pair, row, i % VALUES, least[i / VALUES], shown, complete);
        }
      }
    }
    return wrong;
  }

  private static List<Get> gets(List<SourceRow> rows) {
    List<Get> gets = new ArrayList<>();
    for (SourceRow row : rows) {
      for (String value : row.values) {
        gets.add(new Get(Bytes.toBytes(value)).addColumn(FAMILY, Bytes.toBytes(row.key)));
      }
    }
    return gets;
  }

  /** Which of the row's changes the index cell tells; -1: there is no cell. */
  private static long number(Result result, SourceRow row) {
    byte[] cell = result.getValue(FAMILY, Bytes.toBytes(row.key));
    return cell == null ? -1 : Long.parseLong(Bytes.toString(cell)) - FIRST_TIMESTAMP;
  }

  private static void tell(boolean told, Pair pair, SourceRow row, int value, int least, long shown, long complete) {
    if (told && missed.get() < SHOWN) {
      synchronized (row) {
        System.out.printf("MISSED %s is complete to %d, but shows for %s, row %s change %d, where change %d of %d (value %d, begun "
            + "%d, acknowledged %d) is due%n", pair.name, complete, row.values[value], row.key, shown, least, row.changes.size(),
            row.changes.get(least).value, row.changes.get(least).begun, row.changes.get(least).acknowledged);
      }
    }
  }

  private static void sampleAges(Pair pair) throws Exception {
    while (reading) {
      long complete = complete(pair.name);
      long now = System.currentTimeMillis();
      if (complete > 0) {
        ages.computeIfAbsent(pair.kind + " in " + phase, any -> Collections.synchronizedList(new ArrayList<>())).add(now - complete);
      }
      Thread.sleep(200);
    }
  }

  // An application, as the page has it.

  private static void readOwnWrites(Pair pair) throws Exception {
    for (int number = 0; reading && writing; number++) {
      String row = number % 8 + "own" + number, value = (number + 4) % 8 + "seen" + number;
      apply(pair.source, List.of(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FROM, Bytes.toBytes(value))));
      long begin = System.nanoTime();
      if (!awaitIndex(meta, pair.name, SKEW_MS, PATIENCE_MS)) {
        throw new IOException(pair.name + " was not complete within " + PATIENCE_MS + " ms");
      }
      pair.waits.add((System.nanoTime() - begin) / 1_000_000);
      if (pair.index.get(new Get(Bytes.toBytes(value)).addColumn(FAMILY, Bytes.toBytes(row))).isEmpty()) {
        missed.incrementAndGet();
        System.out.println("MISSED " + pair.name + " has no " + value + ", f1:" + row + " for whom waited");
      }
      for (long until = System.currentTimeMillis() + (pair.kind.equals("quiet") ? QUIET_MS : 0);
          writing && System.currentTimeMillis() < until; ) {
        Thread.sleep(100);
      }
    }
  }

  /** True: the index has everything that was put before this call. False: not within the timeout, or it has no marks. */
  static boolean awaitIndex(Table meta, String index, long skewMillis, long timeoutMillis) throws Exception {
    long until = System.currentTimeMillis() + skewMillis;  // after the put was acknowledged: its timestamp is not enough
    byte[] family = Bytes.toBytes("i");
    for (long begin = System.nanoTime(); (System.nanoTime() - begin) / 1_000_000 < timeoutMillis; Thread.sleep(100)) {
      Result row = meta.get(new Get(Bytes.toBytes("index:" + index)).addFamily(family));
      byte[] incarnation = row.getValue(family, Bytes.toBytes("incarnation"));
      if (incarnation == null) continue;
      byte[] complete = row.getValue(family, Bytes.toBytes("complete/" + Bytes.toString(incarnation)));
      if (complete != null && Long.parseLong(Bytes.toString(complete)) > until) return true;
    }
    return false;
  }

  // The end.

  /** All rows, when nobody writes any more: their last changes, and nothing else. */
  private static void checkAtTheEnd(Pair pair) throws Exception {
    if (!awaitIndex(meta, pair.name, SKEW_MS, PATIENCE_MS)) {
      throw new IOException(pair.name + " was not complete within " + PATIENCE_MS + " ms after the end");
    }
    pair.checked.addAndGet(pair.due.size());
    missed.addAndGet(check(pair, Arrays.asList(pair.rows), Long.MAX_VALUE, true));
  }

  private static String spread(List<Long> times) {
    List<Long> sorted = times.stream().sorted().collect(Collectors.toList());
    return sorted.isEmpty() ? "none" : String.format("p50 %d ms, p99 %d ms, greatest %d ms of %d", sorted.get(sorted.size() / 2),
        sorted.get(sorted.size() * 99 / 100), sorted.get(sorted.size() - 1), sorted.size());
  }

  private static void report(List<Pair> pairs) {
    long checked = 0, unproven = 0;
    for (Pair pair : pairs) {
      checked += pair.checked.get() + pair.waits.size();
      unproven += pair.unproven.get();
      if (!pair.waits.isEmpty()) {
        System.out.println("waited for own writes, " + pair.kind + ": " + spread(pair.waits));
      }
    }
    ages.forEach((name, times) -> System.out.println("age of the mark, " + name + ": " + spread(times)));
    System.out.printf("changes %d missed %d unproven %d%n", checked, missed.get(), unproven);
  }
}
