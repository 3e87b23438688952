import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.*;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Clients of registers, and the history of what they did: one JSON object a line, an invocation and its end. Knows HBase's own client
 * and nothing of fensi. Register R is the source row R with the column f1:n = N. Its index row R has one column f1:N for it, so that
 * one read of HBase, which is atomic, shows all entries of a register.
 *
 * Only one client writes a register, with numbers and timestamps that grow, so every history has one order. All clients read all
 * registers, of the source and of the index. A write that fails may have happened: "info".
 *
 * Arguments: SOURCE INDEX CLIENTS REGISTERS_OF_A_CLIENT SEED PAUSE_MS. The first line of standard input ends the clients. At its end
 * every register is read once more, of both tables, as "final".
 */
public class Registers {
  private static final byte[] FAMILY = Bytes.toBytes("f1");
  private static final byte[] NUMBER = Bytes.toBytes("n");
  private static final int WRITES = 40, DELETES = 2, READS_OF_THE_SOURCE = 15;  // of a hundred

  private static Connection connection;
  private static TableName source, index;
  private static PrintStream out;
  private static volatile boolean working = true;
  private static long began;

  private interface Call {
    String run() throws IOException;
  }

  public static void main(String[] arguments) throws Exception {
    Configuration settings = HBaseConfiguration.create();
    settings.setInt("hbase.client.retries.number", 15);
    settings.setInt("hbase.client.operation.timeout", 30_000);
    out = new PrintStream(System.out, false);
    source = TableName.valueOf(arguments[0]);
    index = TableName.valueOf(arguments[1]);
    int clients = Integer.parseInt(arguments[2]), each = Integer.parseInt(arguments[3]);
    began = System.nanoTime();
    connection = ConnectionFactory.createConnection(settings);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      int client = i;
      Random random = new Random(Long.parseLong(arguments[4]) * 1000 + i);
      threads.add(new Thread(() -> work(client, clients, each, random, Integer.parseInt(arguments[5]))));
      threads.get(i).start();
    }
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
    lines.readLine();
    working = false;
    for (Thread thread : threads) {
      thread.join();
    }
    while (lines.readLine() != null) {
      continue;
    }
    for (int register = 0; register < clients * each; register++) {
      String name = name(register);
      note(clients, "final-source", name, () -> ofSource(name));
      note(clients, "final-index", name, () -> ofIndex(name));
    }
    out.flush();
  }

  private static void work(int client, int clients, int each, Random random, int pauseMs) {
    long[] numbers = new long[each];
    while (working) {
      int chance = random.nextInt(100), own = random.nextInt(each);
      String mine = name(client * each + own), any = name(random.nextInt(clients * each));
      if (chance < WRITES) {
        long number = ++numbers[own];
        note(client, "write", mine, number, () -> write(mine, number));
      } else if (chance < WRITES + DELETES) {
        long number = ++numbers[own];
        note(client, "delete", mine, number, () -> delete(mine, number));
      } else if (chance < WRITES + DELETES + READS_OF_THE_SOURCE) {
        note(client, "read-source", any, () -> ofSource(any));
      } else {
        note(client, "read-index", any, () -> ofIndex(any));
      }
      sleep(random.nextInt(2 * pauseMs + 1));
    }
  }

  private static String name(int register) {
    return register % 8 + "r" + register;
  }

  private static String write(String register, long number) throws IOException {
    try (Table table = connection.getTable(source)) {
      table.put(new Put(Bytes.toBytes(register)).addColumn(FAMILY, NUMBER, number, Bytes.toBytes(Long.toString(number))));
    }
    return Long.toString(number);
  }

  private static String delete(String register, long number) throws IOException {
    try (Table table = connection.getTable(source)) {
      table.delete(new Delete(Bytes.toBytes(register)).addColumns(FAMILY, NUMBER, number));
    }
    return Long.toString(number);
  }

  private static String ofSource(String register) throws IOException {
    try (Table table = connection.getTable(source)) {
      byte[] value = table.get(new Get(Bytes.toBytes(register))).getValue(FAMILY, NUMBER);
      return value == null ? "[]" : "[" + Bytes.toString(value) + "]";
    }
  }

  private static String ofIndex(String register) throws IOException {
    try (Table table = connection.getTable(index)) {
      List<String> numbers = new ArrayList<>();
      Result row = table.get(new Get(Bytes.toBytes(register)));
      if (!row.isEmpty()) {
        row.getFamilyMap(FAMILY).keySet().forEach(number -> numbers.add(Bytes.toString(number)));
      }
      return "[" + String.join(",", numbers) + "]";
    }
  }

  private static void note(int client, String what, String register, Call call) {
    note(client, what, register, 0, call);
  }

  /** `number`: of a write. */
  private static void note(int client, String what, String register, long number, Call call) {
    print(client, "invoke", what, register, number == 0 ? "null" : Long.toString(number));
    String type, value;
    try {
      value = call.run();
      type = "ok";
    } catch (Exception problem) {
      value = number == 0 ? "null" : Long.toString(number);
      type = number == 0 ? "fail" : "info";
    }
    print(client, type, what, register, value);
  }

  private static synchronized void print(int client, String type, String what, String register, String value) {
    out.printf("{\"process\":%d,\"type\":\"%s\",\"f\":\"%s\",\"register\":\"%s\",\"value\":%s,\"time\":%d}\n", client, type, what, register, value,
        System.nanoTime() - began);
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException problem) {
      working = false;
    }
  }
}
