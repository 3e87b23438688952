  // Times as text, with the few fields that keys need.

  private static final String FIELDS = "YmdHMSLjy";
  private static final int[] WIDTHS = {4, 2, 2, 2, 2, 2, 3, 3, 2};
  private static final long[] LEASTS = {0, 1, 1, 0, 0, 0, 0, 1, 0};
  private static final long[] MOSTS = {9999, 12, 31, 23, 59, 59, 999, 366, 99};
  private static final long[] UNITS = {366 * 86400000L, 31 * 86400000L, 86400000, 3600000, 60000, 1000, 1};
  private static final long YEAR_0 = -62167219200000L, YEAR_10000 = 253402300800000L;

  /** Takes the elements of a format one by one: a field's number, or -1 with a character. */
  private static final class Form {
    final String form;
    int at = 0, field;
    char literal;

    Form(String form) {
      this.form = form;
    }

    boolean next() {
      if (at >= form.length()) return false;
      boolean isField = form.charAt(at) == '%' && at + 1 < form.length() && form.charAt(at + 1) != '%';
      if (form.charAt(at) == '%') at++;
      literal = at < form.length() ? form.charAt(at) : '%';
      field = isField ? FIELDS.indexOf(literal) : -1;
      at++;
      return true;
    }

    static boolean[] fields(String text) {
      boolean[] has = new boolean[FIELDS.length()];
      for (Form form = new Form(text); form.next();) {
        if (form.field >= 0) has[form.field] = true;
      }
      return has;
    }
  }

  private static byte[] formatTime(String text, long millis) {
    if (millis < YEAR_0 || millis >= YEAR_10000) throw new Refused(millis + " ms are outside the years 0 to 9999");
    long rest = Math.floorMod(millis, 86400000L);
    LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(millis, 86400000L));
    long[] values = {date.getYear(), date.getMonthValue(), date.getDayOfMonth(), rest / 3600000, rest / 60000 % 60,
        rest / 1000 % 60, rest % 1000, date.getDayOfYear(), date.getYear() % 100};
    StringBuilder out = new StringBuilder();
    for (Form form = new Form(text); form.next();) {
      if (form.field < 0) {
        out.append(form.literal);
      } else {
        out.append(String.format(Locale.ROOT, "%0" + WIDTHS[form.field] + "d", values[form.field]));
      }
    }
    return latin(out.toString());
  }

  /** Null: the text is not written so. */
  private static Long parseTime(String text, byte[] value) {
    long[] values = {1970, 1, 1, 0, 0, 0, 0, 0, 0};
    int at = 0;
    for (Form form = new Form(text); form.next();) {
      int width = form.field < 0 ? 1 : WIDTHS[form.field];
      if (at + width > value.length) return null;
      if (form.field < 0 && (value[at] & 0xFF) != form.literal) return null;
      if (form.field >= 0) {
        values[form.field] = 0;
        for (int i = at; i < at + width; i++) {
          if (value[i] < '0' || value[i] > '9') return null;
          values[form.field] = values[form.field] * 10 + value[i] - '0';
        }
        if (values[form.field] < LEASTS[form.field] || values[form.field] > MOSTS[form.field]) return null;
      }
      at += width;
    }
    if (at != value.length) return null;
    try {
      long day = LocalDate.of((int) values[0], (int) values[1], (int) values[2]).toEpochDay();
      return (((day * 24 + values[3]) * 60 + values[4]) * 60 + values[5]) * 1000 + values[6];
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** Milliseconds east of UTC. A zone is minutes, or a name whose clocks Java knows. */
  private static long offset(Step step, int argument, long millis) {
    byte[] name = step.bytes(argument);
    if (name == null) return step.number(argument, 0) * 60000;
    return 1000L * ZoneId.of(new String(name, StandardCharsets.UTF_8)).getRules()
        .getOffset(Instant.ofEpochMilli(millis)).getTotalSeconds();
  }

  /** When clocks there show this; null: never, because they were set forward over it. */
  private static Long instant(Step step, int argument, long local) {
    long a = offset(step, argument, local - 86400000), b = offset(step, argument, local + 86400000);
    for (long offset : new long[] {Math.max(a, b), Math.min(a, b)}) {
      if (offset(step, argument, local - offset) == offset) return local - offset;
    }
    return null;
  }

  private static byte[] time(Step step, long millis) {
    try {
      return formatTime(step.form(), Math.addExact(millis, offset(step, 1, millis)));
    } catch (ArithmeticException e) {
      throw new Refused(millis + " ms are out of range");
    }
  }

  private static Long untime(Step step, byte[] value) {
    Long local = step.inverse == NONE ? null : parseTime(step.form(), value);
    return local == null ? null : (Long) (local - step.number(1, 0) * 60000);
  }

  private static long parse(Step step, byte[] value) {
    Long local = parseTime(step.form(), value);
    Long instant = local == null ? null : instant(step, 1, local);
    if (instant == null) {
      throw new Refused(shown(value) + " is not a time like " + step.form() + ", or one that no clock showed");
    }
    return instant;
  }

  private static byte[] unparse(Step step, long millis) {
    try {
      long local = Math.addExact(millis, offset(step, 1, millis));
      byte[] value = formatTime(step.form(), local);
      Long instant = instant(step, 1, local);
      return instant != null && instant == millis ? value : null;
    } catch (Refused | ArithmeticException e) {
      return null;
    }
  }

  private static final Pattern ISO = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d)(?:[Tt ](\\d\\d:\\d\\d)(?:(:\\d\\d)(?:[.,](\\d+))?)?"
      + "(?:([Zz])|([+-])(\\d\\d)(?:(:?)(\\d\\d)(:\\d\\d)?)?)?(\\[[^\\]]*\\])?)?", Pattern.DOTALL);

  private static Long clock(String form, String text, String absent) {
    return parseTime(form, latin(text == null ? absent : text));
  }

  private static long isoTime(Step step, byte[] value) {
    Refused refused = new Refused(shown(value) + " is not a time like 2016-12-19T13:29:42.074+08:00");
    Matcher found = ISO.matcher(new String(value, StandardCharsets.ISO_8859_1));
    if (!found.matches()) throw refused;
    boolean utc = found.group(5) != null, sign = found.group(6) != null;
    Long[] read = {clock("%Y-%m-%d", found.group(1), ""), clock("%H:%M", found.group(2), "00:00"),
        clock(":%S", found.group(3), ":00"), clock("%H", found.group(7), "00"), clock("%M", found.group(9), "00"),
        clock(":%S", found.group(10), ":00")};
    for (Long one : read) {
      if (one == null) throw refused;
    }
    long east = read[3] + read[4] + read[5], local = read[0] + read[1] + read[2];
    boolean colon = found.group(8) != null && !found.group(8).isEmpty();
    if (east > 18 * 3600000 || (found.group(10) != null && !colon) || (found.group(11) != null && !utc && !sign)) throw refused;
    String part = found.group(4) == null ? "0" : found.group(4);
    local += Long.parseLong((part + "00").substring(0, 3));
    if (utc || sign || step.arguments.length == 0) return local - ("-".equals(found.group(6)) ? -east : east);
    Long instant = instant(step, 0, local);
    if (instant == null) throw refused;
    return instant;
  }
