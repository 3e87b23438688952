  /**
   * Where a value comes from. `kind`: row, column, column_time, family, qualifier, value, time, item, or stored
   * (stored_time): the value behind the steps in its name, which this file cannot repeat.
   */
  private static final class Reference {
    final String kind, name;
    final byte[] family, qualifier;

    Reference(String kind, String name, byte[] family, byte[] qualifier) {
      this.kind = kind;
      this.name = name;
      this.family = family;
      this.qualifier = qualifier;
    }

    boolean isTime() {
      return kind.endsWith("time");
    }
  }

  /** A literal, or a reference with its steps. */
  private static final class Part {
    final Reference reference;
    final Step[] steps;
    final byte[] literal;
    final int minWidth;
    final boolean fixed, terminated, endsItself, readable;
    final byte[][] salts;
    final String text;

    Part(byte[] literal) {
      this(null, new Step[0], literal, literal.length, true, false, true, true, new byte[0][], "");
    }

    Part(Reference reference, Step[] steps, byte[] literal, int minWidth, boolean fixed, boolean terminated,
        boolean endsItself, boolean readable, byte[][] salts, String text) {
      this.reference = reference;
      this.steps = steps;
      this.literal = literal;
      this.minWidth = minWidth;
      this.fixed = fixed;
      this.terminated = terminated;
      this.endsItself = endsItself;
      this.readable = readable;
      this.salts = salts;
      this.text = text;
    }

    boolean isLiteral() {
      return reference == null;
    }

    Type typeAt(int step) {
      return step > 0 ? steps[step - 1].given : reference.isTime() ? Type.TIME : Type.BYTES;
    }

    boolean isNumberAt(int step) {
      return typeAt(step) != Type.BYTES;
    }

    /** -1: there is none. */
    int firstNumber(int begin) {
      for (int at = begin; at < steps.length; at++) {
        if (isNumberAt(at)) return at;
      }
      return -1;
    }

    int firstText(int begin) {
      int at = begin;
      while (at < steps.length && steps[at].name.matches("split|before|after")) at++;
      return at < steps.length && steps[at].name.equals("uuid_text") ? at + 1 : -1;
    }

    boolean beginsAs(Part other, int count) {
      if (isLiteral() || !reference.name.equals(other.reference.name) || steps.length < count || other.steps.length < count) {
        return false;
      }
      for (int i = 0; i < count; i++) {
        if (!steps[i].same(other.steps[i])) return false;
      }
      return true;
    }

    Object run(int begin, int end, Object value) {
      for (int at = begin; at < end; at++) value = apply(steps[at], value);
      return value;
    }

    byte[] encode(int begin, Object value) {
      try {
        return (byte[]) run(begin, steps.length, value);
      } catch (Refused refused) {
        throw new BadPartException(text + ": " + refused.getMessage());
      }
    }

    /** From a value behind `end` steps to one behind `begin`. */
    Inverted invert(int begin, int end, Object value) {
      int worst = EXACT;
      boolean defaulted = false;
      for (int at = end; at-- > begin && worst != NONE;) {
        if (steps[at].name.equals("default")) {
          defaulted = defaulted || sameValue(value, steps[at].arguments[0]);
          continue;
        }
        Inverted one = inverse(steps[at], value);
        value = one.value;
        worst = Math.max(worst, one.inverse);
      }
      Inverted inverted = new Inverted(worst, value);
      inverted.defaulted = defaulted;
      return inverted;
    }

    /** A value that gives these bytes again. */
    Inverted invertBytes(int begin, byte[] given) {
      Inverted inverted = invert(begin, steps.length, given);
      try {
        boolean again = inverted.inverse != NONE && Arrays.equals((byte[]) run(begin, steps.length, inverted.value), given);
        return again ? inverted : NOT_INVERTED;
      } catch (Refused refused) {
        return NOT_INVERTED;
      }
    }

    int invertible(int begin) {
      int worst = EXACT;
      for (int at = steps.length; at-- > begin;) {
        if (worst == GOOD && !steps[at].name.matches("default|from_ms|millis")) return NONE;
        worst = Math.max(worst, steps[at].inverse);
      }
      return worst;
    }

    Order numberOrder(int begin, int end) {
      boolean down = false;
      for (int at = begin; at < end; at++) {
        if (steps[at].order != Order.UP && steps[at].order != Order.DOWN) return Order.UNORDERED;
        down ^= steps[at].order == Order.DOWN;
      }
      return down ? Order.DOWN : Order.UP;
    }

    /** Without checks: a bound need not be a value. */
    byte[] bytesAtBound(int begin, Object value) {
      try {
        for (int at = begin; at < steps.length; at++) {
          Step step = steps[at];
          if (step.name.matches("default|fixed|without")) continue;
          boolean below = step.name.equals("ordered") && step.taken == Type.REAL;
          value = below ? orderedBelow(step, (Long) value) : apply(step, value);
        }
        return (byte[]) value;
      } catch (Refused refused) {
        throw new BadPartException(text + ": " + refused.getMessage());
      }
    }
  }

  private static boolean sameValue(Object a, Object b) {
    return a instanceof byte[] && b instanceof byte[] ? Arrays.equals((byte[]) a, (byte[]) b) : a != null && a.equals(b);
  }

  /** A part of the key as it is given: `steps` of part `part` are taken before. */
  private static final class KeyPart {
    final String name;
    final int part, steps, boundedPart;
    final int width;  // bytes of a stored form that always has as many; -1: any number
    final int[] decides, alike;
    final long units;  // milliseconds of one of its numbers; 0: they are no times

    KeyPart(String name, int part, int steps, int[] decides, long units, int boundedPart, int[] alike, int width) {
      this.name = name;
      this.part = part;
      this.steps = steps;
      this.decides = decides;
      this.units = units;
      this.boundedPart = boundedPart;
      this.alike = alike;
      this.width = width;
    }
  }

  private static final class Column {
    final byte[] family;
    final Part[] qualifier, value;

    Column(byte[] family, Part[] qualifier, Part[] value) {
      this.family = family;
      this.qualifier = qualifier;
      this.value = value;
    }
  }

  /** A table for each period: the template of its name, and the part that gives its time. */
  private static final class Period {
    final Part[] table;
    final Part time;
    final long units, stepMillis;
    final int keyPart;
    final boolean ofTimeAlone;

    Period(Part[] table, Part time, long units, int keyPart, boolean ofTimeAlone, long stepMillis) {
      this.table = table;
      this.time = time;
      this.units = units;
      this.keyPart = keyPart;
      this.ofTimeAlone = ofTimeAlone;
      this.stepMillis = stepMillis;
    }
  }

  /** Columns that `each:` binds: one, or all whose name begins so. */
  private static final class Watched {
    final byte[] family, qualifier;
    final boolean prefix;

    Watched(byte[] family, byte[] qualifier, boolean prefix) {
      this.family = family;
      this.qualifier = qualifier;
      this.prefix = prefix;
    }

    boolean covers(Cell cell) {
      byte[] name = CellUtil.cloneQualifier(cell);
      return Arrays.equals(CellUtil.cloneFamily(cell), family)
          && (prefix ? Bytes.startsWith(name, qualifier) : Arrays.equals(name, qualifier));
    }
  }

  /** Row keys from `start`, inclusive, to `stop`, exclusive; an empty `stop` is the end of the table. */
  public static final class Range {
    public final byte[] start, stop;

    Range(byte[] start, byte[] stop) {
      this.start = start;
      this.stop = stop;
    }

    @Override
    public String toString() {
      return Bytes.toStringBinary(start) + ".." + Bytes.toStringBinary(stop);
    }
  }

  private static byte[] rowAfter(byte[] row) {
    return row.length < 32767 ? Arrays.copyOf(row, row.length + 1) : prefixEnd(row);
  }

  private static byte[] prefixEnd(byte[] prefix) {
    int end = prefix.length;
    while (end > 0 && prefix[end - 1] == -1) end--;
    byte[] out = Arrays.copyOf(prefix, end);
    if (end > 0) out[end - 1]++;
    return out;
  }

  /** The bytes of each part, null where they are not known. Null: the template did not make these bytes. */
  private static byte[][] cut(Part[] template, byte[] given) {
    int front = 0, back = template.length, from = 0, to = given.length;
    byte[][] pieces = new byte[template.length][];
    while (front < back && (template[front].endsItself || front + 1 == template.length)) front++;
    while (back > front + 1 && template[back - 1].fixed) back--;
    for (int at = 0; at < front; at++) {
      int size = sizeInFront(template, at, given, from, to);
      if (size < 0 || size > to - from) return null;
      pieces[at] = part(given, from, from + size);
      from += size;
    }
    for (int at = template.length; at-- > back;) {
      int size = template[at].minWidth;
      if (size > to - from) return null;
      pieces[at] = part(given, to - size, to);
      to -= size;
    }
    if (back == front + 1) {
      pieces[front] = part(given, from, to);
    } else if (front == back && from < to) {
      return null;
    }
    for (int at = 0; at < template.length; at++) {
      if (template[at].isLiteral() && pieces[at] != null && !Arrays.equals(pieces[at], template[at].literal)) return null;
    }
    return pieces;
  }

  private static int sizeInFront(Part[] template, int at, byte[] given, int from, int to) {
    if (template[at].fixed) return template[at].minWidth;
    if (template[at].terminated) {
      for (int end = from; end + 1 < to; end++) {
        if (given[end] != 0) continue;
        if (given[end + 1] == 0) return end + 2 - from;
        end++;
      }
      return -1;
    }
    if (at + 1 == template.length) return to - from;
    for (int end = from; end < to; end++) {
      if (given[end] == template[at + 1].literal[0]) return end - from;
    }
    return -1;
  }

  /** Salts, each with its length in two bytes in front. */
  private static byte[][] salts(String joined) {
    byte[] bytes = latin(joined);
    List<byte[]> salts = new ArrayList<>();
    for (int at = 0; at < bytes.length;) {
      int begin = at + 2;
      at = begin + ((bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF);
      salts.add(part(bytes, begin, at));
    }
    return salts.toArray(new byte[0][]);
  }
