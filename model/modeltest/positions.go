package modeltest

import (
	"strings"

	"blotter/model"
)

// NotAfter is the latest time that counts in these tests: later ones are ahead of the service's clock.
const NotAfter = 1000

// Position returns a position of one party with a market, a volume and a time of change: "b 5 @11".
func Position(text string) model.Position {
	words := strings.Fields(text)
	p := model.Position{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID(words[0])}}
	p.SetNumber(model.OpenVolume, model.ParseAmount(words[1]))
	if len(words) > 2 {
		p.SetNumber(model.UpdatedAt, model.ParseAmount(words[2][1:]))
	}
	return p
}

// Positions returns several of these.
func Positions(texts ...string) []model.Position {
	var all []model.Position
	for _, text := range texts {
		all = append(all, Position(text))
	}
	return all
}

// ChangeWords returns a change as "b 1 > 5", with - for a row that does not exist.
func ChangeWords(before, after *model.Position) string {
	size := func(p *model.Position) string {
		if p == nil {
			return "-"
		}
		return p.Number(model.OpenVolume).String()
	}
	if before != nil {
		return before.Market.String() + " " + size(before) + " > " + size(after)
	}
	return after.Market.String() + " - > " + size(after)
}

// Holding returns a position with a size, a loss and a status: "-10 loss 5 CLOSED_OUT"; nil for an empty text.
func Holding(text string) *model.Position {
	if text == "" {
		return nil
	}
	words := strings.Fields(text)
	p := &model.Position{Key: model.Key{Party: model.MakeID("a"), Market: model.MakeID("b")}}
	p.SetNumber(model.OpenVolume, model.ParseAmount(words[0]))
	for i, word := range words[1:] {
		switch {
		case word == "loss":
			p.SetNumber(model.LossSocialisationAmount, model.ParseAmount(words[i+2]))
		case word[0] >= 'A':
			p.SetStatus([]byte("POSITION_STATUS_" + word))
		}
	}
	return p
}
