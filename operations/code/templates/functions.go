// unitOf is of a step that divides or multiplies.
func unitOf(s *step) int64 {
	switch s.name {
	case "from_s", "from_us", "seconds":
		return 1000
	case "from_ns":
		return 1000000
	case "from_days", "floor_day":
		return 86400000
	case "floor_hour":
		return 3600000
	}
	return s.number(0, 1)
}

func apply(s *step, value any) (any, error) {
	if number, ok := value.(int64); ok {
		return applyToNumber(s, number)
	}
	given := value.([]byte)
	if s.readsNumber() {
		return readNumber(s, given)
	}
	switch s.name {
	case "int":
		return numberOrError(whole(given))
	case "parse_time":
		return numberOrError(parsedTime(s, given))
	case "iso_time":
		return numberOrError(isoTime(s, given))
	}
	out, err := applyToBytes(s, given)
	if err != nil {
		return nil, err
	}
	return out, nil
}

func numberOrError(number int64, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return number, nil
}

func exactly(n int64, result int64, fits bool) (any, error) {
	if !fits {
		return nil, refused("%d leaves the 64-bit range", n)
	}
	return result, nil
}

func applyToNumber(s *step, n int64) (any, error) {
	var out []byte
	var err error
	switch s.name {
	case "default", "from_ms", "millis":
		return n, nil
	case "add":
		sum, ok := addExact(n, s.number(0, 0))
		return exactly(n, sum, ok)
	case "sub":
		difference, ok := subtractExact(n, s.number(0, 0))
		return exactly(n, difference, ok)
	case "mul", "from_s", "from_days":
		product, ok := multiplyExact(n, unitOf(s))
		return exactly(n, product, ok)
	case "div", "seconds", "from_us", "from_ns":
		return floorDivide(n, unitOf(s)), nil
	case "mod":
		return floorModulo(n, s.number(0, 1)), nil
	case "floor", "floor_hour", "floor_day":
		product, ok := multiplyExact(floorDivide(n, unitOf(s)), unitOf(s))
		return exactly(n, product, ok)
	case "descending":
		if n < 0 {
			return nil, refused("%d is negative", n)
		}
		return math.MaxInt64 - n, nil
	case "to_be":
		out, err = toBe(s, n)
	case "ordered":
		out, err = ordered(s, n)
	case "decimal":
		out, err = decimal(s, n)
	case "time":
		out, err = timeText(s, n)
	case "to_f64":
		out = realBytes(realOf(n), 8)
	default: // to_f32
		if real := realOf(n); float64(float32(real)) != real {
			return nil, refused("%v is not a number of 32 bits", real)
		}
		out = realBytes(realOf(n), 4)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

func applyToBytes(s *step, v []byte) ([]byte, error) {
	switch s.name {
	case "first":
		return slice(v, 0, s.number(0, 0)), nil
	case "last":
		return slice(v, most(0, int64(len(v))-s.number(0, 0)), int64(len(v))), nil
	case "slice":
		return slice(v, s.number(0, 0), s.number(1, int64(len(v)))), nil
	case "split":
		return splitAt(s, v)
	case "before", "after":
		return besideSeparator(s, v)
	case "lower":
		return cased(v, 'A', 'a'-'A'), nil
	case "upper":
		return cased(v, 'a', 'A'-'a'), nil
	case "trim":
		return bytes.Trim(v, " \t\r\n\v\f"), nil
	case "replace":
		return bytes.ReplaceAll(v, s.text(0), s.text(1)), nil
	case "pad":
		return padded(v, int(s.number(0, 0)), s.text(1)[0]), nil
	case "fixed":
		return ofWidth(v, s.number(0, 0))
	case "reverse":
		return reversed(v), nil
	case "reverse_domain":
		return reversedDomain(v), nil
	case "terminated":
		return terminated(v), nil
	case "without":
		return without(s, v)
	case "hex":
		return []byte(hex.EncodeToString(v)), nil
	case "invert":
		return flipped(v), nil
	case "salt":
		return salt(s, v), nil
	case "uuid":
		return uuidOf(v)
	case "uuid_text":
		return uuidText(v)
	case "default":
		return v, nil
	}
	return hashed(s, v), nil
}

func hashed(s *step, v []byte) []byte {
	switch s.name {
	case "md5":
		sum := md5.Sum(v)
		return sum[:]
	case "sha1":
		sum := sha1.Sum(v)
		return sum[:]
	case "sha256":
		sum := sha256.Sum256(v)
		return sum[:]
	case "crc32":
		return bigEndian(uint64(crc32.ChecksumIEEE(v)), 4)
	case "murmur3":
		return murmur3(v)
	}
	return bigEndian(xxh64(v), 8) // xxh64
}

// inverted is a value that may have given a result, and how exact that is. defaulted: it may be the one of `default`.
type inverted struct {
	how       exactness
	value     any
	defaulted bool
}

var notInverted = inverted{how: inverseNone}

func invert(s *step, value any) inverted {
	if number, ok := value.(int64); ok {
		return invertNumber(s, number)
	}
	return invertBytes(s, value.([]byte))
}

func invertedIf(ok bool, how exactness, value any) inverted {
	if !ok {
		return notInverted
	}
	return inverted{how: how, value: value}
}

func invertNumber(s *step, n int64) inverted {
	if s.readsNumber() {
		return unreadNumber(s, n)
	}
	switch s.name {
	case "default", "from_ms", "millis":
		return inverted{how: inverseExact, value: n}
	case "int":
		return inverted{how: inverseGood, value: []byte(strconv.FormatInt(n, 10))}
	case "add":
		difference, ok := subtractExact(n, s.number(0, 0))
		return invertedIf(ok, inverseExact, difference)
	case "sub":
		sum, ok := addExact(n, s.number(0, 0))
		return invertedIf(ok, inverseExact, sum)
	case "mul":
		factor := s.number(0, 0)
		if factor == 0 || (factor == -1 && n == math.MinInt64) || n%factor != 0 {
			return notInverted
		}
		return inverted{how: inverseExact, value: n / factor}
	case "from_s", "from_days":
		return invertedIf(n%unitOf(s) == 0, inverseExact, n/unitOf(s))
	case "div", "seconds", "from_us", "from_ns":
		begin, ok := multiplyExact(n, unitOf(s))
		if !ok && n < 0 { // the lowest of all numbers lies in its unit
			begin, ok = math.MinInt64, true
		}
		return invertedIf(ok, inverseGood, begin)
	case "floor", "floor_hour", "floor_day":
		return inverted{how: inverseGood, value: n}
	case "descending":
		return invertedIf(n >= 0, inverseExact, math.MaxInt64-n)
	case "parse_time":
		return unparsedTime(s, n)
	case "iso_time":
		value, err := formatTime([]byte("%Y-%m-%dT%H:%M:%S.%LZ"), n)
		return invertedIf(err == nil, inverseGood, value)
	}
	return notInverted
}

func invertBytes(s *step, v []byte) inverted {
	switch s.name {
	case "default", "fixed", "without":
		return inverted{how: inverseExact, value: v}
	case "first":
		return uncut(v, s.number(0, 0))
	case "slice":
		if len(s.arguments) < 2 || s.number(0, 0) != 0 {
			return notInverted
		}
		return uncut(v, s.number(1, 0))
	case "lower":
		return goodUnlessSame(v, cased(v, 'a', -1))
	case "upper":
		return goodUnlessSame(v, cased(v, 'A', 1))
	case "trim":
		return inverted{how: inverseGood, value: v}
	case "pad":
		return unpadded(s, v)
	case "reverse":
		return inverted{how: inverseExact, value: reversed(v)}
	case "reverse_domain":
		return inverted{how: inverseExact, value: reversedDomain(v)}
	case "terminated":
		return unterminated(v)
	case "hex":
		value, err := hex.DecodeString(string(v))
		return invertedIf(err == nil, inverseExact, value)
	case "invert":
		return inverted{how: inverseExact, value: flipped(v)}
	case "decimal":
		number, err := whole(v)
		return invertedIf(err == nil, inverseExact, number)
	case "to_be":
		return invertedIf(len(v) <= 8, inverseExact, int64(bitsOf(v)))
	case "ordered":
		return unordered(s, v)
	case "time":
		return unTimeText(s, v)
	case "to_f64", "to_f32":
		width := map[string]int{"to_f64": 8, "to_f32": 4}[s.name]
		if len(v) != width || math.IsNaN(realIn(v)) {
			return notInverted
		}
		return inverted{how: inverseExact, value: rankOf(realIn(v))}
	case "uuid":
		value, err := uuidText(v)
		return invertedIf(err == nil, inverseGood, value)
	case "uuid_text":
		value, err := uuidOf(v)
		return invertedIf(err == nil, inverseExact, value)
	}
	return notInverted
}

func uncut(value []byte, size int64) inverted {
	if int64(len(value)) < size {
		return inverted{how: inverseExact, value: value}
	}
	return inverted{how: inverseGood, value: value}
}

func goodUnlessSame(value, other []byte) inverted {
	if bytes.Equal(value, other) {
		return inverted{how: inverseExact, value: value}
	}
	return inverted{how: inverseGood, value: value}
}
