import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * What somebody would write without fensi, by HBase's own client, to compare with.
 *
 * index SOURCE INDEX THREADS: scans the source, region by region, and puts for each cell the inverse one through a
 * BufferedMutator. Prints cells and seconds. Knows no deletes and no writers beside it.
 *
 * load TABLE THREADS MOST [INDEX JAR]: makes the table, with InverseObserver of the jar for the index when they are named, puts the
 * follows of standard input ("FOLLOWER FOLLOWED TIMESTAMP" a line) through BufferedMutators, and prints of the second half cells,
 * seconds, and CPU seconds of this process; the first half, as many, warms. MOST: so many in each half at most.
 *
 * rates TABLE CELLS CALLERS: what store_bench does and prints, by the Java client: puts of 5,000 and gets of 1,000 rows a call.
 *
 * latency TABLE PER_SECOND: puts one small cell after the other, so many a second, until standard input ends. Prints how long
 * HBase took for each.
 */
public class PlainClient {
  private static final byte[] FAMILY = Bytes.toBytes("f1");
  private static final OperatingSystemMXBean PROCESS = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final int WARMING = 5000;  // puts, until the compilers have done their work

  public static void main(String[] words) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      if (words[0].equals("index")) {
        index(connection, TableName.valueOf(words[1]), TableName.valueOf(words[2]), Integer.parseInt(words[3]));
      } else if (words[0].equals("load")) {
        create(connection, words);
        load(connection, TableName.valueOf(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
      } else if (words[0].equals("rates")) {
        create(connection, new String[] {"", words[1]});
        rates(connection, TableName.valueOf(words[1]), Integer.parseInt(words[2]), Integer.parseInt(words[3]));
      } else {
        latency(connection.getTable(TableName.valueOf(words[1])), Integer.parseInt(words[2]));
      }
    }
  }

  private static void index(Connection connection, TableName source, TableName index, int threads) throws Exception {
    AtomicLong cells = new AtomicLong();
    List<HRegionLocation> regions = connection.getRegionLocator(source).getAllRegionLocations();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    long begin = System.nanoTime();
    List<Future<?>> all = new ArrayList<>();
    for (HRegionLocation region : regions) {
      all.add(pool.submit(() -> cells.addAndGet(indexRegion(connection, source, region.getRegion(), index))));
    }
    for (Future<?> one : all) {
      one.get();
    }
    System.out.printf("%d %.3f%n", cells.get(), (System.nanoTime() - begin) / 1e9);
    pool.shutdown();
  }

  private static long indexRegion(Connection connection, TableName source, RegionInfo region, TableName index)
      throws IOException {
    Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey()).setCaching(1000)
        .setCacheBlocks(false);
    long cells = 0;
    try (ResultScanner rows = connection.getTable(source).getScanner(scan);
        BufferedMutator puts = connection.getBufferedMutator(index)) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          puts.mutate(new Put(CellUtil.cloneQualifier(cell)).addColumn(FAMILY, row.getRow(),
              Bytes.toBytes(String.valueOf(cell.getTimestamp()))));
          cells++;
        }
      }
    }
    return cells;
  }

  private static void create(Connection connection, String[] words) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(words[1]))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    if (words.length > 4) {
      table.setValue("index", words[4]).setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder("InverseObserver").setJarPath("file://" + words[5]).build());
    }
    byte[][] splits = {Bytes.toBytes("2"), Bytes.toBytes("4"), Bytes.toBytes("6")};
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table.build(), splits);
    }
  }

  private static void load(Connection connection, TableName source, int threads, int most) throws Exception {
    List<String> follows = new java.io.BufferedReader(new java.io.InputStreamReader(System.in)).lines().toList();
    int half = Math.min(most, follows.size() / 2);
    loadAll(connection, source, threads, follows.subList(0, half));
    long begin = System.nanoTime();
    long cpu = PROCESS.getProcessCpuTime();
    loadAll(connection, source, threads, follows.subList(half, 2 * half));
    System.out.printf("%d %.3f %.3f%n", half, (System.nanoTime() - begin) / 1e9, (PROCESS.getProcessCpuTime() - cpu) / 1e9);
  }

  private static void loadAll(Connection connection, TableName source, int threads, List<String> follows) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<?>> all = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      List<String> share = follows.subList(follows.size() * i / threads, follows.size() * (i + 1) / threads);
      all.add(pool.submit(() -> loadShare(connection, source, share)));
    }
    for (Future<?> one : all) {
      one.get();
    }
    pool.shutdown();
  }

  private static Void loadShare(Connection connection, TableName source, List<String> follows) throws IOException {
    try (BufferedMutator puts = connection.getBufferedMutator(source)) {
      for (String follow : follows) {
        String[] words = follow.split(" ");
        puts.mutate(new Put(Bytes.toBytes(words[0])).addColumn(FAMILY, Bytes.toBytes(words[1]), Long.parseLong(words[2]),
            Bytes.toBytes("follows")));
      }
    }
    return null;
  }

  private interface Call {
    void make(Table table, int first, int count) throws IOException;
  }

  /** Numbers/s of calls with `ofCall` numbers each, shared out to the callers. */
  private static double rate(Connection connection, TableName name, int numbers, int callers, int ofCall, Call call)
      throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(callers);
    List<Future<?>> all = new ArrayList<>();
    long begin = System.nanoTime();
    for (int caller = 0; caller < callers; caller++) {
      int from = caller * ofCall;
      all.add(pool.submit(() -> {
        try (Table table = connection.getTable(name)) {
          for (int at = from; at < numbers; at += callers * ofCall) {
            call.make(table, at, Math.min(ofCall, numbers - at));
          }
        }
        return null;
      }));
    }
    for (Future<?> one : all) {
      one.get();
    }
    pool.shutdown();
    return numbers / ((System.nanoTime() - begin) / 1e9);
  }

  private static byte[] rowAt(long number) {
    return Bytes.toBytes(String.valueOf(number * 2_654_435_761L % 1_000_000_007L));
  }

  private static Put putAt(int number, long timestamp) {
    return new Put(rowAt(number)).addColumn(FAMILY, Bytes.toBytes("q"), timestamp,
        Bytes.toBytes(String.valueOf(1_482_125_382_000L + number)));
  }

  /** Of all processors, in which they did something; proc(5), /proc/stat. */
  private static double busySeconds() throws IOException {
    String[] fields = java.nio.file.Files.readAllLines(java.nio.file.Path.of("/proc/stat")).get(0).trim().split(" +");
    long ticks = 0;
    for (int field = 1; field <= 7; field++) {
      ticks += field == 4 || field == 5 ? 0 : Long.parseLong(fields[field]);
    }
    return ticks / 100.0;
  }

  private static void rates(Connection connection, TableName name, int cells, int callers) throws Exception {
    Call puts = (table, first, count) -> {
      List<Put> batch = new ArrayList<>();
      for (int i = first; i < first + count; i++) {
        batch.add(putAt(i, 1));
      }
      table.put(batch);
    };
    Call gets = (table, first, count) -> {
      List<Get> batch = new ArrayList<>();
      for (int i = first; i < first + count; i++) {
        batch.add(new Get(rowAt(i)).addColumn(FAMILY, Bytes.toBytes("q")));
      }
      table.get(batch);
    };
    // As many first: until then the compilers work.
    rate(connection, name, cells, callers, 5000, puts);
    rate(connection, name, cells / 4, callers, 1000, gets);
    double busy = busySeconds();
    double putRate = rate(connection, name, cells, callers, 5000, puts);
    double putMicros = 1e6 * (busySeconds() - busy) / cells;
    double getRate = rate(connection, name, cells / 4, callers, 1000, gets);
    try (Table table = connection.getTable(name); Admin admin = connection.getAdmin()) {
      long begin = System.nanoTime();
      int rows = 0;
      try (ResultScanner scanner = table.getScanner(new Scan().setCaching(1000))) {
        for (Result row : scanner) {
          rows += row.isEmpty() ? 0 : 1;
        }
      }
      double scanRate = rows / ((System.nanoTime() - begin) / 1e9);
      double[] millis = new double[500];
      for (int i = -WARMING; i < millis.length; i++) {
        long started = System.nanoTime();
        table.put(putAt(Math.max(i, 0), 2));
        if (i >= 0) {
          millis[i] = (System.nanoTime() - started) / 1e6;
        }
      }
      java.util.Arrays.sort(millis);
      System.out.printf("%.0f %.2f %.0f %.0f %.3f %.3f%n", putRate, putMicros, getRate, scanRate, millis[250], millis[495]);
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  private static void latency(Table table, int perSecond) throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    for (int i = 0; i < WARMING; i++) {
      put(table, i);
    }
    Thread reader = new Thread(() -> {
      try {
        while (System.in.read() >= 0) continue;
      } catch (IOException closed) {
        System.err.println(closed);
      }
      ended.set(true);
    });
    reader.start();
    System.out.println("warm");
    List<Long> micros = new ArrayList<>();
    for (long begin = System.nanoTime(); !ended.get(); ) {
      // When it is due, not when the one before came back: one that is slow delays those behind it, as it would users.
      long due = begin + (long) (micros.size() * 1e9 / perSecond);
      TimeUnit.NANOSECONDS.sleep(Math.max(0, due - System.nanoTime()));
      put(table, micros.size());
      micros.add((System.nanoTime() - due) / 1000);
    }
    long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
    System.out.printf("p50 %.2f ms, p99 %.2f ms, greatest %.1f ms of %d puts%n", sorted[sorted.length / 2] / 1e3,
        sorted[sorted.length * 99 / 100] / 1e3, sorted[sorted.length - 1] / 1e3, sorted.length);
  }

  private static void put(Table table, int number) throws IOException {
    table.put(new Put(Bytes.toBytes(number % 8 + "latency" + number % 1000)).addColumn(FAMILY, Bytes.toBytes("q" + number % 10),
        Bytes.toBytes("value")));
  }
}
