package export

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"blotter/model"
	"blotter/model/event"
	"blotter/model/view"
	"blotter/ui/columns"
)

// schemaObject is a JSON Schema, or a part of one.
type schemaObject map[string]any

// descriptions are the meanings of the fields. Numbers are texts, because they can be longer than a JSON number.
func descriptions() map[string]string {
	words := map[string]string{
		"asset": "the identifier of the asset that the levels are in; with --names its name",

		"party":  "the name of the party, with --names; its identifier if it has none, after \"id \" if that is the name of another one",
		"market": "the name of the market, with --names",

		"alert":             "the name of the alert",
		"at":                "when the alert began or ended, or was reported again, in RFC 3339",
		"count":             "for how many positions",
		"gone":              "true if this end is of positions that the service has no longer",
		"whileAway":         "true if this end came while blotter did not run or did not watch it: it is not known when",
		"ruleChanged":       "true if this alert ended because its rule was changed, switched off or removed",
		"beginNotDelivered": "true if the command did not get the begin of this end",
		"id":                "the same for the same event, also if the command is called again with it after a failure or a restart",
		"group":             "the name of the group",
		"direction":         "whether the alert begins or ends, or lasts and is reported again",
		"service":           "the name of the service on the screen",
		"text":              "the event in one line, with the rounded numbers of the screen",

		"positions":     "how many positions there are",
		"openPositions": "how many of them are open",
		"records":       "how many margin records there are",
		"leftOut":       "how many numbers are in no sum, because they are not integers",

		"event":                         "what happened: one or more of " + exportedKinds() + ", with spaces between them",
		"lossSocialisationAmountBefore": "lossSocialisationAmount before the event",
		"openVolumeBefore":              "openVolume before the event; 0 if the position is new",
		"positionStatusBefore":          "positionStatus before the event",
		"seenAt":                        "when the event was found, in RFC 3339",
		"source":                        "what has shown the event: update, or the comparison with an audit or the snapshot of a new connection",
		"time":                          "when the event happened, in RFC 3339: updatedAt for an update; else seenAt: it happened at that time or before",
	}
	for _, c := range columns.AllPrinted() {
		words[c.Field] = c.About
	}
	for n := range model.MarginNumberCount {
		words[n.Name()] = columns.MarginNumberAbout(n)
	}
	for t := range model.MarginTextCount {
		words[t.Name()] = columns.MarginTextAbout(t) + "; absent if the service does not send it"
	}
	return words
}

// exportedKinds returns the names of the kinds of events that are printed: all but those that only a screen finds.
func exportedKinds() string {
	ofScreen := (event.AlertChanged | event.TroubleBegan | event.TroubleEnded).Names()
	names := slices.DeleteFunc(slices.Clone(event.KindNames()), func(name string) bool { return slices.Contains(ofScreen, name) })
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// WriteSchema writes one JSON Schema document of all JSON that is printed. Each kind of output is a definition in it;
// the document as a whole allows any of them.
func WriteSchema(w io.Writer) error {
	removed := func(keys ...string) schemaObject {
		object := textFields(keys)
		object.properties()["removed"] = schemaObject{"const": true}
		object["required"] = append(keys, "removed")
		return object
	}
	alertEvent, alertedPosition, alertedGroup := alertEventSchemas()
	definitions := schemaObject{
		"position": textFields(fieldsOf(positionColumns(),
			positionKeys())).describe("A position: a line of positions -o ndjson."),
		"selectedPosition": anyFields(positionColumns()).describe("The same with --columns or --names."),
		"removed":          removed("marketId", "partyId").describe("A position that is gone: a line of positions -o ndjson --follow."),
		"removedByName":    removed("market", "party").describe("The same with --names."),
		"followLine": anyOf("position", "selectedPosition", "removed",
			"removedByName").describe("A line of positions -o ndjson --follow."),
		"positions":         arrayOf("position").describe("What positions -o json prints."),
		"selectedPositions": arrayOf("selectedPosition").describe("The same with --columns or --names."),
		"marginLevels": withOptional(textFields(fieldsOf(marginColumns(), marginKeys())),
			marginColumns()).describe("A margin record: a line of margins -o ndjson."),
		"selectedMarginLevels":  anyFields(marginColumns()).describe("The same with --columns or --names."),
		"marginRecords":         arrayOf("marginLevels").describe("What margins -o json prints."),
		"selectedMarginRecords": arrayOf("selectedMarginLevels").describe("The same with --columns or --names."),
		"positionTotal":         anyFields(allTotalColumns(positionTotalColumns)).describe("A line of positions -o ndjson --totals."),
		"positionTotals":        arrayOf("positionTotal").describe("What positions -o json --totals prints."),
		"marginTotal":           anyFields(allTotalColumns(marginTotalColumns)).describe("A line of margins -o ndjson --totals."),
		"marginTotals":          arrayOf("marginTotal").describe("What margins -o json --totals prints."),
		"event": textFields(fieldsOf(eventColumns(),
			keysOf(eventColumns()))).describe("An event: a line of events -o ndjson. Fields without Before are those of the position after it."),
		"selectedEvent":   anyFields(eventColumns()).describe("The same with --names."),
		"events":          arrayOf("event").describe("What events -o json prints."),
		"selectedEvents":  arrayOf("selectedEvent").describe("The same with --names."),
		"alertEvent":      alertEvent,
		"alertedPosition": alertedPosition,
		"alertedGroup":    alertedGroup,
	}
	document := anyOf("positions", "selectedPositions", "marginRecords", "selectedMarginRecords", "positionTotals", "marginTotals",
		"followLine", "marginLevels", "selectedMarginLevels", "positionTotal", "marginTotal", "event",
		"selectedEvent", "events", "selectedEvents", "alertEvent")
	document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	document["title"] = "The JSON that blotter prints"
	document["description"] = "Every number is a text, exactly as the service wrote it: an integer in units of the last decimal of the market or " +
		"asset, or a number with a decimal point or an exponent of its own; and a time in the unit of the service. With --scaled, numbers have their decimal points and are empty if the decimals " +
		"are not known, and times are in RFC 3339."
	document["$defs"] = definitions
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(document)
}

// textFields is an object with exactly these fields. Each is a text.
func textFields(fields []string) schemaObject {
	words, properties := descriptions(), make(schemaObject, len(fields))
	for _, field := range fields {
		properties[field] = schemaObject{"type": "string", "description": words[field]}
	}
	return schemaObject{"type": "object", "properties": properties, "required": fields, "additionalProperties": false}
}

// anyFields is an object with some of the fields of columns, by identifiers or by names. Each is a text.
func anyFields[R any](columns []column[R]) schemaObject {
	var fields []string
	for _, c := range columns {
		fields = append(fields, c.field)
		if c.named != "" && c.named != c.field {
			fields = append(fields, c.named)
		}
	}
	object := textFields(fields)
	delete(object, "required")
	object["minProperties"] = 1
	return object
}

// withOptional makes the optional columns of an object optional in it.
func withOptional[R any](object schemaObject, columns []column[R]) schemaObject {
	isOptional := func(field string) bool {
		return slices.ContainsFunc(columns, func(c column[R]) bool { return c.field == field && c.isOptional })
	}
	object["required"] = slices.DeleteFunc(object["required"].([]string), isOptional)
	return object
}

// fieldsOf returns the fields of the columns with these keys.
func fieldsOf[R any](all []column[R], keys []string) []string {
	var fields []string
	for _, c := range selected(all, keys) {
		fields = append(fields, c.field)
	}
	return fields
}

// allTotalColumns are the columns of totals with every grouping.
func allTotalColumns(columns func(view.Grouping) []column[total]) []column[total] {
	all := columns(view.GroupByParty)
	for _, c := range columns(view.GroupByMarket) {
		if c.key == view.GroupByMarket.String() {
			all = append(all, c)
		}
	}
	return all
}

func (s schemaObject) properties() schemaObject { return s["properties"].(schemaObject) }

func (s schemaObject) describe(words string) schemaObject {
	s["description"] = words
	return s
}

func arrayOf(definition string) schemaObject {
	return schemaObject{"type": "array", "items": referTo(definition)}
}

func anyOf(definitions ...string) schemaObject {
	var all []schemaObject
	for _, definition := range definitions {
		all = append(all, referTo(definition))
	}
	return schemaObject{"anyOf": all}
}

func referTo(definition string) schemaObject { return schemaObject{"$ref": "#/$defs/" + definition} }
