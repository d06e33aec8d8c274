package model

import "time"

// Margins are the newest margin records of the parties and markets of a book: one for each party, market and asset. Four
// levels and a time take 16 bytes each, as the numbers of a position do. A service never deletes a record.
type Margins struct {
	first  map[Key]*marginRecord // the record of one asset; those of further assets follow it
	unused []marginRecord        // memory for further records: a million of them are a few thousand objects
	limit  int                   // of records
	count  int
}

// marginRecord is a MarginLevels whose party and market are known.
type marginRecord struct {
	asset   ID
	amounts [marginFields]packed
	texts   *[marginFields]string // the amounts that do not fit in place; nil where all fit
	readAt  int64                 // in nanoseconds since the Unix epoch
	next    *marginRecord         // of the same party and market, in another asset
}

// marginField is one of the amounts of a margin record.
type marginField uint8

const (
	maintenanceMargin marginField = iota
	searchLevel
	initialMargin
	releaseLevel
	marginTimestamp
	marginFields
)

// recordsTogether is how many records get their memory at once.
const recordsTogether = 256

func newMargins(limit int) *Margins {
	return &Margins{first: make(map[Key]*marginRecord), limit: limit}
}

// Len returns how many records there are.
func (m *Margins) Len() int { return m.count }

// IsFull reports whether there is no room for the first record of another party, market or asset.
func (m *Margins) IsFull() bool { return m.count >= m.limit }

// Find returns the record of a party and market in an asset, and when it was read. The zero asset stands for one that is
// not known: then it is the newest record, in whatever asset.
func (m *Margins) Find(key Key, asset ID) (levels MarginLevels, readAt time.Time, ok bool) {
	r := m.find(key, asset)
	if r == nil {
		return MarginLevels{}, time.Time{}, false
	}
	return r.levels(key), time.Unix(0, r.readAt), true
}

// find returns what Find does, nil where there is no record.
func (m *Margins) find(key Key, asset ID) *marginRecord {
	var found *marginRecord
	for r := m.first[key]; r != nil; r = r.next {
		switch {
		case r.asset == asset:
			return r
		case !asset.IsZero():
		case found == nil, r.isNewer(found):
			found = r
		}
	}
	return found
}

// isNewer reports whether a record is newer than another of the same party and market.
func (r *marginRecord) isNewer(other *marginRecord) bool {
	if c := r.amount(marginTimestamp).Compare(other.amount(marginTimestamp)); c != 0 {
		return c > 0
	}
	return r.asset.Compare(other.asset) < 0
}

// takes reports whether a record is to be put in place of r, which may be nil: there must be room for it, and it must not
// be older. A time that is later than notAfter, in nanoseconds since the Unix epoch, decides nothing.
func (m *Margins) takes(levels *MarginLevels, r *marginRecord, notAfter int64) bool {
	if r == nil {
		return !m.IsFull()
	}
	before, usableBefore := timeOfChange(r.amount(marginTimestamp), notAfter)
	at, usable := timeOfChange(levels.Timestamp, notAfter)
	return !usable || !usableBefore || at >= before
}

// exact returns the record with the key, nil where there is none.
func (m *Margins) exact(key MarginKey) *marginRecord {
	for r := m.first[key.Key]; r != nil; r = r.next {
		if r.asset == key.Asset {
			return r
		}
	}
	return nil
}

// put keeps a record in place of r, the one with its key; nil where there is none.
func (m *Margins) put(levels *MarginLevels, r *marginRecord, readAt int64) {
	if r == nil {
		if len(m.unused) == 0 {
			m.unused = make([]marginRecord, recordsTogether)
		}
		r, m.unused = &m.unused[0], m.unused[1:]
		r.next = m.first[levels.Key]
		m.first[levels.Key] = r
		m.count++
	}
	r.set(levels)
	r.readAt = readAt
}

func (r *marginRecord) set(levels *MarginLevels) {
	r.asset, r.texts = levels.Asset, nil
	for f, a := range [marginFields]Amount{levels.Maintenance, levels.Search, levels.Initial, levels.Release, levels.Timestamp} {
		if !a.isText {
			r.amounts[f] = packed{a.high, a.low}
			continue
		}
		if r.texts == nil {
			r.texts = new([marginFields]string)
		}
		r.texts[f] = a.text
		r.amounts[f] = packed{high: packedText}
	}
}

func (r *marginRecord) amount(f marginField) Amount {
	if n := r.amounts[f]; n.high != packedText {
		return n.amount()
	}
	return Amount{text: r.texts[f], isText: true}
}

func (r *marginRecord) levels(key Key) MarginLevels {
	return MarginLevels{
		MarginKey:   MarginKey{key, r.asset},
		Maintenance: r.amount(maintenanceMargin),
		Search:      r.amount(searchLevel),
		Initial:     r.amount(initialMargin),
		Release:     r.amount(releaseLevel),
		Timestamp:   r.amount(marginTimestamp),
	}
}
