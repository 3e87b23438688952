  private static List<Object> given(Object... parts) {
    List<Object> given = new ArrayList<>();
    for (Object part : parts) {
      if (part != null && given.size() < parts.length && given.contains(null)) {
        throw new BadPartException("a part is given behind one that is left out: give all in front of it, too");
      }
      given.add(part);
    }
    while (!given.isEmpty() && given.get(given.size() - 1) == null) given.remove(given.size() - 1);
    return given;
  }

  private static byte[] encode(Object... parts) {
    Prefixes prefixes = new Prefixes(piecesOf(Arrays.asList(parts)));
    if (prefixes.open == ROW.length && prefixes.keys.size() == 1) return prefixes.keys.get(0);
    throw new BadPartException("these parts do not determine one row key of " + NAME + ": read with prefix()");
  }

  /**
   * The source values in a row key, by name, as far as it tells them. Where several values give this key (7 and +07, all
   * times of an hour), it is one of them.
   */
  public static Map<String, Object> decodeKey(byte[] key) {
    List<Decoder> decoders = decoders(key, null);
    Map<String, Known> known = decoders == null ? null : decoders.get(0).known();
    if (known == null) {
      throw new NotAKeyException(shown(key) + " is no row key of index " + NAME + ": check that it comes from table " + TABLE);
    }
    Map<String, Object> values = new LinkedHashMap<>();
    for (Known one : known.values()) values.put(one.name, valueOf(one));
    return values;
  }
