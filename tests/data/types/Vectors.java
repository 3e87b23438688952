// Prints what the classes that write such values make of them: the right answers for fensi's functions.
// A line is: steps of a template, its input in hex digits, its result as text.

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.hadoop.hbase.types.*;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Order;
import org.apache.hadoop.hbase.util.OrderedBytes;
import org.apache.hadoop.hbase.util.PositionedByteRange;
import org.apache.hadoop.hbase.util.SimplePositionedMutableByteRange;
import org.apache.hadoop.io.DataOutputBuffer;
import org.apache.hadoop.io.WritableUtils;
import org.apache.phoenix.schema.SortOrder;
import org.apache.phoenix.schema.types.*;

public final class Vectors {
  private static final Random RANDOM = new Random(51);
  private static final Order[] ORDERS = {Order.ASCENDING, Order.DESCENDING};

  private static String hex(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    for (byte b : bytes) out.append(String.format("%02x", b));
    return out.toString();
  }

  private static void line(String steps, byte[] input, String output) {
    System.out.println(steps + "\t" + hex(input) + "\t" + output);
  }

  private static void text(String steps, String input, String output) {
    line(steps, input.getBytes(StandardCharsets.UTF_8), output);
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  private static double[] doubles() {
    double[] some = {0.0, -0.0, 1.0, -1.0, 1.5, -1.5, -10.0, 0.25, 2.5, 10.0, 19.9, 1e300, -1e300, 1e-300, Double.MIN_VALUE,
        Double.MAX_VALUE, -Double.MAX_VALUE, Double.MIN_NORMAL, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
        0.1, 1.0 / 3, 9007199254740993.0, 123456789.125};
    double[] all = java.util.Arrays.copyOf(some, some.length + 40);
    for (int i = some.length; i < all.length; ++i) {
      do all[i] = Double.longBitsToDouble(RANDOM.nextLong()); while (Double.isNaN(all[i]));
    }
    return all;
  }

  private static long[] longs(int bits) {
    long most = (1L << (bits - 1)) - 1;
    long[] all = new long[24];
    long[] some = {0, 1, -1, 42, -42, 127, -128, most, -most - 1, most - 1};
    for (int i = 0; i < all.length; ++i) {
      long value = i < some.length ? some[i] : RANDOM.nextLong() >> RANDOM.nextInt(64);
      all[i] = value << (64 - bits) >> (64 - bits);
    }
    return all;
  }

  private static BigDecimal[] decimals() {
    String[] some = {"0", "1", "-1", "10", "100", "99", "99.99", "-99.99", "0.1", "0.01", "0.001", "-0.001", "19.90", "19.9",
        "1e10", "1e20", "-1e20", "123456789012345678901234567890", "-123456789012345678901234567890", "1e-10", "-1e-21",
        "0.00000000000000000000000000000001", "1234.5678", "-1234.5678", "1e100", "-1e100", "1e-100", "5e-101", "100.0",
        "12345678901234567890.1234567890"};
    BigDecimal[] all = new BigDecimal[some.length + 60];
    for (int i = 0; i < all.length; ++i) {
      all[i] = i < some.length ? new BigDecimal(some[i])
          : new BigDecimal(new BigInteger(1 + RANDOM.nextInt(95), RANDOM), RANDOM.nextInt(60) - 20);
      if (i >= some.length && RANDOM.nextBoolean()) all[i] = all[i].negate();
    }
    return all;
  }

  private static void bytes() {
    for (double d : doubles()) {
      line("| f64 | to_f64 | hex", Bytes.toBytes(d), hex(Bytes.toBytes(d)));
      text("| real | to_f64 | hex", Double.toString(d), hex(Bytes.toBytes(d)));
      byte[] little = Bytes.toBytes(Long.reverseBytes(Double.doubleToLongBits(d)));
      line("| f64_le | to_f64 | hex", little, hex(Bytes.toBytes(d)));
      float f = (float) d;
      line("| f32 | to_f64 | hex", Bytes.toBytes(f), hex(Bytes.toBytes((double) f)));
      text("| real | to_f32 | hex", Double.toString(f), hex(Bytes.toBytes(f)));
    }
    for (long n : longs(64)) {
      line("| i64 | decimal", Bytes.toBytes(n), Long.toString(n));
      line("| i64_le | decimal", Bytes.toBytes(Long.reverseBytes(n)), Long.toString(n));
    }
    for (long n : longs(32)) line("| i32_le | decimal", Bytes.toBytes(Integer.reverseBytes((int) n)), Long.toString(n));
    for (long n : longs(16)) line("| i16_le | decimal", Bytes.toBytes(Short.reverseBytes((short) n)), Long.toString(n));
    for (BigDecimal n : decimals()) {
      line("| big_decimal | plain", Bytes.toBytes(n), plain(n));
      if (n.scale() >= 0) line("| unscaled " + n.scale() + " | plain", n.unscaledValue().toByteArray(), plain(n));
      text("| number | plain", n.toString(), plain(n));
    }
  }

  private static void variable() throws Exception {
    for (long n : longs(64)) {
      DataOutputBuffer out = new DataOutputBuffer();
      WritableUtils.writeVLong(out, n);
      line("| vlong | decimal", java.util.Arrays.copyOf(out.getData(), out.getLength()), Long.toString(n));
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      com.google.protobuf.CodedOutputStream coded = com.google.protobuf.CodedOutputStream.newInstance(bytes);
      coded.writeInt64NoTag(n);
      coded.flush();
      line("| varint | decimal", bytes.toByteArray(), Long.toString(n));
      bytes.reset();
      coded = com.google.protobuf.CodedOutputStream.newInstance(bytes);
      coded.writeSInt64NoTag(n);
      coded.flush();
      line("| zigzag | decimal", bytes.toByteArray(), Long.toString(n));
    }
  }

  private interface Encoder {
    int encode(SimplePositionedMutableByteRange to, Order order);
  }

  private static void ordered(String type, String rest, Encoder encoder, String output) {
    for (Order order : ORDERS) {
      SimplePositionedMutableByteRange to = new SimplePositionedMutableByteRange(4096);
      int size = encoder.encode(to, order);
      String steps = "| ordered_bytes " + type + (order == Order.ASCENDING ? "" : " DESC") + rest;
      line(steps, java.util.Arrays.copyOf(to.getBytes(), size), output);
    }
  }

  private static byte[] numeric(BigDecimal number) {
    SimplePositionedMutableByteRange to = new SimplePositionedMutableByteRange(4096);
    int size = OrderedBytes.encodeNumeric(to, number, Order.ASCENDING);
    return java.util.Arrays.copyOf(to.getBytes(), size);
  }

  private static void orderedBytes() {
    for (double d : doubles()) {
      ordered("FLOAT64", " | to_f64 | hex", (to, order) -> OrderedBytes.encodeFloat64(to, d, order), hex(Bytes.toBytes(d)));
      ordered("FLOAT32", " | to_f32 | hex", (to, order) -> OrderedBytes.encodeFloat32(to, (float) d, order),
          hex(Bytes.toBytes((float) d)));
      SimplePositionedMutableByteRange to = new SimplePositionedMutableByteRange(16);
      OrderedBytes.encodeFloat64(to, d, Order.ASCENDING);
      text("| real | ordered | hex", Double.toString(d), hex(java.util.Arrays.copyOfRange(to.getBytes(), 1, 9)));
    }
    for (long n : longs(64)) ordered("INT64", " | decimal", (to, order) -> OrderedBytes.encodeInt64(to, n, order), "" + n);
    for (long n : longs(32)) ordered("INT32", " | decimal", (to, order) -> OrderedBytes.encodeInt32(to, (int) n, order), "" + n);
    for (long n : longs(16)) ordered("INT16", " | decimal", (to, order) -> OrderedBytes.encodeInt16(to, (short) n, order), "" + n);
    for (long n : longs(8)) ordered("INT8", " | decimal", (to, order) -> OrderedBytes.encodeInt8(to, (byte) n, order), "" + n);
    for (BigDecimal n : decimals()) {
      if (n.stripTrailingZeros().precision() > 31) continue;
      ordered("NUMERIC", " | plain", (to, order) -> OrderedBytes.encodeNumeric(to, n, order), plain(n));
      text("| number | ordered | hex", n.toString(), hex(numeric(n)));
    }
    for (String s : new String[] {"", "a", "hello", "\u5173\u6ce8", "a b"}) {
      byte[] utf8 = s.getBytes(StandardCharsets.UTF_8);
      ordered("STRING", " | hex", (to, order) -> OrderedBytes.encodeString(to, s, order), hex(utf8));
      ordered("BLOB", " | hex", (to, order) -> OrderedBytes.encodeBlobVar(to, utf8, order), hex(utf8));
      ordered("BLOB_COPY", " | hex", (to, order) -> OrderedBytes.encodeBlobCopy(to, utf8, order), hex(utf8));
    }
    for (int size = 1; size < 20; ++size) {
      byte[] blob = new byte[size];
      RANDOM.nextBytes(blob);
      ordered("BLOB", " | hex", (to, order) -> OrderedBytes.encodeBlobVar(to, blob, order), hex(blob));
    }
  }

  private static void structs() {
    for (Order order : ORDERS) {
      boolean up = order == Order.ASCENDING;
      Struct struct = new StructBuilder().add(up ? OrderedString.ASCENDING : OrderedString.DESCENDING)
          .add(up ? OrderedInt64.ASCENDING : OrderedInt64.DESCENDING)
          .add(up ? OrderedNumeric.ASCENDING : OrderedNumeric.DESCENDING).toStruct();
      String desc = order == Order.ASCENDING ? "" : " DESC";
      for (BigDecimal n : decimals()) {
        if (n.stripTrailingZeros().precision() > 31) continue;
        Object[] values = {"\u5173", (long) n.hashCode(), n};
        SimplePositionedMutableByteRange to = new SimplePositionedMutableByteRange(struct.encodedLength(values));
        struct.encode(to, values);
        line("| ordered_field 0 | ordered_bytes STRING" + desc, to.getBytes(), "\u5173");
        line("| ordered_field 1 | ordered_bytes INT64" + desc + " | decimal", to.getBytes(), "" + n.hashCode());
        line("| ordered_field 2 | ordered_bytes NUMERIC" + desc + " | plain", to.getBytes(), plain(n));
      }
    }
  }

  /** Its field 2 is a whole number, as field 2 of example.Visitor. */
  private static final class PBNumber extends PBType<EnumValueDescriptorProto> {
    @Override
    public Class<EnumValueDescriptorProto> encodedClass() {
      return EnumValueDescriptorProto.class;
    }

    @Override
    public int skip(PositionedByteRange from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public EnumValueDescriptorProto decode(PositionedByteRange from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int encode(PositionedByteRange to, EnumValueDescriptorProto message) {
      try {
        CodedOutputStream stream = PBType.outputStreamFromByteRange(to);
        int before = stream.spaceLeft();
        message.writeTo(stream);
        return before - stream.spaceLeft();
      } catch (java.io.IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class LongOrText extends Union2<Long, String> {
    LongOrText() {
      super(OrderedInt64.ASCENDING, OrderedString.ASCENDING);
    }

    @Override
    public int skip(PositionedByteRange from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object decode(PositionedByteRange from) {
      throw new UnsupportedOperationException();
    }

    @Override
    public int encodedLength(Object value) {
      return value instanceof Long ? typeA.encodedLength((Long) value) : typeB.encodedLength((String) value);
    }

    @Override
    public int encode(PositionedByteRange to, Object value) {
      return value instanceof Long ? typeA.encode(to, (Long) value) : typeB.encode(to, (String) value);
    }
  }

  private static <T> byte[] encoded(DataType<T> type, T value) {
    SimplePositionedMutableByteRange to = new SimplePositionedMutableByteRange(type.encodedLength(value));
    type.encode(to, value);
    return to.getBytes();
  }

  private static void otherDataTypes() {
    Struct struct = new StructBuilder().add(new RawLong()).add(new RawStringTerminated("|")).add(new RawStringFixedLength(8))
        .add(new RawInteger()).toStruct();
    for (long n : longs(64)) {
      Object[] values = {n, "\u5173" + n % 1000, "a" + n % 100, (int) n};
      SimplePositionedMutableByteRange to = new SimplePositionedMutableByteRange(struct.encodedLength(values));
      struct.encode(to, values);
      line("| slice 0 8 | i64 | decimal", to.getBytes(), "" + n);
      line("| slice 8 | split \"|\" 0", to.getBytes(), "\u5173" + n % 1000);
      line("| last 12 | first 8 | split \\x00 0", to.getBytes(), "a" + n % 100);
      line("| last 4 | i32 | decimal", to.getBytes(), "" + (int) n);
      line("| ordered_bytes INT64 | decimal", encoded(new LongOrText(), n), "" + n);
      line("| ordered_bytes STRING", encoded(new LongOrText(), "u" + n), "u" + n);
      line("| i64 | decimal", encoded(new RawLong(), n), "" + n);
      line("| i16 | decimal", encoded(new RawShort(), (short) n), "" + (short) n);
      line("| i8 | decimal", encoded(new RawByte(), (byte) n), "" + (byte) n);
      line("| invert", encoded(RawString.DESCENDING, "t" + n), "t" + n);
      line("| proto example.Visitor delivered | decimal",
          encoded(new PBNumber(), EnumValueDescriptorProto.newBuilder().setNumber((int) n).build()), "" + (int) n);
    }
    for (double d : doubles()) {
      line("| f64 | to_f64 | hex", encoded(new RawDouble(), d), hex(Bytes.toBytes(d)));
      line("| f32 | to_f32 | hex", encoded(new RawFloat(), (float) d), hex(Bytes.toBytes((float) d)));
    }
  }

  private static void phoenix(PDataType<?> type, String name, Object value, String rest, String output) {
    for (SortOrder order : new SortOrder[] {SortOrder.ASC, SortOrder.DESC}) {
      String steps = "| phoenix " + name + (order == SortOrder.ASC ? "" : " DESC") + rest;
      line(steps, stored(type, value, order), output);
    }
  }

  /** As UPSERT stores it: a descending BOOLEAN has its bits turned round, which PBoolean.toBytes does not do. */
  private static byte[] stored(PDataType<?> type, Object value, SortOrder order) {
    byte[] ascending = type.toBytes(value, SortOrder.ASC);
    if (type != PBoolean.INSTANCE || order == SortOrder.ASC) return type.toBytes(value, order);
    return SortOrder.invert(ascending, 0, new byte[ascending.length], 0, ascending.length);
  }

  private static void phoenixNumbers() {
    for (long n : longs(64)) phoenix(PLong.INSTANCE, "BIGINT", n, " | decimal", "" + n);
    for (long n : longs(32)) phoenix(PInteger.INSTANCE, "INTEGER", (int) n, " | decimal", "" + n);
    for (long n : longs(16)) phoenix(PSmallint.INSTANCE, "SMALLINT", (short) n, " | decimal", "" + n);
    for (long n : longs(8)) phoenix(PTinyint.INSTANCE, "TINYINT", (byte) n, " | decimal", "" + n);
    for (long n : longs(64)) if (n >= 0) phoenix(PUnsignedLong.INSTANCE, "UNSIGNED_LONG", n, " | decimal", "" + n);
    for (long n : longs(32)) if (n >= 0) phoenix(PUnsignedInt.INSTANCE, "UNSIGNED_INT", (int) n, " | decimal", "" + n);
    for (long n : longs(16)) if (n >= 0) phoenix(PUnsignedSmallint.INSTANCE, "UNSIGNED_SMALLINT", (short) n, " | decimal", "" + n);
    for (long n : longs(8)) if (n >= 0) phoenix(PUnsignedTinyint.INSTANCE, "UNSIGNED_TINYINT", (byte) n, " | decimal", "" + n);
    for (double d : doubles()) {
      phoenix(PDouble.INSTANCE, "DOUBLE", d, " | to_f64 | hex", hex(Bytes.toBytes(d)));
      phoenix(PFloat.INSTANCE, "FLOAT", (float) d, " | to_f32 | hex", hex(Bytes.toBytes((float) d)));
      if (d < 0 || Double.doubleToLongBits(d) < 0) continue;
      phoenix(PUnsignedDouble.INSTANCE, "UNSIGNED_DOUBLE", d, " | to_f64 | hex", hex(Bytes.toBytes(d)));
      phoenix(PUnsignedFloat.INSTANCE, "UNSIGNED_FLOAT", (float) d, " | to_f32 | hex", hex(Bytes.toBytes((float) d)));
    }
    for (BigDecimal n : decimals()) {
      BigDecimal stripped = n.stripTrailingZeros();
      if (stripped.precision() > 38 || Math.abs(stripped.precision() - stripped.scale()) > 120) continue;
      phoenix(PDecimal.INSTANCE, "DECIMAL", n, " | plain", plain(n));
    }
  }

  private static void phoenixOthers() {
    long[] times = {0, 1, 1482125382074L, -1, -62135596800000L, 253402300799999L};
    for (long ms : times) {
      phoenix(PDate.INSTANCE, "DATE", new java.sql.Date(ms), " | millis | decimal", "" + ms);
      phoenix(PTime.INSTANCE, "TIME", new java.sql.Time(ms), " | millis | decimal", "" + ms);
      java.sql.Timestamp nanos = new java.sql.Timestamp(ms);
      nanos.setNanos(nanos.getNanos() + 999_999);
      phoenix(PTimestamp.INSTANCE, "TIMESTAMP", nanos, " | millis | decimal", "" + ms);
      if (ms < 0) continue;
      phoenix(PUnsignedDate.INSTANCE, "UNSIGNED_DATE", new java.sql.Date(ms), " | millis | decimal", "" + ms);
      phoenix(PUnsignedTime.INSTANCE, "UNSIGNED_TIME", new java.sql.Time(ms), " | millis | decimal", "" + ms);
      phoenix(PUnsignedTimestamp.INSTANCE, "UNSIGNED_TIMESTAMP", nanos, " | millis | decimal", "" + ms);
    }
    phoenix(PBoolean.INSTANCE, "BOOLEAN", true, "", "true");
    phoenix(PBoolean.INSTANCE, "BOOLEAN", false, "", "false");
    for (String s : new String[] {"a", "abc", "a b"}) phoenix(PChar.INSTANCE, "CHAR", s, "", s);
    for (String s : new String[] {"a", "abc", "\u5173\u6ce8"}) phoenix(PVarchar.INSTANCE, "VARCHAR", s, "", s);
  }

  private static void phoenixArrays() {
    PhoenixArray longs = new PhoenixArray.PrimitiveLongPhoenixArray(PLong.INSTANCE, new Object[] {1L, -1L, 42L});
    line("| phoenix_array BIGINT", PLongArray.INSTANCE.toBytes(longs),
        "\\x80\\x00\\x00\\x00\\x00\\x00\\x00\\x01, \\x7F\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF\\xFF, \\x80\\x00\\x00\\x00\\x00\\x00\\x00*");
    PhoenixArray texts = new PhoenixArray(PVarchar.INSTANCE, new Object[] {"a", "bc", null, null, "d"});
    line("| phoenix_array VARCHAR", PVarcharArray.INSTANCE.toBytes(texts), "a, bc, d");
  }

  private static void time() {
    String[] texts = {"2015-04-02T01:00:00Z", "2015-04-02T09:00:00+08:00", "2015-04-02T01:00:00.000Z",
        "2016-12-19T05:29:42.074999999Z", "1969-12-31T23:59:59.999999999Z", "2016-02-29T12:00:00.5-03:30",
        "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2016-12-19T05:29+05:30:15", "1900-01-01T00:00:00.001-12:00"};
    for (String text : texts) {
      text("| iso_time | millis | decimal", text, "" + OffsetDateTime.parse(text).toInstant().toEpochMilli());
    }
    for (int i = 0; i < 40; ++i) {
      Instant instant = Instant.ofEpochSecond(RANDOM.nextInt(), RANDOM.nextInt(1_000_000_000));
      text("| iso_time | millis | decimal", instant.toString(), "" + instant.toEpochMilli());
      ZoneOffset offset = ZoneOffset.ofTotalSeconds((RANDOM.nextInt(2 * 18 * 60) - 18 * 60) * 60);
      text("| iso_time | millis | decimal", instant.atOffset(offset).toString(), "" + instant.toEpochMilli());
      ZonedDateTime zoned = instant.atZone(ZoneId.of("America/New_York"));
      text("| iso_time | millis | decimal", zoned.toString(), "" + instant.toEpochMilli());
      LocalDateTime local = LocalDateTime.ofInstant(instant, ZoneOffset.UTC);
      text("| iso_time | millis | decimal", local.toString(), "" + instant.toEpochMilli());
      text("| iso_time +08:00 | millis | decimal", local.toString(),
          "" + local.toInstant(ZoneOffset.ofHours(8)).toEpochMilli());
      text("| int | from_us | millis | decimal", "" + instant.getEpochSecond() * 1_000_000,
          "" + instant.getEpochSecond() * 1000);
    }
  }

  private static void ids() {
    for (int i = 0; i < 20; ++i) {
      UUID uuid = new UUID(RANDOM.nextLong(), RANDOM.nextLong());
      byte[] bytes = Bytes.add(Bytes.toBytes(uuid.getMostSignificantBits()), Bytes.toBytes(uuid.getLeastSignificantBits()));
      line("| uuid_text", bytes, uuid.toString());
      text("| uuid | hex", uuid.toString(), hex(bytes));
      byte[] some = new byte[i];
      RANDOM.nextBytes(some);
      line("| base64", some, java.util.Base64.getEncoder().encodeToString(some));
      line("| base64url", some, java.util.Base64.getUrlEncoder().withoutPadding().encodeToString(some));
      text("| unbase64 | hex", java.util.Base64.getMimeEncoder(-1, new byte[0]).encodeToString(some), hex(some));
    }
  }

  private static String utf8(String text) {
    return hex(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String someText() {
    String[] some = {"", "a", "\u5173\u6ce8", "\0", "\uffff", "a.b", "two words"};
    return some[RANDOM.nextInt(some.length)];
  }

  private static GenericData.Record node(Schema schema, int depth) {
    GenericData.Record node = new GenericData.Record(schema);
    node.put("name", someText() + depth);
    List<Double> weights = new ArrayList<>();
    for (int i = RANDOM.nextInt(3); i > 0; --i) weights.add(doubles()[RANDOM.nextInt(24)]);
    node.put("weights", weights);
    node.put("next", depth == 0 ? null : node(schema, depth - 1));
    return node;
  }

  private static GenericData.Record record(Schema schema, int n) {
    GenericData.Record all = new GenericData.Record(schema);
    byte[] raw = {0, -1, 0, (byte) n};
    all.put("yes", n % 2 == 1);
    all.put("small", (int) longs(32)[n % 24]);
    all.put("large", longs(64)[n % 24]);
    all.put("single", (float) doubles()[n % 22]);
    all.put("twice", doubles()[n % 24]);
    all.put("raw", ByteBuffer.wrap(raw, 0, n % 5));
    all.put("text", someText());
    all.put("four", new GenericData.Fixed(schema.getField("four").schema(), raw));
    Schema suit = schema.getField("suit").schema();
    all.put("suit", new GenericData.EnumSymbol(suit, suit.getEnumSymbols().get(n % 3)));
    Schema node = schema.getField("node").schema();
    all.put("node", node(node, n % 4));
    all.put("maybe", n % 3 == 0 ? null : someText());
    Object[] mixed = {null, longs(64)[n % 24], "text", node(node, 0), all.get("suit"), Map.of("long", 5L)};
    all.put("mixed", mixed[n % mixed.length]);
    List<String> tags = new ArrayList<>();
    for (int i = n; i > 0; --i) tags.add(someText() + i);
    all.put("tags", tags);
    List<List<Integer>> lists = new ArrayList<>();
    for (int i = n % 5; i > 0; --i) lists.add(List.of(i, -i, Integer.MIN_VALUE));
    all.put("lists", lists);
    Map<String, Long> longs = new TreeMap<>();
    Map<String, Object> nodes = new TreeMap<>();
    for (int i = n % 7; i > 0; --i) longs.put(someText() + i, (long) -i);
    if (n % 2 == 0) longs.put("a.b", (long) n);
    if (n % 3 == 0) nodes.put("x", node(node, 1));
    all.put("by_key", longs);
    all.put("nodes", nodes);
    all.put("nothings", java.util.Arrays.asList(new Object[n]));
    all.put("at", longs(64)[n % 24]);
    all.put("price", ByteBuffer.wrap(BigInteger.valueOf(n - 8L).toByteArray()));
    return all;
  }

  /** The text of a value at a path, as the steps behind it give it. */
  private static void avroLine(byte[] bytes, String path, String steps, Object value, String text) {
    line("| avro types.All " + path + steps, bytes, value == null ? "absent" : text);
  }

  private static void avroLines(GenericData.Record all, byte[] bytes, int n) {
    avroLine(bytes, "yes", "", true, all.get("yes").toString());
    for (String path : new String[] {"small", "large", "at"}) avroLine(bytes, path, " | decimal", true, "" + all.get(path));
    // The digits of a float, read as a double.
    avroLine(bytes, "single", " | real | to_f64 | hex", true,
        hex(Bytes.toBytes(Double.parseDouble(all.get("single").toString()))));
    avroLine(bytes, "twice", " | real | to_f64 | hex", true, hex(Bytes.toBytes((double) all.get("twice"))));
    avroLine(bytes, "raw", " | hex", true, hex(Bytes.toBytes((ByteBuffer) all.get("raw"))));
    avroLine(bytes, "price", " | unscaled 2 | plain", true, plain(BigDecimal.valueOf(n - 8L, 2)));
    avroLine(bytes, "text", " | hex", true, utf8((String) all.get("text")));
    avroLine(bytes, "four", " | hex", true, hex(((GenericData.Fixed) all.get("four")).bytes()));
    avroLine(bytes, "suit", "", true, all.get("suit").toString());
    Object maybe = all.get("maybe");
    avroLine(bytes, "maybe", " | hex", maybe, maybe == null ? "" : utf8((String) maybe));
    Object mixed = all.get("mixed");
    avroLine(bytes, "mixed.Suit", "", mixed instanceof GenericData.EnumSymbol ? mixed : null, "" + mixed);
    avroLine(bytes, "mixed.map.long", " | decimal", mixed instanceof Map ? mixed : null, "5");
    avroLine(bytes, "mixed.string", "", mixed instanceof String ? mixed : null, "text");
    GenericData.Record inner = mixed instanceof GenericData.Record ? (GenericData.Record) mixed : null;
    avroLine(bytes, "mixed.Node.name", " | hex", inner, inner == null ? "" : utf8((String) inner.get("name")));
    String path = "node";
    for (GenericData.Record at = (GenericData.Record) all.get("node"); at != null; path += ".next") {
      avroLine(bytes, path + ".name", " | hex", true, utf8((String) at.get("name")));
      List<?> weights = (List<?>) at.get("weights");
      avroLine(bytes, path + ".weights[0]", " | real | to_f64 | hex", weights.isEmpty() ? null : weights,
          weights.isEmpty() ? "" : hex(Bytes.toBytes((double) weights.get(0))));
      at = (GenericData.Record) at.get("next");
    }
    avroLine(bytes, path + ".name", "", null, "");
    List<?> tags = (List<?>) all.get("tags");
    for (int i : new int[] {0, tags.size() - 1, tags.size()}) {
      if (i >= 0) avroLine(bytes, "tags." + i, " | hex", i < tags.size() ? tags : null, i < tags.size() ? utf8((String) tags.get(i)) : "");
    }
    List<?> lists = (List<?>) all.get("lists");
    avroLine(bytes, "lists.1.2", " | decimal", lists.size() > 1 ? lists : null, "" + Integer.MIN_VALUE);
    Object key = ((Map<?, ?>) all.get("by_key")).get("a.b");
    avroLine(bytes, "by_key['a.b']", " | decimal", key, "" + key);
    Object node = ((Map<?, ?>) all.get("nodes")).get("x");
    avroLine(bytes, "nodes.x.next.name", " | hex", node,
        node == null ? "" : utf8((String) ((GenericData.Record) ((GenericData.Record) node).get("next")).get("name")));
    byte[] framed = Bytes.add(new byte[] {0}, Bytes.toBytes(70000), bytes);
    line("| avro_framed 70000 types.All suit", framed, all.get("suit").toString());
  }

  private static void avro() throws Exception {
    Schema schema = new Schema.Parser().parse(new File("types.avsc"));
    for (int n = 0; n < 24; ++n) {
      GenericData.Record all = record(schema, n);
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      // The second writes blocks with negative counts and their sizes.
      BinaryEncoder encoder = n % 2 == 0 ? EncoderFactory.get().binaryEncoder(out, null)
          : new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(out, null);
      new GenericDatumWriter<GenericData.Record>(schema).write(all, encoder);
      encoder.flush();
      avroLines(all, out.toByteArray(), n);
    }
  }

  public static void main(String[] arguments) throws Exception {
    java.util.TimeZone.setDefault(java.util.TimeZone.getTimeZone("UTC"));
    bytes();
    variable();
    orderedBytes();
    structs();
    phoenixNumbers();
    phoenixOthers();
    phoenixArrays();
    time();
    ids();
    avro();
    otherDataTypes();
  }
}
