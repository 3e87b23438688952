  /** Numbers that agree with what a cell shows: from `least` to `most`, and after each `cycle` again. */
  private static final class Numbers {
    final long least, most, cycle;

    Numbers(long least, long most, long cycle) {
      this.least = least;
      this.most = most;
      this.cycle = cycle;
    }
  }

  private static long divideUp(long number, long by) {
    return -Math.floorDiv(Math.negateExact(number), by);
  }

  /** Through a step that gives one number for several. Null: unknown. */
  private static Numbers spread(Step step, Object value, Numbers n) {
    long unit = unit(step);
    switch (step.name) {
      case "mod": return n.cycle != 0 || Math.subtractExact(n.most, n.least) >= unit ? null : new Numbers(n.least, n.most, unit);
      case "mul": case "from_s": case "from_days": return throughProduct(unit, n);
      case "div": case "seconds": case "from_us": case "from_ns":
        return within(big(n.least).multiply(big(unit)), big(n.most).multiply(big(unit)).add(big(unit - 1)), Math.multiplyExact(n.cycle, unit));
      case "floor": case "floor_hour": case "floor_day":
        long least = n.least, most = n.most;
        if (n.cycle % unit == 0) {
          least = Math.multiplyExact(divideUp(least, unit), unit);
          most = Math.multiplyExact(Math.floorDiv(most, unit), unit);
          if (least > most) return null;
        }
        return within(big(least), big(most).add(big(unit - 1)), n.cycle);
      default: return spreadOfText(step, (byte[]) value);
    }
  }

  /** Within 64 bits. A cut end would be wrong after the cycle. */
  private static Numbers within(BigInteger least, BigInteger most, long cycle) {
    BigInteger lowest = cycle == 0 ? least.max(big(Long.MIN_VALUE)) : least, highest = cycle == 0 ? most.min(big(Long.MAX_VALUE)) : most;
    return lowest.compareTo(highest) <= 0 ? new Numbers(lowest.longValueExact(), highest.longValueExact(), cycle) : null;
  }

  private static Numbers throughProduct(long factor, Numbers n) {
    if (factor == 0 || factor == Long.MIN_VALUE) return null;
    long least = factor < 0 ? Math.negateExact(n.most) : n.least, most = factor < 0 ? Math.negateExact(n.least) : n.most;
    long by = Math.abs(factor);
    if (n.cycle % by != 0) return null;
    least = divideUp(least, by);
    most = Math.floorDiv(most, by);
    return least <= most ? new Numbers(least, most, n.cycle / by) : null;
  }

  private static Numbers spreadOfText(Step step, byte[] value) {
    Long local = parseTime(step.form(), value);
    if (local == null || step.bytes(1) != null) return null;
    boolean[] has = Form.fields(step.form());
    int first = has[0] ? 0 : 3;
    while (first < UNITS.length && !has[first]) first++;
    if (first == UNITS.length || (has[0] && (has[7] || has[8]))) return null;
    int end = first;
    while (end < UNITS.length && has[end]) end++;
    long least = local - step.number(1, 0) * 60000;
    return new Numbers(least, least + UNITS[end - 1] - 1, has[0] ? 0 : UNITS[first - 1]);
  }

  private static final String SPREADS = "mod|mul|div|floor|from_s|from_us|from_ns|from_days|seconds|floor_hour|floor_day|time";

  private static Numbers numbersThatGive(Part part, int begin, byte[] bytes) {
    Object value = bytes;
    Numbers numbers = null;
    try {
      for (int at = part.steps.length; at-- > begin;) {
        Step step = part.steps[at];
        if (step.name.equals("default")) return null;
        if (step.name.matches(SPREADS)) {
          numbers = spread(step, value, numbers == null ? new Numbers(0, 0, 0) : numbers);
          if (numbers == null) return null;
        } else if (numbers != null) {
          numbers = part.isNumberAt(at) ? oneByOne(step, numbers) : null;
          if (numbers == null) return null;
        } else {
          Inverted one = inverse(step, value);
          if (one.inverse != EXACT) return null;
          value = one.value;
          if (part.isNumberAt(at)) numbers = new Numbers((Long) value, (Long) value, 0);
        }
      }
    } catch (ArithmeticException e) {
      return null;
    }
    return numbers;
  }

  private static Numbers oneByOne(Step step, Numbers n) {
    Inverted first = inverse(step, n.least), last = inverse(step, n.most), next = inverse(step, Math.addExact(n.least, n.cycle));
    if (first.inverse != EXACT || last.inverse != EXACT || next.inverse != EXACT) return null;
    long a = (Long) first.value, b = (Long) last.value;
    return new Numbers(Math.min(a, b), Math.max(a, b), Math.abs(Math.subtractExact((Long) next.value, a)));
  }

  private static BigInteger big(long number) {
    return BigInteger.valueOf(number);
  }

  private static BigInteger floorBig(BigInteger number, long by) {
    BigInteger[] parts = number.divideAndRemainder(big(by));
    return parts[1].signum() < 0 ? parts[0].subtract(BigInteger.ONE) : parts[0];
  }

  private static Numbers inAll(List<Numbers> several) {
    long least = Long.MIN_VALUE, most = Long.MAX_VALUE;
    boolean any = false;
    for (Numbers n : several) {
      if (n.cycle != 0) continue;
      any = true;
      least = Math.max(least, n.least);
      most = Math.min(most, n.most);
    }
    if (!any || least > most) return null;
    for (int round = 0; round < several.size(); round++) {
      for (Numbers n : several) {
        if (n.cycle == 0) continue;
        BigInteger first = big(n.least).subtract(floorBig(big(n.most).subtract(big(least)), n.cycle).multiply(big(n.cycle)));
        BigInteger last = big(n.most).add(floorBig(big(most).subtract(big(n.least)), n.cycle).multiply(big(n.cycle)));
        if (first.compareTo(big(most)) > 0 || last.compareTo(big(least)) < 0) return null;
        least = first.max(big(least)).longValue();
        most = last.min(big(most)).longValue();
      }
    }
    return new Numbers(least, most, 0);
  }

  /** A source value in a cell. `exact`: no other value gives this cell. */
  public static final class Known {
    public final String name;
    public final byte[] value;
    public final boolean exact;

    Known(String name, byte[] value, boolean exact) {
      this.name = name;
      this.value = value;
      this.exact = exact;
    }
  }

  /** A part of a cell's templates, and the bytes that it made. */
  private static final class Made {
    final Part part;
    final byte[] bytes;

    Made(Part part, byte[] bytes) {
      this.part = part;
      this.bytes = bytes;
    }
  }

  /** Reads the templates of one cell backwards. */
  private static final class Decoder {
    final List<Made> made = new ArrayList<>();

    boolean add(Part[] template, byte[] value) {
      byte[][] pieces = cut(template, value);
      if (pieces == null) return false;
      for (int at = 0; at < template.length; at++) {
        if (!template[at].isLiteral() && pieces[at] != null) made.add(new Made(template[at], pieces[at]));
      }
      return true;
    }

    /** Null: two parts contradict each other, so the templates did not make these bytes. */
    Map<String, Known> known() {
      Map<String, Known> known = new LinkedHashMap<>();
      for (Made one : made) {
        KeyPart keyPart = named(one.part);
        int steps = keyPart == null ? 0 : keyPart.steps;
        String name = keyPart == null ? one.part.reference.name : keyPart.name;
        Inverted found = one.part.invertBytes(steps, one.bytes);
        boolean exact = found.inverse == EXACT && !found.defaulted;
        if (!exact) {
          Inverted together = together(one.part, steps);
          if (together.inverse != NONE) {
            found = together;
            exact = together.inverse == EXACT && !together.defaulted;
          }
        }
        if (found.inverse == NONE) continue;
        if (givesAll(one.part, steps, found.value)) {
          byte[] value = found.value instanceof Long ? latin(found.value.toString()) : (byte[]) found.value;
          if (!known.containsKey(name) || (exact && !known.get(name).exact)) known.put(name, new Known(name, value, exact));
        } else if (exact) {
          return null;
        }
      }
      return known;
    }

    Numbers numbersOf(Part part, int numberAt) {
      List<Numbers> several = new ArrayList<>();
      for (Made one : made) {
        Numbers numbers = one.part.beginsAs(part, numberAt) ? numbersThatGive(one.part, numberAt, one.bytes) : null;
        if (numbers != null) several.add(numbers);
      }
      return inAll(several);
    }

    private static KeyPart named(Part part) {
      for (KeyPart keyPart : KEY) {
        if (part.beginsAs(ROW[keyPart.part], keyPart.steps)) return keyPart;
      }
      return null;
    }

    /** One part holds the hour, another what is left of it. */
    private Inverted together(Part part, int steps) {
      int numberAt = part.firstNumber(steps);
      Numbers numbers = numberAt < 0 ? null : numbersOf(part, numberAt);
      if (numbers == null) return NOT_INVERTED;
      Inverted inverted = part.invert(steps, numberAt, numbers.least);
      if (numbers.least != numbers.most) inverted.defaulted = true;  // one of several
      return inverted;
    }

    private boolean givesAll(Part candidate, int steps, Object value) {
      for (Made one : made) {
        if (!one.part.beginsAs(candidate, steps)) continue;
        try {
          if (!Arrays.equals((byte[]) one.part.run(steps, one.part.steps.length, value), one.bytes)) return false;
        } catch (Refused refused) {
          return false;
        }
      }
      return true;
    }
  }
