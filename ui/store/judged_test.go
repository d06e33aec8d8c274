package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/event"
	"blotter/ui/history"
)

// live is a Delta with the states of all streams, which have just sent something.
func (s *shown) live() (delta book.Delta) {
	for _, of := range s.Subscriptions() {
		delta.Links = append(delta.Links, liveLink(of))
	}
	return delta
}

// send sends rows, each in an update of its stream.
func (s *shown) send(rows ...model.Position) {
	delta := s.live()
	for _, row := range rows {
		for _, of := range s.Subscriptions() {
			if of.Covers(row.Key) {
				delta.Updates = append(delta.Updates, book.Updates{Subscription: of, Positions: []model.Position{row}, NotAfter: time.Now().Add(model.AheadFor).UnixNano()})
			}
		}
	}
	s.publish(delta)
}

// sendSnapshots sends the rows of each stream that has none yet, or only an empty table.
func (s *shown) sendSnapshots(rows ...model.Position) {
	delta := s.live()
	for _, of := range s.Subscriptions() {
		if t := s.Book().Table(of); t != nil && t.Rows().Len() > 0 {
			continue
		}
		table := book.NewRows()
		for i := range rows {
			if of.Covers(rows[i].Key) {
				table.Put(&rows[i])
			}
		}
		delta.Snapshots = append(delta.Snapshots, book.Snapshot{AsIs: true, Subscription: of, Rows: table, NotAfter: time.Now().Add(model.AheadFor).UnixNano()})
	}
	s.publish(delta)
}

// shows returns the parties of the rows that are shown.
func (s *shown) shows() (parties []string) {
	for p := range s.View().Shown {
		parties = append(parties, p.Party.String())
	}
	slices.Sort(parties)
	return parties
}

func (s *shown) wantState(t *testing.T, when string, want RuleState) {
	t.Helper()
	if got := s.Alerts().State(0); got != want {
		t.Errorf("%s the rule is %+v, want %+v", when, got, want)
	}
}

// TestRulesWatchTheStartWhateverIsShown: nothing begins or ends because other rows are shown, no stream is opened or
// closed, and the margin levels are not read from the beginning. What happens to rows that are not shown is reported.
func TestRulesWatchTheStartWhateverIsShown(t *testing.T) {
	for name, start := range map[string][]string{"everything": nil, "parties": {"p", "q", "r"}} {
		t.Run(name, func(t *testing.T) {
			onStore(t, ofParties(withAlert(t, "upnl<0"), start...), func(s *shown) {
				watched, walked := slices.Clone(s.source.watched), len(s.source.walked)
				s.sendSnapshots(holding("p", "btc", -1), holding("q", "btc", -1), holding("r", "btc", 1))
				s.pass(2 * time.Second)
				s.reported()
				s.show("p")
				s.pass(2 * time.Second)
				if got := s.shows(); !slices.Equal(got, []string{"p"}) || s.View().Rows() != 1 {
					t.Errorf("the rows of %q are shown, of %d", got, s.View().Rows())
				}
				s.wantState(t, "with p shown,", RuleState{Now: 2, Begun: 2})
				s.send(holding("q", "btc", 1), holding("r", "btc", -7))
				s.pass(2 * time.Second)
				if got, want := s.reported(), "loss: btc r, size +1r, uPnL -7r"; got != want {
					t.Errorf("with p shown, %q is reported, want %q", got, want)
				}
				s.wantState(t, "later", RuleState{Now: 2, Begun: 3})
				if words, _ := s.Alerts().Words(); words != "ALERT loss 2, 3 new" || s.Alerts().Quiet() != "2 in alert" {
					t.Errorf("the first line has %q and %q", words, s.Alerts().Quiet())
				}
				s.show(start...)
				s.show("q", "r")
				s.pass(2 * time.Second)
				s.wantState(t, "with others shown,", RuleState{Now: 2, Begun: 3})
				s.show(start...)
				s.pass(2 * time.Second)
				s.wantState(t, "at the end", RuleState{Now: 2, Begun: 3})
				if got := s.shows(); !slices.Equal(got, []string{"p", "q", "r"}) {
					t.Errorf("at the end the rows of %q are shown", got)
				}
				if name == "everything" && (!slices.Equal(s.source.watched, watched) || len(s.source.walked) != walked) {
					t.Errorf("the streams are %v, and margin levels were read of %v", s.source.watched, s.source.walked)
				}
			})
		})
	}
}

// TestTheTimeOfARuleRunsOnWhileOthersAreShown: somebody who looks at one party every half minute is alerted.
func TestTheTimeOfARuleRunsOnWhileOthersAreShown(t *testing.T) {
	set := func(o *Options) {
		withAlert(t, "upnl<0")(o)
		o.Alerts[0].For = time.Minute
	}
	onStore(t, set, func(s *shown) {
		s.sendSnapshots(holding("p", "btc", 1), holding("q", "btc", 1))
		s.pass(2 * time.Second)
		s.send(holding("q", "btc", -1))
		for i := range 7 {
			if i%2 == 0 {
				s.show("p")
			} else {
				s.show()
			}
			for range 9 {
				s.pass(time.Second)
				s.publish(s.live())
			}
		}
		if got, want := s.reported(), "loss: btc q, size +1r, uPnL -1r"; got != want {
			t.Errorf("%q is reported, want %q", got, want)
		}
	})
}

// TestAPartOfTheStartLooksAsWithoutRules: rows, totals, links, what may be out of date, and events.
func TestAPartOfTheStartLooksAsWithoutRules(t *testing.T) {
	looks := func(change func(*Options)) (text string) {
		set := func(o *Options) {
			ofParties(change, "p", "q")(o)
			o.Instruments = settling("btc", "eth")
		}
		onStore(t, set, func(s *shown) {
			rows := []model.Position{holding("p", "btc", -1), holding("p", "eth", 2), holding("q", "btc", -3)}
			s.sendSnapshots(rows...)
			s.pass(2 * time.Second)
			s.show("p")
			s.sendSnapshots(rows...)
			late := s.live()
			for i := range late.Links {
				if late.Links[i].Party == model.MakeID("q") {
					late.Links[i].StaleSince = time.Now()
				}
			}
			s.publish(late)
			s.source.margins <- book.MarginsRead{Ended: true, Whole: true}
			s.pass(time.Second)
			s.send(holding("q", "btc", -8), holding("p", "btc", -2))
			closed := holding("q", "btc", 0)
			closed.SetNumber(model.OpenVolume, model.AmountOf(0))
			s.send(closed)
			s.pass(2 * time.Second)
			text = lines(s.View()) + fmt.Sprintln(len(s.Flow().Links()), s.Flow().Links()[0].Party, s.Stale().Any(), s.Walk().Words(s.View(), s.Now()))
			for number := range s.Events().Count() {
				if e, ok := s.Events().Numbered(number + 1); ok && e.Alert == nil {
					text += fmt.Sprintln(e.Key, e.Kinds)
				}
			}
			for _, asset := range s.Moves().Assets() {
				text += fmt.Sprintln(asset.Change(history.Both, model.Unscaled))
			}
		})
		return text
	}
	if got, want := looks(withAlert(t, "upnl<-1000")), looks(func(*Options) {}); got != want {
		t.Errorf("it looks like this:\n%s\nwant\n%s", got, want)
	}
}

// TestAPartyBeyondTheStartIsNotJudged: its stream is opened beside the others, which the rules go on to watch.
func TestAPartyBeyondTheStartIsNotJudged(t *testing.T) {
	onStore(t, ofParties(withAlert(t, "upnl<0"), "p"), func(s *shown) {
		s.sendSnapshots(holding("p", "btc", 1))
		s.pass(2 * time.Second)
		of := s.Subscriptions()[0]
		s.show("q")
		if !slices.Contains(s.source.watched, of) || len(s.source.watched) != 2 {
			t.Fatalf("the streams are %v", s.source.watched)
		}
		s.sendSnapshots(holding("q", "btc", -5))
		s.pass(2 * time.Second)
		if words := s.Alerts().NotJudged(); words != "not judged by alerts" {
			t.Errorf("the first line says %q", words)
		}
		if got := s.shows(); !slices.Equal(got, []string{"q"}) || len(s.Flow().Links()) != 1 {
			t.Errorf("the rows of %q are shown, of %d streams", got, len(s.Flow().Links()))
		}
		s.send(holding("p", "btc", -1))
		s.pass(2 * time.Second)
		if got, want := s.reported(), "loss: btc p, size +1r, uPnL -1r"; got != want {
			t.Errorf("%q is reported, want %q", got, want)
		}
		s.show("p", "q")
		s.pass(2 * time.Second)
		s.wantState(t, "with both shown,", RuleState{Now: 1, Begun: 1})
		if words := s.Alerts().NotJudged(); words != "not all judged by alerts" {
			t.Errorf("with both shown, the first line says %q", words)
		}
		s.show("p")
		if words := s.Alerts().NotJudged(); words != "" {
			t.Errorf("at the start again, the first line says %q", words)
		}
		if !slices.Equal(s.source.watched, []model.Subscription{of}) {
			t.Errorf("at the end the streams are %v", s.source.watched)
		}
	})
}

// TestRulesWaitWhileTheirStreamsCannotBeOpen beside those that are shown: one is of a party, the other of a market.
// Then nothing begins or ends. What has ended meanwhile ends when its row is known again and was verified.
func TestRulesWaitWhileTheirStreamsCannotBeOpen(t *testing.T) {
	onStore(t, ofParties(withAlert(t, "upnl<0"), "p"), func(s *shown) {
		s.sendSnapshots(holding("p", "btc", -1), holding("p", "eth", -1))
		s.pass(2 * time.Second)
		s.reported()
		settings := s.Settings()
		settings.Scope = model.Scope{Markets: []model.ID{model.MakeID("btc")}}
		s.do(s.Set(settings))
		s.sendSnapshots(holding("q", "btc", -5), holding("p", "btc", 5))
		s.pass(5 * time.Second)
		if s.reported() != "" {
			t.Error("something is reported of another market")
		}
		if words := s.Alerts().NotJudged(); words != "alerts wait" {
			t.Errorf("the first line says %q", words)
		}
		s.wantState(t, "meanwhile", RuleState{Now: 2, Begun: 2})
		s.show("p")
		s.sendSnapshots(holding("p", "btc", 5), holding("p", "eth", -1))
		s.pass(2 * time.Second)
		s.wantState(t, "again", RuleState{Now: 2, Begun: 2})
		checked := s.live()
		checked.Links[0].Audits = 1
		s.publish(checked)
		s.pass(2 * time.Second)
		s.wantState(t, "after an audit", RuleState{Now: 1, Begun: 2})
	})
}

// TestTheFirstRuleOpensTheStreamsOfTheStart, and the last one closes what is not shown.
func TestTheFirstRuleOpensTheStreamsOfTheStart(t *testing.T) {
	set := ofParties(func(*Options) {}, "p", "q")
	onStore(t, set, func(s *shown) {
		p, q := holding("p", "btc", -1), holding("q", "btc", -1)
		s.sendSnapshots(p, q)
		s.show("p")
		if len(s.source.watched) != 1 {
			t.Fatalf("without rules the streams are %v", s.source.watched)
		}
		rules := &Options{}
		withAlert(t, "upnl<0")(rules)
		s.do(SetRules(s.Store, rules.Alerts))
		if s.IsCleared() || len(s.source.watched) != 2 {
			t.Errorf("with a rule the streams are %v, and rows are shown: %t", s.source.watched, !s.IsCleared())
		}
		s.sendSnapshots(p, q)
		s.pass(3 * time.Second)
		s.wantState(t, "of both", RuleState{Now: 2, Begun: 2})
		off := slices.Clone(rules.Alerts)
		off[0].IsOff = true
		s.do(SetRules(s.Store, off))
		if s.IsCleared() || len(s.source.watched) != 1 {
			t.Errorf("with the rule off the streams are %v, and rows are shown: %t", s.source.watched, !s.IsCleared())
		}
	})
}

// TestAGroupIsSummedOverTheStart, whatever is shown.
func TestAGroupIsSummedOverTheStart(t *testing.T) {
	onStore(t, withGroupAlert(t, "upnl<-10"), func(s *shown) {
		s.sendSnapshots(holding("p", "btc", -5), holding("q", "btc", -5))
		s.show("p")
		s.pass(2 * time.Second)
		s.send(holding("q", "btc", -6))
		s.pass(2 * time.Second)
		if got, want := s.reported(), "loss: desk, 2 positions in USDT, uPnL -11"; got != want {
			t.Errorf("%q is reported, want %q", got, want)
		}
		if sums, ok := s.Alerts().Sums(0); !ok || sums.Rows != 2 {
			t.Errorf("the sums are %+v, %t", sums, ok)
		}
	})
}

// TestMarginLevelsOfRowsThatAreNotShown decide on alerts, too.
func TestMarginLevelsOfRowsThatAreNotShown(t *testing.T) {
	set := func(o *Options) {
		withAlert(t, "m%<-30")(o)
		o.Instruments = settling("btc")
	}
	onStore(t, set, func(s *shown) {
		q := holding("q", "btc", -50)
		q.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
		s.sendSnapshots(holding("p", "btc", -50), q)
		s.show("p")
		s.pass(time.Second)
		levels := model.MarginLevels{MarginKey: model.MarginKey{Key: q.Key, Asset: usdt}}
		levels.Maintenance = model.AmountOf(100)
		levels.Timestamp = model.AmountOf(time.Now().UnixNano())
		s.source.margins <- book.MarginsRead{Page: &model.Page{Rows: []model.MarginLevels{levels}, ReadAt: time.Now()}, Ended: true, Whole: true}
		s.pass(time.Second)
		q.SetNumber(model.UpdatedAt, model.AmountOf(time.Now().UnixNano()))
		s.send(q)
		s.pass(5 * time.Second)
		s.wantState(t, "after its margin levels", RuleState{Now: 1, Begun: 1})
	})
}

// TestEventsAreThoseOfTheScope that is shown.
func TestEventsAreThoseOfTheScope(t *testing.T) {
	onStore(t, withAlert(t, "upnl<0"), func(s *shown) {
		s.sendSnapshots(holding("p", "btc", 1), holding("q", "btc", 1))
		s.show("p")
		q := holding("q", "btc", 1)
		q.SetNumber(model.OpenVolume, model.AmountOf(9))
		s.send(q)
		s.pass(2 * time.Second)
		if n := s.Events().Count(); n != 0 {
			t.Errorf("%d events are logged of rows that are not shown", n)
		}
		s.show()
		q.SetNumber(model.OpenVolume, model.AmountOf(3))
		s.send(q)
		if e, ok := s.Events().Numbered(1); !ok || e.Kinds&event.Reduced == 0 {
			t.Errorf("then the event is %+v", e)
		}
	})
}

// TestARuleThatIsBackAtOnceWatchesTheStart: it is removed and comes again before the view without rules is made.
func TestARuleThatIsBackAtOnceWatchesTheStart(t *testing.T) {
	onStore(t, ofParties(withAlert(t, "upnl<0"), "p"), func(s *shown) {
		s.show()
		s.sendSnapshots(holding("p", "btc", -1), holding("q", "btc", -1))
		s.pass(2 * time.Second)
		rules := slices.Clone(s.Alerts().Rules())
		s.start(SetRules(s.Store, nil))
		s.do(SetRules(s.Store, rules))
		s.pass(3 * time.Second)
		if n := s.Alerts().State(0).Now; n != 1 {
			t.Errorf("the rule is in alert for %d positions, want 1", n)
		}
	})
}
