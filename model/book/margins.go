package book

import (
	"iter"
	"math"
	"time"

	"blotter/model"
	"blotter/model/book/pairs"
)

// Margins are the newest margin records of the parties and markets of a book: one for each party, market and asset. A
// service never deletes a record.
type Margins struct {
	records
	assets  model.Dictionary[model.ID]
	written marginTexts
	newest  int64 // the newest time of a record
	limit   int   // of records
}

// Those numbers of a margin record, as it is stored, that are read alone. The others have the place of their
// model.MarginNumber too. The last is when the record was read, in nanoseconds since the Unix epoch.
const (
	maintenanceMargin = model.Field(model.MaintenanceMargin)
	marginTimestamp   = model.Field(model.MarginTimestamp)
	marginReadAt      = model.Field(model.MarginNumberCount)
)

func newMargins(limit int) *Margins { return &Margins{records: newRecords(), limit: limit} }

// Len returns how many records there are.
func (m *Margins) Len() int { return m.count() }

// IsFull reports whether there is no room for the first record of another party, market or asset.
func (m *Margins) IsFull() bool { return m.Len() >= m.limit }

// Find returns the record of a party and market in an asset, and when it was read. The zero asset means one that is
// not known: then it is the newest record, in whatever asset.
func (m *Margins) Find(key model.Key, asset model.ID) (levels model.MarginLevels, readAt time.Time, ok bool) {
	number := m.NumberOf(key, asset)
	if number == 0 {
		return model.MarginLevels{}, time.Time{}, false
	}
	return m.Levels(number), time.Unix(0, m.readAt(number)), true
}

// All yields every record once, with when it was read, in no particular order.
func (m *Margins) All(yield func(levels model.MarginLevels, readAt time.Time) bool) {
	for number := range m.all {
		if !yield(m.Levels(number), time.Unix(0, m.readAt(number))) {
			return
		}
	}
}

// Pages returns all records in pages of at most size, each of records that were read at the same time.
func (m *Margins) Pages(size int) (all []*model.Page) {
	pages := make(map[time.Time]*model.Page)
	for levels, at := range m.All {
		page := pages[at]
		if page == nil || len(page.Rows) == size {
			page = &model.Page{ReadAt: at}
			pages[at] = page
			all = append(all, page)
		}
		page.Rows = append(page.Rows, levels)
	}
	return all
}

// NumberOf returns the number of the record that Find returns, and 0 if there is none.
func (m *Margins) NumberOf(key model.Key, asset model.ID) uint32 {
	var found uint32
	for number := range m.withKey(key) {
		switch {
		case m.asset(number) == asset:
			return number
		case !asset.IsZero():
		case found == 0, m.isNewer(number, found):
			found = number
		}
	}
	return found
}

// exact returns the number of the record with the key, and 0 if there is none.
func (m *Margins) exact(key model.MarginKey) uint32 {
	for number := range m.withKey(key.Key) {
		if m.asset(number) == key.Asset {
			return number
		}
	}
	return 0
}

// isNewer reports whether a record is newer than another of the same party and market.
func (m *Margins) isNewer(number, other uint32) bool {
	if c := m.Amount(number, marginTimestamp).Compare(m.Amount(other, marginTimestamp)); c != 0 {
		return c > 0
	}
	return m.asset(number).Compare(m.asset(other)) < 0
}

// takes reports whether a record is to be put in place of the one with the number, which may be 0: there must be room
// for it, and it must not be older. A time that is later than notAfter, in nanoseconds since the Unix epoch, decides
// nothing.
func (m *Margins) takes(levels *model.MarginLevels, number uint32, notAfter int64) bool {
	if number == 0 {
		return !m.IsFull()
	}
	before, usableBefore := m.Amount(number, marginTimestamp).UsableTime(notAfter)
	at, usable := levels.Timestamp.UsableTime(notAfter)
	return !usable || !usableBefore || at >= before
}

// NewRecord is a record of a page that is new, or that has changed.
type NewRecord struct {
	*model.MarginLevels
	Before uint32 // the number of the record in whose place it comes; 0 if there is none
	Read   pairs.ReadTimes
}

// NewOf yields those records of a page that are new or have changed, and are not older than those that there are. The
// loop must put each: see Book.PutMargins.
func (m *Margins) NewOf(page *model.Page) iter.Seq[NewRecord] {
	return func(yield func(NewRecord) bool) {
		read := pairs.ReadOf(page)
		for i := range page.Rows {
			levels := &page.Rows[i]
			before := m.exact(levels.MarginKey)
			switch {
			case before != 0 && m.Levels(before) == *levels:
				m.readAgain(before, read.ReadAt)
			case m.takes(levels, before, read.NotAfter):
				if at, usable := levels.Timestamp.UsableTime(math.MaxInt64); usable {
					m.newest = max(m.newest, at)
				}
				if !yield(NewRecord{levels, before, read}) {
					return
				}
			}
		}
	}
}

// Put keeps a record in place of the one with its key.
func (m *Margins) Put(record NewRecord) {
	levels, number := record.MarginLevels, record.Before
	if number == 0 {
		number = m.addRecord(levels.Key)
		m.at(number).statusOrAsset = m.assets.Code(levels.Asset)
	}
	m.noteTime(levels.Timestamp)
	var numbers [marginReadAt + 1]model.Packed
	var long *model.Texts
	for n := range model.MarginNumberCount {
		a := levels.Number(n)
		numbers[n] = a.Packed()
		if numbers[n].IsText() {
			if long == nil {
				long = new(model.Texts)
			}
			long.Numbers[n] = a.String()
		}
	}
	numbers[marginReadAt] = model.AmountOf(record.Read.ReadAt).Packed()
	m.write(number, numbers[:], long)
	m.written.put(number, &levels.MarginTexts)
}

func (m *Margins) marginKey(number uint32) model.MarginKey {
	return model.MarginKey{Key: m.key(number), Asset: m.asset(number)}
}

func (m *Margins) asset(number uint32) model.ID { return m.assets.Values()[m.at(number).statusOrAsset] }

// RecordedAt returns the time of a record, and false if it has none.
func (m *Margins) RecordedAt(number uint32) (time.Time, bool) {
	return m.Amount(number, marginTimestamp).Time()
}

// readAt returns when a record was read, in nanoseconds since the Unix epoch.
func (m *Margins) readAt(number uint32) int64 { return m.at(number).numbers[marginReadAt] }

// readAgain records that a record was read as it is.
func (m *Margins) readAgain(number uint32, at int64) {
	m.at(number).numbers[marginReadAt] = max(m.readAt(number), at)
}

// Levels returns the record with the number, which must not be 0.
func (m *Margins) Levels(number uint32) model.MarginLevels {
	levels := model.MarginLevels{MarginKey: m.marginKey(number), MarginTexts: m.written.of(number)}
	for n := range model.MarginNumberCount {
		levels.SetNumber(n, m.Amount(number, model.Field(n)))
	}
	return levels
}

// NoNumbers calls yield with each number of a margin record that is a text and no number, in no order, until it returns
// false.
func (m *Margins) NoNumbers(yield func(key model.Key, n model.MarginNumber, text string) bool) {
	m.eachNoNumber(func(key model.Key, f model.Field, text string) bool {
		n := model.MarginNumber(f)
		return n >= model.MarginNumberCount || n.IsTime() || yield(key, n, text)
	})
}
