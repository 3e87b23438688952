import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * An application that uses HBase's own Java client. Argument: the table. Standard input: one operation a line, its words
 * separated by spaces; the operations of one RowMutations stand in one line with " ; " between. Timestamps may be left out:
 * HBase gives them then. What comes without a pause goes in batches; the changes of a row keep their order.
 *
 * <pre>
 *   put ROW FAMILY:QUALIFIER VALUE [TS]           increment ROW FAMILY:QUALIFIER N
 *   delete_latest ROW FAMILY:QUALIFIER            append ROW FAMILY:QUALIFIER VALUE
 *   delete_version ROW FAMILY:QUALIFIER TS        delete_family ROW FAMILY: [TS]
 *   delete_column ROW FAMILY:QUALIFIER [TS]       delete_family_version ROW FAMILY: TS
 *   wide ROW FAMILY:QUALIFIER COUNT BYTES         delete_row ROW
 * </pre>
 */
public class HBaseClient {
  private static final int BATCH = 1000;
  private static final List<Row> batch = new ArrayList<>();
  private static final Set<String> rows = new HashSet<>();  // of the batch
  private static boolean onlyPuts = true;                   // in the batch
  private static Table table;

  public static void main(String[] arguments) throws Exception {
    Configuration settings = HBaseConfiguration.create();
    settings.setInt("hbase.client.retries.number", 40);  // six minutes: an application outlives the restart of a region server
    try (Connection connection = ConnectionFactory.createConnection(settings);
        Table opened = connection.getTable(TableName.valueOf(arguments[0]))) {
      table = opened;
      BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        run(line);
        if (!lines.ready()) {
          flush();
        }
      }
      flush();
    }
  }

  private static void flush() throws Exception {
    table.batch(batch, new Object[batch.size()]);
    batch.clear();
    rows.clear();
    onlyPuts = true;
  }

  /** HBase keeps the order of one row's puts in a batch, and of nothing else. */
  private static void add(Row change) throws Exception {
    boolean follows = !rows.add(Bytes.toStringBinary(change.getRow()));
    boolean put = change instanceof Put;
    if (batch.size() == BATCH || (follows && !(put && onlyPuts))) {
      flush();
      rows.add(Bytes.toStringBinary(change.getRow()));
    }
    onlyPuts &= put;
    batch.add(change);
  }

  private static void run(String line) throws Exception {
    String[] steps = line.split(" ; ");
    if (steps.length > 1) {
      add(atomically(steps));
      return;
    }
    String[] w = line.split(" ");
    switch (w[0]) {
      case "put" -> add(put(w));
      case "increment" -> add(new Increment(row(w)).addColumn(family(w), qualifier(w), Long.parseLong(w[3])));
      case "append" -> add(new Append(row(w)).addColumn(family(w), qualifier(w), Bytes.toBytes(w[3])));
      case "wide" -> add(wide(w));
      default -> add(delete(w));
    }
  }

  private static RowMutations atomically(String[] steps) throws Exception {
    RowMutations mutations = new RowMutations(row(steps[0].split(" ")));
    List<Mutation> list = new ArrayList<>();
    for (String step : steps) {
      String[] w = step.split(" ");
      list.add(w[0].equals("put") ? put(w) : delete(w));
    }
    mutations.add(list);
    return mutations;
  }

  /** COUNT columns of one put, each with a value of so many bytes. */
  private static Put wide(String[] w) {
    Put put = new Put(row(w));
    byte[] value = new byte[Integer.parseInt(w[4])];
    Arrays.fill(value, (byte) 'v');
    for (int i = 0; i < Integer.parseInt(w[3]); i++) {
      put.addColumn(family(w), Bytes.toBytes(Bytes.toString(qualifier(w)) + i), value);
    }
    return put;
  }

  private static Put put(String[] w) {
    Put put = new Put(row(w));
    return w.length > 4 ? put.addColumn(family(w), qualifier(w), Long.parseLong(w[4]), Bytes.toBytes(w[3]))
        : put.addColumn(family(w), qualifier(w), Bytes.toBytes(w[3]));
  }

  private static Delete delete(String[] w) {
    Delete delete = new Delete(row(w));
    boolean stamped = w.length > 3;
    long ts = stamped ? Long.parseLong(w[3]) : 0;
    return switch (w[0]) {
      case "delete_latest" -> delete.addColumn(family(w), qualifier(w));
      case "delete_version" -> delete.addColumn(family(w), qualifier(w), ts);
      case "delete_column" -> stamped ? delete.addColumns(family(w), qualifier(w), ts)
          : delete.addColumns(family(w), qualifier(w));
      case "delete_family" -> stamped ? delete.addFamily(family(w), ts) : delete.addFamily(family(w));
      case "delete_family_version" -> delete.addFamilyVersion(family(w), ts);
      case "delete_row" -> delete;
      default -> throw new IllegalArgumentException(w[0]);
    };
  }

  private static byte[] row(String[] w) {
    return Bytes.toBytes(w[1]);
  }

  private static byte[] family(String[] w) {
    return Bytes.toBytes(w[2].split(":")[0]);
  }

  private static byte[] qualifier(String[] w) {
    return Bytes.toBytes(w[2].split(":", 2)[1]);
  }
}
