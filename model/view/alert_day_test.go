package view

import (
	"testing"

	"blotter/model"
	"blotter/model/book"
	"blotter/model/filter"
)

// TestARuleOfTheDay begins by the PnL since the day began, also of a group. While that is not known, nothing begins or
// ends.
func TestARuleOfTheDay(t *testing.T) {
	for _, c := range []struct {
		rule         AlertRule
		begins, ends string
	}{
		{AlertRule{Name: "day"}, "day+x -30", "day-x -15"},
		{AlertRule{Name: "day", Group: "desk", Asset: "a"}, "day+ ", "day- "},
	} {
		parse := filter.ParseRule
		if c.rule.Group != "" {
			parse = filter.ParseSums
		}
		w := watch(t, parsed(t, c.rule, parse, "day<-10", ""))
		w.update("x", -30)
		w.expect("") // there is no baseline of the day
		begin := func() *book.Book {
			b := w.view.Book()
			b.Baselines().BeginDay()
			b.Baselines().Extend(func(model.Subscription) bool { return true }, takenAt)
			return b
		}
		w.update("x", -12)
		w.show(begin())
		w.expect("")
		w.update("x", -22)
		w.expect("")
		w.update("x", -30)
		if got := w.evaluate(); got != c.begins && c.rule.Group == "" || got == "" {
			t.Errorf("it begins as %q, want %q", got, c.begins)
		}
		odd := model.Position{Key: model.Key{Party: model.MakeID("x"), Market: model.MakeID("m")}}
		odd.SetNumber(model.OpenVolume, model.AmountOf(1))
		odd.SetNumber(model.UnrealisedPnl, model.ParseAmount("odd"))
		odd.SetNumber(model.UpdatedAt, model.AmountOf(w.now.UnixNano()))
		merge(w.view, updateOf(model.Subscription{}, odd))
		w.expect("")
		w.update("x", -15)
		if got := w.evaluate(); got != c.ends && c.rule.Group == "" || got == "" {
			t.Errorf("it ends as %q, want %q", got, c.ends)
		}
	}
}
