  private static long millis(Instant moment) {
    try {
      long millis = moment.toEpochMilli();  // the first whole millisecond at or after it
      return moment.getNano() % 1000000 == 0 ? millis : Math.addExact(millis, 1);
    } catch (ArithmeticException e) {
      throw new BadPartException(moment + " does not fit 64 bits in milliseconds: give a time nearer to 1970");
    }
  }

  /** Of a part, which has no time between two milliseconds. */
  private static long wholeMillis(String name, Instant moment) {
    if (moment.getNano() % 1000000 == 0) return millis(moment);
    throw new BadPartException("<" + name + "> counts milliseconds, and " + moment + " lies between two of them: give a whole millisecond");
  }

  private static byte[] text(Object value) {
    if (value instanceof String) return ((String) value).getBytes(StandardCharsets.UTF_8);
    if (value instanceof byte[]) return (byte[]) value;
    if (value instanceof Long || value instanceof Integer) return latin(value.toString());
    throw new BadPartException(shown(value) + " is neither text, nor bytes, nor a whole number, nor a time");
  }

  private static int compare(Object a, Object b) {
    return a instanceof Long ? ((Long) a).compareTo((Long) b) : Bytes.compareTo((byte[]) a, (byte[]) b);
  }

  private enum Placement { INSIDE, OUTSIDE, UNSURE }

  /** Compared with the result of the first `step` steps of a part: a number, or bytes. */
  private static final class Bound {
    final int step;
    final Object value;
    final boolean isStart;

    Bound(int step, Object value, boolean isStart) {
      this.step = step;
      this.value = value;
      this.isStart = isStart;
    }

    /** Is what lies there on the inner side? */
    boolean inside(Object at) {
      return (compare(at, value) >= 0) == isStart;
    }
  }

  /** Two bounds of one part: `start` inclusive, `stop` exclusive, null: no bound. */
  private static final class Bounds {
    final Part part;
    final int typedAt;
    final long units;
    final List<Bound> both = new ArrayList<>();
    final Bound start, stop;

    Bounds(Part part, int typedAt, Object start, Object stop, long units) {
      this.part = part;
      this.typedAt = typedAt;
      this.units = units;
      this.start = start == null ? null : read(start, true);
      this.stop = stop == null ? null : read(stop, false);
      if (start != null) both.add(this.start);
      if (stop != null) both.add(this.stop);
      checkOrder(start, stop);
    }

    private Bound read(Object value, boolean isStart) {
      int end = part.steps.length, numberAt = part.firstNumber(typedAt);
      if (numberAt < 0 && part.isNumberAt(end)) numberAt = end;
      if (numberAt < 0) return readText(value, isStart);
      int timeAt = numberAt;
      while (timeAt <= end && part.typeAt(timeAt) != Type.TIME) timeAt++;
      boolean isTime = timeAt <= end;
      if (part.typeAt(numberAt) == Type.REAL) {
        if (!(value instanceof Number) || Double.isNaN(((Number) value).doubleValue())) {
          throw new BadPartException(shown(value) + " is not a number: " + part.text + " is bounded by numbers like 19.9");
        }
        return new Bound(numberAt, rankGiven(part.steps[numberAt - 1], (Number) value), isStart);
      }
      if (value instanceof Instant) {
        long unit = isTime || units == 0 ? 1 : units;
        return new Bound(isTime ? timeAt : numberAt, divideUp(millis((Instant) value), unit), isStart);
      }
      if (value instanceof Long || value instanceof Integer) return new Bound(numberAt, ((Number) value).longValue(), isStart);
      throw new BadPartException(shown(value) + " is no bound of " + part.text + ": give a whole number, or an Instant");
    }

    private Bound readText(Object value, boolean isStart) {
      if (value instanceof Number) {
        throw new BadPartException(shown(value) + " is no bound of " + part.text + ": its values sort as text, so give a String or byte[]");
      }
      if (part.reference.kind.equals("stored") && !(value instanceof byte[])) {
        throw new BadPartException(shown(value) + " is no bound of " + part.text + ": a bound of a stored form is byte[], what "
            + part.reference.name + " gives");
      }
      byte[] text = text(value);
      int at = part.firstText(typedAt);
      if (at < 0) return new Bound(typedAt, text, isStart);
      try {
        return new Bound(at, uuidText(uuid(text)), isStart);
      } catch (Refused refused) {
        return new Bound(at, text, isStart);  // the beginning of one
      }
    }

    private Object forward(int begin, int end, Object value) {
      try {
        return part.run(begin, end, value);
      } catch (Refused refused) {
        return null;
      }
    }

    private void checkOrder(Object from, Object to) {
      if (start == null || stop == null) return;
      int step = Math.max(start.step, stop.step);
      Object first = forward(start.step, step, start.value), last = forward(stop.step, step, stop.value);
      if (first == null || last == null) {
        throw new BadPartException(shown(from) + " and " + shown(to) + " cannot be compared: " + part.text + " has no such value");
      }
      if (compare(first, last) > 0 && part.numberOrder(Math.min(start.step, stop.step), step) == Order.UP) {
        throw new BadPartException("start " + shown(from) + " lies behind stop " + shown(to) + ": exchange them");
      }
    }

    boolean empty() {
      if (stop != null && sameValue(stop.value, stop.value instanceof Long ? (Object) Long.MIN_VALUE : new byte[0])) {
        return true;  // nothing lies below the least number or the empty text
      }
      return start != null && stop != null && start.step == stop.step && compare(start.value, stop.value) >= 0;
    }

    boolean include(Object value) {
      for (Bound bound : both) {
        Object at = forward(typedAt, bound.step, value);
        if (at == null || !bound.inside(at)) return false;
      }
      return true;
    }

    Placement judge(Numbers numbers, int numberAt) {
      Placement worst = Placement.INSIDE;
      for (Bound bound : both) {
        Placement one = judgeEnd(numbers, numberAt, bound);
        if (one == Placement.OUTSIDE) return one;
        if (one == Placement.UNSURE) worst = one;
      }
      return worst;
    }

    private Placement judgeEnd(Numbers numbers, int numberAt, Bound bound) {
      Object first = forward(numberAt, bound.step, numbers.least), last = forward(numberAt, bound.step, numbers.most);
      if (first == null || last == null || bound.inside(first) != bound.inside(last)) return Placement.UNSURE;
      if (!sameValue(first, last) && part.numberOrder(numberAt, bound.step) == Order.UNORDERED) return Placement.UNSURE;
      return bound.inside(first) ? Placement.INSIDE : Placement.OUTSIDE;
    }
  }

  /** Bytes of a part: from `low` on to `high`, null: to the last. */
  private static final class Interval {
    byte[] low = new byte[0], high;
    boolean withHigh, withoutLow;

    boolean holds(byte[] value) {
      int above = Bytes.compareTo(value, low);
      if (above < 0 || (withoutLow && above == 0)) return false;
      int below = high == null ? -1 : Bytes.compareTo(value, high);
      return below < 0 || (withHigh && below == 0);
    }
  }

  /** The bytes of the values from `first` to `last` (numbers: inclusive, bytes: exclusive). Null: in any order. */
  private static List<Interval> intervalsOf(Part part, int begin, Object first, Object last) {
    if (part.isNumberAt(begin)) return ofNumbers(part, begin, (Long) first, (Long) last);
    for (int at = begin; at < part.steps.length; at++) {
      if (part.steps[at].order != Order.UP) return null;
    }
    Interval interval = new Interval();
    if (first != null) interval.low = part.bytesAtBound(begin, first);
    if (last != null) {
      interval.high = part.bytesAtBound(begin, last);
      interval.withHigh = sharedFromBelow(part, begin, (byte[]) last, interval.high);
    }
    if (part.fixed && interval.high != null && interval.high.length > part.minWidth) {
      interval.high = part(interval.high, 0, part.minWidth);
      interval.withHigh = true;
    }
    if (part.fixed && interval.low.length > part.minWidth) {
      interval.low = part(interval.low, 0, part.minWidth);
      interval.withoutLow = true;
    }
    return new ArrayList<>(Collections.singletonList(interval));
  }

  /** Where something is cut off, values below the bound may have its bytes. */
  private static boolean sharedFromBelow(Part part, int begin, byte[] bound, byte[] bytes) {
    try {
      return bound.length > 0 && Arrays.equals(part.bytesAtBound(begin, part(bound, 0, bound.length - 1)), bytes);
    } catch (BadPartException e) {
      return false;
    }
  }

  private static List<Interval> ofNumbers(Part part, int begin, Long first, Long last) {
    int writer = begin;
    while (writer < part.steps.length && part.isNumberAt(writer + 1)) writer++;
    Order direction = part.numberOrder(begin, writer);
    if (direction == Order.UNORDERED) return null;
    try {
      Long low = first == null ? null : (Long) part.run(begin, writer, first);
      Long high = last == null ? null : (Long) part.run(begin, writer, last);
      return direction == Order.DOWN ? written(part, writer, high, low) : written(part, writer, low, high);
    } catch (Refused refused) {
      throw new BadPartException(part.text + ": " + refused.getMessage());
    }
  }

  /** Through the step that makes bytes of the numbers, and what follows it. */
  private static List<Interval> written(Part part, int writer, Long first, Long last) {
    Step step = part.steps[writer];
    int follows = writer + 1;
    if (step.name.equals("decimal") && step.arguments.length == 0) {
      boolean pads = follows < part.steps.length && part.steps[follows].name.equals("pad") && part.steps[follows].bytes(1)[0] == '0';
      long width = pads ? part.steps[follows].number(0, 0) : 0;
      for (Long number : new Long[] {first, last}) {
        if (number == null || number < 0 || Long.toString(number).length() > width) return null;
      }
      follows++;
    }
    for (int at = follows; at < part.steps.length; at++) {
      if (part.steps[at].order != Order.UP) return null;
    }
    if (step.order == Order.UNORDERED || step.order == Order.DOWN) return null;
    List<Interval> intervals = new ArrayList<>();
    if (step.order == Order.UP) {
      intervals.add(interval(part, writer, first, last));
      return intervals;
    }
    if (last == null || last >= 0) {
      intervals.add(interval(part, writer, Math.max(first == null ? 0 : first, 0), last == null ? Long.MAX_VALUE : last));
    }
    if (first == null ? step.order == Order.SIGNED : first < 0) {
      intervals.add(interval(part, writer, first == null ? Long.MIN_VALUE : first, last == null ? -1L : Math.min(last, -1)));
    }
    return intervals;
  }

  /** Are the bytes of this bound those of a number before it? */
  private static boolean liesBelow(Part part, int writer, Long low) {
    Step step = part.steps[writer];
    if (!step.name.equals("ordered") || step.taken != Type.REAL || part.invertible(writer + 1) != EXACT) return false;
    try {
      part.run(writer, writer + 1, low);
      return false;
    } catch (Refused refused) {
      return true;
    }
  }

  private static Interval interval(Part part, int writer, Long low, Long high) {
    Interval interval = new Interval();
    if (low != null) {
      interval.low = part.bytesAtBound(writer, low);
      interval.withoutLow = liesBelow(part, writer, low);
    }
    if (high != null) interval.high = part.bytesAtBound(writer, high);
    interval.withHigh = true;
    return interval;
  }

  /** What lies in both of two halves. */
  private static List<Interval> common(List<Interval> one, List<Interval> other) {
    List<Interval> both = new ArrayList<>();
    for (Interval a : one) {
      for (Interval b : other) {
        Interval c = new Interval();
        boolean later = Bytes.compareTo(a.low, b.low) >= 0;
        c.low = later ? a.low : b.low;
        c.withoutLow = later ? a.withoutLow || (Arrays.equals(a.low, b.low) && b.withoutLow) : b.withoutLow;
        boolean sooner = a.high != null && (b.high == null || Bytes.compareTo(a.high, b.high) < 0);
        c.high = sooner ? a.high : b.high;
        c.withHigh = sooner ? a.withHigh : b.withHigh;
        if (a.high != null && b.high != null && Arrays.equals(a.high, b.high)) c.withHigh = a.withHigh && b.withHigh;
        if (c.high == null || Bytes.compareTo(c.low, c.high) <= 0) both.add(c);
      }
    }
    return both;
  }

  /** Which bytes of one part of the row key are between two bounds. */
  private static final class PartBounds {
    final Part part;
    final Bounds bounds;
    final boolean exact;
    final boolean inOrder;  // false: a default, or a number that is too long for its pad, may lie in the intervals
    final List<Interval> intervals;  // null: any may be

    PartBounds(Part part, Bounds bounds) {
      this.part = part;
      this.bounds = bounds;
      boolean all = true, ordered = true;
      for (Bound bound : bounds.both) {
        all = all && part.invertible(bound.step) == EXACT;
        for (int at = bound.step; at < part.steps.length; at++) {
          ordered = ordered && !part.steps[at].name.equals("default") && !part.steps[at].name.equals("pad");
        }
      }
      exact = all;
      inOrder = ordered;
      intervals = bounds.empty() ? new ArrayList<Interval>() : between();
    }

    boolean tells() {
      return exact || intervals != null;
    }

    private List<Interval> between() {
      Bound start = bounds.start, stop = bounds.stop;
      Object first = start == null ? null : start.value, last = stop == null ? null : stop.value;
      if (last instanceof Long && (Long) last > Long.MIN_VALUE) last = (Long) last - 1;
      if (start == null || stop == null || start.step == stop.step) {
        return intervalsOf(part, start != null ? start.step : stop.step, first, last);
      }
      List<Interval> above = intervalsOf(part, start.step, first, null), below = intervalsOf(part, stop.step, null, last);
      return above == null || below == null ? null : common(above, below);
    }

    Placement judge(byte[] value) {
      boolean held = intervals == null;
      for (int i = 0; !held && i < intervals.size(); i++) held = intervals.get(i).holds(value);
      if (!held) return Placement.OUTSIDE;
      Placement worst = Placement.INSIDE;
      for (Bound bound : bounds.both) {
        Inverted inverted = part.invertBytes(bound.step, value);
        if (inverted.inverse == EXACT && !bound.inside(inverted.value)) return Placement.OUTSIDE;
        if (inverted.inverse == NONE && part.invertible(bound.step) != NONE) return Placement.OUTSIDE;
        if (inverted.inverse != EXACT) worst = Placement.UNSURE;
      }
      return worst;
    }
  }

  private static byte[] stopOf(int at, byte[] prefix, Interval interval) {
    if (interval.high == null) return prefixEnd(prefix);
    byte[] exclusive = Bytes.add(prefix, interval.high);
    if (at + 1 < ROW.length && !ROW[at].fixed && !ROW[at].terminated) return stopBehindShorter(at, prefix, interval.high);
    if (!interval.withHigh) return exclusive;
    return at + 1 == ROW.length ? rowAfter(exclusive) : prefixEnd(exclusive);
  }

  /** A key may go on behind a part that is a beginning of the bound. */
  private static byte[] stopBehindShorter(int at, byte[] prefix, byte[] high) {
    int least = Math.min(ROW[at].minWidth, high.length);
    byte[] separator = ROW[at + 1].literal;
    if (separator.length == 0) return prefixEnd(Bytes.add(prefix, part(high, 0, least)));
    for (int end = least; end < high.length; end++) {
      if ((separator[0] & 0xFF) >= (high[end] & 0xFF)) {
        return prefixEnd(Bytes.add(prefix, part(high, 0, end), part(separator, 0, 1)));
      }
    }
    return prefixEnd(Bytes.add(prefix, high));
  }

  private static List<Range> merged(List<Range> ranges) {
    List<Range> sorted = new ArrayList<>(ranges), merged = new ArrayList<>();
    sorted.sort((a, b) -> Bytes.compareTo(a.start, b.start));
    for (Range one : sorted) {
      if (one.stop.length > 0 && Bytes.compareTo(one.stop, one.start) <= 0) continue;
      Range last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
      if (last == null || (last.stop.length > 0 && Bytes.compareTo(last.stop, one.start) <= 0)) {
        merged.add(one);
      } else if (one.stop.length == 0 || (last.stop.length > 0 && Bytes.compareTo(last.stop, one.stop) < 0)) {
        merged.set(merged.size() - 1, new Range(last.start, one.stop));
      }
    }
    return merged;
  }
