// reference is where a value comes from. kind: row, column, column_time, family, qualifier, value, time, item, or stored
// (stored_time): the value behind the steps in its name, which this file cannot repeat.
type reference struct {
	kind string
	name string
}

// isStored: this file cannot make the value of the source: it is given as the index has it.
func (r *reference) isStored() bool {
	return r.kind == "stored"
}

func (r *reference) isTime() bool {
	return strings.HasSuffix(r.kind, "time")
}

// part is a literal, or a reference with its steps.
type part struct {
	reference   *reference
	steps       []step
	literal     []byte
	minWidth    int
	fixed       bool
	terminated  bool
	endsItself  bool
	readable    bool
	salts       [][]byte
	description string
}

func literalPart(literal string) *part {
	return &part{literal: []byte(literal), minWidth: len(literal), fixed: true, endsItself: true, readable: true}
}

func referencePart(kind, name string, steps []step, minWidth int, fixed, terminated, endsItself, readable bool,
	salts, description string) *part {
	made := &part{reference: &reference{kind, name}, steps: steps, minWidth: minWidth, fixed: fixed,
		terminated: terminated, endsItself: endsItself, readable: readable, description: description}
	for len(salts) > 0 { // each has its length in front, in two bytes
		end := 2 + int(salts[0])<<8 + int(salts[1])
		made.salts, salts = append(made.salts, []byte(salts[2:end])), salts[end:]
	}
	return made
}

func (p *part) isLiteral() bool {
	return p.reference == nil
}

func (p *part) typeAt(at int) valueType {
	switch {
	case at > 0:
		return p.steps[at-1].given
	case p.reference.isTime():
		return typeTime
	}
	return typeBytes
}

func (p *part) isNumberAt(at int) bool {
	return p.typeAt(at) != typeBytes
}

// stepAt is nil behind the last one.
func (p *part) stepAt(at int) *step {
	if at < len(p.steps) {
		return &p.steps[at]
	}
	return nil
}

// firstNumber is -1 if there is none.
func (p *part) firstNumber(begin int) int {
	for at := begin; at < len(p.steps); at++ {
		if p.isNumberAt(at) {
			return at
		}
	}
	return -1
}

// firstText is behind the step that writes a UUID as text, or -1.
func (p *part) firstText(begin int) int {
	for at := begin; at < len(p.steps); at++ {
		switch p.steps[at].name {
		case "split", "before", "after":
			continue
		case "uuid_text":
			return at + 1
		}
		return -1
	}
	return -1
}

func (p *part) beginsAs(other *part, count int) bool {
	if p.isLiteral() || p.reference.name != other.reference.name || len(p.steps) < count || len(other.steps) < count {
		return false
	}
	for i := 0; i < count; i++ {
		if !p.steps[i].same(&other.steps[i]) {
			return false
		}
	}
	return true
}

func (p *part) run(begin, end int, value any) (any, error) {
	for at := begin; at < end; at++ {
		var err error
		if value, err = apply(&p.steps[at], value); err != nil {
			return nil, err
		}
	}
	return value, nil
}

func (p *part) encode(begin int, value any) ([]byte, error) {
	out, err := p.run(begin, len(p.steps), value)
	if err != nil {
		return nil, badPart("%s: %v", p.description, err)
	}
	return append([]byte{}, out.([]byte)...), nil // nil is a part that is not given
}

// invert goes from a value behind `end` steps to one behind `begin`.
func (p *part) invert(begin, end int, value any) inverted {
	found := inverted{how: inverseExact, value: value}
	for at := end - 1; at >= begin && found.how != inverseNone; at-- {
		one := &p.steps[at]
		if one.name == "default" {
			found.defaulted = found.defaulted || sameValue(found.value, one.arguments[0])
			continue
		}
		before := invert(one, found.value)
		found.value = before.value
		if before.how > found.how {
			found.how = before.how
		}
	}
	return found
}

// invertBytes gives a value that makes these bytes again.
func (p *part) invertBytes(begin int, given []byte) inverted {
	found := p.invert(begin, len(p.steps), given)
	if found.how == inverseNone {
		return notInverted
	}
	again, err := p.run(begin, len(p.steps), found.value)
	if err != nil || !sameValue(again, given) {
		return notInverted
	}
	return found
}

func (p *part) invertible(begin int) exactness {
	worst := inverseExact
	for at := len(p.steps) - 1; at >= begin; at-- {
		one := &p.steps[at]
		givesAny := one.name == "default" || one.name == "from_ms" || one.name == "millis"
		if worst == inverseGood && !givesAny {
			return inverseNone
		}
		if one.inverse > worst {
			worst = one.inverse
		}
	}
	return worst
}

func (p *part) numberOrder(begin, end int) direction {
	order := orderUp
	for at := begin; at < end; at++ {
		switch p.steps[at].order {
		case orderUp:
		case orderDown:
			order = orderUp + orderDown - order
		default:
			return orderUnordered
		}
	}
	return order
}

func (p *part) keepsOrder(begin int) bool {
	for at := begin; at < len(p.steps); at++ {
		if p.steps[at].order != orderUp {
			return false
		}
	}
	return true
}

// bytesAtBound is without checks: a bound need not be a value.
func (p *part) bytesAtBound(begin int, value any) ([]byte, error) {
	for at := begin; at < len(p.steps); at++ {
		one := &p.steps[at]
		switch one.name {
		case "default", "fixed", "without":
			continue
		}
		if one.name == "ordered" && one.taken == typeReal {
			value = orderedBelow(one, value.(int64))
			continue
		}
		var err error
		if value, err = apply(one, value); err != nil {
			return nil, badPart("%s: %v", p.description, err)
		}
	}
	return value.([]byte), nil
}

// keyPart is a part of the key as it is given: `steps` of part `part` are taken before.
type keyPart struct {
	name        string
	part        int
	steps       int
	decides     []int
	units       int64 // milliseconds of one of its numbers; 0: they are no times
	boundedPart int
	alike       []int
	width       int // bytes of a stored form that always has as many; -1: any number
}

func (k *keyPart) isAlike(part int) bool {
	for _, one := range k.alike {
		if one == part {
			return true
		}
	}
	return false
}

type columnTemplate struct {
	family    string
	qualifier []*part
	value     []*part
}

// tablePeriod is of an index with a table for each period: the template of its name, and the part that gives its time.
type tablePeriod struct {
	table       []*part
	time        *part
	units       int64
	keyPart     int // that holds the same reference; -1: none
	ofTimeAlone bool
	stepMillis  int64
}

func allTemplates() [][]*part {
	templates := [][]*part{rowTemplate}
	for _, one := range columnTemplates {
		templates = append(templates, one.qualifier, one.value)
	}
	if period != nil {
		templates = append(templates, period.table, []*part{period.time})
	}
	return templates
}

// Range has the row keys from Start, inclusive, to Stop, exclusive. An empty Stop is the end of the table.
type Range struct {
	Start []byte
	Stop  []byte
}

func rowAfter(row []byte) []byte {
	if len(row) < 32767 {
		return join(row, []byte{0})
	}
	return prefixEnd(row)
}

func prefixEnd(prefix []byte) []byte {
	end := len(prefix)
	for end > 0 && prefix[end-1] == 0xff {
		end--
	}
	out := append([]byte{}, prefix[:end]...)
	if len(out) > 0 {
		out[len(out)-1]++
	}
	return out
}

// cut gives the bytes of each part, nil where they are not known. False: the template did not make these bytes.
func cut(template []*part, given []byte) ([][]byte, bool) {
	front, back, rest := 0, len(template), append([]byte{}, given...)
	pieces := make([][]byte, len(template))
	for front < back && (template[front].endsItself || front+1 == len(template)) {
		front++
	}
	for back > front+1 && template[back-1].fixed {
		back--
	}
	for at := 0; at < front; at++ {
		size := sizeInFront(template, at, rest)
		if size < 0 || size > len(rest) {
			return nil, false
		}
		pieces[at], rest = rest[:size:size], rest[size:]
	}
	for at := len(template) - 1; at >= back; at-- {
		size := len(rest) - template[at].minWidth
		if size < 0 {
			return nil, false
		}
		pieces[at], rest = rest[size:], rest[:size:size]
	}
	if back == front+1 {
		pieces[front] = rest
	} else if front == back && len(rest) > 0 {
		return nil, false
	}
	for at, one := range template {
		if one.isLiteral() && pieces[at] != nil && !bytes.Equal(pieces[at], one.literal) {
			return nil, false
		}
	}
	return pieces, true
}

func sizeInFront(template []*part, at int, rest []byte) int {
	if template[at].fixed {
		return template[at].minWidth
	}
	if template[at].terminated {
		for end := 0; end+1 < len(rest); end++ {
			if rest[end] == 0 {
				if rest[end+1] == 0 {
					return end + 2
				}
				end++
			}
		}
		return -1
	}
	if at+1 == len(template) {
		return len(rest)
	}
	return bytes.IndexByte(rest, template[at+1].literal[0])
}
