package view

import (
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
)

// ratios is a view of positions of the party p in market m, whose sizes and margin records change at different times.
type ratios struct {
	*watched
	key model.Key
}

func watchRatios(t *testing.T) *ratios {
	r := &ratios{watch(t, ruleOf(t, "margin", "m%<-30", "")), model.Key{Party: model.MakeID("p"), Market: model.MakeID("m")}}
	b := book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(r.position(0, 10, -100)), NotAfter: notAfter})
	r.show(b)
	r.record(0, 1000)
	return r
}

func rowsOf(positions ...model.Position) *book.Rows {
	rows := book.NewRows()
	for i := range positions {
		rows.Put(&positions[i])
	}
	return rows
}

// notAfter is after all times of these tests.
var notAfter = time.Unix(1100, 0).UnixNano()

// second returns the time of a second, by the clock of the service.
func second(n int64) model.Amount { return model.AmountOf(time.Unix(100+n, 0).UnixNano()) }

func (r *ratios) position(at, size, profit int64) model.Position {
	p := model.Position{Key: r.key}
	p.SetNumber(model.OpenVolume, model.AmountOf(size))
	p.SetNumber(model.UnrealisedPnl, model.AmountOf(profit))
	p.SetNumber(model.UpdatedAt, second(at))
	return p
}

func (r *ratios) change(at, size, profit int64) {
	merge(r.view, updateOf(model.Subscription{}, r.position(at, size, profit)))
}

func (r *ratios) record(at, maintenance int64) {
	r.view.MergeMargins(&model.Page{ReadAt: time.Unix(1000, 0), Rows: []model.MarginLevels{{
		MarginKey: model.MarginKey{Key: r.key, Asset: model.MakeID("a")}, Maintenance: model.AmountOf(maintenance), Timestamp: second(at)}}})
}

// wantRatio checks the last ratio of a pair, "" for none, and since which second it has ended; 0 if it has not.
func (r *ratios) wantRatio(want string, ended int64) {
	r.Helper()
	p, _ := r.view.Book().Find(r.key)
	ratio, ok := r.view.Margins().LastRatio(&p)
	if got := ratio.String(); ok != (want != "") || ok && got != want {
		r.Errorf("the ratio is %s, %v; want %s", got, ok, want)
	}
	if at, _ := second(ended).Int64(); ok && (ratio.HasEnded() != (ended > 0) || ended > 0 && ratio.EndedAt != at) {
		r.Errorf("the ratio %s ended at %d, want second %d", ratio, ratio.EndedAt, ended)
	}
}

// wantEstimate checks the ratio that is shown: an estimate, or "" if it is none.
func (r *ratios) wantEstimate(want string) {
	r.Helper()
	p, _ := r.view.Book().Find(r.key)
	ratio, ok := r.view.Margins().Ratio(&p)
	got := ""
	if ok && ratio.IsEstimate {
		got = ratio.String()
	}
	if got != want || ratio.IsEstimate && !ratio.HasEnded() {
		r.Errorf("the estimate is %q, want %q", got, want)
	}
}

// TestARecordThatIsNewerThanWhatIsToldWaits: the row may have changed since. Another row of the stream, or an audit,
// that is as new as the record shows that it has not; its own update shows it too.
func TestARecordThatIsNewerThanWhatIsToldWaits(t *testing.T) {
	other := func(r *ratios, at int64) model.Position {
		p := r.position(at, 5, 0)
		p.Party = model.MakeID("other")
		return p
	}
	for name, tell := range map[string]func(r *ratios, at int64){
		"another row": func(r *ratios, at int64) { merge(r.view, updateOf(model.Subscription{}, other(r, at))) },
		"its own row": func(r *ratios, at int64) { r.change(at, 10, -100) },
		"a later page": func(r *ratios, at int64) {
			merge(r.view, &book.Updates{Positions: []model.Position{other(r, at)}, NotAfter: notAfter, LatePage: true})
		},
		"an audit": func(r *ratios, at int64) {
			page := &book.AuditPage{First: true, Positions: []model.Position{r.position(0, 10, -100), other(r, at)}, NotAfter: notAfter}
			compare(r.view, page)
			r.wantRatio("-10.0%", 5) // until the audit has ended
			compare(r.view, &book.AuditPage{Last: true, NotAfter: notAfter})
		},
		"what was left out": func(r *ratios, at int64) {
			told, _ := second(at).Int64()
			merge(r.view, &book.Updates{NotAfter: notAfter, Told: told})
		},
		"a snapshot": func(r *ratios, at int64) {
			rows := rowsOf(r.position(0, 10, -100), other(r, at))
			r.show(r.view.Book().Replaced(book.Snapshot{AsIs: true, Rows: rows, NotAfter: notAfter}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := watchRatios(t)
			merge(r.view, updateOf(model.Subscription{}, other(r, 5)))
			r.record(5, 1000)
			r.wantRatio("-10.0%", 0)
			r.record(10, 100)
			r.wantRatio("-10.0%", 5) // known up to what was told
			r.wantEstimate("-10.0%")
			r.expect("")
			r.record(12, 200) // the next one waits too
			tell(r, 11)
			r.wantRatio("-10.0%", 5)
			r.expect("")
			tell(r, 12)
			r.wantRatio("-50.0%", 0)
			r.wantEstimate("")
			r.expect("margin+p -100-50.0%")
		})
	}
}

// TestARecordOfTheNextSizeWaitsForIt: it is read before the update. No alert begins with it and the size before.
func TestARecordOfTheNextSizeWaitsForIt(t *testing.T) {
	r := watchRatios(t)
	r.change(5, 10, -100)
	r.record(20, 100) // -100%, if it were of the size 10
	r.wantRatio("-10.0%", 5)
	r.change(15, 10, -120)
	r.wantRatio("-10.0%", 5)
	r.wantEstimate("-12.0%")
	r.expect("")
	r.change(20, 1, -12)
	r.wantRatio("-12.0%", 0)
	r.wantEstimate("")
	r.expect("")
}

// TestAnOlderSnapshotMakesPairsWait: the node of a reconnect is behind. What agreed stays.
func TestAnOlderSnapshotMakesPairsWait(t *testing.T) {
	r := watchRatios(t)
	r.change(20, 10, -200)
	r.record(20, 1000)
	r.wantRatio("-20.0%", 0)
	r.show(r.view.Book().Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(r.position(5, 10, -150)), NotAfter: notAfter}))
	r.wantRatio("-20.0%", 20)
	r.wantEstimate("-15.0%")
	r.change(20, 10, -200)
	r.wantRatio("-20.0%", 0)
}

// TestPairsWithoutTimesOfRows agree when something is received after the page with the record was.
func TestPairsWithoutTimesOfRows(t *testing.T) {
	r := watchRatios(t)
	row := func(profit int64) model.Position {
		p := r.position(0, 10, profit)
		p.SetNumber(model.UpdatedAt, model.AmountOf(0))
		return p
	}
	receivedAt := func(n int64) int64 { return time.Unix(100+n, 0).Add(model.AheadFor).UnixNano() }
	record := func(n, maintenance int64) {
		r.view.MergeMargins(&model.Page{ReadAt: time.Unix(100+n, 0), Rows: []model.MarginLevels{{
			MarginKey: model.MarginKey{Key: r.key, Asset: model.MakeID("a")}, Maintenance: model.AmountOf(maintenance), Timestamp: second(n - 1)}}})
	}
	r.show(r.view.Book().Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(row(-100)), NotAfter: receivedAt(10)}))
	record(10, 1000)
	r.wantRatio("-10.0%", 0)
	record(20, 100)
	r.wantRatio("-10.0%", 10)
	r.expect("")
	merge(r.view, &book.Updates{Positions: []model.Position{row(-110)}, NotAfter: receivedAt(19)})
	r.wantRatio("-10.0%", 10)
	merge(r.view, &book.Updates{Positions: []model.Position{row(-120)}, NotAfter: receivedAt(20)})
	r.wantRatio("-120.0%", 0)
}

// TestARecordThatIsAheadOfTheClockCounts: its time decides nothing.
func TestARecordThatIsAheadOfTheClockCounts(t *testing.T) {
	r := watchRatios(t)
	r.record(2000, 200)
	r.wantRatio("-50.0%", 0)
}

// TestTheRatioOfAnEarlierSizeStays until a margin record of the new size is there: no alert begins or ends meanwhile.
func TestTheRatioOfAnEarlierSizeStays(t *testing.T) {
	r := watchRatios(t)
	r.wantRatio("-10.0%", 0)
	r.change(20, 100, -5000) // -500% with the record of 10
	r.wantRatio("-10.0%", 20)
	r.wantEstimate("-50.0%")
	r.change(21, 100, -5100)
	r.wantRatio("-10.0%", 20)
	r.expect("")
	r.record(15, 1100) // also of the earlier size
	r.wantRatio("-10.0%", 20)
	r.change(22, 110, -5200) // waits since second 20
	r.wantRatio("-10.0%", 20)
	r.record(21, 9000)
	r.wantRatio("-10.0%", 20)
	r.expect("")
	r.record(22, 10000)
	r.wantRatio("-52.0%", 0)
	r.expect("margin+p -5200-52.0%")

	r.change(30, 1, -1) // -0.01% with the record of 110
	r.wantRatio("-52.0%", 30)
	r.wantEstimate("-1.1%")
	r.expect("")
	r.record(30, 100)
	r.wantRatio("-1.0%", 0)
	r.expect("margin-p -1-1.0%")
}

// TestAnAlertOnARatioWaitsForARecordThatWasNotRead: it ends when the records are read, and the ratio does not match.
func TestAnAlertOnARatioWaitsForARecordThatWasNotRead(t *testing.T) {
	r := watchRatios(t)
	r.change(20, 10, -500)
	r.record(20, 1000)
	r.expect("margin+p -500-50.0%")
	r.alerts.AwaitMargins(true)
	rows := rowsOf(r.position(30, 10, -500))
	r.show(book.New(0).Replaced(book.Snapshot{AsIs: true, Rows: rows, NotAfter: notAfter})) // without records
	r.expect("")
	r.alerts.AwaitMargins(false)
	r.expect("margin-p -500")
}

// TestARuleOnRatioAndSizeWaits: the size alone neither begins nor ends it.
func TestARuleOnRatioAndSizeWaits(t *testing.T) {
	r := watchRatios(t)
	r.alerts = NewAlerts([]AlertRule{ruleOf(t, "large", "m%<-5 size>50", ""), ruleOf(t, "size", "size>50", "")})
	r.show(r.view.Book())
	r.expect("")
	r.change(20, 100, -5000)
	r.expect("size+p -5000-50.0%")
	r.record(20, 10000)
	r.expect("large+p -5000-50.0%")
	r.change(30, 10, -500)
	r.expect("size-p -500-50.0%")
	r.record(30, 1000)
	r.expect("large-p -500-50.0%")
}

// TestDistressDoesNotWaitForARatio: a rule begins at once if it matches whatever the ratio is.
func TestDistressDoesNotWaitForARatio(t *testing.T) {
	r := watchRatios(t)
	r.alerts = NewAlerts([]AlertRule{
		ruleOf(t, "either", "status:distressed|m%<-30", ""), ruleOf(t, "loss", "upnl<-200|m%<-30", ""),
		ruleOf(t, "both", "status:distressed m%<-5", ""), ruleOf(t, "not", "status:distressed !m%<-30", ""),
	})
	r.show(r.view.Book())
	r.expect("")
	p := r.position(20, 11, -300)
	p.SetStatus([]byte("4"))
	merge(r.view, updateOf(model.Subscription{}, p))
	r.wantRatio("-10.0%", 20)
	r.expect("either+p -300-27.3%, loss+p -300-27.3%")
	r.record(20, 10000)
	r.expect("not+p -300-3.0%")
}

// TestTheRatioOfAnEarlierSizeEnds if the position closes or changes its side: an alert ends, too.
func TestTheRatioOfAnEarlierSizeEnds(t *testing.T) {
	for name, size := range map[string]int64{"closed": 0, "flipped": -10} {
		t.Run(name, func(t *testing.T) {
			r := watchRatios(t)
			r.change(5, 10, -500)
			r.record(5, 1000)
			r.expect("margin+p -500-50.0%")
			r.change(20, 20, -500)
			r.wantRatio("-50.0%", 20)
			r.wantEstimate("-25.0%")
			r.change(21, size, -500)
			r.wantRatio("", 0)
			r.expect("margin-p -500")
			r.record(20, 1000)
			r.wantRatio("", 0)
			if r.record(21, 1000); size != 0 {
				r.wantRatio("-50.0%", 0)
			}
		})
	}
}

// TestANewPositionHasNoRatioWithAnOlderRecord: the record is of an earlier holding, or of orders.
func TestANewPositionHasNoRatioWithAnOlderRecord(t *testing.T) {
	r := watchRatios(t)
	r.key.Party = model.MakeID("q")
	r.record(19, 10)
	r.change(20, 1, -100)
	r.wantRatio("", 0)
	r.key.Party = model.MakeID("r") // the position is there before its first record
	r.change(20, 1, -100)
	r.record(19, 10)
	r.wantRatio("", 0)
	r.expect("")
	r.record(20, 400)
	r.wantRatio("-25.0%", 0)
}

// TestTheRatioOfAnEarlierSizeOverSnapshots: a reconnect does not make the two agree.
func TestTheRatioOfAnEarlierSizeOverSnapshots(t *testing.T) {
	r := watchRatios(t)
	replace := func(p model.Position) {
		r.show(r.view.Book().Replaced(book.Snapshot{AsIs: true, Rows: rowsOf(p), NotAfter: notAfter}))
	}
	replace(r.position(20, 10, -120)) // the same size: its record counts
	r.wantRatio("-12.0%", 0)
	replace(r.position(30, 20, -900))
	r.wantRatio("-12.0%", 30)
	replace(r.position(31, 20, -950))
	r.wantRatio("-12.0%", 30)
	r.record(29, 5000)
	r.wantRatio("-12.0%", 30)
	r.expect("")
	r.record(30, 1900)
	r.wantRatio("-50.0%", 0)
}

// TestTheRatioOfAnEarlierSizeOverScopes: the trader watches one party, and then all again. A row that closed or opened
// meanwhile does not wait.
func TestTheRatioOfAnEarlierSizeOverScopes(t *testing.T) {
	r := watchRatios(t)
	r.change(20, 100, -5000)
	r.wantRatio("-10.0%", 20)
	epoch := uint64(0)
	watch := func(party model.ID, rows ...model.Position) {
		epoch++
		s := model.Subscription{Key: model.Key{Party: party}, Epoch: epoch}
		r.show(r.view.Book().Narrowed([]model.Subscription{s}).Replaced(book.Snapshot{AsIs: true, Subscription: s, Rows: rowsOf(rows...), NotAfter: notAfter}))
	}
	watch(model.MakeID("other"))
	watch(r.key.Party, r.position(21, 100, -5100))
	r.wantRatio("-10.0%", 20)
	r.record(19, 900) // also of the earlier size
	r.wantRatio("-10.0%", 20)
	watch(model.MakeID("other"))
	watch(model.ID{}) // the row comes after the snapshot
	merge(r.view, &book.Updates{Subscription: model.Subscription{Epoch: epoch}, Positions: []model.Position{r.position(22, 100, -5200)}, LatePage: true})
	r.wantRatio("-10.0%", 20)
	r.expect("")
	watch(r.key.Party, r.position(23, 100, -5300))
	r.record(20, 10000)
	r.wantRatio("-53.0%", 0)
	watch(model.MakeID("other"))
	watch(r.key.Party, r.position(24, 100, -5400))
	r.wantRatio("-54.0%", 0)
}

// TestNoRatioOfAnotherSideOverScopes: while a row that waits is not watched, its side changes. It has no ratio then.
func TestNoRatioOfAnotherSideOverScopes(t *testing.T) {
	r := watchRatios(t)
	r.change(20, 100, -5000)
	r.wantRatio("-10.0%", 20)
	for epoch, rows := range [][]model.Position{nil, {r.position(21, -100, 300)}} {
		s := model.Subscription{Key: model.Key{Party: model.MakeID("other")}, Epoch: uint64(epoch + 1)}
		if rows != nil {
			s.Party = r.key.Party
		}
		r.show(r.view.Book().Narrowed([]model.Subscription{s}).Replaced(book.Snapshot{AsIs: true, Subscription: s, Rows: rowsOf(rows...), NotAfter: notAfter}))
	}
	r.wantRatio("", 0)
}

// TestAnEstimateHasARank, is matched, and is in the ratio of its group, which is an estimate then.
func TestAnEstimateHasARank(t *testing.T) {
	for _, by := range []Grouping{Ungrouped, GroupByMarket} {
		r := watchRatios(t)
		other := model.Key{Party: model.MakeID("q"), Market: r.key.Market}
		r.key, other = other, r.key
		r.change(0, 10, -200) // -20%
		r.record(0, 1000)
		r.key = other
		r.view = NewGrouped(r.view.Book(), model.Scope{}, Filter{Text: "m%<-5 m%>-25"}, Order{Column: MarginRatioColumn}, Groups{By: by}, r.view.Instruments())
		want := func(parties ...string) {
			t.Helper()
			var got []string
			for p := range r.view.Shown {
				got = append(got, p.Party.String())
			}
			if !slices.Equal(got, parties) {
				t.Errorf("%v: the rows are %q, want %q", by, got, parties)
			}
		}
		want("q", "p")
		r.change(20, 90, -1980) // an estimate of -22%
		want("p", "q")
		if g, ok := r.view.Group(r.key.Market); ok {
			total, _ := g.Total()
			if ratio, ok := total.MarginRatio(model.Unscaled); !ok || ratio.String() != "-21.8%" || !ratio.IsEstimate || total.WithoutRatio() != 0 {
				t.Errorf("the ratio of the group is %s, %v, without %d", ratio, ok, total.WithoutRatio())
			}
		}
		r.change(21, 90, -900) // -10%
		want("q", "p")
		r.change(22, 90, -9000)
		want("q")
	}
}

// TestAGroupWithARowWithoutARatioHasNone, because its profit has that of the row in it.
func TestAGroupWithARowWithoutARatioHasNone(t *testing.T) {
	r := watchRatios(t)
	r.view = NewGrouped(r.view.Book(), model.Scope{}, Filter{}, Order{}, Groups{By: GroupByMarket}, r.view.Instruments())
	market := r.key.Market
	want := func(ratio string, without int) {
		t.Helper()
		g, _ := r.view.Group(market)
		total, _ := g.Total()
		got, ok := total.MarginRatio(model.Unscaled)
		if ok != (ratio != "") || ok && got.String() != ratio || total.WithoutRatio() != without {
			t.Errorf("the ratio is %s, %v, without %d; want %q", got, ok, total.WithoutRatio(), ratio)
		}
	}
	want("-10.0%", 0)
	r.key.Party = model.MakeID("q")
	r.change(20, 5, -900)
	want("", 1)
	r.record(20, 1000)
	want("-50.0%", 0)
	r.change(21, 0, 0)
	want("-10.0%", 0)
}

// TestRowsThatWaitAreCounted, with their parties while they have not waited for long.
func TestRowsThatWaitAreCounted(t *testing.T) {
	r := watchRatios(t)
	at := func(n int64) time.Time { return time.Unix(100+n, 0) }
	if w := r.view.Margins().Waiting(at(0)); w.Rows != 0 {
		t.Errorf("%+v wait", w)
	}
	r.change(20, 100, -5000)
	if w := r.view.Margins().Waiting(at(19)); w.Rows != 1 || w.Overdue != 0 || !slices.Equal(w.Parties, []model.ID{r.key.Party}) {
		t.Errorf("%+v wait", w)
	}
	if w := r.view.Margins().Waiting(at(20)); w.Rows != 1 || w.Overdue != 1 || len(w.Parties) != 0 {
		t.Errorf("%+v wait", w)
	}
	others := model.Scope{Parties: []model.ID{model.MakeID("q")}}
	if w := NewGrouped(r.view.Book(), others, Filter{}, Order{}, Groups{}, r.view.Instruments()).Margins().Waiting(at(20)); w.Rows != 0 {
		t.Errorf("%+v wait in a scope of others", w)
	}
	r.record(20, 1000)
	if w := r.view.Margins().Waiting(at(90)); w.Rows != 0 {
		t.Errorf("%+v wait", w)
	}
}

// TestTheAgeOfAGroupsRatio is that of its oldest record, also if only the time of the record has changed.
func TestTheAgeOfAGroupsRatio(t *testing.T) {
	r := watchRatios(t)
	r.view = NewGrouped(r.view.Book(), model.Scope{}, Filter{}, Order{}, Groups{By: GroupByMarket}, r.view.Instruments())
	for at := range int64(3) {
		r.record(1_800_000_000+60*at, 1000)
		g, _ := r.view.Group(r.key.Market)
		total, _ := g.Total()
		if n := 1_800_000_100 + 60*at; !total.HasRecordUpTo(time.Unix(n, 0)) || total.HasRecordUpTo(time.Unix(n-1, 0)) {
			t.Errorf("the oldest record of the group is not of second %d", n)
		}
	}
}
