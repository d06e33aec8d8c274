package sim

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"blotter/feed/sim/market"
)

// pageSize is how many positions one message of the stream holds at most.
const pageSize = 50

// appendSnapshot appends one page of a snapshot.
func appendSnapshot(b []byte, rows []*market.Row, last bool) []byte {
	b = append(b, `{"result":{"snapshot":{`...)
	if len(rows) > 0 {
		b = appendRows(b, rows, appendNoFees)
	}
	if last {
		if len(rows) > 0 {
			b = append(b, ',')
		}
		b = append(b, `"lastPage":true`...)
	}
	return append(b, "}}}\n"...)
}

// appendUpdates appends one message of a block of updates. Nothing on the wire marks the end of the block.
func appendUpdates(b []byte, rows []*market.Row) []byte {
	b = append(b, `{"result":{"updates":{`...)
	b = appendRows(b, rows, appendFees)
	return append(b, "}}}\n"...)
}

func appendRows(b []byte, rows []*market.Row, appendFees func([]byte, *market.Row) []byte) []byte {
	b = append(b, `"positions":[`...)
	for i, r := range rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendFees(appendRow(b, r), r), '}')
	}
	return append(b, ']')
}

// unusedFees are keys of the fees and of funding that are always zero.
const unusedFees = `,"takerFeesPaidSince":"0","makerFeesReceivedSince":"0","feesPaidSince":"0"` +
	`,"fundingPaymentAmount":"0","fundingPaymentAmountSince":"0"`

// appendNoFees appends the fees of a row as snapshots have them, for the service does not store them.
func appendNoFees(b []byte, _ *market.Row) []byte {
	return append(b, `,"takerFeesPaid":"0","makerFeesReceived":"0","feesPaid":"0"`+unusedFees...)
}

// appendFees appends the fees of a row as updates have them.
func appendFees(b []byte, r *market.Row) []byte {
	b = appendField(b, `,"takerFeesPaid":`, r.Traded.TakerFees, r.Plain)
	b = appendField(b, `,"makerFeesReceived":`, r.Traded.MakerFees, r.Plain)
	b = appendField(b, `,"feesPaid":`, r.Traded.OtherFees, r.Plain)
	return append(b, unusedFees...)
}

// appendRow appends a position as the stream has it, up to its fees: zeros of the numbers are omitted, 64-bit integers
// and amounts are strings, the status is a number.
func appendRow(b []byte, r *market.Row) []byte {
	p := r.Traded
	b = appendField(b, `{"marketId":`, p.Market, r.Plain)
	b = appendField(b, `,"partyId":`, p.Party, r.Plain)
	if p.OpenVolume != 0 {
		b = append(b, `,"openVolume":"`...)
		b = strconv.AppendInt(b, p.OpenVolume, 10)
		b = append(b, '"')
	}
	b = appendField(b, `,"realisedPnl":`, p.RealisedPnl, r.Plain)
	if p.UnrealisedPnl != "" {
		b = appendField(b, `,"unrealisedPnl":`, p.UnrealisedPnl, r.Plain)
	} else {
		b = append(r.AppendUnrealised(append(b, `,"unrealisedPnl":"`...)), '"')
	}
	b = appendField(b, `,"averageEntryPrice":`, p.AverageEntryPrice, r.Plain)
	switch {
	case p.UpdatedAtText != "":
		b = appendField(b, `,"updatedAt":`, p.UpdatedAtText, r.Plain)
	case r.UpdatedAt != NoTime:
		b = append(b, `,"updatedAt":"`...)
		b = strconv.AppendInt(b, r.UpdatedAt, 10)
		b = append(b, '"')
	}
	b = appendField(b, `,"lossSocialisationAmount":`, p.LossSocialisation, r.Plain)
	if p.Status != market.Unspecified {
		b = append(b, `,"positionStatus":`...)
		b = strconv.AppendInt(b, int64(p.Status), 10)
	}
	return b
}

// appendField appends what comes before a text, and the text as a JSON string. One that is plain needs only quotes.
func appendField(b []byte, head, text string, plain bool) []byte {
	b = append(b, head...)
	if plain {
		b = append(b, '"')
		b = append(b, text...)
		return append(b, '"')
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string always has a JSON form
	}
	return append(b, quoted...)
}

// marginRoom is about how many bytes a record takes on the wire.
const marginRoom = 900

func (p marginPage) text() []byte {
	b := append(make([]byte, 0, 512+len(p.records)*marginRoom), `{"marginLevels":{"edges":[`...)
	for i, record := range p.records {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendMarginRecord(b, record)
	}
	var start, end string
	if len(p.records) > 0 {
		start, end = cursorOf(p.records[0]), cursorOf(p.records[len(p.records)-1])
	}
	b = append(b, `],"pageInfo":{"hasNextPage":`...)
	b = strconv.AppendBool(b, p.hasNextPage)
	b = append(b, `,"hasPreviousPage":`...)
	b = strconv.AppendBool(b, p.hasPreviousPage)
	return append(b, `,"startCursor":"`+start+`","endCursor":"`+end+`"}}}`...)
}

// appendMarginRecord appends the record as a page has it: everything is there, zeros too, and enums are names.
func appendMarginRecord(b []byte, r *market.MarginRecord) []byte {
	field := func(head, text string) { b = appendField(b, head, text, r.Plain) }
	field(`{"node":{"maintenanceMargin":`, r.Maintenance)
	field(`,"searchLevel":`, r.Search)
	field(`,"initialMargin":`, r.Initial)
	field(`,"collateralReleaseLevel":`, r.Release)
	field(`,"partyId":`, r.Party)
	field(`,"marketId":`, r.Market)
	field(`,"asset":`, r.Asset)
	b = append(b, `,"timestamp":"`...)
	b = strconv.AppendInt(b, r.Timestamp, 10)
	b = append(b, '"')
	field(`,"orderMargin":`, r.OrderMargin)
	field(`,"marginMode":`, string(r.Mode))
	field(`,"marginFactor":`, r.Factor)
	b = append(b, `},"cursor":"`...)
	b = append(b, cursorOf(r)...)
	return append(b, `"}`...)
}

// place is the content of a cursor. The JSON names are the service's own.
type place struct {
	VegaTime  time.Time
	AccountID string
}

// cursorOf returns the cursor that names the record's place: padded base64 of JSON.
func cursorOf(r *market.MarginRecord) string {
	text, err := json.Marshal(place{time.Unix(0, r.Timestamp).UTC(), hex.EncodeToString(r.Account[:])})
	if err != nil {
		panic(err) // a count of nanoseconds never reaches the year 10000
	}
	return base64.StdEncoding.EncodeToString(text)
}

// errCursorText means that a cursor is not even base64. The service refuses it with 400, and a cursor that is base64
// of something else with 500.
var errCursorText = errors.New("failed to decode cursor")

// placeOf returns a record at the place that the cursor names.
func placeOf(cursor string) (*market.MarginRecord, error) {
	if cursor == "" {
		return nil, fmt.Errorf("%w: cursor is empty", errCursorText)
	}
	text, err := base64.StdEncoding.DecodeString(cursor)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errCursorText, err)
	}
	var at place
	if err := json.Unmarshal(text, &at); err != nil {
		return nil, fmt.Errorf("parsing cursor: parsing cursor: %w", err)
	}
	account, err := hex.DecodeString(at.AccountID)
	if err != nil {
		return nil, fmt.Errorf("parsing cursor: %w", err)
	}
	r := &market.MarginRecord{MarginLevels: MarginLevels{Timestamp: at.VegaTime.UnixNano()}}
	copy(r.Account[:], account)
	return r, nil
}
