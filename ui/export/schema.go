package export

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
)

// schemaObject is a JSON Schema, or a part of one.
type schemaObject map[string]any

// descriptions are what the fields mean. Numbers are texts, because they are longer than a JSON number can be.
func descriptions() map[string]string {
	return map[string]string{
		"averageEntryPrice":       "the average entry price, without the decimals of the market's prices",
		"lossSocialisationAmount": "the loss that was socialised, without the decimals of the asset",
		"marketId":                "the identifier of the market",
		"openVolume":              "the size, without the decimals of the market's sizes; negative where the position is short",
		"partyId":                 "the identifier of the party",
		"positionStatus":          "a name such as POSITION_STATUS_DISTRESSED, or the number of a status that has no name",
		"realisedPnl":             "the realised profit and loss, without the decimals of the asset",
		"unrealisedPnl":           "the unrealised profit and loss, without the decimals of the asset",
		"updatedAt":               "when the position changed, in nanoseconds since 1970-01-01 UTC; 0 where it is not known",

		"asset":                  "the identifier of the asset that the levels are in",
		"collateralReleaseLevel": "the release level, without the decimals of the asset",
		"initialMargin":          "the initial margin, without the decimals of the asset",
		"maintenanceMargin":      "the maintenance margin, without the decimals of the asset",
		"searchLevel":            "the search level, without the decimals of the asset",
		"timestamp":              "when the levels were worked out, in nanoseconds since 1970-01-01 UTC; 0 where it is not known",
	}
}

// WriteSchema writes one JSON Schema document of all JSON that is printed. Each kind of output is a definition in it; the
// document as a whole allows any of them.
func WriteSchema(w io.Writer) error {
	removed := textFields(keyFields)
	removed.properties()["removed"] = schemaObject{"const": true}
	removed["required"] = append(slices.Clone(keyFields), "removed")
	definitions := schemaObject{
		"position":      textFields(positionFields).describe("A position: a line of positions -o ndjson."),
		"removed":       removed.describe("A position that is gone: a line of positions -o ndjson --follow."),
		"followLine":    anyOf("position", "removed").describe("A line of positions -o ndjson --follow."),
		"positions":     arrayOf("position").describe("What positions -o json prints."),
		"marginLevels":  textFields(marginFields).describe("A margin record: a line of margins -o ndjson."),
		"marginRecords": arrayOf("marginLevels").describe("What margins -o json prints."),
	}
	document := anyOf("positions", "marginRecords", "followLine", "marginLevels")
	document["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	document["title"] = "The JSON that blotter prints"
	document["description"] = "Every number is a text, exactly as the service wrote it."
	document["$defs"] = definitions
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return err
	}
	_, err := w.Write(text.Bytes())
	return err
}

// textFields is an object with these fields, all of them, and no others. Each is a text.
func textFields(fields []string) schemaObject {
	words, properties := descriptions(), make(schemaObject, len(fields))
	for _, field := range fields {
		properties[field] = schemaObject{"type": "string", "description": words[field]}
	}
	return schemaObject{"type": "object", "properties": properties, "required": fields, "additionalProperties": false}
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
