package export

import (
	"slices"
	"strconv"
	"time"

	"blotter/model"
	"blotter/model/view"
)

// alertEventFields are the fields of an alert event, except its positions.
var alertEventFields = []string{"alert", "at", "count", "direction", "service", "text"}

// alertDirections are the values of direction.
var alertDirections = []string{"begin", "end", "again"}

// The columns of a position in an alert event: by identifiers, and then once more by names.
var (
	alertedKeys  = append(positionKeys(), "asset", "m%")
	alertedNames = []string{"party", "market", "asset"}
)

// AppendAlertEvent appends an alert event as a line of JSON.
func AppendAlertEvent(line []byte, event *view.AlertEvent) []byte {
	direction := alertDirections[1]
	switch {
	case event.IsAgain:
		direction = alertDirections[2]
	case event.Begins:
		direction = alertDirections[0]
	}
	line = appendObject(line, alertEventFields, []string{
		event.Rule.Name, event.At.UTC().Format(time.RFC3339Nano), strconv.Itoa(event.Count), direction, event.Service, event.Text,
	})
	line = append(line[:len(line)-1], `,"positions":[`...)
	for i := range event.Changes {
		if i > 0 {
			line = append(line, ',')
		}
		line = appendAlerted(line, &event.Changes[i], event.Instruments)
	}
	return append(line, "]}\n"...)
}

// appendAlerted appends a position of an alert event.
func appendAlerted(line []byte, change *view.AlertChange, in *model.Instruments) []byte {
	ratio := func(*model.Position) (model.MarginRatio, bool) { return change.Ratio, change.HasRatio }
	ids := positionRecords(nil, NDJSON, &Options{Instruments: in, Columns: alertedKeys, MarginRatio: ratio})
	names := positionRecords(nil, NDJSON, &Options{Instruments: in, Columns: alertedNames, Names: true})
	p := &change.Position
	line = ids.appendRecord(line, p, ids.jsonLeads())
	line[len(line)-1] = ','
	return append(line, names.appendRecord(nil, p, names.jsonLeads())[1:]...)
}

// alertEventSchemas are the schemas of an alert event and of a position in it.
func alertEventSchemas() (event, position schemaObject) {
	event = textFields(alertEventFields)
	event.properties()["direction"].(schemaObject)["enum"] = alertDirections
	event.properties()["positions"] = arrayOf("alertedPosition")
	event["required"] = append(slices.Clone(alertEventFields), "positions")
	event.describe("What the command of an alert gets on its standard input: the alert has begun or ended for these positions, or is reported again because it lasts; of many only the first. An alert about the feed has a count of 0 and no positions.")
	position = textFields(slices.Concat(fieldsOf(positionColumns(), alertedKeys), alertedNames))
	position.describe("A position of an alert as it was at that time. Of one that is gone, the numbers are 0.")
	return event, position
}
