package model

import "strings"

// notAfter is the latest time that counts in these tests: later ones are ahead of the service's clock.
const notAfter = 1000

// position has a market, a volume and a time of change, for one party: "b 5 @11".
func position(text string) Position {
	words := strings.Fields(text)
	p := Position{Key: Key{MakeID("a"), MakeID(words[0])}}
	p.SetNumber(OpenVolume, ParseAmount(words[1]))
	if len(words) > 2 {
		p.SetNumber(UpdatedAt, ParseAmount(words[2][1:]))
	}
	return p
}

// positions are several of these.
func positions(texts ...string) []Position {
	var all []Position
	for _, text := range texts {
		all = append(all, position(text))
	}
	return all
}

// changeWords are a change as "b 1 > 5", with - for a row that is not there.
func changeWords(before, after *Position) string {
	size := func(p *Position) string {
		if p == nil {
			return "-"
		}
		return p.Number(OpenVolume).String()
	}
	if before != nil {
		return before.Market.String() + " " + size(before) + " > " + size(after)
	}
	return after.Market.String() + " - > " + size(after)
}

// holding has a size, a loss and a status: "-10 loss 5 CLOSED_OUT". It is nil for an empty text.
func holding(text string) *Position {
	if text == "" {
		return nil
	}
	words := strings.Fields(text)
	p := &Position{Key: Key{MakeID("a"), MakeID("b")}}
	p.SetNumber(OpenVolume, ParseAmount(words[0]))
	for i, word := range words[1:] {
		switch {
		case word == "loss":
			p.SetNumber(LossSocialisationAmount, ParseAmount(words[i+2]))
		case word[0] >= 'A':
			p.SetStatus([]byte("POSITION_STATUS_" + word))
		}
	}
	return p
}
