import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The load of Apache Phoenix' own test of its global indexes (ConcurrentMutationsExtendedIT), by HBase's own client: WRITERS threads
 * with UPSERTS upserts each, over ROWS rows. An upsert sets f1:v1, f1:v2 and f1:v3 of a row atomically, each to one of VALUES values
 * or to null, which deletes the column as Phoenix does.
 *
 * Arguments: TABLE WRITERS UPSERTS ROWS VALUES SEED.
 */
public class ConcurrentUpserts {
  private static final byte[] FAMILY = Bytes.toBytes("f1");
  private static final int BATCH = 200;
  private static volatile Throwable problem;

  public static void main(String[] arguments) throws Exception {
    int writers = Integer.parseInt(arguments[1]), upserts = Integer.parseInt(arguments[2]);
    int rows = Integer.parseInt(arguments[3]), values = Integer.parseInt(arguments[4]);
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      List<Thread> threads = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        Random random = new Random(Long.parseLong(arguments[5]) * 1000 + writer);
        threads.add(new Thread(() -> {
          try (Table table = connection.getTable(TableName.valueOf(arguments[0]))) {
            write(table, upserts, rows, values, random);
          } catch (Exception failure) {
            problem = failure;
          }
        }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }
    if (problem != null) {
      problem.printStackTrace();
      System.exit(1);
    }
  }

  /** A batch has a row once, because HBase keeps no order in it. */
  private static void write(Table table, int upserts, int rows, int values, Random random) throws IOException, InterruptedException {
    int most = Math.min(BATCH, rows);
    List<Row> batch = new ArrayList<>();
    for (int i = 0; i < upserts; i++) {
      batch.add(upsert("%x-%d".formatted(i % rows * 7 % 16, i % rows), values, random));
      if (batch.size() == most || i + 1 == upserts) {
        table.batch(batch, new Object[batch.size()]);
        batch.clear();
      }
    }
  }

  private static RowMutations upsert(String row, int values, Random random) throws IOException {
    Put put = new Put(Bytes.toBytes(row));
    Delete delete = new Delete(Bytes.toBytes(row));
    for (String name : new String[] {"v1", "v2", "v3"}) {
      if (random.nextBoolean()) {
        delete.addColumns(FAMILY, Bytes.toBytes(name));
      } else {
        put.addColumn(FAMILY, Bytes.toBytes(name), Bytes.toBytes(Integer.toString(random.nextInt(values))));
      }
    }
    RowMutations mutations = new RowMutations(Bytes.toBytes(row));
    List<Mutation> list = new ArrayList<>();
    if (!put.isEmpty()) {
      list.add(put);
    }
    if (!delete.isEmpty()) {
      list.add(delete);
    }
    return mutations.add(list);
  }
}
