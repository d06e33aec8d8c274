package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"blotter/ui/command/remote"
	"blotter/ui/command/remote/admission"
	"blotter/ui/format"
)

const (
	lineTime     = time.Minute // in which connections without a key are counted together
	maxAddresses = 100         // that have a line of their own in this time
	maxReports   = 1000        // that wait until their lines are written
)

// connectionLines writes a line when a trader connects, and another one when its connection ends. Connections that did
// not sign in have a line a minute for each address: anyone can make them. Lines that cannot be written are lost.
type connectionLines struct {
	output  io.Writer
	reports chan remote.Connection
	missed  atomic.Int64 // reports for which there was no room
	denied  tally        // connections whose keys were denied
	others  tally        // connections that have shown no key
}

func newConnectionLines(output io.Writer) *connectionLines {
	return &connectionLines{output: output, reports: make(chan remote.Connection, maxReports)}
}

// add takes a report without waiting.
func (l *connectionLines) add(of remote.Connection) {
	select {
	case l.reports <- of:
	default:
		l.missed.Add(1)
	}
}

// run writes the lines until ctx ends, and then those that are left.
func (l *connectionLines) run(ctx context.Context) {
	minute := time.NewTicker(lineTime)
	defer minute.Stop()
	for {
		select {
		case of := <-l.reports:
			l.take(of)
		case <-minute.C:
			l.writeTallies()
		case <-ctx.Done():
			for len(l.reports) > 0 {
				l.take(<-l.reports)
			}
			l.writeTallies()
			return
		}
	}
}

// take writes the line of a trader's connection, and counts another one.
func (l *connectionLines) take(of remote.Connection) {
	switch {
	case of.Trader != "":
		l.write(of.Begin, of.End, of.Trader, of.Address, of.Fingerprint, of.Why)
	case of.Denied > 0:
		l.denied.add(of, of.Denied)
	default:
		l.others.add(of, 1)
	}
}

// writeTallies writes what was counted since the last time.
func (l *connectionLines) writeTallies() {
	for _, each := range l.denied.take() {
		l.write(each.begin, each.end, "-", each.address, each.first.Fingerprint,
			fmt.Sprintf("%s denied, the first of user %q", format.Counted(each.count, "key"), each.first.User))
	}
	for _, each := range l.others.take() {
		l.write(each.begin, each.end, "-", each.address, "-",
			fmt.Sprintf("%s without a key: %s", format.Counted(each.count, "connection"), each.first.Why))
	}
	if missed := l.missed.Swap(0); missed > 0 {
		now := time.Now()
		l.write(now, now, "-", "-", "-", fmt.Sprintf("%s missing: there were too many", format.Counted(int(missed), "connection")))
	}
}

func (l *connectionLines) write(begin, end time.Time, trader, address, fingerprint, why string) {
	ended := "-"
	if !end.IsZero() {
		ended = end.Format(time.RFC3339)
	}
	_, _ = fmt.Fprintf(l.output, "%s  %s  %s  %s  %s  %s\n", begin.Format(time.RFC3339), ended, trader, address, cmp.Or(fingerprint, "-"), why)
}

// tally has the connections of each address in a minute.
type tally struct {
	addresses map[string]*addressTally
	rest      addressTally // of the addresses above maxAddresses
}

// addressTally has the connections of an address.
type addressTally struct {
	address    string
	begin, end time.Time
	count      int
	first      remote.Connection
}

// add counts a connection, or its keys.
func (t *tally) add(of remote.Connection, count int) {
	address := addressOf(of)
	to := t.addresses[address]
	switch {
	case to != nil:
	case len(t.addresses) == maxAddresses:
		to = &t.rest
	default:
		if t.addresses == nil {
			t.addresses = make(map[string]*addressTally)
		}
		to = &addressTally{address: address}
		t.addresses[address] = to
	}
	to.add(of, of.End, count)
}

func (c *addressTally) add(of remote.Connection, end time.Time, count int) {
	if c.count == 0 {
		c.begin, c.first = of.Begin, of
	}
	c.count, c.end = c.count+count, end
}

// take returns what was counted, and begins again: the addresses in order, or all as one if there are too many.
func (t *tally) take() []addressTally {
	var all []addressTally
	for _, each := range t.addresses {
		all = append(all, *each)
	}
	slices.SortFunc(all, func(a, b addressTally) int {
		return cmp.Or(a.begin.Compare(b.begin), strings.Compare(a.address, b.address))
	})
	if t.rest.count > 0 {
		total := addressTally{address: fmt.Sprintf("more than %d addresses", maxAddresses)}
		for _, each := range append(all, t.rest) {
			total.add(each.first, each.end, each.count)
		}
		all = []addressTally{total}
	}
	*t = tally{}
	return all
}

// addressOf returns the address of a client without the port; of IPv6 its network.
func addressOf(of remote.Connection) string {
	address, err := netip.ParseAddrPort(of.Address)
	if err != nil {
		return of.Address
	}
	network := admission.Network(address.Addr())
	if network.IsSingleIP() {
		return network.Addr().String()
	}
	return network.String()
}
