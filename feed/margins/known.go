package margins

import (
	"hash/maphash"

	"blotter/feed/endpoint"
	"blotter/model"
)

// knownRecords are the records that were read. They take about 40 bytes each.
type knownRecords struct {
	seed    maphash.Seed
	records map[uint64]knownRecord // by the number of the key
}

type knownRecord struct {
	version uint64 // that was read last, as a number
	newest  int64  // the newest time that was read, in nanoseconds; 0 if none is known
}

func newKnown() knownRecords { return knownRecords{maphash.MakeSeed(), make(map[uint64]knownRecord)} }

func (k knownRecords) version(levels *model.MarginLevels) uint64 {
	return maphash.Comparable(k.seed, *levels)
}

// of returns what was read of a record; nothing if there is no earlier copy.
func (k knownRecords) of(levels *model.MarginLevels) knownRecord {
	if len(k.records) == 0 {
		return knownRecord{}
	}
	return k.records[maphash.Comparable(k.seed, levels.MarginKey)]
}

// has reports whether a record was read and has not changed since.
func (k knownRecords) has(levels *model.MarginLevels) bool {
	return k.of(levels).version == k.version(levels)
}

func (k knownRecords) add(levels *model.MarginLevels) {
	newest := max(k.of(levels).newest, timeOf(levels))
	k.records[maphash.Comparable(k.seed, levels.MarginKey)] = knownRecord{k.version(levels), newest}
}

// timeOf returns the time of a record in nanoseconds, 0 if it is not known.
func timeOf(levels *model.MarginLevels) int64 {
	at, unit := levels.Timestamp.Nanoseconds()
	if unit == model.NoTime {
		return 0
	}
	return at
}

// hasOlder reports whether a page without a block is from a node that is behind: more than one of its records, and more
// than one in a hundred, are older than they were when they were read before.
func (w *walk) hasOlder(page *endpoint.Page) bool {
	if page.Block.Height != 0 {
		return false
	}
	older := 0
	for i := range page.Rows {
		if at := timeOf(&page.Rows[i]); at != 0 && at < max(w.known.of(&page.Rows[i]).newest, w.earlier.of(&page.Rows[i]).newest) {
			older++
		}
	}
	return older > 1 && 100*older > len(page.Rows)
}
