package record_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"blotter/feed/record"
	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestRowsThatAreNotSentAgainAreRecorded: after an outage a stream without a last page sends one row as it was, then
// another. A recording shows at each time which were not sent yet.
func TestRowsThatAreNotSentAgainAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		link := model.Link{Subscription: of, Phase: model.Live, Committed: true}
		partial := link
		partial.Partial = true
		update := func(isPage bool, text string) book.Updates {
			return book.Updates{Subscription: of, Positions: modeltest.Positions(text), NotAfter: modeltest.NotAfter, LatePage: isPage}
		}
		k := keep(t, model.Scope{},
			book.Delta{Links: []model.Link{link}, Snapshots: []book.Snapshot{snapshotOf(of, "b 1 @10", "c 2 @10", "d 3 @10")}},
			book.Delta{Links: []model.Link{partial}, Updates: []book.Updates{{Subscription: of, BeginsPartial: true}, update(true, "b 1 @10")}},
			book.Delta{Updates: []book.Updates{update(false, "d 4 @11")}},
			book.Delta{Updates: []book.Updates{update(false, "d 5 @12")}},
			book.Delta{Links: []model.Link{link}, Audits: []book.AuditPage{{Subscription: of, Positions: modeltest.Positions("b 1 @10", "c 2 @10", "d 5 @12"), NotAfter: modeltest.NotAfter, First: true, Last: true, IsBelieved: true}}},
		)
		k.shows(t, func(s *screen, _ *record.Player) (rows string) {
			for _, p := range modeltest.Positions("b 1", "c 1", "d 1") {
				if _, isThere := s.book.Find(p.Key); isThere {
					rows += p.Market.String()
				}
				if s.book.IsUnsent(p.Key) {
					rows += "?"
				}
			}
			return rows
		}, "bcd", "bc?d?", "bc?d", "bc?d", "bcd")
	})
}

// TestRowsInDoubtAreRecorded: a recording shows at each time which rows were in doubt.
func TestRowsInDoubtAreRecorded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		of := model.Subscription{Epoch: 1}
		doubts := func(texts ...string) book.Delta {
			d := book.Doubts{Subscription: of}
			for _, p := range modeltest.Positions(texts...) {
				d.Keys = append(d.Keys, p.Key)
			}
			return book.Delta{Doubts: []book.Doubts{d}}
		}
		k := keep(t, model.Scope{},
			book.Delta{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}, Snapshots: []book.Snapshot{snapshotOf(of, "b 1 @10", "c 2 @10")}},
			doubts("b 1"),
			doubts("b 1", "c 2"),
			book.Delta{Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions("b 3 @11"), NotAfter: modeltest.NotAfter}}},
			doubts(),
		)
		k.shows(t, func(s *screen, _ *record.Player) (marked string) {
			for _, p := range modeltest.Positions("b 1", "c 2") {
				if s.book.IsUnsent(p.Key) {
					marked += p.Market.String()
				}
			}
			return marked
		}, "", "b", "bc", "c", "")
	})
}

// TestMarksOfSeveralStreamsInOneTable: two parties were recorded, and all positions are watched. Rows of a stream are
// marked, and are no longer, only because of that stream. It is the same however the time is reached.
func TestMarksOfSeveralStreamsInOneTable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "streams")
	synctest.Test(t, func(t *testing.T) {
		recorder, err := record.Create(record.Options{Path: path})
		if err != nil {
			t.Fatal(err)
		}
		one := model.Subscription{Key: model.Key{Party: model.MakeID("p1")}, Epoch: 1}
		two := model.Subscription{Key: model.Key{Party: model.MakeID("p2")}, Epoch: 1}
		rowOf := func(of model.Subscription) []model.Position {
			all := modeltest.Positions("b 1 @10")
			all[0].Party = of.Party
			return all
		}
		snapshot := func(of model.Subscription) book.Snapshot {
			rows := book.NewRows()
			rows.PutPage(rowOf(of), modeltest.NotAfter)
			return book.Snapshot{AsIs: true, Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}
		}
		partial := func(of model.Subscription) book.Delta {
			return book.Delta{Updates: []book.Updates{{Subscription: of, BeginsPartial: true}}}
		}
		begin := time.Now()
		for _, delta := range []book.Delta{
			{Links: []model.Link{{Subscription: one, Committed: true}, {Subscription: two, Committed: true}}, Snapshots: []book.Snapshot{snapshot(one), snapshot(two)}},
			partial(one),
			partial(two),
			{Audits: []book.AuditPage{{Subscription: one, Positions: rowOf(one), NotAfter: modeltest.NotAfter, First: true, Last: true, IsBelieved: true}}},
		} {
			recorder.Delta(&delta)
			time.Sleep(time.Minute)
		}
		if err := recorder.Close(); err != nil {
			t.Fatal(err)
		}
		marks := func(s *screen) string {
			text := ""
			for _, of := range []model.Subscription{one, two} {
				if s.book.IsUnsent(rowOf(of)[0].Key) {
					text += " " + of.Party.String()
				}
			}
			return text
		}
		player, straight := open(t, path, model.Scope{}), newScreen()
		straight.follow(t, player, time.Second)
		for minute, want := range []string{"", " p1", " p1 p2", " p2"} {
			jumped := at(t, open(t, path, model.Scope{}), begin.Add(time.Duration(minute)*time.Minute+time.Second))
			if got, jumpedTo := marks(straight), marks(jumped); got != want || jumpedTo != want {
				t.Errorf("after %d minutes, rows may be out of date of%s, after a jump of%s, want%s", minute, got, jumpedTo, want)
			}
			straight.follow(t, player, time.Minute)
		}
	})
}

// TestNoRatioOfAnotherSideAfterAWholeState: while a row that waits for a margin record is not watched, its side
// changes. Each file begins with the whole state, from which a jump goes on.
func TestNoRatioOfAnotherSideAfterAWholeState(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sides")
	synctest.Test(t, func(t *testing.T) {
		recorder, err := record.Create(record.Options{Path: path, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		shows := func(party string, epoch uint64, row ...string) book.Delta {
			of := model.Subscription{Key: model.Key{Party: model.MakeID(party)}, Epoch: epoch}
			rows := book.NewRows()
			rows.PutPage(modeltest.Positions(row...), modeltest.NotAfter)
			return book.Delta{Links: []model.Link{{Subscription: of, Committed: true}}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}}}
		}
		key := modeltest.Position("b 1").Key
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(10)}
		begin := time.Now()
		for _, delta := range []book.Delta{
			shows("a", 1, "b 1 @10"),
			{Margins: []book.MarginsRead{{Page: &model.Page{Rows: []model.MarginLevels{levels}, ReadAt: begin}}}},
			{Updates: []book.Updates{{Subscription: model.Subscription{Key: model.Key{Party: key.Party}, Epoch: 1}, Positions: modeltest.Positions("b 2 @20"), NotAfter: modeltest.NotAfter}}},
			shows("z", 2),
			shows("a", 3, "b -1 @30"),
		} {
			recorder.Delta(&delta)
			time.Sleep(time.Minute)
		}
		if err := recorder.Close(); err != nil {
			t.Fatal(err)
		}
		for minute, want := range map[time.Duration]bool{1: true, 2: true, 4: false} {
			shown := at(t, open(t, path, model.Scope{}), begin.Add(minute*time.Minute+time.Second)).book
			row, _ := shown.Find(key)
			if ratio, has := shown.RatioOf(&row, model.ID{}); has != want {
				t.Errorf("after %d minutes, the ratio is %s, %v", minute, ratio, has)
			}
		}
	})
}
