package wire

import (
	"unsafe"

	"blotter/model"
)

// A service writes its positions alike: the same names in the same order, and the same text between their values. So
// the text between the values of a position is kept, and the next positions are read by comparing them with it. A
// position that is written in another way is read member by member. BenchmarkDecode takes 1.8 times as long without that.

// field is what a member of a position sets: a number of the model from firstNumber on.
type field uint8

const (
	unread field = iota
	partyID
	marketID
	status
	firstNumber
)

// fieldOf returns what a member sets.
func fieldOf(name string) field {
	switch name {
	case "partyId":
		return partyID
	case "marketId":
		return marketID
	case "positionStatus":
		return status
	case "openVolume":
		return firstNumber + field(model.OpenVolume)
	case "averageEntryPrice":
		return firstNumber + field(model.AverageEntryPrice)
	case "realisedPnl":
		return firstNumber + field(model.RealisedPnl)
	case "unrealisedPnl":
		return firstNumber + field(model.UnrealisedPnl)
	case "lossSocialisationAmount":
		return firstNumber + field(model.LossSocialisationAmount)
	case "updatedAt":
		return firstNumber + field(model.UpdatedAt)
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

// likeness is whether a position is written like the one whose places are kept.
type likeness uint8

const (
	alike likeness = iota
	different
	cut // the rest of it has not been read from the body
)

// position reads one position.
func (r *Reader) position(p *model.Position) {
	start := r.at
	switch r.readAlike(p) {
	case cut:
		*p = model.Position{}
		r.readMembers(p, nil)
	case different:
		*p = model.Position{}
		r.readDifferent(p)
	}
	r.countRow(start, unsafe.Sizeof(*p))
}

// readAlike reads a position that is written as the places are, of which some may be absent. If it is not, nothing is
// read, and p means nothing.
func (r *Reader) readAlike(p *model.Position) likeness {
	text, at := r.text, r.at
	for i := range r.places {
		place := &r.places[i]
		from := at + len(place.before)
		switch {
		case from >= len(text):
			return cut
		case string(text[at:from]) != place.before:
			continue
		case !place.quoted && text[from]-'0' > 9:
			return different
		case !place.quoted:
			at = from + 1
			r.set(p, place.field, text[from:at])
		default:
			to := findSpecial(text, from)
			if to == len(text) {
				return cut
			} else if text[to] != '"' {
				return different
			}
			at = to + 1
			if place.field != unread {
				r.set(p, place.field, text[from:to])
			}
		}
	}
	switch {
	case at == len(text):
		return cut
	case at == r.at || text[at] != '}':
		return different
	}
	r.at = at + 1
	return alike
}

// readDifferent reads a position that is not written as the places are. Of some of them the places are kept, if the
// position has as many members or more: fewer and fewer, because that takes longer than to read one.
func (r *Reader) readDifferent(p *model.Position) {
	r.different++
	if r.different&(r.different-1) != 0 {
		r.readMembers(p, nil)
		return
	}
	var places []place
	r.readMembers(p, &places)
	if r.err == nil && len(places) >= len(r.places) {
		r.places = places
	}
}

// readMembers reads a position member by member, and adds their places if that is not nil. A field that is absent or
// null is zero: services leave zeros out.
func (r *Reader) readMembers(p *model.Position, places *[]place) {
	if c := r.peek(); c != '{' {
		r.wrongKind(c, "a position")
		return
	}
	from := r.at
	for o := r.object(); r.member(o); {
		f, quoted, at := fieldOf(o.name), r.peek() == '"', r.at
		if f == unread {
			r.skip()
		} else if value, ok := r.scalar(); ok {
			r.set(p, f, value)
		}
		if places != nil && r.err == nil {
			places = r.addPlace(places, from, at, place{quoted: quoted, field: f})
		}
		from = r.at
	}
}

// addPlace adds the place of a value, which is at a place in the text. It returns nil if the value is one for which no
// places are kept.
func (r *Reader) addPlace(to *[]place, from, at int, p place) *[]place {
	value := r.text[at:r.at]
	switch {
	case p.quoted:
		at++
	case len(value) != 1 || value[0]-'0' > 9:
		*to = nil
		return nil
	}
	p.before = string(r.text[from:at])
	*to = append(*to, p)
	return to
}
