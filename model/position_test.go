package model

import (
	"testing"
	"unsafe"
)

func TestPositionIs128Bytes(t *testing.T) {
	if size := unsafe.Sizeof(Position{}); size != 128 {
		t.Errorf("a position takes %d bytes", size)
	}
}

func TestNumbersAreWhatWasSet(t *testing.T) {
	s := newSample(8, 0, 0)
	var p Position
	want := make(map[Field]Amount)
	for range 20_000 {
		f, a := Field(s.IntN(int(fields))), ParseAmount(s.text())
		p.SetNumber(f, a)
		want[f] = a
		for f := range fields {
			if p.Number(f) != want[f] {
				t.Fatalf("field %d is %q, want %q", f, p.Number(f), want[f])
			}
		}
	}
}

func TestChangingACopyLeavesThePositionAlone(t *testing.T) {
	var p Position
	p.SetNumber(OpenVolume, ParseAmount("007"))
	p.SetStatus([]byte("NEW"))
	q := p
	q.SetNumber(OpenVolume, ParseAmount("008"))
	q.SetStatus([]byte("OLD"))
	if p.Number(OpenVolume).String() != "007" || p.StatusName() != "NEW" {
		t.Errorf("it has become %s %s", p.Number(OpenVolume), p.StatusName())
	}
}

func TestEqualGoesByWhatTheServiceWrote(t *testing.T) {
	text := func(volume, status string) *Position {
		p := &Position{Key: Key{Party: MakeID("p")}}
		p.SetNumber(OpenVolume, ParseAmount(volume))
		p.SetStatus([]byte(status))
		return p
	}
	// leftover had texts once.
	leftover := text("007", "NEW")
	leftover.SetNumber(OpenVolume, ParseAmount("7"))
	leftover.SetStatus([]byte("0"))
	for _, c := range []struct {
		p, q *Position
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
		{text("7", "0"), &Position{}, false},
	} {
		if c.p.Equal(c.q) != c.want || c.q.Equal(c.p) != c.want {
			t.Errorf("%s %s equals %s %s: %v, want %v", c.p.Number(OpenVolume), c.p.StatusName(),
				c.q.Number(OpenVolume), c.q.StatusName(), !c.want, c.want)
		}
	}
}

func TestIsOpen(t *testing.T) {
	for volume, want := range map[string]bool{"0": false, "-0": false, "000": false, "1": true, "-1": true, "": true, "x": true} {
		var p Position
		p.SetNumber(OpenVolume, ParseAmount(volume))
		if p.IsOpen() != want {
			t.Errorf("a volume of %q is open: %v", volume, p.IsOpen())
		}
	}
	if new(Position).IsOpen() {
		t.Error("a position without a volume is open")
	}
}

func TestStatus(t *testing.T) {
	for _, c := range []struct {
		text   string
		status Status
		name   string
	}{
		{"0", StatusUnspecified, "POSITION_STATUS_UNSPECIFIED"},
		{"1", StatusOrdersClosed, "POSITION_STATUS_ORDERS_CLOSED"},
		{"2", StatusClosedOut, "POSITION_STATUS_CLOSED_OUT"},
		{"4", StatusDistressed, "POSITION_STATUS_DISTRESSED"},
		{"POSITION_STATUS_UNSPECIFIED", StatusUnspecified, "POSITION_STATUS_UNSPECIFIED"},
		{"POSITION_STATUS_DISTRESSED", StatusDistressed, "POSITION_STATUS_DISTRESSED"},
		{"3", 3, "3"},
		{"5", 5, "5"},
		{"-1", -1, "-1"},
		{"2147483647", 1<<31 - 1, "2147483647"},
		{"2147483648", StatusText, "2147483648"},
		{"-2147483648", StatusText, "-2147483648"},
		{"9223372036854775807", StatusText, "9223372036854775807"},
		{"04", StatusText, "04"},
		{"", StatusText, ""},
		{"POSITION_STATUS_NEW", StatusText, "POSITION_STATUS_NEW"},
	} {
		var p Position
		p.SetStatus([]byte(c.text))
		if p.Status() != c.status || p.StatusName() != c.name {
			t.Errorf("%q is status %d %q, want %d %q", c.text, p.Status(), p.StatusName(), c.status, c.name)
		}
	}
}

func TestKeyCompare(t *testing.T) {
	keys := []Key{{}, {Market: MakeID("b")}, {Party: MakeID("a")}, {MakeID("a"), MakeID("a")}, {MakeID("a"), MakeID("b")}, {Party: MakeID("b")}}
	for i, k := range keys {
		for j, l := range keys {
			if got := k.Compare(l); got != min(1, max(-1, i-j)) {
				t.Errorf("%v and %v compare as %d", k, l, got)
			}
		}
	}
}
