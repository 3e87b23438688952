import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Asks the classes that `fensi code java` printed, a line of standard input each:
 *   CLASS query PART... START STOP          prints tables|ranges|exact
 *   CLASS cells PART... START STOP / CELL   prints what the entry was made of
 *   CLASS decode KEY
 * Values: i:42 (a number), d:2.5, b:HEX, t:MILLIS, - (none). An exception is printed with its class.
 */
public final class Driver {
  public static void main(String[] words) throws Exception {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      try {
        System.out.println(answer(line.split(" ")));
      } catch (InvocationTargetException e) {
        System.out.println(e.getCause().getClass().getSimpleName());
      }
    }
  }

  private static Object value(String word) {
    String text = word.length() > 2 ? word.substring(2) : "";
    switch (word.charAt(0)) {
      case 'i': return Long.parseLong(text);
      case 'd': return Double.parseDouble(text);
      case 'b': return Bytes.fromHex(text);
      case 't': return Instant.ofEpochMilli(Long.parseLong(text));
      default: return null;
    }
  }

  private static String answer(String[] words) throws Exception {
    Class<?> code = Class.forName(words[0]);
    if (words[1].equals("decode")) return shown((Map<?, ?>) code.getMethod("decodeKey", byte[].class).invoke(null, value(words[2])));
    int end = words[1].equals("cells") ? Arrays.asList(words).indexOf("/") : words.length;
    Object[] arguments = Arrays.stream(words, 2, end).map(Driver::value).toArray();
    Class<?>[] types = new Class<?>[arguments.length];
    Arrays.fill(types, Object.class);
    Object query = code.getMethod("between", types).invoke(null, arguments);
    if (words[1].equals("query")) {
      List<?> ranges = (List<?>) query.getClass().getField("ranges").get(query);
      List<String> shown = new ArrayList<>();
      for (Object range : ranges) {
        shown.add(Bytes.toHex((byte[]) range.getClass().getField("start").get(range)) + ".."
            + Bytes.toHex((byte[]) range.getClass().getField("stop").get(range)));
      }
      return query.getClass().getField("tables").get(query) + "|" + shown + "|" + query.getClass().getField("exact").get(query);
    }
    List<Cell> cells = new ArrayList<>();
    for (int at = end + 1; at < words.length; at += 4) {
      cells.add(new KeyValue((byte[]) value(words[at]), (byte[]) value(words[at + 1]), (byte[]) value(words[at + 2]), 7L,
          (byte[]) value(words[at + 3])));
    }
    Method matches = query.getClass().getMethod("matches", String.class, Result.class);
    StringBuilder out = new StringBuilder();
    for (Object entry : (List<?>) matches.invoke(query, "t", Result.create(cells))) {
      Map<String, Object> values = new TreeMap<>();
      Map<?, ?> known = (Map<?, ?>) entry.getClass().getField("known").get(entry);
      for (Object name : known.keySet()) {
        Object one = known.get(name);
        values.put((String) name + (one.getClass().getField("exact").getBoolean(one) ? "" : "~"),
            entry.getClass().getMethod("get", String.class).invoke(entry, name));
      }
      out.append(shown(values));
    }
    return out.toString();
  }

  private static String shown(Map<?, ?> values) {
    Map<String, String> out = new TreeMap<>();
    for (Map.Entry<?, ?> one : values.entrySet()) {
      Object value = one.getValue();
      String text = value instanceof byte[] ? Bytes.toHex((byte[]) value)
          : value instanceof Double ? Long.toString(Double.doubleToLongBits((Double) value)) : String.valueOf(value);
      out.put(Bytes.toHex(((String) one.getKey()).getBytes(StandardCharsets.UTF_8)), text);
    }
    return out.toString();
  }
}
