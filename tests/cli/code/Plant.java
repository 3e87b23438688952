import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Records in fensi_meta that the index INDEX of definition DIGEST is live, as a backfill does. */
public final class Plant {
  public static void main(String[] words) throws Exception {
    String[][] cells = {{"incarnation", "abc"}, {"fingerprint", words[1]}, {"phase/abc", "live"},
        {"table", "orders_of_customer"}, {"state_table", "orders_of_customer_state"}, {"source", "orders"}, {"topic", "orders"}};
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
        Table meta = connection.getTable(TableName.valueOf("fensi_meta"))) {
      Put put = new Put(Bytes.toBytes("index:" + words[0]));
      for (String[] cell : cells) put.addColumn(Bytes.toBytes("i"), Bytes.toBytes(cell[0]), Bytes.toBytes(cell[1]));
      meta.put(put);
    }
  }
}
