package wire

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
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
	for range 3000 {
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
		`{"x":"1","openVolume":"2"},,"openVolume":"3"}`, // no brace
	} {
		checkAgainstReference(t, []byte(`{"result":{"snapshot":{"positions":[`+positions+`],"lastPage":true}}}`), 9)
	}
}
