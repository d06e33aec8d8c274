package format

import (
	"fmt"
	"strings"
	"testing"

	"blotter/model"
)

// alike returns an identifier with these ends, which differs from others only between them.
func alike(inner string) model.ID {
	return model.MakeID("a3f9" + inner + strings.Repeat("0", 56-2*len(inner)) + inner + "81c2")
}

func TestLabelsOfIdentifiersDiffer(t *testing.T) {
	l := newLabels(false, func(id model.ID) (string, bool) { return id.Label(), id == model.MakeID("named") })
	if got := l.of(alike("b1")); got != "a3f9…81c2" {
		t.Errorf("the label of the only identifier is %q", got)
	}
	for i := range 0x100 {
		l.of(alike(fmt.Sprintf("%02x", i)))
	}
	seen := make(map[string]bool)
	for i := range 0x100 {
		label := l.of(alike(fmt.Sprintf("%02x", i)))
		if seen[label] || len(label) > 20 {
			t.Errorf("%q is the label of two identifiers, or longer than it must be", label)
		}
		seen[label] = true
	}
	if seen["a3f9…81c2"] {
		t.Error("a label could be that of another identifier")
	}
	for id, want := range map[string]string{"named": "named", "network": "network", "": "(none)"} {
		if got := l.of(model.MakeID(id)); got != want {
			t.Errorf("%q is %q, want %q", id, got, want)
		}
	}
}

func TestLabelsAreBounded(t *testing.T) {
	l := newLabels(false, func(id model.ID) (string, bool) { return id.Label(), false })
	for i := range 3 * maxLabels {
		l.of(model.MakeID(fmt.Sprintf("%064x", i)))
	}
	for range 3 {
		l.of(model.MakeID(strings.Repeat("x", maxCachedID+1)))
	}
	if len(l.texts) > maxLabels || len(l.ids) > maxLabels {
		t.Errorf("%d labels and %d identifiers are cached, want at most %d", len(l.texts), len(l.ids), maxLabels)
	}
}

// TestIdentifierThatIsTheNameOfAnother: the rows of a party without a name do not look as those of one that has it.
func TestIdentifierThatIsTheNameOfAnother(t *testing.T) {
	a, desk := model.MakeID("a"), model.MakeID("desk-1")
	f := New(model.NewInstruments([]model.Party{{ID: a, Name: "desk-1"}, {ID: model.MakeID("b")}}, []model.Market{{ID: a, Name: "(none)"}}, nil), nil, nil, false)
	for _, c := range []struct{ got, want string }{
		{f.Party(a), "desk-1"}, {f.Party(desk), "id desk-1"}, {f.Party(model.MakeID("b")), "b"}, {f.Party(model.ID{}), "(none)"},
		{f.Market(a), "(none)"}, {f.Market(model.ID{}), "id (none)"}, {f.Market(desk), "desk-1"},
	} {
		if c.got != c.want {
			t.Errorf("the label is %q, want %q", c.got, c.want)
		}
	}
}
