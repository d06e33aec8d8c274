package sim

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
)

// filter is the selection of a stream. A parameter that is given but empty is not the same as none: the snapshot is of
// the party without a name, and the updates are those of all parties.
type filter struct{ party, market *string }

// parameters reads the parameters of a request. Unknown ones are ignored.
type parameters struct {
	url.Values
	err error // of the first one that is wrong
}

func (p *parameters) filter() filter {
	return filter{p.text("partyId", "party_id"), p.text("marketId", "market_id")}
}

// text returns the one value of a parameter, nil if there is none. An error has the name of the field in the service's
// own definition.
func (p *parameters) text(name, field string) *string {
	values := p.Values[name]
	if len(values) == 0 {
		return nil
	}
	if len(values) > 1 {
		p.err = cmp.Or(p.err, fmt.Errorf("too many values for field %q: %s", field, strings.Join(values, ", ")))
	}
	return &values[0]
}

// parsed returns what a text means, nil if there is none.
func parsed[T any](p *parameters, field string, text *string, parse func(string) (T, error)) *T {
	if text == nil {
		return nil
	}
	value, err := parse(*text)
	if err != nil {
		p.err = cmp.Or(p.err, fmt.Errorf("parsing field %q: %w", field, err))
	}
	return &value
}

// errNotHex refuses what cannot be an identifier.
var errNotHex = errors.New("not a valid hex id (or well known exception)")

// isValid reports whether the identifiers are hex or "network".
func (f filter) isValid() bool {
	for _, id := range []*string{f.party, f.market} {
		if id == nil || *id == "network" {
			continue
		}
		if _, err := hex.DecodeString(*id); err != nil {
			return false
		}
	}
	return true
}

// kind returns by what the filter selects.
func (f filter) kind() string {
	switch {
	case f.party == nil:
		return "market"
	case f.market == nil:
		return "party"
	default:
		return "market+party"
	}
}

// names returns the identifiers as the snapshot compares them: upper-case and lower-case hex are the same to it.
func (f filter) names() (party, market string) {
	key := f.key()
	return strings.ToLower(key.Party), strings.ToLower(key.Market)
}

// key returns what the filter's updates are compared with: the identifiers as they came, so that upper-case hex is
// never found; empty ones mean all.
func (f filter) key() Key {
	var key Key
	if f.party != nil {
		key.Party = *f.party
	}
	if f.market != nil {
		key.Market = *f.market
	}
	return key
}
