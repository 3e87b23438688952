// Prints "CLASS, N, LAT, LON, GEOHASH" with tabs between them: the geohash that each class gives a position.
import java.util.Random;

public class Vectors {
  static String hsr(double lat, double lon, int n) {
    return ch.hsr.geohash.GeoHash.withCharacterPrecision(lat, lon, n).toBase32();
  }

  static String elastic(double lat, double lon, int n) {
    return org.elasticsearch.geometry.utils.Geohash.stringEncode(lon, lat, n);
  }

  static void print(String by, int n, double lat, double lon, String hash) {
    System.out.println(by + "\t" + n + "\t" + lat + "\t" + lon + "\t" + hash);
  }

  public static void main(String[] arguments) {
    Random random = new Random(7);
    for (int i = 0; i < 1200; ++i) {
      double lat = random.nextDouble() * 180 - 90, lon = random.nextDouble() * 360 - 180;
      int n = 1 + i % 12;
      print("hsr", n, lat, lon, hsr(lat, lon, n));
      print("elastic", n, lat, lon, elastic(lat, lon, n));
    }
    // Borders of cells, which belong to the cell north and east of them. Elasticsearch rounds there.
    for (int i = 0; i < 600; ++i) {
      int bits = 1 + random.nextInt(25);
      double lat = 180.0 / (1 << bits) * random.nextInt(1 << bits) - 90;
      double lon = 360.0 / (1 << bits) * random.nextInt(1 << bits) - 180;
      print("hsr", 1 + i % 12, lat, lon, hsr(lat, lon, 1 + i % 12));
    }
    double[] lats = {-90, -89.99999, -0.0, 0, 57.64911, 90};
    double[] lons = {-180, -179.99999, -0.0, 0, 10.40744, 179.99999, 180};
    for (double lat : lats) {
      for (double lon : lons) {
        for (int n : new int[] {1, 2, 5, 12}) {
          print("hsr", n, lat, lon, hsr(lat, lon, n));
          print("elastic", n, lat, lon, elastic(lat, lon, n));
        }
      }
    }
  }
}
