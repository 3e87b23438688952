// Times as text, with the few fields that keys need.

const fieldLetters = "YmdHMSLjy"

var (
	fieldWidths = [...]int{4, 2, 2, 2, 2, 2, 3, 3, 2}
	fieldLeasts = [...]int64{0, 1, 1, 0, 0, 0, 0, 1, 0}
	fieldMosts  = [...]int64{9999, 12, 31, 23, 59, 59, 999, 366, 99}
	fieldUnits  = [...]int64{366 * 86400000, 31 * 86400000, 86400000, 3600000, 60000, 1000, 1}
)

const (
	year0     = -62167219200000
	year10000 = 253402300800000
)

// element is one of a format: the number of a field, or -1 and a character.
type element struct {
	field   int
	literal byte
}

func elementsOf(form []byte) []element {
	elements := []element{}
	for at := 0; at < len(form); at++ {
		isField := form[at] == '%' && at+1 < len(form) && form[at+1] != '%'
		if form[at] == '%' && at+1 < len(form) {
			at++
		}
		one := element{-1, form[at]}
		if isField {
			one.field = strings.IndexByte(fieldLetters, form[at])
		}
		elements = append(elements, one)
	}
	return elements
}

func fieldsOf(form []byte) [len(fieldLetters)]bool {
	has := [len(fieldLetters)]bool{}
	for _, one := range elementsOf(form) {
		if one.field >= 0 {
			has[one.field] = true
		}
	}
	return has
}

func formatTime(form []byte, millis int64) ([]byte, error) {
	if millis < year0 || millis >= year10000 {
		return nil, refused("%d ms are outside the years 0 to 9999", millis)
	}
	day, rest := floorDivide(millis, 86400000), floorModulo(millis, 86400000)
	date := time.Unix(day*86400, 0).UTC()
	values := [...]int64{int64(date.Year()), int64(date.Month()), int64(date.Day()), rest / 3600000, rest / 60000 % 60,
		rest / 1000 % 60, rest % 1000, int64(date.YearDay()), int64(date.Year() % 100)}
	out := []byte{}
	for _, one := range elementsOf(form) {
		if one.field < 0 {
			out = append(out, one.literal)
		} else {
			out = append(out, fmt.Sprintf("%0*d", fieldWidths[one.field], values[one.field])...)
		}
	}
	return out, nil
}

// parseField reads digits at the beginning of text.
func parseField(field int, text []byte) (int64, bool) {
	width := fieldWidths[field]
	if len(text) < width {
		return 0, false
	}
	number := int64(0)
	for _, digit := range text[:width] {
		if digit < '0' || digit > '9' {
			return 0, false
		}
		number = number*10 + int64(digit-'0')
	}
	return number, number >= fieldLeasts[field] && number <= fieldMosts[field]
}

// parseTime is false if the text is not written so.
func parseTime(form, text []byte) (int64, bool) {
	values := [...]int64{1970, 1, 1, 0, 0, 0, 0, 0, 0}
	rest := text
	for _, one := range elementsOf(form) {
		if one.field < 0 {
			if len(rest) == 0 || rest[0] != one.literal {
				return 0, false
			}
			rest = rest[1:]
			continue
		}
		number, ok := parseField(one.field, rest)
		if !ok {
			return 0, false
		}
		values[one.field] = number
		rest = rest[fieldWidths[one.field]:]
	}
	date := time.Date(int(values[0]), time.Month(values[1]), int(values[2]), 0, 0, 0, 0, time.UTC)
	if len(rest) > 0 || int64(date.Month()) != values[1] || int64(date.Day()) != values[2] {
		return 0, false
	}
	return ((values[3]*60+values[4])*60+values[5]+date.Unix())*1000 + values[6], true
}

// The named zones of this index, by name: loaded once, before the first of its functions goes on.
var (
	zonesOnce sync.Once
	zonesErr  error
	zones     = map[string]*time.Location{}
)

func loadZones() error {
	zonesOnce.Do(func() {
		for _, template := range allTemplates() {
			for _, one := range template {
				for i := range one.steps {
					loadZonesOf(&one.steps[i])
				}
			}
		}
	})
	return zonesErr
}

func loadZonesOf(s *step) {
	at := zoneArgument(s)
	if at < 0 || s.text(at) == nil {
		return
	}
	name := string(s.text(at))
	zone, err := time.LoadLocation(name)
	if err != nil {
		zonesErr = &failure{ErrNoZone, "time zone " + name + " is not known to this machine: import _ \"time/tzdata\""}
		return
	}
	zones[name] = zone
}

func zoneArgument(s *step) int {
	switch s.name {
	case "time", "parse_time":
		return 1
	case "iso_time":
		return 0
	}
	return -1
}

// zoneOffset is in milliseconds east of UTC. A zone is minutes, or a name.
func zoneOffset(s *step, millis int64) int64 {
	at := zoneArgument(s)
	name := s.text(at)
	if name == nil {
		return s.number(at, 0) * 60000
	}
	within := least(most(millis, year0+400*86400000), year10000-2*86400000)
	_, east := time.UnixMilli(within).In(zones[string(name)]).Zone()
	return int64(east) * 1000
}

// instantOf is when clocks there show this; false: never, because they were set forward over it.
func instantOf(s *step, local int64) (int64, bool) {
	a, b := zoneOffset(s, local-86400000), zoneOffset(s, local+86400000)
	for _, offset := range []int64{most(a, b), least(a, b)} {
		if zoneOffset(s, local-offset) == offset {
			return local - offset, true
		}
	}
	return 0, false
}

func timeText(s *step, millis int64) ([]byte, error) {
	local, ok := addExact(millis, zoneOffset(s, millis))
	if !ok {
		return nil, refused("%d ms are out of range", millis)
	}
	return formatTime(s.text(0), local)
}

func unTimeText(s *step, value []byte) inverted {
	local, ok := parseTime(s.text(0), value)
	if s.inverse == inverseNone || !ok {
		return notInverted
	}
	return inverted{how: s.inverse, value: local - s.number(1, 0)*60000}
}

func parsedTime(s *step, value []byte) (int64, error) {
	if local, ok := parseTime(s.text(0), value); ok {
		if instant, ok := instantOf(s, local); ok {
			return instant, nil
		}
	}
	return 0, refused("%q is not a time like %s, or one that no clock showed", value, s.text(0))
}

func unparsedTime(s *step, millis int64) inverted {
	local, ok := addExact(millis, zoneOffset(s, millis))
	if !ok {
		return notInverted
	}
	value, err := formatTime(s.text(0), local)
	if err != nil {
		return notInverted
	}
	if instant, ok := instantOf(s, local); !ok || instant != millis {
		return notInverted
	}
	has := fieldsOf(s.text(0))
	if has[7] || has[8] {
		return inverted{how: inverseGood, value: value}
	}
	return inverted{how: inverseExact, value: value}
}

var isoForm = regexp.MustCompile(`(?s)^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?:(:\d\d)(?:[.,](\d+))?)?` +
	`(?:([Zz])|([+-])(\d\d)(?:(:?)(\d\d)(:\d\d)?)?)?(\[[^\]]*\])?)?$`)

// clockTime adds up what pairs of a format and a text say. An empty text says nothing.
func clockTime(pairs ...[]byte) (int64, bool) {
	sum := int64(0)
	for i := 0; i < len(pairs); i += 2 {
		if len(pairs[i+1]) == 0 {
			continue
		}
		one, ok := parseTime(pairs[i], pairs[i+1])
		if !ok {
			return 0, false
		}
		sum += one
	}
	return sum, true
}

func isoTime(s *step, value []byte) (int64, error) {
	fault := refused("%q is not a time like 2016-12-19T13:29:42.074+08:00", value)
	found := isoForm.FindSubmatch(value)
	if found == nil {
		return 0, fault
	}
	second := []byte(":%S")
	local, ok := clockTime([]byte("%Y-%m-%d"), found[1], []byte("%H:%M"), found[2], second, found[3])
	east, eastOk := clockTime([]byte("%H"), found[7], []byte("%M"), found[9], second, found[10])
	utc, signed := found[5] != nil, found[6] != nil
	if !ok || !eastOk || east > 18*3600000 || (found[10] != nil && len(found[8]) == 0) || (found[11] != nil && !utc && !signed) {
		return 0, fault
	}
	for i, unit := range []int64{100, 10, 1} {
		if i < len(found[4]) {
			local += int64(found[4][i]-'0') * unit
		}
	}
	if signed && found[6][0] == '-' {
		east = -east
	}
	if utc || signed || len(s.arguments) == 0 {
		return local - east, nil
	}
	instant, ok := instantOf(s, local)
	if !ok {
		return 0, fault
	}
	return instant, nil
}
