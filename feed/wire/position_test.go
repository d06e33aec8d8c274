package wire

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"blotter/model/modeltest"
)

// TestPositionsThatAreWrittenAlike reads positions that are written nearly alike: with some of the same members, seldom
// in another order or with more space, and at last with some bytes changed. The reader refuses and reads the same as
// the reference.
func TestPositionsThatAreWrittenAlike(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	seldom := func() bool { return random.IntN(30) == 0 }
	names := []string{"x", "marketId", "partyId", "openVolume", "unrealisedPnl", "positionStatus", "feesPaid", "y"}
	position := func() string {
		order := slices.DeleteFunc(slices.Clone(names), func(string) bool { return random.IntN(6) == 0 })
		if seldom() {
			random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		if seldom() && len(order) > 0 {
			order = append(order, order[random.IntN(len(order))])
		}
		for i, name := range order {
			value := fmt.Sprintf("%q", fmt.Sprint(random.Int64()>>random.IntN(63)))
			if name == "positionStatus" || seldom() {
				value = fmt.Sprint(random.IntN(10))
			}
			if seldom() {
				value = []string{" 1", "12", "null", `""`, `"\\u0041"`, `"POSITION_STATUS_DISTRESSED"`, "-"}[random.IntN(7)]
			}
			order[i] = fmt.Sprintf("%q:%s", name, value)
		}
		return "{" + strings.Join(order, ",") + "}"
	}
	for range modeltest.Times(3000) {
		var positions []string
		for range 1 + random.IntN(12) {
			positions = append(positions, position())
		}
		text := []byte(`{"result":{"snapshot":{"positions":[` + strings.Join(positions, ",") + `]}}}`)
		for random.IntN(2) == 0 {
			const bytesOfInterest = `"\{}[]:,014- `
			text[random.IntN(len(text))] = bytesOfInterest[random.IntN(len(bytesOfInterest))]
		}
		checkAgainstReference(t, text, random.IntN(len(text)+1))
	}
	for _, positions := range []string{
		`{"x":"1","openVolume":"2"},{"y":"1","openVolume":"3"},{"y":"1"{"x":"1","openVolume":"4"}`, // no comma
		`{"x":"1","openVolume":"2"},{"x":"1","openVolume":3},{"x":"1","openVolume":4,"openVolume":"5"}`,
		`{"x":"1"},}`,
		`{"x":"1","openVolume":"2"},,"openVolume":"3"}`,                       // no brace
		`{"marketId":"1","openVolume":"2"},{"marketId":"1\,"openVolume":"3"}`, // no quote
		`{"marketId":"1","openVolume":"2"},{"marketId":"1"}`,
		`{"marketId":"1","positionStatus":2},{"marketId":"1","positionStatus":4}`,
	} {
		text := []byte(`{"result":{"snapshot":{"positions":[` + positions + `],"lastPage":true}}}`)
		for cut := range text {
			checkAgainstReference(t, text, cut)
		}
	}
}

// TestFewPositionsAreReadMemberByMember: after some positions the reader knows how a service writes them, with space
// or without, and without zeros. That makes it fast.
func TestFewPositionsAreReadMemberByMember(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, form := range []string{`%q:%s`, `%q: %s`} {
		var positions []string
		for i := range 1000 {
			members := []string{fmt.Sprintf(form, "marketId", `"m1"`), fmt.Sprintf(form, "partyId", fmt.Sprintf(`"%d"`, i))}
			for _, name := range []string{"openVolume", "realisedPnl", "feesPaid", "unrealisedPnl", "takerFeesPaid"} {
				if random.IntN(4) > 0 {
					members = append(members, fmt.Sprintf(form, name, fmt.Sprintf(`"%d"`, random.Int64())))
				}
			}
			if random.IntN(2) == 0 {
				members = append(members, fmt.Sprintf(form, "positionStatus", fmt.Sprint(random.IntN(10))))
			}
			positions = append(positions, "{"+strings.Join(members, ",")+"}")
		}
		r := NewReader(strings.NewReader(`{"result":{"updates":{"positions":[`+strings.Join(positions, ",")+`]}}}`), testLimits)
		var m Message
		if err := r.Next(&m); err != nil || len(m.Updates) != 1000 || len(r.places) == 0 || r.different > 20 {
			t.Errorf("%s: %d positions, of which %d were read member by member, %v", form, len(m.Updates), r.different, err)
		}
	}
}

// TestPlacesHaveALimit: a service that writes each position in another way must not make the reader slow.
func TestPlacesHaveALimit(t *testing.T) {
	var merged []place
	for i := range 10 {
		places := []place{{before: "{", quoted: true}}
		for j := range maxPlaces - 1 {
			places = append(places, place{before: fmt.Sprintf(`,"%d-%d":"`, i, j), quoted: true})
		}
		if merged = mergePlaces(merged, places); len(merged) > maxPlaces {
			t.Fatalf("%d places are kept", len(merged))
		}
	}
}
