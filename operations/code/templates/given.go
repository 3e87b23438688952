func piecesOf(given []any) ([][]byte, error) {
	pieces := make([][]byte, len(rowTemplate))
	for at, one := range rowTemplate {
		if one.isLiteral() {
			pieces[at] = one.literal
		}
	}
	for i, value := range given {
		key := &keyParts[i]
		typed, err := typedValue(key, value)
		if err != nil {
			return nil, err
		}
		for _, at := range key.decides {
			if pieces[at], err = rowTemplate[at].encode(key.steps, typed); err != nil {
				return nil, err
			}
		}
	}
	return pieces, nil
}

// typedValue is the value behind the part's first steps, of what an application gives.
func typedValue(key *keyPart, given any) (any, error) {
	value, err := plain(given)
	if err != nil {
		return nil, badPart("<%s>: %v", key.name, err)
	}
	if at, ok := value.(time.Time); ok && at.Nanosecond()%1000000 != 0 {
		return nil, badPart("<%s>: %s has a fraction of a millisecond: give a whole one, as Truncate(time.Millisecond) does", key.name,
			shown(value))
	}
	one := rowTemplate[key.part]
	s := one.stepAt(key.steps)
	if one.typeAt(key.steps) == typeTime {
		switch given := value.(type) {
		case time.Time:
			return moment(given), nil
		case int64:
			return given, nil
		}
		return nil, badPart("<%s> is a time: give a time.Time or milliseconds, not %s", key.name, shown(value))
	}
	if one.reference.isStored() {
		form, err := storedForm("<"+key.name+">", value)
		if err == nil && key.width >= 0 && len(form) != key.width {
			return nil, badPart("<%s> is a stored form of %d bytes, not of %d: give all of them, or use Between for all that begin alike, not %s",
				key.name, key.width, len(form), shown(value))
		}
		return form, err
	}
	if at, ok := value.(time.Time); ok {
		if value, err = numberOfTime(key, one, at); err != nil {
			return nil, err
		}
	}
	if s != nil && s.readsNumber() {
		switch given := value.(type) {
		case int64, float64:
			return bytesOfNumber(key.name, s, given)
		case string:
			return nil, badPart("<%s> is read by %s: give a number or bytes, not %q", key.name, s.name, given)
		}
	}
	if text, ok := value.(string); ok && s != nil && s.name == "uuid_text" {
		id, err := uuidOf([]byte(text))
		if err != nil {
			return nil, badPart("<%s>: %v", key.name, err)
		}
		return id, nil
	}
	text, err := textOf(value)
	if err != nil {
		return nil, badPart("<%s>: %v", key.name, err)
	}
	return text, nil
}

func numberOfTime(key *keyPart, one *part, at time.Time) (any, error) {
	since := moment(at)
	if key.units == 0 || one.firstNumber(key.steps) != key.steps+1 {
		return nil, badPart("<%s> is no time that this file can write: give the value as the source has it", key.name)
	}
	if since%key.units != 0 {
		return nil, badPart("<%s> counts units of %d ms, and %s lies between two of them: give a whole one", key.name, key.units,
			shown(at))
	}
	number := since / key.units
	if one.steps[key.steps].readsNumber() {
		return number, nil
	}
	return strconv.FormatInt(number, 10), nil
}

func bytesOfNumber(name string, s *step, value any) (any, error) {
	number, fits := value.(int64)
	if s.given == typeReal {
		real, ok := value.(float64)
		if !ok {
			real = float64(number)
		}
		number, fits = rankGiven(s, real), true
	}
	if fits {
		if before := invert(s, number); before.how != inverseNone {
			if again, err := apply(s, before.value); err == nil && again == any(number) {
				return before.value, nil
			}
		}
	}
	return nil, badPart("<%s> is read by %s, and %s does not fit: give a number in its range", name, s.name, shown(value))
}

// prefixes are what the known pieces determine: for each its salt, and the first part that is not in them.
type prefixes struct {
	keys  [][]byte
	salts [][]byte
	open  int
}

func prefixesOf(pieces [][]byte) *prefixes {
	const mostPrefixes = 4096
	found, leading := &prefixes{keys: [][]byte{{}}, salts: [][]byte{{}}}, true
	for ; found.open < len(rowTemplate); found.open++ {
		choices := rowTemplate[found.open].salts
		leading = leading && len(choices) > 0
		if pieces[found.open] != nil {
			choices = [][]byte{pieces[found.open]}
		}
		if len(choices) == 0 || len(choices)*len(found.keys) > mostPrefixes {
			return found
		}
		keys, salts := [][]byte{}, [][]byte{}
		for i, key := range found.keys {
			for _, choice := range choices {
				keys = append(keys, join(key, choice))
				if leading {
					salts = append(salts, join(found.salts[i], choice))
				} else {
					salts = append(salts, found.salts[i])
				}
			}
		}
		found.keys, found.salts = keys, salts
	}
	return found
}

func tablesBetween(start, stop any) ([]string, error) {
	if period == nil {
		return []string{Table}, nil
	}
	if start == nil || stop == nil {
		return nil, badPart("the index has a table per period: give start and stop, each as a time.Time or a number")
	}
	if !period.ofTimeAlone {
		return nil, badPart("the table's name has more parts than the time: name its tables yourself")
	}
	read, err := newBounds(period.time, 0, start, stop, period.units)
	if err != nil || read.empty() {
		return nil, err
	}
	ends, end := []int64{}, len(period.time.steps)
	for _, one := range read.both {
		if period.time.numberOrder(one.step, end) == orderUnordered {
			return nil, badPart("the table's name does not keep the order of its times: bounds do not tell its tables")
		}
		at := one.value.(int64)
		if !one.isStart {
			at--
		}
		value, err := period.time.run(one.step, end, at)
		if err != nil {
			return nil, badPart("%s: %v", period.time.description, err)
		}
		ends = append(ends, value.(int64))
	}
	return tablesFrom(least(ends[0], ends[1]), most(ends[0], ends[1]))
}

func tablesFrom(at, last int64) ([]string, error) {
	const mostTables, mostSteps = 10000, 20000000
	if floorDivide(last, period.stepMillis)-floorDivide(at, period.stepMillis) > mostSteps {
		return nil, badPart("the bounds are too far apart: ask for a shorter time")
	}
	tables, named := []string{}, map[string]bool{}
	for {
		if name := tableAt(at); name != "" && !named[name] {
			named[name] = true
			tables = append(tables, name)
		}
		if len(tables) > mostTables {
			return nil, badPart("there can be more than 10,000 tables between the bounds: ask for a shorter time")
		}
		if at == last {
			return tables, nil
		}
		step := period.stepMillis
		if clocksChange(at) {
			step = least(step, 1000)
		}
		if last-at <= step {
			at = last
		} else {
			at += step
		}
	}
}

// clocksChange: a zone of the table's name sets its clocks before the next step.
func clocksChange(at int64) bool {
	for _, one := range period.table {
		for i := range one.steps {
			s := &one.steps[i]
			if s.name == "time" && s.text(1) != nil && zoneOffset(s, at) != zoneOffset(s, at+period.stepMillis) {
				return true
			}
		}
	}
	return false
}

// tableAt is empty if there is no such table.
func tableAt(millis int64) string {
	name := []byte{}
	for _, one := range period.table {
		if one.isLiteral() {
			name = append(name, one.literal...)
			continue
		}
		made, err := one.run(len(period.time.steps), len(one.steps), millis)
		if err != nil {
			return ""
		}
		name = append(name, made.([]byte)...)
	}
	return string(name)
}

// decodersOf gives what reads the key, and for each column that may have written the cell that too. False: it is no key.
func decodersOf(row []byte, cell *Cell) (*decoder, []*decoder, bool) {
	key := &decoder{}
	if !key.add(rowTemplate, row) {
		return nil, nil, false
	}
	decoders := []*decoder{}
	for i := range columnTemplates {
		one, column := &decoder{made: append([]made{}, key.made...)}, &columnTemplates[i]
		if cell != nil && column.family == string(cell.Family) && one.add(column.qualifier, cell.Qualifier) &&
			one.add(column.value, cell.Value) {
			decoders = append(decoders, one)
		}
	}
	return key, decoders, true
}

// knownIn has nothing if the row is no key of this index.
func knownIn(row []byte, cell *Cell) map[string]known {
	key, decoders, ok := decodersOf(row, cell)
	if !ok {
		return nil
	}
	var both map[string]known
	for _, one := range decoders {
		found, ok := one.known()
		if !ok {
			continue
		}
		if both == nil {
			both = found
			continue
		}
		both = knownInBoth(both, found)
	}
	if both == nil {
		both, _ = key.known()
	}
	return both
}

func knownInBoth(one, other map[string]known) map[string]known {
	both := map[string]known{}
	for name, a := range one {
		if b, ok := other[name]; ok && bytes.Equal(a.value, b.value) {
			both[name] = known{a.value, a.exact && b.exact}
		}
	}
	return both
}

func numberIn(p *part, numberAt int, row []byte, cell *Cell) *numbers {
	_, decoders, _ := decodersOf(row, cell)
	var both *numbers
	for _, one := range decoders {
		found := one.numbersOf(p, numberAt)
		if found == nil {
			return nil
		}
		if both == nil {
			both = found
			continue
		}
		both = &numbers{least(both.from, found.from), most(both.to, found.to), 0}
	}
	return both
}

func valuesOf(all map[string]known) map[string]Value {
	values := map[string]Value{}
	for name, one := range all {
		values[name] = Value{dataOf(name, one.value), one.value, one.exact}
	}
	return values
}

// dataOf is a number if the source has one in bytes.
func dataOf(name string, value []byte) any {
	p, steps := readerOf(name)
	if p == nil {
		return value
	}
	if p.typeAt(steps) == typeTime {
		if number, err := whole(value); err == nil {
			return number
		}
		return value
	}
	read, err := apply(&p.steps[steps], value)
	if err != nil {
		return value
	}
	if p.steps[steps].given == typeReal {
		return realOf(read.(int64))
	}
	return read
}

// readerOf is the part and its step that reads the value as a number; nil: none does.
func readerOf(name string) (*part, int) {
	reads := func(p *part, steps int) bool {
		return p.typeAt(steps) == typeTime || (steps < len(p.steps) && p.steps[steps].readsNumber())
	}
	for i := range keyParts {
		if key := &keyParts[i]; key.name == name {
			if reads(rowTemplate[key.part], key.steps) {
				return rowTemplate[key.part], key.steps
			}
			return nil, 0
		}
	}
	for _, column := range columnTemplates {
		for _, template := range [][]*part{column.qualifier, column.value} {
			for _, one := range template {
				if !one.isLiteral() && one.reference.name == name && reads(one, 0) {
					return one, 0
				}
			}
		}
	}
	return nil, 0
}
