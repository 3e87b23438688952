// Cell is one of a row of the index table, as a client of HBase gives it.
type Cell struct {
	Family    []byte
	Qualifier []byte
	Value     []byte
}

// Value is a value of the source, as far as a cell tells it.
type Value struct {
	// Data is an int64 or a float64 if the source has a number in bytes, else []byte.
	Data any
	// Bytes are those of the source. A timestamp is given in digits.
	Bytes []byte
	// Exact: no other value gives this cell. If not (7 and +07, all times of an hour), it is one of several.
	Exact bool
}

// String is the value as text.
func (v Value) String() string {
	if text, ok := v.Data.([]byte); ok {
		return string(text)
	}
	return fmt.Sprint(v.Data)
}

// Entry is an index cell with the source values that it was made of, by their names in the mapping file.
type Entry struct {
	Row    []byte
	Cell   Cell
	Values map[string]Value
}

// Lane has the ranges of one salt. The keys of all lanes are in one order if the salts are cut off.
type Lane struct {
	Salt   []byte
	Ranges []Range
}

// Query says which tables and ranges to scan, and which of their cells match. Prefix and Between make it. Several goroutines
// may use it at once.
type Query struct {
	// Tables are in the order of their periods. It is one, if the index has no table for each period.
	Tables []string
	// Ranges are all, in the order of their keys.
	Ranges []Range
	// Lanes are the same ranges for each salt: one lane, if there is none.
	Lanes []Lane
	// Exact: every cell in the ranges matches. If not, there may be others, which Matches leaves out.
	Exact bool

	given    int
	pieces   [][]byte
	prefixes *prefixes
	bounded  *part
	bounds   *bounds
	typedAt  int
	judged   int // -1: no part
	judge    *partBounds
	scanned  []interval // nil: all
}

func newQuery(given []any, start, stop any) (*Query, error) {
	if err := loadZones(); err != nil {
		return nil, err
	}
	q := &Query{given: len(given), judged: -1}
	var err error
	if q.pieces, err = piecesOf(given); err != nil {
		return nil, err
	}
	q.prefixes = prefixesOf(q.pieces)
	if start != nil || stop != nil {
		if err := q.bound(start, stop); err != nil {
			return nil, err
		}
	}
	for at, one := range rowTemplate {
		if !one.isLiteral() && q.pieces[at] != nil && !one.readable {
			return nil, noBorders(one)
		}
	}
	if q.Tables, err = tablesBetween(start, stop); err != nil {
		return nil, err
	}
	all := []Range{}
	if q.bounds == nil || !q.bounds.empty() {
		q.addLanes()
		for _, lane := range q.Lanes {
			all = append(all, lane.Ranges...)
		}
	}
	q.Ranges = mergedRanges(all)
	q.Exact = q.suffices()
	return q, nil
}

func noBorders(p *part) error {
	return badPart("where %s begins and ends cannot be told from the row keys", p.description)
}

func (q *Query) bound(start, stop any) error {
	if period == nil {
		if q.given == len(keyParts) {
			return badPart("all parts are given: nothing is left between start and stop")
		}
		return q.boundPart(&keyParts[q.given], start, stop)
	}
	if period.keyPart >= 0 {
		err := q.boundPart(&keyParts[period.keyPart], start, stop)
		if err == nil {
			return nil
		}
		q.judged, q.judge, q.scanned = -1, nil, nil
	}
	var err error
	q.bounded, q.typedAt = period.time, 0
	q.bounds, err = newBounds(period.time, 0, start, stop, period.units)
	return err
}

func (q *Query) boundPart(key *keyPart, start, stop any) error {
	q.typedAt, q.bounded = key.steps, rowTemplate[key.boundedPart]
	fault := badPart("%s neither keeps the order of its values nor can be read back: bounds say nothing",
		rowTemplate[key.part].description)
	told := false
	for _, at := range key.decides {
		one := rowTemplate[at]
		if !key.isAlike(at) {
			if one.invertible(key.steps) != inverseExact {
				continue
			}
		} else if tells, err := q.boundAlike(key, at, start, stop); err != nil {
			return err
		} else if !tells {
			continue
		}
		if !one.readable {
			fault = noBorders(one)
		}
		told = told || one.readable
	}
	if !told {
		return fault
	}
	if q.judged >= 0 {
		q.bounded = rowTemplate[q.judged]
	}
	var err error
	q.bounds, err = newBounds(q.bounded, q.typedAt, start, stop, key.units)
	return err
}

// boundAlike is of a part that reads the bounds as the one that is given does. False: they say nothing of its bytes.
func (q *Query) boundAlike(key *keyPart, at int, start, stop any) (bool, error) {
	read, err := newBounds(rowTemplate[at], key.steps, start, stop, key.units)
	if err != nil {
		return false, err
	}
	one, err := newPartBounds(rowTemplate[at], read)
	if err != nil || !one.tells() {
		return false, err
	}
	if at == q.prefixes.open {
		q.scanned = one.intervals
	}
	if rowTemplate[at].readable && (q.judge == nil || (one.exact && !q.judge.exact)) {
		q.judged, q.judge = at, one
	}
	return true, nil
}

func (q *Query) addLanes() {
	bySalt := map[string][]Range{}
	for i, key := range q.prefixes.keys {
		salt := string(q.prefixes.salts[i])
		bySalt[salt] = append(bySalt[salt], q.rangesOf(key)...)
	}
	for salt, ranges := range bySalt {
		q.Lanes = append(q.Lanes, Lane{[]byte(salt), mergedRanges(ranges)})
	}
	sort.Slice(q.Lanes, func(i, j int) bool { return bytes.Compare(q.Lanes[i].Salt, q.Lanes[j].Salt) < 0 })
}

func (q *Query) rangesOf(prefix []byte) []Range {
	if q.prefixes.open == len(rowTemplate) {
		return []Range{{prefix, rowAfter(prefix)}}
	}
	if q.scanned == nil {
		return []Range{{prefix, prefixEnd(prefix)}}
	}
	ranges := []Range{}
	for i := range q.scanned {
		one := &q.scanned[i]
		low := join(prefix, one.low)
		if one.withoutLow {
			if low = prefixEnd(low); len(low) == 0 {
				continue // no key lies behind bytes that are all FF
			}
		}
		ranges = append(ranges, Range{low, stopOf(q.prefixes.open, prefix, one)})
	}
	return ranges
}

func (q *Query) suffices() bool {
	open := q.prefixes.open
	for at, one := range rowTemplate {
		if one.isLiteral() || q.pieces[at] == nil {
			continue
		}
		if at >= open || (!one.endsItself && open < len(rowTemplate)) {
			return false
		}
	}
	if q.bounds == nil {
		return true
	}
	if q.judged != open || q.scanned == nil || !q.judge.exact || !q.judge.inOrder {
		return false
	}
	return open+1 == len(rowTemplate) || rowTemplate[open].fixed || rowTemplate[open].terminated
}

func (q *Query) judgeRow(row []byte) placement {
	if q.given == 0 && q.bounds == nil {
		return placedInside
	}
	found, ok := cut(rowTemplate, row)
	if !ok {
		return placedOutside
	}
	for at, one := range rowTemplate {
		wanted := q.pieces[at]
		if !one.isLiteral() && wanted != nil && (found[at] == nil || !bytes.Equal(wanted, found[at])) {
			return placedOutside
		}
	}
	switch {
	case q.judge != nil:
		return q.judge.judge(found[q.judged])
	case q.bounds != nil:
		return placedUnsure
	}
	return placedInside
}

// valueIn is nil if the cell does not tell it exactly.
func (q *Query) valueIn(all map[string]known) any {
	found, ok := all[q.bounded.reference.name]
	if !ok || !found.exact {
		return nil
	}
	var given any = found.value
	if q.bounded.reference.isTime() {
		number, err := whole(found.value)
		if err != nil {
			return nil
		}
		given = number
	}
	value, err := q.bounded.run(0, q.typedAt, given)
	if err != nil {
		return nil
	}
	return value
}

func (q *Query) includes(row []byte, cell *Cell, all map[string]known, ofRows map[string]bool) bool {
	if value := q.valueIn(all); value != nil {
		return q.bounds.include(value)
	}
	if numberAt := q.bounded.firstNumber(q.typedAt); numberAt >= 0 {
		if found := numberIn(q.bounded, numberAt, row, cell); found != nil {
			if placed := q.bounds.judge(found, numberAt); placed != placedUnsure {
				return placed == placedInside
			}
		}
	}
	source, ok := all["row"]
	if !ok || !source.exact {
		return true
	}
	included, told := ofRows[string(source.value)]
	return included || !told
}

// Matches gives the entries of one index row that were asked for. The cells are all cells of the row.
func (q *Query) Matches(row []byte, cells []Cell) []Entry {
	placed := q.judgeRow(row)
	if placed == placedOutside || len(cells) == 0 {
		return nil
	}
	all := make([]map[string]known, len(cells))
	for i := range cells {
		all[i] = knownIn(row, &cells[i])
	}
	ofRows := map[string]bool{}
	if placed == placedUnsure && strings.HasPrefix(q.bounded.reference.kind, "column") {
		for _, one := range all {
			value := q.valueIn(one)
			source, ok := one["row"]
			if _, told := ofRows[string(source.value)]; value != nil && ok && source.exact && !told {
				ofRows[string(source.value)] = q.bounds.include(value)
			}
		}
	}
	entries := []Entry{}
	for i := range cells {
		if placed == placedInside || q.includes(row, &cells[i], all[i], ofRows) {
			entries = append(entries, Entry{row, cells[i], valuesOf(all[i])})
		}
	}
	return entries
}
