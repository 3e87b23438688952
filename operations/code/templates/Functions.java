  private static long whole(byte[] value) {
    String text = new String(value, StandardCharsets.ISO_8859_1);
    if (!text.matches("(?s)(-|\\+)?[0-9]+")) throw new Refused(shown(value) + " is not a whole number");
    return check(new BigInteger(text.startsWith("+") ? text.substring(1) : text), "does not fit 64 bits");
  }

  private static long floor(long number, long unit) {
    try {
      return Math.multiplyExact(Math.floorDiv(number, unit), unit);
    } catch (ArithmeticException e) {
      throw new Refused(number + " is out of range");
    }
  }

  private static final Map<String, Long> MILLIS = new HashMap<>();

  static {
    MILLIS.put("from_s", 1000L);
    MILLIS.put("from_us", 1000L);
    MILLIS.put("from_ns", 1000000L);
    MILLIS.put("from_days", 86400000L);
    MILLIS.put("seconds", 1000L);
    MILLIS.put("floor_hour", 3600000L);
    MILLIS.put("floor_day", 86400000L);
  }

  /** The unit of a step that divides or multiplies. */
  private static long unit(Step step) {
    return MILLIS.containsKey(step.name) ? MILLIS.get(step.name) : step.number(0, 1);
  }

  private static Object apply(Step step, Object value) {
    return value instanceof Long ? (Object) ofNumber(step, (Long) value) : ofBytes(step, (byte[]) value);
  }

  private static Object ofNumber(Step step, long n) {
    try {
      switch (step.name) {
        case "default": case "from_ms": case "millis": return n;
        case "add": return Math.addExact(n, step.number(0, 0));
        case "sub": return Math.subtractExact(n, step.number(0, 0));
        case "mul": case "from_s": case "from_days": return Math.multiplyExact(n, unit(step));
        case "div": case "seconds": case "from_us": case "from_ns": return Math.floorDiv(n, unit(step));
        case "mod": return Math.floorMod(n, step.number(0, 1));
        case "floor": case "floor_hour": case "floor_day": return floor(n, unit(step));
        case "to_be": return toBe(step, n);
        case "ordered": return ordered(step, n);
        case "decimal": return decimal(step, n);
        case "time": return time(step, n);
        case "descending":
          if (n < 0) throw new Refused(n + " is negative");
          return Long.MAX_VALUE - n;
        case "to_f64": return realBytes(real(n), 8);
        case "to_f32":
          if ((float) real(n) != real(n)) throw new Refused(real(n) + " is not a number of 32 bits");
          return realBytes(real(n), 4);
        default: throw new IllegalStateException(step.name);
      }
    } catch (ArithmeticException e) {
      throw new Refused(n + " leaves the 64-bit range");
    }
  }

  private static Object ofBytes(Step step, byte[] v) {
    if (step.readsNumber()) return readNumber(step, v);
    switch (step.name) {
      case "default": return v;
      case "first": return part(v, 0, step.number(0, 0));
      case "last": return part(v, Math.max(0, v.length - step.number(0, 0)), v.length);
      case "slice": return part(v, step.number(0, 0), step.number(1, v.length));
      case "split": case "before": case "after": return piece(step, v);
      case "lower": return cased(v, 'A', 'a' - 'A');
      case "upper": return cased(v, 'a', 'A' - 'a');
      case "trim": return trim(v);
      case "replace": return replace(v, step.bytes(0), step.bytes(1));
      case "pad": return padded(v, (int) step.number(0, 0), step.bytes(1)[0]);
      case "fixed": return ofWidth(v, step.number(0, 0));
      case "reverse": return reversed(v);
      case "reverse_domain": return reverseDomain(v);
      case "terminated": return terminated(v);
      case "without":
        if (find(v, step.bytes(0), 0) >= 0) throw new Refused(shown(v) + " contains " + shown(step.bytes(0)));
        return v;
      case "int": return whole(v);
      case "hex": return hex(v);
      case "invert": return inverted(v);
      case "parse_time": return parse(step, v);
      case "iso_time": return isoTime(step, v);
      case "md5": return hash("MD5", v);
      case "sha1": return hash("SHA-1", v);
      case "sha256": return hash("SHA-256", v);
      case "crc32": return crc32(v);
      case "murmur3": return murmur3(v);
      case "xxh64": return bigEndian(xxh64(v), 8);
      case "salt": return salt(step, v);
      case "uuid": return uuid(v);
      case "uuid_text": return uuidText(v);
      default: throw new IllegalStateException(step.name);
    }
  }

  /** A value that may have given a result. `inverse`: how exact that is. */
  private static final class Inverted {
    final int inverse;
    final Object value;
    boolean defaulted;

    Inverted(int inverse, Object value) {
      this.inverse = value == null ? NONE : inverse;
      this.value = value;
    }
  }

  private static final Inverted NOT_INVERTED = new Inverted(NONE, null);

  private static Inverted inverse(Step step, Object value) {
    try {
      return value instanceof Long ? invertNumber(step, (Long) value) : invertBytes(step, (byte[]) value);
    } catch (ArithmeticException | Refused e) {
      return NOT_INVERTED;
    }
  }

  private static Inverted invertNumber(Step step, long n) {
    if (step.readsNumber()) return new Inverted(EXACT, unreadNumber(step, n));
    switch (step.name) {
      case "default": case "from_ms": case "millis": return new Inverted(EXACT, n);
      case "int": return new Inverted(GOOD, latin(Long.toString(n)));
      case "add": return new Inverted(EXACT, Math.subtractExact(n, step.number(0, 0)));
      case "sub": return new Inverted(EXACT, Math.addExact(n, step.number(0, 0)));
      case "mul":
        long factor = step.number(0, 0);
        if (factor == 0 || (factor == -1 && n == Long.MIN_VALUE) || n % factor != 0) return NOT_INVERTED;
        return new Inverted(EXACT, n / factor);
      case "from_s": case "from_days": return n % unit(step) != 0 ? NOT_INVERTED : new Inverted(EXACT, n / unit(step));
      case "div": case "seconds": case "from_us": case "from_ns":
        BigInteger begin = BigInteger.valueOf(n).multiply(BigInteger.valueOf(unit(step)));
        return begin.bitLength() > 63 && n >= 0 ? NOT_INVERTED
            : new Inverted(GOOD, begin.bitLength() > 63 ? (Object) Long.MIN_VALUE : begin.longValue());
      case "floor": case "floor_hour": case "floor_day": return new Inverted(GOOD, n);
      case "descending": return n < 0 ? NOT_INVERTED : new Inverted(EXACT, Long.MAX_VALUE - n);
      case "parse_time":
        boolean[] has = Form.fields(step.form());
        return new Inverted(has[FIELDS.indexOf('j')] || has[FIELDS.indexOf('y')] ? GOOD : EXACT, unparse(step, n));
      case "iso_time": return new Inverted(GOOD, formatTime("%Y-%m-%dT%H:%M:%S.%LZ", n));
      default: return NOT_INVERTED;
    }
  }

  private static Inverted invertBytes(Step step, byte[] v) {
    switch (step.name) {
      case "default": case "fixed": case "without": return new Inverted(EXACT, v);
      case "first": return new Inverted(v.length < step.number(0, 0) ? EXACT : GOOD, v);
      case "slice":
        if (step.arguments.length < 2 || step.number(0, 0) != 0) return NOT_INVERTED;
        return new Inverted(v.length < step.number(1, 0) ? EXACT : GOOD, v);
      case "lower": return new Inverted(Arrays.equals(v, cased(v, 'a', -1)) ? EXACT : GOOD, v);
      case "upper": return new Inverted(Arrays.equals(v, cased(v, 'A', 1)) ? EXACT : GOOD, v);
      case "trim": return new Inverted(GOOD, v);
      case "pad": return unpad(step, v);
      case "reverse": return new Inverted(EXACT, reversed(v));
      case "reverse_domain": return new Inverted(EXACT, reverseDomain(v));
      case "terminated": return new Inverted(EXACT, unterminated(v));
      case "hex": return new Inverted(EXACT, unhex(v));
      case "invert": return new Inverted(EXACT, inverted(v));
      case "decimal": return new Inverted(EXACT, whole(v));
      case "to_be": return v.length > 8 ? NOT_INVERTED : new Inverted(EXACT, bits(v));
      case "ordered": return new Inverted(EXACT, unordered(step, v));
      case "time": return new Inverted(step.inverse, untime(step, v));
      case "to_f64": case "to_f32":
        if (v.length != (step.name.equals("to_f64") ? 8 : 4) || Double.isNaN(realIn(v))) return NOT_INVERTED;
        return new Inverted(EXACT, rank(realIn(v)));
      case "uuid": return new Inverted(GOOD, uuidText(v));
      case "uuid_text": return new Inverted(EXACT, uuid(v));
      default: return NOT_INVERTED;
    }
  }

  private static Inverted unpad(Step step, byte[] v) {
    if (step.inverse == EXACT) {  // zeros in front of the digits of a number
      int zeros = 0;
      while (zeros + 1 < v.length && v[zeros] == '0') zeros++;
      return new Inverted(EXACT, part(v, zeros, v.length));
    }
    boolean filled = v.length == step.number(0, 0) && v.length > 0 && v[0] == step.bytes(1)[0];
    return new Inverted(filled ? GOOD : EXACT, v);
  }
