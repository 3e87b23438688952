// Package gohbase stands in for github.com/tsuna/gohbase: it reads the rows of file `rows`, in lines of hexadecimal words.
package gohbase

import "github.com/tsuna/gohbase/hrpc"

// Client has the calls that the program of docs/reading.md makes.
type Client interface {
	Scan(scan *hrpc.Scan) hrpc.Scanner
	Close()
}

type client struct{}

// NewClient connects to nothing.
func NewClient(zookeeper string) Client {
	return client{}
}

func (client) Scan(scan *hrpc.Scan) hrpc.Scanner { return hrpc.Read("rows", scan) }
func (client) Close()                            {}
