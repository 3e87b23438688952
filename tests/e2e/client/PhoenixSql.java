import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.*;
import java.util.*;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Apache Phoenix by its JDBC driver: runs the SQL of each line of standard input, and knows nothing of fensi.
 *
 * Argument: the URL of the database. A line has fields with tabs between, encoded as those of a URL: a statement, then the values of its
 * parameters, as many as it has or a multiple of that for several rows, which are committed together. Answered are the rows, one a
 * line in such fields, and then "ok", or "error TEXT". A null is an empty field, and other fields begin with '='. Times are
 * milliseconds since 1970, with the nanoseconds of the millisecond behind a point if there are any; items of arrays are such
 * fields again, with commas between.
 */
public class PhoenixSql {
  private static final int NANOS = 1_000_000;

  private final Connection connection;

  private PhoenixSql(Connection connection) {
    this.connection = connection;
  }

  public static void main(String[] arguments) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("hbase.client.retries.number", "15");  // of a driver, not of the stack's impatient admin process
    PhoenixSql sql = new PhoenixSql(DriverManager.getConnection(arguments[0], properties));
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      System.out.println(sql.answer(line.split("\t", -1)));
    }
    System.exit(0);  // the driver has threads of its own
  }

  private String answer(String[] fields) throws Exception {
    List<String> values = Stream.of(fields).skip(1).map(PhoenixSql::decoded).collect(Collectors.toList());
    try (PreparedStatement statement = connection.prepareStatement(URLDecoder.decode(fields[0], StandardCharsets.UTF_8))) {
      // Phoenix does some statements of a connection that commits each by itself in its region servers.
      connection.setAutoCommit(values.isEmpty());
      String rows = values.isEmpty() ? run(statement) : runForEach(statement, values);
      if (!values.isEmpty()) {
        connection.commit();
      }
      return rows + "ok";
    } catch (SQLException | IllegalArgumentException problem) {
      connection.rollback();
      return "error " + problem.toString().replace('\n', ' ');
    }
  }

  private static String decoded(String field) {
    return field.isEmpty() ? null : URLDecoder.decode(field.substring(1), StandardCharsets.UTF_8);
  }

  private static String field(Object value) throws SQLException {
    return value == null ? "" : "=" + URLEncoder.encode(shown(value), StandardCharsets.UTF_8);
  }

  private String runForEach(PreparedStatement statement, List<String> values) throws SQLException {
    ParameterMetaData types = statement.getParameterMetaData();
    int count = types.getParameterCount();
    StringBuilder rows = new StringBuilder();
    for (int i = 0; i < values.size(); i += count) {
      for (int n = 0; n < count; n++) {
        String type = types.getParameterTypeName(n + 1);
        String value = values.get(i + n);
        if (value == null) {
          statement.setNull(n + 1, types.getParameterType(n + 1));
        } else {
          statement.setObject(n + 1, parsed(type, value));
        }
      }
      rows.append(run(statement));
    }
    return rows.toString();
  }

  private static String run(PreparedStatement statement) throws SQLException {
    StringBuilder rows = new StringBuilder();
    if (!statement.execute()) {
      return "";
    }
    try (ResultSet result = statement.getResultSet()) {
      int count = result.getMetaData().getColumnCount();
      while (result.next()) {
        for (int n = 1; n <= count; n++) {
          rows.append(n > 1 ? "\t" : "").append(field(result.getObject(n)));
        }
        rows.append('\n');
      }
    }
    return rows.toString();
  }

  private Object parsed(String type, String text) throws SQLException {
    if (type.endsWith(" ARRAY")) {
      String item = type.substring(0, type.length() - " ARRAY".length());
      List<Object> items = new ArrayList<>();
      for (String each : text.isEmpty() ? new String[0] : text.split(",", -1)) {
        String value = decoded(each);
        items.add(value == null ? null : parsed(item, value));
      }
      return connection.createArrayOf(item, items.toArray());
    }
    String signed = type.startsWith("UNSIGNED_") ? type.substring("UNSIGNED_".length()) : type;
    switch (signed) {
      case "TINYINT": return Byte.valueOf(text);
      case "SMALLINT": return Short.valueOf(text);
      case "INT":
      case "INTEGER": return Integer.valueOf(text);
      case "LONG":
      case "BIGINT": return Long.valueOf(text);
      case "FLOAT": return Float.valueOf(text);
      case "DOUBLE": return Double.valueOf(text);
      case "DECIMAL": return new BigDecimal(text);
      case "BOOLEAN": return Boolean.valueOf(text);
      case "DATE": return new java.sql.Date(Long.parseLong(text));
      case "TIME": return new Time(Long.parseLong(text));
      case "TIMESTAMP": return timestamp(text);
      case "CHAR":
      case "VARCHAR": return text;
      case "BINARY":
      case "VARBINARY": return text.getBytes(StandardCharsets.ISO_8859_1);
      default: throw new IllegalArgumentException("no values of " + type);
    }
  }

  private static Timestamp timestamp(String text) {
    String[] parts = text.split("\\.");
    Timestamp time = new Timestamp(Long.parseLong(parts[0]));
    time.setNanos(time.getNanos() + (parts.length > 1 ? Integer.parseInt(parts[1]) : 0));
    return time;
  }

  private static String shown(Object value) throws SQLException {
    if (value instanceof java.sql.Array) {
      Object items = ((java.sql.Array) value).getArray();
      List<String> texts = new ArrayList<>();
      for (int i = 0; i < java.lang.reflect.Array.getLength(items); i++) {
        texts.add(field(java.lang.reflect.Array.get(items, i)));
      }
      return String.join(",", texts);
    }
    if (value instanceof Timestamp) {
      int nanos = ((Timestamp) value).getNanos() % NANOS;
      return ((Timestamp) value).getTime() + (nanos == 0 ? "" : "." + nanos);
    }
    if (value instanceof java.util.Date) {
      return String.valueOf(((java.util.Date) value).getTime());
    }
    if (value instanceof BigDecimal) {
      return ((BigDecimal) value).toPlainString();
    }
    return value instanceof byte[] ? new String((byte[]) value, StandardCharsets.ISO_8859_1) : String.valueOf(value);
  }
}
