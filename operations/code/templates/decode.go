// numbers agree with what a cell shows: from `from` to `to`, and after each `cycle` again.
type numbers struct {
	from  int64
	to    int64
	cycle int64
}

// spread goes through a step that gives one number for several. Nil: unknown.
func spread(s *step, value any, n numbers) *numbers {
	unit := unitOf(s)
	switch s.name {
	case "mod":
		if size, ok := subtractExact(n.to, n.from); n.cycle != 0 || !ok || size >= unit {
			return nil
		}
		return &numbers{n.from, n.to, unit}
	case "mul", "from_s", "from_days":
		return throughProduct(unit, n)
	case "div", "seconds", "from_us", "from_ns":
		return throughDivision(unit, n)
	case "floor", "floor_hour", "floor_day":
		return throughFloor(unit, n)
	}
	return spreadOfText(s, value.([]byte))
}

// throughDivision cuts ends that are beyond 64 bits. A cut end would be wrong after the cycle.
func throughDivision(unit int64, n numbers) *numbers {
	cycle, cycleFits := multiplyExact(n.cycle, unit)
	from, fromFits := multiplyExact(n.from, unit)
	next, nextFits := addExact(n.to, 1)
	behind, toFits := multiplyExact(next, unit)
	if !cycleFits || (cycle != 0 && !(fromFits && nextFits && toFits)) {
		return nil
	}
	if !fromFits {
		from = math.MinInt64
	}
	to := behind - 1
	if !nextFits || !toFits {
		to = math.MaxInt64
	}
	if (!fromFits && n.from > 0) || (nextFits && !toFits && next < 0) || behind == math.MinInt64 {
		return nil
	}
	return &numbers{from, to, cycle}
}

func throughFloor(unit int64, n numbers) *numbers {
	from, to := n.from, n.to
	if n.cycle%unit == 0 {
		ok := false
		if from, ok = multiplyExact(divideUp(from, unit), unit); !ok {
			return nil
		}
		if to, ok = multiplyExact(floorDivide(to, unit), unit); !ok || from > to {
			return nil
		}
	}
	to, ok := addExact(to, unit-1)
	if !ok && n.cycle != 0 {
		return nil
	}
	if !ok {
		to = math.MaxInt64
	}
	return &numbers{from, to, n.cycle}
}

func throughProduct(factor int64, n numbers) *numbers {
	if factor == 0 || factor == math.MinInt64 {
		return nil
	}
	from, to := n.from, n.to
	if factor < 0 {
		if from == math.MinInt64 || to == math.MinInt64 {
			return nil
		}
		from, to, factor = -n.to, -n.from, -factor
	}
	if n.cycle%factor != 0 {
		return nil
	}
	from, to = divideUp(from, factor), floorDivide(to, factor)
	if from > to {
		return nil
	}
	return &numbers{from, to, n.cycle / factor}
}

func spreadOfText(s *step, value []byte) *numbers {
	local, ok := parseTime(s.text(0), value)
	if !ok || s.text(1) != nil {
		return nil
	}
	has := fieldsOf(s.text(0))
	first := 0
	if !has[0] {
		first = 3
	}
	for first < len(fieldUnits) && !has[first] {
		first++
	}
	if first == len(fieldUnits) || (has[0] && (has[7] || has[8])) {
		return nil
	}
	end := first
	for end < len(fieldUnits) && has[end] {
		end++
	}
	from := local - s.number(1, 0)*60000
	found := &numbers{from, from + fieldUnits[end-1] - 1, 0}
	if !has[0] {
		found.cycle = fieldUnits[first-1]
	}
	return found
}

func spreads(name string) bool {
	switch name {
	case "mod", "mul", "div", "floor", "from_s", "from_us", "from_ns", "from_days", "seconds", "floor_hour", "floor_day", "time":
		return true
	}
	return false
}

// numbersThatGive is nil if they are not known.
func numbersThatGive(p *part, begin int, given []byte) *numbers {
	var value any = given
	var found *numbers
	for at := len(p.steps) - 1; at >= begin; at-- {
		one := &p.steps[at]
		switch {
		case one.name == "default":
			return nil
		case spreads(one.name):
			if found == nil {
				found = &numbers{}
			}
			if found = spread(one, value, *found); found == nil {
				return nil
			}
		case found != nil:
			if !p.isNumberAt(at) {
				return nil
			}
			if found = oneByOne(one, *found); found == nil {
				return nil
			}
		default:
			before := invert(one, value)
			if before.how != inverseExact {
				return nil
			}
			value = before.value
			if number, ok := value.(int64); ok {
				found = &numbers{number, number, 0}
			}
		}
	}
	return found
}

func oneByOne(s *step, n numbers) *numbers {
	after, ok := addExact(n.from, n.cycle)
	if !ok {
		return nil
	}
	first, last, next := invert(s, n.from), invert(s, n.to), invert(s, after)
	if first.how != inverseExact || last.how != inverseExact || next.how != inverseExact {
		return nil
	}
	a, b := first.value.(int64), last.value.(int64)
	cycle, ok := subtractExact(next.value.(int64), a)
	if !ok {
		return nil
	}
	return &numbers{least(a, b), most(a, b), most(cycle, -cycle)}
}

// inAll is what lies in all of several. Nil: nothing, or no end is known.
func inAll(several []*numbers) *numbers {
	from, to, ends := int64(math.MinInt64), int64(math.MaxInt64), false
	for _, n := range several {
		if n.cycle == 0 {
			ends = true
			from, to = most(from, n.from), least(to, n.to)
		}
	}
	if !ends || from > to {
		return nil
	}
	for range several {
		for _, n := range several {
			if n.cycle == 0 {
				continue
			}
			first, last := shifted(n.from, n.to, from, n.cycle, -1), shifted(n.to, to, n.from, n.cycle, 1)
			if first.Cmp(big.NewInt(to)) > 0 || last.Cmp(big.NewInt(from)) < 0 {
				return nil
			}
			if first.Cmp(big.NewInt(from)) > 0 {
				from = first.Int64()
			}
			if last.Cmp(big.NewInt(to)) < 0 {
				to = last.Int64()
			}
		}
	}
	return &numbers{from, to, 0}
}

// shifted is `number` moved in one direction by all whole cycles that lie between `low` and `high`.
func shifted(number, high, low, cycle, direction int64) *big.Int {
	moved := new(big.Int).Sub(big.NewInt(high), big.NewInt(low))
	moved.Div(moved, big.NewInt(cycle)) // of Euclid: downwards, as no cycle is negative
	moved.Mul(moved, big.NewInt(cycle*direction))
	return moved.Add(moved, big.NewInt(number))
}

// known is a source value in a cell. exact: no other value gives this cell.
type known struct {
	value []byte
	exact bool
}

// made is a part of a cell's templates, and the bytes that it made.
type made struct {
	part  *part
	bytes []byte
}

// decoder reads the templates of one cell backwards.
type decoder struct {
	made []made
}

func (d *decoder) add(template []*part, value []byte) bool {
	pieces, ok := cut(template, value)
	if !ok {
		return false
	}
	for at, one := range template {
		if !one.isLiteral() && pieces[at] != nil {
			d.made = append(d.made, made{one, pieces[at]})
		}
	}
	return true
}

// known is false if two parts contradict each other, so the templates did not make these bytes.
func (d *decoder) known() (map[string]known, bool) {
	all := map[string]known{}
	for _, one := range d.made {
		name, steps := one.part.reference.name, 0
		if named := keyPartOf(one.part); named != nil {
			name, steps = named.name, named.steps
		}
		found := one.part.invertBytes(steps, one.bytes)
		exact := found.how == inverseExact && !found.defaulted
		if !exact {
			if together := d.together(one.part, steps); together.how != inverseNone {
				found = together
				exact = together.how == inverseExact && !together.defaulted
			}
		}
		if found.how == inverseNone {
			continue
		}
		if d.givesAll(one.part, steps, found.value) {
			if before, ok := all[name]; !ok || (exact && !before.exact) {
				all[name] = known{bytesOf(found.value), exact}
			}
		} else if exact {
			return nil, false
		}
	}
	return all, true
}

func bytesOf(value any) []byte {
	if number, ok := value.(int64); ok {
		return []byte(strconv.FormatInt(number, 10))
	}
	return value.([]byte)
}

func (d *decoder) numbersOf(p *part, numberAt int) *numbers {
	several := []*numbers{}
	for _, one := range d.made {
		if one.part.beginsAs(p, numberAt) {
			if found := numbersThatGive(one.part, numberAt, one.bytes); found != nil {
				several = append(several, found)
			}
		}
	}
	return inAll(several)
}

func keyPartOf(p *part) *keyPart {
	for i := range keyParts {
		if p.beginsAs(rowTemplate[keyParts[i].part], keyParts[i].steps) {
			return &keyParts[i]
		}
	}
	return nil
}

// together: one part holds the hour, another what is left of it.
func (d *decoder) together(p *part, steps int) inverted {
	numberAt := p.firstNumber(steps)
	if numberAt < 0 {
		return notInverted
	}
	found := d.numbersOf(p, numberAt)
	if found == nil {
		return notInverted
	}
	before := p.invert(steps, numberAt, found.from)
	if found.from != found.to {
		before.defaulted = true // one of several
	}
	return before
}

func (d *decoder) givesAll(candidate *part, steps int, value any) bool {
	for _, one := range d.made {
		if !one.part.beginsAs(candidate, steps) {
			continue
		}
		again, err := one.part.run(steps, len(one.part.steps), value)
		if err != nil || !sameValue(again, one.bytes) {
			return false
		}
	}
	return true
}
