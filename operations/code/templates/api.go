// first gives the parts in front of the first one that is left out.
func (p Parts) first() ([]any, error) {
	all := p.all()
	count := 0
	for count < len(all) && all[count] != nil {
		count++
	}
	for _, one := range all[count:] {
		if one != nil {
			return nil, badPart("a part is given behind one that is left out: give all in front of it, too")
		}
	}
	return all[:count], nil
}

// EncodeKey makes the row key of these values. All parts must be given.
func EncodeKey(parts Parts) ([]byte, error) {
	if err := loadZones(); err != nil {
		return nil, err
	}
	given, err := parts.first()
	if err != nil {
		return nil, err
	}
	if len(given) < len(keyParts) {
		return nil, badPart("<%s> is not given: give all parts, or read with Prefix", keyParts[len(given)].name)
	}
	pieces, err := piecesOf(given)
	if err != nil {
		return nil, err
	}
	found := prefixesOf(pieces)
	if found.open < len(rowTemplate) || len(found.keys) != 1 {
		return nil, badPart("these parts do not determine one row key of %s: read with Prefix", Name)
	}
	return found.keys[0], nil
}

// DecodeKey gives the source values in a row key by name, as far as it tells them.
func DecodeKey(key []byte) (map[string]Value, error) {
	if err := loadZones(); err != nil {
		return nil, err
	}
	if decoder, _, ok := decodersOf(key, nil); ok {
		if all, ok := decoder.known(); ok {
			return valuesOf(all), nil
		}
	}
	return nil, notAKey(key)
}

// DecodeEntry gives the source values in a row key and one of its cells.
func DecodeEntry(row []byte, cell Cell) (Entry, error) {
	if _, err := DecodeKey(row); err != nil {
		return Entry{}, err
	}
	return Entry{row, cell, valuesOf(knownIn(row, &cell))}, nil
}

func notAKey(key []byte) error {
	return &failure{ErrNotAKey, fmt.Sprintf("%q is no row key of index %s: check that it comes from table %s", key, Name, Table)}
}

// Prefix asks for every entry whose key begins with these parts. Later ones may be left out.
func Prefix(parts Parts) (*Query, error) {
	return Between(parts, nil, nil)
}

// Between asks for every entry with these parts, and the next one from start, inclusive, to stop, exclusive. Nil: no bound.
// If the index has a table for each period, the bounds are those of its time, whichever parts are given.
func Between(parts Parts, start, stop any) (*Query, error) {
	given, err := parts.first()
	if err != nil {
		return nil, err
	}
	return newQuery(given, start, stop)
}

// TablesBetween names the tables that have entries from start, inclusive, to stop, exclusive, in the order of their periods.
// An index without a table for each period has one table.
func TablesBetween(start, stop any) ([]string, error) {
	if err := loadZones(); err != nil {
		return nil, err
	}
	return tablesBetween(start, stop)
}
