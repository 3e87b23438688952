import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads two indexes page by page on a real HBase. In the middle the alias goes from one to the other. */
public final class Live {
  private static final byte[] FAMILY = Bytes.toBytes("i");

  /** As marks and backfills record an index. */
  private static void say(Table meta, String index, String column, String value) throws Exception {
    meta.put(new Put(Bytes.toBytes("index:" + index)).addColumn(FAMILY, Bytes.toBytes(column), Bytes.toBytes(value)));
  }

  private static void name(Table meta, String alias, String index) throws Exception {
    meta.put(new Put(Bytes.toBytes("alias:" + alias)).addColumn(FAMILY, Bytes.toBytes("index"), Bytes.toBytes(index))
        .addColumn(FAMILY, Bytes.toBytes("incarnation"), Bytes.toBytes("abc")));
  }

  public static void main(String[] words) throws Exception {
    String alias = words[2];
    Configuration configuration = HBaseConfiguration.create();
    String[] place = words[0].split(":");
    configuration.set("hbase.zookeeper.quorum", place[0]);
    configuration.set("hbase.zookeeper.property.clientPort", place[1]);
    configuration.set("zookeeper.znode.parent", words[1]);
    try (Connection connection = ConnectionFactory.createConnection(configuration);
        Table meta = connection.getTable(TableName.valueOf("fensi_meta"))) {
      FirstIndex.Reader first = new FirstIndex.Reader(connection).alias(alias).checkEvery(0).withSource();
      SecondIndex.Reader second = new SecondIndex.Reader(connection).alias(alias).checkEvery(0);
      try {
        first.page(FirstIndex.prefix("b"), 10, null);
      } catch (FirstIndex.AliasMovedException e) {
        System.out.println("no alias");
      }
      name(meta, alias, FirstIndex.NAME);
      for (String index : new String[] {FirstIndex.NAME, SecondIndex.NAME}) {
        for (String column : new String[] {"table", "state_table", "source", "topic"}) say(meta, index, column, index + "." + column);
      }
      say(meta, FirstIndex.NAME, "incarnation", "abc");
      say(meta, FirstIndex.NAME, "fingerprint", FirstIndex.DIGEST);
      say(meta, SecondIndex.NAME, "incarnation", "abc");
      say(meta, SecondIndex.NAME, "fingerprint", SecondIndex.DIGEST);
      try {
        first.page(FirstIndex.prefix("b"), 10, null);
      } catch (FirstIndex.StillBuildingException e) {
        System.out.println("building");
      }
      say(meta, FirstIndex.NAME, "phase/abc", "live");
      say(meta, SecondIndex.NAME, "phase/abc", "live");
      FirstIndex.Page page = first.page(FirstIndex.prefix("b"), 3, null);
      System.out.println("first " + rows(page));
      page = first.page(FirstIndex.prefix("b"), 3, page.token);
      System.out.println("first " + rows(page) + " stale " + page.stale);
      name(meta, alias, SecondIndex.NAME);
      try {
        first.page(FirstIndex.prefix("b"), 3, page.token);
      } catch (FirstIndex.AliasMovedException e) {
        System.out.println("moved to " + first.namedByAlias());
      }
      List<String> all = new ArrayList<>();
      String token = null;
      do {
        SecondIndex.Page one = second.page(SecondIndex.prefix("b"), 2, token);
        for (SecondIndex.Entry entry : one.entries) all.add(entry.text("row"));
        token = one.token;
      } while (token != null);
      System.out.println("second " + all);
    }
  }

  private static List<String> rows(FirstIndex.Page page) {
    List<String> rows = new ArrayList<>();
    for (FirstIndex.Entry entry : page.entries) rows.add(entry.text("row"));
    return rows;
  }
}
