package event

import (
	"slices"
	"testing"
)

// TestEveryKindHasAName: filters and exports have a name for each kind.
func TestEveryKindHasAName(t *testing.T) {
	if names := (afterKinds - 1).Names(); afterKinds != 1<<len(kindNames) || slices.Contains(names, "") {
		t.Errorf("the kinds are %q, and there are other constants", names)
	}
}
