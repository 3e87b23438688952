// moment is the first whole millisecond at or after it.
func moment(at time.Time) int64 {
	if at.Nanosecond()%1000000 == 0 {
		return at.UnixMilli()
	}
	return at.UnixMilli() + 1
}

// plain makes one of string, []byte, int64, float64 and time.Time of what an application gives.
func plain(value any) (any, error) {
	switch given := value.(type) {
	case string, []byte, int64, float64, time.Time:
		return given, nil
	case int:
		return int64(given), nil
	case int8:
		return int64(given), nil
	case int16:
		return int64(given), nil
	case int32:
		return int64(given), nil
	case uint8:
		return int64(given), nil
	case uint16:
		return int64(given), nil
	case uint32:
		return int64(given), nil
	case float32:
		return float64(given), nil
	case uint:
		return signed(uint64(given))
	case uint64:
		return signed(given)
	}
	return nil, badPart("a value of type %T cannot be given: give a string, []byte, a number or a time.Time", value)
}

func signed(number uint64) (any, error) {
	if number > math.MaxInt64 {
		return nil, badPart("%d is above the largest number, %d: give its bytes", number, int64(math.MaxInt64))
	}
	return int64(number), nil
}

// shown is for messages.
func shown(value any) string {
	switch given := value.(type) {
	case string, []byte:
		return fmt.Sprintf("%q", given)
	case time.Time:
		return given.Format(time.RFC3339Nano)
	}
	return fmt.Sprint(value)
}

func textOf(value any) ([]byte, error) {
	switch given := value.(type) {
	case string:
		return []byte(given), nil
	case []byte:
		return given, nil
	case int64:
		return []byte(strconv.FormatInt(given, 10)), nil
	}
	return nil, badPart("%s is neither text, nor bytes, nor a whole number, nor a time", shown(value))
}

// bound is compared with the result of the first `step` steps of a part: a number, or bytes.
type bound struct {
	step    int
	value   any
	isStart bool
}

// inside: is what lies there on the inner side?
func (b *bound) inside(at any) bool {
	return (compare(at, b.value) >= 0) == b.isStart
}

type placement int

const (
	placedInside placement = iota
	placedUnsure
	placedOutside
)

// bounds are two of one part: start inclusive, stop exclusive, nil: no bound.
type bounds struct {
	part    *part
	typedAt int
	units   int64
	start   *bound
	stop    *bound
	both    []*bound
}

func newBounds(p *part, typedAt int, start, stop any, units int64) (*bounds, error) {
	b := &bounds{part: p, typedAt: typedAt, units: units}
	var err error
	if start != nil {
		if b.start, err = b.read(start, true); err != nil {
			return nil, err
		}
		b.both = append(b.both, b.start)
	}
	if stop != nil {
		if b.stop, err = b.read(stop, false); err != nil {
			return nil, err
		}
		b.both = append(b.both, b.stop)
	}
	return b, b.checkOrder(start, stop)
}

func (b *bounds) read(given any, isStart bool) (*bound, error) {
	value, err := plain(given)
	if err != nil {
		return nil, err
	}
	end, numberAt := len(b.part.steps), b.part.firstNumber(b.typedAt)
	if numberAt < 0 && b.part.isNumberAt(end) {
		numberAt = end
	}
	if numberAt < 0 {
		return b.readText(value, isStart)
	}
	if b.part.typeAt(numberAt) == typeReal {
		return b.readReal(value, numberAt, isStart)
	}
	switch given := value.(type) {
	case time.Time:
		for timeAt := numberAt; timeAt <= end; timeAt++ {
			if b.part.typeAt(timeAt) == typeTime {
				return &bound{timeAt, moment(given), isStart}, nil
			}
		}
		return &bound{numberAt, divideUp(moment(given), most(b.units, 1)), isStart}, nil
	case int64:
		return &bound{numberAt, given, isStart}, nil
	}
	return nil, badPart("%s is no bound of %s: give a whole number, or a time.Time", shown(value), b.part.description)
}

func (b *bounds) readReal(value any, numberAt int, isStart bool) (*bound, error) {
	real, ok := value.(float64)
	if number, isWhole := value.(int64); isWhole {
		real, ok = float64(number), true
	}
	if !ok || math.IsNaN(real) {
		return nil, badPart("%s is not a number: %s is bounded by numbers like 19.9", shown(value), b.part.description)
	}
	return &bound{numberAt, rankGiven(&b.part.steps[numberAt-1], real), isStart}, nil
}

// storedForm is bytes. Of a text nobody knows whether it is the stored form or the value that the form is made of.
func storedForm(of string, value any) ([]byte, error) {
	if form, ok := value.([]byte); ok {
		return form, nil
	}
	return nil, badPart("%s is a stored form, which this file cannot make: give its []byte, not %s", of, shown(value))
}

func (b *bounds) readText(value any, isStart bool) (*bound, error) {
	switch value.(type) {
	case int64, float64:
		return nil, badPart("%s is no bound of %s: its values sort as text, so give a string or []byte", shown(value), b.part.description)
	}
	if b.part.reference.isStored() {
		form, err := storedForm(b.part.description, value)
		return &bound{b.typedAt, form, isStart}, err
	}
	text, err := textOf(value)
	if err != nil {
		return nil, err
	}
	at := b.part.firstText(b.typedAt)
	if at < 0 {
		return &bound{b.typedAt, text, isStart}, nil
	}
	if id, err := uuidOf(text); err == nil {
		text, _ = uuidText(id) // otherwise the beginning of one
	}
	return &bound{at, text, isStart}, nil
}

func (b *bounds) checkOrder(from, to any) error {
	if b.start == nil || b.stop == nil {
		return nil
	}
	earlier, later := b.start.step, b.stop.step
	if earlier > later {
		earlier, later = later, earlier
	}
	first, err := b.part.run(b.start.step, later, b.start.value)
	last, lastErr := b.part.run(b.stop.step, later, b.stop.value)
	if err != nil || lastErr != nil {
		return badPart("%s and %s cannot be compared: %s has no such value", shown(from), shown(to), b.part.description)
	}
	if compare(first, last) > 0 && b.part.numberOrder(earlier, later) == orderUp {
		return badPart("start %s lies behind stop %s: exchange them", shown(from), shown(to))
	}
	return nil
}

func (b *bounds) empty() bool {
	if b.stop != nil && (sameValue(b.stop.value, int64(math.MinInt64)) || sameValue(b.stop.value, []byte{})) {
		return true // nothing sorts below it
	}
	return b.start != nil && b.stop != nil && b.start.step == b.stop.step && compare(b.start.value, b.stop.value) >= 0
}

func (b *bounds) include(value any) bool {
	for _, one := range b.both {
		at, err := b.part.run(b.typedAt, one.step, value)
		if err != nil || !one.inside(at) {
			return false
		}
	}
	return true
}

func (b *bounds) judge(n *numbers, numberAt int) placement {
	worst := placedInside
	for _, one := range b.both {
		if found := b.judgeEnd(n, numberAt, one); found > worst {
			worst = found
		}
	}
	return worst
}

func (b *bounds) judgeEnd(n *numbers, numberAt int, end *bound) placement {
	first, err := b.part.run(numberAt, end.step, n.from)
	last, lastErr := b.part.run(numberAt, end.step, n.to)
	if err != nil || lastErr != nil || end.inside(first) != end.inside(last) {
		return placedUnsure
	}
	if !sameValue(first, last) && b.part.numberOrder(numberAt, end.step) == orderUnordered {
		return placedUnsure
	}
	if end.inside(first) {
		return placedInside
	}
	return placedOutside
}
