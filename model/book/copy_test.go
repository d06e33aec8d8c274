package book

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/modeltest"
)

// TestACloneSharesNothing: it is the same book, and stays so while the first one changes; and the other way round.
func TestACloneSharesNothing(t *testing.T) {
	for seed := range uint64(20) {
		w := modeltest.NewWorld(seed, 6+int(seed), 6+int(seed))
		b := New(0).Replaced(Snapshot{Rows: NewRows()})
		change := func(b *Book) {
			for range 30 {
				b.Merge(updateOf(model.Subscription{}, w.Position(model.Subscription{})))
				record := w.Record()
				b.MergeMargins(&model.Page{ReadAt: time.Unix(w.Int64N(100), 0), Rows: []model.MarginLevels{record}})
			}
		}
		change(b)
		p := w.Position(model.Subscription{})
		b.Compare(&AuditPage{First: true, Positions: []model.Position{p}})
		clone := b.Clone()
		want := everythingOf(b)
		if got := everythingOf(clone); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the clone is not the same book", seed)
		}
		change(b)
		b.Compare(&AuditPage{Last: true}) // removes rows
		if got := everythingOf(clone); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the clone has changed with the book", seed)
		}
		want = everythingOf(b)
		change(clone)
		clone.Compare(&AuditPage{Last: true})
		if got := everythingOf(b); !slices.Equal(got, want) {
			t.Fatalf("seed %d: the book has changed with its clone", seed)
		}
	}
}

// everythingOf returns what a book has, in order.
func everythingOf(b *Book) (lines []string) {
	for p := range b.All {
		lines = append(lines, fmt.Sprint(p, b.IsUnsent(p.Key)))
		if found, ok := b.Find(p.Key); !ok || found != p {
			lines = append(lines, fmt.Sprint("not found: ", p))
		}
	}
	for levels, readAt := range b.Margins().All {
		lines = append(lines, fmt.Sprint(levels, readAt))
	}
	for c := range b.SizeChanges {
		lines = append(lines, fmt.Sprint(c))
	}
	for key, since := range Waiting(b) {
		lines = append(lines, fmt.Sprint(key, since))
	}
	slices.Sort(lines)
	return lines
}

// TestCopiedRowsKnowWhenTheirSizesHaveChanged, whatever the book knows that they come into: a recording has seen each
// change at its time, and the book gets them later.
func TestCopiedRowsKnowWhenTheirSizesHaveChanged(t *testing.T) {
	position := func(size int64) model.Position { // without a time
		p := modeltest.Position("m 0")
		p.SetNumber(model.OpenVolume, model.AmountOf(size))
		p.SetNumber(model.UnrealisedPnl, model.AmountOf(-10*size))
		return p
	}
	newBook := func() *Book {
		rows, p := NewRows(), position(1)
		rows.Put(&p)
		b := New(0).Replaced(Snapshot{Rows: rows})
		b.Margins().Put(recordOf(b, model.MarginLevels{MarginKey: model.MarginKey{Key: p.Key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(10)}))
		return b
	}
	recorded, shown, p := newBook(), newBook(), position(2)
	recorded.Merge(&Updates{Positions: []model.Position{p}, NotAfter: 5 + int64(model.AheadFor)}) // before the margin record
	rows, sent := recorded.Copied(model.Subscription{})
	shown = shown.Replaced(Snapshot{Rows: rows, Sent: sent, NotAfter: 20 + int64(model.AheadFor)})
	want, _ := recorded.RatioOf(&p, model.ID{})
	if got, ok := shown.RatioOf(&p, model.ID{}); !ok || got != want || got.HasEnded() {
		t.Errorf("the ratio is %s, %v, want %s", got, ok, want)
	}
}

// TestACopiedRowWaitsForTheRecordOfEachAsset: after a jump the rows come first and the margin records then. One that is
// not older than the size of its row comes before one that is.
func TestACopiedRowWaitsForTheRecordOfEachAsset(t *testing.T) {
	p := modeltest.Position("m 1 @10")
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(-50))
	put := func(b *Book, asset string, at int64) {
		levels := model.MarginLevels{
			MarginKey:   model.MarginKey{Key: p.Key, Asset: model.MakeID(asset)},
			Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(at),
		}
		table, number := b.Row(p.Key)
		b.PutMargins(table, number, recordOf(b, levels))
	}
	rows := NewRows()
	rows.Put(&p)
	recorded := New(0).Replaced(Snapshot{Rows: rows})
	put(recorded, "old", 15)
	p.SetNumber(model.OpenVolume, model.AmountOf(2))
	p.SetNumber(model.UpdatedAt, model.AmountOf(20))
	recorded.Merge(&Updates{Positions: []model.Position{p}, NotAfter: modeltest.NotAfter})
	put(recorded, "new", 25)
	copied, sent := recorded.Copied(model.Subscription{})
	shown := New(0).Replaced(Snapshot{Rows: copied, Sent: sent, NotAfter: modeltest.NotAfter})
	put(shown, "new", 25)
	put(shown, "old", 15)
	for asset, hasEnded := range map[string]bool{"new": false, "old": true} {
		want, _ := recorded.RatioOf(&p, model.MakeID(asset))
		if got, ok := shown.RatioOf(&p, model.MakeID(asset)); !ok || got != want || got.HasEnded() != hasEnded {
			t.Errorf("the ratio in asset %s is %s, has ended %v; want %s", asset, got, got.HasEnded(), want)
		}
	}
}
