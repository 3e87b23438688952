import java.io.*;
import java.net.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.*;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.*;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.replication.*;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.io.IOUtils;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/**
 * What HBase's Thrift2 gateway cannot do, for tests: flush, compact and wait, split, move, raw settings, peers, and a reader
 * that is independent of the program under test; also what a test asks Kafka. One command a line, one line back: "ok[ TEXT]"
 * or "error TEXT"; lines of TEXT are separated by a backslash and an n. The first line of a connection is the stack's
 * secret, to which nothing is answered: others on this machine can connect, but not read the owner's file. Started by
 * deploy/devstack with the port to listen on, Kafka's address and the file of the secret; one thread a client.
 */
public class DevAdmin {
  private static final long DEADLINE_MS = 120_000;

  /** One command: gets the words after its name, returns the text of the answer. */
  private interface Command {
    String run(String[] words) throws Exception;
  }

  private final Map<String, Command> commands = new TreeMap<>();
  private final Map<String, String> usage = new TreeMap<>();
  private final String kafka;
  private final byte[] secret;
  private Connection connection;   // guarded by this
  private long expelledBeforeMs;   // guarded by this

  public static void main(String[] arguments) throws Exception {
    new DevAdmin(arguments[1], Files.readString(Path.of(arguments[2])).trim()).serve(Integer.parseInt(arguments[0]));
  }

  private DevAdmin(String kafka, String secret) {
    this.kafka = kafka;
    this.secret = secret.getBytes(StandardCharsets.UTF_8);
    addTableCommands();
    addRegionCommands();
    addReadingCommands();
    addPeerCommands();
    addKafkaCommands();
  }

  private void add(String text, Command command) {
    String name = text.split(" ")[0];
    usage.put(name, text);
    commands.put(name, command);
  }

  private void addTableCommands() {
    add("ping", w -> "");
    add("help", w -> String.join("\\n", usage.values()));
    add("ready REGIONSERVERS STARTED_MS", w -> ready(Integer.parseInt(w[0]), Long.parseLong(w[1])));
    add("tables", w -> lines(Arrays.asList(admin().listTableNames())));
    add("create TABLE FAMILY[,KEY=VALUE]... [@HEXSPLIT]...", w -> create(w));
    add("describe TABLE", w -> admin().getDescriptor(TableName.valueOf(w[0])).toStringCustomizedValues());
    add("drop TABLE", w -> drop(TableName.valueOf(w[0])));
    add("enable TABLE", w -> { admin().enableTable(TableName.valueOf(w[0])); return ""; });
    add("truncate TABLE", w -> truncate(TableName.valueOf(w[0]), false));
    add("truncate_preserve TABLE", w -> truncate(TableName.valueOf(w[0]), true));
    add("disable TABLE", w -> { admin().disableTable(TableName.valueOf(w[0])); return ""; });
    add("alter TABLE FAMILY|- KEY VALUE", w -> alter(TableName.valueOf(w[0]), w[1], w[2], w[3]));
    add("ttl TABLE FAMILY SECONDS", w -> alter(TableName.valueOf(w[0]), w[1], "TTL", w[2]));
  }

  private void addRegionCommands() {
    add("flush TABLE", w -> { admin().flush(TableName.valueOf(w[0])); return ""; });
    add("compact TABLE", w -> compact(TableName.valueOf(w[0])));
    add("split TABLE HEXKEY", w -> split(TableName.valueOf(w[0]), Bytes.fromHex(w[1])));
    add("merge TABLE HEXKEY", w -> merge(TableName.valueOf(w[0]), Bytes.fromHex(w[1])));
    add("move TABLE [HEXKEY]", w -> move(TableName.valueOf(w[0]), Bytes.fromHex(w.length > 1 ? w[1] : "")));
    add("regions TABLE", w -> regions(TableName.valueOf(w[0])));
    add("open_closed TABLE SECONDS", w -> openClosed(TableName.valueOf(w[0]), Long.parseLong(w[1])));
    add("servers", w -> lines(admin().getRegionServers()));
    add("roll_logs", w -> rollLogs());
    add("stop_server", w -> stopServer());
  }

  private void addReadingCommands() {
    add("fill TABLE FAMILY ROWS", w -> fill(TableName.valueOf(w[0]), w[1], Integer.parseInt(w[2])));
    add("count TABLE", w -> count(TableName.valueOf(w[0])));
    add("bulk_load TABLE FILE", w -> bulkLoad(TableName.valueOf(w[0]), w[1]));
    add("dump TABLE FILE [raw]", w -> dump(TableName.valueOf(w[0]), w[1], w.length > 2));
  }

  private void addPeerCommands() {
    add("add_peer ID CLUSTERKEY [SERIAL] [KEY=VALUE]... [TABLE]...", w -> addPeer(w));
    add("remove_peer ID", w -> { admin().removeReplicationPeer(w[0]); return ""; });
    add("enable_peer ID", w -> { admin().enableReplicationPeer(w[0]); return ""; });
    add("disable_peer ID", w -> { admin().disableReplicationPeer(w[0]); return ""; });
    add("serial_peer ID true|false", w -> makeSerial(w[0], Boolean.parseBoolean(w[1])));
    add("peers", w -> peers());
    add("peer_servers CLUSTERKEY", w -> peerServers(w[0]));
  }

  private void addKafkaCommands() {
    add("topic NAME PARTITIONS [KEY=VALUE]...", w -> changeKafka(kafka -> kafka.createTopics(List.of(
        new NewTopic(w[0], Integer.parseInt(w[1]), (short) 1).configs(settings(w, 2)))).all()));
    add("grow TOPIC PARTITIONS", w -> changeKafka(kafka -> kafka.createPartitions(
        Map.of(w[0], NewPartitions.increaseTo(Integer.parseInt(w[1])))).all()));
    add("trim TOPIC PARTITION OFFSET", w -> changeKafka(kafka -> kafka.deleteRecords(Map.of(
        new TopicPartition(w[0], Integer.parseInt(w[1])), RecordsToDelete.beforeOffset(Long.parseLong(w[2])))).all()));
    add("forget TOPIC GROUP", w -> forget(w[0], w[1]));
    add("produce TOPIC PARTITION KEY VALUE", w -> produce(w));
    add("lag GROUP TOPIC", w -> lag(w[0], w[1]));
  }

  // Serving.

  private void serve(int port) throws IOException {
    try (ServerSocket listener = new ServerSocket(port, 50, InetAddress.getByName("127.0.0.1"))) {
      while (true) {
        Socket client = listener.accept();
        Thread thread = new Thread(() -> serveClient(client));
        thread.setDaemon(true);
        thread.start();
      }
    }
  }

  private void serveClient(Socket socket) {
    try (Socket client = socket;
        BufferedReader in = new BufferedReader(new InputStreamReader(client.getInputStream(), StandardCharsets.UTF_8));
        BufferedWriter out = new BufferedWriter(new OutputStreamWriter(client.getOutputStream(), StandardCharsets.UTF_8))) {
      if (!isOwner(in.readLine())) {
        out.write("error this stack obeys its owner only: the first line must be the secret in its folder\n");
        return;
      }
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        out.write(answer(line) + "\n");
        out.flush();
      }
    } catch (IOException clientWentAway) {
      System.err.println("client: " + clientWentAway);
    }
  }

  private boolean isOwner(String line) {
    return line != null && MessageDigest.isEqual(line.getBytes(StandardCharsets.UTF_8), secret);
  }

  private String answer(String line) {
    String[] words = line.trim().split("\\s+");
    Command command = commands.get(words[0]);
    if (command == null) {
      return "error unknown command '" + words[0] + "'; try: help";
    }
    try {
      String text = command.run(Arrays.copyOfRange(words, 1, words.length));
      return text.isEmpty() ? "ok" : "ok " + text.replace("\n", "\\n");
    } catch (ArrayIndexOutOfBoundsException tooFew) {
      return "error usage: " + usage.get(words[0]);
    } catch (Exception problem) {
      dropConnection(problem);
      return "error " + problem.toString().split("\n")[0];
    }
  }

  private synchronized Connection connection() throws IOException {
    if (connection == null || connection.isClosed()) {
      connection = ConnectionFactory.createConnection(HBaseConfiguration.create());
    }
    return connection;
  }

  private Admin admin() throws IOException {
    return connection().getAdmin();
  }

  // A connection that outlived its HBase may hold stale locations; the next command makes a new one. A refusal by HBase (no such
  // table) says nothing against the connection. Commands of other clients may still use the old one until their deadline.
  private synchronized void dropConnection(Exception problem) {
    if (!(problem instanceof IOException) || problem instanceof DoNotRetryIOException || connection == null) {
      return;
    }
    Connection old = connection;
    connection = null;
    Thread closing = new Thread(() -> {
      try {
        Thread.sleep(2 * DEADLINE_MS);
      } catch (InterruptedException ended) {
        Thread.currentThread().interrupt();
      }
      IOUtils.cleanupWithLogger(null, old);
    });
    closing.setDaemon(true);
    closing.start();
  }

  private static void await(String what, Callable<Boolean> condition) throws Exception {
    long deadline = System.currentTimeMillis() + DEADLINE_MS;
    while (!condition.call()) {
      if (System.currentTimeMillis() > deadline) {
        throw new IOException("waited " + DEADLINE_MS / 1000 + " s for: " + what);
      }
      Thread.sleep(50);
    }
  }

  // Tables.

  /** Is the HBase that was started at that time at work? */
  private String ready(int regionServers, long startedMs) throws Exception {
    expelBefore(startedMs);
    int live = admin().getRegionServers().size();
    if (live < regionServers) {
      throw new IOException(live + " of " + regionServers + " region servers");
    }
    admin().listNamespaces();  // refused until the master has completed initialization
    return "";
  }

  /** Removes from ZooKeeper what says that master and region servers of an earlier, killed process live. HBase would wait
   *  until their sessions expire. */
  private synchronized void expelBefore(long startedMs) throws Exception {
    if (startedMs <= expelledBeforeMs) {
      return;
    }
    Configuration conf = HBaseConfiguration.create();
    String address = conf.get("hbase.zookeeper.quorum") + ":" + conf.get("hbase.zookeeper.property.clientPort");
    try (ZooKeeper zooKeeper = new ZooKeeper(address, 10_000, event -> { })) {
      List<String> nodes = new ArrayList<>(List.of("/hbase/master"));
      zooKeeper.getChildren("/hbase/rs", false).forEach(server -> nodes.add("/hbase/rs/" + server));
      for (String node : nodes) {
        Stat stat = zooKeeper.exists(node, false);
        if (stat != null && stat.getCtime() < startedMs) {
          zooKeeper.delete(node, -1);
        }
      }
    } catch (KeeperException.NoNodeException firstStartOrJustGone) {
      System.err.println("ZooKeeper: " + firstStartOrJustGone.getMessage());
    }
    expelledBeforeMs = startedMs;
  }

  private static String lines(Iterable<?> things) {
    List<String> lines = new ArrayList<>();
    things.forEach(thing -> lines.add(thing.toString()));
    return String.join("\n", lines);
  }

  private String create(String[] words) throws IOException {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf(words[0]));
    List<byte[]> splits = new ArrayList<>();
    for (String word : Arrays.copyOfRange(words, 1, words.length)) {
      if (word.startsWith("@")) {
        splits.add(Bytes.fromHex(word.substring(1)));
      } else {
        table.setColumnFamily(family(word));
      }
    }
    if (splits.isEmpty()) {
      admin().createTable(table.build());
    } else {
      admin().createTable(table.build(), splits.toArray(new byte[0][]));
    }
    return "";
  }

  private static ColumnFamilyDescriptor family(String word) {
    String[] parts = word.split(",");
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(parts[0]));
    settings(parts, 1).forEach(family::setValue);
    return family.build();
  }

  /** KEY=VALUE words from the n-th on. */
  private static Map<String, String> settings(String[] words, int from) {
    Map<String, String> settings = new HashMap<>();
    for (String setting : Arrays.copyOfRange(words, from, words.length)) {
      String[] pair = setting.split("=", 2);
      settings.put(pair[0], pair[1]);
    }
    return settings;
  }

  private String truncate(TableName table, boolean preserveSplits) throws IOException {
    admin().disableTable(table);
    admin().truncateTable(table, preserveSplits);
    return "";
  }

  private String drop(TableName table) throws IOException {
    if (admin().isTableEnabled(table)) {
      admin().disableTable(table);
    }
    admin().deleteTable(table);
    return "";
  }

  private String alter(TableName name, String family, String key, String value) throws IOException {
    TableDescriptor old = admin().getDescriptor(name);
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(old);
    if (family.equals("-")) {
      table.setValue(key, value);
    } else {
      ColumnFamilyDescriptor before = old.getColumnFamily(Bytes.toBytes(family));
      if (before == null) {
        throw new IOException("table " + name + " has no family " + family);
      }
      table.modifyColumnFamily(ColumnFamilyDescriptorBuilder.newBuilder(before).setValue(key, value).build());
    }
    admin().modifyTable(table.build());
    return "";
  }

  // Regions.

  /**
   * Writes the cells of the file into HFiles, and loads these into the table past its log. A line of the file is
   * HEXROW, HEXFAMILY, HEXQUALIFIER, TIMESTAMP, TYPE of HBase ("Put", "DeleteColumn", "DeleteFamily", "Delete") and HEXVALUE,
   * separated by tabs, in any order.
   */
  private String bulkLoad(TableName table, String file) throws Exception {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 10);
    Map<String, TreeSet<KeyValue>> families = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of(file))) {
      String[] part = line.split("\t", -1);
      KeyValue cell = new KeyValue(Bytes.fromHex(part[0]), Bytes.fromHex(part[1]), Bytes.fromHex(part[2]),
          Long.parseLong(part[3]), KeyValue.Type.valueOf(part[4]), Bytes.fromHex(part[5]));
      families.computeIfAbsent(Bytes.toString(Bytes.fromHex(part[1])), name -> new TreeSet<>(CellComparator.getInstance())).add(cell);
    }
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(Files.createTempDirectory(Path.of(file).getParent(), "hfiles").toUri());
    for (Map.Entry<String, TreeSet<KeyValue>> family : families.entrySet()) {
      writeHFile(conf, new org.apache.hadoop.fs.Path(new org.apache.hadoop.fs.Path(folder, family.getKey()), "cells"), family.getValue());
    }
    BulkLoadHFiles.create(conf).bulkLoad(table, folder);
    return String.valueOf(families.values().stream().mapToInt(Set::size).sum());
  }

  private static void writeHFile(Configuration conf, org.apache.hadoop.fs.Path path, Iterable<KeyValue> cells) throws IOException {
    try (HFile.Writer writer = HFile.getWriterFactory(conf, new CacheConfig(conf))
        .withPath(path.getFileSystem(conf), path).withFileContext(new HFileContextBuilder().build()).create()) {
      for (KeyValue cell : cells) {
        writer.append(cell);
      }
      writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
    }
  }

  /** A major compaction of every store, waited for: afterwards delete markers that may go are gone. */
  private String compact(TableName table) throws Exception {
    admin().flush(table);
    long begin = System.currentTimeMillis();
    long[] asked = {0};
    await("major compaction of " + table, () -> {
      if (isCompacted(table, begin)) {
        return true;
      }
      boolean idle = admin().getCompactionState(table) == CompactionState.NONE;
      if (idle && System.currentTimeMillis() - asked[0] > 2000) {  // a request may be dropped when another one runs
        admin().majorCompact(table);
        asked[0] = System.currentTimeMillis();
      }
      return false;
    });
    return "";
  }

  private boolean isCompacted(TableName table, long since) throws IOException {
    if (admin().getCompactionState(table) != CompactionState.NONE) {
      return false;
    }
    int families = admin().getDescriptor(table).getColumnFamilyCount();
    for (ServerName server : admin().getRegionServers()) {
      for (RegionMetrics region : admin().getRegionMetrics(server, table)) {
        boolean empty = region.getStoreFileCount() == 0;
        boolean merged = region.getStoreFileCount() <= families && region.getLastMajorCompactionTimestamp() >= since;
        if (!empty && !merged) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Opens the regions that HBase has left closed for so many seconds, for example when it gave a split up; answers how many.
   * The split that was given up may hold a region's lock for ever, so it is bypassed first, as HBCK2 does.
   */
  private String openClosed(TableName table, long seconds) throws IOException {
    Set<String> closed = new TreeSet<>();
    try (Table meta = connection().getTable(TableName.META_TABLE_NAME);
        ResultScanner regions = meta.getScanner(new Scan().addColumn(HConstants.CATALOG_FAMILY, HConstants.STATE_QUALIFIER)
            .addColumn(HConstants.CATALOG_FAMILY, HConstants.REGIONINFO_QUALIFIER)
            .withStartRow(Bytes.toBytes(table.getNameAsString() + ",")).withStopRow(Bytes.toBytes(table.getNameAsString() + "-")))) {
      for (Result region : regions) {
        Cell state = region.getColumnLatestCell(HConstants.CATALOG_FAMILY, HConstants.STATE_QUALIFIER);
        RegionInfo info = RegionInfo.parseFromOrNull(region.getValue(HConstants.CATALOG_FAMILY, HConstants.REGIONINFO_QUALIFIER));
        if (state == null || info == null || info.isSplit() || info.isOffline()) {
          continue; // The parent of a split is also called CLOSED, and would overlap its daughters.
        }
        boolean isOld = System.currentTimeMillis() - state.getTimestamp() > 1000 * seconds;
        if (isOld && Bytes.toString(CellUtil.cloneValue(state)).equals("CLOSED")) {
          closed.add(RegionInfo.encodeRegionName(region.getRow()));
        }
      }
    }
    if (!closed.isEmpty()) {
      List<Long> holders = holdersOf(closed);
      try (Hbck hbck = connection().getHbck()) {
        if (!holders.isEmpty()) {
          hbck.bypassProcedure(holders, 1000, true, true);
        }
        hbck.assigns(new ArrayList<>(closed), true);
      }
    }
    return String.valueOf(closed.size());
  }

  /** The procedures that have the locks of these regions: a lock names its region before its owner. */
  private List<Long> holdersOf(Set<String> regions) throws IOException {
    List<Long> holders = new ArrayList<>();
    Pattern owner = Pattern.compile("\"resourceName\" *: *\"(\\w+)\".*?\"exclusiveLockOwnerProcedure\" *: *\\{.*?\"procId\" *: *\"?(\\d+)");
    for (String lock : admin().getLocks().split("\"resourceType\"")) {
      Matcher found = owner.matcher(lock);
      if (found.find() && regions.contains(found.group(1))) {
        holders.add(Long.valueOf(found.group(2)));
      }
    }
    return holders;
  }

  private HRegionLocation locate(TableName table, byte[] row) throws IOException {
    return connection().getRegionLocator(table).getRegionLocation(row, true);
  }

  private String split(TableName table, byte[] key) throws Exception {
    RegionInfo parent = locate(table, key).getRegion();
    admin().splitRegionAsync(parent.getRegionName(), key).get(DEADLINE_MS, TimeUnit.MILLISECONDS);
    await("split of " + table, () -> Arrays.equals(locate(table, key).getRegion().getStartKey(), key));
    return "";
  }

  /** The region that holds the key and the one behind it become one. */
  private String merge(TableName table, byte[] key) throws Exception {
    RegionInfo first = locate(table, key).getRegion();
    if (first.getEndKey().length == 0) {
      throw new IOException("no region of " + table + " begins behind the one of this key");
    }
    RegionInfo second = locate(table, first.getEndKey()).getRegion();
    byte[][] both = {first.getEncodedNameAsBytes(), second.getEncodedNameAsBytes()};
    admin().mergeRegionsAsync(both, false).get(DEADLINE_MS, TimeUnit.MILLISECONDS);
    await("merge of " + table, () -> Arrays.equals(locate(table, second.getStartKey()).getRegion().getStartKey(), first.getStartKey()));
    return "";
  }

  /** Moves the region that holds the key to another region server, and waits until it is served there. */
  private String move(TableName table, byte[] key) throws Exception {
    HRegionLocation from = locate(table, key);
    for (ServerName server : admin().getRegionServers()) {
      if (!server.equals(from.getServerName())) {
        admin().move(from.getRegion().getEncodedNameAsBytes(), server);
        await("move of " + table, () -> server.equals(locate(table, key).getServerName()));
        return server.toString();
      }
    }
    throw new IOException("there is only one region server; bring the stack up with --regionservers 2");
  }

  /** Each region server begins a new log. */
  private String rollLogs() throws IOException {
    for (ServerName server : admin().getRegionServers()) {
      admin().rollWALWriter(server);
    }
    return "";
  }

  /** Ends a region server that does not hold hbase:meta; the others take over its regions and what it has not replicated. */
  private String stopServer() throws Exception {
    ServerName spared = locate(TableName.META_TABLE_NAME, new byte[0]).getServerName();
    for (ServerName server : admin().getRegionServers()) {
      if (!server.equals(spared)) {
        admin().stopRegionServer(server.getAddress().toString());
        await("end of " + server, () -> !admin().getRegionServers().contains(server));
        return server.toString();
      }
    }
    throw new IOException("there is only one region server; bring the stack up with --regionservers 2");
  }

  private String regions(TableName table) throws IOException {
    List<String> lines = new ArrayList<>();
    for (HRegionLocation location : connection().getRegionLocator(table).getAllRegionLocations()) {
      RegionInfo region = location.getRegion();
      lines.add(region.getEncodedName() + " [" + Bytes.toHex(region.getStartKey()) + "," + Bytes.toHex(region.getEndKey())
          + ") " + location.getServerName());
    }
    return String.join("\n", lines);
  }

  // Writing and reading.

  /** Writes rows of one cell each; all of them are acknowledged when the answer comes. */
  private String fill(TableName table, String family, int rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      puts.add(new Put(Bytes.toBytes(String.format("%08d", i))).addColumn(Bytes.toBytes(family), Bytes.toBytes("n"),
          Bytes.toBytes(i)));
    }
    connection().getTable(table).put(puts);
    return "";
  }

  private static Scan wholeTable() {
    return new Scan().setCaching(2000).setCacheBlocks(false);
  }

  private String count(TableName table) throws IOException {
    long rows = 0;
    long cells = 0;
    try (ResultScanner scanner = connection().getTable(table).getScanner(wholeTable())) {
      for (Result row : scanner) {
        rows++;
        cells += row.rawCells().length;
      }
    }
    return rows + " rows " + cells + " cells";
  }

  /** Every visible cell, newest version only, or with `raw` every stored cell and marker: row, family, qualifier, timestamp,
   *  type, value, separated by tabs; bytes in hex. */
  private String dump(TableName table, String file, boolean raw) throws IOException {
    Scan scan = wholeTable();
    if (raw) {
      scan.setRaw(true).readAllVersions();
    }
    long cells = 0;
    try (ResultScanner scanner = connection().getTable(table).getScanner(scan);
        BufferedWriter out = new BufferedWriter(new FileWriter(file, StandardCharsets.US_ASCII), 1 << 16)) {
      for (Result row : scanner) {
        for (Cell cell : row.rawCells()) {
          out.write(Bytes.toHex(CellUtil.cloneRow(cell)) + "\t" + Bytes.toHex(CellUtil.cloneFamily(cell)) + "\t"
              + Bytes.toHex(CellUtil.cloneQualifier(cell)) + "\t" + cell.getTimestamp() + "\t" + cell.getType() + "\t"
              + Bytes.toHex(CellUtil.cloneValue(cell)) + "\n");
          cells++;
        }
      }
    }
    return String.valueOf(cells);
  }

  // Replication peers.

  /** What a replication source of HBase 3 asks of its peer: the id and the servers, by way of the peer's master. */
  private String peerServers(String clusterKey) throws Exception {
    Configuration peer = HBaseConfiguration.createClusterConf(connection().getConfiguration(), clusterKey);
    try (AsyncConnection asked = ConnectionFactory.createAsyncConnection(peer).get(30, TimeUnit.SECONDS)) {
      String id = asked.getAdmin().getClusterMetrics(EnumSet.of(ClusterMetrics.Option.CLUSTER_ID))
          .get(30, TimeUnit.SECONDS).getClusterId();
      List<String> answer = new ArrayList<>(List.of(id));
      asked.getAdmin().getRegionServers(true).get(30, TimeUnit.SECONDS).forEach(server -> answer.add(server.toString()));
      return String.join("\\n", answer);
    }
  }

  private String addPeer(String[] words) throws IOException {
    List<String> rest = new ArrayList<>(Arrays.asList(words).subList(2, words.length));
    var peer = ReplicationPeerConfig.newBuilder().setClusterKey(words[1]).setSerial(rest.remove("SERIAL"));
    for (String setting : List.copyOf(rest)) {
      if (setting.contains("=")) {
        String[] pair = setting.split("=", 2);
        peer.putConfiguration(pair[0], pair[1]);
        rest.remove(setting);
      }
    }
    if (!rest.isEmpty()) {
      Map<TableName, List<String>> tables = new HashMap<>();
      rest.forEach(table -> tables.put(TableName.valueOf(table), List.of()));
      peer.setReplicateAllUserTables(false).setTableCFsMap(tables);
    }
    admin().addReplicationPeer(words[0], peer.build());
    return "";
  }

  private String makeSerial(String id, boolean serial) throws IOException {
    ReplicationPeerConfig config = admin().getReplicationPeerConfig(id);
    admin().updateReplicationPeerConfig(id, ReplicationPeerConfig.newBuilder(config).setSerial(serial).build());
    return "";
  }

  private String peers() throws IOException {
    List<String> lines = new ArrayList<>();
    for (ReplicationPeerDescription peer : admin().listReplicationPeers()) {
      lines.add(peer.getPeerId() + " " + (peer.isEnabled() ? "enabled" : "disabled") + " "
          + peer.getPeerConfig().getClusterKey());
    }
    return String.join("\n", lines);
  }

  // Kafka.

  private org.apache.kafka.clients.admin.Admin kafkaAdmin() {
    return org.apache.kafka.clients.admin.Admin.create(Map.of("bootstrap.servers", kafka));
  }

  private String changeKafka(Function<org.apache.kafka.clients.admin.Admin, KafkaFuture<Void>> change) throws Exception {
    try (var admin = kafkaAdmin()) {
      change.apply(admin).get();
    }
    return "";
  }

  /** Deletes a topic and a consumer group; either may be missing. */
  private String forget(String topic, String group) throws Exception {
    try (var admin = kafkaAdmin()) {
      if (admin.listTopics().names().get().contains(topic)) {
        admin.deleteTopics(List.of(topic)).all().get();
      }
      if (admin.listConsumerGroups().all().get().stream().anyMatch(known -> known.groupId().equals(group))) {
        admin.deleteConsumerGroups(List.of(group)).all().get();
      }
    }
    return "";
  }

  private String produce(String[] words) throws Exception {
    var text = "org.apache.kafka.common.serialization.StringSerializer";
    try (var producer = new KafkaProducer<String, String>(
        Map.of("bootstrap.servers", kafka, "key.serializer", text, "value.serializer", text))) {
      producer.send(new ProducerRecord<>(words[0], Integer.parseInt(words[1]), words[2], words[3])).get();
    }
    return "";
  }

  /** A line for each partition: number, committed offset (- for none), end of the log, client id of the owner (- for none). */
  private String lag(String group, String topic) throws Exception {
    try (var admin = kafkaAdmin()) {
      Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
      int partitions = admin.describeTopics(List.of(topic)).allTopicNames().get().get(topic).partitions().size();
      for (int i = 0; i < partitions; i++) {
        ends.put(new TopicPartition(topic, i), OffsetSpec.latest());
      }
      var end = admin.listOffsets(ends).all().get();
      var committed = admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata().get();
      Map<TopicPartition, String> owners = owners(admin, group);
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < partitions; i++) {
        TopicPartition partition = new TopicPartition(topic, i);
        var offset = committed.get(partition);
        lines.add(i + " " + (offset == null ? "-" : offset.offset()) + " " + end.get(partition).offset() + " "
            + owners.getOrDefault(partition, "-"));
      }
      return String.join("\n", lines);
    }
  }

  private static Map<TopicPartition, String> owners(org.apache.kafka.clients.admin.Admin admin, String group)
      throws Exception {
    Map<TopicPartition, String> owners = new HashMap<>();
    try {
      for (var member : admin.describeConsumerGroups(List.of(group)).all().get().get(group).members()) {
        member.assignment().topicPartitions().forEach(partition -> owners.put(partition, member.clientId()));
      }
    } catch (ExecutionException noSuchGroupYet) {
      return owners;
    }
    return owners;
  }
}
