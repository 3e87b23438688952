import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.UserProvider;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.security.access.UserPermission;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Reads an index as a user who gets the right to one table after another. "Rights plant" makes the tables before, and "Rights
 * grant TABLE" is one such grant.
 */
public final class Rights {
  private static final String READER = "reader";

  private static void make(Admin admin, String table, String family) throws Exception {
    if (admin.tableExists(TableName.valueOf(table))) return;
    admin.createTable(TableDescriptorBuilder.newBuilder(TableName.valueOf(table))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)).build());
  }

  private static void put(Connection connection, String table, byte[] row, String family, String... columns) throws Exception {
    Put put = new Put(row);
    for (int i = 0; i < columns.length; i += 2) put.addColumn(Bytes.toBytes(family), Bytes.toBytes(columns[i]), Bytes.toBytes(columns[i + 1]));
    try (Table to = connection.getTable(TableName.valueOf(table))) {
      to.put(put);
    }
  }

  private static void plant(Connection connection) throws Exception {
    Admin admin = connection.getAdmin();
    make(admin, "fensi_meta", "i");
    make(admin, "follows", "f");
    make(admin, "followers", "f");
    make(admin, "followers_state", "i");
    put(connection, "fensi_meta", Bytes.toBytes("index:" + FollowersIndex.NAME), "i", "incarnation", "abc", "fingerprint", FollowersIndex.DIGEST,
        "phase/abc", "live", "state_table", "followers_state");
    put(connection, "follows", Bytes.toBytes("a"), "f", "to", "b", "since", "2016");
    put(connection, "followers", FollowersIndex.encodeKey("b", "a"), "f", "since", "2016");
  }

  private static void grant(Connection connection, String table, String qualifier) throws Exception {
    Permission.Builder permission = Permission.newBuilder(TableName.valueOf(table)).withActions(Permission.Action.READ);
    if (qualifier != null) permission.withFamily(Bytes.toBytes("f")).withQualifier(Bytes.toBytes(qualifier));
    connection.getAdmin().grant(new UserPermission(READER, permission.build()), false);
  }

  private static String answer(Connection connection) throws Exception {
    List<String> rows = new ArrayList<>();
    try {
      FollowersIndex.Page page = new FollowersIndex.Reader(connection).withSource().keepStale().page(FollowersIndex.prefix("b"), 10, null);
      for (FollowersIndex.Entry entry : page.entries) rows.add(entry.text("row") + "=" + entry.holds);
    } catch (FollowersIndex.MissingRightException e) {
      return e.getMessage();
    }
    return rows.toString();
  }

  public static void main(String[] words) throws Exception {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set("hbase.zookeeper.quorum", "127.0.0.1");
    configuration.set("hbase.zookeeper.property.clientPort", words[0]);
    User reader = UserProvider.instantiate(configuration).create(UserGroupInformation.createRemoteUser(READER));
    try (Connection root = ConnectionFactory.createConnection(configuration);
        Connection connection = ConnectionFactory.createConnection(configuration, reader)) {
      switch (words[1]) {
        case "plant":
          plant(root);
          return;
        case "grant":
          grant(root, words[2], words.length > 3 ? words[3] : null);
          return;
        default:
          System.out.println(answer(connection));
      }
    }
  }
}
