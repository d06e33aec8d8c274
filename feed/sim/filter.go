package sim

import (
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
)

// filter is the selection of a stream. A parameter that is given but empty is not the same as none: the snapshot is of
// the party without a name, and the updates are those of all parties.
type filter struct{ party, market *string }

// parseFilter reads the stream's parameters.
func parseFilter(query url.Values) (filter, error) {
	if text := query.Get("includeDerivedParties"); text != "" {
		if _, err := strconv.ParseBool(text); err != nil {
			return filter{}, fmt.Errorf("parsing field %q: %w", "include_derived_parties", err)
		}
	}
	party, err := single(query, "partyId", "party_id")
	if err != nil {
		return filter{}, err
	}
	market, err := single(query, "marketId", "market_id")
	return filter{party, market}, err
}

// single returns the one value of a parameter, nil if there is none. The error has the name of the field in the
// service's own definition.
func single(query url.Values, name, field string) (*string, error) {
	switch values := query[name]; len(values) {
	case 0:
		return nil, nil
	case 1:
		return &values[0], nil
	default:
		return nil, fmt.Errorf("too many values for field %q: %s", field, strings.Join(values, ", "))
	}
}

// errNotHex refuses what cannot be an identifier.
var errNotHex = errors.New("not a valid hex id (or well known exception)")

// check refuses identifiers that are neither hex nor "network".
func (f filter) check() error {
	for _, id := range []*string{f.party, f.market} {
		if id != nil && !isIdentifier(*id) {
			return fmt.Errorf("getting initial positions by %s: %w", f.kind(), errNotHex)
		}
	}
	return nil
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

func isIdentifier(id string) bool {
	_, err := hex.DecodeString(id)
	return err == nil || id == "network"
}

// names returns the identifiers as the snapshot compares them: upper-case and lower-case hex are the same to it.
func (f filter) names() (party, market string) {
	if f.party != nil {
		party = strings.ToLower(*f.party)
	}
	if f.market != nil {
		market = strings.ToLower(*f.market)
	}
	return party, market
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
