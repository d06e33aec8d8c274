package model_test

import (
	"testing"

	"blotter/model"
	"blotter/model/modeltest"
)

func TestNumbersAreWhatWasSet(t *testing.T) {
	s := modeltest.NewSample(8, 0, 0)
	var p model.Position
	want := make(map[model.Field]model.Amount)
	for range 20_000 {
		f, a := model.Field(s.IntN(int(model.FieldCount))), model.ParseAmount(s.Text())
		p.SetNumber(f, a)
		want[f] = a
		for f := range model.FieldCount {
			if p.Number(f) != want[f] {
				t.Fatalf("field %d is %q, want %q", f, p.Number(f), want[f])
			}
		}
	}
}

func TestChangingACopyDoesNotChangeThePosition(t *testing.T) {
	var p model.Position
	p.SetNumber(model.OpenVolume, model.ParseAmount("007"))
	p.SetStatus([]byte("NEW"))
	q := p
	q.SetNumber(model.OpenVolume, model.ParseAmount("008"))
	q.SetStatus([]byte("OLD"))
	if p.Number(model.OpenVolume).String() != "007" || p.StatusName() != "NEW" {
		t.Errorf("it has become %s %s", p.Number(model.OpenVolume), p.StatusName())
	}
}

func TestEqualComparesWhatTheServiceWrote(t *testing.T) {
	text := func(volume, status string) *model.Position {
		p := &model.Position{Key: model.Key{Party: model.MakeID("p")}}
		p.SetNumber(model.OpenVolume, model.ParseAmount(volume))
		p.SetStatus([]byte(status))
		return p
	}
	// leftover had texts once.
	leftover := text("007", "NEW")
	leftover.SetNumber(model.OpenVolume, model.ParseAmount("7"))
	leftover.SetStatus([]byte("0"))
	for _, c := range []struct {
		p, q *model.Position
		want bool
	}{
		{text("7", "0"), text("7", "0"), true},
		{text("7", "0"), text("007", "0"), false},
		{text("007", "0"), text("007", "0"), true},
		{text("007", "0"), text("08", "0"), false},
		{text("7", "NEW"), text("7", "NEW"), true},
		{text("7", "NEW"), text("7", "OLD"), false},
		{text("7", "4"), text("7", "POSITION_STATUS_DISTRESSED"), true},
		{text("7", "0"), leftover, true},
		{text("7", "0"), &model.Position{}, false},
	} {
		if c.p.Equal(c.q) != c.want || c.q.Equal(c.p) != c.want {
			t.Errorf("%s %s equals %s %s: %v, want %v", c.p.Number(model.OpenVolume), c.p.StatusName(),
				c.q.Number(model.OpenVolume), c.q.StatusName(), !c.want, c.want)
		}
	}
}

// TestAgrees: a service may send 0 in snapshots for a number that it sends in updates.
func TestAgrees(t *testing.T) {
	isCompared := func(f model.Field) bool { return f != model.RealisedPnl }
	for _, number := range []string{"7", "007"} {
		var inUpdate, inSnapshot model.Position
		inUpdate.SetNumber(model.RealisedPnl, model.ParseAmount(number))
		if !model.Agrees(&inUpdate, &inSnapshot, isCompared) || inUpdate.Agrees(&inSnapshot) {
			t.Errorf("a number that is not compared is, or the other way round")
		}
		inSnapshot.SetNumber(model.OpenVolume, model.ParseAmount(number))
		if model.Agrees(&inUpdate, &inSnapshot, isCompared) {
			t.Errorf("a size is not compared")
		}
	}
}

func TestIsOpen(t *testing.T) {
	for volume, want := range map[string]bool{"0": false, "-0": false, "000": false, "1": true, "-1": true, "": true, "x": true} {
		var p model.Position
		p.SetNumber(model.OpenVolume, model.ParseAmount(volume))
		if p.IsOpen() != want {
			t.Errorf("a volume of %q is open: %v", volume, p.IsOpen())
		}
	}
	if new(model.Position).IsOpen() {
		t.Error("a position without a volume is open")
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		text   string
		status model.Status
		name   string
	}{
		{"0", model.StatusUnspecified, "POSITION_STATUS_UNSPECIFIED"},
		{"1", model.StatusOrdersClosed, "POSITION_STATUS_ORDERS_CLOSED"},
		{"2", model.StatusClosedOut, "POSITION_STATUS_CLOSED_OUT"},
		{"4", model.StatusDistressed, "POSITION_STATUS_DISTRESSED"},
		{"POSITION_STATUS_UNSPECIFIED", model.StatusUnspecified, "POSITION_STATUS_UNSPECIFIED"},
		{"POSITION_STATUS_DISTRESSED", model.StatusDistressed, "POSITION_STATUS_DISTRESSED"},
		{"3", 3, "3"},
		{"5", 5, "5"},
		{"-1", -1, "-1"},
		{"2147483647", 1<<31 - 1, "2147483647"},
		{"2147483648", model.StatusText, "2147483648"},
		{"-2147483648", model.StatusText, "-2147483648"},
		{"9223372036854775807", model.StatusText, "9223372036854775807"},
		{"04", model.StatusText, "04"},
		{"", model.StatusText, ""},
		{"POSITION_STATUS_NEW", model.StatusText, "POSITION_STATUS_NEW"},
	} {
		var p model.Position
		p.SetStatus([]byte(c.text))
		if p.Status() != c.status || p.StatusName() != c.name {
			t.Errorf("%q is status %d %q, want %d %q", c.text, p.Status(), p.StatusName(), c.status, c.name)
		}
	}
}

func TestKeyCompare(t *testing.T) {
	keys := []model.Key{{}, {Market: model.MakeID("b")}, {Party: model.MakeID("a")}, {model.MakeID("a"), model.MakeID("a")}, {model.MakeID("a"), model.MakeID("b")}, {Party: model.MakeID("b")}}
	for i, k := range keys {
		for j, l := range keys {
			if got := k.Compare(l); got != min(1, max(-1, i-j)) {
				t.Errorf("%v and %v compare as %d", k, l, got)
			}
		}
	}
}
