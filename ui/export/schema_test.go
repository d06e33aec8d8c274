package export

import (
	"slices"
	"testing"
)

// TestEveryFieldIsDescribed: that the schema and the output agree is tested in ui/command.
func TestEveryFieldIsDescribed(t *testing.T) {
	words := descriptions()
	fields := slices.Concat(positionFields, marginFields)
	for _, field := range fields {
		if words[field] == "" {
			t.Errorf("the schema does not say what %s is", field)
		}
	}
	for field := range words {
		if !slices.Contains(fields, field) {
			t.Errorf("%s is described, but nothing prints it", field)
		}
	}
}
