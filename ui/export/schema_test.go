package export

import (
	"maps"
	"slices"
	"testing"
)

// TestEveryFieldIsDescribed: that the schema and the output agree is tested in ui/command.
func TestEveryFieldIsDescribed(t *testing.T) {
	words := descriptions()
	var fields []string
	for _, object := range []schemaObject{
		anyFields(positionColumns()), anyFields(marginColumns()), anyFields(allTotalColumns(positionTotalColumns)), anyFields(allTotalColumns(marginTotalColumns)),
		anyFields(eventColumns()),
	} {
		fields = slices.AppendSeq(fields, maps.Keys(object.properties()))
	}
	event, alerted := alertEventSchemas()
	fields = slices.AppendSeq(slices.AppendSeq(fields, maps.Keys(event.properties())), maps.Keys(alerted.properties()))
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
