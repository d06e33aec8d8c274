package access

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
)

// someAlerts are alerts that come one after the other.
type someAlerts [][]view.DeskAlerts

func (s *someAlerts) NextAlerts(context.Context) ([]view.DeskAlerts, error) {
	if len(*s) == 0 {
		return nil, errors.New("no more")
	}
	next := (*s)[0]
	*s = (*s)[1:]
	return next, nil
}

// TestAlertsOfWhatMayBeSeen: a trader gets nothing of a rule that is hidden, and of the others only positions that may
// be seen, and what has no position.
func TestAlertsOfWhatMayBeSeen(t *testing.T) {
	key := func(party, market string) model.Key {
		return model.Key{Party: model.MakeID(party), Market: model.MakeID(market)}
	}
	of := func(rule string, keys ...model.Key) (d view.DeskAlerts) {
		d.Rule, d.IsFull = rule, true
		for _, key := range keys {
			d.Active = append(d.Active, event.Alert{Key: key})
			d.Changes = append(d.Changes, view.AlertChange{Begins: true, Position: model.Position{Key: key}})
		}
		return d
	}
	a1, a2, b1 := key("a", "1"), key("a", "2"), key("b", "1")
	source := someAlerts{
		{of("hidden", a1)},
		{of("loss", a1, a2, b1), of("hidden", a1), of("sum", model.Key{})},
		{of("loss", a2)},
	}
	shared := source[1][0]
	rights := Rights{Parties: SetOf(model.MakeID("a")), Markets: SetOf(model.MakeID("1"))}
	alerts := NewAlerts(&source, rights, []string{"loss", "sum"})
	for _, want := range [][]view.DeskAlerts{{of("loss", a1), of("sum", model.Key{})}, {of("loss")}} {
		got, err := alerts.NextAlerts(t.Context())
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("it gets %v, %v, want %v", got, err, want)
		}
	}
	if len(shared.Active) != 3 || len(shared.Changes) != 3 || shared.Active[2].Key != b1 {
		t.Error("what others get too was changed")
	}
}

// TestRightsOfAllRows that are in two scopes, of which an empty one stands for all.
func TestRightsOfAllRows(t *testing.T) {
	ids := func(texts string) (all []model.ID) {
		for _, text := range texts {
			all = append(all, model.MakeID(string(text)))
		}
		return all
	}
	for _, c := range []struct {
		parties, markets, desk, group, groupMarkets string // the last three are scopes, without markets of the desk
		want                                        bool
	}{
		{"ab", "*", "", "ab", "", true},
		{"ab", "*", "", "", "1", false},
		{"ab", "*", "ab", "", "1", true},
		{"ab", "*", "abc", "", "1", false},
		{"ab", "*", "abc", "bx", "", true},
		{"ab", "*", "", "bx", "", false},
		{"ab", "12", "ab", "a", "", false},
		{"ab", "12", "ab", "a", "2", true},
		{"ab", "12", "ab", "a", "23", false},
		{"*", "*", "", "", "", true},
		{"*", "12", "", "", "", false},
		{"", "", "", "", "", false},
	} {
		set := func(texts string) Set {
			if texts == "*" {
				return Everything()
			}
			return SetOf(ids(texts)...)
		}
		rights := Rights{Parties: set(c.parties), Markets: set(c.markets)}
		desk, group := model.Scope{Parties: ids(c.desk)}, model.Scope{Parties: ids(c.group), Markets: ids(c.groupMarkets)}
		if rights.CoverAll(desk, group) != c.want || rights.CoverAll(group, desk) != c.want {
			t.Errorf("%+v: it is %v", c, !c.want)
		}
	}
}
