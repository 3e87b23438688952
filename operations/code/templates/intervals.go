// interval has bytes of a part: from low on to high, nil: to the last.
type interval struct {
	low        []byte
	high       []byte
	withHigh   bool
	withoutLow bool
}

func (i *interval) holds(value []byte) bool {
	above := bytes.Compare(value, i.low)
	if above < 0 || (i.withoutLow && above == 0) {
		return false
	}
	if i.high == nil {
		return true
	}
	below := bytes.Compare(value, i.high)
	return below < 0 || (i.withHigh && below == 0)
}

// intervalsOf gives the bytes of the values from first to last (numbers: inclusive, bytes: exclusive; nil: no bound).
// Nil: they are in any order.
func intervalsOf(p *part, begin int, first, last any) ([]interval, error) {
	if p.isNumberAt(begin) {
		return intervalsOfNumbers(p, begin, first, last)
	}
	if !p.keepsOrder(begin) {
		return nil, nil
	}
	one, err := boundedInterval(p, begin, first, last, false)
	if err != nil {
		return nil, err
	}
	if last != nil {
		one.withHigh = sharedFromBelow(p, begin, last.([]byte), one.high)
	}
	if p.fixed && len(one.high) > p.minWidth {
		one.high, one.withHigh = one.high[:p.minWidth:p.minWidth], true
	}
	if p.fixed && len(one.low) > p.minWidth {
		one.low, one.withoutLow = one.low[:p.minWidth:p.minWidth], true
	}
	return []interval{one}, nil
}

// sharedFromBelow: where something is cut off, values below the bound may have its bytes.
func sharedFromBelow(p *part, begin int, bound, high []byte) bool {
	if len(bound) == 0 {
		return false
	}
	below, err := p.bytesAtBound(begin, bound[:len(bound)-1])
	return err == nil && bytes.Equal(below, high)
}

func boundedInterval(p *part, begin int, low, high any, withHigh bool) (interval, error) {
	one := interval{withHigh: withHigh}
	var err error
	if low != nil {
		if one.low, err = p.bytesAtBound(begin, low); err != nil {
			return one, err
		}
	}
	if high != nil {
		if one.high, err = p.bytesAtBound(begin, high); err != nil {
			return one, err
		}
		one.high = append([]byte{}, one.high...) // nil means that there is no bound
	}
	return one, nil
}

func intervalsOfNumbers(p *part, begin int, first, last any) ([]interval, error) {
	writer := begin
	for writer < len(p.steps) && p.isNumberAt(writer+1) {
		writer++
	}
	direction := p.numberOrder(begin, writer)
	if direction == orderUnordered {
		return nil, nil
	}
	ends := [2]any{first, last}
	for i, end := range ends {
		if end == nil {
			continue
		}
		at, err := p.run(begin, writer, end)
		if err != nil {
			return nil, badPart("%s: %v", p.description, err)
		}
		ends[i] = at
	}
	if direction == orderDown {
		ends[0], ends[1] = ends[1], ends[0]
	}
	return writtenIntervals(p, writer, ends[0], ends[1])
}

// writtenIntervals goes through the step that makes bytes of the numbers, and what follows it.
func writtenIntervals(p *part, writer int, first, last any) ([]interval, error) {
	s, follows := &p.steps[writer], writer+1
	if s.name == "decimal" && len(s.arguments) == 0 {
		if !padsDigits(p.stepAt(follows), first) || !padsDigits(p.stepAt(follows), last) {
			return nil, nil
		}
		follows++
	}
	if !p.keepsOrder(follows) || s.order == orderUnordered || s.order == orderDown {
		return nil, nil
	}
	if s.order == orderUp {
		one, err := boundedInterval(p, writer, first, last, true)
		one.withoutLow = liesBelow(p, writer, first)
		return []interval{one}, err
	}
	// Negative numbers come after all others.
	from, to := int64(math.MinInt64), int64(math.MaxInt64)
	if first != nil {
		from = first.(int64)
	}
	if last != nil {
		to = last.(int64)
	}
	intervals := []interval{}
	if to >= 0 {
		one, err := boundedInterval(p, writer, most(from, 0), to, true)
		if err != nil {
			return nil, err
		}
		intervals = append(intervals, one)
	}
	if from < 0 && (first != nil || s.order == orderSigned) {
		one, err := boundedInterval(p, writer, from, least(to, -1), true)
		if err != nil {
			return nil, err
		}
		intervals = append(intervals, one)
	}
	return intervals, nil
}

// liesBelow: are the bytes of this bound those of a number before it?
func liesBelow(p *part, writer int, bound any) bool {
	s := &p.steps[writer]
	if bound == nil || s.name != "ordered" || s.taken != typeReal || p.invertible(writer+1) != inverseExact {
		return false
	}
	_, err := apply(s, bound)
	return err != nil
}

// padsDigits: this step fills the digits of the number with zeros, which is what keeps their order.
func padsDigits(pad *step, number any) bool {
	if pad == nil || pad.name != "pad" || pad.text(1)[0] != '0' || number == nil || number.(int64) < 0 {
		return false
	}
	return int64(len(strconv.FormatInt(number.(int64), 10))) <= pad.number(0, 0)
}

// inBothHalves is what lies in both of two.
func inBothHalves(one, other []interval) []interval {
	both := []interval{}
	for _, a := range one {
		for _, b := range other {
			c := b
			if bytes.Compare(a.low, b.low) >= 0 {
				c.low, c.withoutLow = a.low, a.withoutLow || (bytes.Equal(a.low, b.low) && b.withoutLow)
			}
			if a.high != nil && (b.high == nil || bytes.Compare(a.high, b.high) < 0) {
				c.high, c.withHigh = a.high, a.withHigh
			} else if a.high != nil && bytes.Equal(a.high, b.high) {
				c.withHigh = a.withHigh && b.withHigh
			}
			if c.high == nil || bytes.Compare(c.low, c.high) <= 0 {
				both = append(both, c)
			}
		}
	}
	return both
}

// partBounds says which bytes of one part of the row key are between two bounds.
type partBounds struct {
	part      *part
	bounds    *bounds
	exact     bool
	inOrder   bool       // false: a default, or a number that is too long for its pad, may lie in the intervals
	intervals []interval // nil: any may be
}

func newPartBounds(p *part, b *bounds) (*partBounds, error) {
	one := &partBounds{part: p, bounds: b, exact: true, inOrder: true, intervals: []interval{}}
	for _, end := range b.both {
		one.exact = one.exact && p.invertible(end.step) == inverseExact
		for _, s := range p.steps[end.step:] {
			one.inOrder = one.inOrder && s.name != "default" && s.name != "pad"
		}
	}
	if b.empty() {
		return one, nil
	}
	var err error
	one.intervals, err = one.between()
	return one, err
}

func (b *partBounds) tells() bool {
	return b.exact || b.intervals != nil
}

func (b *partBounds) between() ([]interval, error) {
	start, stop := b.bounds.start, b.bounds.stop
	var first, last any
	step := 0
	if start != nil {
		first, step = start.value, start.step
	}
	if stop != nil {
		last = stop.value
		if number, ok := last.(int64); ok && number > math.MinInt64 {
			last = number - 1
		}
	}
	if start == nil {
		step = stop.step
	}
	if start == nil || stop == nil || start.step == stop.step {
		return intervalsOf(b.part, step, first, last)
	}
	above, err := intervalsOf(b.part, start.step, first, nil)
	if err != nil {
		return nil, err
	}
	below, err := intervalsOf(b.part, stop.step, nil, last)
	if err != nil || above == nil || below == nil {
		return nil, err
	}
	return inBothHalves(above, below), nil
}

func (b *partBounds) judge(value []byte) placement {
	held := b.intervals == nil
	for i := range b.intervals {
		held = held || b.intervals[i].holds(value)
	}
	if !held {
		return placedOutside
	}
	worst := placedInside
	for _, end := range b.bounds.both {
		found := b.part.invertBytes(end.step, value)
		if found.how == inverseExact && !end.inside(found.value) {
			return placedOutside
		}
		if found.how == inverseNone && b.part.invertible(end.step) != inverseNone {
			return placedOutside
		}
		if found.how != inverseExact {
			worst = placedUnsure
		}
	}
	return worst
}

func stopOf(at int, prefix []byte, one *interval) []byte {
	if one.high == nil {
		return prefixEnd(prefix)
	}
	exclusive := join(prefix, one.high)
	if at+1 < len(rowTemplate) && !rowTemplate[at].fixed && !rowTemplate[at].terminated {
		return stopBehindShorter(at, prefix, one.high)
	}
	switch {
	case !one.withHigh:
		return exclusive
	case at+1 == len(rowTemplate):
		return rowAfter(exclusive)
	}
	return prefixEnd(exclusive)
}

// stopBehindShorter: a key may go on behind a part that is a beginning of the bound.
func stopBehindShorter(at int, prefix, high []byte) []byte {
	begin, separator := rowTemplate[at].minWidth, rowTemplate[at+1].literal
	if begin > len(high) {
		begin = len(high)
	}
	if len(separator) == 0 {
		return prefixEnd(join(prefix, high[:begin]))
	}
	for end := begin; end < len(high); end++ {
		if separator[0] >= high[end] {
			return prefixEnd(join(prefix, high[:end], separator[:1]))
		}
	}
	return prefixEnd(join(prefix, high))
}

func mergedRanges(ranges []Range) []Range {
	sorted := append([]Range{}, ranges...)
	sort.SliceStable(sorted, func(i, j int) bool { return bytes.Compare(sorted[i].Start, sorted[j].Start) < 0 })
	merged := []Range{}
	for _, one := range sorted {
		if len(one.Stop) > 0 && bytes.Compare(one.Stop, one.Start) <= 0 {
			continue
		}
		if len(merged) > 0 {
			last := &merged[len(merged)-1]
			if len(last.Stop) == 0 {
				continue
			}
			if bytes.Compare(last.Stop, one.Start) > 0 {
				if len(one.Stop) == 0 || bytes.Compare(last.Stop, one.Stop) < 0 {
					last.Stop = one.Stop
				}
				continue
			}
		}
		merged = append(merged, one)
	}
	return merged
}
