package record

import (
	"math"
	"strings"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/modeltest"
)

// TestAMemoryHasLinksWithTheRowsThatCameWithThem, also if the links of the same second that come next differ only in
// counts: rows that came when the node was no longer behind are current, and their changes have events.
func TestAMemoryHasLinksWithTheRowsThatCameWithThem(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 1<<20)
	of, rows := model.Subscription{Epoch: 1}, book.NewRows()
	rows.PutPage(modeltest.Positions("b 5 @10"), modeltest.NotAfter)
	messages := int64(0)
	send := func(behind time.Duration, snapshots []book.Snapshot, texts ...string) {
		messages++
		link := model.Link{Subscription: of, Phase: model.Live, Committed: true, Messages: messages, MessageAt: time.Now()}
		if behind > 0 {
			link.Lag = model.Lag{By: behind, Shown: model.LagOfRows}
		}
		delta := book.Delta{Links: []model.Link{link}, Snapshots: snapshots}
		if len(texts) > 0 {
			delta.Updates = []book.Updates{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter}}
		}
		m.Delta(&delta)
	}
	send(time.Hour, []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows}})
	m.drain()
	send(0, nil, "b 8 @11")
	send(0, nil, "b 6 @12")
	send(0, nil, "b 5 @13")
	m.drain()
	player := playerOf(t, m)
	_, newest := player.Range()
	if events := player.Events(newest); len(events) != 3 {
		t.Errorf("%d changes have events, want 3", len(events))
	}
}

// TestAMemoryHasTheFirstStateWithASize, also if a size is no number, or the row had this size before one that is none.
func TestAMemoryHasTheFirstStateWithASize(t *testing.T) {
	of := model.Subscription{Epoch: 1}
	for want, seconds := range map[int64][][]string{
		12: {{"b 5 @1795240360000000010"}, {"b 1x @1795240360000000011"}, {"b 5 @1795240360000000012", "b 5 @1795240360000000013"}},
		21: {{"b 5 @1795240360000000020"}, {"b 1x @1795240360000000021", "b 1x @1795240360000000022"}},
		31: {{"b 1x @1795240360000000030"}, {"b 2x @1795240360000000031", "b 2x @1795240360000000032"}},
	} {
		m := memoryToDrain(t, time.Hour, 1<<20)
		for _, second := range seconds {
			m.Delta(&book.Delta{
				Links:   []model.Link{{Subscription: of, Phase: model.Live, Committed: true}},
				Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions(second...), NotAfter: math.MaxInt64}},
			})
			m.drain()
		}
		player := playerOf(t, m)
		_, newest := player.Range()
		events := player.Events(newest)
		if at, _ := events[len(events)-1].At(); at.UnixNano()%100 != want {
			t.Errorf("the size has changed at %d, want %d", at.UnixNano()%100, want)
		}
	}
}

// TestAMemoryHasAllRowsOfAnAudit, also if an update of the same second has a newer state of one: it is not removed.
func TestAMemoryHasAllRowsOfAnAudit(t *testing.T) {
	m, of := memoryToDrain(t, time.Hour, 1<<20), model.Subscription{Epoch: 1}
	updates := func(texts ...string) []book.Updates {
		return []book.Updates{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter}}
	}
	for _, second := range [][]book.Delta{
		{{Links: []model.Link{{Subscription: of, Phase: model.Live, Committed: true}}, Updates: updates("b 1 @10", "c 1 @10")}},
		{
			{Audits: []book.AuditPage{{Subscription: of, Positions: modeltest.Positions("b 1 @11", "c 1 @11"), NotAfter: modeltest.NotAfter, First: true, Last: true, IsBelieved: true}}},
			{Updates: updates("b 1 @12")},
		},
	} {
		for i := range second {
			m.Delta(&second[i])
		}
		m.drain()
	}
	player := playerOf(t, m)
	_, newest := player.Range()
	if events := player.Events(newest); len(events) != 0 {
		t.Errorf("there are %d events, the first of %s: %v", len(events), events[0].Market, events[0].Kinds.Names())
	}
}

// TestAMemoryHasTheStateAfterAnAudit, also if states that come then are older than what the audit has shown: when one
// without a time or a newer one is taken, so is what comes after it.
func TestAMemoryHasTheStateAfterAnAudit(t *testing.T) {
	of, links := model.Subscription{Epoch: 1}, []model.Link{{Subscription: model.Subscription{Epoch: 1}, Phase: model.Live, Committed: true}}
	page := book.AuditPage{Subscription: of, Positions: modeltest.Positions("b 1 @20"), NotAfter: modeltest.NotAfter, First: true, Last: true, IsBelieved: true}
	updates := func(texts ...string) []book.Updates {
		return []book.Updates{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter}}
	}
	for want, then := range map[string][]string{
		"b 7 @11": {"b 5 @10", "b 5", "b 7 @11"}, "b 5 @11": {"b 5 @10", "b 5", "b 5 @11"}, "b 5 @10": {"b 5 @15", "b 5 @25", "b 5 @10"},
	} {
		m, shown := memoryToDrain(t, time.Hour, 1<<20), book.New(0)
		for _, delta := range []book.Delta{{Links: links, Updates: updates("b 2 @5"), Audits: []book.AuditPage{page}}, {Updates: updates(then...)}} {
			m.Delta(&delta)
			for _, ok := delta.ApplyTo(shown); ok; _, ok = delta.ApplyTo(shown) {
			}
		}
		player := playerOf(t, m)
		player.Watch([]model.Subscription{of})
		_, newest := player.Range()
		delta, err := player.At(newest)
		if err != nil {
			t.Fatal(err)
		}
		for _, rows := range []func(func(model.Position) bool){shown.All, delta.Snapshots[0].Rows.All} {
			for p := range rows {
				if row := modeltest.Position(want); !p.Equal(&row) {
					t.Errorf("the row is %s at %s, want %s", p.Number(model.OpenVolume), p.Number(model.UpdatedAt), want)
				}
			}
		}
	}
}

// TestAMemoryHasTheStateBeforeAnEvent, so that two events of a second, of a node that is a little behind, do not become
// one, and the last margin ratio of the size before is that which was shown.
func TestAMemoryHasTheStateBeforeAnEvent(t *testing.T) {
	m := memoryToDrain(t, time.Hour, 1<<20)
	of, rows := model.Subscription{Epoch: 1}, book.NewRows()
	rows.PutPage(modeltest.Positions("b 5 @10"), modeltest.NotAfter)
	link := model.Link{Subscription: of, Phase: model.Live, Committed: true, Lag: model.Lag{By: 30 * time.Second, Shown: model.LagOfRows}}
	first := modeltest.Position("b 5 @10")
	levels := model.MarginLevels{MarginKey: model.MarginKey{Key: first.Key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(11)}
	m.Delta(&book.Delta{
		Links: []model.Link{link}, Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows}},
		Margins: []book.MarginsRead{{Page: &model.Page{Rows: []model.MarginLevels{levels}, ReadAt: time.Now()}}},
	})
	profit := int64(0)
	for _, second := range [][]string{{"b 6 @3", "b 7 @4"}, {"b 7 @11", "b 7 @12", "b 8 @13", "b 8 @14", "b 8 @15"}} {
		for _, text := range second {
			row := modeltest.Position(text)
			profit++
			row.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
			m.Delta(&book.Delta{Updates: []book.Updates{{Subscription: of, Positions: []model.Position{row}, NotAfter: modeltest.NotAfter, AsIs: true}}})
		}
		m.drain()
	}
	player := playerOf(t, m)
	player.Watch([]model.Subscription{of})
	_, newest := player.Range()
	var sizes []string
	for _, e := range player.Events(newest) {
		sizes = append(sizes, e.Before().Number(model.OpenVolume).String()+" → "+e.After().Number(model.OpenVolume).String())
	}
	if got := strings.Join(sizes, ", "); got != "5 → 7, 7 → 8" {
		t.Errorf("the events are %s", got)
	}
	delta, err := player.At(newest)
	if err != nil {
		t.Fatal(err)
	}
	past := book.New(0).Replaced(delta.Snapshots[0])
	past.MergeMargins(delta.Margins[0].Page)
	row, _ := past.Find(first.Key)
	table, number := past.Row(row.Key)
	if ratio, _ := table.Rows().LastRatio(number, past.Margins(), past.Margins().NumberOf(row.Key, model.ID{}), row.Number(model.UnrealisedPnl)); !ratio.HasEnded() || ratio.Profit != model.AmountOf(4) {
		t.Errorf("the last ratio is that of the profit %s, want 4", ratio.Profit)
	}
}

// TestAMemoryHasWhatWasTold, also if an update that has told it was dropped: the last margin ratio of a row is that
// which was shown.
func TestAMemoryHasWhatWasTold(t *testing.T) {
	m, of := memoryToDrain(t, time.Hour, 1<<20), model.Subscription{Epoch: 1}
	rows, first := book.NewRows(), modeltest.Position("b 5 @10")
	first.SetNumber(model.UnrealisedPnl, model.AmountOf(7))
	rows.Put(&first)
	rows.PutPage(modeltest.Positions("c 1 @10"), modeltest.NotAfter)
	levels := model.MarginLevels{MarginKey: model.MarginKey{Key: first.Key}, Maintenance: model.AmountOf(100), Timestamp: model.AmountOf(11)}
	m.Delta(&book.Delta{
		Links:     []model.Link{{Subscription: of, Phase: model.Live, Committed: true}},
		Snapshots: []book.Snapshot{{AsIs: true, Subscription: of, Rows: rows, NotAfter: modeltest.NotAfter}},
		Margins:   []book.MarginsRead{{Page: &model.Page{Rows: []model.MarginLevels{levels}, ReadAt: time.Now()}}},
	})
	m.drain()
	for _, texts := range [][]string{{"c 1 @10"}, {"c 1 @11"}, {"b 6 @12", "c 1 @12"}} {
		m.Delta(&book.Delta{Updates: []book.Updates{{Subscription: of, Positions: modeltest.Positions(texts...), NotAfter: modeltest.NotAfter}}})
	}
	player := playerOf(t, m)
	player.Watch([]model.Subscription{of})
	_, newest := player.Range()
	delta, err := player.At(newest)
	if err != nil {
		t.Fatal(err)
	}
	past := book.New(0).Replaced(delta.Snapshots[0])
	past.MergeMargins(delta.Margins[0].Page)
	table, number := past.Row(first.Key)
	record := past.Margins().NumberOf(first.Key, model.ID{})
	if ratio, has := table.Rows().LastRatio(number, past.Margins(), record, model.Amount{}); !has || ratio.Profit != model.AmountOf(7) {
		t.Errorf("the last ratio is that of the profit %s, want 7", ratio.Profit)
	}
}
