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
