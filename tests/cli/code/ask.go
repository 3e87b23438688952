// Beside a file that `fensi code go` printed, in its package: answers questions about it, each a line of words.
//
//	query PART... START STOP          gives tables|ranges|exact
//	cells PART... START STOP / CELL   gives the values of each entry that matches; a cell is ROW FAMILY QUALIFIER VALUE
//	entries PART... START STOP / CELL gives for each a space, family:qualifier and the values, each with its kind in front
//	decode KEY                        gives the values in a row key
//	encode PART...                    gives the row key
//	made PART VALUE                   gives the bytes of a part of the row key
//	lanes PART... START STOP          gives the salt and the ranges of each lane
//
// Values: i:42 (a number), d:2.5, b:HEX, s:TEXT, t:MILLIS, n:NANOSECONDS, - (none). A refusal is its kind, and behind "! " its text.
package NAME

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"time"
)

func valueOfWord(word string) any {
	if word == "-" {
		return nil
	}
	text := word[2:]
	switch word[0] {
	case 'i':
		number, _ := strconv.ParseInt(text, 10, 64)
		return number
	case 'd':
		real, _ := strconv.ParseFloat(text, 64)
		return real
	case 't':
		number, _ := strconv.ParseInt(text, 10, 64)
		return time.UnixMilli(number)
	case 'n':
		number, _ := strconv.ParseInt(text, 10, 64)
		return time.Unix(0, number)
	case 's':
		return text
	}
	value, _ := hex.DecodeString(text)
	return value
}

func partsOfWords(words []string) Parts {
	parts := Parts{}
	for i, word := range words {
		if value := valueOfWord(word); value != nil {
			reflect.ValueOf(&parts).Elem().Field(i).Set(reflect.ValueOf(value))
		}
	}
	return parts
}

func queryOfWords(words []string) (*Query, error) {
	last := len(words) - 2
	if last > len(keyParts) {
		return nil, badPart("%d parts were given, the row key has %d", last, len(keyParts))
	}
	return Between(partsOfWords(words[:last]), valueOfWord(words[last]), valueOfWord(words[last+1]))
}

func shownRanges(ranges []Range) string {
	shown := []string{}
	for _, one := range ranges {
		shown = append(shown, hex.EncodeToString(one.Start)+".."+hex.EncodeToString(one.Stop))
	}
	return "[" + strings.Join(shown, ", ") + "]"
}

func shownValues(values map[string]Value, marks, kinds bool) string {
	texts, names := map[string]string{}, []string{}
	for name, value := range values {
		if marks && !value.Exact {
			name += "~"
		}
		text := fmt.Sprint(value.Data)
		switch data := value.Data.(type) {
		case []byte:
			text = hex.EncodeToString(data)
		case float64:
			text = strconv.FormatInt(int64(math.Float64bits(data)), 10)
		}
		if kinds {
			text = fmt.Sprintf("%T:", value.Data)[:1] + text
		}
		name = hex.EncodeToString([]byte(name))
		texts[name], names = text, append(names, name)
	}
	sort.Strings(names)
	shown := []string{}
	for _, name := range names {
		shown = append(shown, name+"="+texts[name])
	}
	return "{" + strings.Join(shown, ", ") + "}"
}

// Ask answers one line.
func Ask(words []string) string {
	answer, err := answered(words)
	switch {
	case errors.Is(err, ErrBadPart):
		return "BadPartException! " + err.Error()
	case errors.Is(err, ErrNotAKey):
		return "NotAKeyException! " + err.Error()
	case err != nil:
		return "Exception! " + err.Error()
	}
	return answer
}

func answered(words []string) (string, error) {
	switch words[0] {
	case "decode":
		values, err := DecodeKey(valueOfWord(words[1]).([]byte))
		return shownValues(values, false, false), err
	case "encode":
		key, err := EncodeKey(partsOfWords(words[1:]))
		return hex.EncodeToString(key), err
	case "made":
		at, _ := strconv.Atoi(words[1])
		made, err := rowTemplate[at].encode(0, valueOfWord(words[2]))
		return hex.EncodeToString(made), err
	case "query", "lanes":
		query, err := queryOfWords(words[1:])
		if err != nil {
			return "", err
		}
		if words[0] == "query" {
			tables := strings.Join(query.Tables, ", ")
			return fmt.Sprintf("[%s]|%s|%t", tables, shownRanges(query.Ranges), query.Exact), nil
		}
		lanes := []string{}
		for _, lane := range query.Lanes {
			lanes = append(lanes, hex.EncodeToString(lane.Salt)+shownRanges(lane.Ranges))
		}
		return strings.Join(lanes, " "), nil
	}
	return answeredOfCells(words)
}

func answeredOfCells(words []string) (string, error) {
	end := 0
	for words[end] != "/" {
		end++
	}
	query, err := queryOfWords(words[1:end])
	if err != nil {
		return "", err
	}
	var row []byte
	cells := []Cell{}
	for at := end + 1; at < len(words); at += 4 {
		items := [4][]byte{}
		for i := range items {
			items[i] = valueOfWord(words[at+i]).([]byte)
		}
		row = items[0]
		cells = append(cells, Cell{items[1], items[2], items[3]})
	}
	out := ""
	for _, entry := range query.Matches(row, cells) {
		if words[0] == "entries" {
			out += " " + hex.EncodeToString(entry.Cell.Family) + ":" + hex.EncodeToString(entry.Cell.Qualifier)
		}
		if again, err := DecodeEntry(row, entry.Cell); err == nil && !reflect.DeepEqual(again, entry) {
			return fmt.Sprintf("DecodeEntry gives %v", again), nil
		}
		out += shownValues(entry.Values, true, words[0] == "entries")
	}
	return out, nil
}
