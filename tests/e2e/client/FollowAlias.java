import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * An application that asks again and again who follows b, page by page, with the code of two indexes, and takes the other one when
 * the alias has moved.
 *
 * FollowAlias ALIAS STABLE: rows r0 … of that number were written before, and follow b all the time; others are called w…. Until
 * standard input ends, prints "moved NAME MILLIS" at each change, and then "READS MISSING STRANGE TWICE": answers, and in all of them
 * the rows r… that were missing, the rows that nobody wrote, and those that came twice.
 */
public final class FollowAlias {
  /** Adds the rows of a page, and gives the token of the next one. */
  private interface Source {
    String page(String token, List<String> rows) throws IOException;
  }

  private static String first(FirstIndex.Reader reader, String token, List<String> rows) throws IOException {
    FirstIndex.Page page = reader.page(FirstIndex.prefix("b"), 50, token);
    for (FirstIndex.Entry entry : page.entries) rows.add(entry.text("row"));
    return page.token;
  }

  private static String second(SecondIndex.Reader reader, String token, List<String> rows) throws IOException {
    SecondIndex.Page page = reader.page(SecondIndex.prefix("b"), 50, token);
    for (SecondIndex.Entry entry : page.entries) rows.add(entry.text("row"));
    return page.token;
  }

  private static List<String> all(Source source) throws IOException {
    List<String> rows = new ArrayList<>();
    String token = null;
    do {
      token = source.page(token, rows);
    } while (token != null);
    return rows;
  }

  private static volatile boolean ended;

  public static void main(String[] words) throws Exception {
    int stable = Integer.parseInt(words[1]);
    Thread end = new Thread(() -> {
      try {
        while (System.in.read() >= 0) continue;
      } catch (IOException closed) {
        System.err.println(closed);
      }
      ended = true;
    });
    end.start();
    long reads = 0, missing = 0, strange = 0, twice = 0;
    try (Connection connection = ConnectionFactory.createConnection(HBaseConfiguration.create())) {
      FirstIndex.Reader one = new FirstIndex.Reader(connection).alias(words[0]);
      SecondIndex.Reader other = new SecondIndex.Reader(connection).alias(words[0]);
      Source[] sources = {(token, rows) -> first(one, token, rows), (token, rows) -> second(other, token, rows)};
      for (int now = 0; !ended; ) {
        List<String> rows;
        try {
          rows = all(sources[now]);
        } catch (FirstIndex.AliasMovedException | SecondIndex.AliasMovedException moved) {
          now = 1 - now;
          System.out.println("moved " + one.namedByAlias() + " " + System.currentTimeMillis());
          continue;
        }
        reads++;
        Set<String> found = new TreeSet<>(rows);
        twice += rows.size() - found.size();
        for (int i = 0; i < stable; i++) missing += found.contains("r" + i) ? 0 : 1;
        for (String row : found) strange += row.matches("r\\d+|w\\d+") ? 0 : 1;
      }
    }
    System.out.println(reads + " " + missing + " " + strange + " " + twice);
    System.exit(0);
  }
}
