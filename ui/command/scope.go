package command

import (
	"fmt"

	"blotter/model"
	"blotter/ui/command/config"
	"blotter/ui/command/exit"
)

// scope returns what is watched: the parties of the command line, or else those of the file, and the same for markets.
func (p *program) scope(file *config.File, instruments *model.Instruments) (scope model.Scope, err error) {
	watch := file.Watch
	if p.demo { // its parties and markets are not those of the file
		watch = config.Watch{}
	}
	scope.Parties, err = p.given("--party", p.parties, watch.Parties, instruments.FindParty, instruments.Parties())
	if err != nil {
		return scope, err
	}
	scope.Markets, err = p.given("--market", p.markets, watch.Markets, instruments.FindMarket, instruments.Markets())
	return scope, err
}

// given returns what the texts of a flag mean, or else those of the file, each once.
func (p *program) given(flag string, given, configured []string, find func(string) model.ID, known []model.ID) ([]model.ID, error) {
	isKnown := make(map[model.ID]bool, len(known))
	for _, id := range known {
		isKnown[id] = true
	}
	for _, text := range given {
		id := find(text)
		if id.IsZero() {
			return nil, exit.Usage("%s: must be a name or an identifier, not an empty text", flag)
		}
		if len(known) > 0 && !isKnown[id] && !id.IsWellFormed() {
			p.warn(fmt.Errorf("%s: %q is not in the configuration; sent as typed", flag, text))
		}
	}
	if len(given) == 0 {
		given = configured
	}
	return identifiers(given, find), nil
}

// identifiers returns what names or identifiers mean, each once.
func identifiers(texts []string, find func(string) model.ID) []model.ID {
	seen := make(map[model.ID]bool, len(texts))
	var ids []model.ID
	for _, text := range texts {
		if id := find(text); !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids
}
