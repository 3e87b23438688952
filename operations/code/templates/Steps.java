  /** What every error of this file is. */
  public static class FensiException extends RuntimeException {
    FensiException(String text) {
      super(text);
    }
  }

  /** A value or a bound that this part of the key cannot have: correct the value. */
  public static final class BadPartException extends FensiException {
    BadPartException(String text) {
      super(text);
    }
  }

  /** These bytes are no row key of this index: check which table they come from. */
  public static final class NotAKeyException extends FensiException {
    NotAKeyException(String text) {
      super(text);
    }
  }

  /** A function has no result for a value. */
  private static class Refused extends RuntimeException {
    Refused(String text) {
      super(text, null, false, false);
    }
  }

  /** There is no such piece: as if the column were missing. */
  private static final class Absent extends Refused {
    Absent(String text) {
      super(text);
    }
  }

  private static final int EXACT = 0, GOOD = 1, NONE = 2;  // how exact a step can be read backwards
  private enum Type { BYTES, INTEGER, TIME, REAL }
  private enum Order { UP, DOWN, SIGNED, UNSIGNED, UNORDERED }

  /** One function of a template, with what is known of it. */
  private static final class Step {
    final String name;
    final Type taken, given;
    final int inverse;
    final Order order;
    final Object[] arguments;  // byte[] or Long

    Step(String name, Type taken, Type given, int inverse, Order order, Object... arguments) {
      this.name = name;
      this.taken = taken;
      this.given = given;
      this.inverse = inverse;
      this.order = order;
      this.arguments = arguments;
    }

    long number(int at, long absent) {
      return at < arguments.length && arguments[at] instanceof Long ? (Long) arguments[at] : absent;
    }

    byte[] bytes(int at) {
      return at < arguments.length && arguments[at] instanceof byte[] ? (byte[]) arguments[at] : null;
    }

    String form() {
      return new String(bytes(0), StandardCharsets.ISO_8859_1);
    }

    boolean same(Step other) {
      return name.equals(other.name) && taken == other.taken && Arrays.deepEquals(arguments, other.arguments);
    }

    boolean readsNumber() {
      return name.matches("[iuf](8|16|32|64)(_le)?");
    }
  }

  /** Bytes as messages show them. */
  private static String shown(Object value) {
    return value instanceof byte[] ? "'" + Bytes.toStringBinary((byte[]) value) + "'" : String.valueOf(value);
  }

  private static byte[] latin(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static byte[] ofWidth(byte[] value, long width) {
    if (value.length != width) throw new Refused(shown(value) + " has " + value.length + " bytes, not " + width);
    return value;
  }

  private static byte[] reversed(byte[] value) {
    byte[] out = new byte[value.length];
    for (int i = 0; i < out.length; i++) out[i] = value[value.length - 1 - i];
    return out;
  }

  private static byte[] bigEndian(long bits, int width) {
    byte[] out = new byte[width];
    for (int i = width; i-- > 0; bits >>>= 8) out[i] = (byte) bits;
    return out;
  }

  private static long bits(byte[] value) {
    long bits = 0;
    for (byte one : value) bits = bits << 8 | one & 0xFF;
    return bits;
  }

  private static long check(BigInteger number, String what) {
    if (number.bitLength() > 63) throw new Refused(number + " " + what);
    return number.longValue();
  }

  // Doubles are kept as their rank: a whole number that grows with the double.

  private static long rank(double real) {
    long bits = Double.doubleToRawLongBits(real);
    return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
  }

  private static double real(long rank) {
    return Double.longBitsToDouble(rank < 0 ? rank ^ Long.MAX_VALUE : rank);
  }

  /** The rank of a number from an application. A step that reads floats takes the nearest float. */
  private static long rankGiven(Step step, Number number) {
    double real = number.doubleValue();
    return rank(step.name.startsWith("f32") ? (float) real : real);
  }

  private static byte[] realBytes(double real, int width) {
    return width == 8 ? Bytes.toBytes(real) : Bytes.toBytes((float) real);
  }

  private static double realIn(byte[] value) {
    return value.length == 8 ? Bytes.toDouble(value) : Bytes.toFloat(value);
  }

  private static byte[] orderedReal(double real, int width) {
    if (width == 8) return bigEndian(rank(real) ^ Long.MIN_VALUE, 8);
    int bits = Float.floatToRawIntBits((float) real);
    return bigEndian(bits < 0 ? ~bits : bits ^ Integer.MIN_VALUE, 4);
  }

  /** At a bound, which need not be a number of this width: the result at or below it. */
  private static byte[] orderedBelow(Step step, long rank) {
    if (step.number(0, 8) == 8) return bigEndian(rank ^ Long.MIN_VALUE, 8);
    boolean is = rank >= rank(Double.NEGATIVE_INFINITY) && rank <= rank(Double.POSITIVE_INFINITY);
    double real = is ? real(rank) : rank < 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    float below = (float) real;
    return orderedReal(below > real ? Math.nextDown(below) : below, 4);
  }

  private static byte[] ordered(Step step, long number) {
    int width = (int) step.number(0, 8);
    if (step.taken == Type.REAL) {
      if (width == 4 && (float) real(number) != real(number)) throw new Refused(real(number) + " is not a number of 32 bits");
      return orderedReal(real(number), width);
    }
    long bits = number + (1L << 8 * width - 1);
    if (width < 8 && bits >>> 8 * width != 0) throw new Refused(number + " does not fit " + width + " bytes");
    return bigEndian(bits, width);
  }

  private static Object unordered(Step step, byte[] value) {
    int width = (int) step.number(0, 8);
    if (step.taken != Type.REAL) return value.length > 8 ? null : (Object) (bits(value) - (1L << 8 * width - 1));
    if (value.length != width) return null;
    long bits = bits(value);
    double real = width == 8 ? real(bits ^ Long.MIN_VALUE)
        : Float.intBitsToFloat((int) bits < 0 ? (int) bits ^ Integer.MIN_VALUE : ~(int) bits);
    return Double.isNaN(real) ? null : (Object) rank(real);
  }

  private static byte[] decimal(Step step, long number) {
    String digits = Long.toString(number);
    int width = (int) step.number(0, digits.length());
    if (digits.length() > width || (step.arguments.length > 0 && number < 0)) {
      throw new Refused(number + " has more than " + width + " digits, or is negative");
    }
    StringBuilder out = new StringBuilder();
    while (out.length() + digits.length() < width) out.append('0');
    return latin(out + digits);
  }

  private static byte[] toBe(Step step, long number) {
    int width = (int) step.number(0, 8);
    if (width < 8 && (number < 0 || number >>> 8 * width != 0)) {
      throw new Refused(number + " does not fit " + width + " bytes without sign");
    }
    return bigEndian(number, width);
  }

  private static long readNumber(Step step, byte[] value) {
    String name = step.name;
    boolean little = name.endsWith("_le");
    int width = Integer.parseInt(name.substring(1, little ? name.length() - 3 : name.length())) / 8;
    byte[] given = little ? reversed(ofWidth(value, width)) : ofWidth(value, width);
    if (name.charAt(0) == 'f') {
      if (Double.isNaN(realIn(given))) throw new Refused(shown(value) + " is NaN, which has no place among numbers");
      return rank(realIn(given));
    }
    long bits = bits(given);
    if (name.charAt(0) == 'u') {
      if (bits < 0) throw new Refused(shown(value) + " is above the largest number");
      return bits;
    }
    return bits << 64 - 8 * width >> 64 - 8 * width;
  }

  private static byte[] unreadNumber(Step step, long number) {
    String name = step.name;
    boolean little = name.endsWith("_le");
    int width = Integer.parseInt(name.substring(1, little ? name.length() - 3 : name.length())) / 8;
    byte[] value = name.charAt(0) == 'f' ? realBytes(real(number), width) : bigEndian(number, width);
    if (name.charAt(0) == 'f' && realIn(value) != real(number)) return null;
    return little ? reversed(value) : value;
  }

  private static byte[] terminated(byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte one : value) {
      out.write(one);
      if (one == 0) out.write(1);
    }
    out.write(0);
    out.write(0);
    return out.toByteArray();
  }

  private static byte[] unterminated(byte[] value) {
    if (value.length < 2 || value[value.length - 1] != 0 || value[value.length - 2] != 0) return null;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < value.length - 2; i++) {
      out.write(value[i]);
      if (value[i] == 0) i++;
    }
    return out.toByteArray();
  }

  private static byte[] hex(byte[] value) {
    StringBuilder out = new StringBuilder();
    for (byte one : value) out.append(String.format("%02x", one));
    return latin(out.toString());
  }

  private static byte[] unhex(byte[] value) {
    if (value.length % 2 != 0) return null;
    byte[] out = new byte[value.length / 2];
    for (int i = 0; i < out.length; i++) {
      int high = Character.digit((char) value[2 * i], 16), low = Character.digit((char) value[2 * i + 1], 16);
      if (high < 0 || low < 0) return null;
      out[i] = (byte) (high << 4 | low);
    }
    return out;
  }

  private static byte[] uuid(byte[] value) {
    String text = new String(value, StandardCharsets.ISO_8859_1);
    boolean dashed = text.matches("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    if (!dashed && !text.matches("[0-9a-fA-F]{32}")) throw new Refused(shown(value) + " is no UUID");
    return unhex(latin(text.replace("-", "")));
  }

  private static byte[] uuidText(byte[] value) {
    String digits = new String(hex(ofWidth(value, 16)), StandardCharsets.ISO_8859_1);
    return latin(digits.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5"));
  }

  private static int find(byte[] value, byte[] what, int from) {
    for (int at = from; at + what.length <= value.length; at++) {
      if (Arrays.equals(Arrays.copyOfRange(value, at, at + what.length), what)) return at;
    }
    return -1;
  }

  private static byte[] part(byte[] value, long from, long to) {
    int stop = (int) Math.min(to, value.length);
    return Arrays.copyOfRange(value, (int) Math.min(from, stop), stop);
  }

  private static byte[] piece(Step step, byte[] value) {
    byte[] separator = step.bytes(0);
    int from = 0;
    for (long n = step.name.equals("split") ? step.number(1, 0) : step.name.equals("after") ? 1 : 0; n > 0; n--) {
      int at = find(value, separator, from);
      if (at < 0) throw noPiece(value);
      from = at + separator.length;
    }
    int end = step.name.equals("after") ? -1 : find(value, separator, from);
    if (end < 0 && step.name.equals("before")) throw noPiece(value);
    return part(value, from, end < 0 ? value.length : end);
  }

  private static Absent noPiece(byte[] value) {
    return new Absent(shown(value) + " has no such piece: give the whole value, as the source has it");
  }

  private static byte[] replace(byte[] value, byte[] what, byte[] by) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int from = 0;
    for (int at = find(value, what, 0); at >= 0; at = find(value, what, from)) {
      out.write(value, from, at - from);
      out.write(by, 0, by.length);
      from = at + what.length;
    }
    out.write(value, from, value.length - from);
    return out.toByteArray();
  }

  private static byte[] cased(byte[] value, char first, int by) {
    byte[] out = value.clone();
    for (int i = 0; i < out.length; i++) {
      if (out[i] >= first && out[i] < first + 26) out[i] += by;
    }
    return out;
  }

  private static byte[] trim(byte[] value) {
    int from = 0, to = value.length;
    while (from < to && " \t\r\n\f\013".indexOf(value[from]) >= 0) from++;
    while (to > from && " \t\r\n\f\013".indexOf(value[to - 1]) >= 0) to--;
    return part(value, from, to);
  }

  private static byte[] padded(byte[] value, int width, byte by) {
    byte[] out = new byte[Math.max(width, value.length)];
    Arrays.fill(out, by);
    System.arraycopy(value, 0, out, out.length - value.length, value.length);
    return out;
  }

  private static byte[] reverseDomain(byte[] value) {
    List<byte[]> pieces = new ArrayList<>();
    int from = 0;
    for (int at = find(value, latin("."), 0); at >= 0; at = find(value, latin("."), from)) {
      pieces.add(0, part(value, from, at));
      from = at + 1;
    }
    byte[] out = part(value, from, value.length);
    for (byte[] one : pieces) out = Bytes.add(out, latin("."), one);
    return out;
  }

  private static byte[] inverted(byte[] value) {
    byte[] out = value.clone();
    for (int i = 0; i < out.length; i++) out[i] = (byte) ~out[i];
    return out;
  }

  private static byte[] hash(String algorithm, byte[] value) {
    try {
      return MessageDigest.getInstance(algorithm).digest(value);
    } catch (NoSuchAlgorithmException e) {
      throw new Refused("this Java has no " + algorithm);
    }
  }

  private static byte[] crc32(byte[] value) {
    CRC32 crc = new CRC32();
    crc.update(value, 0, value.length);
    return bigEndian(crc.getValue(), 4);
  }

  private static long little(byte[] value, int at, int width) {
    long bits = 0;
    for (int i = width; i-- > 0;) bits = bits << 8 | value[at + i] & 0xFF;
    return bits;
  }

  private static int murmurMix(int k) {
    return Integer.rotateLeft(k * 0xCC9E2D51, 15) * 0x1B873593;
  }

  private static byte[] murmur3(byte[] value) {
    int h = 0, whole = value.length / 4 * 4;
    for (int at = 0; at < whole; at += 4) {
      h = Integer.rotateLeft(h ^ murmurMix((int) little(value, at, 4)), 13) * 5 + 0xE6546B64;
    }
    if (whole < value.length) h ^= murmurMix((int) little(value, whole, value.length - whole));
    h ^= value.length;
    h = (h ^ h >>> 16) * 0x85EBCA6B;
    h = (h ^ h >>> 13) * 0xC2B2AE35;
    return bigEndian(h ^ h >>> 16, 4);
  }

  private static final long A = 0x9E3779B185EBCA87L, B = 0xC2B2AE3D27D4EB4FL, C = 0x165667B19E3779F9L,
      D = 0x85EBCA77C2B2AE63L, E = 0x27D4EB2F165667C5L;

  private static long xxhMix(long lane, long piece) {
    return Long.rotateLeft(lane + piece * B, 31) * A;
  }

  private static long xxh64(byte[] value) {
    int at = 0, size = value.length;
    long h = E;
    if (size >= 32) {
      long[] lanes = {A + B, B, 0, -A};
      while (at <= size - 32) {
        for (int lane = 0; lane < 4; lane++, at += 8) lanes[lane] = xxhMix(lanes[lane], little(value, at, 8));
      }
      h = Long.rotateLeft(lanes[0], 1) + Long.rotateLeft(lanes[1], 7) + Long.rotateLeft(lanes[2], 12)
          + Long.rotateLeft(lanes[3], 18);
      for (long lane : lanes) h = (h ^ xxhMix(0, lane)) * A + D;
    }
    h += size;
    for (; at <= size - 8; at += 8) h = Long.rotateLeft(h ^ xxhMix(0, little(value, at, 8)), 27) * A + D;
    for (; at <= size - 4; at += 4) h = Long.rotateLeft(h ^ little(value, at, 4) * A, 23) * B + C;
    for (; at < size; at++) h = Long.rotateLeft(h ^ (value[at] & 0xFF) * E, 11) * A;
    h = (h ^ h >>> 33) * B;
    h = (h ^ h >>> 29) * C;
    return h ^ h >>> 32;
  }

  private static byte[] salt(Step step, byte[] value) {
    long salts = step.number(0, 1);
    return bigEndian(Long.remainderUnsigned(xxh64(value), salts), salts <= 256 ? 1 : 2);
  }
