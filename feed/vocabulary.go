package feed

import (
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// word is a member name that the decoder knows, by its place in the vocabulary.
type word = uint8

// The names of the fields that are read. A known service sends eight more with each position.
const (
	noWord word = iota
	wordAverageEntryPrice
	wordLossSocialisationAmount
	wordOpenVolume
	wordRealisedPnl
	wordUnrealisedPnl
	wordUpdatedAt
	wordPartyID
	wordMarketID
	wordPositionStatus
	wordResult
	wordSnapshot
	wordUpdates
	wordPositions
	wordLastPage
	wordErrorObject
	wordErrorMessage
	wordErrorDetails
	wordErrorInner
	wordErrorCode
	wordMarginLevels
	wordEdges
	wordNode
	wordCursor
	wordPageInfo
	wordHasNextPage
	wordHasPreviousPage
	wordStartCursor
	wordEndCursor
	wordAsset
	wordMaintenanceMargin
	wordSearchLevel
	wordInitialMargin
	wordCollateralReleaseLevel
	wordTimestamp
)

var wordsRead = [...]string{
	wordAverageEntryPrice: "averageEntryPrice", wordLossSocialisationAmount: "lossSocialisationAmount", wordOpenVolume: "openVolume",
	wordRealisedPnl: "realisedPnl", wordUnrealisedPnl: "unrealisedPnl", wordUpdatedAt: "updatedAt", wordPartyID: "partyId",
	wordMarketID: "marketId", wordPositionStatus: "positionStatus", wordResult: "result", wordSnapshot: "snapshot", wordUpdates: "updates",
	wordPositions: "positions", wordLastPage: "lastPage", wordErrorObject: "error", wordErrorMessage: "message", wordErrorDetails: "details",
	wordErrorInner: "inner", wordErrorCode: "code", wordMarginLevels: "marginLevels", wordEdges: "edges", wordNode: "node", wordCursor: "cursor",
	wordPageInfo: "pageInfo", wordHasNextPage: "hasNextPage", wordHasPreviousPage: "hasPreviousPage", wordStartCursor: "startCursor",
	wordEndCursor: "endCursor", wordAsset: "asset", wordMaintenanceMargin: "maintenanceMargin", wordSearchLevel: "searchLevel",
	wordInitialMargin: "initialMargin", wordCollateralReleaseLevel: "collateralReleaseLevel", wordTimestamp: "timestamp",
}

// wordsKept is how many names a vocabulary holds: those that are read, and those that a service sends besides. More
// mean nothing to anybody.
const wordsKept = 64

// vocabulary knows names by numbers, so that to tell a field, and whether it came before, takes no time. It learns
// which name comes after which: a service writes its fields in one order.
type vocabulary struct {
	names [wordsKept]string // in quotes, as they stand on the wire
	next  [wordsKept]word   // what followed the last time
	index map[string]word   // without
}

func newVocabulary() *vocabulary {
	v := &vocabulary{index: make(map[string]word, wordsKept)}
	for w, name := range wordsRead {
		if word(w) != noWord {
			v.add(word(w), name)
		}
	}
	return v
}

func (v *vocabulary) add(w word, name string) {
	v.names[w] = strconv.Quote(name)
	v.index[name] = w
}

// find is the word for the name; noWord where there is no room for it.
func (v *vocabulary) find(name []byte) word {
	w, known := v.index[string(name)]
	if !known && len(v.index)+1 < wordsKept && len(name) <= longestKept {
		w = word(len(v.index) + 1)
		v.add(w, string(name))
	}
	return w
}

// names are those that an object has had so far.
type names struct {
	seen uint64 // a bit for each word
	last word
}

// nameAt is the word for the name of a member, in quotes, that the text begins with, and the length of it. A name that
// comes twice is an error, where it is one that is read or was seen before: which of the two values counts is anybody's
// guess.
func (d *decoder) nameAt(text jsontext.Value, n *names) (w word, length int, err error) {
	w = d.words.next[n.last]
	if length = len(d.words.names[w]); w == noWord || length > len(text) || string(text[:length]) != d.words.names[w] {
		length = stringLength(text)
		name, err := d.unquote(text[:length])
		if err != nil {
			return noWord, 0, err
		}
		w = d.words.find(name)
		d.words.next[n.last] = w
	}
	bit := uint64(1) << w
	if w != noWord && n.seen&bit != 0 {
		name := oneLine(d.secrets.hide([]byte(d.words.names[w])))
		return noWord, 0, fmt.Errorf("the service sent %s twice in one object, at %s", name, d.where())
	}
	n.seen |= bit
	n.last = w
	return w, length, nil
}

// object reads an object, or a null in its place, and calls member after each name.
func (d *decoder) object(member func(word) error) error {
	var names names
	return d.composite('{', '}', func() error {
		quoted, err := d.json.ReadValue()
		if err != nil {
			return err
		}
		w, _, err := d.nameAt(quoted, &names)
		if err != nil {
			return err
		}
		return member(w)
	})
}

// composite reads an object or an array, or a null in its place, and calls element while there are elements.
func (d *decoder) composite(open, end jsontext.Kind, element func() error) error {
	token, err := d.json.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case 'n':
		return nil
	case open:
	default:
		return d.misfit(token.Kind(), kindName(open))
	}
	for d.json.PeekKind() != end {
		if err := element(); err != nil {
			return err
		}
	}
	_, err = d.json.ReadToken()
	return err
}
