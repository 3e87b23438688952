// ErrBadPart is wrapped by the error for a value or a bound that a part of the key cannot have: correct the value.
var ErrBadPart = errors.New("bad part of a key")

// ErrNotAKey is wrapped by the error for bytes that are no row key of this index: check which table they come from.
var ErrNotAKey = errors.New("no row key")

// ErrNoZone is wrapped by the error for a time zone that this machine does not know: import time/tzdata.
var ErrNoZone = errors.New("no such time zone")

type failure struct {
	kind error
	text string
}

func (f *failure) Error() string { return f.text }
func (f *failure) Unwrap() error { return f.kind }

func badPart(format string, arguments ...any) error {
	return &failure{ErrBadPart, fmt.Sprintf(format, arguments...)}
}

// errRefused: a function has no result for a value. errAbsent: there is no such piece, as if the column were missing.
var (
	errRefused = errors.New("no result")
	errAbsent  = errors.New("absent")
)

func refused(format string, arguments ...any) error {
	return &failure{errRefused, fmt.Sprintf(format, arguments...)}
}

// exactness says how exactly a step can be read backwards.
type exactness int

const (
	inverseExact exactness = iota
	inverseGood
	inverseNone
)

type valueType int

const (
	typeBytes valueType = iota
	typeInteger
	typeTime
	typeReal
)

type direction int

const (
	orderUp direction = iota
	orderDown
	orderSigned
	orderUnsigned
	orderUnordered
)

// step is one function of a template, with what is known of it. Its values are of int64 or []byte.
type step struct {
	name      string
	taken     valueType
	given     valueType
	inverse   exactness
	order     direction
	arguments []any // int64 or []byte
}

func (s *step) number(at int, absent int64) int64 {
	if at < len(s.arguments) {
		if number, ok := s.arguments[at].(int64); ok {
			return number
		}
	}
	return absent
}

// text is nil if there is no such argument, or it is a number.
func (s *step) text(at int) []byte {
	if at < len(s.arguments) {
		if text, ok := s.arguments[at].([]byte); ok {
			return text
		}
	}
	return nil
}

func (s *step) same(other *step) bool {
	if s.name != other.name || s.taken != other.taken || len(s.arguments) != len(other.arguments) {
		return false
	}
	for i, argument := range s.arguments {
		if !sameValue(argument, other.arguments[i]) {
			return false
		}
	}
	return true
}

// readsNumber: i64, u16_le, f32 and the like.
func (s *step) readsNumber() bool {
	return strings.Contains("iuf", s.name[:1]) && s.width() > 0
}

// width of a step that reads a number, in bytes. Others have 0.
func (s *step) width() int {
	switch strings.TrimSuffix(s.name[1:], "_le") {
	case "8":
		return 1
	case "16":
		return 2
	case "32":
		return 4
	case "64":
		return 8
	}
	return 0
}

func sameValue(a, b any) bool {
	one, ok := a.([]byte)
	if !ok {
		return a == b
	}
	other, ok := b.([]byte)
	return ok && bytes.Equal(one, other)
}

// compare is of two values of one type.
func compare(a, b any) int {
	one, ok := a.(int64)
	if !ok {
		return bytes.Compare(a.([]byte), b.([]byte))
	}
	other := b.(int64)
	switch {
	case one < other:
		return -1
	case one > other:
		return 1
	}
	return 0
}

func join(pieces ...[]byte) []byte {
	return bytes.Join(pieces, nil)
}

// slice is value[from:to], as far as there are so many bytes.
func slice(value []byte, from, to int64) []byte {
	if to > int64(len(value)) {
		to = int64(len(value))
	}
	if from > to {
		from = to
	}
	return value[from:to]
}

func ofWidth(value []byte, width int64) ([]byte, error) {
	if int64(len(value)) != width {
		return nil, refused("%q has %d bytes, not %d", value, len(value), width)
	}
	return value, nil
}

func reversed(value []byte) []byte {
	out := make([]byte, len(value))
	for i, one := range value {
		out[len(value)-1-i] = one
	}
	return out
}

func bigEndian(number uint64, width int) []byte {
	out := make([]byte, 8)
	binary.BigEndian.PutUint64(out, number)
	return out[8-width:]
}

func bitsOf(value []byte) uint64 {
	number := uint64(0)
	for _, one := range value {
		number = number<<8 | uint64(one)
	}
	return number
}

func addExact(a, b int64) (int64, bool) {
	sum := a + b
	return sum, (sum >= a) == (b >= 0)
}

func subtractExact(a, b int64) (int64, bool) {
	difference := a - b
	return difference, (difference <= a) == (b >= 0)
}

func multiplyExact(a, b int64) (int64, bool) {
	if a == 0 || b == 0 {
		return 0, true
	}
	product := a * b
	overflows := (a == -1 && b == math.MinInt64) || (b == -1 && a == math.MinInt64)
	return product, !overflows && product/b == a
}

func floorDivide(a, by int64) int64 {
	if a%by != 0 && (a < 0) != (by < 0) {
		return a/by - 1
	}
	return a / by
}

func floorModulo(a, by int64) int64 {
	return a - floorDivide(a, by)*by
}

func divideUp(a, by int64) int64 {
	if floorModulo(a, by) == 0 {
		return a / by
	}
	return floorDivide(a, by) + 1
}

func least(a, b int64) int64 {
	if a < b {
		return a
	}
	return b
}

func most(a, b int64) int64 {
	if a > b {
		return a
	}
	return b
}

// Doubles are kept as their rank: a whole number that grows with the double.

func rankOf(real float64) int64 {
	number := int64(math.Float64bits(real))
	if number < 0 {
		return number ^ math.MaxInt64
	}
	return number
}

func realOf(rank int64) float64 {
	if rank < 0 {
		rank ^= math.MaxInt64
	}
	return math.Float64frombits(uint64(rank))
}

func realBytes(real float64, width int) []byte {
	if width == 8 {
		return bigEndian(math.Float64bits(real), 8)
	}
	return bigEndian(uint64(math.Float32bits(float32(real))), 4)
}

func realIn(value []byte) float64 {
	if len(value) == 8 {
		return math.Float64frombits(bitsOf(value))
	}
	return float64(math.Float32frombits(uint32(bitsOf(value))))
}

// rankGiven is of a number from an application. A step that reads floats takes the nearest float.
func rankGiven(s *step, real float64) int64 {
	if strings.HasPrefix(s.name, "f32") {
		real = float64(float32(real))
	}
	return rankOf(real)
}

func orderedReal(real float64, width int) []byte {
	if width == 8 {
		return bigEndian(uint64(rankOf(real))^1<<63, 8)
	}
	number := math.Float32bits(float32(real))
	if number>>31 != 0 {
		return bigEndian(uint64(^number), 4)
	}
	return bigEndian(uint64(number|1<<31), 4)
}

// orderedBelow is of a bound, which need not be a number of this width: the result at or below it.
func orderedBelow(s *step, rank int64) []byte {
	if s.number(0, 8) == 8 {
		return bigEndian(uint64(rank)^1<<63, 8)
	}
	real := realOf(rank)
	if rank < rankOf(math.Inf(-1)) {
		real = math.Inf(-1)
	} else if rank > rankOf(math.Inf(1)) {
		real = math.Inf(1)
	}
	below := float32(real)
	if float64(below) > real {
		below = math.Nextafter32(below, float32(math.Inf(-1)))
	}
	return orderedReal(float64(below), 4)
}

func ordered(s *step, number int64) ([]byte, error) {
	width := int(s.number(0, 8))
	if s.taken == typeReal {
		if real := realOf(number); width == 4 && float64(float32(real)) != real {
			return nil, refused("%v is not a number of 32 bits", real)
		}
		return orderedReal(realOf(number), width), nil
	}
	shifted := uint64(number) + 1<<(8*width-1)
	if width < 8 && shifted>>(8*width) != 0 {
		return nil, refused("%d does not fit %d bytes", number, width)
	}
	return bigEndian(shifted, width), nil
}

func unordered(s *step, value []byte) inverted {
	width := int(s.number(0, 8))
	if s.taken != typeReal {
		if len(value) > 8 {
			return notInverted
		}
		return inverted{how: inverseExact, value: int64(bitsOf(value) - 1<<(8*width-1))}
	}
	if len(value) != width {
		return notInverted
	}
	number := bitsOf(value)
	real := realOf(int64(number ^ 1<<63))
	if width == 4 && number>>31 != 0 {
		real = float64(math.Float32frombits(uint32(number) ^ 1<<31))
	} else if width == 4 {
		real = float64(math.Float32frombits(^uint32(number)))
	}
	if math.IsNaN(real) {
		return notInverted
	}
	return inverted{how: inverseExact, value: rankOf(real)}
}

func decimal(s *step, number int64) ([]byte, error) {
	digits := strconv.FormatInt(number, 10)
	if len(s.arguments) == 0 {
		return []byte(digits), nil
	}
	width := int(s.number(0, 0))
	if len(digits) > width || number < 0 {
		return nil, refused("%d has more than %d digits, or is negative", number, width)
	}
	return padded([]byte(digits), width, '0'), nil
}

func toBe(s *step, number int64) ([]byte, error) {
	width := int(s.number(0, 8))
	if width < 8 && (number < 0 || number>>(8*width) != 0) {
		return nil, refused("%d does not fit %d bytes without sign", number, width)
	}
	return bigEndian(uint64(number), width), nil
}

func readNumber(s *step, value []byte) (any, error) {
	given, err := ofWidth(value, int64(s.width()))
	if err != nil {
		return nil, err
	}
	if strings.HasSuffix(s.name, "_le") {
		given = reversed(given)
	}
	number := bitsOf(given)
	switch s.name[0] {
	case 'f':
		if math.IsNaN(realIn(given)) {
			return nil, refused("%q is NaN, which has no place among numbers", value)
		}
		return rankOf(realIn(given)), nil
	case 'u':
		if number > math.MaxInt64 {
			return nil, refused("%q is above the largest number", value)
		}
		return int64(number), nil
	}
	unused := 64 - 8*len(given)
	return int64(number<<unused) >> unused, nil
}

func unreadNumber(s *step, number int64) inverted {
	width := s.width()
	value := bigEndian(uint64(number), width)
	if s.name[0] == 'f' {
		value = realBytes(realOf(number), width)
		if realIn(value) != realOf(number) {
			return notInverted
		}
	}
	if strings.HasSuffix(s.name, "_le") {
		value = reversed(value)
	}
	return inverted{how: inverseExact, value: value}
}
