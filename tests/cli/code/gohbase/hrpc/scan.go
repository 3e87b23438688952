// Package hrpc stands in for github.com/tsuna/gohbase/hrpc.
package hrpc

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"os"
	"strings"
)

// Cell is one of an HBase row.
type Cell struct{ Row, Family, Qualifier, Value []byte }

// Result is a row.
type Result struct{ Cells []*Cell }

// Scan is of a table from a row, inclusive, to another, exclusive.
type Scan struct{ table, start, stop []byte }

// NewScanRange fails never.
func NewScanRange(ctx context.Context, table, start, stop []byte) (*Scan, error) {
	return &Scan{table, start, stop}, nil
}

// Scanner gives rows, and then io.EOF.
type Scanner interface {
	Next() (*Result, error)
	Close() error
}

type scanner struct{ results []*Result }

// Read takes lines `TABLE ROW FAMILY QUALIFIER VALUE` in the order of their rows.
func Read(path string, scan *Scan) Scanner {
	text, err := os.ReadFile(path)
	if err != nil {
		panic(err)
	}
	found := &scanner{}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		words := [5][]byte{}
		for i, word := range strings.Split(line, " ") {
			words[i], _ = hex.DecodeString(word)
		}
		row := words[1]
		if !bytes.Equal(words[0], scan.table) || bytes.Compare(row, scan.start) < 0 ||
			(len(scan.stop) > 0 && bytes.Compare(row, scan.stop) >= 0) {
			continue
		}
		last := len(found.results) - 1
		if last < 0 || !bytes.Equal(found.results[last].Cells[0].Row, row) {
			found.results, last = append(found.results, &Result{}), last+1
		}
		found.results[last].Cells = append(found.results[last].Cells, &Cell{row, words[2], words[3], words[4]})
	}
	return found
}

func (s *scanner) Next() (*Result, error) {
	if len(s.results) == 0 {
		return nil, io.EOF
	}
	result := s.results[0]
	s.results = s.results[1:]
	return result, nil
}

func (s *scanner) Close() error { return nil }
