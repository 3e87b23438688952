import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** What a generated reader makes of a connection that refuses each call, as HBase's client does. */
public final class Denied {
  private static Connection refusing(IOException error) {
    Table table = (Table) Proxy.newProxyInstance(Denied.class.getClassLoader(), new Class<?>[] {Table.class}, (self, method, words) -> {
      if (method.getName().equals("close")) return null;
      throw error;
    });
    return (Connection) Proxy.newProxyInstance(Denied.class.getClassLoader(), new Class<?>[] {Connection.class},
        (self, method, words) -> table);
  }

  private static void page(IOException error) {
    try {
      new StampsIndex.Reader(refusing(error)).page(StampsIndex.between(null, null), 1, null);
    } catch (IOException | RuntimeException e) {
      System.out.println(e.getClass().getSimpleName() + ": " + e.getMessage());
    }
  }

  public static void main(String[] words) {
    AccessDeniedException denied = new AccessDeniedException("Insufficient permissions (user=ann, action=READ)\n\tat x");
    page(denied);
    page(new IOException("a wrapper", denied));
    page(new RetriesExhaustedWithDetailsException(List.of(denied), List.of(new Get(new byte[] {1})), List.of("h:1")));
    page(new RetriesExhaustedWithDetailsException(List.of(new IOException("other")), List.of(new Get(new byte[] {1})), List.of("h:1")));
    page(new IOException("no route"));
  }
}
