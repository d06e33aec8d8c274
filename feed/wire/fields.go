package wire

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// fieldID is a member name that the Reader knows, by its place in the fields.
type fieldID = uint8

// The names of the fields that are read. A known service sends eight more with each position.
const (
	fieldUnknown fieldID = iota
	fieldAverageEntryPrice
	fieldLossSocialisationAmount
	fieldOpenVolume
	fieldRealisedPnl
	fieldUnrealisedPnl
	fieldUpdatedAt
	fieldPartyID
	fieldMarketID
	fieldPositionStatus
	fieldResult
	fieldSnapshot
	fieldUpdates
	fieldPositions
	fieldLastPage
	fieldErrorObject
	fieldErrorMessage
	fieldErrorDetails
	fieldErrorInner
	fieldErrorCode
	fieldMarginLevels
	fieldEdges
	fieldNode
	fieldCursor
	fieldPageInfo
	fieldHasNextPage
	fieldHasPreviousPage
	fieldStartCursor
	fieldEndCursor
	fieldAsset
	fieldMaintenanceMargin
	fieldSearchLevel
	fieldInitialMargin
	fieldCollateralReleaseLevel
	fieldTimestamp
)

var fieldNames = [...]string{
	fieldAverageEntryPrice: "averageEntryPrice", fieldLossSocialisationAmount: "lossSocialisationAmount", fieldOpenVolume: "openVolume",
	fieldRealisedPnl: "realisedPnl", fieldUnrealisedPnl: "unrealisedPnl", fieldUpdatedAt: "updatedAt", fieldPartyID: "partyId",
	fieldMarketID: "marketId", fieldPositionStatus: "positionStatus", fieldResult: "result", fieldSnapshot: "snapshot", fieldUpdates: "updates",
	fieldPositions: "positions", fieldLastPage: "lastPage", fieldErrorObject: "error", fieldErrorMessage: "message", fieldErrorDetails: "details",
	fieldErrorInner: "inner", fieldErrorCode: "code", fieldMarginLevels: "marginLevels", fieldEdges: "edges", fieldNode: "node", fieldCursor: "cursor",
	fieldPageInfo: "pageInfo", fieldHasNextPage: "hasNextPage", fieldHasPreviousPage: "hasPreviousPage", fieldStartCursor: "startCursor",
	fieldEndCursor: "endCursor", fieldAsset: "asset", fieldMaintenanceMargin: "maintenanceMargin", fieldSearchLevel: "searchLevel",
	fieldInitialMargin: "initialMargin", fieldCollateralReleaseLevel: "collateralReleaseLevel", fieldTimestamp: "timestamp",
}

// namesKept is how many names a fields holds: those that are read, and those that a service sends besides. More
// mean nothing to anybody.
const namesKept = 64

// fields knows names by numbers, so that to tell a field, and whether it came before, takes no time. It learns
// which name comes after which: a service writes its fields in one order.
type fields struct {
	names [namesKept]string  // in quotes, as they stand on the wire
	next  [namesKept]fieldID // what followed the last time
	index map[string]fieldID // without
}

func newFields() *fields {
	v := &fields{index: make(map[string]fieldID, namesKept)}
	for id, name := range fieldNames {
		if fieldID(id) != fieldUnknown {
			v.add(fieldID(id), name)
		}
	}
	return v
}

func (v *fields) add(id fieldID, name string) {
	v.names[id] = strconv.Quote(name)
	v.index[name] = id
}

// find is the fieldID for the name; fieldUnknown where there is no room for it.
func (v *fields) find(name []byte) fieldID {
	id, known := v.index[string(name)]
	if !known && len(v.index)+1 < namesKept && len(name) <= longestKept {
		id = fieldID(len(v.index) + 1)
		v.add(id, string(name))
	}
	return id
}

// names are those that an object has had so far.
type names struct {
	seen uint64 // a bit for each fieldID
	last fieldID
}

// nameAt is the fieldID for the name of a member, in quotes, that the text begins with, and the length of it. A name that
// comes twice is an error, where it is one that is read or was seen before: which of the two values counts is anybody's
// guess.
func (r *Reader) nameAt(text jsontext.Value, n *names) (id fieldID, length int, err error) {
	id = r.fields.next[n.last]
	if length = len(r.fields.names[id]); id == fieldUnknown || length > len(text) || string(text[:length]) != r.fields.names[id] {
		length = stringLength(text)
		name, err := r.unquote(text[:length])
		if err != nil {
			return fieldUnknown, 0, err
		}
		id = r.fields.find(name)
		r.fields.next[n.last] = id
	}
	bit := uint64(1) << id
	if id != fieldUnknown && n.seen&bit != 0 {
		name := OneLine([]byte(r.fields.names[id]))
		return fieldUnknown, 0, fmt.Errorf("the service sent %s twice in one object, at %s", name, r.where())
	}
	n.seen |= bit
	n.last = id
	return id, length, nil
}

// object reads an object, or a null in its place, and calls member after each name.
func (r *Reader) object(member func(fieldID) error) error {
	var names names
	return r.composite('{', '}', func() error {
		quoted, err := r.json.ReadValue()
		if err != nil {
			return err
		}
		id, _, err := r.nameAt(quoted, &names)
		if err != nil {
			return err
		}
		return member(id)
	})
}

// composite reads an object or an array, or a null in its place, and calls element while there are elements.
func (r *Reader) composite(open, end jsontext.Kind, element func() error) error {
	token, err := r.json.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case 'n':
		return nil
	case open:
	default:
		return r.misfit(token.Kind(), kindName(open))
	}
	for r.json.PeekKind() != end {
		if err := element(); err != nil {
			return err
		}
	}
	_, err = r.json.ReadToken()
	return err
}
