package sim

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// MarginLevels is a record of the margin levels list: what one party needs to
// keep its position in one market, in the decimals of the asset.
type MarginLevels struct {
	Party, Market, Asset string

	Maintenance, Search, Initial, Release string

	// Timestamp is Unix time in nanoseconds, and the record's place in the
	// list. A script that leaves it 0 gets the time at which the service
	// takes the record in.
	Timestamp int64
}

// MarginKey names a record of margin levels.
type MarginKey struct{ Party, Market, Asset string }

// Key returns the name of the record.
func (m MarginLevels) Key() MarginKey { return MarginKey{m.Party, m.Market, m.Asset} }

// levels is a record as the ledger holds it; never changed once it is in.
type levels struct {
	MarginLevels

	// account puts records of one time in order, as the service's own
	// account identifier does.
	account [sha256.Size]byte

	plain bool
}

func newLevels(m MarginLevels) *levels {
	for _, amount := range []*string{&m.Maintenance, &m.Search, &m.Initial, &m.Release} {
		if *amount == "" {
			*amount = "0"
		}
	}
	plain := isPlain(m.Party) && isPlain(m.Market) && isPlain(m.Asset) && isPlain(m.Maintenance) &&
		isPlain(m.Search) && isPlain(m.Initial) && isPlain(m.Release)
	return &levels{MarginLevels: m, account: accountOf(m.Key()), plain: plain}
}

func accountOf(key MarginKey) [sha256.Size]byte {
	return sha256.Sum256([]byte(key.Party + "/" + key.Market + "/" + key.Asset))
}

// append writes the record as an edge of a page has it: everything is there,
// zeros too, and enums are names.
func (l *levels) append(b []byte) []byte {
	field := func(head, text string) {
		b = append(b, head...)
		b = appendText(b, text, l.plain)
	}
	field(`{"node":{"maintenanceMargin":`, l.Maintenance)
	field(`,"searchLevel":`, l.Search)
	field(`,"initialMargin":`, l.Initial)
	field(`,"collateralReleaseLevel":`, l.Release)
	field(`,"partyId":`, l.Party)
	field(`,"marketId":`, l.Market)
	field(`,"asset":`, l.Asset)
	b = append(b, `,"timestamp":"`...)
	b = strconv.AppendInt(b, l.Timestamp, 10)
	b = append(b, `","orderMargin":"0","marginMode":"MARGIN_MODE_CROSS_MARGIN","marginFactor":"0"},"cursor":"`...)
	b = append(b, l.cursor()...)
	return append(b, `"}`...)
}

// place is what a cursor says: the JSON names are the service's own.
type place struct {
	VegaTime  time.Time
	AccountID string
}

// cursor names the place of the record: padded base64 of JSON.
func (l *levels) cursor() string {
	text, err := json.Marshal(place{time.Unix(0, l.Timestamp).UTC(), hex.EncodeToString(l.account[:])})
	if err != nil {
		panic(err) // a nanosecond count never reaches the year 10000
	}
	return base64.StdEncoding.EncodeToString(text)
}

// errCursorText says that a cursor is not even base64. The service answers it
// with 400, and a cursor that only means nothing with 500.
var errCursorText = errors.New("failed to decode cursor")

// placeOf reads a cursor into a record that stands at its place.
func placeOf(cursor string) (*levels, error) {
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
	l := &levels{MarginLevels: MarginLevels{Timestamp: at.VegaTime.UnixNano()}}
	copy(l.account[:], account)
	return l, nil
}
