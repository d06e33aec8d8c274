package views

import (
	"blotter/model/view"
	"strings"
	"testing"

	"blotter/model"
)

// TestSizesOfSavedViews: the state file stays small.
func TestSizesOfSavedViews(t *testing.T) {
	for _, test := range []struct {
		scope model.Scope
		want  string
	}{
		{model.Scope{Parties: make([]model.ID, maxParties)}, ""},
		{model.Scope{Markets: make([]model.ID, maxParties+1)}, "it has 501 parties or markets"},
		{model.Scope{Parties: []model.ID{model.MakeID(strings.Repeat("x", maxSize))}}, "its parties, markets and filter are too long"},
	} {
		view := View{Shown: Shown{Settings: view.Settings{Scope: test.scope}}}
		if err := view.CheckSize(); err == nil && test.want != "" || err != nil && (test.want == "" || !strings.HasPrefix(err.Error(), test.want)) {
			t.Errorf("%d parties and %d markets: %v, want %q", len(test.scope.Parties), len(test.scope.Markets), err, test.want)
		}
	}
}
