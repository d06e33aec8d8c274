package wire

import (
	"slices"
	"unsafe"

	"blotter/model"
)

// A service writes its positions alike: the same names in the same order, and the same text between their values. So
// the text between the values of a position is kept, and the next positions are read by comparing them with it. A
// position that is written in another way is read member by member. BenchmarkDecode takes 1.4 times as long without
// that.

// field is what a member of a position sets: a number of the model from firstNumber on.
type field uint8

const (
	unread field = iota
	partyID
	marketID
	status
	firstNumber
)

func fieldOf(name string) field {
	switch name {
	case "partyId":
		return partyID
	case "marketId":
		return marketID
	case "positionStatus":
		return status
	}
	for f := range model.FieldCount {
		if f.Name() == name {
			return firstNumber + field(f)
		}
	}
	return unread
}

// set sets a field of a position to a value as it was written.
func (r *Reader) set(p *model.Position, f field, value []byte) {
	switch f {
	case unread:
	case partyID:
		p.Party = r.intern(value)
	case marketID:
		p.Market = r.intern(value)
	case status:
		p.SetStatus(value)
	default:
		p.ReadNumber(model.Field(f-firstNumber), value)
	}
}

// place is where a position has a value.
type place struct {
	before string // the text between the value before, or the beginning of the position, and this one
	quoted bool   // the value is a text, and its first quote is in before; else it is a single digit
	field  field
}

func (r *Reader) position(p *model.Position) {
	start := r.at
	if !r.readAlike(p) {
		if r.readMembers(p); r.err == nil {
			r.keepPlaces(start)
		}
	}
	r.countRow(start, unsafe.Sizeof(*p))
}

// readAlike reads a position that is written as the places are, of which some may be absent. If it is not, or has not
// come whole, nothing is read: what was set in p is in the text, and is set again when that is read.
func (r *Reader) readAlike(p *model.Position) bool {
	text, at := r.text, r.at
	for i := range r.places {
		place := &r.places[i]
		from := at + len(place.before)
		switch {
		case from >= len(text):
			return false
		case string(text[at:from]) != place.before:
			continue
		case !place.quoted && text[from]-'0' > 9:
			return false
		case !place.quoted:
			at = from + 1
			r.set(p, place.field, text[from:at])
		default:
			to := findSpecial(text, from)
			if to == len(text) || text[to] != '"' {
				return false
			}
			at = to + 1
			if place.field != unread {
				r.set(p, place.field, text[from:to])
			}
		}
	}
	if at == len(text) || at == r.at || text[r.at] != '{' || text[at] != '}' {
		return false
	}
	r.at = at + 1
	return true
}

// span is where the text of a value is, and what it sets.
type span struct {
	from, to int
	field    field
}

// readMembers reads a position member by member, and notes where its values are. A field that is absent or null is
// zero: services leave zeros out.
func (r *Reader) readMembers(p *model.Position) {
	r.values = r.values[:0]
	if c := r.peek(); c != '{' {
		r.wrongKind(c, "a position")
		return
	}
	for o := r.object(); r.member(o); {
		r.peek()
		value := span{from: r.at, field: fieldOf(o.name)}
		read := r.value
		if value.field == partyID || value.field == marketID {
			read = r.scalar
		}
		if text, ok := read(); ok {
			r.set(p, value.field, text)
		}
		if value.to = r.at; len(r.values) <= maxPlaces {
			r.values = append(r.values, value)
		}
	}
}

// maxPlaces is how many values a position may have whose places are kept.
const maxPlaces = 64

// keepPlaces adds the places of the position that was read, which began at a place in the text, to those that are kept.
// A service may never write two positions alike: so it does this less and less often.
func (r *Reader) keepPlaces(start int) {
	r.different++
	isTurn := r.different&(r.different-1) == 0
	if !isTurn || len(r.values) > maxPlaces {
		return
	}
	var places []place
	from := start
	for _, value := range r.values {
		text := r.text[value.from:value.to]
		p := place{quoted: text[0] == '"', field: value.field}
		before := value.from
		if p.quoted {
			before++
		} else if len(text) != 1 || text[0]-'0' > 9 {
			return
		}
		p.before = string(r.text[from:before])
		places = append(places, p)
		from = value.to
	}
	r.places = mergePlaces(r.places, places)
}

// mergePlaces returns the places of positions that are written in either way, so that a position can lack some of
// them. If there is no such way, it returns the new ones.
func mergePlaces(before, places []place) []place {
	merged, next := slices.Clone(before), 0
	for _, p := range places {
		if at := slices.Index(merged[next:], p); at >= 0 {
			next += at + 1
			continue
		}
		merged = slices.Insert(merged, next, p)
		next++
	}
	seen := make(map[field]bool)
	for i, p := range merged {
		isTwice, begins := p.field != unread && seen[p.field], p.before[0] == '{'
		if isTwice || begins && i > 0 || i == maxPlaces { // a position that is not JSON, or has a field twice, would be accepted
			return places
		}
		seen[p.field] = true
	}
	return merged
}
