package model

import "slices"

// directory gives the parties, markets and statuses of a view small numbers, so that what is true of one (it
// matches a filter, it settles in an asset) is found in a slice. It also knows which asset each market settles in.
type directory struct {
	instruments *Instruments
	parties     numbering[ID]
	markets     numbering[ID]
	assets      numbering[ID]
	statuses    numbering[string]
	usual       [usualStatuses]uint32 // the numbers of statuses in statuses, counted from 1; 0 where not known yet
	settlement  []uint32              // the number of a market's asset, by that of the market
}

// numbering is things and their numbers, which count from 0.
type numbering[K comparable] struct {
	numbers map[K]uint32
	all     []K
}

// number is the number of k, a new one where it has none.
func (n *numbering[K]) number(k K) uint32 {
	number, ok := n.numbers[k]
	if !ok {
		if n.numbers == nil {
			n.numbers = make(map[K]uint32)
		}
		number = uint32(len(n.all))
		n.numbers[k] = number
		n.all = append(n.all, k)
	}
	return number
}

// sort numbers everything anew, in order, and returns the new number for each old one.
func (n *numbering[K]) sort(compare func(a, b K) int) []uint32 {
	before := n.all
	n.all = slices.SortedFunc(slices.Values(before), compare)
	for number, k := range n.all {
		n.numbers[k] = uint32(number)
	}
	renumbered := make([]uint32, len(before))
	for number, k := range before {
		renumbered[number] = n.numbers[k]
	}
	return renumbered
}

// entry is the entry of a row.
func (d *directory) entry(row *Position) entry {
	party, market := d.parties.number(row.Party), d.markets.number(row.Market)
	d.settle()
	return d.state(row, party, market)
}

// state is the entry of a row whose party and market have these numbers.
func (d *directory) state(row *Position, party, market uint32) entry {
	return newEntry(row, party, market, d.status(row), sideOf(row))
}

// usualStatuses are how many statuses, from 0 on, have their numbers looked up without their names.
const usualStatuses = 8

// status is the number of a row's status, unnumbered where there are too many of them.
func (d *directory) status(row *Position) uint32 {
	if s := row.status; 0 <= s && s < usualStatuses {
		if d.usual[s] == 0 {
			d.usual[s] = d.statusNamed(row.StatusName()) + 1
		}
		return d.usual[s] - 1
	}
	return d.statusNamed(row.StatusName())
}

func (d *directory) statusNamed(name string) uint32 {
	if _, known := d.statuses.numbers[name]; !known && len(d.statuses.all) >= unnumbered {
		return unnumbered
	}
	return d.statuses.number(name)
}

// settle looks up the assets of the markets that are new.
func (d *directory) settle() {
	for _, id := range d.markets.all[len(d.settlement):] {
		d.settlement = append(d.settlement, d.assets.number(d.instruments.Market(id).Asset))
	}
}

// entries are the entries of all rows of the book that are in scope. At first their numbers go up as parties and markets
// are called.
func (d *directory) entries(book *Book, scope *Scope) []entry {
	entries := make([]entry, 0, book.Len())
	for row := range book.All {
		if scope.Covers(row.Key) {
			entries = append(entries, d.entry(row))
		}
	}
	parties, markets := d.parties.sort(d.instruments.compareParties), d.markets.sort(d.instruments.compareMarkets)
	for i, e := range entries {
		entries[i] = newEntry(e.row, parties[e.party()], markets[e.market()], e.status(), e.side())
	}
	d.settlement = d.settlement[:0]
	d.settle()
	return entries
}
