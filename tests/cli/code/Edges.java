import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;

/** Prints a word for each refusal that a generated class gives as it should. */
public final class Edges {
  private static void refused(String word, Class<?> kind, Runnable asked) {
    try {
      asked.run();
    } catch (RuntimeException e) {
      System.out.println(kind.isInstance(e) ? word : e.toString());
    }
  }

  public static void main(String[] words) {
    Instant between = Instant.parse("2016-12-19T05:29:41.999999Z");
    refused("part", StampsIndex.BadPartException.class, () -> StampsIndex.encodeKey(between, "r"));
    if (StampsIndex.between(between, null).ranges.size() == 1) System.out.println("bound");
    refused("far", StampsIndex.BadPartException.class, () -> StampsIndex.between(Instant.MAX, null));
    refused("stored", SortedIndex.BadPartException.class, () -> SortedIndex.prefix("M"));
    refused("stored bound", SortedIndex.BadPartException.class, () -> SortedIndex.between("M", null));
    refused("width", PlacesIndex.BadPartException.class, () -> PlacesIndex.encodeKey(new byte[] {'w', 'x', '4'}, "r"));
    SpreadIndex.Query one = SpreadIndex.prefix("x"), other = SpreadIndex.prefix("y");
    String mark = SpreadIndex.After.markOf(one);
    String token = Base64.getUrlEncoder().encodeToString((mark + " spread zz 00").getBytes(StandardCharsets.UTF_8));
    refused("token", SpreadIndex.BadTokenException.class, () -> new SpreadIndex.After(one, token));
    if (one.ranges.toString().equals(other.ranges.toString()) && !mark.equals(SpreadIndex.After.markOf(other))) System.out.println("query");
  }
}
