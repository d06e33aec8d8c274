package export

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"blotter/model"
	"blotter/model/view"
	"blotter/ui/format"
)

// alertEventFields are the fields of an alert event, except its positions.
var alertEventFields = []string{"alert", "at", "count", "direction", "id", "service", "text"}

var alertDirections = []string{AlertBegins, AlertEnds, AlertLasts}

// The columns of a position in an alert event: by identifiers, and then once more by names.
var (
	alertedKeys  = append(positionKeys(), "asset", "m%")
	alertedNames = []string{"party", "market", "asset"}
)

// AlertMessage is what the program of an alert gets on its standard input.
type AlertMessage struct {
	Alert             string
	At                time.Time
	BeginNotDelivered bool // the program did not get the begin of this end
	Count             int  // for how many positions; 0 if it is about the feed or a group
	Direction         string
	Why               view.EndReason
	ID                string // the same for the same content, also after a restart
	Service, Text     string
	Group             json.RawMessage   // nil if it is not about a group: see AlertedGroup
	Positions         []json.RawMessage // see Alerted
}

// The directions of a message.
const (
	AlertBegins = "begin"
	AlertEnds   = "end"
	AlertLasts  = "again"
)

// Append appends the message as a line of JSON.
func (m *AlertMessage) Append(line []byte) []byte {
	line = appendObject(line, alertEventFields, []string{
		m.Alert, m.At.UTC().Format(time.RFC3339Nano), strconv.Itoa(m.Count), m.Direction, m.ID, m.Service, m.Text,
	})
	line = line[:len(line)-1]
	if m.BeginNotDelivered {
		line = append(line, `,"beginNotDelivered":true`...)
	}
	if m.Why != "" {
		line = append(append(append(line, `,"`...), m.Why...), `":true`...)
	}
	if m.Group != nil {
		line = append(append(line, `,"group":`...), m.Group...)
	}
	line = append(line, `,"positions":[`...)
	for i, position := range m.Positions {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, position...)
	}
	return append(line, "]}\n"...)
}

// Alerted returns a position of an alert as programs get it.
func Alerted(change *view.AlertChange, in *model.Instruments) json.RawMessage {
	ratio := func(*model.Position) (model.MarginRatio, bool) { return change.Ratio, change.HasRatio }
	ids := positionRecords(nil, NDJSON, &Options{Instruments: in, Columns: alertedKeys, MarginRatio: ratio})
	names := positionRecords(nil, NDJSON, &Options{Instruments: in, Columns: alertedNames, Names: true})
	p := &change.Position
	line := ids.appendRecord(nil, p, ids.jsonLeads())
	line[len(line)-1] = ','
	return append(line, names.appendRecord(nil, p, names.jsonLeads())[1:]...)
}

// alertedGroupFields are the fields of a group in an alert event: the last ones are those of alertedSums.
var alertedGroupFields = append([]string{
	"asset", "assetId", "estimatedNotional", "group", "maintenanceMargin", "marginRatio", "openPositions", "positions",
}, alertedSumNames()...)

// alertedSums are the numbers whose sums a group in an alert event has, by name.
func alertedSums() []model.Field {
	summed := model.Summed()
	return slices.SortedFunc(slices.Values(summed[:]), func(a, b model.Field) int { return strings.Compare(a.Name(), b.Name()) })
}

func alertedSumNames() (names []string) {
	for _, number := range alertedSums() {
		names = append(names, number.Name())
	}
	return names
}

// AlertedGroup returns the group of an alert as programs get it. A sum that is not known is an empty text.
func AlertedGroup(of *view.GroupSums, in *model.Instruments) json.RawMessage {
	ifKnown := func(isKnown bool, text string) string {
		if !isKnown {
			return ""
		}
		return text
	}
	decimals := in.Asset(of.Asset).Decimals
	hasNotional := of.HasNotional && of.Notional.IsKnown(decimals, format.EveryDigit)
	values := []string{
		in.Asset(of.Asset).Label(), of.Asset.String(), ifKnown(hasNotional, of.Notional.Known(decimals).String()), of.Group.String(),
		ifKnown(of.HasMaintenance(), of.Maintenance().String()), ifKnown(of.HasRatio, strings.TrimSuffix(of.Ratio.String(), "%")),
		strconv.Itoa(of.Open), strconv.Itoa(of.Rows),
	}
	for _, number := range alertedSums() {
		sum, isKnown := of.Sum(number)
		values = append(values, ifKnown(isKnown, sum.String()))
	}
	return appendObject(nil, alertedGroupFields, values)
}

// alertEventSchemas are the schemas of an alert event, and of a position and a group in it.
func alertEventSchemas() (event, position, group schemaObject) {
	event = textFields(alertEventFields)
	event.properties()["direction"].(schemaObject)["enum"] = alertDirections
	event.properties()["positions"] = arrayOf("alertedPosition")
	event["required"] = append(slices.Clone(alertEventFields), "positions")
	event.properties()["group"] = referTo("alertedGroup")
	event.properties()["beginNotDelivered"] = schemaObject{"type": "boolean"}
	for _, reason := range view.EndReasons() {
		event.properties()[string(reason)] = schemaObject{"type": "boolean"}
	}
	event.describe("What the command of an alert gets on its standard input: the alert has begun or ended for these positions, or is reported again because it lasts; of many only the first. An alert about the feed, or about a group, has a count of 0 and no positions.")
	group = textFields(alertedGroupFields)
	group.describe("The group of an alert with on = group, with its sums in one asset at that time. A sum is empty if it is not known, and the margin ratio is if that of a position is not known, or an estimate.")
	position = textFields(slices.Concat(fieldsOf(positionColumns(), alertedKeys), alertedNames))
	position.describe("A position of an alert as it was at that time. Of one that is gone, the numbers are 0.")
	return event, position, group
}
