package command

import (
	"encoding/hex"
	"fmt"
	"slices"

	"blotter/model"
)

// scope is what is watched: the parties and markets of the command line, where it names any, or else those of
// the file.
func (p *program) scope(document *configDocument, instruments *model.Instruments) (scope model.Scope, err error) {
	p.warnOfUnknown("--party", p.parties, instruments.FindParty, instruments.Parties())
	p.warnOfUnknown("--market", p.markets, instruments.FindMarket, instruments.Markets())
	scope.Parties, err = p.watched(document, "--party", p.parties, "watch.parties", document.Watch.Parties, instruments.FindParty)
	if err != nil {
		return scope, err
	}
	scope.Markets, err = p.watched(document, "--market", p.markets, "watch.markets", document.Watch.Markets, instruments.FindMarket)
	return scope, err
}

func (p *program) watched(document *configDocument, flag string, given []string, key string, configured []string,
	find func(string) model.ID) ([]model.ID, error) {
	const words = "must be a name or an identifier, not an empty text"
	if len(given) > 0 {
		return identifiers(given, find, func(int) error { return usage("%s: %s", flag, words) })
	}
	if p.demo { // the parties and markets of the file are not those of the demonstration
		return nil, nil
	}
	return identifiers(configured, find, func(i int) error {
		return document.problem(fmt.Sprintf("%s[%d]", key, i), words)
	})
}

// warnOfUnknown tells of texts that look like names but are none, where there are names: a service has no
// positions for a name that is misspelt, or speaks of hex and not of names. One identifier is a word: that of the
// network's own party.
func (p *program) warnOfUnknown(flag string, given []string, find func(string) model.ID, known []model.ID) {
	for _, text := range given {
		id := find(text)
		digits, err := hex.DecodeString(id.String())
		isIdentifier := err == nil && len(digits) == 32 || id == model.MakeID("network")
		if len(known) == 0 || isIdentifier || id.IsZero() || slices.Contains(known, id) {
			continue
		}
		p.warn(fmt.Errorf("%s: %q is no name in the configuration, and not the 64 digits of an identifier; "+
			"the service is asked for it as it is", flag, text))
	}
}

// identifiers are what texts mean, each once.
func identifiers(texts []string, find func(string) model.ID, empty func(i int) error) ([]model.ID, error) {
	var ids []model.ID
	for i, text := range texts {
		id := find(text)
		if id.IsZero() {
			return nil, empty(i)
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}
