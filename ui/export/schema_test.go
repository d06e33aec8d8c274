package export

import (
	"maps"
	"slices"
	"testing"
)

// TestEveryFieldIsDescribed compares the descriptions with the fields. Tests in ui/command compare the schema with the
// output.
func TestEveryFieldIsDescribed(t *testing.T) {
	words := descriptions()
	var fields []string
	for _, object := range []schemaObject{
		anyFields(positionColumns()), anyFields(marginColumns()), anyFields(allTotalColumns(positionTotalColumns)), anyFields(allTotalColumns(marginTotalColumns)),
		anyFields(eventColumns()),
	} {
		fields = slices.AppendSeq(fields, maps.Keys(object.properties()))
	}
	event, alerted, group := alertEventSchemas()
	for _, object := range []schemaObject{event, alerted, group} {
		fields = slices.AppendSeq(fields, maps.Keys(object.properties()))
	}
	for _, field := range fields {
		if words[field] == "" {
			t.Errorf("the schema does not describe %s", field)
		}
	}
	for field := range words {
		if !slices.Contains(fields, field) {
			t.Errorf("%s is described, but no output has it", field)
		}
	}
}
